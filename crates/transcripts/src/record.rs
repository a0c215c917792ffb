//! Records a session with an engine as a transcript.
//!
//! Every line is written immediately, so that nothing is lost if the session is interrupted. Input, output
//! and interrupts arrive through one channel, which determines their order in the transcript.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::runner::depends_on_time;
use super::update::expectation_of;
use players::process::{Event, MAX_LINE, Process, SendError};
use protocol::{InputLine, read_lines};

/// Maximum number of lines, so that an engine cannot fill the disk.
const MAX_LINES: usize = 1 << 18;
/// The output is awaited without a limit, in periods of this length.
const WAIT: Duration = Duration::from_secs(3600);

#[derive(Debug)]
pub enum SessionEvent {
    /// A line of the input, or its end.
    Input(InputLine),
    /// An event of the engine's output.
    Output(Event),
    /// The user interrupts the session.
    Interrupt,
}

/// An error that ends a session. The file has the transcript so far.
#[derive(Error, Debug)]
pub enum RecordError {
    #[error("cannot write the transcript: {0}")]
    Transcript(io::Error),
    #[error(transparent)]
    Send(SendError),
    #[error("cannot send a line of more than {MAX_LINE} bytes")]
    LongInput,
    #[error("the engine printed a line of more than {MAX_LINE} bytes")]
    LongOutput,
    #[error("the engine wrote too much output")]
    Flood,
    #[error("the engine did not exit within {} s of the end of its input", .0.as_secs_f64())]
    Running(Duration),
    #[error("cannot determine how the engine ended: {0}")]
    Exit(io::Error),
}

/// Starts threads that read the input and an engine's output into one channel. Other events may be sent to it
/// as well.
pub fn start_readers(
    process: &Arc<Process>,
    input: impl BufRead + Send + 'static,
) -> io::Result<(SyncSender<SessionEvent>, Receiver<SessionEvent>)> {
    // The channel is small, so that a flood of output is detected.
    let (sender, receiver) = sync_channel(64);
    let output = (sender.clone(), Arc::clone(process));
    thread::Builder::new().name("output".to_owned()).spawn(move || read_output(&output.0, &output.1))?;
    let other = sender.clone();
    let read_input = move || read_lines(input, |input| other.send(SessionEvent::Input(input)).is_ok());
    thread::Builder::new().name("input".to_owned()).spawn(read_input)?;
    Ok((sender, receiver))
}

fn read_output(sender: &SyncSender<SessionEvent>, process: &Process) {
    loop {
        let event = process.recv_until(Instant::now() + WAIT);
        let last = matches!(event, Event::Eof | Event::Flood | Event::Overlong);
        if event != Event::Timeout && sender.send(SessionEvent::Output(event)).is_err() || last {
            return;
        }
    }
}

/// Records a session until the engine or the user ends it. `show` is called with every line of output. After
/// the end of the input, the engine may be silent for up to `timeout`. The engine must read every line within
/// that time.
pub fn session(
    process: &Process,
    events: &Receiver<SessionEvent>,
    mut transcript: impl Write,
    timeout: Duration,
    mut show: impl FnMut(&str),
) -> Result<(), RecordError> {
    let mut write = |line: &dyn fmt::Display| {
        transcript
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| transcript.flush())
            .map_err(RecordError::Transcript)
    };
    let (mut closed, mut close_written) = (false, false);
    let mut lines = 0;
    loop {
        // There is no timeout while the input is open.
        let received = if closed { events.recv_timeout(timeout) } else { events.recv().map_err(Into::into) };
        let event = match received {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return Err(RecordError::Running(timeout)),
            // This is only possible if a thread has panicked.
            Err(RecvTimeoutError::Disconnected) => SessionEvent::Interrupt,
        };
        match event {
            SessionEvent::Input(InputLine::Line(line)) => {
                write(&format_args!(">{}{line}", if line.is_empty() { "" } else { " " }))?;
                match process.send(&line, Instant::now() + timeout) {
                    // The output will end soon.
                    Ok(()) | Err(SendError::Closed) => {}
                    Err(error) => return Err(RecordError::Send(error)),
                }
            }
            SessionEvent::Input(InputLine::End) => {
                process.close_stdin();
                closed = true;
            }
            SessionEvent::Input(InputLine::TooLong) => {
                return Err(RecordError::LongInput);
            }
            SessionEvent::Output(Event::Line(line, _)) => {
                lines += 1;
                if lines > MAX_LINES {
                    return Err(RecordError::Flood);
                }
                show(&line);
                if depends_on_time(&line) {
                    continue;
                }
                // This only matters if output follows.
                if closed && !close_written {
                    write(&"! close")?;
                    close_written = true;
                }
                write(&expectation_of(&line))?;
            }
            SessionEvent::Output(Event::Timeout) => {}
            SessionEvent::Output(Event::Flood) => return Err(RecordError::Flood),
            SessionEvent::Output(Event::Overlong) => return Err(RecordError::LongOutput),
            SessionEvent::Output(Event::Eof) => {
                let status = process
                    .wait_until(Instant::now() + timeout)
                    .map_err(RecordError::Exit)?
                    .ok_or(RecordError::Running(timeout))?;
                return match status.code() {
                    Some(code) => write(&format_args!("! exit {code}")),
                    None => write(&format_args!("# the engine did not exit on its own: {status}")),
                };
            }
            SessionEvent::Interrupt => {
                process.kill();
                return write(&"# interrupted");
            }
        }
    }
}
