//! A live session with an engine, written down as a transcript.
//!
//! Every line is written as soon as it is sent or has come, so that nothing is lost when the session is cut short. The
//! input, the output and interrupts come through one channel, whose order is the order of the transcript.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use std::{error, fmt};

use super::item::{Directive, Item};
use super::volatile::expectation_of;
use players::process::{Event, LONGEST_LINE, Process, SendError};

/// More output than anyone would want in a transcript; a disk must not fill up with it.
const MOST_LINES: usize = 1 << 18;

/// Something that happens in a session.
#[derive(Debug)]
pub enum Happening {
    /// A line was typed.
    Input(String),
    /// There will be no more input.
    InputEnd,
    /// The input can't be read.
    InputFailed(io::Error),
    /// The engine's output brought something.
    Output(Event),
    /// The user wants to end the session.
    Interrupt,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The engine ended.
    Engine(ExitStatus),
    /// The user ended it.
    Interrupted,
}

/// Why a session could not go on. What was recorded until then is in the file.
#[derive(Debug)]
pub enum RecordError {
    /// The transcript can't be written.
    Write(io::Error),
    /// The input can't be read.
    Input(io::Error),
    /// A line can't be sent to the engine.
    Send(SendError),
    /// The engine prints without end.
    Flood,
    /// The engine printed a line too long to be one.
    Overlong,
    /// The engine did not end when its input had.
    Running(Duration),
    /// It can't be told how the engine ended.
    Status(io::Error),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => write!(f, "cannot write the transcript: {error}"),
            Self::Input(error) => write!(f, "cannot read the input: {error}"),
            Self::Send(error) => error.fmt(f),
            Self::Flood => write!(f, "the engine floods its output"),
            Self::Overlong => write!(f, "the engine printed a line of more than {LONGEST_LINE} bytes"),
            Self::Running(time) => {
                write!(f, "the engine did not end within {} s of the end of its input", time.as_secs_f64())
            }
            Self::Status(error) => write!(f, "cannot tell how the engine ended: {error}"),
        }
    }
}

impl error::Error for RecordError {}

/// Starts to read an input and an engine's output, each in a thread of its own, into one channel. More may be sent into
/// it from elsewhere.
///
/// # Errors
///
/// When the threads can't be started.
pub fn listen(
    process: &Arc<Process>,
    input: impl BufRead + Send + 'static,
) -> io::Result<(SyncSender<Happening>, Receiver<Happening>)> {
    // Small, so that a flood is held up where it is counted.
    let (sender, receiver) = sync_channel(64);
    let output = (sender.clone(), Arc::clone(process));
    thread::Builder::new().name("output".to_owned()).spawn(move || read_output(&output.0, &output.1))?;
    let other = sender.clone();
    thread::Builder::new().name("input".to_owned()).spawn(move || read_input(&other, input))?;
    Ok((sender, receiver))
}

fn read_output(sender: &SyncSender<Happening>, process: &Process) {
    loop {
        let event = process.recv_until(Instant::now() + Duration::from_secs(3600));
        let last = matches!(event, Event::Eof | Event::Flood | Event::Overlong);
        if event != Event::Timeout && sender.send(Happening::Output(event)).is_err() || last {
            return;
        }
    }
}

fn read_input(sender: &SyncSender<Happening>, mut input: impl BufRead) {
    loop {
        let mut line = Vec::new();
        let limit = LONGEST_LINE as u64 + 2;
        let happening = match input.by_ref().take(limit).read_until(b'\n', &mut line) {
            Ok(0) => Happening::InputEnd,
            Ok(_) if line.len() > LONGEST_LINE && !line.ends_with(b"\n") => {
                Happening::InputFailed(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("a line of more than {LONGEST_LINE} bytes"),
                ))
            }
            Ok(_) => {
                let line = line.strip_suffix(b"\n").unwrap_or(&line);
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                Happening::Input(String::from_utf8_lossy(line).into_owned())
            }
            Err(error) => Happening::InputFailed(error),
        };
        let last = !matches!(happening, Happening::Input(_));
        if sender.send(happening).is_err() || last {
            return;
        }
    }
}

/// Lets an input talk to an engine until the engine ends, and writes down what is said. `show` gets every line of output.
/// An engine may be still for so long as `patience`, once its input has ended, or if it doesn't read.
///
/// # Errors
///
/// When the session could not go on.
pub fn session(
    process: &Process,
    happenings: &Receiver<Happening>,
    mut transcript: impl Write,
    patience: Duration,
    mut show: impl FnMut(&str),
) -> Result<Ending, RecordError> {
    let mut write = |line: &dyn fmt::Display| {
        transcript
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| transcript.flush())
            .map_err(RecordError::Write)
    };
    let (mut closed, mut close_written) = (false, false);
    let mut lines = 0;
    loop {
        // An engine may think for ever as long as someone could still type.
        let wait = if closed { patience } else { Duration::from_secs(1 << 30) };
        let happening = match happenings.recv_timeout(wait) {
            Ok(happening) => happening,
            Err(RecvTimeoutError::Timeout) => return Err(RecordError::Running(patience)),
            // Only if a thread has died.
            Err(RecvTimeoutError::Disconnected) => Happening::Interrupt,
        };
        match happening {
            Happening::Input(line) => {
                let item = Item::Send(line);
                write(&item)?;
                match process.send(&item.sent().unwrap_or_default(), Instant::now() + patience) {
                    // It has ended: its output will say so.
                    Ok(()) | Err(SendError::Closed) => {}
                    Err(error) => return Err(RecordError::Send(error)),
                }
            }
            Happening::InputEnd => {
                process.close_stdin();
                closed = true;
            }
            Happening::InputFailed(error) => return Err(RecordError::Input(error)),
            Happening::Output(Event::Line(line, _)) => {
                lines += 1;
                if lines > MOST_LINES {
                    return Err(RecordError::Flood);
                }
                show(&line);
                // At its end a transcript closes the input in any case.
                if closed && !close_written {
                    write(&Directive::Close)?;
                    close_written = true;
                }
                write(&expectation_of(&line))?;
            }
            Happening::Output(Event::Timeout) => {}
            Happening::Output(Event::Flood) => return Err(RecordError::Flood),
            Happening::Output(Event::Overlong) => return Err(RecordError::Overlong),
            Happening::Output(Event::Eof) => {
                let status = process
                    .wait_until(Instant::now() + patience)
                    .map_err(RecordError::Status)?
                    .ok_or(RecordError::Running(patience))?;
                match status.code() {
                    Some(code) => write(&Directive::Exit(Some(code)))?,
                    None => write(&format!("# the engine did not end by itself: {status}"))?,
                }
                return Ok(Ending::Engine(status));
            }
            Happening::Interrupt => {
                process.kill();
                write(&"# interrupted")?;
                return Ok(Ending::Interrupted);
            }
        }
    }
}
