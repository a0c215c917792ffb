//! Programs that talk lines over pipes: how transcripts and matches reach an engine, which may be anyone's.
//!
//! An engine from outside may hang, crash, flood its output, stop reading its input, print bytes that are no text, or
//! leave children behind. None of that may hang or exhaust this side, so every call here has a deadline, all that is
//! kept has a bound, and a [`Process`] that goes out of scope is dead and buried, together with what it started.
//!
//! A thread reads the program's output as it comes, so that each line carries the time when it arrived rather than
//! when somebody asked for it; another keeps the end of what it writes to stderr. Input is written by the caller itself
//! where the system lets it do so without blocking.

mod child;
mod command;
mod lines;
mod queue;
mod tail;
mod writer;

use std::fmt;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use child::Leader;
pub use command::{CommandLine, CommandLineError, quoted, words};
pub use queue::Event;
use queue::Queue;
use tail::Tail;
use writer::Writer;

/// Bytes in the longest line that is passed on; a longer one is [`Event::Overlong`].
pub const LONGEST_LINE: usize = 1 << 20;
/// Lines that may lie unread before the program counts as flooding.
pub const MOST_UNREAD_LINES: usize = 1 << 16;
/// Bytes that may lie unread before the program counts as flooding.
pub const MOST_UNREAD_BYTES: usize = 1 << 24;
/// How much of the end of stderr is kept.
pub const STDERR_KEPT: usize = 4096;

/// How long the pipes of a program that has ended are waited for: a stray descendant may hold them open for ever.
const PIPES_PATIENCE: Duration = Duration::from_secs(1);
/// The threads only move bytes.
const STACK: usize = 128 << 10;

/// A running program; see the [module](self).
///
/// All methods take `&self`, so that one thread may send (or kill) while another waits for a line.
#[derive(Debug)]
pub struct Process {
    name: String,
    leader: Arc<Leader>,
    input: Mutex<Option<Writer>>,
    output: Arc<Queue>,
    errors: Arc<Tail>,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn spawn(line: &CommandLine) -> Result<Self, SpawnError> {
        let name = line.to_string();
        let fail = |error| SpawnError { command: name.clone(), error };
        let mut command = line.to_command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        child::isolate(&mut command);
        let mut child = command.spawn().map_err(fail)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on the child is killed if anything fails.
        let leader = Arc::new(Leader::new(child));
        let mut process = Self {
            name: name.clone(),
            leader,
            input: Mutex::new(None),
            output: Arc::new(Queue::new(MOST_UNREAD_LINES, MOST_UNREAD_BYTES)),
            errors: Arc::new(Tail::new(STDERR_KEPT)),
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = pipes {
            process.input = Mutex::new(Some(Writer::new(stdin).map_err(fail)?));
            let (queue, tail) = (Arc::clone(&process.output), Arc::clone(&process.errors));
            start("stdout", move || queue.fill(stdout, LONGEST_LINE)).map_err(fail)?;
            start("stderr", move || tail.fill(stderr)).map_err(fail)?;
        }
        Ok(process)
    }

    /// Returns a function that kills the program if it still runs, for instance because the user interrupts.
    ///
    /// Programs run in groups of their own, so that an interrupt from the keyboard reaches this program but not them.
    pub fn killer(&self) -> impl FnOnce() + Send + 'static {
        let leader = Arc::downgrade(&self.leader);
        move || {
            if let Some(leader) = leader.upgrade() {
                leader.kill();
            }
        }
    }

    /// The command line that it was started with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sends a line (or several, with line ends between them, which is faster). A program that doesn't read is given
    /// until the deadline to do so.
    ///
    /// # Errors
    /// When the program has closed its input, has not read it in time, or [`Process::close_stdin`] was called. After an
    /// error a line may have been sent in part, so the input is closed.
    pub fn send(&self, line: &str, deadline: Instant) -> Result<(), SendError> {
        let mut input = lock(&self.input);
        let writer = input.as_mut().ok_or(SendError::Closed)?;
        let sent = writer.send(line, deadline);
        if sent.is_err() {
            *input = None;
        }
        sent
    }

    /// Closes the program's input, so that it reads its end.
    pub fn close_stdin(&self) {
        *lock(&self.input) = None;
    }

    /// The next thing that the program's output brings, waited for until the deadline. What has arrived already is
    /// returned whatever the deadline.
    #[must_use]
    pub fn recv_until(&self, deadline: Instant) -> Event {
        self.output.recv_until(deadline)
    }

    /// Waits for the program's end, which also ends what is left of the processes that it started. `None` when it is
    /// still running at the deadline.
    ///
    /// # Errors
    /// When the system can't tell.
    pub fn wait_until(&self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        self.leader.wait_until(deadline)
    }

    /// Kills the program, and on Unix what it started.
    pub fn kill(&self) {
        self.leader.kill();
    }

    /// The end of what the program has written to stderr; complete if it has ended.
    #[must_use]
    pub fn stderr_end(&self) -> String {
        if self.leader.has_ended() {
            self.errors.wait_for_end(Instant::now() + PIPES_PATIENCE);
        }
        self.errors.text()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_stdin();
        self.leader.kill();
        // The pipes are closed by the threads that read them. What has escaped the group may still hold them open:
        // then its threads stay behind until it ends.
        let deadline = Instant::now() + PIPES_PATIENCE;
        self.output.wait_for_end(deadline);
        self.errors.wait_for_end(deadline);
    }
}

/// A program could not be started.
#[derive(Debug)]
pub struct SpawnError {
    command: String,
    error: io::Error,
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start \"{}\": {}", self.command, self.error)
    }
}

impl std::error::Error for SpawnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// A line could not be sent.
#[derive(Debug)]
pub enum SendError {
    /// The program has ended or closed its input, or its input was closed before.
    Closed,
    /// The program did not read its input in time.
    NotReading,
    /// The system says something else.
    Io(io::Error),
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => write!(f, "the program's input is closed"),
            Self::NotReading => write!(f, "the program does not read its input"),
            Self::Io(error) => write!(f, "cannot write to the program: {error}"),
        }
    }
}

impl std::error::Error for SendError {}

fn start(what: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(what.to_owned()).stack_size(STACK).spawn(run).map(drop)
}

/// Locks; a thread that has panicked leaves nothing here half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
