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

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::coder;
use super::compress::Compressed;
use super::index::Index;
use super::model::Model;
use super::pair::Counts;
use super::slice::{MOST_PIECES, Slice};
use super::table::to_usize;

const MAGIC: [u8; 8] = *b"KelsoEGD";
const VERSION: u16 = 1;
/// Positions in which the side to move must capture are not stored.
const CONVENTION: u8 = 1;
const HEADER: usize = 84;
/// The largest model that is read.
const MOST_MODEL: u32 = 16 << 20;

/// What is told of each position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// Win, loss or draw.
    Results,
    /// Plies to the end of the game too.
    Distances,
}

impl Content {
    /// Both kinds.
    pub const BOTH: [Self; 2] = [Self::Results, Self::Distances];

    const fn code(self) -> u8 {
        match self {
            Self::Results => 1,
            Self::Distances => 2,
        }
    }

    /// Positions in a block.
    pub(super) const fn block(self) -> u64 {
        match self {
            Self::Results => 2048,
            Self::Distances => 512,
        }
    }

    /// What the names of its files end with.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Results => "wld",
            Self::Distances => "dtw",
        }
    }

    /// The name of a slice's file.
    #[must_use]
    pub fn file_name(self, slice: Slice) -> String {
        format!("{slice}.{}", self.extension())
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Results => "results",
            Self::Distances => "distances",
        })
    }
}

/// Why a file of a database is not used.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read or written.
    Io(io::Error),
    /// It does not begin as our files do.
    Foreign,
    /// It is of another version of the format.
    Version(u16),
    /// The header's checksum is right, but its contents are not what this version writes.
    Header(&'static str),
    /// It is shorter or longer than its header says.
    Length(u64, u64),
    /// A checksum does not match what it is of.
    Checksum(&'static str),
    /// A block does not match its checksum, or is no code.
    Block(u64),
    /// The model is none.
    Model(&'static str),
    /// So many of the files of so many that belong together are not there, one of them this.
    Missing(usize, usize, String),
    /// It holds another slice, or kind, than its name says.
    Misnamed(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Foreign => write!(f, "no endgame database of ours (it does not begin with `KelsoEGD`)"),
            Self::Version(version) if *version > VERSION => write!(
                f,
                "written by a newer version (format {version}, expected {VERSION}): update or build it again"
            ),
            Self::Version(version) => {
                write!(f, "format {version}, expected {VERSION}: build it again")
            }
            Self::Header(what) => write!(f, "damaged header: {what}; build it again"),
            Self::Length(found, expected) => {
                write!(f, "{found} bytes, expected {expected}: truncated or damaged, build it again")
            }
            Self::Checksum(what) => write!(f, "damaged {what} (wrong checksum); build it again"),
            Self::Block(number) => write!(f, "damaged block {number} (wrong checksum); build it again"),
            Self::Model(what) => write!(f, "damaged: {what}; build it again"),
            Self::Missing(missing, all, name) => {
                write!(f, "{missing} of {all} files are missing, such as {name}: build them")
            }
            Self::Misnamed(expected) => write!(f, "holds what should be in {expected}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The head of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// What is told of each position.
    pub content: Content,
    /// Of which positions.
    pub slice: Slice,
    /// How many they are, and how many are what.
    pub counts: Counts,
    model: u32,
    blocks: u64,
    crcs: [u32; 2],
}

impl Header {
    fn to_bytes(self) -> Vec<u8> {
        let Counts { wins, losses, draws, captures } = self.counts;
        let ([a, c], [b, d]) = (self.slice.men, self.slice.kings);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.content.code(), CONVENTION, a, b, c, d]);
        bytes.extend(&self.content.block().to_le_bytes()[..4]);
        bytes.extend(self.model.to_le_bytes());
        for number in [self.counts.total(), wins, losses, draws, captures, self.blocks] {
            bytes.extend(number.to_le_bytes());
        }
        for crc in self.crcs {
            bytes.extend(crc.to_le_bytes());
        }
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    fn parse(bytes: &[u8; HEADER]) -> Result<Self, FileError> {
        let u32_at = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
        if bytes[..8] != MAGIC {
            return Err(FileError::Foreign);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        if crc32fast::hash(&bytes[..HEADER - 4]) != u32_at(HEADER - 4) {
            return Err(FileError::Checksum("header"));
        }
        let content = Content::BOTH.into_iter().find(|content| content.code() == bytes[10]);
        let content = content.ok_or(FileError::Header("unknown kind"))?;
        if bytes[11] != CONVENTION {
            return Err(FileError::Header("unknown convention"));
        }
        let slice = Slice { men: [bytes[12], bytes[14]], kings: [bytes[13], bytes[15]] };
        if bytes[12..16].iter().any(|&count| u32::from(count) > MOST_PIECES)
            || !Slice::all(2..=MOST_PIECES).contains(&slice)
        {
            return Err(FileError::Header("no slice"));
        }
        let counts = Counts { wins: u64_at(32), losses: u64_at(40), draws: u64_at(48), captures: u64_at(56) };
        let positions = Index::new(slice).len();
        let total = counts.wins.checked_add(counts.losses).and_then(|sum| sum.checked_add(counts.draws));
        if u64::from(u32_at(16)) != content.block()
            || u64_at(24) != positions
            || total != Some(positions)
            || counts.captures > positions
        {
            return Err(FileError::Header("numbers that don't agree"));
        }
        let (model, blocks) = (u32_at(20), u64_at(64));
        if model > MOST_MODEL || blocks > positions * 4 {
            return Err(FileError::Header("sizes beyond what can be"));
        }
        Ok(Self { content, slice, counts, model, blocks, crcs: [u32_at(72), u32_at(76)] })
    }

    fn block_count(&self) -> u64 {
        self.counts.total().div_ceil(self.content.block())
    }

    /// Length of the whole file.
    #[must_use]
    pub fn size(&self) -> u64 {
        HEADER as u64 + u64::from(self.model) + 2 * self.block_count() + self.blocks
    }
}

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

/// Writes a file so that it is there whole or not at all, whatever happens meanwhile.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary(path);
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    })();
    if written.is_err() {
        // What could not be written is not missed.
        drop(std::fs::remove_file(&temporary));
    }
    written?;
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A name in the same folder that no other process uses.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}
