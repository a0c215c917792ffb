//! Encodes blocks: counts values by context, fits the model to the counts, and codes blocks with it (see
//! `coder` and `model`).
#![expect(
    clippy::cast_possible_truncation,
    reason = "shares are at most 2^14, values are bytes, and words are the low bits of the state"
)]

use crate::coder::{BASE, IndexSet, walk_stored};
use crate::model::{ContextModel, Share, WHOLE};

/// Counts of values by context.
pub(super) struct Frequencies {
    alphabet: usize,
    offsets: Vec<usize>,
    counts: Vec<u32>,
}

impl Frequencies {
    pub(super) fn new(alphabet: usize, offsets: &[usize]) -> Self {
        let contexts = alphabet.pow(offsets.len() as u32);
        Self { alphabet, offsets: offsets.to_vec(), counts: vec![0; contexts * alphabet] }
    }

    /// Counts the stored values of a block.
    pub(super) fn count(&mut self, values: &mut [u8], indices: &IndexSet) {
        walk_stored(values, indices, &self.offsets, self.alphabet, |i, context, values| {
            self.counts[context * self.alphabet + usize::from(values[i])] += 1;
            true
        });
    }

    /// Estimates the size in bits of the counted values when coded with the model that fits them, including
    /// the model itself.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn cost(&self, scale: f64) -> f64 {
        let mut values = 0.0;
        let mut model = 0.0;
        for counts in self.counts.chunks(self.alphabet) {
            let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
            for &count in counts.iter().filter(|&&count| count > 0) {
                values += f64::from(count) * (total as f64 / f64::from(count)).log2();
                model += 16.0;
            }
        }
        values * scale + model
    }

    /// Creates the model that fits the counts. Unless the counts cover the whole slice, unseen values also
    /// get a share.
    pub(super) fn model(&self, whole: bool) -> ContextModel {
        let mut model = ContextModel::empty(self.alphabet, self.offsets.clone());
        for (context, counts) in self.counts.chunks(self.alphabet).enumerate() {
            let counts: Vec<u64> =
                counts.iter().map(|&count| u64::from(count).max(u64::from(!whole))).collect();
            let total: u64 = counts.iter().sum();
            if total == 0 {
                continue;
            }
            let mut shares: Vec<(u8, u32)> = counts
                .iter()
                .enumerate()
                .filter(|(_, count)| **count > 0)
                .map(|(value, &count)| {
                    let share = (count * u64::from(WHOLE) + total / 2) / total;
                    (value as u8, (share as u32).max(1))
                })
                .collect();
            shares.sort_by_key(|&(value, share)| (std::cmp::Reverse(share), value));
            // The likeliest value absorbs the rounding errors. With at most 256 values, its share is large
            // enough.
            let sum: u32 = shares.iter().map(|&(_, share)| share).sum();
            shares[0].1 = shares[0].1 + WHOLE - sum;
            model.add(context, &shares);
        }
        model
    }
}

/// Appends a block's code. Every value must have a share in the model.
#[expect(clippy::expect_used, reason = "a value without a share would corrupt the file")]
pub(super) fn encode(values: &mut [u8], indices: &IndexSet, model: &ContextModel, bytes: &mut Vec<u8>) {
    let mut shares: Vec<Share> = Vec::with_capacity(values.len());
    let mut surprise = false;
    walk_stored(values, indices, &model.offsets, model.alphabet, |i, context, values| {
        let likeliest = model.likeliest(context);
        let others = model.others(context);
        surprise |= likeliest.value != values[i];
        let mut candidates = std::iter::once(&likeliest).chain(others);
        let share = candidates.find(|share| share.value == values[i] && share.size > 0);
        shares.push(*share.expect("the model has counted this value"));
        true
    });
    if !surprise {
        return;
    }
    let mut state = BASE;
    let mut words = Vec::new();
    for share in shares.into_iter().rev() {
        let size = u32::from(share.size).max(1);
        let below = u32::from(share.below);
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

/// Writes a model in the format of its file.
pub(super) fn model_bytes(model: &ContextModel) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend((model.alphabet as u16).to_le_bytes());
    bytes.push(model.offsets.len() as u8);
    for &offset in &model.offsets {
        bytes.extend((offset as u16).to_le_bytes());
    }
    let contexts: Vec<usize> =
        (0..model.contexts()).filter(|&context| model.likeliest(context).size > 0).collect();
    bytes.extend((contexts.len() as u32).to_le_bytes());
    let mut next = 0;
    for context in contexts {
        write_number(&mut bytes, context - next);
        next = context + 1;
        let others = model.others(context);
        write_number(&mut bytes, others.len());
        let mut last = model.likeliest(context);
        for &share in others {
            bytes.push(last.value);
            write_number(&mut bytes, last.size.into());
            last = share;
        }
        bytes.push(last.value);
    }
    bytes
}

/// Writes a number in base 128, the low digits first, the top bit set on all but the last.
pub(super) fn write_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push((number & 127 | 128) as u8);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coder::decode;
    use kelso_random::RngExt;

    /// Returns values that can mostly be predicted from earlier values.
    fn values(alphabet: u8, len: usize) -> Vec<u8> {
        let mut random = kelso_random::stream(&[5]);
        let mut values: Vec<u8> = Vec::new();
        for i in 0..len {
            let surprise = i < 7 || random.random_range(0..16) == 0;
            values.push(if surprise { random.random_range(0..alphabet) } else { values[i - 7] });
        }
        values
    }

    /// Returns indices of which every third is not stored.
    fn indices(len: usize) -> IndexSet {
        let mut indices = IndexSet::none();
        (0..len).filter(|i| i % 3 != 1).for_each(|i| indices.add(i));
        indices
    }

    fn model(values: &mut [u8], alphabet: usize, offsets: &[usize]) -> ContextModel {
        let mut frequencies = Frequencies::new(alphabet, offsets);
        frequencies.count(values, &indices(values.len()));
        frequencies.model(true)
    }

    #[test]
    fn blocks_round_trip_and_damage_never_panics() {
        for (alphabet, offsets) in [(3, &[1, 7, 2, 8, 40, 3, 5][..]), (3, &[1]), (130, &[1, 7])] {
            let mut values = values(alphabet, 2000);
            let model = model(&mut values, alphabet.into(), offsets);
            let model = ContextModel::parse(&model_bytes(&model)).unwrap();
            let mut bytes = Vec::new();
            let indices = indices(values.len());
            encode(&mut values, &indices, &model, &mut bytes);
            let mut back = vec![0; values.len()];
            assert!(decode(&bytes, &indices, &model, &mut back));
            assert_eq!(back, values);
            for i in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[i] ^= 1 << (i % 8);
                // Damaged bytes may also be valid code for other values.
                assert!(!decode(&damaged, &indices, &model, &mut back) || back != values);
                assert!(!decode(&bytes[..i], &indices, &model, &mut back) || back != values);
            }
        }
    }

    #[test]
    fn expected_symbols_take_no_bits() {
        let mut values = vec![0; 500];
        let model = model(&mut values, 3, &[1, 7]);
        let mut bytes = Vec::new();
        let indices = indices(values.len());
        encode(&mut values, &indices, &model, &mut bytes);
        assert!(bytes.is_empty());
        let mut back = vec![1; 500];
        assert!(decode(&bytes, &indices, &model, &mut back));
        assert_eq!(back, values);
    }

    #[test]
    fn damaged_models_are_rejected_or_valid() {
        let mut values = values(3, 2000);
        let bytes = model_bytes(&model(&mut values, 3, &[1, 7, 8]));
        for i in 0..bytes.len() {
            assert!(ContextModel::parse(&bytes[..i]).is_err());
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[i] ^= 1 << bit;
                if let Ok(model) = ContextModel::parse(&damaged) {
                    let mut back = vec![0; 300];
                    decode(&[1, 2, 3, 4, 5, 6], &indices(300), &model, &mut back);
                }
            }
        }
    }
}
