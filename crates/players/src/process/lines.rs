//! Splitting output into lines.

use std::mem;

/// A line of output.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Piece {
    Line(String),
    /// A line longer than the limit, which is dropped.
    Overlong,
}

/// Splits output, in pieces of any length, into lines.
pub(super) struct LineSplitter {
    begun: Vec<u8>,
    /// In the rest of an overlong line.
    skipping: bool,
    max_length: usize,
}

impl LineSplitter {
    pub(super) fn new(max_length: usize) -> Self {
        Self { begun: Vec::new(), skipping: false, max_length }
    }

    /// Adds bytes, and calls `found` with each line that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8], mut found: impl FnMut(Piece)) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (part, complete) = match part.strip_suffix(b"\n") {
                Some(part) => (part, true),
                None => (part, false),
            };
            if !self.skipping && self.begun.len() + part.len() > self.max_length {
                self.begun = Vec::new();
                self.skipping = true;
                found(Piece::Overlong);
            }
            if complete {
                if !mem::take(&mut self.skipping) {
                    if self.begun.is_empty() {
                        found(line(part));
                    } else {
                        self.begun.extend_from_slice(part);
                        found(line(&self.begun));
                    }
                }
                self.begun.clear();
            } else if !self.skipping {
                self.begun.extend_from_slice(part);
            }
        }
    }

    /// Returns the last line, if it has no line end.
    pub(super) fn finish(self) -> Option<Piece> {
        (!self.begun.is_empty()).then(|| line(&self.begun))
    }
}

fn line(bytes: &[u8]) -> Piece {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    Piece::Line(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(pieces: &[&[u8]], max_length: usize) -> Vec<Piece> {
        let mut splitter = LineSplitter::new(max_length);
        let mut all = Vec::new();
        for piece in pieces {
            splitter.feed(piece, |piece| all.push(piece));
        }
        all.extend(splitter.finish());
        all
    }

    fn text(text: &str) -> Piece {
        Piece::Line(text.to_owned())
    }

    #[test]
    fn lines_end_with_or_without_a_carriage_return() {
        assert_eq!(split(&[b"a\r\nb\n\nc"], 9), [text("a"), text("b"), text(""), text("c")]);
        assert_eq!(split(&[b"a\r", b"\nb\rc\n"], 9), [text("a"), text("b\rc")]);
        assert_eq!(split(&[b"\xffa\n"], 9), [text("\u{fffd}a")]);
        assert_eq!(split(&[], 9), []);
    }

    #[test]
    fn an_overlong_line_is_dropped_and_reported_once() {
        assert_eq!(split(&[b"abcd\nabc\n"], 3), [Piece::Overlong, text("abc")]);
        assert_eq!(split(&[b"ab", b"cd", b"efgh", b"ijkl\nx"], 3), [Piece::Overlong, text("x")]);
        assert_eq!(split(&[b"abcd"], 3), [Piece::Overlong]);
    }

    proptest! {
        #[test]
        fn cuts_do_not_matter(bytes in "[ab\r\n]{0,40}", cuts in prop::collection::vec(0usize..40, 0..6)) {
            let bytes = bytes.as_bytes();
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let pieces: Vec<_> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            prop_assert_eq!(split(&pieces, 7), split(&[bytes], 7));
        }
    }
}
