//! A connection: its requests, one after the other, and what becomes of them.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};

use tungstenite::handshake::derive_accept_key;

use super::assets;
use super::engines::Engines;
use super::games;
use super::gate;
use super::guard::Allowed;
use super::limits::{GAMES, REQUEST, WRITE};
use super::request::{Request, RequestError};
use super::response::{Response, Status};
use super::session;
use super::slots::Slots;

/// What all connections share.
#[derive(Debug)]
pub(super) struct House {
    pub(super) port: u16,
    pub(super) engines: Engines,
    pub(super) allowed: Allowed,
    pub(super) sessions: Slots,
    pub(super) readers: Slots,
}

/// Answers the requests of a connection, until there are no more or it becomes a session.
pub(super) fn serve(mut stream: TcpStream, house: &House) {
    let patience = stream
        .set_read_timeout(Some(REQUEST))
        .and_then(|()| stream.set_write_timeout(Some(WRITE)))
        .and_then(|()| stream.set_nodelay(true));
    if patience.is_err() {
        return;
    }
    let mut rest = Vec::new();
    loop {
        let mut request = match Request::read(&mut stream, std::mem::take(&mut rest)) {
            Ok(request) => request,
            Err(RequestError::Gone) => return,
            Err(error) => {
                let response = match error {
                    RequestError::TooLong => Response::error(Status::HeadTooLarge, "a head that is too long"),
                    _ => Response::error(Status::BadRequest, "no request, expected HTTP/1.1"),
                };
                return part(stream, &response, false);
            }
        };
        let head_only = request.method == "HEAD";
        if let Some(objection) = gate::objection(&request, house.port) {
            return part(stream, &Response::error(Status::Forbidden, objection), head_only);
        }
        if request.path == "/session" && request.method == "GET" {
            return become_session(stream, request, house);
        }
        let Some(length) = request.body_length() else {
            return part(
                stream,
                &Response::error(Status::LengthRequired, "a body without a length"),
                head_only,
            );
        };
        if request.path == "/games" && request.method == "POST" {
            let response = read_games(&mut stream, &mut request, length, house);
            return part(stream, &response, false);
        }
        // Nothing else has a body; what follows one can't be told from the next request.
        let last = length > 0 || request.has_word("connection", "close");
        let response = answer(&request, house);
        if response.send(&mut stream, head_only, last).is_err() || last {
            return;
        }
        rest = request.rest;
    }
}

fn answer(request: &Request, house: &House) -> Response {
    if !matches!(request.method.as_str(), "GET" | "HEAD") {
        return Response::error(Status::MethodNotAllowed, "an unknown method, expected GET");
    }
    if request.path == "/engines" {
        return Response::of("application/json", house.engines.list().to_string().into_bytes());
    }
    let Some(asset) = assets::find(&request.path) else {
        return Response::error(Status::NotFound, "nothing here");
    };
    let tag = asset.tag();
    if request.has_word("if-none-match", &tag) {
        return Response::not_modified(&tag);
    }
    Response::of(asset.content_type, asset.bytes.to_vec()).tagged(&tag).fixed(asset.fixed)
}

fn read_games(stream: &mut TcpStream, request: &mut Request, length: usize, house: &House) -> Response {
    if length > GAMES {
        return Response::error(Status::TooLarge, "more games than fit, expected at most 16 MiB");
    }
    let Some(_slot) = house.readers.take() else {
        return Response::error(Status::Busy, "other games are being read, expected one at a time");
    };
    let mut text = std::mem::take(&mut request.rest);
    text.truncate(length);
    let more = u64::try_from(length - text.len()).unwrap_or_default();
    match stream.take(more).read_to_end(&mut text) {
        Ok(_) if text.len() == length => {
            Response::of("application/json", games::read(&text).to_string().into_bytes())
        }
        _ => Response::error(Status::BadRequest, "a body that ends early"),
    }
}

/// Makes a session of a connection, if that is what the request asks for in the way of `WebSocket`.
fn become_session(mut stream: TcpStream, request: Request, house: &House) {
    let asked = request.has_word("upgrade", "websocket") && request.has_word("connection", "upgrade");
    let key = request.header("sec-websocket-key").filter(|key| !key.is_empty());
    let (true, Some("13"), Some(key)) = (asked, request.header("sec-websocket-version"), key) else {
        return part(stream, &Response::error(Status::UpgradeRequired, "no WebSocket, expected one"), false);
    };
    let engine = match house.engines.find(&request.query) {
        Ok(engine) => engine,
        Err(name) => {
            let reason = format!("no engine of the name {name}");
            return part(stream, &Response::error(Status::NotFound, &reason), false);
        }
    };
    let Some(_slot) = house.sessions.take() else {
        return part(stream, &Response::error(Status::Busy, "too many sessions"), false);
    };
    let accept = derive_accept_key(key.as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    if stream.write_all(answer.as_bytes()).is_ok() {
        session::hold(stream, request.rest, engine, house.allowed);
    }
}

/// Says that there is no room.
pub(super) fn turn_away(stream: TcpStream) {
    let fast = stream.set_write_timeout(Some(std::time::Duration::from_millis(100)));
    if fast.is_ok() {
        part(stream, &Response::error(Status::Busy, "too many connections"), false);
    }
}

/// The last answer on a connection.
fn part(mut stream: TcpStream, response: &Response, head_only: bool) {
    if response.send(&mut stream, head_only, true).is_ok() {
        let _ = stream.shutdown(Shutdown::Write);
    }
}
