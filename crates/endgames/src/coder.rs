//! Entropy coding of blocks with range asymmetric numeral systems (rANS): the likelier a value according to
//! the model, the fewer bits it takes.
//!
//! Only stored values are coded (see [`super::coverage`]). For other positions, the previous value is
//! repeated, or 0 at the start of a block, so that the encoder and the decoder see the same contexts.
//!
//! The encoder's 32-bit state starts at 2^16, and the values are encoded from the last to the first. A value
//! whose share of 2^14 is `s`, where the shares below it add up to `b`, changes the state `x` to `(x / s) *
//! 2^14 + x % s + b`; before that, a state of at least `s * 2^18` emits its low 16 bits. A code consists of
//! the last state, in three bytes if it is below 2^24 and in four otherwise (so an odd length means three),
//! and then the 16-bit numbers in the reverse order. All are little-endian. A block in which every value is
//! the likeliest in its context takes no bytes.
#![expect(clippy::inline_always, reason = "measured: faster if inlined into the decoder")]
#![expect(clippy::cast_possible_truncation, reason = "words are the low bits of the state")]

use super::model::{ContextModel, Frequencies, SHIFT, Share, WHOLE};

/// The maximum number of values of a block.
pub const BLOCK: usize = 2048;
/// The smallest state.
const BASE: u32 = 1 << 16;

/// Returns the context of a value in a block: see [`ContextModel`].
#[inline(always)]
fn context<const N: usize>(values: &[u8], i: usize, offsets: &[usize; N], alphabet: usize) -> usize {
    let before = if i > 0 { usize::from(values[i - 1]) } else { 0 };
    let mut context = 0;
    for &offset in offsets[1..].iter().rev() {
        let value = if i >= offset { usize::from(values[i - offset]) } else { before };
        context = context * alphabet + value;
    }
    context * alphabet + before
}

/// The indices in a block whose values are stored.
#[derive(Clone)]
pub struct PlaceSet([u64; BLOCK / 64]);

impl PlaceSet {
    pub const fn none() -> Self {
        Self([0; BLOCK / 64])
    }

    #[inline(always)]
    pub fn add(&mut self, place: usize) {
        self.0[place / 64 % (BLOCK / 64)] |= 1 << (place % 64);
    }

    #[inline(always)]
    pub const fn has(&self, place: usize) -> bool {
        self.0[place / 64 % (BLOCK / 64)] >> (place % 64) & 1 == 1
    }
}

/// Calls `each` with every stored index of a block and its context, and fills the gaps. A context may depend
/// on earlier values.
#[inline(always)]
fn walk(
    values: &mut [u8],
    places: &PlaceSet,
    offsets: &[usize],
    alphabet: usize,
    each: impl FnMut(usize, usize, &mut [u8]) -> bool,
) -> bool {
    #[inline(always)]
    fn go<const N: usize>(
        values: &mut [u8],
        places: &PlaceSet,
        offsets: &[usize],
        alphabet: usize,
        mut each: impl FnMut(usize, usize, &mut [u8]) -> bool,
    ) -> bool {
        let Some(offsets) = offsets.first_chunk::<N>() else { return false };
        (0..values.len()).all(|i| {
            if !places.has(i) {
                values[i] = if i > 0 { values[i - 1] } else { 0 };
                return true;
            }
            let context = context(values, i, offsets, alphabet);
            each(i, context, values)
        })
    }
    match offsets.len() {
        1 => go::<1>(values, places, offsets, alphabet, each),
        2 => go::<2>(values, places, offsets, alphabet, each),
        3 => go::<3>(values, places, offsets, alphabet, each),
        4 => go::<4>(values, places, offsets, alphabet, each),
        5 => go::<5>(values, places, offsets, alphabet, each),
        6 => go::<6>(values, places, offsets, alphabet, each),
        _ => go::<7>(values, places, offsets, alphabet, each),
    }
}

pub fn count(values: &mut [u8], places: &PlaceSet, frequencies: &mut Frequencies) {
    let (offsets, alphabet) = (frequencies.offsets.clone(), frequencies.alphabet);
    walk(values, places, &offsets, alphabet, |i, context, values| {
        frequencies.add(context, values[i]);
        true
    });
}

/// Appends a block's code. Every value must have a share in the model.
#[expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a value without a share would corrupt the file"
)]
pub fn encode(values: &mut [u8], places: &PlaceSet, model: &ContextModel, bytes: &mut Vec<u8>) {
    let mut shares: Vec<Share> = Vec::with_capacity(values.len());
    let mut surprise = false;
    walk(values, places, &model.offsets, model.alphabet, |i, context, values| {
        surprise |= model.likeliest(context).value != values[i];
        shares.push(model.share(context, values[i]).expect("the model has counted this value"));
        true
    });
    if !surprise {
        return;
    }
    let mut state = BASE;
    let mut words = Vec::new();
    for share in shares.into_iter().rev() {
        let (size, below) = (u32::from(share.size).max(1), u32::from(share.below));
        if u64::from(state) >= u64::from(size) << 18 {
            words.push(state as u16);
            state >>= 16;
        }
        state = (state / size) * WHOLE + state % size + below;
    }
    let length = if state < 1 << 24 { 3 } else { 4 };
    bytes.extend(&state.to_le_bytes()[..length]);
    for word in words.into_iter().rev() {
        bytes.extend(word.to_le_bytes());
    }
}

/// Decodes a block. Returns `false` if the code is invalid.
pub fn decode(bytes: &[u8], places: &PlaceSet, model: &ContextModel, values: &mut [u8]) -> bool {
    if bytes.is_empty() {
        return walk(values, places, &model.offsets, model.alphabet, |i, context, values| {
            let share = model.likeliest(context);
            values[i] = share.value;
            share.size > 0
        });
    }
    let length = if bytes.len() % 2 == 1 { 3 } else { 4 };
    let Some((first, rest)) = bytes.split_at_checked(length) else { return false };
    let mut word = [0; 4];
    word[..length].copy_from_slice(first);
    let mut state = u32::from_le_bytes(word);
    let mut words = rest.chunks_exact(2);
    let whole = walk(values, places, &model.offsets, model.alphabet, |i, context, values| {
        let point = state & (WHOLE - 1);
        let mut share = model.likeliest(context);
        if point >= u32::from(share.size) {
            share = model.at(context, point);
            if share.size == 0 {
                return false;
            }
        }
        state = u32::from(share.size) * (state >> SHIFT) + point - u32::from(share.below);
        if state < BASE {
            let Some(&[low, high]) = words.next().and_then(|word| word.first_chunk()) else { return false };
            state = state << 16 | u32::from(u16::from_le_bytes([low, high]));
        }
        values[i] = share.value;
        true
    });
    whole && state == BASE && words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::rng::{self, RngExt};

    /// Returns values that can mostly be predicted from earlier values.
    fn values(alphabet: u8, len: usize) -> Vec<u8> {
        let mut random = rng::stream(&[5]);
        let mut values: Vec<u8> = Vec::new();
        for i in 0..len {
            let surprise = i < 7 || random.random_range(0..16) == 0;
            values.push(if surprise { random.random_range(0..alphabet) } else { values[i - 7] });
        }
        values
    }

    /// Returns places of which every third is not stored.
    fn places(len: usize) -> PlaceSet {
        let mut places = PlaceSet::none();
        (0..len).filter(|i| i % 3 != 1).for_each(|i| places.add(i));
        places
    }

    fn model(values: &mut [u8], alphabet: usize, offsets: &[usize]) -> ContextModel {
        let mut frequencies = Frequencies::new(alphabet, offsets);
        count(values, &places(values.len()), &mut frequencies);
        frequencies.model(true)
    }

    #[test]
    fn blocks_round_trip_and_damage_never_panics() {
        for (alphabet, offsets) in [(3, &[1, 7, 2, 8, 40, 3, 5][..]), (3, &[1]), (130, &[1, 7])] {
            let mut values = values(alphabet, 2000);
            let model = model(&mut values, alphabet.into(), offsets);
            let model = ContextModel::parse(&model.to_bytes()).unwrap();
            let mut bytes = Vec::new();
            let places = places(values.len());
            encode(&mut values, &places, &model, &mut bytes);
            let mut back = vec![0; values.len()];
            assert!(decode(&bytes, &places, &model, &mut back));
            assert_eq!(back, values);
            for i in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[i] ^= 1 << (i % 8);
                // Damaged bytes may also be valid code for other values.
                assert!(!decode(&damaged, &places, &model, &mut back) || back != values);
                assert!(!decode(&bytes[..i], &places, &model, &mut back) || back != values);
            }
        }
    }

    #[test]
    fn expected_symbols_take_no_bits() {
        let mut values = vec![0; 500];
        let model = model(&mut values, 3, &[1, 7]);
        let mut bytes = Vec::new();
        let places = places(values.len());
        encode(&mut values, &places, &model, &mut bytes);
        assert!(bytes.is_empty());
        let mut back = vec![1; 500];
        assert!(decode(&bytes, &places, &model, &mut back));
        assert_eq!(back, values);
    }

    #[test]
    fn damaged_models_are_rejected_or_valid() {
        let mut values = values(3, 2000);
        let bytes = model(&mut values, 3, &[1, 7, 8]).to_bytes();
        for i in 0..bytes.len() {
            assert!(ContextModel::parse(&bytes[..i]).is_err());
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[i] ^= 1 << bit;
                if let Ok(model) = ContextModel::parse(&damaged) {
                    let mut back = vec![0; 300];
                    decode(&[1, 2, 3, 4, 5, 6], &places(300), &model, &mut back);
                }
            }
        }
    }
}
