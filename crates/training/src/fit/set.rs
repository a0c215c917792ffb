//! Training samples and held-out samples.

use crate::data::{OnProgress, SampleFiles};
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

impl SampleFiles {
    /// Reads all samples; one game in `held_out` is held out. An incomplete last game is left out.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or is damaged.
    pub fn training_set(
        &self,
        held_out: u64,
        on_progress: OnProgress<'_>,
    ) -> Result<TrainingSet, CheckpointError> {
        let mut set = TrainingSet::default();
        self.each(on_progress, &mut Vec::new(), &mut |_, game| {
            let is_held_out = game.number % held_out.max(1) == 0;
            let part = if is_held_out { &mut set.held_out } else { &mut set.train };
            part.extend(game.samples);
            Ok(())
        })?;
        Ok(set)
    }
}
