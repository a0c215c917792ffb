//! What to build, what that takes, and what is told of it meanwhile.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::distances;
use crate::header::{Content, FileError, Header};
use crate::index::Index;
use crate::slice::{MAX_PIECES, Slice};

/// What to build.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where.
    pub folder: PathBuf,
    /// Results of all positions with 2 up to so many pieces.
    pub pieces: u32,
    /// Distances of all positions with 2 up to so many pieces.
    pub distances: u32,
    /// Of these only what is needed for these slices, with them; everything if there are none.
    pub slices: Vec<Slice>,
    /// How many slices are solved at the same time.
    pub threads: usize,
    /// Bytes of memory to use.
    pub memory: u64,
    /// Bytes on the disk for tables that do not fit in memory but are needed again. What a slice needs that does not fit
    /// is there in any case: see [`super::Job::scratch`].
    pub scratch: u64,
    /// Whether other processes work in the same folder.
    pub share: bool,
}

impl Request {
    /// The most pieces for results.
    pub const MAX_PIECES: u32 = MAX_PIECES;
    /// The most pieces for distances.
    pub const MAX_DISTANCE_PIECES: u32 = distances::MAX_PIECES;

    /// Slices of a kind, one of each pair, in the order in which they can be solved.
    pub(super) fn pairs(&self, content: Content) -> Vec<Slice> {
        let mut pairs = match content {
            Content::Results => Slice::pairs(2..=self.pieces.min(MAX_PIECES)),
            Content::Distances => Slice::pairs(2..=self.distances.min(distances::MAX_PIECES)),
        };
        if !self.slices.is_empty() {
            let wanted = self.wanted();
            pairs.retain(|pair| wanted.contains(pair));
        }
        pairs
    }

    /// The slices that are asked for and all that they lead to, one of each pair.
    fn wanted(&self) -> HashSet<Slice> {
        let mut wanted = HashSet::new();
        let mut found = self.slices.clone();
        while let Some(slice) = found.pop() {
            let pair = slice.max(slice.twin());
            if wanted.insert(pair) {
                found.extend(pair.needs());
            }
        }
        wanted
    }

    /// What building everything takes; what is there already is not taken off.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let mut estimate = Estimate::default();
        for content in Content::BOTH {
            for slice in self.pairs(content).into_iter().flat_map(Slice::both) {
                let positions = Index::new(slice).len();
                let (nanoseconds, millibits) = measured(content, slice);
                estimate.positions += positions;
                estimate.seconds += Duration::from_nanos(positions * nanoseconds).as_secs_f64();
                estimate.bytes += positions * millibits / 8000;
            }
        }
        estimate
    }
}

/// Processor time and disk space that a position of a slice takes, in nanoseconds and thousandths of a bit, by builds of
/// all slices with up to seven pieces and of some with eight.
pub(super) const fn measured(content: Content, slice: Slice) -> (u64, u64) {
    let pieces = slice.pieces();
    match content {
        Content::Results => {
            (result_nanoseconds(pieces, slice.kings_only()), result_millibits(pieces, slice.lead()))
        }
        Content::Distances => match pieces {
            ..=4 => (220, 1740),
            _ => (150, 2300),
        },
    }
}

/// Without men all positions are one block, which with many pieces exceeds every cache.
const fn result_nanoseconds(pieces: u32, kings_only: bool) -> u64 {
    match pieces {
        ..=4 => 190,
        5 => 90,
        6 => 75,
        _ if kings_only => 270,
        _ => 105,
    }
}

/// What a side has more decides nearly everything: positions between equals are the ones that need space.
const fn result_millibits(pieces: u32, lead: u32) -> u64 {
    match (pieces, lead) {
        (..=4, _) => 133,
        (..=6, 0) => 270,
        (_, 0) => 266,
        (..=6, 1) => 84,
        (_, 1) => 114,
        (..=6, 2) => 8,
        (_, 2) => 13,
        (_, 3) => 2,
        _ => 1,
    }
}

/// What a build takes.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Estimate {
    /// Positions to solve.
    pub positions: u64,
    /// Of all files together.
    pub bytes: u64,
    /// Of one processor core.
    pub seconds: f64,
}

/// What a build tells while it goes on. From any thread.
pub trait BuildWatch: Sync {
    /// Whether to go on.
    fn go_on(&self) -> bool;
    /// What a slice leads to is read, as far as it is not at hand.
    fn read(&self, _content: Content, _slice: Slice) {}
    /// A slice is begun, or gone on with.
    fn begin(&self, _content: Content, _slice: Slice) {}
    /// A slice is solved and will be compressed, with its twin.
    fn compress(&self, _content: Content, _slice: Slice) {}
    /// So many more positions are done, or were there already.
    fn advance(&self, _positions: u64) {}
    /// What was there already has been told of.
    fn resume(&self) {}
    /// A slice has been written, in so much time with its twin.
    fn finish(&self, _header: &Header, _time: Duration) {}
    /// A file is there but can't be used; it is built again.
    fn problem(&self, _path: &Path, _error: &FileError) {}
}

/// Why a build ended early.
#[derive(Debug)]
pub enum BuildError {
    /// It was told to stop.
    Stopped,
    /// A file or folder can't be written or read.
    Io(PathBuf, io::Error),
    /// A file that was there is not usable any more.
    File(PathBuf, FileError),
    /// A slice needs more memory even with its tables on the disk.
    Memory(Slice, u64),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => {
                write!(f, "stopped; finished slices are kept, and a new build goes on from there")
            }
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Memory(slice, bytes) => {
                let mebibytes = bytes.div_ceil(1 << 20);
                write!(
                    f,
                    "slice {slice} needs {mebibytes} MiB of memory even with its tables on the disk, more than allowed"
                )
            }
        }
    }
}

impl std::error::Error for BuildError {}
