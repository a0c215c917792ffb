//! The life of a long command, once its inputs and outputs have been checked: the first signal stops it, its
//! progress is shown until it ends, and its status says whether it was interrupted.

use std::io::{self, Write};

use indicatif::ProgressBar;

use super::outcome::{Status, interrupted, say, stop_on_signal};
use kelso_runtime::stop::StopToken;

/// The work of a long command.
pub(crate) struct Work {
    pub(crate) bar: ProgressBar,
    /// Stopped by the first signal.
    pub(crate) stop: StopToken,
}

impl Work {
    pub(crate) fn begin(bar: ProgressBar) -> Self {
        Self { bar, stop: stop_on_signal() }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Shows the progress. Returns whether to continue.
    pub(crate) fn show_progress(&self, position: u64) -> bool {
        self.bar.set_position(position);
        !self.is_interrupted()
    }

    /// Prints a line on standard error, above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| say(line));
    }

    /// Prints a line of the results, above the bar.
    pub(crate) fn print(&self, out: &mut impl Write, line: &str) -> io::Result<()> {
        self.bar.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()))
    }

    /// Clears the bar, before results are printed.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Ends the command. If it was interrupted, reports what happens to its work.
    pub(crate) fn end(&self, remedy: &str) -> Status {
        self.clear();
        if self.is_interrupted() { interrupted(remedy) } else { Status::Success }
    }
}
