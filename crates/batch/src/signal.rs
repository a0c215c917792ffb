//! Signals that request the end of the program: keyboard interrupts, and termination by the system.
//!
//! Without a listener, the program cleans up (it removes its temporary files and kills its child processes)
//! and exits immediately, with the status that shells expect. A listener can stop the work gracefully
//! instead.

use std::io;
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::temporaries;
use kelso_runtime::cleanup::clean_up;
use kelso_runtime::sync::lock;

/// Exit status after a keyboard interrupt.
const INTERRUPTED_STATUS: u8 = 130;

type Listener = Box<dyn FnMut() + Send>;

static LISTENER: Mutex<Option<Listener>> = Mutex::new(None);
static STATUS: AtomicU8 = AtomicU8::new(INTERRUPTED_STATUS);
/// The program waits for another one, and cannot stop its work.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Starts handling signals. Must be called only once.
#[cfg(unix)]
pub fn handle() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in &mut signals {
            received(u8::try_from(128 + signal).unwrap_or(INTERRUPTED_STATUS));
        }
    })?;
    Ok(())
}

/// Starts handling signals. Must be called only once.
#[cfg(windows)]
pub fn handle() -> io::Result<()> {
    ctrlc::set_handler(|| received(INTERRUPTED_STATUS)).map_err(io::Error::other)
}

/// Does nothing, since this system has no signals.
#[cfg(not(any(unix, windows)))]
pub fn handle() -> io::Result<()> {
    Ok(())
}

#[cfg(any(unix, windows))]
fn received(status: u8) {
    STATUS.store(status, Ordering::Relaxed);
    if let Some(listener) = lock(&LISTENER).as_mut().filter(|_| !WAITING.load(Ordering::Relaxed)) {
        return listener();
    }
    // Without the lock, since a cleanup may listen.
    exit();
}

/// Waits for another program. A signal then ends this program without a call of the listener.
pub(crate) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::Relaxed);
    let result = wait();
    WAITING.store(false, Ordering::Relaxed);
    result
}

/// Sets the function that is called on every signal.
pub fn listen(listener: impl FnMut() + Send + 'static) {
    *lock(&LISTENER) = Some(Box::new(listener));
}

/// Returns the exit status after the last signal: 128 plus its number.
pub fn status() -> u8 {
    STATUS.load(Ordering::Relaxed)
}

/// Returns whether the last signal came from the keyboard.
pub fn is_from_keyboard() -> bool {
    status() == INTERRUPTED_STATUS
}

/// Ends the program after a signal.
pub fn exit() -> ! {
    clean_up();
    temporaries::remove_all();
    process::exit(status().into())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_listener_is_called_on_a_signal() {
        assert_eq!(status(), INTERRUPTED_STATUS);
        let (sender, heard) = mpsc::channel();
        listen(move || sender.send(()).unwrap());
        handle().unwrap();
        let id = process::id().to_string();
        for (signal, expected) in [("-HUP", 129), ("-TERM", 143), ("-INT", 130)] {
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            heard.recv_timeout(Duration::from_secs(60)).unwrap();
            assert_eq!(status(), expected, "{signal}");
        }
    }
}
