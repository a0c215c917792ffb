//! The head of a slice's file, which the module `file` shows in a table, and what can be wrong with a file.

use std::fmt;
use std::io;

use super::counts::Counts;
use super::coverage::Coverage;
use super::index::Index;
use super::slice::{MAX_PIECES, Slice};

pub(super) const MAGIC: [u8; 8] = *b"KelsoEGD";
const VERSION: u16 = 1;
/// Blocks in a group, which is what is read at once and has a checksum.
pub(super) const GROUP: u64 = 64;
pub(super) const HEADER: usize = 84;
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
    /// It can't be read or written.
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
    /// A group of blocks does not match its checksum.
    Group(u64),
    /// A block is no code.
    Block(u64),
    /// The model is none.
    Model(&'static str),
    /// So many of the files of so many that belong together are not there, one of them this.
    Missing(usize, usize, String),
    /// It holds another slice, or kind, than its name says.
    Misnamed(String),
    /// The folder holds no file of ours.
    Empty,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Foreign => write!(f, "no endgame database of ours (it does not begin with \"KelsoEGD\")"),
            Self::Version(version) => write!(
                f,
                "built by another version of Kelso (format {version}, expected {VERSION}): build it again"
            ),
            Self::Header(what) => write!(f, "damaged header: {what}; build it again"),
            Self::Length(found, expected) => {
                write!(f, "{found} bytes, expected {expected}: truncated or damaged, build it again")
            }
            Self::Checksum(what) => write!(f, "damaged {what} (wrong checksum); build it again"),
            Self::Group(number) => write!(f, "damaged group {number} (wrong checksum); build it again"),
            Self::Block(number) => write!(f, "damaged block {number}; build it again"),
            Self::Model(what) => write!(f, "damaged: {what}; build it again"),
            Self::Missing(missing, all, name) => {
                write!(f, "{missing} of {all} files are missing, such as {name}: build them")
            }
            Self::Misnamed(expected) => write!(f, "holds what should be in {expected}"),
            Self::Empty => {
                write!(f, "none in this folder, expected files ending in .wld or .dtw (egdb build)")
            }
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
    /// Which of them are stored.
    pub(super) coverage: Coverage,
    /// How many they are, and how many are what.
    pub counts: Counts,
    /// Length of the model.
    pub(super) model: u32,
    /// Length of all groups.
    pub(super) blocks: u64,
    /// Checksums of model and directory.
    pub(super) crcs: [u32; 2],
}

impl Header {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let Counts { wins, losses, draws, captures } = self.counts;
        let ([a, c], [b, d]) = (self.slice.men, self.slice.kings);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.content.code(), self.coverage.code(), a, b, c, d]);
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

    pub(super) fn parse(bytes: &[u8; HEADER]) -> Result<Self, FileError> {
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
        let slice = Slice { men: [bytes[12], bytes[14]], kings: [bytes[13], bytes[15]] };
        if bytes[12..16].iter().any(|&count| u32::from(count) > MAX_PIECES) || !slice.is_one() {
            return Err(FileError::Header("no slice"));
        }
        let coverage = Coverage::of(bytes[11], slice).ok_or(FileError::Header("unknown coverage"))?;
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
        Ok(Self { content, slice, coverage, counts, model, blocks, crcs: [u32_at(72), u32_at(76)] })
    }

    pub(super) fn block_count(&self) -> u64 {
        self.counts.total().div_ceil(self.content.block())
    }

    pub(super) fn group_count(&self) -> u64 {
        self.block_count().div_ceil(GROUP)
    }

    /// Length of the directory: none is needed where every value is the likeliest.
    pub(super) fn directory(&self) -> u64 {
        if self.blocks == 0 { 0 } else { 8 * self.group_count() }
    }

    /// The CRC-32 of the header, which depends on all that is in the file.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(&self.to_bytes())
    }

    /// Length of the whole file.
    #[must_use]
    pub fn size(&self) -> u64 {
        HEADER as u64 + u64::from(self.model) + self.directory() + self.blocks
    }
}
