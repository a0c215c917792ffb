//! Compresses a solved slice: chooses its model and codes its blocks.
//!
//! The offsets of the contexts are chosen on a sample of the blocks, and for a slice of more than 32 million positions so
//! is the model.

use super::table::Table;
use crate::coder::{BLOCK, Places, encode, walk};
use crate::coverage::Coverage;
use crate::header::GROUP;
use crate::index::to_usize;
use crate::model::{Frequencies, Model};
use crate::stored::stored;
use crate::value::Best;

/// The values to compress.
pub(super) struct Values<'a, B> {
    pub(super) table: &'a Table<B>,
    pub(super) coverage: Coverage,
    /// The number of values in a block.
    pub(super) block: u64,
}

/// The maximum number of positions from which the model is made.
const SAMPLE: u64 = 1 << 25;
/// The number of positions on which each list of offsets is tried.
const TRIAL: u64 = 1 << 17;
/// The number of blocks between two calls of `keep_going`.
const POLL_INTERVAL: usize = 1 << 9;

/// The offsets of the contexts, and the bits that a slice takes with them.
pub(super) struct Offsets {
    offsets: Vec<usize>,
    pub(super) cost: f64,
}

impl<B: Best> Values<'_, B> {
    fn blocks(&self) -> u64 {
        self.table.index.len().div_ceil(self.block)
    }

    /// Reads the stored values of a block.
    fn read(&self, block: u64, values: &mut Vec<u8>) -> Places {
        let start = block * self.block;
        let len = to_usize(self.block.min(self.table.index.len() - start)).min(BLOCK);
        let places = stored(&self.table.index, self.coverage, start, len);
        values.clear();
        values.extend((start..).take(len).map(|number| self.table.get(number)));
        places
    }

    fn alphabet(&self) -> usize {
        usize::from(self.table.largest()) + 1
    }

    /// Chooses at most `max` offsets that code samples of the slice in the fewest bits, one by one.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn choose(&self, max: usize, keep_going: &dyn Fn() -> bool) -> Option<Offsets> {
        let alphabet = self.alphabet();
        let step = self.table.index.len().div_ceil(TRIAL);
        let mut samples: Vec<(Vec<u8>, Places)> = (0..self.blocks())
            .step_by(to_usize(step))
            .map(|block| {
                let mut values = Vec::new();
                let places = self.read(block, &mut values);
                (values, places)
            })
            .collect();
        let mut cost = |offsets: &[usize]| {
            let mut frequencies = Frequencies::new(alphabet, offsets);
            for (values, places) in &mut samples {
                walk(values, places, offsets, alphabet, |i, context, values| {
                    frequencies.add(context, values[i]);
                    true
                });
            }
            keep_going().then(|| frequencies.cost(step as f64))
        };
        let row = to_usize(self.table.index.row_len());
        let mut candidates = vec![2, 3, 4, 5, 6, 7, 8, 26, 27, 28, 29, 30, 31, row, row + 1];
        candidates.retain(|&offset| offset > 1 && (offset as u64) < self.block / 2);
        candidates.sort_unstable();
        candidates.dedup();
        let mut offsets = vec![1];
        let mut least = cost(&offsets)?;
        while offsets.len() < max {
            let mut better = None;
            for &candidate in candidates.iter().filter(|offset| !offsets.contains(offset)) {
                let mut longer = offsets.clone();
                longer.push(candidate);
                let cost = cost(&longer)?;
                if cost < least {
                    (least, better) = (cost, Some(longer));
                }
            }
            match better {
                Some(longer) => offsets = longer,
                None => break,
            }
        }
        Some(Offsets { offsets, cost: least })
    }

    /// Creates the model with these offsets.
    pub(super) fn model(&self, offsets: &Offsets, keep_going: &dyn Fn() -> bool) -> Option<Model> {
        let (alphabet, offsets) = (self.alphabet(), &offsets.offsets);
        let step = self.table.index.len().div_ceil(SAMPLE);
        let mut frequencies = Frequencies::new(alphabet, offsets);
        let mut values = Vec::new();
        for (number, block) in (0..self.blocks()).step_by(to_usize(step)).enumerate() {
            if number % POLL_INTERVAL == 0 {
                self.table.memory.release();
                if !keep_going() {
                    return None;
                }
            }
            let places = self.read(block, &mut values);
            walk(&mut values, &places, offsets, alphabet, |i, context, values| {
                frequencies.add(context, values[i]);
                true
            });
        }
        Some(frequencies.model(step == 1))
    }

    /// Codes a group of blocks, and lists the length of each code.
    pub(super) fn group(&self, group: u64, model: &Model, codes: &mut Vec<u8>, lengths: &mut Vec<usize>) {
        codes.clear();
        lengths.clear();
        let mut values = Vec::new();
        for block in (group * GROUP..self.blocks()).take(to_usize(GROUP)) {
            let places = self.read(block, &mut values);
            let start = codes.len();
            encode(&mut values, &places, model, codes);
            lengths.push(codes.len() - start);
        }
    }
}
