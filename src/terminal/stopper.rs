//! Ctrl-C: while an engine thinks it ends the thinking, and otherwise, where no line editor catches it, it leaves.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::search::Control;

/// The exit status after an interrupt, as shells have it.
const INTERRUPTED: i32 = 130;

/// Hears of interrupts.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopper(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The search that would be stopped.
    control: Mutex<Option<Arc<Control>>>,
    /// An engine is at it.
    thinking: AtomicBool,
    pressed: AtomicBool,
    /// It was pressed while nobody was thinking, and a word was said of it.
    warned: AtomicBool,
}

impl Stopper {
    /// Listens from now on. To be called once in a run.
    pub(super) fn listen() -> Result<Self, ctrlc::Error> {
        let stopper = Self::default();
        let state = Arc::clone(&stopper.0);
        ctrlc::set_handler(move || state.interrupt())?;
        Ok(stopper)
    }

    /// Does something that an interrupt shall end, and says whether one came.
    pub(super) fn during<T>(&self, control: &Arc<Control>, work: impl FnOnce(&AtomicBool) -> T) -> (T, bool) {
        self.0.pressed.store(false, Ordering::SeqCst);
        *self.control() = Some(Arc::clone(control));
        self.0.thinking.store(true, Ordering::SeqCst);
        let result = work(&self.0.pressed);
        self.0.thinking.store(false, Ordering::SeqCst);
        *self.control() = None;
        (result, self.0.pressed.load(Ordering::SeqCst))
    }

    fn control(&self) -> std::sync::MutexGuard<'_, Option<Arc<Control>>> {
        self.0.control.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn interrupt(&self) {
        if self.thinking.load(Ordering::SeqCst) {
            self.pressed.store(true, Ordering::SeqCst);
            if let Some(control) = &*self.control.lock().unwrap_or_else(PoisonError::into_inner) {
                control.stop();
            }
        } else if io::stdin().is_terminal() && !self.warned.swap(true, Ordering::SeqCst) {
            // A terminal without line editing reads on; the question has to be put like this.
            let question = "\n\"save FILE.pdn\" saves the game; Ctrl-C again leaves without saving.";
            drop(writeln!(io::stdout(), "{question}"));
        } else {
            process::exit(INTERRUPTED);
        }
    }
}
