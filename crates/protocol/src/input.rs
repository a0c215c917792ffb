//! Reading lines of any content and length.

use std::io::{self, BufRead};

/// The maximum length of a line, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// A part of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line without its end. Invalid UTF-8 is replaced.
    Line(String),
    /// The length of a line that is too long.
    TooLong(usize),
    /// The end.
    End,
}

/// Reads lines and calls `handle` with each, until it returns false or the input ends or fails, which is reported as
/// [`Input::End`].
pub fn read_lines(mut reader: impl BufRead, mut handle: impl FnMut(Input) -> bool) {
    let mut line = Vec::new();
    loop {
        let input = match read_line(&mut reader, &mut line) {
            Ok(Some(length)) if length > MAX_LINE => Input::TooLong(length),
            Ok(Some(_)) => Input::Line(String::from_utf8_lossy(&line).into_owned()),
            Ok(None) => Input::End,
            Err(error) => {
                log::warn!("cannot read the input: {error}");
                Input::End
            }
        };
        let last = input == Input::End;
        if !handle(input) || last {
            return;
        }
        // The memory of a long line is released.
        if line.capacity() > 1 << 16 {
            line = Vec::new();
        }
    }
}

/// Reads a line, keeps at most [`MAX_LINE`] bytes of it, and returns its length, or `None` at the end.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<usize>> {
    line.clear();
    let mut length = 0;
    let mut begun = false;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            return Ok(begun.then_some(length));
        }
        begun = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend_from_slice(part.get(..room.min(part.len())).unwrap_or_default());
        length += part.len();
        let used = part.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(length));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(bytes: &[u8]) -> Vec<Input> {
        let mut all = Vec::new();
        read_lines(io::BufReader::with_capacity(7, bytes), |input| {
            all.push(input);
            true
        });
        all
    }

    #[test]
    fn lines_end_in_any_way() {
        let line = |text: &str| Input::Line(text.into());
        assert_eq!(inputs(b""), [Input::End]);
        assert_eq!(
            inputs(b"a\nlonger than a buffer\r\n\n"),
            [line("a"), line("longer than a buffer"), line(""), Input::End]
        );
        assert_eq!(inputs(b"no end"), [line("no end"), Input::End]);
        assert_eq!(inputs(b"\xff\0\n"), [line("\u{fffd}\0"), Input::End]);
    }

    #[test]
    fn a_long_line_is_measured_and_skipped() {
        let mut bytes = vec![b'x'; MAX_LINE + 5];
        bytes.extend_from_slice(b"\nnext\n");
        assert_eq!(inputs(&bytes), [Input::TooLong(MAX_LINE + 5), Input::Line("next".into()), Input::End]);
    }
}
