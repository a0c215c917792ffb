//! Writes a slice's file (see [`crate::file`]) group by group.
//!
//! The groups are written to a temporary file at their final offsets, with room before them for the model and the directory.
//! The header is written last. So the file is never in memory.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use crate::header::{FileError, HEADER, Header};
use crate::model::{Model, write_number};
use common::file::Draft;

const BUFFER: usize = 1 << 20;

/// A file that is being written.
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
    use crate::counts::Counts;
    use crate::coverage::Coverage;
    use crate::file::SliceFile;
    use crate::header::{Content, GROUP};
    use crate::index::{Index, to_usize};
    use crate::model::Frequencies;
    use crate::slice::Slice;
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
