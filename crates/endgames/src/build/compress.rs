//! Compresses a solved slice into its file (see `kelso_endgames::file`): chooses the model, codes the blocks,
//! and writes them group by group.
//!
//! The offsets of the contexts are chosen from a sample of the blocks. In slices of more than 32 million
//! positions, the model is built from a sample too.

use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use super::encode::{Frequencies, encode, model_bytes, write_number};
use super::pair::Solver;
use super::table::ValueTable;
use super::{BuildError, BuildResult, Poll};
use crate::coder::{BLOCK, IndexSet};
use crate::coverage::{Coverage, stored};
use crate::header::{GROUP, HEADER};
use crate::index::to_usize;
use crate::model::ContextModel;
use crate::value::StoredValue;
use crate::{Counts, DatabaseHeader, FileError};
use kelso_batch::error::cannot_write;
use kelso_batch::file::OutputFile;

/// The maximum number of positions from which the model is built.
const MAX_MODEL_POSITIONS: u64 = 1 << 25;
/// Number of positions on which each list of offsets is tested.
const TRIAL_POSITIONS: u64 = 1 << 17;
/// Number of blocks between calls of `poll`.
const POLL_INTERVAL: usize = 1 << 9;

/// A solved slice and its coding.
pub(super) struct Coding<'a, V> {
    pub(super) table: &'a ValueTable<V>,
    coverage: Coverage,
    offsets: Vec<usize>,
    /// The size of the coded slice in bits.
    cost: f64,
}

impl<'a, V: StoredValue> Coding<'a, V> {
    const BLOCK: u64 = V::CONTENT.block();

    /// Chooses the coverage of a slice and its twin that makes their files smallest, estimated from samples.
    pub(super) fn all<R: Solver<Cell = V>>(
        own: &'a [ValueTable<V>],
        poll: &dyn Fn() -> BuildResult,
    ) -> BuildResult<Vec<Self>> {
        if own.len() == 1 {
            return Self::choose_all::<R>(own, &[Coverage::Even], poll);
        }
        let quiet_first = Self::choose_all::<R>(own, &[Coverage::Quiet, Coverage::Calm], poll)?;
        let calm_first = Self::choose_all::<R>(own, &[Coverage::Calm, Coverage::Quiet], poll)?;
        let is_quiet_smaller = Self::total_cost(&quiet_first) <= Self::total_cost(&calm_first);
        Ok(if is_quiet_smaller { quiet_first } else { calm_first })
    }

    /// Chooses the offsets of each table, with the coverage at the same index.
    fn choose_all<R: Solver<Cell = V>>(
        own: &'a [ValueTable<V>],
        coverages: &[Coverage],
        poll: &dyn Fn() -> BuildResult,
    ) -> BuildResult<Vec<Self>> {
        let choices = own.iter().zip(coverages);
        choices.map(|(table, &coverage)| Self::choose(table, coverage, R::OFFSETS, poll)).collect()
    }

    fn total_cost(codings: &[Self]) -> f64 {
        codings.iter().map(|coding| coding.cost).sum()
    }

    /// Greedily chooses up to `max` offsets, each the one that codes samples of the slice in the fewest bits.
    fn choose(
        table: &'a ValueTable<V>,
        coverage: Coverage,
        max: usize,
        poll: &dyn Fn() -> BuildResult,
    ) -> BuildResult<Self> {
        let mut best = Self { table, coverage, offsets: vec![1], cost: 0.0 };
        let step = table.index.len().div_ceil(TRIAL_POSITIONS);
        let mut samples: Vec<(Vec<u8>, IndexSet)> =
            (0..best.blocks()).step_by(to_usize(step)).map(|block| best.read(block)).collect();
        let alphabet = best.alphabet();
        let row = to_usize(table.index.enemy_kings);
        let mut candidates = vec![2, 3, 4, 5, 6, 7, 8, 26, 27, 28, 29, 30, 31, row, row + 1];
        candidates.retain(|&offset| offset > 1 && (offset as u64) < Self::BLOCK / 2);
        candidates.sort_unstable();
        candidates.dedup();
        best.cost = sampled_cost(&mut samples, alphabet, &best.offsets, step);
        while best.offsets.len() < max {
            let mut better = None;
            for &candidate in candidates.iter().filter(|offset| !best.offsets.contains(offset)) {
                let longer = [&best.offsets[..], &[candidate]].concat();
                poll()?;
                let cost = sampled_cost(&mut samples, alphabet, &longer, step);
                if cost < best.cost {
                    (best.cost, better) = (cost, Some(longer));
                }
            }
            match better {
                Some(longer) => best.offsets = longer,
                None => break,
            }
        }
        Ok(best)
    }

    fn blocks(&self) -> u64 {
        self.table.index.len().div_ceil(Self::BLOCK)
    }

    /// Returns the values of a block and the indices of the stored values.
    fn read(&self, block: u64) -> (Vec<u8>, IndexSet) {
        let start = block * Self::BLOCK;
        let len = to_usize(Self::BLOCK.min(self.table.index.len() - start)).min(BLOCK);
        let values = (start..).take(len).map(|number| self.table.byte(number)).collect();
        (values, stored(&self.table.index, self.coverage, start, len))
    }

    fn alphabet(&self) -> usize {
        usize::from(self.table.largest_byte()) + 1
    }

    fn model(&self, poll: Poll<'_>) -> BuildResult<ContextModel> {
        let step = self.table.index.len().div_ceil(MAX_MODEL_POSITIONS);
        let mut frequencies = Frequencies::new(self.alphabet(), &self.offsets);
        for (number, block) in (0..self.blocks()).step_by(to_usize(step)).enumerate() {
            if number % POLL_INTERVAL == 0 {
                poll(0)?;
            }
            let (mut values, indices) = self.read(block);
            frequencies.count(&mut values, &indices);
        }
        Ok(frequencies.model(step == 1))
    }

    /// Writes the file. `poll` is called regularly with the number of positions done.
    pub(super) fn write(&self, counts: Counts, path: &Path, poll: Poll<'_>) -> BuildResult {
        let model = self.model(poll)?;
        let header = DatabaseHeader::new(V::CONTENT, self.table.index.slice, self.coverage, counts);
        let mut writer = Writer::begin(header, &model, OutputFile::create(path)?)
            .map_err(|error| write_error(path, error))?;
        for group in 0..header.group_count() {
            let first = group * GROUP;
            if first.is_multiple_of(POLL_INTERVAL as u64 * 8) {
                poll(first * Self::BLOCK)?;
            }
            let mut codes = Vec::new();
            let mut lengths = Vec::new();
            for block in (first..self.blocks()).take(to_usize(GROUP)) {
                let (mut values, indices) = self.read(block);
                let start = codes.len();
                encode(&mut values, &indices, &model, &mut codes);
                lengths.push(codes.len() - start);
            }
            writer.add(&codes, &lengths).map_err(|error| write_error(path, error))?;
        }
        Ok(writer.finish().map_err(|error| write_error(path, error))?.commit()?)
    }
}

fn write_error(path: &Path, error: FileError) -> BuildError {
    match error {
        FileError::Io(error) => cannot_write(path)(error).into(),
        error => BuildError::File(path.to_owned(), error),
    }
}

/// Returns the estimated bits of a slice, whose samples are `step` blocks apart.
#[expect(clippy::cast_precision_loss, reason = "estimates")]
fn sampled_cost(samples: &mut [(Vec<u8>, IndexSet)], alphabet: usize, offsets: &[usize], step: u64) -> f64 {
    let mut frequencies = Frequencies::new(alphabet, offsets);
    for (values, indices) in samples {
        frequencies.count(values, indices);
    }
    frequencies.cost(step as f64)
}

const BUFFER_BYTES: usize = 1 << 20;

/// A file being written.
///
/// The groups are written to a temporary file at their final offsets, after space reserved for the model and
/// the directory. The header is written last, so the whole file is never in memory.
pub(super) struct Writer {
    header: DatabaseHeader,
    model: Vec<u8>,
    directory: Vec<u8>,
    out: BufWriter<OutputFile>,
}

impl Writer {
    /// Begins a file.
    pub(super) fn begin(
        mut header: DatabaseHeader,
        model: &ContextModel,
        file: OutputFile,
    ) -> Result<Self, FileError> {
        let model = model_bytes(model);
        header.model_bytes = u32::try_from(model.len()).map_err(|_| FileError::TooLong("model"))?;
        let mut out = BufWriter::with_capacity(BUFFER_BYTES, file);
        out.seek(SeekFrom::Start(HEADER as u64 + u64::from(header.model_bytes) + 8 * header.group_count()))?;
        Ok(Self { header, model, directory: Vec::new(), out })
    }

    /// Appends a group: the codes of its blocks and their lengths.
    pub(super) fn add(&mut self, codes: &[u8], lengths: &[usize]) -> Result<(), FileError> {
        let mut group = Vec::new();
        if !codes.is_empty() {
            for &length in lengths {
                write_number(&mut group, length);
            }
            group.extend(codes);
        }
        let length = u32::try_from(group.len()).map_err(|_| FileError::TooLong("group"))?;
        self.header.group_bytes += u64::from(length);
        self.directory.extend(length.to_le_bytes());
        self.directory.extend(if length == 0 { 0 } else { crc32fast::hash(&group) }.to_le_bytes());
        Ok(self.out.write_all(&group)?)
    }

    /// Writes the parts before the groups. Returns the file, which is still to be committed.
    pub(super) fn finish(self) -> Result<OutputFile, FileError> {
        let Self { mut header, model, mut directory, out } = self;
        let mut file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        if header.group_bytes == 0 {
            directory.clear();
        }
        header.crcs = [crc32fast::hash(&model), crc32fast::hash(&directory)];
        file.rewind()?;
        file.write_all(&[&header.to_bytes()[..], &model, &directory].concat())?;
        Ok(file)
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the contents of the groups are meaningless"
)]
mod tests {
    use super::*;
    use crate::file::SliceFile;
    use crate::index::Index;
    use crate::{Content, Slice};
    use kelso_batch::testing::Folder;

    fn begin(path: &Path) -> Writer {
        let mut frequencies = Frequencies::new(3, &[1]);
        let mut indices = IndexSet::none();
        (0..90).for_each(|index| indices.add(index));
        frequencies.count(&mut [0, 1, 2].repeat(30), &indices);
        let model = frequencies.model(false);
        let slice: Slice = "11v11".parse().unwrap();
        let counts = Counts::from_numbers([Index::new(slice).len(), 0, 0, 0]);
        let header = DatabaseHeader::new(Content::Results, slice, Coverage::Even, counts);
        Writer::begin(header, &model, OutputFile::create(path).unwrap()).unwrap()
    }

    #[test]
    fn a_finished_file_has_all_groups_and_an_unfinished_one_leaves_nothing() {
        let folder = Folder::new();
        let path = folder.path("11v11.wld");
        for finished in [false, true] {
            let mut writer = begin(&path);
            for group in 0..6 {
                let codes: Vec<u8> = (0..group * 100).map(|i| (i * 7 + group) as u8).collect();
                let mut lengths = vec![0; to_usize(GROUP)];
                lengths[0] = codes.len();
                writer.add(&codes, &lengths).unwrap();
            }
            if finished {
                writer.finish().unwrap().commit().unwrap();
            } else {
                drop(writer);
                assert!(folder.names().is_empty());
            }
        }
        let file = SliceFile::open(&path).unwrap();
        assert!((0..5).all(|group| file.group(group).is_ok()));
    }

    #[test]
    fn a_group_with_invalid_lengths_is_damaged_in_spite_of_its_checksum() {
        let folder = Folder::new();
        let path = folder.path("11v11.wld");
        let mut writer = begin(&path);
        for _ in 0..6 {
            writer.add(&[0; 3], &[1; GROUP as usize]).unwrap();
        }
        writer.finish().unwrap().commit().unwrap();
        let file = SliceFile::open(&path).unwrap();
        for (group, part) in [(0, "group 0: invalid lengths of blocks"), (6, "directory: group 6 is missing")]
        {
            let error = file.group(group).err().map(|error| error.to_string());
            assert_eq!(error, Some(format!("damaged {part}; build it again")));
        }
    }
}
