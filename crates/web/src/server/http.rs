//! HTTP requests, their origins, and responses.
//!
//! Any page in a browser may try to reach a server on the same machine. The browser sends the page's origin
//! in `Origin`, and in `Host` the name used to reach the server. Both must be this server's own.

use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::time::Instant;

use serde_json::Value;
use tungstenite::http::StatusCode as Status;

use super::limits::{MAX_HEAD_BYTES, MAX_HEADERS, REQUEST_TIMEOUT};

/// A request without its body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    /// The part of the target after a question mark.
    pub(super) query: String,
    headers: Vec<(String, String)>,
    /// The bytes that arrived after the head.
    pub(super) rest: Vec<u8>,
}

impl Request {
    /// Reads a request, or returns `None` if the connection is lost or too slow. An error is the response to
    /// an invalid request. The stream must have a timeout for each read; the whole head must arrive within
    /// [`REQUEST_TIMEOUT`].
    pub(super) fn read(stream: &mut impl Read, mut bytes: Vec<u8>) -> Result<Option<Self>, Response> {
        let deadline = Instant::now() + REQUEST_TIMEOUT;
        let mut buffer = [0; 2048];
        loop {
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(Some(request));
            }
            if bytes.len() >= MAX_HEAD_BYTES {
                return Err(too_long());
            }
            let Ok(count @ 1..) = stream.read(&mut buffer) else { return Ok(None) };
            if Instant::now() > deadline {
                return Ok(None);
            }
            bytes.extend_from_slice(&buffer[..count]);
        }
    }

    /// Parses a request, or returns `None` if the head is incomplete.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Response> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(too_long()),
            Err(_) => return Err(Response::error(Status::BAD_REQUEST, "invalid HTTP/1.1 request")),
        };
        let (Some(method), Some(target)) = (head.method, head.path) else {
            return Err(Response::error(Status::BAD_REQUEST, "invalid HTTP/1.1 request"));
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = head.headers.iter().map(|header| {
            let value = String::from_utf8_lossy(header.value).trim().to_owned();
            (header.name.to_ascii_lowercase(), value)
        });
        Ok(Some(Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: headers.collect(),
            rest: bytes[length..].to_vec(),
        }))
    }

    /// Returns the value of a header. A repeated header counts as empty, which is always rejected, so that no
    /// two readers can see different values.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut values =
            self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let value = values.next()?;
        Some(if values.next().is_none() { value } else { "" })
    }

    /// Returns whether a header's list of words contains a word.
    pub(super) fn has_word(&self, name: &str, word: &str) -> bool {
        self.header(name)
            .is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    }

    /// Returns the length of the body. An error is the response to an invalid length, or to a chunked body,
    /// which is not supported.
    pub(super) fn body_length(&self) -> Result<usize, Response> {
        match (self.header("transfer-encoding"), self.header("content-length")) {
            (Some(_), _) => Err(Response::error(Status::LENGTH_REQUIRED, "missing Content-Length header")),
            (None, Some(length)) => Some(length)
                .filter(|length| length.bytes().all(|byte| byte.is_ascii_digit()))
                .and_then(|length| length.parse().ok())
                .ok_or_else(|| Response::error(Status::BAD_REQUEST, "invalid Content-Length header")),
            (None, None) => Ok(0),
        }
    }
}

fn too_long() -> Response {
    Response::error(Status::REQUEST_HEADER_FIELDS_TOO_LARGE, "request head too long")
}

/// Returns the reason to refuse a request, if any.
pub(super) fn refusal(request: &Request, port: u16) -> Option<&'static str> {
    let Some(host) = request.header("host") else { return Some("missing Host header") };
    if !is_own_host(host, port) {
        return Some("unknown Host; use the address that kelso serve printed");
    }
    // Only browsers send an origin.
    let origin = request.header("origin");
    let foreign = origin.is_some_and(|origin| !is_origin_of(origin, host));
    let site = request.header("sec-fetch-site");
    // Any page may link to this one, but only this page loads its files.
    let cross_site = site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && request.path != "/";
    (foreign || cross_site).then_some("cross-origin requests are not allowed")
}

/// Returns whether a `Host` header is an IP address or `localhost`, with the port of this server. Other names
/// are refused, since a page of another site may be loaded under a name that resolves to this server (DNS
/// rebinding).
fn is_own_host(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.contains(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    let host = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    given == Some(port) && (host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok())
}

fn is_origin_of(origin: &str, host: &str) -> bool {
    let origin = origin.to_ascii_lowercase();
    let host = host.to_ascii_lowercase();
    origin.strip_prefix("http://").is_some_and(|name| name == host || host.strip_suffix(":80") == Some(name))
}

/// Sends a chunk of a body. An empty one is the last: without it, the body is incomplete.
pub(super) fn send_chunk(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes())
}

/// Headers that restrict the page to what this server sends.
const SECURITY_HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
                      Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n";

pub(super) const NOT_CACHED: &str = "Cache-Control: no-store";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response {
    status: Status,
    headers: String,
    body: Vec<u8>,
}

impl Response {
    /// Creates a response without further headers.
    pub(super) fn new(status: Status, body: Vec<u8>) -> Self {
        Self { status, headers: String::new(), body }
    }

    pub(super) fn json(value: &Value) -> Self {
        Self::new(Status::OK, value.to_string().into_bytes())
            .with("Content-Type: application/json")
            .with(NOT_CACHED)
    }

    /// Creates an error response with the reason in the body.
    pub(super) fn error(status: Status, reason: &str) -> Self {
        Self::new(status, format!("{reason}\n").into_bytes())
            .with("Content-Type: text/plain; charset=utf-8")
            .with(NOT_CACHED)
    }

    pub(super) fn with(mut self, header: &str) -> Self {
        self.headers.push_str(header);
        self.headers.push_str("\r\n");
        self
    }

    /// Sends the head of a response whose body is sent in chunks. The connection ends with it.
    pub(super) fn send_head(&self, out: &mut impl Write) -> io::Result<()> {
        let head = format!(
            "HTTP/1.1 {}\r\n{}Transfer-Encoding: chunked\r\nConnection: close\r\n{SECURITY_HEADERS}\r\n",
            self.status, self.headers
        );
        out.write_all(head.as_bytes())?;
        out.flush()
    }

    /// Sends the response, without its body if the method was HEAD.
    pub(super) fn send(&self, out: &mut impl Write, head_only: bool, last: bool) -> io::Result<()> {
        let extra = match self.status {
            Status::SERVICE_UNAVAILABLE => "Retry-After: 5\r\n",
            Status::UPGRADE_REQUIRED => "Upgrade: websocket\r\n",
            _ => "",
        };
        // Its length would be that of the unchanged contents.
        let length = match self.status {
            Status::NOT_MODIFIED => String::new(),
            _ => format!("Content-Length: {}\r\n", self.body.len()),
        };
        let text = format!(
            "HTTP/1.1 {}\r\n{length}{}{extra}{}{SECURITY_HEADERS}\r\n",
            self.status,
            self.headers,
            if last { "Connection: close\r\n" } else { "" },
        );
        let mut bytes = text.into_bytes();
        if !head_only {
            bytes.extend_from_slice(&self.body);
        }
        out.write_all(&bytes)?;
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Request>, Response> {
        Request::read(&mut text.as_bytes(), Vec::new())
    }

    #[test]
    fn heads_are_read_and_the_rest_is_kept() {
        let request = read(
            "GET /a?b=c HTTP/1.1\r\nHost: x\r\nA: 1\r\na: 2\r\nConnection: keep-alive, Upgrade\r\n\r\nrest",
        )
        .unwrap()
        .unwrap();
        assert_eq!((request.path.as_str(), request.query.as_str()), ("/a", "b=c"));
        assert_eq!((request.header("host"), request.header("a")), (Some("x"), Some("")));
        assert!(request.has_word("connection", "upgrade"));
        assert_eq!((request.rest.as_slice(), request.body_length()), (b"rest".as_slice(), Ok(0)));
    }

    #[test]
    fn ambiguous_lengths_are_refused() {
        for header in [
            "Content-Length: 3\r\nContent-Length: 3",
            "Content-Length: -1",
            "Content-Length: +3",
            "Content-Length: ",
            "Transfer-Encoding: chunked",
        ] {
            let request = read(&format!("POST / HTTP/1.1\r\n{header}\r\n\r\n")).unwrap().unwrap();
            assert!(request.body_length().is_err(), "{header}");
        }
    }

    #[test]
    fn invalid_heads_are_refused() {
        assert_eq!(read("GET / HTTP/1.1\r\n"), Ok(None));
        assert!(read("\u{1}\u{2}\r\n\r\n").is_err_and(|answer| answer != too_long()));
        let many = "a: b\r\n".repeat(MAX_HEADERS + 1);
        for text in ["x".repeat(MAX_HEAD_BYTES + 5000), format!("GET / HTTP/1.1\r\n{many}\r\n")] {
            assert_eq!(read(&text), Err(too_long()));
        }
    }

    fn is_admitted(headers: &str) -> bool {
        let text = format!("GET /session HTTP/1.1\r\n{headers}\r\n\r\n");
        refusal(&Request::read(&mut text.as_bytes(), Vec::new()).unwrap().unwrap(), 8080).is_none()
    }

    #[test]
    fn only_the_servers_own_page_is_admitted() {
        assert!(is_admitted("Host: 127.0.0.1:8080"));
        assert!(is_admitted("Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080"));
        assert!(is_admitted(
            "Host: localhost:8080\r\nOrigin: http://localhost:8080\r\nSec-Fetch-Site: same-origin"
        ));
        for bad in [
            "A: b",
            "Host: evil.example:8080",
            "Host: evil.example:8080\r\nOrigin: http://evil.example:8080",
            "Host: 127.0.0.1:8080\r\nOrigin: http://evil.example",
            "Host: 127.0.0.1:8080\r\nOrigin: null",
            "Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8081",
            "Host: 127.0.0.1:8080\r\nOrigin: https://127.0.0.1:8080",
            "Host: 127.0.0.1:8080\r\nSec-Fetch-Site: cross-site",
            "Host: 127.0.0.1:8080\r\nSec-Fetch-Site: same-site",
            "Host: 127.0.0.1:8080\r\nHost: 127.0.0.1:8080",
        ] {
            assert!(!is_admitted(bad), "{bad}");
        }
    }

    #[test]
    fn only_addresses_and_localhost_are_own_hosts() {
        for good in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "192.168.0.7:8080"] {
            assert!(is_own_host(good, 8080), "{good}");
        }
        for bad in [
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil:8080",
            "",
            ":8080",
            "[::1:8080",
        ] {
            assert!(!is_own_host(bad, 8080), "{bad}");
        }
        assert!(is_own_host("127.0.0.1", 80));
    }
}
