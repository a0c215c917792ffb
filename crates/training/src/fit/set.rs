//! Training samples and held-out samples.

use std::path::{Path, PathBuf};

use crate::file::SampleReader;
use crate::sample::Sample;
use common::checkpoint::CheckpointError;

/// Samples divided by game, so that no game is in both parts.
#[derive(Clone, Debug, Default)]
pub struct TrainingSet {
    /// The samples to train on.
    pub train: Vec<Sample>,
    /// The samples to judge by.
    pub held_out: Vec<Sample>,
}

impl TrainingSet {
    /// Loads files; one game in `held_out` is held out. An incomplete last game is left out. Calls `on_progress` after each game
    /// with the number of samples; it returns false to stop.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or is damaged.
    pub fn load(
        paths: &[PathBuf],
        held_out: u64,
        on_progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Self, CheckpointError> {
        let mut set = Self::default();
        for path in paths {
            if !set.add(path, held_out, on_progress)? {
                break;
            }
        }
        Ok(set)
    }

    fn add(
        &mut self,
        path: &Path,
        held_out: u64,
        on_progress: &mut dyn FnMut(usize) -> bool,
    ) -> Result<bool, CheckpointError> {
        let mut reader = SampleReader::open(path)?;
        while let Some(game) = reader.next_game()? {
            let held_out = game.number % held_out.max(1) == 0;
            let part = if held_out { &mut self.held_out } else { &mut self.train };
            part.extend(game.samples);
            if !on_progress(self.train.len() + self.held_out.len()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
