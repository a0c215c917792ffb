//! The header of a slice's file (the `file` module has its layout), and the errors of files.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;

use super::coverage::Coverage;
use super::index::Index;
use super::{Counts, Slice};
use kelso_draughts::result::WdlCounts;

pub const MAGIC: [u8; 8] = *b"KelsoEGD";
const VERSION: u16 = 1;
/// Number of blocks in a group, the unit that is read as a whole and has a checksum.
pub const GROUP: u64 = 64;
pub const HEADER: usize = 84;
const MAX_MODEL_BYTES: u32 = 16 << 20;

/// The kind of value that a database holds for each position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// Win, loss or draw.
    Results,
    /// Win, loss or draw, and the plies to the end of the game.
    Distances,
}

impl Content {
    /// Both kinds.
    pub const BOTH: [Self; 2] = [Self::Results, Self::Distances];

    const fn code(self) -> u8 {
        self as u8 + 1
    }

    /// Returns the number of positions in a block.
    #[must_use]
    pub const fn block(self) -> u64 {
        match self {
            Self::Results => 2048,
            Self::Distances => 512,
        }
    }

    /// Returns the extension of database files of this kind.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Results => "wld",
            Self::Distances => "dtw",
        }
    }

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

/// The reason why a database file cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read or written.
    Io(io::Error),
    /// The file is not a database.
    Foreign,
    /// The file has an unsupported format version.
    Version(u16),
    /// The file has the wrong number of bytes.
    Length { found: u64, expected: u64 },
    /// This part has the wrong checksum or invalid contents.
    Damaged(Cow<'static, str>),
    /// This part of a file that is written is longer than the format permits.
    TooLong(&'static str),
    /// The content belongs to a file with this name.
    Misnamed(String),
}

impl Error for FileError {}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Foreign => f.write_str("not an endgame database: it does not begin with \"KelsoEGD\""),
            Self::Version(version) => {
                write!(f, "format version {version} instead of {VERSION}; remove it and build it again")
            }
            Self::Length { found, expected } => {
                write!(f, "truncated or damaged: {found} bytes instead of {expected}; build it again")
            }
            Self::Damaged(part) => write!(f, "damaged {part}; build it again"),
            Self::TooLong(part) => write!(f, "the {part} is too long for the format"),
            Self::Misnamed(name) => write!(f, "its content belongs in {name}"),
        }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl FileError {
    pub(crate) fn checksum(part: impl fmt::Display) -> Self {
        Self::Damaged(format!("{part} (wrong checksum)").into())
    }

    /// Returns whether the file is a damaged database of this format, which can be built again in its place.
    #[cfg(feature = "build")]
    pub(crate) const fn is_damage(&self) -> bool {
        matches!(self, Self::Length { .. } | Self::Damaged(_))
    }
}

/// The header of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DatabaseHeader {
    /// The kind of values in the file.
    pub content: Content,
    /// The slice that the file covers.
    pub slice: Slice,
    pub(crate) coverage: Coverage,
    /// Number of positions with each result.
    pub counts: Counts,
    pub(crate) model_bytes: u32,
    /// Total length of the groups.
    pub(crate) group_bytes: u64,
    /// Checksums of model and directory.
    pub(crate) crcs: [u32; 2],
}

impl DatabaseHeader {
    /// Creates a header for a file, whose sizes and checksums are filled in when it is written.
    #[cfg(feature = "build")]
    pub(crate) const fn new(content: Content, slice: Slice, coverage: Coverage, counts: Counts) -> Self {
        Self { content, slice, coverage, counts, model_bytes: 0, group_bytes: 0, crcs: [0; 2] }
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let [a, c] = self.slice.men;
        let [b, d] = self.slice.kings;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.content.code(), self.coverage as u8, a, b, c, d]);
        bytes.extend(&self.content.block().to_le_bytes()[..4]);
        bytes.extend(self.model_bytes.to_le_bytes());
        let counts = self.counts.numbers();
        for number in [self.counts.total()].into_iter().chain(counts).chain([self.group_bytes]) {
            bytes.extend(number.to_le_bytes());
        }
        for crc in self.crcs {
            bytes.extend(crc.to_le_bytes());
        }
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    /// Parses and checks a header.
    pub(crate) fn parse(bytes: &[u8; HEADER]) -> Result<Self, FileError> {
        if bytes[..8] != MAGIC {
            return Err(FileError::Foreign);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        if crc32fast::hash(&bytes[..HEADER - 4]) != u32_at(bytes, HEADER - 4) {
            return Err(FileError::checksum("header"));
        }
        let content = Content::BOTH.into_iter().find(|content| content.code() == bytes[10]);
        let content = content.ok_or(FileError::Damaged("header: unknown kind".into()))?;
        let slice = Slice::new([bytes[12], bytes[14]], [bytes[13], bytes[15]])
            .ok_or(FileError::Damaged("header: invalid piece counts".into()))?;
        let coverage =
            Coverage::of(bytes[11], slice).ok_or(FileError::Damaged("header: unknown coverage".into()))?;
        let counts = Counts::from_numbers([32, 40, 48, 56].map(|at| u64_at(bytes, at)));
        let WdlCounts { wins, draws, losses } = counts.results;
        let positions = Index::new(slice).len();
        let total = wins.checked_add(losses).and_then(|sum| sum.checked_add(draws));
        if u64::from(u32_at(bytes, 16)) != content.block()
            || u64_at(bytes, 24) != positions
            || total != Some(positions)
            || counts.captures > positions
        {
            return Err(FileError::Damaged("header: inconsistent counts".into()));
        }
        let model_bytes = u32_at(bytes, 20);
        let group_bytes = u64_at(bytes, 64);
        if model_bytes > MAX_MODEL_BYTES || group_bytes > positions * 4 {
            return Err(FileError::Damaged("header: impossible sizes".into()));
        }
        Ok(Self {
            content,
            slice,
            coverage,
            counts,
            model_bytes,
            group_bytes,
            crcs: [u32_at(bytes, 72), u32_at(bytes, 76)],
        })
    }

    pub(crate) fn block_count(&self) -> u64 {
        self.counts.total().div_ceil(self.content.block())
    }

    pub(crate) fn group_count(&self) -> u64 {
        self.block_count().div_ceil(GROUP)
    }

    /// Returns the length of the directory, which is empty if all codes are empty.
    pub(crate) fn directory(&self) -> u64 {
        if self.group_bytes == 0 { 0 } else { 8 * self.group_count() }
    }

    /// Returns the CRC-32 of the header, which depends on the whole file.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        // The header's own CRC is left out, since the CRC of data followed by its CRC is the same for all
        // files.
        let bytes = self.to_bytes();
        crc32fast::hash(&bytes[..HEADER - 4])
    }

    /// Returns the length of the whole file.
    #[must_use]
    pub fn size(&self) -> u64 {
        HEADER as u64 + u64::from(self.model_bytes) + self.directory() + self.group_bytes
    }
}

const fn u32_at(bytes: &[u8; HEADER], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8; HEADER], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
