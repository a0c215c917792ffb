//! The head of a request, as far as this server reads it.

use std::io::{self, Read};
use std::time::Instant;

use super::limits::{HEAD, HEADERS, REQUEST};

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    /// What follows a question mark in the address.
    pub(super) query: String,
    headers: Vec<(String, String)>,
    /// What has arrived after the head.
    pub(super) rest: Vec<u8>,
}

/// Why there is no request.
#[derive(Debug)]
pub(super) enum RequestError {
    /// The other side has gone, or takes too long; nobody waits for an answer.
    Gone,
    /// It is no request.
    Malformed,
    /// Its head is too long.
    TooLong,
}

impl From<io::Error> for RequestError {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

impl Request {
    /// Reads one. The stream must give up reading after a while by itself; a head that comes in drops is given
    /// [`REQUEST`] in all.
    pub(super) fn read(stream: &mut impl Read, mut bytes: Vec<u8>) -> Result<Self, RequestError> {
        let deadline = Instant::now() + REQUEST;
        let mut buffer = [0; 2048];
        loop {
            if let Some(request) = Self::parse(&bytes)? {
                return Ok(request);
            }
            if bytes.len() >= HEAD {
                return Err(RequestError::TooLong);
            }
            let count = stream.read(&mut buffer)?;
            if count == 0 || Instant::now() > deadline {
                return Err(RequestError::Gone);
            }
            bytes.extend_from_slice(buffer.get(..count).unwrap_or_default());
        }
    }

    /// A request whose head has arrived; none if there must be more of it.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, RequestError> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let length = match head.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(RequestError::TooLong),
            Err(_) => return Err(RequestError::Malformed),
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

    /// The value of a header. One that is given twice is empty, which nothing accepts: somebody may want different
    /// readers to see different things.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut values =
            self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let value = values.next()?;
        Some(if values.next().is_none() { value } else { "" })
    }

    /// Whether a header of words between commas has one.
    pub(super) fn has_word(&self, name: &str, word: &str) -> bool {
        self.header(name)
            .is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    }

    /// Bytes of its body. A body in chunks has no length, and isn't read.
    pub(super) fn body_length(&self) -> Option<usize> {
        match (self.header("transfer-encoding"), self.header("content-length")) {
            (Some(_), _) => None,
            (None, Some(length)) => length.parse().ok(),
            (None, None) => Some(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request, RequestError> {
        Request::read(&mut text.as_bytes(), Vec::new())
    }

    #[test]
    fn heads_are_read_and_the_rest_is_kept() {
        let request = read(
            "GET /a?b=c HTTP/1.1\r\nHost: x\r\nA: 1\r\na: 2\r\nConnection: keep-alive, Upgrade\r\n\r\nrest",
        )
        .unwrap();
        assert_eq!((request.path.as_str(), request.query.as_str()), ("/a", "b=c"));
        assert_eq!((request.header("host"), request.header("a")), (Some("x"), Some("")));
        assert!(request.has_word("connection", "upgrade"));
        assert_eq!((request.rest.as_slice(), request.body_length()), (b"rest".as_slice(), Some(0)));
    }

    #[test]
    fn lengths_that_two_readers_may_see_differently_are_none() {
        for header in
            ["Content-Length: 3\r\nContent-Length: 3", "Content-Length: -1", "Transfer-Encoding: chunked"]
        {
            let request = read(&format!("POST / HTTP/1.1\r\n{header}\r\n\r\n")).unwrap();
            assert_eq!(request.body_length(), None, "{header}");
        }
    }

    #[test]
    fn what_is_no_head_is_refused() {
        assert!(matches!(read("GET / HTTP/1.1\r\n"), Err(RequestError::Gone)));
        assert!(matches!(read("\u{1}\u{2}\r\n\r\n"), Err(RequestError::Malformed)));
        assert!(matches!(read(&"x".repeat(HEAD + 5000)), Err(RequestError::TooLong)));
        let many = "a: b\r\n".repeat(HEADERS + 1);
        assert!(matches!(read(&format!("GET / HTTP/1.1\r\n{many}\r\n")), Err(RequestError::TooLong)));
    }
}
