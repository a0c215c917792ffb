//! HTTP responses.

use std::io::{self, Write};

use serde_json::Value;
use tungstenite::http::StatusCode as Status;

/// Headers that restrict the page to what this server sends.
const SECURITY_HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
                      Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n";

pub(super) const NOT_CACHED: &str = "Cache-Control: no-store";

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response {
    status: Status,
    /// Header lines besides those of every response.
    headers: String,
    body: Vec<u8>,
}

impl Response {
    /// Creates a response whose caching is set by a header.
    pub(super) fn new(status: Status, body: Vec<u8>) -> Self {
        Self { status, headers: String::new(), body }
    }

    pub(super) fn json(value: &Value) -> Self {
        Self::new(Status::OK, value.to_string().into_bytes())
            .with("Content-Type: application/json")
            .with(NOT_CACHED)
    }

    /// Creates an error with its reason in the body.
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
            Status::SERVICE_UNAVAILABLE => "Retry-After: 5\r\n",
            Status::TOO_MANY_REQUESTS => "Retry-After: 1\r\n",
            Status::METHOD_NOT_ALLOWED => "Allow: GET, HEAD\r\n",
            Status::UPGRADE_REQUIRED => "Upgrade: websocket\r\n",
            _ => "",
        };
        let text = format!(
            "HTTP/1.1 {}\r\nContent-Length: {}\r\n{}{extra}{}{SECURITY_HEADERS}\r\n",
            self.status,
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
