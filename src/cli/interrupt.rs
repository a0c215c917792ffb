//! Interrupts from the keyboard, and the system's requests to end.
//!
//! The first asks for an end in good order, the second ends the program at once. What is half written then is no worse than
//! after a kill, which all files are made to survive.

use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Failure, INTERRUPTED};

static RAISED: AtomicBool = AtomicBool::new(false);

/// Knows whether the first interrupt has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interrupt(&'static AtomicBool);

impl Interrupt {
    /// Listens from now on. To be called once in a run.
    pub(super) fn listen() -> Result<Self, Failure> {
        Self::at_first(|| {})?;
        Ok(Self(&RAISED))
    }

    /// Does something at the first interrupt, for work that can't look whether it has come.
    pub(super) fn at_first(mut action: impl FnMut() + Send + 'static) -> Result<(), Failure> {
        ctrlc::set_handler(move || {
            if RAISED.swap(true, Ordering::Relaxed) {
                process::exit(INTERRUPTED.into());
            }
            action();
        })
        .map_err(|error| Failure(format!("cannot listen for interrupts: {error}")))
    }

    pub(super) fn has_come(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What an interrupt raises.
    pub(super) const fn flag(self) -> &'static AtomicBool {
        self.0
    }

    /// The exit status of a command that did what it could.
    pub(super) fn status(self) -> ExitCode {
        if self.has_come() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS }
    }
}
