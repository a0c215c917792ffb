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

use super::model::{ContextModel, SHIFT, WHOLE};

/// The maximum number of values of a block.
pub const BLOCK: usize = 2048;
/// The smallest state.
pub const BASE: u32 = 1 << 16;

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
pub struct IndexSet([u64; BLOCK / 64]);

impl IndexSet {
    pub const fn none() -> Self {
        Self([0; BLOCK / 64])
    }

    #[inline(always)]
    pub fn add(&mut self, index: usize) {
        self.0[index / 64 % (BLOCK / 64)] |= 1 << (index % 64);
    }

    #[inline(always)]
    pub const fn has(&self, index: usize) -> bool {
        self.0[index / 64 % (BLOCK / 64)] >> (index % 64) & 1 == 1
    }
}

/// Calls `each` with every stored index of a block and its context, and fills the gaps. A context may depend
/// on earlier values.
#[inline(always)]
pub fn walk_stored(
    values: &mut [u8],
    indices: &IndexSet,
    offsets: &[usize],
    alphabet: usize,
    each: impl FnMut(usize, usize, &mut [u8]) -> bool,
) -> bool {
    #[inline(always)]
    fn go<const N: usize>(
        values: &mut [u8],
        indices: &IndexSet,
        offsets: &[usize],
        alphabet: usize,
        mut each: impl FnMut(usize, usize, &mut [u8]) -> bool,
    ) -> bool {
        let Some(offsets) = offsets.first_chunk::<N>() else { return false };
        (0..values.len()).all(|i| {
            if !indices.has(i) {
                values[i] = if i > 0 { values[i - 1] } else { 0 };
                return true;
            }
            let context = context(values, i, offsets, alphabet);
            each(i, context, values)
        })
    }
    match offsets.len() {
        1 => go::<1>(values, indices, offsets, alphabet, each),
        2 => go::<2>(values, indices, offsets, alphabet, each),
        3 => go::<3>(values, indices, offsets, alphabet, each),
        4 => go::<4>(values, indices, offsets, alphabet, each),
        5 => go::<5>(values, indices, offsets, alphabet, each),
        6 => go::<6>(values, indices, offsets, alphabet, each),
        _ => go::<7>(values, indices, offsets, alphabet, each),
    }
}

/// Decodes a block. Returns `false` if the code is invalid.
pub fn decode(bytes: &[u8], indices: &IndexSet, model: &ContextModel, values: &mut [u8]) -> bool {
    if bytes.is_empty() {
        return walk_stored(values, indices, &model.offsets, model.alphabet, |i, context, values| {
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
    let whole = walk_stored(values, indices, &model.offsets, model.alphabet, |i, context, values| {
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
