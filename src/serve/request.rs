//! HTTP requests.

use std::io::Read;
use std::time::Instant;

use tungstenite::http::StatusCode;

use super::limits::{MAX_HEAD, MAX_HEADERS, REQUEST_TIMEOUT};
use super::response::Response;

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
    /// Reads a request; none if the connection is lost or too slow. An error is the answer to an invalid one. The stream must
    /// have a timeout for each read; the whole head has [`REQUEST_TIMEOUT`].
    pub(super) fn read(stream: &mut impl Read, mut bytes: Vec<u8>) -> Result<Option<Self>, Response> {
        let deadline = Instant::now() + REQUEST_TIMEOUT;
        let mut buffer = [0; 2048];
        loop {
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(Some(request));
            }
            if bytes.len() >= MAX_HEAD {
                return Err(too_long());
            }
            let Ok(count @ 1..) = stream.read(&mut buffer) else { return Ok(None) };
            if Instant::now() > deadline {
                return Ok(None);
            }
            bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        }
    }

    /// Parses a request; returns none if its head is incomplete.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, Response> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(too_long()),
            Err(_) => return Err(Response::error(StatusCode::BAD_REQUEST, "invalid HTTP/1.1 request")),
        };
        let target = head.path.unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let text = |header: &httparse::Header<'_>| {
            let value = String::from_utf8_lossy(header.value).trim().to_owned();
            (header.name.to_ascii_lowercase(), value)
        };
        Ok(Some(Self {
            method: head.method.unwrap_or_default().to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: head.headers.iter().map(text).collect(),
            rest: bytes.get(length..).unwrap_or_default().to_vec(),
        }))
    }

    /// Returns the value of a header. One that is given twice is empty, which nothing accepts, so that no two readers can
    /// see different values.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut values =
            self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let value = values.next()?;
        Some(if values.next().is_none() { value } else { "" })
    }

    /// Returns true if a header with a list of words has a word.
    pub(super) fn has_word(&self, name: &str, word: &str) -> bool {
        self.header(name)
            .is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    }

    /// Returns the length of the body; none if it is invalid or the body is chunked, which is not supported.
    pub(super) fn body_length(&self) -> Option<usize> {
        match (self.header("transfer-encoding"), self.header("content-length")) {
            (Some(_), _) => None,
            (None, Some(length)) => length.parse().ok(),
            (None, None) => Some(0),
        }
    }
}

fn too_long() -> Response {
    Response::error(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "request head too long")
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
        assert_eq!((request.rest.as_slice(), request.body_length()), (b"rest".as_slice(), Some(0)));
    }

    #[test]
    fn ambiguous_lengths_are_refused() {
        for header in
            ["Content-Length: 3\r\nContent-Length: 3", "Content-Length: -1", "Transfer-Encoding: chunked"]
        {
            let request = read(&format!("POST / HTTP/1.1\r\n{header}\r\n\r\n")).unwrap().unwrap();
            assert_eq!(request.body_length(), None, "{header}");
        }
    }

    #[test]
    fn invalid_heads_are_refused() {
        assert_eq!(read("GET / HTTP/1.1\r\n"), Ok(None));
        assert!(read("\u{1}\u{2}\r\n\r\n").is_err_and(|answer| answer != too_long()));
        let many = "a: b\r\n".repeat(MAX_HEADERS + 1);
        for text in ["x".repeat(MAX_HEAD + 5000), format!("GET / HTTP/1.1\r\n{many}\r\n")] {
            assert_eq!(read(&text), Err(too_long()));
        }
    }
}
