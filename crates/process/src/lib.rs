//! Child processes that exchange lines over pipes, such as engines.
//!
//! An engine may hang, crash, flood its output, stop reading its input, print invalid UTF-8, or leave
//! children behind. None of this may block this program or exhaust its memory: every call has a deadline, all
//! buffers are bounded, and dropping a [`Process`] kills and reaps it, along with everything it started. A
//! signal that ends this program kills its children too.
//!
//! One thread reads the output as it arrives, to record the arrival time of each line; another keeps the end
//! of stderr. The input is written by the caller's thread if the system can write without blocking.

mod child;
mod command;
mod queue;
mod writer;

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use child::ChildProcess;
pub use command::{CommandLine, quoted, words};
pub use kelso_runtime::lines::MAX_LINE;
use kelso_runtime::sync::lock;
pub use queue::Event;
use queue::LineQueue;
use thiserror::Error;
pub use writer::SendError;
use writer::Writer;

/// The maximum number of unread lines; exceeding it causes [`Event::Flood`].
pub const MAX_UNREAD_LINES: usize = 1 << 16;
/// The maximum number of unread bytes; exceeding it causes [`Event::Flood`].
pub const MAX_UNREAD_BYTES: usize = 1 << 24;
/// Number of bytes kept from the end of stderr.
pub const MAX_STDERR_BYTES: usize = 4096;

/// Time to wait for the pipes of a program that has exited, since a stray descendant may hold them open.
const PIPE_TIMEOUT: Duration = Duration::from_secs(1);
const STACK_SIZE: usize = 128 << 10;

/// A child process; see the [module](self).
///
/// All methods take `&self`, so that one thread can send or kill while another waits for a line.
#[derive(Debug)]
pub struct Process {
    child: Arc<ChildProcess>,
    input: Mutex<Option<Writer>>,
    output: LineQueue,
    stderr: Tail,
}

impl Process {
    /// Starts a program.
    pub fn spawn(line: &CommandLine) -> Result<Self, SpawnError> {
        let fail = |error| SpawnError { command: line.to_string(), error };
        if let Some(directory) = line.directory.as_deref().filter(|directory| !directory.is_dir()) {
            return Err(fail(io::Error::other(format!("no directory \"{}\"", directory.display()))));
        }
        let mut command = line.to_command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // From here on, any failure kills the child.
        let (child, pipes) = ChildProcess::spawn(&mut command).map_err(|error| {
            let is_line = line.program.as_encoded_bytes().contains(&b' ');
            if error.kind() == io::ErrorKind::NotFound && is_line {
                fail(io::Error::other(format!("{error}; the program's arguments must be separate words")))
            } else {
                fail(error)
            }
        })?;
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(fail(io::Error::other("its pipes are missing")));
        };
        let input = Mutex::new(Some(Writer::new(stdin).map_err(fail)?));
        let (output, read_output) = LineQueue::new(stdout, MAX_UNREAD_LINES, MAX_UNREAD_BYTES);
        let (stderr, read_stderr) = Tail::new(stderr, MAX_STDERR_BYTES);
        start("stdout", read_output).map_err(fail)?;
        start("stderr", read_stderr).map_err(fail)?;
        Ok(Self { child, input, output, stderr })
    }

    /// Returns the process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns a function that kills the program if it is still running, for instance on an interrupt.
    ///
    /// Programs run in their own process groups, so a keyboard interrupt reaches only this program.
    pub fn killer(&self) -> impl FnOnce() + Send + 'static {
        let child = Arc::downgrade(&self.child);
        move || {
            if let Some(child) = child.upgrade() {
                child.kill();
            }
        }
    }

    /// Sends a line, or several lines separated by newlines, which is faster than sending them one at a time.
    /// The program must read them before the deadline.
    ///
    /// # Errors
    /// If the program has closed its input or does not read it in time, or [`Process::close_stdin`] was
    /// called. After an error the input is closed, since part of a line may have been sent.
    pub fn send(&self, line: &str, deadline: Instant) -> Result<(), SendError> {
        let mut input = lock(&self.input);
        let writer = input.as_mut().ok_or(SendError::Closed)?;
        let sent = writer.write(format!("{line}\n").as_bytes(), deadline);
        if sent.is_err() {
            *input = None;
        }
        sent
    }

    /// Closes the program's standard input.
    pub fn close_stdin(&self) {
        *lock(&self.input) = None;
    }

    /// Returns the next event of the program's output, or [`Event::Timeout`] at the deadline. An event that
    /// has arrived is returned even after the deadline.
    pub fn recv_until(&self, deadline: Instant) -> Event {
        self.output.recv_until(deadline)
    }

    /// Waits for the program to exit, and then kills everything it started. Returns `None` if it is still
    /// running at the deadline.
    pub fn wait_until(&self, deadline: Instant) -> io::Result<Option<ExitStatus>> {
        self.child.wait_until(deadline)
    }

    /// Kills the program, and on Unix everything that it started.
    pub fn kill(&self) {
        self.child.kill();
    }

    /// Returns the end of the program's output on stderr. It is complete once the program has exited.
    pub fn stderr_end(&self) -> String {
        if self.child.has_ended() {
            self.stderr.wait_for_end(Instant::now() + PIPE_TIMEOUT);
        }
        self.stderr.text()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_stdin();
        self.child.kill();
        // A descendant that has left the process group may hold the pipes open; the reading threads then live
        // until it exits.
        let deadline = Instant::now() + PIPE_TIMEOUT;
        self.output.wait_for_end(deadline);
        self.stderr.wait_for_end(deadline);
    }
}

/// The last part of an output stream, which another thread reads.
#[derive(Debug)]
struct Tail {
    kept: Arc<Mutex<Kept>>,
    /// Disconnected when the output has ended.
    reading: Mutex<Receiver<()>>,
}

#[derive(Debug)]
struct Kept {
    bytes: VecDeque<u8>,
    capacity: usize,
    is_cut: bool,
}

impl Tail {
    /// Returns the tail of a stream, and the function that reads the stream to its end.
    fn new<R: Read>(mut output: R, capacity: usize) -> (Self, impl FnOnce() + use<R>) {
        let kept = Arc::new(Mutex::new(Kept { bytes: VecDeque::new(), capacity, is_cut: false }));
        let (sender, reading) = channel::<()>();
        let tail = Self { kept: Arc::clone(&kept), reading: Mutex::new(reading) };
        (tail, move || {
            let _sender = sender;
            // An error counts as the end of the output.
            let _ = io::copy(&mut output, &mut TailWriter(kept));
        })
    }

    fn wait_for_end(&self, deadline: Instant) {
        let left = deadline.saturating_duration_since(Instant::now());
        let _ = lock(&self.reading).recv_timeout(left);
    }

    /// Returns the kept text. If its beginning was lost, it starts with the first complete line.
    fn text(&self) -> String {
        let mut kept = lock(&self.kept);
        let is_cut = kept.is_cut;
        let bytes = &*kept.bytes.make_contiguous();
        let first_line = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        String::from_utf8_lossy(&bytes[if is_cut { first_line } else { 0 }..]).into_owned()
    }
}

struct TailWriter(Arc<Mutex<Kept>>);

impl Write for TailWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let kept = &mut *lock(&self.0);
        kept.bytes.extend(bytes);
        let excess = kept.bytes.len().saturating_sub(kept.capacity);
        kept.is_cut |= excess > 0;
        kept.bytes.drain(..excess);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A program that could not be started.
#[derive(Error, Debug)]
#[error("cannot start \"{command}\": {error}")]
pub struct SpawnError {
    command: String,
    error: io::Error,
}

fn start(what: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(what.to_owned()).stack_size(STACK_SIZE).spawn(run).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_begins_with_a_complete_line() {
        for (output, end) in
            [("one\n", "one\n"), ("one\ntwo\nthree\n", "three\n"), ("three\na line without end", "hout end")]
        {
            let (tail, fill) = Tail::new(output.as_bytes(), 8);
            fill();
            assert_eq!(tail.text(), end);
        }
    }

    #[cfg(unix)]
    fn shell(script: &str) -> Process {
        Process::spawn(&CommandLine::new("sh").with_arguments(["-c", script])).unwrap()
    }

    /// A deadline later than any program of these tests needs.
    #[cfg(unix)]
    fn some_day() -> Instant {
        Instant::now() + Duration::from_secs(600)
    }

    #[cfg(unix)]
    fn line(process: &Process) -> String {
        match process.recv_until(some_day()) {
            Event::Line(line, _) => line,
            other => panic!("{other:?}"),
        }
    }

    #[cfg(unix)]
    #[test]
    fn lines_are_exchanged_until_the_input_is_closed() {
        let process = shell("while read line; do echo \"<$line>\"; echo \"$line\" >&2; done; exit 4");
        process.send("one\ntwo", some_day()).unwrap();
        assert_eq!([line(&process), line(&process)], ["<one>", "<two>"]);
        assert_eq!(process.recv_until(Instant::now()), Event::Timeout);
        assert_eq!(process.wait_until(Instant::now()).unwrap(), None);
        process.close_stdin();
        assert_eq!(process.recv_until(some_day()), Event::Eof);
        assert_eq!(process.wait_until(some_day()).unwrap().and_then(|status| status.code()), Some(4));
        assert!(process.child.has_ended());
        assert_eq!(process.stderr_end(), "one\ntwo\n");
        assert!(matches!(process.send("three", some_day()), Err(SendError::Closed)));
    }

    #[cfg(unix)]
    #[test]
    fn a_kill_includes_child_processes() {
        use std::os::unix::process::ExitStatusExt;
        // The second program holds the pipes open.
        let script = "sleep 1000 & echo started; read line";
        for ends in [true, false] {
            let process = shell(script);
            assert_eq!(line(&process), "started");
            assert!(!process.child.has_ended());
            if ends {
                process.close_stdin();
            } else {
                process.killer()();
            }
            let status = process.wait_until(some_day()).unwrap().unwrap();
            assert_eq!(status.signal(), if ends { None } else { Some(9) });
            assert_eq!(process.recv_until(some_day()), Event::Eof);
            process.kill();
            assert_eq!(process.wait_until(Instant::now()).unwrap(), Some(status));
        }
        // Nothing happens if the program is gone.
        let killer = shell(script).killer();
        killer();
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_does_not_read_or_does_not_exist_is_an_error() {
        let process = shell("sleep 1000");
        let long = "x".repeat(1 << 20);
        assert!(matches!(process.send(&long, Instant::now()), Err(SendError::NotReading)));
        assert!(matches!(process.send("", some_day()), Err(SendError::Closed)));
        let process = shell("exec <&-; echo closed; sleep 1000");
        assert_eq!(line(&process), "closed");
        assert!(matches!(process.send("", some_day()), Err(SendError::Closed)));
        let process = shell("read line; echo ${#line}");
        process.send(&long, some_day()).unwrap();
        assert_eq!(line(&process), "1048576");
        let error = Process::spawn(&CommandLine::new("no/such program").with_arguments(["-x"])).unwrap_err();
        assert!(error.to_string().starts_with("cannot start \"'no/such program' -x\": "), "{error}");
        assert!(error.to_string().ends_with("; the program's arguments must be separate words"), "{error}");
        let line = CommandLine { directory: Some("missing".into()), ..CommandLine::new("true") };
        let error = Process::spawn(&line).unwrap_err();
        assert_eq!(error.to_string(), "cannot start \"true\": no directory \"missing\"");
    }
}
