//! Writes a slice's file (see [`crate::file`]) group by group.
//!
//! The groups are written to a temporary file at their final offsets, with room before them for the model and the directory.
//! The header is written last. So the file is never in memory, and writing can be resumed: until the header is written, its
//! place holds the number of groups.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::counts::Counts;
use crate::coverage::Coverage;
use crate::header::{Content, FileError, GROUP, HEADER, Header};
use crate::index::to_usize;
use crate::model::{Model, write_number};
use crate::slice::Slice;
use common::file;

/// Begins an unfinished file, followed by the number of groups and the CRC-32 of that, the model and the directory.
const UNFINISHED: [u8; 8] = *b"KelsoPRT";
const BUFFER: usize = 1 << 20;

/// The contents of a file before its groups.
pub(super) struct Plan<'a> {
    pub(super) content: Content,
    pub(super) slice: Slice,
    pub(super) coverage: Coverage,
    pub(super) counts: Counts,
    pub(super) model: &'a Model,
}

/// A file that is being written.
pub(super) struct Writer<'a> {
    plan: Plan<'a>,
    model: Vec<u8>,
    directory: Vec<u8>,
    file: File,
    /// Its name until it is complete.
    part: PathBuf,
    /// Bytes to append to the file.
    buffer: Vec<u8>,
    /// The length of the file.
    end: u64,
}

impl<'a> Writer<'a> {
    /// Begins or resumes a file.
    pub(super) fn open(plan: Plan<'a>, part: PathBuf) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create(true).truncate(false).open(&part)?;
        let model = plan.model.to_bytes();
        let mut writer = Self { plan, model, directory: vec![], file, part, buffer: vec![], end: 0 };
        writer.end = writer.start();
        if let Some((directory, end)) = writer.found() {
            (writer.directory, writer.end) = (directory, end);
        }
        writer.file.set_len(writer.end)?;
        Ok(writer)
    }

    /// Returns the offset of the first group.
    fn start(&self) -> u64 {
        let blocks = self.plan.counts.total().div_ceil(self.plan.content.block());
        HEADER as u64 + self.model.len() as u64 + blocks.div_ceil(GROUP) * 8
    }

    /// Returns the directory of the existing groups and the end of the last, if the file was begun with the same model.
    fn found(&self) -> Option<(Vec<u8>, u64)> {
        let mut file = &self.file;
        let mut head = [0; HEADER];
        file.read_exact(&mut head).ok()?;
        let groups = u64::from_le_bytes(*head[8..].first_chunk()?);
        let crc = u32::from_le_bytes(*head[16..].first_chunk()?);
        if head[..8] != UNFINISHED || groups * 8 > self.start() {
            return None;
        }
        let mut model = vec![0; self.model.len()];
        file.read_exact(&mut model).ok()?;
        let mut directory = vec![0; to_usize(groups * 8)];
        file.read_exact(&mut directory).ok()?;
        if model != self.model || crc != self.crc(&head[8..16], &directory) {
            return None;
        }
        let lengths = directory.chunks_exact(8).filter_map(|entry| entry.first_chunk());
        let end = self.start() + lengths.map(|length| u64::from(u32::from_le_bytes(*length))).sum::<u64>();
        (file.metadata().ok()?.len() >= end).then_some((directory, end))
    }

    fn crc(&self, groups: &[u8], directory: &[u8]) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        for bytes in [groups, &self.model, directory] {
            crc.update(bytes);
        }
        crc.finalize()
    }

    pub(super) fn groups(&self) -> u64 {
        self.directory.len() as u64 / 8
    }

    /// Appends a group: the codes of its blocks and their lengths.
    pub(super) fn add(&mut self, codes: &[u8], lengths: &[usize]) -> Result<(), FileError> {
        let before = self.buffer.len();
        if !codes.is_empty() {
            for &length in lengths {
                write_number(&mut self.buffer, length);
            }
            self.buffer.extend(codes);
        }
        let group = &self.buffer[before..];
        let length = u32::try_from(group.len()).map_err(|_| FileError::Header("group too long"))?;
        self.directory.extend(length.to_le_bytes());
        self.directory.extend(if length == 0 { 0 } else { crc32fast::hash(group) }.to_le_bytes());
        if self.buffer.len() >= BUFFER {
            self.write_buffer()?;
        }
        Ok(())
    }

    /// Writes the buffer.
    fn write_buffer(&mut self) -> io::Result<()> {
        self.write(self.end, &self.buffer)?;
        self.end += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    /// Syncs all groups to the disk for resuming.
    pub(super) fn save(&mut self) -> io::Result<()> {
        self.write_buffer()?;
        self.file.sync_data()?;
        let groups = self.groups().to_le_bytes();
        let crc = self.crc(&groups, &self.directory).to_le_bytes();
        self.write(0, &[&UNFINISHED[..], &groups, &crc, &[0; HEADER - 20]].concat())?;
        self.write(HEADER as u64, &self.model)?;
        self.write(HEADER as u64 + self.model.len() as u64, &self.directory)?;
        self.file.sync_data()
    }

    /// Writes the parts before the groups, and renames the file.
    pub(super) fn finish(mut self, path: &Path) -> Result<(), FileError> {
        self.write_buffer()?;
        let blocks = self.end - self.start();
        if blocks == 0 {
            self.directory.clear();
            self.file.set_len(HEADER as u64 + self.model.len() as u64)?;
        }
        let Plan { content, slice, coverage, counts, .. } = self.plan;
        let model = u32::try_from(self.model.len());
        let header = Header {
            content,
            slice,
            coverage,
            counts,
            model: model.map_err(|_| FileError::Header("model too long"))?,
            blocks,
            crcs: [crc32fast::hash(&self.model), crc32fast::hash(&self.directory)],
        };
        self.write(0, &[&header.to_bytes()[..], &self.model, &self.directory].concat())?;
        self.file.sync_all()?;
        // Some systems rename no open files.
        drop(self.file);
        Ok(file::rename(&self.part, path)?)
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "any bytes will do")]
mod tests {
    use std::fs;

    use super::*;
    use crate::file::SliceFile;
    use crate::index::{Index, to_usize};
    use crate::model::Frequencies;
    use common::testing::Folder;

    const GROUPS: u64 = 5;

    /// A model of values that alternate.
    fn model(shift: usize) -> Model {
        let mut frequencies = Frequencies::new(3, &[1]);
        (0..90).for_each(|i| frequencies.add(i % 3, ((i + shift) % 3) as u8));
        frequencies.model(false)
    }

    fn plan(model: &Model) -> Plan<'_> {
        let slice: Slice = "11v11".parse().unwrap();
        let counts = Counts { wins: Index::new(slice).len(), ..Counts::default() };
        Plan { content: Content::Results, slice, coverage: Coverage::Even, counts, model }
    }

    /// Adds the groups that are missing, up to so many. Their contents are of no use, but have checksums.
    fn add(writer: &mut Writer<'_>, groups: u64) {
        for group in writer.groups()..groups {
            let codes: Vec<u8> = (0..group * 100).map(|i| (i * 7 + group) as u8).collect();
            let mut lengths = vec![0; to_usize(GROUP)];
            lengths[0] = codes.len();
            writer.add(&codes, &lengths).unwrap();
        }
    }

    #[test]
    fn what_is_saved_is_gone_on_with_and_nothing_else() {
        let folder = Folder::new();
        let (part, path) = (folder.path("part"), folder.path("11v11.wld"));
        let (one, other) = (model(0), model(1));
        let mut writer = Writer::open(plan(&one), part.clone()).unwrap();
        assert_eq!(writer.start(), HEADER as u64 + one.to_bytes().len() as u64 + 8 * 6);
        add(&mut writer, 6);
        writer.finish(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        assert!(!part.exists());
        for saved in 0..=GROUPS {
            let mut writer = Writer::open(plan(&one), part.clone()).unwrap();
            add(&mut writer, saved);
            writer.save().unwrap();
            // Written, and not saved.
            add(&mut writer, 6);
            writer.write_buffer().unwrap();
            drop(writer);
            let begun = fs::read(&part).unwrap();
            assert_eq!(Writer::open(plan(&other), part.clone()).unwrap().groups(), 0, "of another model");
            for damaged in [3, 8, 17, HEADER + 3, HEADER + one.to_bytes().len() + 1] {
                let mut bytes = begun.clone();
                bytes[damaged] ^= 1;
                fs::write(&part, bytes).unwrap();
                let groups = Writer::open(plan(&one), part.clone()).unwrap().groups();
                assert_eq!(groups, 0, "{saved} saved, byte {damaged}");
            }
            fs::write(&part, &begun).unwrap();
            let mut writer = Writer::open(plan(&one), part.clone()).unwrap();
            assert_eq!(writer.groups(), saved);
            add(&mut writer, 6);
            writer.finish(&path).unwrap();
            assert!(fs::read(&path).unwrap() == whole, "{saved}");
        }
        let file = SliceFile::open(&path).unwrap();
        assert!((0..5).all(|group| file.group(group).is_ok()));
    }
}
