//! HTTP responses.

use std::io::{self, Write};

use serde_json::Value;

/// Headers that restrict the page to what this server sends.
const SECURITY_HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
                      Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response {
    status: Status,
    /// Header lines besides those of every response.
    headers: String,
    body: Vec<u8>,
}

/// The code and the text of a status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Status(&'static str);

impl Status {
    pub(super) const OK: Self = Self("200 OK");
    pub(super) const NO_CONTENT: Self = Self("204 No Content");
    pub(super) const NOT_MODIFIED: Self = Self("304 Not Modified");
    pub(super) const BAD_REQUEST: Self = Self("400 Bad Request");
    pub(super) const FORBIDDEN: Self = Self("403 Forbidden");
    pub(super) const NOT_FOUND: Self = Self("404 Not Found");
    pub(super) const METHOD_NOT_ALLOWED: Self = Self("405 Method Not Allowed");
    pub(super) const LENGTH_REQUIRED: Self = Self("411 Length Required");
    pub(super) const TOO_LARGE: Self = Self("413 Content Too Large");
    pub(super) const UPGRADE_REQUIRED: Self = Self("426 Upgrade Required");
    pub(super) const TOO_MANY_REQUESTS: Self = Self("429 Too Many Requests");
    pub(super) const HEAD_TOO_LARGE: Self = Self("431 Request Header Fields Too Large");
    pub(super) const BUSY: Self = Self("503 Service Unavailable");
}

impl Response {
    /// Creates a response whose caching is set by a header.
    pub(super) fn new(status: Status, body: Vec<u8>) -> Self {
        Self { status, headers: String::new(), body }
    }

    pub(super) fn json(value: &Value) -> Self {
        Self::new(Status::OK, value.to_string().into_bytes())
            .with("Content-Type: application/json")
            .with("Cache-Control: no-store")
    }

    /// Creates an error with its reason in the body.
    pub(super) fn error(status: Status, reason: &str) -> Self {
        Self::new(status, format!("{reason}\n").into_bytes())
            .with("Content-Type: text/plain; charset=utf-8")
            .with("Cache-Control: no-store")
    }

    pub(super) fn with(mut self, header: &str) -> Self {
        self.headers.push_str(header);
        self.headers.push_str("\r\n");
        self
    }

    /// Lets the pages of other origins read it, such as `*` for all.
    pub(super) fn readable_by(self, origins: Option<&str>) -> Self {
        let Some(origins) = origins else { return self };
        self.with(&format!("Access-Control-Allow-Origin: {origins}"))
            .with("Access-Control-Allow-Headers: Content-Type")
            .with("Vary: Origin")
    }

    /// Sends the response; without its body if the method was HEAD.
    pub(super) fn send(&self, out: &mut impl Write, head_only: bool, last: bool) -> io::Result<()> {
        let extra = match self.status {
            Status::BUSY => "Retry-After: 5\r\n",
            Status::TOO_MANY_REQUESTS => "Retry-After: 1\r\n",
            Status::METHOD_NOT_ALLOWED => "Allow: GET, HEAD\r\n",
            Status::UPGRADE_REQUIRED => "Upgrade: websocket\r\n",
            _ => "",
        };
        let text = format!(
            "HTTP/1.1 {}\r\nContent-Length: {}\r\n{}{extra}{}{SECURITY_HEADERS}\r\n",
            self.status.0,
            self.body.len(),
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
