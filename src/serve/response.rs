//! HTTP responses.

use std::io::{self, Write};

use serde_json::Value;

/// Headers that restrict the page to what this server sends.
const SECURITY_HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
                      Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n";

/// A response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response {
    status: Status,
    content_type: &'static str,
    body: Vec<u8>,
    tag: Option<String>,
    immutable: bool,
    /// The origins whose pages may read it.
    origins: Option<String>,
}

/// A status code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Ok,
    NoContent,
    NotModified,
    BadRequest,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    LengthRequired,
    TooLarge,
    UpgradeRequired,
    TooManyRequests,
    HeadTooLarge,
    Busy,
}

impl Status {
    const fn line(self) -> &'static str {
        match self {
            Self::Ok => "200 OK",
            Self::NoContent => "204 No Content",
            Self::NotModified => "304 Not Modified",
            Self::BadRequest => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::MethodNotAllowed => "405 Method Not Allowed",
            Self::LengthRequired => "411 Length Required",
            Self::TooLarge => "413 Content Too Large",
            Self::UpgradeRequired => "426 Upgrade Required",
            Self::TooManyRequests => "429 Too Many Requests",
            Self::HeadTooLarge => "431 Request Header Fields Too Large",
            Self::Busy => "503 Service Unavailable",
        }
    }
}

impl Response {
    pub(super) fn ok(content_type: &'static str, body: Vec<u8>) -> Self {
        Self { status: Status::Ok, content_type, body, tag: None, immutable: false, origins: None }
    }

    pub(super) fn json(value: &Value) -> Self {
        Self::ok("application/json", value.to_string().into_bytes())
    }

    pub(super) fn no_content() -> Self {
        Self::error(Status::NoContent, "")
    }

    /// Lets the pages of other origins read it, such as `*` for all.
    pub(super) fn readable_by(self, origins: Option<&str>) -> Self {
        Self { origins: origins.map(str::to_owned), ..self }
    }

    /// Adds an entity tag.
    pub(super) fn with_tag(self, tag: &str) -> Self {
        Self { tag: Some(tag.to_owned()), ..self }
    }

    /// Sets whether the content at this address never changes.
    pub(super) fn immutable(self, immutable: bool) -> Self {
        Self { immutable, ..self }
    }

    pub(super) fn not_modified(tag: &str) -> Self {
        Self::error(Status::NotModified, "").with_tag(tag)
    }

    /// An error with its reason in the body.
    pub(super) fn error(status: Status, reason: &str) -> Self {
        let body = if reason.is_empty() { Vec::new() } else { format!("{reason}\n").into_bytes() };
        let content_type = "text/plain; charset=utf-8";
        Self { status, content_type, body, tag: None, immutable: false, origins: None }
    }

    /// Sends the response; without its body if the method was HEAD.
    pub(super) fn send(&self, out: &mut impl Write, head_only: bool, last: bool) -> io::Result<()> {
        let content_type = match self.content_type {
            _ if self.body.is_empty() => String::new(),
            name => format!("Content-Type: {name}\r\n"),
        };
        // The browser revalidates the page each time, since another version of the program may have been started.
        let caching = match &self.tag {
            Some(tag) if self.immutable => {
                format!("Cache-Control: max-age=31536000, immutable\r\nETag: {tag}\r\n")
            }
            Some(tag) => format!("Cache-Control: no-cache\r\nETag: {tag}\r\n"),
            None => "Cache-Control: no-store\r\n".to_owned(),
        };
        let extra = match self.status {
            Status::Busy => "Retry-After: 5\r\n",
            Status::TooManyRequests => "Retry-After: 1\r\n",
            Status::MethodNotAllowed => "Allow: GET, HEAD\r\n",
            Status::UpgradeRequired => "Upgrade: websocket\r\n",
            _ => "",
        };
        let cross_origin = self.origins.as_ref().map_or_else(String::new, |origins| {
            format!("Access-Control-Allow-Origin: {origins}\r\nAccess-Control-Allow-Headers: Content-Type\r\nVary: Origin\r\n")
        });
        let text = format!(
            "HTTP/1.1 {}\r\nContent-Length: {}\r\n{content_type}{caching}{extra}{cross_origin}{}{SECURITY_HEADERS}\r\n",
            self.status.line(),
            self.body.len(),
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
