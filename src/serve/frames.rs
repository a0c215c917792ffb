//! Lines as frames of a WebSocket: a text frame is a line, without its line end.

use std::io::{self, BufRead, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tungstenite::error::{CapacityError, Error};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

use super::limits::{IDLE, LINE, LINES_A_SECOND, PING, PINGS, WRITE};

/// The code with which a connection closes whose engine has ended by itself.
pub(super) const ENGINE_ENDED: CloseCode = CloseCode::Library(4001);

/// Both directions of a connection. One thread reads, another writes, and reading writes too, where it answers pings: so
/// that frames don't get mixed, all that is written goes out whole under one lock.
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

/// Locks; a thread that has panicked leaves nothing here half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What both ends know of a connection.
#[derive(Debug)]
struct Shared {
    /// When something was said last, by either side.
    spoken: Mutex<Instant>,
    /// Whether either side has said goodbye, which is said once, and after which nothing is said. Locked by whoever says
    /// something, so that nothing comes in between.
    closing: Mutex<bool>,
}

/// What the page says.
#[derive(Debug)]
pub(super) struct Incoming {
    socket: WebSocket<Wire>,
    shared: Arc<Shared>,
    /// Pings without an answer.
    pings: u32,
    /// Lines in the present second.
    hurry: (Instant, u32),
    line: Vec<u8>,
    read: usize,
    ended: bool,
}

/// What the page hears.
#[derive(Debug)]
pub(super) struct Outgoing {
    socket: WebSocket<Wire>,
    shared: Arc<Shared>,
    gone: bool,
}

/// Makes both ends of a WebSocket of a connection on which the handshake is done.
pub(super) fn open(stream: TcpStream, rest: Vec<u8>) -> io::Result<(Incoming, Outgoing)> {
    stream.set_read_timeout(Some(PING))?;
    stream.set_write_timeout(Some(WRITE))?;
    let output = Arc::new(Mutex::new(stream.try_clone()?));
    let shared = Arc::new(Shared { spoken: Mutex::new(Instant::now()), closing: Mutex::new(false) });
    let wire = |input| Wire { input, output: Arc::clone(&output) };
    let config = WebSocketConfig::default()
        .read_buffer_size(8 << 10)
        .write_buffer_size(0)
        .max_message_size(Some(LINE))
        .max_frame_size(Some(LINE));
    let incoming =
        WebSocket::from_partially_read(wire(stream.try_clone()?), rest, Role::Server, Some(config));
    let outgoing = WebSocket::from_raw_socket(wire(stream), Role::Server, Some(config));
    Ok((
        Incoming {
            socket: incoming,
            shared: Arc::clone(&shared),
            pings: 0,
            hurry: (Instant::now(), 0),
            line: Vec::new(),
            read: 0,
            ended: false,
        },
        Outgoing { socket: outgoing, shared, gone: false },
    ))
}

impl Incoming {
    /// The next line; none when there will be no more.
    pub(super) fn line(&mut self) -> Option<String> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    self.heard();
                    *lock(&self.shared.spoken) = Instant::now();
                    if !text.contains(['\n', '\r']) {
                        return Some(text.as_str().to_owned());
                    }
                    let reason = "info string error: a frame with a line end, expected one line without it";
                    self.answer(reason);
                }
                Ok(Message::Binary(_)) => {
                    self.close(CloseCode::Unsupported, "a binary frame, expected text");
                    return None;
                }
                // Either this is the answer to our goodbye, to which there is none: a page takes a second goodbye for a fault. Or
                // the answer to it has been sent when the next read says that the connection is closed.
                Ok(Message::Close(_)) => {
                    if std::mem::replace(&mut *lock(&self.shared.closing), true) {
                        return None;
                    }
                }
                Ok(_) => self.heard(),
                Err(Error::Io(error)) if is_timeout(&error) => {
                    if lock(&self.shared.spoken).elapsed() > IDLE {
                        self.close(CloseCode::Away, "idle for too long");
                        return None;
                    }
                    self.pings += 1;
                    if self.pings > PINGS {
                        return None;
                    }
                    self.socket.send(Message::Ping(tungstenite::Bytes::new())).ok()?;
                }
                Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => {
                    self.close(CloseCode::Size, "a line that is too long");
                    return None;
                }
                Err(Error::Utf8(_)) => {
                    self.close(CloseCode::Invalid, "text that is no UTF-8");
                    return None;
                }
                Err(Error::Protocol(_)) => {
                    self.close(CloseCode::Protocol, "no WebSocket");
                    return None;
                }
                Err(_) => return None,
            }
        }
    }

    /// Something has come; whoever sends without end is read more slowly.
    fn heard(&mut self) {
        self.pings = 0;
        let (since, count) = &mut self.hurry;
        *count += 1;
        if since.elapsed() > Duration::from_secs(1) {
            self.hurry = (Instant::now(), 1);
        } else if *count > LINES_A_SECOND {
            std::thread::sleep(Duration::from_secs(1).saturating_sub(since.elapsed()));
        }
    }

    /// Says a line out of turn.
    pub(super) fn answer(&mut self, line: &str) {
        // Whoever has gone is found out by the next read.
        let _ = self.socket.send(Message::text(line));
    }

    fn close(&mut self, code: CloseCode, reason: &'static str) {
        if std::mem::replace(&mut *lock(&self.shared.closing), true) {
            return;
        }
        // Whoever has gone needs no goodbye.
        let _ = self.socket.close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = self.socket.flush();
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

impl BufRead for Incoming {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read >= self.line.len() && !self.ended {
            // A connection that goes away ends its engine at once: what it had asked for is of no use to anybody.
            let line = self.line();
            self.ended = line.is_none();
            self.line = line.unwrap_or_else(|| "quit".to_owned()).into_bytes();
            self.line.push(b'\n');
            self.read = 0;
        }
        Ok(self.line.get(self.read..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.read += count;
    }
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl Outgoing {
    /// Says a line.
    pub(super) fn say(&mut self, line: &str) {
        *lock(&self.shared.spoken) = Instant::now();
        let closing = lock(&self.shared.closing);
        if self.gone || *closing {
            return;
        }
        if self.socket.send(Message::text(line)).is_err() {
            self.gone = true;
            // The reader must hear of it: it waits for a page that reads nothing, or not any more.
            let _ = lock(&self.socket.get_ref().output).shutdown(Shutdown::Both);
        }
    }

    /// Says goodbye, and why.
    pub(super) fn close(&mut self, code: CloseCode, reason: &str) {
        self.part(code, reason);
        let _ = lock(&self.socket.get_ref().output).shutdown(Shutdown::Both);
    }

    /// Says goodbye to a page that may still be saying something. A connection that is closed with lines unread is reset, and
    /// the page would not hear why: whoever reads goes on until the page has closed it.
    pub(super) fn part(&mut self, code: CloseCode, reason: &str) {
        self.goodbye(code, reason);
        let _ = lock(&self.socket.get_ref().output).shutdown(Shutdown::Write);
    }

    fn goodbye(&mut self, code: CloseCode, reason: &str) {
        if !std::mem::replace(&mut *lock(&self.shared.closing), true) {
            // Whoever has gone needs no goodbye.
            let _ = self.socket.close(Some(CloseFrame { code, reason: reason.into() }));
            let _ = self.socket.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A session's two ends, and the page's.
    fn session() -> (Incoming, Outgoing, TcpStream) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let page = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (incoming, outgoing) = open(listener.accept().unwrap().0, Vec::new()).unwrap();
        (incoming, outgoing, page)
    }

    /// What the page says when it closes, or has heard that we do: a masked frame without a code.
    const CLOSE: [u8; 6] = [0x88, 0x80, 1, 2, 3, 4];

    #[test]
    fn our_goodbye_is_said_once() {
        let (mut incoming, mut outgoing, mut page) = session();
        outgoing.goodbye(ENGINE_ENDED, "why");
        // The page is quicker than whoever said it.
        page.write_all(&CLOSE).unwrap();
        assert_eq!(incoming.line(), None);
        outgoing.part(ENGINE_ENDED, "again");
        drop((incoming, outgoing));
        let mut heard = Vec::new();
        page.read_to_end(&mut heard).unwrap();
        assert_eq!(heard, b"\x88\x05\x0f\xa1why");
    }

    #[test]
    fn the_pages_goodbye_is_answered() {
        let (mut incoming, mut outgoing, mut page) = session();
        page.write_all(&CLOSE).unwrap();
        assert_eq!(incoming.line(), None);
        outgoing.say("too late");
        outgoing.part(ENGINE_ENDED, "too late");
        drop((incoming, outgoing));
        let mut heard = Vec::new();
        page.read_to_end(&mut heard).unwrap();
        assert_eq!(heard, b"\x88\x00");
    }
}
