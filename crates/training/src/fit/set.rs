//! The samples to learn from, and those held out to see what was learned.

use std::path::{Path, PathBuf};

use crate::file::Reader;
use crate::sample::Sample;
use common::checkpoint::CheckpointError;

/// Samples of games, divided by game, so that nothing of a game that is held out is learned from.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// To learn from.
    pub train: Vec<Sample>,
    /// Held out.
    pub held_out: Vec<Sample>,
}

impl Set {
    /// The samples of files; one game in `held_out` is held out. `watch` hears of each game, with the number of samples so far, and may end it.
    ///
    /// # Errors
    ///
    /// When a file can't be used. A last game that is cut short is left out.
    pub fn load(
        paths: &[PathBuf],
        held_out: u64,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, CheckpointError> {
        let mut set = Self::default();
        for path in paths {
            if !set.add(path, held_out, watch)? {
                break;
            }
        }
        Ok(set)
    }

    fn add(
        &mut self,
        path: &Path,
        held_out: u64,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<bool, CheckpointError> {
        let mut reader = Reader::open(path)?;
        while let Some(game) = reader.next_game()? {
            let held_out = game.number % held_out.max(1) == 0;
            let part = if held_out { &mut self.held_out } else { &mut self.train };
            part.extend(game.samples);
            if !watch(self.train.len() + self.held_out.len()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
