//! A session without threads, for a program that runs where there is only one.

use std::cell::RefCell;
use std::io;
use std::sync::mpsc::{Receiver, channel};

use super::input::{Input, MAX_LINE};
use super::worker::{Job, Message, perform};
use super::{Protocol, Session};
use engine::Engine;

/// A session and its engine on one thread. Its caller delivers lines, and lets the engine work.
///
/// A search calls [`common::host::pause`] now and then. If the host delivers lines in that call, those that stop the
/// search or need no engine take effect at once.
///
/// ```
/// use engine::Engine;
/// use protocol::{Native, SingleThreadedSession};
///
/// let mut output = String::new();
/// let write = |text: &str| Ok(output.push_str(text));
/// let session = SingleThreadedSession::new(Engine::with_table(1)?, Native::default(), write);
/// session.line("go depth 3")?;
/// while session.work()? {}
/// drop(session);
/// assert!(output.contains("bestmove "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SingleThreadedSession<P, W> {
    session: RefCell<Session<P, W>>,
    engine: RefCell<Engine>,
    jobs: Receiver<Job>,
}

impl<P: Protocol, W: FnMut(&str) -> io::Result<()>> SingleThreadedSession<P, W> {
    /// Begins a session. `write` writes and flushes whole lines.
    pub fn new(engine: Engine, protocol: P, write: W) -> Self {
        let (sender, jobs) = channel();
        Self {
            session: RefCell::new(Session::new(protocol, write, sender)),
            engine: RefCell::new(engine),
            jobs,
        }
    }

    /// Executes a line. What needs the engine waits until it works.
    ///
    /// # Errors
    ///
    /// When the output cannot be written.
    pub fn line(&self, line: &str) -> io::Result<()> {
        let input = match line.len() {
            length if length > MAX_LINE => Input::TooLong,
            _ => Input::Line(line.to_owned()),
        };
        self.session.borrow_mut().receive(Message::Input(input))
    }

    /// Does the next thing that waits for the engine. Returns false if nothing waits, or the engine works already.
    ///
    /// # Errors
    ///
    /// When the output cannot be written.
    pub fn work(&self) -> io::Result<bool> {
        let Ok(mut engine) = self.engine.try_borrow_mut() else { return Ok(false) };
        let Ok(job) = self.jobs.try_recv() else { return Ok(false) };
        let failed = RefCell::new(Ok(()));
        perform(&mut engine, job, &|message| {
            let sent = self.session.borrow_mut().receive(message);
            if sent.is_err() {
                *failed.borrow_mut() = sent;
            }
        });
        failed.into_inner().map(|()| true)
    }

    /// Changes the engine between two jobs. Returns false if it works.
    pub fn with_engine(&self, change: impl FnOnce(&mut Engine)) -> bool {
        self.engine.try_borrow_mut().map(|mut engine| change(&mut engine)).is_ok()
    }
}
