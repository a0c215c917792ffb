//! Decodes game and position files, in the encodings that forty years of programs have used: UTF-8 with or
//! without a byte order mark, UTF-16 as saved by Windows, and the code page Windows-1252.
//!
//! UTF-16 is recognised by a byte order mark, or by zero bytes next to the first two characters. Everything
//! else is decoded line by line, as UTF-8 if the line is valid and otherwise as Windows-1252, because
//! collections are often joined from several sources.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

/// The byte order mark; not part of the text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Decodes bytes in any of the encodings above.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match detect(bytes) {
        (Some(unit), mark) => utf_16(&bytes[mark..], unit).into(),
        (None, mark) => lines(&bytes[mark..]),
    }
}

/// Decodes each line as UTF-8 if it is valid, otherwise as Windows-1252.
#[must_use]
pub fn lines(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| match std::str::from_utf8(line) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(line.iter().copied().map(windows_1252).collect::<String>()),
            })
            .collect::<String>()
            .into(),
    }
}

/// Decodes a byte of Windows-1252: Latin-1 except for bytes 128-159, five of which are unused.
fn windows_1252(byte: u8) -> char {
    const FROM_128: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let latin = char::from(byte);
    byte.checked_sub(128).and_then(|index| FROM_128.get(usize::from(index))).copied().unwrap_or(latin)
}

/// Converts two bytes to a UTF-16 unit; there is one function for each byte order.
type Unit = fn([u8; 2]) -> u16;

/// Detects UTF-16 and the length of the byte order mark from the first bytes.
fn detect(first: &[u8]) -> (Option<Unit>, usize) {
    match first {
        [0xff, 0xfe, ..] => (Some(u16::from_le_bytes), 2),
        [0xfe, 0xff, ..] => (Some(u16::from_be_bytes), 2),
        [0xef, 0xbb, 0xbf, ..] => (None, 3),
        &[a, 0, b, 0, ..] if a != 0 && b != 0 => (Some(u16::from_le_bytes), 0),
        &[0, a, 0, b, ..] if a != 0 && b != 0 => (Some(u16::from_be_bytes), 0),
        _ => (None, 0),
    }
}

/// Decodes UTF-16. Invalid units become U+FFFD.
fn utf_16(bytes: &[u8], unit: Unit) -> String {
    let (units, rest) = bytes.as_chunks();
    let units = units.iter().map(|&bytes| unit(bytes));
    let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    text.chain((!rest.is_empty()).then_some(char::REPLACEMENT_CHARACTER)).collect()
}

/// Number of UTF-16 bytes converted at a time.
const PART_BYTES: u64 = 1 << 16;

/// A reader that drops the byte order mark and converts UTF-16 to UTF-8.
#[derive(Debug)]
pub struct Utf8<R> {
    input: R,
    begun: bool,
    /// The byte order, if the input is UTF-16.
    unit: Option<Unit>,
    /// UTF-16 that has been read but not converted yet.
    unconverted: Vec<u8>,
    /// Bytes that are ready to be returned before the rest of the input.
    ready: Cursor<Vec<u8>>,
}

impl<R: Read> Utf8<R> {
    /// Wraps a reader.
    pub const fn new(input: R) -> Self {
        Self { input, begun: false, unit: None, unconverted: Vec::new(), ready: Cursor::new(Vec::new()) }
    }

    fn begin(&mut self) -> io::Result<()> {
        let mut first = Vec::new();
        self.input.by_ref().take(4).read_to_end(&mut first)?;
        let (unit, mark) = detect(&first);
        let rest = first.split_off(mark);
        match unit {
            Some(_) => self.unconverted = rest,
            None => self.ready = Cursor::new(rest),
        }
        (self.unit, self.begun) = (unit, true);
        Ok(())
    }

    /// Converts the next chunk of UTF-16, and keeps an incomplete unit or surrogate pair for the next call.
    /// Returns `false` at the end of the input.
    fn convert(&mut self, unit: Unit) -> io::Result<bool> {
        let is_end = self.input.by_ref().take(PART_BYTES).read_to_end(&mut self.unconverted)? == 0;
        let units = self.unconverted.as_chunks().0;
        let half = units.last().is_some_and(|&last| (0xd800..0xdc00).contains(&unit(last)));
        let whole_bytes = 2 * (units.len() - usize::from(half));
        let rest = self.unconverted.split_off(if is_end { self.unconverted.len() } else { whole_bytes });
        let part = std::mem::replace(&mut self.unconverted, rest);
        self.ready = Cursor::new(utf_16(&part, unit).into_bytes());
        Ok(!is_end)
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.begun {
            self.begin()?;
        }
        loop {
            let count = self.ready.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.unit {
                Some(unit) => {
                    if !self.convert(unit)? && self.ready.get_ref().is_empty() {
                        return Ok(0);
                    }
                }
                None => match self.input.read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => return read,
                },
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A reader that returns only a few bytes at a time.
    pub(in crate::notation) struct Slowly<'a>(
        pub(in crate::notation) &'a [u8],
        pub(in crate::notation) usize,
    );

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(buffer.len()).min(self.1);
            self.0.read(&mut buffer[..count])
        }
    }

    fn utf_16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn all_encodings_of_a_text_decode_alike() {
        let text = "[White \"Źrebię 😀\"] 1. 11-15 *\n";
        let marked = format!("{BYTE_ORDER_MARK}{text}");
        for bytes in [
            text.as_bytes().to_vec(),
            marked.as_bytes().to_vec(),
            utf_16(&marked, u16::to_le_bytes),
            utf_16(&marked, u16::to_be_bytes),
            utf_16(text, u16::to_le_bytes),
            utf_16(text, u16::to_be_bytes),
        ] {
            assert_eq!(decode(&bytes), text);
            let mut read = String::new();
            Utf8::new(Slowly(&bytes, 1)).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
        assert_eq!(decode("\u{feff}".as_bytes()), "");
        assert_eq!(decode(b"\xff\xfe"), "");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"a\0"), "a\0");
        // Two characters and the zero bytes beside them are needed to recognise UTF-16.
        for text in ["\0\0\0\0a", "a\0\0\0b", "\0\0a\0b", "\0a\0\0b", "\0\0\0ab", "a\0bc"] {
            assert_eq!(decode(text.as_bytes()), text);
        }
    }

    #[test]
    fn a_long_text_is_converted_in_parts() {
        for begin in ["", "1"] {
            let text = format!("{begin}{}.", "😀".repeat(40_000));
            let bytes = utf_16(&format!("{BYTE_ORDER_MARK}{text}"), u16::to_le_bytes);
            let mut reader = Utf8::new(&bytes[..]);
            let mut read = [0; 100];
            reader.read_exact(&mut read).unwrap();
            assert!(reader.input.len() > 80_000, "{}", reader.input.len());
            let mut rest = String::from_utf8_lossy(&read).into_owned();
            rest.truncate(rest.trim_end_matches('\u{fffd}').len());
            assert!(text.starts_with(&rest));
            let mut whole = String::new();
            Utf8::new(&bytes[..]).read_to_string(&mut whole).unwrap();
            assert!(whole == text);
        }
    }

    #[test]
    fn old_code_pages_are_recognised_line_by_line() {
        assert_eq!(decode(b"caf\xe9 \x96 \xbd\ncaf\xc3\xa9 \xe2\x80\x93\n\x81"), "café – ½\ncafé –\n\u{81}");
    }

    #[test]
    fn damaged_utf_16_is_marked_and_read_to_its_end() {
        for (bytes, text) in [
            (&b"\xff\xfea\0\x00\xd8b\0"[..], "a\u{fffd}b"),
            (b"\xff\xfea\0\x00\xdcb\0", "a\u{fffd}b"),
            (b"\xff\xfea\0\x00\xd8\x00\xd8", "a\u{fffd}\u{fffd}"),
            (b"\xff\xfea\0b", "a\u{fffd}"),
            (b"\xff\xfe\x00\xd8", "\u{fffd}"),
            (b"\xfe\xff\xd8\x3d\xde\x00\0", "\u{1f600}\u{fffd}"),
        ] {
            assert_eq!(decode(bytes), text, "{bytes:?}");
            let mut read = String::new();
            Utf8::new(Slowly(bytes, 1)).read_to_string(&mut read).unwrap();
            assert_eq!(read, text, "{bytes:?}");
        }
    }

    #[test]
    fn interrupted_reads_are_repeated_and_other_errors_returned() {
        /// Fails before every read, and for good at the end.
        struct Failing<'a>(&'a [u8], bool);
        impl Read for Failing<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.1 = !self.1;
                match (self.1, self.0.is_empty()) {
                    (true, _) => Err(io::ErrorKind::Interrupted.into()),
                    (false, true) => Err(io::ErrorKind::BrokenPipe.into()),
                    (false, false) => self.0.read(buffer),
                }
            }
        }
        let mut reader = Utf8::new(Failing(b"1. 11-15 *", false));
        let (mut text, mut buffer) = (Vec::new(), [0; 4]);
        let error = loop {
            match reader.read(&mut buffer) {
                Ok(count) => text.extend_from_slice(&buffer[..count]),
                Err(error) => break error,
            }
        };
        assert_eq!((text.as_slice(), error.kind()), (&b"1. 11-15 *"[..], io::ErrorKind::BrokenPipe));
        assert_eq!(reader.read(&mut []).unwrap(), 0);
    }
}
