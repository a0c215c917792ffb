//! Ctrl-C: while an engine thinks it ends the thinking, and otherwise, where no line editor catches it, it leaves.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use common::signal;
use common::stop::StopToken;

/// Stops the search that runs when the user interrupts.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopper(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The search that an interrupt stops.
    running: Mutex<Option<StopToken>>,
    /// The user was asked to interrupt once more to leave.
    warned: AtomicBool,
}

impl Stopper {
    /// Listens from now on. To be called once in a run.
    pub(super) fn listen() -> Self {
        let stopper = Self::default();
        let state = Arc::clone(&stopper.0);
        signal::listen(move || state.interrupt());
        stopper
    }

    /// Runs a search that an interrupt stops, and says whether one came.
    pub(super) fn during<T>(&self, search: impl FnOnce(&StopToken) -> T) -> (T, bool) {
        let stop = StopToken::default();
        *self.0.running() = Some(stop.clone());
        let result = search(&stop);
        *self.0.running() = None;
        (result, stop.is_stopped())
    }
}

impl State {
    fn running(&self) -> MutexGuard<'_, Option<StopToken>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn interrupt(&self) {
        if let Some(stop) = &*self.running() {
            stop.stop();
        } else if io::stdin().is_terminal() && !self.warned.swap(true, Ordering::SeqCst) {
            // A terminal without line editing reads on; the question has to be put like this.
            let question = "\n\"save FILE.pdn\" saves the game; Ctrl-C again leaves without saving.";
            drop(writeln!(io::stdout(), "{question}"));
        } else {
            signal::exit();
        }
    }
}
