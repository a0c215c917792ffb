//! Reads lines of any content and length.

use std::io::{self, BufRead, Read};

/// Maximum length of a line in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// A part of the input.
#[derive(Debug)]
pub enum InputLine {
    /// A line without its newline. Invalid UTF-8 is replaced.
    Line(String),
    /// A line longer than [`MAX_LINE`], which is skipped.
    TooLong,
    /// The end of the input, with the error if it cannot be read further.
    End(Option<io::Error>),
}

/// Reads lines and calls `handle` with each, until it returns `false` or the input ends or fails. The end is
/// reported as [`InputLine::End`]. A byte order mark before the first line is dropped.
pub fn read_lines(mut reader: impl BufRead, mut handle: impl FnMut(InputLine) -> bool) {
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line);
        let input = match read {
            Ok(0) => InputLine::End(None),
            Ok(length) if length > MAX_LINE && !line.ends_with(b"\n") => InputLine::TooLong,
            Ok(_) => {
                let text = line.strip_suffix(b"\n").unwrap_or(&line);
                let text = text.strip_prefix("\u{feff}".as_bytes()).filter(|_| is_first).unwrap_or(text);
                InputLine::Line(
                    String::from_utf8_lossy(text.strip_suffix(b"\r").unwrap_or(text)).into_owned(),
                )
            }
            Err(error) => InputLine::End(Some(error)),
        };
        is_first = false;
        let last = matches!(input, InputLine::End(_));
        let too_long = matches!(input, InputLine::TooLong);
        if !handle(input) || last || too_long && reader.skip_until(b'\n').is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lines of an input, `None` for those that are too long.
    fn inputs(bytes: &[u8]) -> Vec<Option<String>> {
        let (mut lines, mut ends) = (Vec::new(), 0);
        read_lines(io::BufReader::with_capacity(7, bytes), |input| {
            match input {
                InputLine::Line(line) => lines.push(Some(line)),
                InputLine::TooLong => lines.push(None),
                InputLine::End(error) => ends += usize::from(error.is_none()),
            }
            true
        });
        assert_eq!(ends, 1);
        lines
    }

    #[test]
    fn lines_end_in_any_way() {
        for (bytes, lines) in [
            (&b""[..], &[][..]),
            (b"a\nlonger than a buffer\r\n\nb\rc\n", &["a", "longer than a buffer", "", "b\rc"]),
            (b"no end", &["no end"]),
            ("\u{feff}a\n\u{feff}b\n".as_bytes(), &["a", "\u{feff}b"]),
            (b"\xff\0\n", &["\u{fffd}\0"]),
        ] {
            assert!(
                inputs(bytes).iter().map(Option::as_deref).eq(lines.iter().map(|&line| Some(line))),
                "{lines:?}"
            );
        }
    }

    #[test]
    fn an_error_ends_the_input() {
        let folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR"));
        // Some systems refuse to open a folder.
        let Ok(folder) = folder else { return };
        let mut all = Vec::new();
        read_lines(io::BufReader::new(folder), |input| {
            all.push(input);
            true
        });
        assert!(matches!(&all[..], [InputLine::End(Some(_))]), "{all:?}");
    }

    #[test]
    fn a_long_line_is_skipped_and_reported_once() {
        let longest = "x".repeat(MAX_LINE);
        let bytes = format!("{longest}\n{longest}yyyy\nnext\n{longest}z");
        assert_eq!(inputs(bytes.as_bytes()), [Some(longest), None, Some("next".into()), None]);
    }
}
