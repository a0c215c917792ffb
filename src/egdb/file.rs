//! The file of a slice: header, model, directory of blocks, blocks. All numbers are little-endian.
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `KelsoEGD` |
//! | 8 | 2 | version of the format, 1 |
//! | 10 | 1 | kind: 1 for results, 2 for distances |
//! | 11 | 1 | convention: 1, positions with a capture for the side to move are not stored |
//! | 12 | 4 | the slice: men and kings of the side to move, men and kings of the other |
//! | 16 | 4 | positions in a block: 2048 for results, 512 for distances |
//! | 20 | 4 | length of the model |
//! | 24 | 8 | number of positions |
//! | 32 | 32 | how many are won, lost, drawn, and how many have a capture, four numbers |
//! | 64 | 8 | length of all blocks together |
//! | 72 | 12 | CRC-32 of the model, of the directory, and of the 80 bytes of the header before this one |
//! | 84 | | the model |
//! | | | the directory: the length of each block, two bytes each |
//! | | | the blocks: each the CRC-32 of its code and the code; a block whose code is empty is left out whole |
//!
//! The numbering of positions is told in the module `index`, the model and code in `model` and `coder`. A result is 0
//! for a draw, 1 for a win and 2 for a loss of the side to move; a distance is 0 for a draw and one more than the
//! plies to the end otherwise. The last block has as many values as are left.

use std::fs::File;
use std::io;
use std::path::Path;

use super::coder;
use super::compress::Compressed;
use super::header::{Content, FileError, HEADER, Header, MAGIC};
use super::index::Index;
use super::model::Model;
use super::pair::Counts;
use super::slice::Slice;
use super::table::to_usize;

/// Where the bytes are.
#[derive(Debug)]
enum Source {
    Memory(&'static [u8]),
    File(File),
}

impl Source {
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
        }
    }

    fn len(&self) -> io::Result<u64> {
        match self {
            Self::Memory(data) => Ok(data.len() as u64),
            Self::File(file) => Ok(file.metadata()?.len()),
        }
    }
}

/// Blocks between places in the file that are remembered; the lengths of the others are added up.
const GROUP: usize = 32;

/// An open file whose header, model and directory have been found right.
#[derive(Debug)]
pub(super) struct SliceFile {
    pub(super) header: Header,
    pub(super) index: Index,
    model: Model,
    lengths: Vec<u16>,
    starts: Vec<u64>,
    source: Source,
}

impl SliceFile {
    pub(super) fn open(path: &Path) -> Result<Self, FileError> {
        let file = Self::load(Source::File(File::open(path)?))?;
        let length = file.source.len()?;
        if length != file.header.size() {
            return Err(FileError::Length(length, file.header.size()));
        }
        let name = file.header.content.file_name(file.header.slice);
        if path.file_name().is_none_or(|found| found != name.as_str()) {
            return Err(FileError::Misnamed(name));
        }
        Ok(file)
    }

    /// A file at the start of some bytes, and the bytes after it.
    pub(super) fn in_memory(bytes: &'static [u8]) -> Result<(Self, &'static [u8]), FileError> {
        let mut file = Self::load(Source::Memory(bytes))?;
        let size = file.header.size();
        let split = usize::try_from(size).ok().and_then(|size| bytes.split_at_checked(size));
        let (own, rest) = split.ok_or(FileError::Length(bytes.len() as u64, size))?;
        file.source = Source::Memory(own);
        Ok((file, rest))
    }

    fn load(source: Source) -> Result<Self, FileError> {
        let length = source.len()?;
        let mut bytes = [0; HEADER];
        let head = bytes.len().min(usize::try_from(length).unwrap_or(HEADER));
        source.read(0, &mut bytes[..head])?;
        if head < HEADER {
            return Err(if bytes[..8] == MAGIC {
                FileError::Length(length, HEADER as u64)
            } else {
                FileError::Foreign
            });
        }
        let header = Header::parse(&bytes)?;
        if length < header.size() {
            return Err(FileError::Length(length, header.size()));
        }
        let mut model = vec![0; header.model as usize];
        source.read(HEADER as u64, &mut model)?;
        let count = usize::try_from(header.block_count()).map_err(|_| FileError::Header("too large"))?;
        let mut directory = vec![0; 2 * count];
        source.read(HEADER as u64 + u64::from(header.model), &mut directory)?;
        for (bytes, crc, what) in
            [(&model, header.crcs[0], "model"), (&directory, header.crcs[1], "directory")]
        {
            if crc32fast::hash(bytes) != crc {
                return Err(FileError::Checksum(what));
            }
        }
        let model = Model::parse(&model).map_err(FileError::Model)?;
        if header.content == Content::Results && model.alphabet() > 3 {
            return Err(FileError::Model("more results than there are"));
        }
        let lengths: Vec<u16> = directory.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]])).collect();
        let mut starts = Vec::with_capacity(count / GROUP + 1);
        let mut at = header.size() - header.blocks;
        for group in lengths.chunks(GROUP) {
            starts.push(at);
            at += group.iter().map(|&length| u64::from(length)).sum::<u64>();
        }
        if at != header.size() {
            return Err(FileError::Header("blocks that don't fill the file"));
        }
        Ok(Self { header, index: Index::new(header.slice), model, lengths, starts, source })
    }

    /// Number of blocks.
    pub(super) fn block_count(&self) -> u64 {
        self.lengths.len() as u64
    }

    /// Number of values in a block.
    fn block_len(&self, block: u64) -> usize {
        let size = self.header.content.block();
        // At most the size of a block, which is small.
        to_usize(size.min(self.header.counts.total().saturating_sub(block * size)))
    }

    /// The code of a block.
    fn code(&self, block: u64) -> Result<Vec<u8>, FileError> {
        let bad = || FileError::Block(block);
        let number = usize::try_from(block).map_err(|_| bad())?;
        let length = usize::from(*self.lengths.get(number).ok_or_else(bad)?);
        if length == 0 {
            return Ok(Vec::new());
        }
        let before = &self.lengths[number / GROUP * GROUP..number];
        let at = self.starts[number / GROUP] + before.iter().map(|&length| u64::from(length)).sum::<u64>();
        let mut bytes = vec![0; length];
        self.source.read(at, &mut bytes)?;
        let code = bytes.split_off(4.min(length));
        if code.is_empty() || bytes[..] != crc32fast::hash(&code).to_le_bytes() {
            return Err(bad());
        }
        Ok(code)
    }

    /// The values of a block.
    pub(super) fn values(&self, block: u64) -> Result<Vec<u8>, FileError> {
        let code = self.code(block)?;
        let mut values = vec![0; self.block_len(block)];
        if coder::decode(&code, &self.model, &mut values) { Ok(values) } else { Err(FileError::Block(block)) }
    }

    /// Reads every block and looks at its checksum.
    pub(super) fn check(&self) -> Result<(), FileError> {
        let start = self.header.size() - self.header.blocks;
        let (mut at, mut block) = (start, 0);
        let mut buffer = Vec::new();
        while block < self.lengths.len() {
            let mut end = block;
            let mut size = 0;
            while end < self.lengths.len() && size < 1 << 20 {
                size += usize::from(self.lengths[end]);
                end += 1;
            }
            buffer.resize(size, 0);
            self.source.read(at, &mut buffer)?;
            let mut rest = &buffer[..];
            for (number, &length) in self.lengths[block..end].iter().enumerate() {
                let (bytes, after) = rest.split_at(usize::from(length));
                rest = after;
                let right = match bytes.split_first_chunk() {
                    Some((crc, code)) => !code.is_empty() && *crc == crc32fast::hash(code).to_le_bytes(),
                    None => bytes.is_empty(),
                };
                if !right {
                    return Err(FileError::Block((block + number) as u64));
                }
            }
            (at, block) = (at + size as u64, end);
        }
        Ok(())
    }
}

/// The bytes of a slice's file.
pub(super) fn to_bytes(
    content: Content,
    slice: Slice,
    counts: Counts,
    compressed: &Compressed,
) -> Result<Vec<u8>, FileError> {
    let model = compressed.model.to_bytes();
    let mut directory = Vec::new();
    let mut blocks = Vec::with_capacity(compressed.bytes.len() + 4 * compressed.lengths.len());
    let mut rest = &compressed.bytes[..];
    for &length in &compressed.lengths {
        let (code, after) = rest.split_at_checked(length).ok_or(FileError::Header("lengths"))?;
        rest = after;
        let record = if code.is_empty() { 0 } else { code.len() + 4 };
        let record = u16::try_from(record).map_err(|_| FileError::Header("a block that is too long"))?;
        directory.extend(record.to_le_bytes());
        if record > 0 {
            blocks.extend(crc32fast::hash(code).to_le_bytes());
            blocks.extend(code);
        }
    }
    let header = Header {
        content,
        slice,
        counts,
        model: u32::try_from(model.len()).map_err(|_| FileError::Header("a model that is too long"))?,
        blocks: blocks.len() as u64,
        crcs: [crc32fast::hash(&model), crc32fast::hash(&directory)],
    };
    let mut bytes = header.to_bytes();
    bytes.extend(model);
    bytes.extend(directory);
    bytes.extend(blocks);
    Ok(bytes)
}
