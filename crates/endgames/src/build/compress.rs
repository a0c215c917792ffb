//! Compresses a solved slice into its file (see [`crate::file`]): chooses its model, codes its blocks, and writes them group
//! by group.
//!
//! The offsets of the contexts are chosen on a sample of the blocks, and for a slice of more than 32 million positions so
//! is the model.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use super::table::Table;
use crate::coder::{BLOCK, Places, encode, walk};
use crate::coverage::{Coverage, stored};
use crate::header::{FileError, GROUP, HEADER, Header};
use crate::index::to_usize;
use crate::model::{Frequencies, Model, write_number};
use crate::value::Best;
use common::file::Draft;

pub(super) struct Values<'a, B> {
    pub(super) table: &'a Table<B>,
    pub(super) coverage: Coverage,
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
    const BLOCK: u64 = B::CONTENT.block();

    fn blocks(&self) -> u64 {
        self.table.index.len().div_ceil(Self::BLOCK)
    }

    fn read(&self, block: u64, values: &mut Vec<u8>) -> Places {
        let start = block * Self::BLOCK;
        let len = to_usize(Self::BLOCK.min(self.table.index.len() - start)).min(BLOCK);
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
        let row = to_usize(self.table.index.enemy_kings);
        let mut candidates = vec![2, 3, 4, 5, 6, 7, 8, 26, 27, 28, 29, 30, 31, row, row + 1];
        candidates.retain(|&offset| offset > 1 && (offset as u64) < Self::BLOCK / 2);
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

const BUFFER: usize = 1 << 20;

/// A file that is being written.
///
/// The groups are written to a temporary file at their final offsets, with room before them for the model and the directory.
/// The header is written last. So the file is never in memory.
pub(super) struct Writer {
    header: Header,
    model: Vec<u8>,
    directory: Vec<u8>,
    draft: Draft,
    out: BufWriter<File>,
}

impl Writer {
    /// Begins a file. The sizes and checksums of the header are those of the parts that are written.
    pub(super) fn begin(mut header: Header, model: &Model, path: &Path) -> Result<Self, FileError> {
        let (draft, file) = Draft::begin(path).map_err(|failed| failed.error)?;
        let model = model.to_bytes();
        header.model = u32::try_from(model.len()).map_err(|_| FileError::Header("model too long"))?;
        let mut out = BufWriter::with_capacity(BUFFER, file);
        out.seek(SeekFrom::Start(HEADER as u64 + u64::from(header.model) + 8 * header.group_count()))?;
        Ok(Self { header, model, directory: Vec::new(), draft, out })
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
        let length = u32::try_from(group.len()).map_err(|_| FileError::Header("group too long"))?;
        self.header.blocks += u64::from(length);
        self.directory.extend(length.to_le_bytes());
        self.directory.extend(if length == 0 { 0 } else { crc32fast::hash(&group) }.to_le_bytes());
        Ok(self.out.write_all(&group)?)
    }

    /// Writes the parts before the groups, and gives the file its name.
    pub(super) fn finish(self) -> Result<(), FileError> {
        let Self { mut header, model, mut directory, draft, out } = self;
        let mut file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        if header.blocks == 0 {
            directory.clear();
            file.set_len(header.size())?;
        }
        header.crcs = [crc32fast::hash(&model), crc32fast::hash(&directory)];
        file.rewind()?;
        file.write_all(&[&header.to_bytes()[..], &model, &directory].concat())?;
        Ok(draft.keep(file).map_err(|failed| failed.error)?)
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
    use crate::{Content, Counts, Slice};
    use common::testing::Folder;

    #[test]
    fn a_finished_file_has_all_groups_and_an_unfinished_one_leaves_nothing() {
        let folder = Folder::new();
        let path = folder.path("11v11.wld");
        let mut frequencies = Frequencies::new(3, &[1]);
        (0..90).for_each(|i| frequencies.add(i % 3, (i % 3) as u8));
        let model = frequencies.model(false);
        let slice: Slice = "11v11".parse().unwrap();
        let counts = Counts { wins: Index::new(slice).len(), ..Counts::default() };
        let (content, coverage) = (Content::Results, Coverage::Even);
        let header = Header { content, slice, coverage, counts, model: 0, blocks: 0, crcs: [0; 2] };
        for finished in [false, true] {
            let mut writer = Writer::begin(header, &model, &path).unwrap();
            for group in 0..6 {
                let codes: Vec<u8> = (0..group * 100).map(|i| (i * 7 + group) as u8).collect();
                let mut lengths = vec![0; to_usize(GROUP)];
                lengths[0] = codes.len();
                writer.add(&codes, &lengths).unwrap();
            }
            if finished {
                writer.finish().unwrap();
            } else {
                drop(writer);
                assert!(folder.names().is_empty());
            }
        }
        let file = SliceFile::open(&path).unwrap();
        assert!((0..5).all(|group| file.group(group).is_ok()));
    }
}
