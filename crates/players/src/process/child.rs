//! The system's side of a process: its group, its end, and its burial.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::lock;

/// How long a killed program may take to vanish; one that hangs in the kernel is left to a thread of its own.
const BURIAL_PATIENCE: Duration = Duration::from_secs(2);

/// Makes the program the leader of a group of its own, so that it can be killed with all that it starts.
pub(super) fn isolate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// The program itself, as opposed to what it starts.
#[derive(Debug)]
pub(super) struct Leader(Mutex<ChildState>);

#[derive(Debug)]
enum ChildState {
    /// Not reaped, so that nobody else can have its number.
    Running(Child),
    Ended(ExitStatus),
    /// Killed, but it would not go in time.
    Abandoned,
}

impl Leader {
    pub(super) fn new(child: Child) -> Self {
        Self(Mutex::new(ChildState::Running(child)))
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(*lock(&self.0), ChildState::Ended(_))
    }

    /// How it ended, if it has. The group is killed before the leader is reaped: afterwards its number may belong to
    /// somebody else.
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

    /// An end is rarely waited for and usually near, so a few short sleeps do.
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
        if let Ok(None) = self.wait_until(Instant::now() + BURIAL_PATIENCE) {
            let mut state = lock(&self.0);
            if let ChildState::Running(_) = &*state
                && let ChildState::Running(mut child) = std::mem::replace(&mut *state, ChildState::Abandoned)
            {
                // If even this thread can't be had, the child stays a zombie until this program ends.
                let _ = thread::Builder::new().spawn(move || child.wait());
            }
        }
    }
}

/// Whether the child has ended, without reaping it.
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
