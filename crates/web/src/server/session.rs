//! A session over a WebSocket: lines to and from an engine, until either side ends. Lines of other programs
//! are forwarded, and translated if their protocol is not the native one.

use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::protocol::frame::coding::CloseCode;

use super::frames::{self, ENGINE_ENDED, Incoming, Outgoing};
use super::limits::DEFAULT_HASH;
use super::permissions::{Permissions, RestrictedProtocol};
use super::translator::Translator;
use kelso_engine::Engine;
use kelso_players::client::{EngineClient, quit};
use kelso_players::spec::EngineSpec;
use kelso_process::{Event, Process, SendError};
use kelso_protocol::{Client, Dialect, Session, Verb};
use kelso_runtime::lines::InputLine;
use kelso_runtime::stop::StopToken;
use kelso_runtime::sync::lock;

/// Time within which the program must read a line.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);
/// How long an unusable program may take to exit on its own.
const EXIT_PATIENCE: Duration = Duration::from_millis(500);
/// Time within which the program must exit after it was asked to quit.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval between checks for the program's exit.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Runs a session with this program's engine or with another one.
pub(super) fn run(stream: &TcpStream, rest: Vec<u8>, engine: Option<&EngineSpec>, permissions: Permissions) {
    let (mut incoming, mut outgoing) = match frames::open(stream, rest) {
        Ok(ends) => ends,
        Err(error) => return log::warn!("cannot open a WebSocket: {error}"),
    };
    match engine {
        Some(engine) => run_external(engine, incoming, &mut outgoing, permissions),
        None => match Engine::new(permissions.engine_settings(DEFAULT_HASH)) {
            Ok(engine) => {
                let protocol = RestrictedProtocol::new(permissions);
                let read = move |handle: &mut dyn FnMut(InputLine) -> bool| {
                    while incoming.line().is_some_and(|line| handle(InputLine::Line(line))) {}
                    // When the connection is lost, the engine quits immediately.
                    handle(InputLine::Line(Dialect::Native.client().verb(Verb::Quit).to_owned()));
                };
                // Writing never fails: if the connection is lost, the input ends, which ends the session and
                // stops its searches.
                let write = |text: &str| {
                    text.lines().for_each(|line| outgoing.send(line));
                    Ok(())
                };
                match Session::run(engine, protocol, read, write) {
                    Ok(()) => outgoing.close(CloseCode::Normal, "the session has ended"),
                    Err(error) => outgoing.close(ENGINE_ENDED, &shortened(&error.to_string())),
                }
            }
            Err(error) => outgoing.close(ENGINE_ENDED, &error.to_string()),
        },
    }
}

/// Runs a session with another program until the connection is lost, which ends the program, or the program
/// exits.
fn run_external(
    spec: &EngineSpec,
    mut incoming: Incoming,
    outgoing: &mut Outgoing,
    permissions: Permissions,
) {
    let process = match Process::spawn(&spec.command) {
        Ok(process) => Arc::new(process),
        Err(error) => {
            end(outgoing, "", &error.to_string());
            return discard(&mut incoming);
        }
    };
    let translator = Arc::new(Mutex::new(Translator::new(spec.protocol)));
    let stop = StopToken::default();
    let input = EngineInput {
        process: Arc::clone(&process),
        translator: Arc::clone(&translator),
        protocol: spec.protocol.client(),
        stop: stop.clone(),
    };
    let reader =
        thread::Builder::new().name("input".into()).spawn(move || input.forward(incoming, permissions));
    if let Err(error) = reader {
        return end(outgoing, "", &format!("cannot start a thread for the engine's input: {error}"));
    }
    let connected = EngineClient::connect(spec, Arc::clone(&process), None, &stop, &|_| ());
    match connected {
        Ok(client) => {
            // Send waiting lines before those that the page sends from now on.
            let mut translator = lock(&translator);
            let lines = translator.connected(client.identity().clone());
            lines.page.iter().for_each(|line| outgoing.send(line));
            // A program that does not read is detected when the page sends a line.
            let _ = send(&process, &lines.engine);
        }
        // The exit of the program is reported below.
        Err(_) if has_exited(&process) => {}
        Err(error) => {
            process.kill();
            return end(outgoing, &format!("cannot use the engine {}: ", spec.name), &format!("it {error}"));
        }
    }
    let reason = forward_output(&process, &translator, outgoing);
    end(outgoing, &format!("the engine {} has ended: ", spec.name), &reason);
}

/// Forwards a program's lines to the page until they end. Returns the reason of the end.
fn forward_output(process: &Process, translator: &Mutex<Translator>, outgoing: &mut Outgoing) -> String {
    loop {
        match process.recv_until(Instant::now() + POLL_INTERVAL) {
            Event::Line(line, _) => {
                lock(translator).of_engine(&line).iter().for_each(|line| outgoing.send(line));
            }
            Event::Timeout => {}
            Event::Overlong | Event::Flood => {
                process.kill();
                return "it wrote too much output".to_owned();
            }
            Event::Eof => break,
        }
    }
    let status = process.wait_until(Instant::now() + QUIT_TIMEOUT).ok().flatten();
    process.kill();
    let stderr = process.stderr_end();
    let last_line = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    let status = status.map_or_else(|| "closed its output".to_owned(), |status| status.to_string());
    match last_line {
        Some(line) => format!("{status}, {line}"),
        None => status,
    }
}

/// Returns whether a program has closed its output. A write may fail shortly before.
fn has_exited(process: &Process) -> bool {
    let deadline = Instant::now() + EXIT_PATIENCE;
    loop {
        match process.recv_until(deadline) {
            Event::Eof => return true,
            Event::Line(..) => {}
            Event::Timeout | Event::Overlong | Event::Flood => return false,
        }
    }
}

/// The input of an engine, which receives the page's lines.
struct EngineInput {
    process: Arc<Process>,
    translator: Arc<Mutex<Translator>>,
    protocol: &'static dyn Client,
    /// Stopped when the connection is lost.
    stop: StopToken,
}

impl EngineInput {
    /// Forwards the page's lines, and ends the program when the connection ends.
    fn forward(self, mut incoming: Incoming, permissions: Permissions) {
        while let Some(line) = incoming.line() {
            let translated = lock(&self.translator).of_page(&line, &permissions);
            let lines = match translated {
                Ok(lines) => lines,
                Err(reason) => {
                    incoming.send(&format!("info string error: {reason}"));
                    continue;
                }
            };
            lines.page.iter().for_each(|line| incoming.send(line));
            if send(&self.process, &lines.engine).is_err() {
                break;
            }
        }
        self.stop.stop();
        quit(&self.process, self.protocol);
        discard(&mut incoming);
    }
}

fn send(process: &Process, lines: &[String]) -> Result<(), SendError> {
    if lines.is_empty() { Ok(()) } else { process.send(&lines.join("\n"), Instant::now() + SEND_TIMEOUT) }
}

/// Discards the lines of a page until it has closed the connection.
fn discard(incoming: &mut Incoming) {
    let deadline = Instant::now() + SEND_TIMEOUT;
    while Instant::now() < deadline && incoming.line().is_some() {}
}

/// Reports the engine's exit in a line and as the reason in the close frame.
fn end(outgoing: &mut Outgoing, prefix: &str, reason: &str) {
    outgoing.send(&format!("info string error: {prefix}{reason}"));
    outgoing.finish(ENGINE_ENDED, &shortened(reason));
}

/// Truncates text at a word boundary, to the 123 bytes that a close frame can hold besides its code.
fn shortened(text: &str) -> String {
    const ROOM: usize = 123;
    let text = text.trim();
    if text.len() <= ROOM {
        return text.to_owned();
    }
    let end = (0..=ROOM - " …".len()).rev().find(|&end| text.is_char_boundary(end));
    let head = end.map_or("", |end| &text[..end]);
    let end = head.rfind(char::is_whitespace).unwrap_or(head.len());
    format!("{} …", head[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_cut_between_words() {
        assert_eq!(shortened(" cannot start "), "cannot start");
        let long = shortened(&"wörds with spaces ".repeat(20));
        assert!(long.len() <= 123, "{long}");
        assert!(["wörds …", "with …", "spaces …"].iter().any(|end| long.ends_with(end)), "{long}");
        assert!(shortened(&"ö".repeat(200)).len() <= 123);
    }
}
