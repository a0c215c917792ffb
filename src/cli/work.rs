//! A long command at work: the first signal stops it, and its progress is shown until it ends.

use indicatif::ProgressBar;

use super::outcome::{Status, stop_on_signal};
use kelso_runtime::stop::StopToken;

/// The work of a long command, which has checked its outputs and resumed its state.
pub(crate) struct Work {
    pub(crate) bar: ProgressBar,
    /// Stopped by the first signal.
    pub(crate) stop: StopToken,
}

impl Work {
    pub(crate) fn begin(bar: ProgressBar) -> Self {
        Self { bar, stop: stop_on_signal() }
    }

    pub(crate) fn goes_on(&self) -> bool {
        !self.stop.is_stopped()
    }

    /// Shows the progress. Returns whether to go on.
    pub(crate) fn reach(&self, position: u64) -> bool {
        self.bar.set_position(position);
        self.goes_on()
    }

    /// Clears the bar, before results are printed.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Ends the command. If it was interrupted, reports what happens to its work.
    pub(crate) fn end(&self, work: &str) -> Status {
        self.clear();
        Status::after(&self.stop, work)
    }
}
