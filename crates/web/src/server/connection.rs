//! An HTTP connection and its requests.

use std::io::{self, Cursor, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

use serde_json::Value;
use tungstenite::handshake::derive_accept_key;
use tungstenite::http::StatusCode as Status;

use super::assets;
use super::http::{NOT_CACHED, Request, Response, refusal, send_chunk};
use super::limits::{
    BODY_TIMEOUT, BYTE_TIMEOUT, MAX_BODY_BYTES, REQUEST_TIMEOUT, REVIEW_HASH, WRITE_TIMEOUT,
};
use super::proofs;
use super::services::{SharedState, find_engine, list_engines};
use super::session;
use crate::library::{Import, LibraryService, RequestError};
use crate::query::{number, parameter};
use crate::review;
use kelso_analysis::passes::Passes;
use kelso_library::store::StoreError;
use kelso_runtime::sync::lock;

/// Answers the requests on a connection, until it is closed or becomes a session.
pub(super) fn serve(mut stream: TcpStream, shared: &SharedState) {
    let configured = stream
        .set_read_timeout(Some(REQUEST_TIMEOUT))
        .and_then(|()| stream.set_write_timeout(Some(WRITE_TIMEOUT)))
        .and_then(|()| stream.set_nodelay(true));
    if configured.is_err() {
        return;
    }
    let mut rest = Vec::new();
    loop {
        let mut request = match Request::read(&mut stream, rest) {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(response) => return close(stream, &response, false),
        };
        let head_only = request.method == "HEAD";
        // An unread body would be mistaken for the next request.
        let last = request.body_length() != Ok(0) || request.has_word("connection", "close");
        match respond(&mut Exchange { stream: &mut stream, request: &mut request, shared }) {
            Ok(Handled::Taken) => return,
            Ok(Handled::Reply(response)) if !last => {
                if response.send(&mut stream, head_only, false).is_err() {
                    return;
                }
            }
            Ok(Handled::Reply(response)) | Err(response) => return close(stream, &response, head_only),
        }
        rest = request.rest;
    }
}

/// A request and the connection on which it came.
struct Exchange<'a> {
    stream: &'a mut TcpStream,
    request: &'a mut Request,
    shared: &'a SharedState,
}

/// The outcome of a request.
enum Handled {
    /// It returned the response.
    Reply(Response),
    /// It used the connection until its end.
    Taken,
}

/// Handles a request. The response to a request that is refused is an error, and ends the connection.
type Handler = fn(&mut Exchange<'_>) -> Result<Handled, Response>;

/// The methods, paths and handlers of requests. Other paths are those of files.
const ROUTES: [(&str, &str, Handler); 9] = [
    ("GET", "/session", open_session),
    ("GET", "/engines", |exchange| Ok(json(&list_engines(&exchange.shared.services.engines)))),
    ("GET", "/explore", explore),
    ("GET", "/proof", prove),
    ("POST", "/games", read_games),
    ("POST", "/library", use_library),
    ("POST", "/library/import", import_games),
    ("POST", "/library/export", export_games),
    ("POST", "/review", review_game),
];

fn respond(exchange: &mut Exchange<'_>) -> Result<Handled, Response> {
    let request = &*exchange.request;
    if let Some(reason) = refusal(request, exchange.shared.port) {
        return Err(Response::error(Status::FORBIDDEN, reason));
    }
    request.body_length()?;
    let route = ROUTES.iter().find(|(_, path, _)| *path == request.path);
    let &(method, _, handle) = route.unwrap_or(&("GET", "", send_file));
    match (method, request.method.as_str()) {
        ("POST", "POST") | ("GET", "GET" | "HEAD") => handle(exchange),
        ("POST", _) => Err(not_allowed("POST")),
        _ => Err(not_allowed("GET, HEAD")),
    }
}

fn json(value: &Value) -> Handled {
    Handled::Reply(Response::json(value))
}

fn explore(Exchange { request, shared, .. }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let played = lock(&shared.services.library).found(&request.query);
    let played = played.map_err(|error| library_error(&error))?;
    let explored = shared.services.explorer.explore(&request.query, played);
    Ok(json(&explored.map_err(|error| bad_request(&error.to_string()))?))
}

fn prove(Exchange { request, shared, .. }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let _permit = shared.proofs.try_acquire().ok_or_else(|| busy("another position is being proved"))?;
    Ok(json(&proofs::prove(&request.query).map_err(|error| bad_request(&error.to_string()))?))
}

fn not_allowed(methods: &str) -> Response {
    Response::error(Status::METHOD_NOT_ALLOWED, &format!("method not allowed; allowed: {methods}"))
        .with(&format!("Allow: {methods}"))
}

fn bad_request(reason: &str) -> Response {
    Response::error(Status::BAD_REQUEST, reason)
}

fn busy(reason: &str) -> Response {
    Response::error(Status::SERVICE_UNAVAILABLE, reason)
}

fn send_file(Exchange { request, .. }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let not_found = || Response::error(Status::NOT_FOUND, "not found");
    let asset = assets::find(&request.path).ok_or_else(not_found)?;
    let is_packed = request.has_word("accept-encoding", "gzip");
    let tag = asset.tag(is_packed);
    let response = if request.has_word("if-none-match", &tag) {
        Response::new(Status::NOT_MODIFIED, Vec::new())
    } else {
        let content_type = format!("Content-Type: {}", asset.content_type);
        let body = if is_packed { asset.packed() } else { asset.bytes };
        let response = Response::new(Status::OK, body.to_vec()).with(&content_type);
        if is_packed { response.with("Content-Encoding: gzip") } else { response }
    }
    .with("Vary: Accept-Encoding");
    // The browser revalidates the page each time, since another version of the program may have been started.
    let caching = if asset.immutable { "max-age=31536000, immutable" } else { "no-cache" };
    Ok(Handled::Reply(response.with(&format!("Cache-Control: {caching}")).with(&format!("ETag: {tag}"))))
}

fn read_games(Exchange { stream, request, shared }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let _permit = shared.readers.try_acquire().ok_or_else(|| busy("too many requests are being read"))?;
    let text = read_body(stream, request)?;
    Ok(json(&shared.services.explorer.read(&text)))
}

fn use_library(Exchange { stream, request, shared }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let text = read_body(stream, request)?;
    Ok(json(&lock(&shared.services.library).answer(&text).map_err(|error| library_error(&error))?))
}

/// Returns the response to a request that the library cannot answer.
fn library_error(error: &RequestError) -> Response {
    let status = match error {
        RequestError::Store(StoreError::Full) => Status::INSUFFICIENT_STORAGE,
        RequestError::Store(_) => Status::INTERNAL_SERVER_ERROR,
        _ => Status::BAD_REQUEST,
    };
    Response::error(status, &error.to_string())
}

/// Imports the games of the body while it arrives, so that it needs little memory.
fn import_games(Exchange { stream, request, shared }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let _permit = shared.readers.try_acquire().ok_or_else(|| busy("too many requests are being read"))?;
    let text = Body::new(&**stream, request, Instant::now() + BODY_TIMEOUT)?;
    let query = &request.query;
    let now = number(query, "now").map_err(|error| bad_request(&error.to_string()))?;
    let name = parameter(query, "name").unwrap_or_default();
    let import = Import { name, now: now.unwrap_or_default() };
    let library = &shared.services.library;
    let report = LibraryService::import(|| lock(library), &import, text);
    Ok(json(&report.map_err(|error| library_error(&error))?))
}

/// A body that is read as it arrives. Its end before its length is an error, as is its slow arrival.
struct Body<R> {
    start: Cursor<Vec<u8>>,
    stream: R,
    left: usize,
    /// Each byte extends it by [`BYTE_TIMEOUT`].
    deadline: Instant,
}

impl<R: Read> Body<R> {
    fn new(stream: R, request: &mut Request, deadline: Instant) -> Result<Self, Response> {
        let left = request.body_length()?;
        Ok(Self { start: Cursor::new(std::mem::take(&mut request.rest)), stream, left, deadline })
    }
}

impl<R: Read> Read for Body<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = buffer.len().min(self.left);
        let Some(part) = buffer.get_mut(..limit).filter(|part| !part.is_empty()) else { return Ok(0) };
        let count = match self.start.read(part)? {
            0 => self.stream.read(part)?,
            count => count,
        };
        self.left -= count;
        self.deadline += BYTE_TIMEOUT * u32::try_from(count).unwrap_or(u32::MAX);
        match count {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ if Instant::now() > self.deadline => Err(io::ErrorKind::TimedOut.into()),
            count => Ok(count),
        }
    }
}

/// Sends games as PDN. The library can be used by others between two parts.
fn export_games(Exchange { stream, request, shared }: &mut Exchange<'_>) -> Result<Handled, Response> {
    const PART: usize = 256;
    let text = read_body(stream, request)?;
    let library = &shared.services.library;
    let ids = lock(library).exported(&text).map_err(|error| library_error(&error))?;
    let head = Response::new(Status::OK, Vec::new()).with("Content-Type: application/x-pdn").with(NOT_CACHED);
    let mut sent = head.send_head(stream);
    for ids in ids.chunks(PART) {
        let mut text = String::new();
        if sent.is_err() || lock(library).export(ids, &mut text).is_err() {
            // The page sees that the body is incomplete.
            return Ok(Handled::Taken);
        }
        text.push('\n');
        sent = send_chunk(stream, &text);
    }
    end_body(stream);
    Ok(Handled::Taken)
}

/// Reviews a game. The body of the response has a line for each event, and the review stops if a line cannot
/// be sent. The connection ends with the response.
fn review_game(Exchange { stream, request, shared }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let _permit = shared.reviews.try_acquire().ok_or_else(|| busy("too many reviews; try again later"))?;
    let text = read_body(stream, request)?;
    let after = number(&request.query, "after").map_err(|error| bad_request(&error.to_string()))?;
    let head =
        Response::new(Status::OK, Vec::new()).with("Content-Type: application/x-ndjson").with(NOT_CACHED);
    if head.send_head(stream).is_err() {
        return Ok(Handled::Taken);
    }
    let mut on_event = |event: &Value| send_chunk(stream, &format!("{event}\n")).is_ok();
    let settings = &shared.services.permissions.engine_settings(REVIEW_HASH);
    let reviewed = review::review(&text, after, settings, Passes::native(), &mut on_event);
    if let Err(error) = reviewed {
        on_event(&serde_json::json!({ "error": error.to_string() }));
    }
    end_body(stream);
    Ok(Handled::Taken)
}

/// Ends a body in chunks, and its connection. If the page is gone, the end is not needed.
fn end_body(stream: &mut TcpStream) {
    let _ = send_chunk(stream, "").and_then(|()| stream.shutdown(Shutdown::Write));
}

fn read_body(stream: &mut TcpStream, request: &mut Request) -> Result<Vec<u8>, Response> {
    read_body_until(stream, request, Instant::now() + BODY_TIMEOUT)
}

/// Reads a body, which must arrive before the deadline that its bytes extend.
fn read_body_until(
    stream: &mut impl Read,
    request: &mut Request,
    deadline: Instant,
) -> Result<Vec<u8>, Response> {
    let length = request.body_length()?;
    if length > MAX_BODY_BYTES {
        let reason = format!("request body too large: at most {} KiB are allowed", MAX_BODY_BYTES >> 10);
        return Err(Response::error(Status::PAYLOAD_TOO_LARGE, &reason));
    }
    let mut text = Vec::new();
    let body = Body::new(stream, request, deadline)?.read_to_end(&mut text);
    body.map_err(|_| bad_request("incomplete request body"))?;
    Ok(text)
}

fn open_session(Exchange { stream, request, shared }: &mut Exchange<'_>) -> Result<Handled, Response> {
    let requested = request.method == "GET"
        && request.has_word("upgrade", "websocket")
        && request.has_word("connection", "upgrade");
    let key = request.header("sec-websocket-key").filter(|key| !key.is_empty());
    let (true, Some("13"), Some(key)) = (requested, request.header("sec-websocket-version"), key) else {
        return Err(Response::error(Status::UPGRADE_REQUIRED, "a WebSocket handshake is required"));
    };
    let engine = find_engine(&shared.services.engines, &request.query)
        .map_err(|error| Response::error(Status::NOT_FOUND, &error.to_string()))?;
    let _permit = shared.sessions.try_acquire().ok_or_else(|| busy("too many sessions"))?;
    let accept = derive_accept_key(key.as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    if stream.write_all(answer.as_bytes()).is_ok() {
        session::run(stream, std::mem::take(&mut request.rest), engine, shared.services.permissions);
    }
    Ok(Handled::Taken)
}

pub(super) fn reject(stream: TcpStream) {
    let configured = stream.set_write_timeout(Some(std::time::Duration::from_millis(100)));
    if configured.is_ok() {
        close(stream, &busy("too many connections"), false);
    }
}

/// Sends the last response of a connection.
fn close(mut stream: TcpStream, response: &Response, head_only: bool) {
    if response.send(&mut stream, head_only, true).is_ok() {
        let _ = stream.shutdown(Shutdown::Write);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_body_has_a_deadline() {
        let read = |deadline| {
            let head = b"POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nab".to_vec();
            let mut request = Request::read(&mut std::io::empty(), head).unwrap().unwrap();
            read_body_until(&mut std::io::repeat(b'c').take(7), &mut request, deadline)
        };
        let now = Instant::now();
        assert_eq!(read(now + Duration::from_secs(600)).unwrap(), b"abccccccc");
        assert!(read(now.checked_sub(Duration::from_secs(1)).unwrap()).is_err());
        let (start, deadline) = (Cursor::new(b"ab".to_vec()), now + Duration::from_secs(600));
        let mut body = Body { start, stream: std::io::repeat(b'c'), left: 9, deadline };
        assert_eq!(body.read_to_end(&mut Vec::new()).unwrap(), 9);
        assert_eq!(body.deadline, deadline + 9 * BYTE_TIMEOUT);
    }
}
