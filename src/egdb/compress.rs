//! From a solved slice to its model and the codes of its blocks.
//!
//! Positions whose value is not stored take the value that costs least there, the likeliest one. What is likeliest is
//! taken from a first model, which counts stored values only, in samples of the slice; the second model, the one that
//! is written, counts what the first one filled in as well.
#![expect(clippy::inline_always, reason = "inside the loops over all positions")]

use super::coder::{encode, walk};
use super::model::{Model, Tally};
use super::table::{Cells, to_usize};

/// Which positions have a capture, and so no stored value.
pub(super) struct Marks(Vec<u64>);

impl Marks {
    pub(super) fn new(len: u64) -> Self {
        Self(vec![0; to_usize(len.div_ceil(64))])
    }

    #[inline(always)]
    pub(super) fn mark(&mut self, number: u64) {
        self.0[to_usize(number >> 6)] |= 1 << (number & 63);
    }

    #[inline(always)]
    pub(super) fn get(&self, number: u64) -> bool {
        self.0[to_usize(number >> 6)] >> (number & 63) & 1 == 1
    }
}

/// What there is to compress.
pub(super) struct Values<'a, C> {
    pub(super) cells: &'a C,
    pub(super) skipped: &'a Marks,
    pub(super) len: u64,
    /// Values in a block.
    pub(super) block: u64,
    /// Positions that differ in the enemy's kings only.
    pub(super) row: u64,
}

/// A slice as it is written.
pub(super) struct Compressed {
    pub(super) model: Model,
    /// The length of each block's code.
    pub(super) lengths: Vec<usize>,
    /// The codes, one after the other.
    pub(super) bytes: Vec<u8>,
}

/// How many positions the first model is made from.
const SAMPLE: u64 = 1 << 18;
/// Blocks after which to ask whether to go on.
const ASKING: u64 = 1 << 12;
/// How many positions each choice of distances is tried on.
const TRIAL: u64 = 1 << 16;

impl<C: Cells> Values<'_, C> {
    fn blocks(&self) -> u64 {
        self.len.div_ceil(self.block)
    }

    /// Reads a block, and fills what is not stored in it: with the value before, or the likeliest of a model.
    fn fill(&self, block: u64, model: Option<&Model>, values: &mut Vec<u8>) {
        let start = block * self.block;
        let len = self.block.min(self.len - start);
        values.clear();
        values.resize(to_usize(len), 0);
        let (offsets, alphabet) = model.map_or((&[1][..], 0), |model| (model.offsets(), model.alphabet()));
        walk(values, offsets, alphabet, |i, context, values| {
            let number = start + i as u64;
            values[i] = if self.skipped.get(number) {
                match model.map(|model| model.likeliest(context)) {
                    Some(likeliest) if likeliest.size > 0 => likeliest.value,
                    _ if i > 0 => values[i - 1],
                    _ => 0,
                }
            } else {
                self.cells.get(number)
            };
            true
        });
    }

    /// The first model: of stored values alone, in every `step`th block.
    fn first_model(&self, alphabet: usize, offsets: &[usize], step: u64) -> Model {
        let mut tally = Tally::new(alphabet, offsets);
        let mut values = Vec::new();
        for block in (0..self.blocks()).step_by(to_usize(step)) {
            self.fill(block, None, &mut values);
            let start = block * self.block;
            walk(&mut values, offsets, alphabet, |i, context, values| {
                if !self.skipped.get(start + i as u64) {
                    tally.add(context, values[i]);
                }
                true
            });
        }
        tally.model()
    }

    /// The second model: of what the first one makes of every `step`th block.
    fn second_model(&self, first: &Model, step: u64, go_on: &dyn Fn() -> bool) -> Option<Model> {
        let mut tally = Tally::new(first.alphabet(), first.offsets());
        let mut values = Vec::new();
        for block in (0..self.blocks()).step_by(to_usize(step)) {
            if block % ASKING == 0 && !go_on() {
                return None;
            }
            self.fill(block, Some(first), &mut values);
            walk(&mut values, first.offsets(), first.alphabet(), |i, context, values| {
                tally.add(context, values[i]);
                true
            });
        }
        Some(tally.model())
    }

    /// The lengths and codes of every `step`th block.
    fn codes(
        &self,
        first: &Model,
        second: &Model,
        step: u64,
        go_on: &dyn Fn() -> bool,
    ) -> Option<(Vec<usize>, Vec<u8>)> {
        let (mut lengths, mut bytes) = (Vec::new(), Vec::new());
        let mut values = Vec::new();
        for block in (0..self.blocks()).step_by(to_usize(step)) {
            if block % ASKING == 0 && !go_on() {
                return None;
            }
            self.fill(block, Some(first), &mut values);
            let start = bytes.len();
            encode(&mut values, second, &mut bytes);
            lengths.push(bytes.len() - start);
        }
        Some((lengths, bytes))
    }

    /// The distances of the contexts that code samples of the slice in the fewest bytes, found one by one.
    fn offsets(
        &self,
        alphabet: usize,
        most: usize,
        step: u64,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<usize>> {
        let row = to_usize(self.row);
        let mut candidates = vec![2, 3, 4, 7, 8, 26, 27, 28, 29, 30, row, row + 1];
        candidates.retain(|&offset| offset > 1 && (offset as u64) < self.block / 2);
        candidates.sort_unstable();
        candidates.dedup();
        let cost = |offsets: &[usize]| {
            let first = self.first_model(alphabet, offsets, step);
            let second = self.second_model(&first, step, go_on)?;
            let (_, bytes) = self.codes(&first, &second, step, go_on)?;
            Some(bytes.len() as u64 * step + second.to_bytes().len() as u64)
        };
        let mut chosen = vec![1];
        let mut least = cost(&chosen)?;
        while chosen.len() < most {
            let mut better = None;
            for &candidate in candidates.iter().filter(|offset| !chosen.contains(offset)) {
                let mut longer = chosen.clone();
                longer.push(candidate);
                let cost = cost(&longer)?;
                if cost < least {
                    (least, better) = (cost, Some(longer));
                }
            }
            match better {
                Some(longer) => chosen = longer,
                None => break,
            }
        }
        Some(chosen)
    }

    /// Compresses the slice with contexts of at most so many distances. Nothing comes back if `go_on` answers no.
    pub(super) fn compress(&self, most_offsets: usize, go_on: &dyn Fn() -> bool) -> Option<Compressed> {
        let alphabet = usize::from(self.cells.largest()) + 1;
        let offsets = self.offsets(alphabet, most_offsets, self.len.div_ceil(TRIAL), go_on)?;
        let first = self.first_model(alphabet, &offsets, self.len.div_ceil(SAMPLE));
        let model = self.second_model(&first, 1, go_on)?;
        let (lengths, bytes) = self.codes(&first, &model, 1, go_on)?;
        Some(Compressed { model, lengths, bytes })
    }
}
