//! Recording a session with an engine as a transcript.
//!
//! Every line is written at once, so that nothing is lost when the session is interrupted. The input, the output and
//! interrupts come through one channel, whose order is the order of the transcript.

use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::item::{Directive, Item};
use super::volatile::expectation_of;
use players::process::{Event, MAX_LINE, Process, SendError};

/// The maximum number of lines, so that an engine cannot fill the disk.
const MAX_LINES: usize = 1 << 18;

/// An event of a session.
#[derive(Debug)]
pub enum SessionEvent {
    /// A line of input.
    Input(String),
    /// The end of the input.
    InputEnd,
    /// The input cannot be read.
    InputFailed(io::Error),
    /// An event of the engine's output.
    Output(Event),
    /// The user ends the session.
    Interrupt,
}

/// The end of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionEnd {
    /// The engine ended.
    Engine(ExitStatus),
    /// The user ended it.
    Interrupted,
}

/// An error that ends a session. The transcript so far is in the file.
#[derive(Error, Debug)]
pub enum RecordError {
    /// The transcript cannot be written.
    #[error("cannot write the transcript: {0}")]
    Write(io::Error),
    /// The input cannot be read.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// A line cannot be sent to the engine.
    #[error("{0}")]
    Send(SendError),
    /// The engine floods its output.
    #[error("the engine flooded its output")]
    Flood,
    /// The engine printed a line that is too long.
    #[error("the engine printed a line of more than {MAX_LINE} bytes")]
    Overlong,
    /// The engine did not end after its input.
    #[error("the engine did not end within {} s of the end of its input", .0.as_secs_f64())]
    Running(Duration),
    /// The exit status is not available.
    #[error("cannot determine how the engine ended: {0}")]
    Status(io::Error),
}

/// Starts threads that read an input and an engine's output into one channel. Other events may be sent to it.
///
/// # Errors
///
/// When the threads cannot be started.
pub fn start_readers(
    process: &Arc<Process>,
    input: impl BufRead + Send + 'static,
) -> io::Result<(SyncSender<SessionEvent>, Receiver<SessionEvent>)> {
    // Small, so that a flood is detected by the process.
    let (sender, receiver) = sync_channel(64);
    let output = (sender.clone(), Arc::clone(process));
    thread::Builder::new().name("output".to_owned()).spawn(move || read_output(&output.0, &output.1))?;
    let other = sender.clone();
    thread::Builder::new().name("input".to_owned()).spawn(move || read_input(&other, input))?;
    Ok((sender, receiver))
}

fn read_output(sender: &SyncSender<SessionEvent>, process: &Process) {
    loop {
        let event = process.recv_until(Instant::now() + Duration::from_secs(3600));
        let last = matches!(event, Event::Eof | Event::Flood | Event::Overlong);
        if event != Event::Timeout && sender.send(SessionEvent::Output(event)).is_err() || last {
            return;
        }
    }
}

fn read_input(sender: &SyncSender<SessionEvent>, mut input: impl BufRead) {
    loop {
        let mut line = Vec::new();
        let limit = MAX_LINE as u64 + 2;
        let event = match input.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) => SessionEvent::InputEnd,
            Ok(_) if line.len() > MAX_LINE && !line.ends_with(b"\n") => SessionEvent::InputFailed(
                io::Error::new(io::ErrorKind::InvalidData, format!("a line of more than {MAX_LINE} bytes")),
            ),
            Ok(_) => {
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                SessionEvent::Input(String::from_utf8_lossy(line).into_owned())
            }
            Err(error) => SessionEvent::InputFailed(error),
        };
        let last = !matches!(event, SessionEvent::Input(_));
        if sender.send(event).is_err() || last {
            return;
        }
    }
}

/// Records a session until the engine ends. `show` is called with every line of output. After the end of its input, the
/// engine may be silent for `timeout`, and it must read every line within that time.
///
/// # Errors
///
/// When the session cannot continue.
pub fn session(
    process: &Process,
    events: &Receiver<SessionEvent>,
    mut transcript: impl Write,
    timeout: Duration,
    mut show: impl FnMut(&str),
) -> Result<SessionEnd, RecordError> {
    let mut write = |line: &dyn fmt::Display| {
        transcript
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| transcript.flush())
            .map_err(RecordError::Write)
    };
    let (mut closed, mut close_written) = (false, false);
    let mut lines = 0;
    loop {
        // There is no timeout while the input is open.
        let wait = if closed { timeout } else { Duration::from_secs(1 << 30) };
        let event = match events.recv_timeout(wait) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return Err(RecordError::Running(timeout)),
            // Only if a thread has panicked.
            Err(RecvTimeoutError::Disconnected) => SessionEvent::Interrupt,
        };
        match event {
            SessionEvent::Input(line) => {
                let item = Item::Send(line);
                write(&item)?;
                match process.send(&item.sent().unwrap_or_default(), Instant::now() + timeout) {
                    // The end of its output follows.
                    Ok(()) | Err(SendError::Closed) => {}
                    Err(error) => return Err(RecordError::Send(error)),
                }
            }
            SessionEvent::InputEnd => {
                process.close_stdin();
                closed = true;
            }
            SessionEvent::InputFailed(error) => return Err(RecordError::Input(error)),
            SessionEvent::Output(Event::Line(line, _)) => {
                lines += 1;
                if lines > MAX_LINES {
                    return Err(RecordError::Flood);
                }
                show(&line);
                // Without further output this line is not needed.
                if closed && !close_written {
                    write(&Directive::Close)?;
                    close_written = true;
                }
                write(&expectation_of(&line))?;
            }
            SessionEvent::Output(Event::Timeout) => {}
            SessionEvent::Output(Event::Flood) => return Err(RecordError::Flood),
            SessionEvent::Output(Event::Overlong) => return Err(RecordError::Overlong),
            SessionEvent::Output(Event::Eof) => {
                let status = process
                    .wait_until(Instant::now() + timeout)
                    .map_err(RecordError::Status)?
                    .ok_or(RecordError::Running(timeout))?;
                match status.code() {
                    Some(code) => write(&Directive::Exit(Some(code)))?,
                    None => write(&format!("# the engine did not end by itself: {status}"))?,
                }
                return Ok(SessionEnd::Engine(status));
            }
            SessionEvent::Interrupt => {
                process.kill();
                write(&"# interrupted")?;
                return Ok(SessionEnd::Interrupted);
            }
        }
    }
}
