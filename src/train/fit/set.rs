//! The samples to learn from, and those held out to see what was learned.

use std::path::{Path, PathBuf};

use crate::train::file::{FileError, Reader};
use crate::train::sample::Sample;

/// One game in so many is held out.
const HELD_OUT: u64 = 25;

/// Samples of games, divided by game, so that nothing of a game that is held out is learned from.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// To learn from.
    pub train: Vec<Sample>,
    /// Held out.
    pub held_out: Vec<Sample>,
}

impl Set {
    /// The samples of files. `watch` hears of each game, with the number of samples so far, and may end it.
    ///
    /// # Errors
    ///
    /// When a file can't be used. A last game that is cut short is left out.
    pub fn load(paths: &[PathBuf], watch: &mut dyn FnMut(usize) -> bool) -> Result<Self, FileError> {
        let mut set = Self::default();
        for path in paths {
            if !set.add(path, watch)? {
                break;
            }
        }
        Ok(set)
    }

    fn add(&mut self, path: &Path, watch: &mut dyn FnMut(usize) -> bool) -> Result<bool, FileError> {
        let mut reader = Reader::open(path)?;
        loop {
            match reader.next_game() {
                Ok(Some(game)) => {
                    let part = if game.number % HELD_OUT == 0 { &mut self.held_out } else { &mut self.train };
                    part.extend(game.samples);
                }
                Ok(None) | Err(FileError::Cut(..)) => return Ok(true),
                Err(error) => return Err(error),
            }
            if !watch(self.train.len() + self.held_out.len()) {
                return Ok(false);
            }
        }
    }
}
