//! Records a session with an engine as a transcript.
//!
//! Every line is written immediately, so that nothing is lost if the session is interrupted. Input, output
//! and interrupts arrive through one channel, which determines their order in the transcript.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::runner::depends_on_time;
use super::update::expectation_of;
use kelso_process::{Event, MAX_LINE, Process, SendError};
use kelso_runtime::lines::{InputLine, read_lines};

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
    let input_sender = sender.clone();
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(input, |input| input_sender.send(SessionEvent::Input(input)).is_ok()))?;
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
    transcript: &mut dyn Write,
    timeout: Duration,
    show: &mut dyn FnMut(&str),
) -> Result<(), RecordError> {
    let mut recorder =
        SessionRecorder { process, transcript, timeout, show, closed: false, close_written: false, lines: 0 };
    loop {
        // There is no timeout while the input is open.
        let received =
            if recorder.closed { events.recv_timeout(timeout) } else { events.recv().map_err(Into::into) };
        let event = match received {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => return Err(RecordError::Running(timeout)),
            // This is only possible if a thread has panicked.
            Err(RecvTimeoutError::Disconnected) => SessionEvent::Interrupt,
        };
        match event {
            SessionEvent::Input(input) => recorder.input(input)?,
            SessionEvent::Output(Event::Line(line, _)) => recorder.output(&line)?,
            SessionEvent::Output(Event::Timeout) => {}
            SessionEvent::Output(Event::Flood) => return Err(RecordError::Flood),
            SessionEvent::Output(Event::Overlong) => return Err(RecordError::LongOutput),
            SessionEvent::Output(Event::Eof) => return recorder.end(),
            SessionEvent::Interrupt => {
                process.kill();
                return recorder.write("# interrupted");
            }
        }
    }
}

struct SessionRecorder<'a> {
    process: &'a Process,
    transcript: &'a mut dyn Write,
    timeout: Duration,
    show: &'a mut dyn FnMut(&str),
    /// The input has ended.
    closed: bool,
    /// The transcript has the end of the input. It is written only if output follows.
    close_written: bool,
    /// Number of lines of output.
    lines: usize,
}

impl SessionRecorder<'_> {
    fn write(&mut self, line: &str) -> Result<(), RecordError> {
        let written = self.transcript.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| self.transcript.flush()).map_err(RecordError::Transcript)
    }

    fn input(&mut self, input: InputLine) -> Result<(), RecordError> {
        match input {
            InputLine::Line(line) => {
                self.write(&if line.is_empty() { ">".to_owned() } else { format!("> {line}") })?;
                match self.process.send(&line, Instant::now() + self.timeout) {
                    // The output will end soon.
                    Ok(()) | Err(SendError::Closed) => {}
                    Err(error) => return Err(RecordError::Send(error)),
                }
            }
            InputLine::End(_) => {
                self.process.close_stdin();
                self.closed = true;
            }
            InputLine::TooLong => return Err(RecordError::LongInput),
        }
        Ok(())
    }

    fn output(&mut self, line: &str) -> Result<(), RecordError> {
        self.lines += 1;
        if self.lines > MAX_LINES {
            return Err(RecordError::Flood);
        }
        (self.show)(line);
        if depends_on_time(line) {
            return Ok(());
        }
        if self.closed && !self.close_written {
            self.write("! close")?;
            self.close_written = true;
        }
        self.write(&expectation_of(line).to_string())
    }

    /// Writes how the engine ended.
    fn end(&mut self) -> Result<(), RecordError> {
        let status = self.process.wait_until(Instant::now() + self.timeout).map_err(RecordError::Exit)?;
        let status = status.ok_or(RecordError::Running(self.timeout))?;
        self.write(&match status.code() {
            Some(code) => format!("! exit {code}"),
            None => format!("# the engine did not exit on its own: {status}"),
        })
    }
}
