//! The request for a build, its observer and its errors.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::distances;
use crate::index::Index;
use crate::{Content, DatabaseHeader, FileError, MAX_PIECES, Slice};
use kelso_batch::error::RunError;

/// A request to build databases.
#[derive(Clone, Default, Debug)]
pub struct BuildRequest {
    pub folder: PathBuf,
    /// The maximum number of pieces for results, unless `slices` are requested.
    pub pieces: u32,
    /// The maximum number of pieces for distances.
    pub distances: u32,
    /// The slices to build, along with the slices that they depend on; all slices if empty.
    pub slices: Vec<Slice>,
    /// The number of slices to solve concurrently.
    pub threads: usize,
    /// Memory limit in bytes.
    pub memory: u64,
}

impl BuildRequest {
    /// The largest allowed value of `distances`.
    pub const MAX_DISTANCE_PIECES: u32 = distances::MAX_DISTANCE_PIECES;

    /// Returns the slices, one of each pair, in the order in which they can be solved.
    pub(super) fn pairs(&self, content: Content) -> Vec<Slice> {
        let max_pieces = match content {
            Content::Results if self.slices.is_empty() => self.pieces.min(MAX_PIECES),
            Content::Results => MAX_PIECES,
            Content::Distances => self.distances.min(distances::MAX_DISTANCE_PIECES),
        };
        let mut pairs = Slice::pairs(2..=max_pieces);
        if !self.slices.is_empty() {
            let required = self.required();
            pairs.retain(|pair| required.contains(pair));
        }
        pairs
    }

    /// Returns the number of positions in the requested databases.
    pub fn positions(&self) -> u64 {
        let pairs = Content::BOTH.into_iter().flat_map(|content| self.pairs(content));
        pairs.flat_map(Slice::both).map(|slice| Index::new(slice).len()).sum()
    }

    /// Returns the requested slices and all that they depend on, one of each pair.
    fn required(&self) -> HashSet<Slice> {
        let mut required = HashSet::new();
        let mut unvisited = self.slices.clone();
        while let Some(slice) = unvisited.pop() {
            let pair = slice.first();
            if required.insert(pair) {
                unvisited.extend(pair.needs());
            }
        }
        required
    }
}

/// An observer of a build, called from any thread.
pub trait BuildObserver: Sync {
    /// Returns whether to continue the build.
    fn keep_going(&self) -> bool;
    /// Called before the slices that a slice depends on are read.
    fn on_read(&self, _content: Content, _slice: Slice) {}
    /// Called when a slice is begun.
    fn on_solve(&self, _content: Content, _slice: Slice) {}
    /// Called when a slice and its twin have been solved and are about to be compressed.
    fn on_compress(&self, _content: Content, _slice: Slice) {}
    /// Called with the number of additional positions that have been solved or already existed.
    fn on_progress(&self, _positions: u64) {}
    /// Called when all existing files have been counted.
    fn on_resume(&self) {}
    /// Called when a slice has been written.
    fn on_finish(&self, _header: &DatabaseHeader) {}
    /// Called for a damaged file, which is then rebuilt.
    fn on_damage(&self, _path: &Path) {}
}

pub(super) type BuildResult<T = ()> = Result<T, BuildError>;

/// Called regularly with the amount of work done. An error ends the build.
pub(super) type Poll<'a> = &'a mut dyn FnMut(u64) -> BuildResult;

/// The reason why a build ended early.
#[derive(Error, Debug)]
pub enum BuildError {
    /// The observer stopped the build.
    #[error("stopped; finished slices are kept, and the next build resumes from there")]
    Stopped,
    /// A file cannot be written, or the folder or a table cannot be created.
    #[error(transparent)]
    Create(#[from] RunError),
    /// A file that is not a usable database must not be replaced, or has become unusable.
    #[error("cannot use \"{}\": {_1}", _0.display())]
    File(PathBuf, FileError),
    /// A slice needs this many bytes of memory.
    #[error("slice {0} needs {mebibytes} MiB of memory", mebibytes = _1.div_ceil(1 << 20))]
    Memory(Slice, u64),
}
