//! Starts, kills and reaps a child process with its process group.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::{Arc, Mutex, Once, Weak};
use std::thread;
use std::time::{Duration, Instant};

use kelso_runtime::cleanup;
use kelso_runtime::sync::lock;

/// Time to wait for a killed program to exit. After that, a separate thread reaps it.
const REAP_TIMEOUT: Duration = Duration::from_secs(2);

/// The pipes of a child process.
pub(super) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

/// All child processes of this program. If a signal ends the program abruptly, they are killed first.
static CHILDREN: Mutex<Vec<Weak<ChildProcess>>> = Mutex::new(Vec::new());

/// Kills all child processes and prevents new ones, because this program is about to exit.
fn kill_all() {
    let children = lock(&CHILDREN);
    for child in children.iter().filter_map(Weak::upgrade) {
        child.kill();
    }
    // The lock is never released, so a thread that tries to start another program waits until this program
    // exits.
    std::mem::forget(children);
}

/// A child process, the leader of its group, and its process ID.
#[derive(Debug)]
pub(super) struct ChildProcess(Mutex<ChildState>, u32);

#[derive(Debug)]
enum ChildState {
    /// Not yet reaped, so its process ID is not reused.
    Running(Child),
    Ended(ExitStatus),
    /// Killed, but still running at the deadline.
    Abandoned,
}

impl ChildProcess {
    /// Starts a program in its own process group, so that everything it starts can be killed with it.
    pub(super) fn spawn(command: &mut Command) -> io::Result<(Arc<Self>, Pipes)> {
        static REGISTERED: Once = Once::new();
        REGISTERED.call_once(|| cleanup::before_exit(kill_all));
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut children = lock(&CHILDREN);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let id = child.id();
        let child = Arc::new(Self(Mutex::new(ChildState::Running(child)), id));
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&child));
        Ok((child, pipes))
    }

    pub(super) const fn id(&self) -> u32 {
        self.1
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(*lock(&self.0), ChildState::Ended(_))
    }

    /// Returns the exit status, if the child has exited. Kills the group before reaping the child, since the
    /// group's ID may be reused afterwards.
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

    /// Polls with short sleeps, since most processes exit quickly.
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
            // This only fails if the child has already exited.
            let _ = child.kill();
        } else {
            return;
        }
        if let Ok(None) = self.wait_until(Instant::now() + REAP_TIMEOUT) {
            let mut state = lock(&self.0);
            if let ChildState::Running(_) = &*state
                && let ChildState::Running(mut child) = std::mem::replace(&mut *state, ChildState::Abandoned)
            {
                // Without this thread, the child would stay a zombie until this program ends.
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

/// Returns whether the child has exited, without reaping it.
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
    // This only fails if there is nothing left to kill.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}
