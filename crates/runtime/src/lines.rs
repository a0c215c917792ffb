//! Reads lines of any content and length.

use std::io::{BufRead, Read};

/// Maximum length of a line in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// A part of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// A line without its newline. Invalid UTF-8 is replaced.
    Line(String),
    /// A line longer than [`MAX_LINE`], which is skipped.
    TooLong,
    /// The end of the input, with the error if it cannot be read further.
    End(Option<String>),
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
            Err(error) => InputLine::End(Some(error.to_string())),
        };
        is_first = false;
        let last = matches!(input, InputLine::End(_));
        let too_long = input == InputLine::TooLong;
        if !handle(input) || last || too_long && reader.skip_until(b'\n').is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(bytes: &[u8]) -> Vec<InputLine> {
        let mut all = Vec::new();
        read_lines(std::io::BufReader::with_capacity(7, bytes), |input| {
            all.push(input);
            true
        });
        all
    }

    #[test]
    fn lines_end_in_any_way() {
        let line = |text: &str| InputLine::Line(text.into());
        assert_eq!(inputs(b""), [InputLine::End(None)]);
        assert_eq!(
            inputs(b"a\nlonger than a buffer\r\n\nb\rc\n"),
            [line("a"), line("longer than a buffer"), line(""), line("b\rc"), InputLine::End(None)]
        );
        assert_eq!(inputs(b"no end"), [line("no end"), InputLine::End(None)]);
        let marked = "\u{feff}a\n\u{feff}b\n";
        assert_eq!(inputs(marked.as_bytes()), [line("a"), line("\u{feff}b"), InputLine::End(None)]);
        assert_eq!(inputs(b"\xff\0\n"), [line("\u{fffd}\0"), InputLine::End(None)]);
    }

    #[test]
    fn an_error_ends_the_input() {
        let folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR"));
        // Some systems refuse to open a folder.
        let Ok(folder) = folder else { return };
        let mut all = Vec::new();
        read_lines(std::io::BufReader::new(folder), |input| {
            all.push(input);
            true
        });
        assert!(matches!(&all[..], [InputLine::End(Some(_))]), "{all:?}");
    }

    #[test]
    fn a_long_line_is_skipped_and_reported_once() {
        let longest = "x".repeat(MAX_LINE);
        let bytes = format!("{longest}\n{longest}yyyy\nnext\n{longest}z");
        let expected = [
            InputLine::Line(longest),
            InputLine::TooLong,
            InputLine::Line("next".into()),
            InputLine::TooLong,
            InputLine::End(None),
        ];
        assert_eq!(inputs(bytes.as_bytes()), expected);
    }
}
