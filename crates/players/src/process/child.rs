//! The process group, the end and the reaping of a child process.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use runs::pool::lock;

/// The time to wait for a killed program to end. One that hangs in the kernel is reaped by a thread of its own.
const REAP_TIMEOUT: Duration = Duration::from_secs(2);

/// Starts the program in a process group of its own, so that everything it starts can be killed with it.
pub(super) fn isolate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// A child process, the leader of its group.
#[derive(Debug)]
pub(super) struct ChildProcess(Mutex<ChildState>);

#[derive(Debug)]
enum ChildState {
    /// Not reaped, so that its process ID is not reused.
    Running(Child),
    Ended(ExitStatus),
    /// Killed, but not ended in time.
    Abandoned,
}

impl ChildProcess {
    pub(super) fn new(child: Child) -> Self {
        Self(Mutex::new(ChildState::Running(child)))
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(*lock(&self.0), ChildState::Ended(_))
    }

    /// Returns the exit status, if it has ended. The group is killed before the child is reaped: afterwards its ID may be
    /// reused.
    fn poll(&self) -> io::Result<Option<ExitStatus>> {
        let mut state = lock(&self.0);
        match &mut *state {
            ChildState::Running(child) => {
                if !has_exited(child)? {
                    return Ok(None);
                }
                kill_group(child);
                let status = child.wait()?;
                *state = ChildState::Ended(status);
                Ok(Some(status))
            }
            ChildState::Ended(status) => Ok(Some(*status)),
            ChildState::Abandoned => Ok(None),
        }
    }

    /// Polls with short sleeps: most processes end quickly.
    pub(super) fn wait_until(&self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        let mut pause = Duration::from_micros(50);
        loop {
            if let Some(status) = self.poll()? {
                return Ok(Some(status));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }

    pub(super) fn kill(&self) {
        if let ChildState::Running(child) = &mut *lock(&self.0) {
            kill_group(child);
            // Fails only if it has ended already.
            let _ = child.kill();
        } else {
            return;
        }
        if let Ok(None) = self.wait_until(Instant::now() + REAP_TIMEOUT) {
            let mut state = lock(&self.0);
            if let ChildState::Running(_) = &*state
                && let ChildState::Running(mut child) = std::mem::replace(&mut *state, ChildState::Abandoned)
            {
                // Without this thread the child stays a zombie until this program ends.
                let _ = thread::Builder::new().spawn(move || child.wait());
            }
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns true if the child has ended, without reaping it.
#[cfg(unix)]
fn has_exited(child: &Child) -> io::Result<bool> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(Pid::from_child(child)), how) {
            Ok(status) => return Ok(status.is_some()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(not(unix))]
fn has_exited(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Kills the group of a child that has not been reaped.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // Fails only if there is nothing left to kill.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}
