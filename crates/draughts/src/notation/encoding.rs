//! Decodes files of games and positions, which come from forty years of programs: UTF-8 with or without a byte order mark,
//! UTF-16 as Windows saves it, and the code page Windows-1252.
//!
//! UTF-16 is recognised by a byte order mark, or by zeros beside the first two characters. Everything else is UTF-8, and a
//! line that is not valid UTF-8 is Windows-1252, so that a collection from several sources is read correctly line by line.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

/// The byte order mark, which is not a part of the text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Decodes a text.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if Form::of(bytes).is_some_and(|(form, _)| form != Form::Bytes) {
        let mut text = Vec::new();
        // Reading from memory cannot fail.
        let _ = Utf8::new(bytes).read_to_end(&mut text);
        return Cow::Owned(String::from_utf8_lossy(&text).into_owned());
    }
    lines(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
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

/// Decodes a byte of Windows-1252: Latin-1 but for these characters. Five of them are unused.
fn windows_1252(byte: u8) -> char {
    const FROM_128: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let latin = char::from(byte);
    byte.checked_sub(128).and_then(|index| FROM_128.get(usize::from(index))).copied().unwrap_or(latin)
}

/// The encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// UTF-8 or Windows-1252, not converted.
    Bytes,
    Utf16LittleEndian,
    Utf16BigEndian,
}

impl Form {
    /// Detects the form and the length of the byte order mark from the first bytes. Returns `None` if more bytes are needed.
    fn of(bytes: &[u8]) -> Option<(Self, usize)> {
        match bytes {
            [0xff, 0xfe, ..] => Some((Self::Utf16LittleEndian, 2)),
            [0xfe, 0xff, ..] => Some((Self::Utf16BigEndian, 2)),
            [0xef, 0xbb, 0xbf, ..] => Some((Self::Bytes, 3)),
            &[a, 0, b, 0, ..] if a != 0 && b != 0 => Some((Self::Utf16LittleEndian, 0)),
            &[0, a, 0, b, ..] if a != 0 && b != 0 => Some((Self::Utf16BigEndian, 0)),
            bytes if bytes.len() < 4 => None,
            _ => Some((Self::Bytes, 0)),
        }
    }
}

/// A reader that drops the byte order mark and converts UTF-16 to UTF-8. Invalid UTF-16 becomes U+FFFD.
#[derive(Debug)]
pub struct Utf8<R> {
    input: R,
    form: Option<Form>,
    /// Bytes to return.
    ready: Cursor<Vec<u8>>,
    /// Half of a UTF-16 unit, or of a surrogate pair.
    half: Vec<u8>,
}

impl<R: Read> Utf8<R> {
    /// Wraps a reader.
    pub const fn new(input: R) -> Self {
        Self { input, form: None, ready: Cursor::new(Vec::new()), half: Vec::new() }
    }

    /// Reads until the form is known.
    fn begin(&mut self) -> io::Result<Form> {
        let mut first = [0; 4];
        let mut length = 0;
        let (form, mark) = loop {
            let (known, rest) = first.split_at_mut(length);
            if let Some(form) = Form::of(known) {
                break form;
            }
            match retry(|| self.input.read(rest))? {
                0 => break (Form::Bytes, 0),
                more => length += more,
            }
        };
        let left = first.get(mark..length).unwrap_or_default().to_vec();
        match form {
            Form::Bytes => self.ready = Cursor::new(left),
            _ => self.half = left,
        }
        self.form = Some(form);
        Ok(form)
    }

    /// Converts more UTF-16. Returns false at the end of the file.
    fn convert(&mut self, form: Form) -> io::Result<bool> {
        let mut read = [0; 4096];
        let length = retry(|| self.input.read(&mut read))?;
        self.half.extend_from_slice(read.get(..length).unwrap_or_default());
        let unit = if form == Form::Utf16BigEndian { u16::from_be_bytes } else { u16::from_le_bytes };
        let mut units: Vec<u16> = self.half.as_chunks().0.iter().map(|&bytes| unit(bytes)).collect();
        // The second half of a surrogate pair may follow.
        units.pop_if(|unit| length > 0 && (0xd800..0xdc00).contains(unit));
        self.half.drain(..2 * units.len());
        let mut text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        if length == 0 && !std::mem::take(&mut self.half).is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        let more = length > 0 || !text.is_empty();
        self.ready = Cursor::new(text.into_bytes());
        Ok(more)
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let form = match self.form {
            Some(form) => form,
            None => self.begin()?,
        };
        loop {
            match self.ready.read(buffer)? {
                0 if form == Form::Bytes => return retry(|| self.input.read(buffer)),
                0 if !buffer.is_empty() && self.convert(form)? => {}
                count => return Ok(count),
            }
        }
    }
}

fn retry(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(buffer.len()).min(1);
            self.0.read(&mut buffer[..count])
        }
    }

    fn utf_16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn every_form_of_a_text_is_the_same_text() {
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
            Utf8::new(Slowly(&bytes)).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
        assert_eq!(decode("\u{feff}".as_bytes()), "");
        assert_eq!(decode(b"\xff\xfe"), "");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"a\0"), "a\0");
        assert_eq!(decode(b"\0\0\0\0a"), "\0\0\0\0a");
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
            (b"\xfe\xff\xd8\x3d\xde\x00\0", "\u{1f600}\u{fffd}"),
        ] {
            assert_eq!(decode(bytes), text, "{bytes:?}");
            let mut read = String::new();
            Utf8::new(Slowly(bytes)).read_to_string(&mut read).unwrap();
            assert_eq!(read, text, "{bytes:?}");
        }
    }
}
