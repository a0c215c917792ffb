//! The file of a slice: header, model, directory of groups, groups of blocks. All numbers are little-endian.
//!
//! | offset | bytes | contents |
//! |---|---|---|
//! | 0 | 8 | `KelsoEGD` |
//! | 8 | 2 | version of the format, 1 |
//! | 10 | 1 | kind: 1 for results, 2 for distances |
//! | 11 | 1 | coverage: 1, 2 or 3, see below |
//! | 12 | 4 | the slice: men and kings of the side to move, men and kings of the other |
//! | 16 | 4 | positions in a block: 2048 for results, 512 for distances |
//! | 20 | 4 | length of the model |
//! | 24 | 8 | number of positions |
//! | 32 | 32 | numbers of won, lost and drawn positions and of those with a capture |
//! | 64 | 8 | length of all groups together |
//! | 72 | 12 | CRC-32 of the model, of the directory, and of the 80 bytes of the header before this one |
//! | 84 | | the model |
//! | | | the directory: for each group its length and its CRC-32, four bytes each |
//! | | | the groups |
//!
//! A group has 64 blocks; the last group may have fewer. It consists of the length of each block's code, in
//! base 128 with the low digits first and the top bit set on all digits but the last, followed by the codes.
//! If all codes are empty, the group has no bytes; if all groups are empty, the directory is missing.
//!
//! Positions without a capture for the side to move are stored; [`super::coverage`] describes which of these
//! positions the coverages 2 and 3 leave out. The modules `index`, `model` and `coder` describe the
//! numbering, the model and the code. A result is 0 for a draw, 1 for a win and 2 for a loss of the side to
//! move. A distance is 0 for a draw and one more than the plies to the end otherwise. The last block may be
//! shorter.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use super::coder;
use super::coverage::stored;
use super::header::{Content, DatabaseHeader, FileError, GROUP, HEADER, MAGIC};
use super::index::{Index, to_usize};
use super::model::{ContextModel, read_number};
use kelso_runtime::files;

#[derive(Debug)]
pub enum SliceSource {
    Memory(&'static [u8]),
    File(File),
}

impl SliceSource {
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Memory(data) => {
                let part = usize::try_from(at).ok().and_then(|at| data.get(at..)?.get(..bytes.len()));
                bytes.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            #[cfg(unix)]
            Self::File(file) => std::os::unix::fs::FileExt::read_exact_at(file, bytes, at),
            #[cfg(windows)]
            Self::File(file) => {
                let mut done = 0;
                while done < bytes.len() {
                    match std::os::windows::fs::FileExt::seek_read(
                        file,
                        &mut bytes[done..],
                        at + done as u64,
                    )? {
                        0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                        count => done += count,
                    }
                }
                Ok(())
            }
            #[cfg(not(any(unix, windows)))]
            Self::File(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn part(&self, name: impl fmt::Display, at: u64, length: u64, crc: u32) -> Result<Vec<u8>, FileError> {
        let mut bytes =
            vec![0; usize::try_from(length).map_err(|_| FileError::Damaged("header: too large".into()))?];
        self.read(at, &mut bytes)?;
        if crc32fast::hash(&bytes) == crc { Ok(bytes) } else { Err(FileError::checksum(name)) }
    }

    fn len(&self) -> io::Result<u64> {
        match self {
            Self::Memory(data) => Ok(data.len() as u64),
            Self::File(file) => Ok(file.metadata()?.len()),
        }
    }
}

/// Number of groups between stored offsets. Other offsets are computed by adding lengths.
const SECTION: usize = 32;

/// An open file with a valid header, model and directory.
#[derive(Debug)]
pub struct SliceFile {
    pub header: DatabaseHeader,
    pub index: Index,
    model: ContextModel,
    /// The length and the checksum of each group, or nothing if all groups are empty.
    directory: Vec<[u32; 2]>,
    /// The offset of the first group of each section.
    starts: Vec<u64>,
    source: SliceSource,
}

/// The codes of a group of consecutive blocks.
pub struct BlockGroup {
    bytes: Vec<u8>,
    /// The offset of the first code.
    codes: usize,
    /// The end of each code, relative to the start of the first.
    ends: Vec<usize>,
}

impl SliceFile {
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let file = Self::load(SliceSource::File(files::open_regular(path)?))?;
        let length = file.source.len()?;
        if length != file.header.size() {
            return Err(FileError::Length { found: length, expected: file.header.size() });
        }
        let name = file.header.content.file_name(file.header.slice);
        if path.file_name().is_none_or(|found| found != name.as_str()) {
            return Err(FileError::Misnamed(name));
        }
        Ok(file)
    }

    /// Splits concatenated files, each with its header. An error ends the iteration.
    pub fn split(
        mut bytes: &'static [u8],
    ) -> impl Iterator<Item = Result<(DatabaseHeader, &'static [u8]), FileError>> {
        std::iter::from_fn(move || {
            let all = std::mem::take(&mut bytes);
            (!all.is_empty()).then(|| {
                let header = DatabaseHeader::parse(all.first_chunk().ok_or(FileError::Foreign)?)?;
                let split = usize::try_from(header.size()).ok().and_then(|size| all.split_at_checked(size));
                let (own, rest) =
                    split.ok_or(FileError::Length { found: all.len() as u64, expected: header.size() })?;
                bytes = rest;
                Ok((header, own))
            })
        })
    }

    pub fn load(source: SliceSource) -> Result<Self, FileError> {
        let length = source.len()?;
        let mut bytes = [0; HEADER];
        let head = bytes.len().min(usize::try_from(length).unwrap_or(HEADER));
        source.read(0, &mut bytes[..head])?;
        if head < HEADER {
            return Err(if bytes[..8] == MAGIC {
                FileError::Length { found: length, expected: HEADER as u64 }
            } else {
                FileError::Foreign
            });
        }
        let header = DatabaseHeader::parse(&bytes)?;
        if length < header.size() {
            return Err(FileError::Length { found: length, expected: header.size() });
        }
        let start = HEADER as u64;
        let length = u64::from(header.model_bytes);
        let model = source.part("model", start, length, header.crcs[0])?;
        let directory = source.part("directory", start + length, header.directory(), header.crcs[1])?;
        let model = ContextModel::parse(&model)
            .map_err(|reason| FileError::Damaged(format!("model: {reason}").into()))?;
        if header.content == Content::Results && model.alphabet > 3 {
            return Err(FileError::Damaged("model: too many values".into()));
        }
        let numbers = directory.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes));
        let directory = numbers.collect::<Vec<u32>>().as_chunks().0.to_vec();
        let mut starts = Vec::with_capacity(directory.len() / SECTION + 1);
        let mut offset = header.size() - header.group_bytes;
        for section in directory.chunks(SECTION) {
            starts.push(offset);
            offset += section.iter().map(|&[length, _]| u64::from(length)).sum::<u64>();
        }
        if offset != header.size() {
            return Err(FileError::Damaged("header: group sizes that do not fill the file".into()));
        }
        Ok(Self { header, index: Index::new(header.slice), model, directory, starts, source })
    }

    #[inline]
    pub const fn is_in_memory(&self) -> bool {
        matches!(self.source, SliceSource::Memory(_))
    }

    pub fn blocks_of(&self, group: u64) -> std::ops::Range<u64> {
        let count = self.header.block_count();
        group.saturating_mul(GROUP).min(count)..(group + 1).saturating_mul(GROUP).min(count)
    }

    pub fn group(&self, group: u64) -> Result<BlockGroup, FileError> {
        let blocks = self.blocks_of(group);
        let count = to_usize(blocks.end - blocks.start);
        let number = usize::try_from(group).unwrap_or(usize::MAX);
        let [length, crc] = match self.directory.get(number) {
            Some(&entry) => entry,
            None if self.directory.is_empty() => [0, 0],
            None => return Err(FileError::Damaged(format!("directory: group {group} is missing").into())),
        };
        if length == 0 {
            return Ok(BlockGroup { bytes: vec![], codes: 0, ends: vec![0; count] });
        }
        let before = &self.directory[number / SECTION * SECTION..number];
        let offset =
            self.starts[number / SECTION] + before.iter().map(|&[len, _]| u64::from(len)).sum::<u64>();
        let bytes = self.source.part(format_args!("group {group}"), offset, length.into(), crc)?;
        let ends = block_ends(&bytes, count);
        let (ends, codes) = ends
            .ok_or_else(|| FileError::Damaged(format!("group {group}: invalid lengths of blocks").into()))?;
        Ok(BlockGroup { bytes, codes, ends })
    }

    /// Decodes the values of a block. Values that are not stored are meaningless.
    pub fn decode(&self, group: &BlockGroup, block: u64) -> Result<Vec<u8>, FileError> {
        self.decode_block(group, block).ok_or_else(|| FileError::Damaged(format!("block {block}").into()))
    }

    fn decode_block(&self, group: &BlockGroup, block: u64) -> Option<Vec<u8>> {
        let size = self.header.content.block();
        let start = block.saturating_mul(size);
        // This is at most the size of a block, which is small.
        let len = to_usize(size.min(self.header.counts.total().saturating_sub(start)));
        if len == 0 {
            return None;
        }
        let number = to_usize(block % GROUP);
        let begin = if number == 0 { 0 } else { *group.ends.get(number - 1)? };
        let code = group.bytes.get(group.codes..)?.get(begin..*group.ends.get(number)?)?;
        let indices = stored(&self.index, self.header.coverage, start, len);
        let mut values = vec![0; len];
        coder::decode(code, &indices, &self.model, &mut values).then_some(values)
    }

    pub fn check(&self) -> Result<(), FileError> {
        (0..self.header.group_count()).try_for_each(|group| self.group(group).map(drop))
    }
}

/// Returns the end of each block of a group, and the offset of their codes.
fn block_ends(group: &[u8], count: usize) -> Option<(Vec<usize>, usize)> {
    let mut rest = group;
    let mut ends = Vec::with_capacity(count);
    let mut end = 0u64;
    for _ in 0..count {
        end = end.saturating_add(read_number(&mut rest)?);
        ends.push(usize::try_from(end).ok()?);
    }
    (ends.last() == Some(&rest.len())).then_some((ends, group.len() - rest.len()))
}
