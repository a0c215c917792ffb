//! Ctrl-C: stops the running search, or leaves where no line editor handles it.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use common::pool::lock;
use common::signal;
use common::stop::StopToken;

/// Stops the search that runs when the user interrupts.
#[derive(Debug, Default)]
pub(super) struct SearchInterrupt {
    /// The search that an interrupt stops.
    running: Mutex<Option<StopToken>>,
    /// The user was asked to interrupt once more to leave.
    warned: AtomicBool,
}

impl SearchInterrupt {
    /// Starts to listen; called once.
    pub(super) fn listen() -> Arc<Self> {
        let interrupt = Arc::<Self>::default();
        let listening = Arc::clone(&interrupt);
        signal::listen(move || listening.interrupt());
        interrupt
    }

    /// Runs a search that an interrupt stops, and returns true with its result if one occurred.
    pub(super) fn run<T>(&self, search: impl FnOnce(&StopToken) -> T) -> (T, bool) {
        let stop = StopToken::default();
        *lock(&self.running) = Some(stop.clone());
        let result = search(&stop);
        *lock(&self.running) = None;
        (result, stop.is_stopped())
    }

    fn interrupt(&self) {
        if let Some(stop) = &*lock(&self.running) {
            stop.stop();
        } else if io::stdin().is_terminal() && !self.warned.swap(true, Ordering::SeqCst) {
            // Without line editing, the terminal is still waiting for a line.
            let question = "\n\"save FILE.pdn\" saves the game; Ctrl-C again leaves without saving.";
            drop(writeln!(io::stdout(), "{question}"));
        } else {
            signal::exit();
        }
    }
}
