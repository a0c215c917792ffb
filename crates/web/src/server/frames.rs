//! Lines over WebSocket frames: each text frame carries one line, without its newline.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tungstenite::error::{CapacityError, Error};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

use super::limits::{
    IDLE_TIMEOUT, MAX_LINE, MAX_LINES_PER_SECOND, MAX_UNANSWERED_PINGS, PING_INTERVAL, WRITE_TIMEOUT,
};
use kelso_runtime::sync::lock;

/// The close code if the engine exited on its own.
pub(super) const ENGINE_ENDED: CloseCode = CloseCode::Library(4001);

/// Both directions of a connection. One thread reads and another writes, but reading also writes answers to
/// pings. Each frame is written under a lock, so that frames do not interleave.
#[derive(Debug)]
struct Wire {
    input: TcpStream,
    output: Arc<Mutex<TcpStream>>,
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.output).write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        lock(&self.output).flush()
    }
}

#[derive(Debug)]
struct Shared {
    /// The time of the last line in either direction.
    last_line: Mutex<Instant>,
    /// Set once a close frame was sent or received. Only one is sent, and no other message after it, so
    /// this is locked while a message is sent.
    closing: Mutex<bool>,
}

impl Shared {
    /// Sends a message, unless a close frame was sent or received.
    fn send(&self, socket: &mut WebSocket<Wire>, message: Message) -> Result<(), Error> {
        let mut closing = lock(&self.closing);
        if *closing {
            return Ok(());
        }
        *closing = message.is_close();
        socket.send(message)
    }

    fn close(&self, socket: &mut WebSocket<Wire>, code: CloseCode, reason: &str) {
        // An error means that the connection is lost.
        let _ = self.send(socket, Message::Close(Some(CloseFrame { code, reason: reason.into() })));
    }
}

/// The lines from the page.
#[derive(Debug)]
pub(super) struct Incoming {
    socket: WebSocket<Wire>,
    shared: Arc<Shared>,
    pings: u32,
    /// The start of the current second, and the frames received since.
    rate: (Instant, u32),
    /// Set once the page has answered our close frame. The socket would answer the answer at the next read,
    /// and browsers report a second close frame as an error.
    answered: bool,
}

/// The lines to the page.
#[derive(Debug)]
pub(super) struct Outgoing {
    socket: WebSocket<Wire>,
    shared: Arc<Shared>,
    disconnected: bool,
}

/// Creates both directions of a WebSocket after the handshake.
pub(super) fn open(stream: &TcpStream, rest: Vec<u8>) -> io::Result<(Incoming, Outgoing)> {
    stream.set_read_timeout(Some(PING_INTERVAL))?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let output = Arc::new(Mutex::new(stream.try_clone()?));
    let shared = Arc::new(Shared { last_line: Mutex::new(Instant::now()), closing: Mutex::new(false) });
    let wire = |input| Wire { input, output: Arc::clone(&output) };
    let config = WebSocketConfig::default()
        .read_buffer_size(8 << 10)
        .write_buffer_size(0)
        .max_message_size(Some(MAX_LINE))
        .max_frame_size(Some(MAX_LINE));
    let incoming =
        WebSocket::from_partially_read(wire(stream.try_clone()?), rest, Role::Server, Some(config));
    let outgoing = WebSocket::from_raw_socket(wire(stream.try_clone()?), Role::Server, Some(config));
    Ok((
        Incoming {
            socket: incoming,
            shared: Arc::clone(&shared),
            pings: 0,
            rate: (Instant::now(), 0),
            answered: false,
        },
        Outgoing { socket: outgoing, shared, disconnected: false },
    ))
}

impl Incoming {
    pub(super) fn line(&mut self) -> Option<String> {
        while !self.answered {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    self.count_frame();
                    *lock(&self.shared.last_line) = Instant::now();
                    if !text.contains(['\n', '\r']) {
                        return Some(text.as_str().to_owned());
                    }
                    self.send("info string error: a frame must be one line without a newline");
                }
                Ok(Message::Binary(_)) => {
                    return self.close(CloseCode::Unsupported, "binary frames are not supported");
                }
                // If the page closes first, the next read sends the answer and reports that the connection is
                // closed.
                Ok(Message::Close(_)) => {
                    self.answered = std::mem::replace(&mut *lock(&self.shared.closing), true);
                }
                Ok(_) => self.count_frame(),
                Err(Error::Io(error)) if is_timeout(&error) => {
                    if lock(&self.shared.last_line).elapsed() > IDLE_TIMEOUT {
                        return self.close(CloseCode::Away, "idle for too long");
                    }
                    self.pings += 1;
                    if self.pings > MAX_UNANSWERED_PINGS {
                        return None;
                    }
                    let ping = Message::Ping(tungstenite::Bytes::new());
                    self.shared.send(&mut self.socket, ping).ok()?;
                }
                Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => {
                    return self.close(CloseCode::Size, "line too long");
                }
                Err(Error::Utf8(_)) => return self.close(CloseCode::Invalid, "invalid UTF-8"),
                Err(Error::Protocol(_)) => {
                    return self.close(CloseCode::Protocol, "WebSocket protocol error");
                }
                Err(_) => return None,
            }
        }
        None
    }

    /// Counts a frame, and waits if there are too many in this second.
    fn count_frame(&mut self) {
        self.pings = 0;
        let (since, count) = &mut self.rate;
        *count += 1;
        if since.elapsed() > Duration::from_secs(1) {
            self.rate = (Instant::now(), 1);
        } else if *count > MAX_LINES_PER_SECOND {
            std::thread::sleep(Duration::from_secs(1).saturating_sub(since.elapsed()));
        }
    }

    pub(super) fn send(&mut self, line: &str) {
        // The next read will report the error.
        let _ = self.shared.send(&mut self.socket, Message::text(line));
    }

    /// Sends a close frame. Always returns `None`, which ends the stream of lines.
    fn close(&mut self, code: CloseCode, reason: &str) -> Option<String> {
        self.shared.close(&mut self.socket, code, reason);
        None
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

impl Outgoing {
    pub(super) fn send(&mut self, line: &str) {
        *lock(&self.shared.last_line) = Instant::now();
        if !self.disconnected && self.shared.send(&mut self.socket, Message::text(line)).is_err() {
            self.disconnected = true;
            // This ends the read on the other thread, which may be waiting for a page that does not respond.
            let _ = lock(&self.socket.get_ref().output).shutdown(Shutdown::Both);
        }
    }

    /// Sends a close frame and closes the connection.
    pub(super) fn close(&mut self, code: CloseCode, reason: &str) {
        self.finish(code, reason);
        let _ = lock(&self.socket.get_ref().output).shutdown(Shutdown::Both);
    }

    /// Sends a close frame and stops writing. Closing a connection with unread lines would reset it, and the
    /// page would not receive the reason, so the other thread reads until the page has closed it.
    pub(super) fn finish(&mut self, code: CloseCode, reason: &str) {
        self.shared.close(&mut self.socket, code, reason);
        let _ = lock(&self.socket.get_ref().output).shutdown(Shutdown::Write);
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Returns both directions of a session, and the page's connection.
    fn session() -> (Incoming, Outgoing, TcpStream) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let page = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (incoming, outgoing) = open(&listener.accept().unwrap().0, Vec::new()).unwrap();
        (incoming, outgoing, page)
    }

    /// The close frame of a page: masked and without a code.
    const CLOSE: [u8; 6] = [0x88, 0x80, 1, 2, 3, 4];

    #[test]
    fn our_close_frame_is_the_last_one() {
        let (mut incoming, mut outgoing, mut page) = session();
        outgoing.shared.close(&mut outgoing.socket, ENGINE_ENDED, "why");
        incoming.send("too late");
        page.write_all(&CLOSE).unwrap();
        assert_eq!(incoming.line(), None);
        assert_eq!(incoming.line(), None);
        outgoing.finish(ENGINE_ENDED, "again");
        drop((incoming, outgoing));
        let mut received = Vec::new();
        page.read_to_end(&mut received).unwrap();
        assert_eq!(received, b"\x88\x05\x0f\xa1why");
    }

    #[test]
    fn the_pages_close_frame_is_answered() {
        let (mut incoming, mut outgoing, mut page) = session();
        page.write_all(&CLOSE).unwrap();
        assert_eq!(incoming.line(), None);
        outgoing.send("too late");
        outgoing.finish(ENGINE_ENDED, "too late");
        drop((incoming, outgoing));
        let mut received = Vec::new();
        page.read_to_end(&mut received).unwrap();
        assert_eq!(received, b"\x88\x00");
    }
}
