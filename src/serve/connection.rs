//! An HTTP connection and its requests.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use tungstenite::handshake::derive_accept_key;

use super::assets;
use super::egdb::{self, Api};
use super::engines::Engines;
use super::limits::{MAX_BATCH, MAX_BODY, REQUEST_TIMEOUT, WRITE_TIMEOUT};
use super::origin;
use super::permissions::Permissions;
use super::request::{Request, RequestError};
use super::response::{Response, Status};
use super::semaphore::Semaphore;
use super::session;
use engine::Embedded;
use web::explorer::Explorer;
use web::review;

/// The state that all connections share.
#[derive(Debug)]
pub(super) struct SharedState {
    pub(super) port: u16,
    pub(super) engines: Engines,
    pub(super) permissions: Permissions,
    pub(super) explorer: Explorer,
    pub(super) sessions: Semaphore,
    pub(super) readers: Semaphore,
    pub(super) reviews: Semaphore,
    /// The databases, if they are served.
    pub(super) egdb: Option<Api>,
}

/// Answers the requests of a connection, until it is closed or becomes a session.
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
        let mut request = match Request::read(&mut stream, std::mem::take(&mut rest)) {
            Ok(request) => request,
            Err(RequestError::Disconnected) => return,
            Err(error) => {
                let response = match error {
                    RequestError::TooLong => Response::error(Status::HeadTooLarge, "request head too long"),
                    _ => Response::error(Status::BadRequest, "invalid HTTP/1.1 request"),
                };
                return close(stream, &response, false);
            }
        };
        let head_only = request.method == "HEAD";
        // Anyone may read the databases where they are served; browsers decide which pages may, by the header in the answer.
        let api =
            shared.egdb.as_ref().filter(|_| matches!(request.path.as_str(), "/egdb" | "/egdb/mainline"));
        if api.is_none()
            && let Some(reason) = origin::refusal(&request, shared.port)
        {
            return close(stream, &Response::error(Status::Forbidden, reason), head_only);
        }
        if request.path == "/session" && request.method == "GET" {
            return upgrade(stream, request, shared);
        }
        let Some(length) = request.body_length() else {
            return close(
                stream,
                &Response::error(Status::LengthRequired, "missing Content-Length header"),
                head_only,
            );
        };
        if matches!(request.path.as_str(), "/games" | "/review") && request.method == "POST" {
            let response = read_games(&mut stream, &mut request, length, shared);
            return close(stream, &response, false);
        }
        if let Some(api) = api
            && request.method == "POST"
        {
            let response = look_up_batch(&mut stream, &mut request, length, api);
            return close(stream, &response.readable_by(api.origins.as_deref()), false);
        }
        // The body of any other request is not read, so no request can follow it.
        let last = length > 0 || request.has_word("connection", "close");
        let response = match api {
            Some(api) => look_up(&stream, &request, api).readable_by(api.origins.as_deref()),
            None => answer(&request, shared),
        };
        if response.send(&mut stream, head_only, last).is_err() || last {
            return;
        }
        rest = request.rest;
    }
}

fn answer(request: &Request, shared: &SharedState) -> Response {
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        return Response::error(Status::MethodNotAllowed, "method not allowed; use GET");
    }
    if request.path == "/engines" {
        return Response::json(&shared.engines.list());
    }
    if request.path == "/explore" {
        let found = shared.explorer.explore(&request.query);
        return found.map_or_else(
            |reason| Response::error(Status::BadRequest, &reason),
            |value| Response::json(&value),
        );
    }
    if request.path == "/game" {
        let found = shared.explorer.game(&request.query);
        return found
            .map_or_else(|| Response::error(Status::NotFound, "no such game"), |game| Response::json(&game));
    }
    let Some(asset) = assets::find(&request.path) else {
        return Response::error(Status::NotFound, "not found");
    };
    let tag = asset.tag();
    if request.has_word("if-none-match", &tag) {
        return Response::not_modified(&tag);
    }
    Response::ok(asset.content_type, asset.bytes.to_vec()).with_tag(&tag).immutable(asset.immutable)
}

fn read_games(
    stream: &mut TcpStream,
    request: &mut Request,
    length: usize,
    shared: &SharedState,
) -> Response {
    let reading = request.path == "/games";
    let permits = if reading { &shared.readers } else { &shared.reviews };
    let Some(_permit) = permits.try_acquire() else {
        return Response::error(Status::Busy, "too many requests are being read");
    };
    match read_body(stream, request, length, MAX_BODY) {
        Ok(text) if reading => Response::json(&shared.explorer.read(&text)),
        Ok(text) => match review::review(&text, Embedded::default()) {
            Ok(review) => Response::json(&review),
            Err(error) => Response::error(Status::Busy, &error.to_string()),
        },
        Err(response) => response,
    }
}

fn read_body(
    stream: &mut TcpStream,
    request: &mut Request,
    length: usize,
    limit: usize,
) -> Result<Vec<u8>, Response> {
    if length > limit {
        let reason = format!("request body too large: at most {} KiB are allowed", limit >> 10);
        return Err(Response::error(Status::TooLarge, &reason));
    }
    let mut text = std::mem::take(&mut request.rest);
    text.truncate(length);
    let more = u64::try_from(length - text.len()).unwrap_or_default();
    match stream.take(more).read_to_end(&mut text) {
        Ok(_) if text.len() == length => Ok(text),
        _ => Err(Response::error(Status::BadRequest, "incomplete request body")),
    }
}

/// Answers a request for the database results of a position.
fn look_up(stream: &TcpStream, request: &Request, api: &Api) -> Response {
    match request.method.as_str() {
        "GET" | "HEAD" => {}
        "OPTIONS" => return Response::no_content(),
        _ => return Response::error(Status::MethodNotAllowed, "method not allowed; use GET or POST"),
    }
    if !admits(stream, api, 1) {
        return Response::error(Status::TooManyRequests, "too many positions per second");
    }
    let value = match request.path.as_str() {
        "/egdb" => api.position(&request.query),
        _ => api.mainline(&request.query),
    };
    value.map_or_else(|reason| Response::error(Status::BadRequest, &reason), |value| Response::json(&value))
}

/// Answers a request for the database results of several positions.
fn look_up_batch(stream: &mut TcpStream, request: &mut Request, length: usize, api: &Api) -> Response {
    let body = match read_body(stream, request, length, MAX_BATCH) {
        Ok(body) => body,
        Err(response) => return response,
    };
    match egdb::parse(&body) {
        Err(reason) => Response::error(Status::BadRequest, &reason),
        Ok(positions) if admits(stream, api, positions.len()) => Response::json(&api.batch(&positions)),
        Ok(_) => Response::error(Status::TooManyRequests, "too many positions per second"),
    }
}

fn admits(stream: &TcpStream, api: &Api, positions: usize) -> bool {
    stream.peer_addr().is_ok_and(|client| api.admits(client.ip(), positions))
}

/// Upgrades a connection to a `WebSocket` and runs a session.
fn upgrade(mut stream: TcpStream, request: Request, shared: &SharedState) {
    let requested = request.has_word("upgrade", "websocket") && request.has_word("connection", "upgrade");
    let key = request.header("sec-websocket-key").filter(|key| !key.is_empty());
    let (true, Some("13"), Some(key)) = (requested, request.header("sec-websocket-version"), key) else {
        return close(
            stream,
            &Response::error(Status::UpgradeRequired, "a WebSocket handshake is required"),
            false,
        );
    };
    let engine = match shared.engines.find(&request.query) {
        Ok(engine) => engine,
        Err(name) => {
            let reason = format!("unknown engine \"{name}\"");
            return close(stream, &Response::error(Status::NotFound, &reason), false);
        }
    };
    let Some(_permit) = shared.sessions.try_acquire() else {
        return close(stream, &Response::error(Status::Busy, "too many sessions"), false);
    };
    let accept = derive_accept_key(key.as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    if stream.write_all(answer.as_bytes()).is_ok() {
        session::run(stream, request.rest, engine, shared.permissions);
    }
}

/// Refuses a connection beyond the limit.
pub(super) fn reject(stream: TcpStream) {
    let configured = stream.set_write_timeout(Some(std::time::Duration::from_millis(100)));
    if configured.is_ok() {
        close(stream, &Response::error(Status::Busy, "too many connections"), false);
    }
}

/// Sends the last response of a connection.
fn close(mut stream: TcpStream, response: &Response, head_only: bool) {
    if response.send(&mut stream, head_only, true).is_ok() {
        let _ = stream.shutdown(Shutdown::Write);
    }
}
