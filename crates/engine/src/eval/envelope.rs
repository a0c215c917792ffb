//! What all forms of learned weights come in: a head of equal parts, and what it says of the rest.
//!
//! All numbers have their lowest byte first.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | which form it is |
//! | 8-11 | version of the form |
//! | 12-15 | CRC-32 of all that follows |
//! | then | numbers that the form fixes, 32 bits each |
//! | then, 4 bytes | scale, from 1 to 10,000 |
//! | then, 32 bytes | name, then zeros |
//! | then | the weights |

use std::fmt;

const NAME: usize = 32;
const MOST_SCALE: u32 = 10_000;

/// What files of one form of weights have in common.
#[derive(Debug)]
pub(super) struct Envelope {
    /// How they begin.
    pub(super) magic: &'static str,
    /// Their version.
    pub(super) version: u32,
    /// Their size, if all have the same.
    pub(super) size: Option<usize>,
    /// Numbers that say what the weights are for, with their names.
    pub(super) fixed: &'static [(&'static str, u32)],
}

/// Why bytes are no weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LearnedError {
    /// They begin otherwise than this.
    Magic(&'static str),
    /// They are of another version or form.
    Form {
        /// What differs.
        what: &'static str,
        /// What it is.
        found: u32,
        /// What it should be.
        expected: u32,
    },
    /// A network of no version that is known.
    Version(u32),
    /// There are too few or too many.
    Size {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// They end too early.
    Short,
    /// There are more than were announced.
    Long,
    /// They are damaged.
    Checksum,
    /// A number is out of its range.
    Range(&'static str),
}

impl fmt::Display for LearnedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic(magic) => write!(f, "no weights: expected them to begin with {magic}"),
            Self::Form { what, found, expected } => {
                write!(f, "weights of another form: {what} is {found}, expected {expected}")
            }
            Self::Version(found) => write!(f, "weights of another form: version is {found}, expected 1 or 2"),
            Self::Size { found, expected } => write!(f, "weights of {found} bytes: expected {expected}"),
            Self::Short => write!(f, "bad weights: they end too early"),
            Self::Long => write!(f, "bad weights: there is more than their number of entries"),
            Self::Checksum => write!(f, "damaged weights: the checksum is wrong"),
            Self::Range(what) => write!(f, "bad weights: {what} is out of range"),
        }
    }
}

impl std::error::Error for LearnedError {}

/// What an envelope held.
pub(super) struct Opened<'a> {
    pub(super) scale: i32,
    pub(super) name: String,
    /// The weights.
    pub(super) rest: Numbers<'a>,
}

/// Takes numbers from the front of bytes.
pub(super) struct Numbers<'a>(pub(super) &'a [u8]);

impl Numbers<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], LearnedError> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(LearnedError::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    pub(super) fn word(&mut self) -> Result<u32, LearnedError> {
        self.take().map(u32::from_le_bytes)
    }

    pub(super) fn shorts<const N: usize>(&mut self) -> Result<[i16; N], LearnedError> {
        let mut shorts = [0; N];
        for short in &mut shorts {
            *short = i16::from_le_bytes(self.take()?);
        }
        Ok(shorts)
    }
}

fn same(what: &'static str, found: u32, expected: u32) -> Result<(), LearnedError> {
    if found == expected { Ok(()) } else { Err(LearnedError::Form { what, found, expected }) }
}

impl Envelope {
    /// Whether bytes begin as such a file does, whatever its version.
    pub(super) fn holds(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.magic.as_bytes())
    }

    /// Whether bytes begin as such a file of this version does.
    pub(super) fn holds_version(&self, bytes: &[u8]) -> bool {
        self.version_of(bytes) == Some(Ok(self.version))
    }

    /// The version of bytes that begin as these weights do.
    pub(super) fn version_of(&self, bytes: &[u8]) -> Option<Result<u32, LearnedError>> {
        bytes.strip_prefix(self.magic.as_bytes()).map(|rest| Numbers(rest).word())
    }

    /// Takes the weights out.
    pub(super) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Opened<'a>, LearnedError> {
        let after = bytes.strip_prefix(self.magic.as_bytes());
        let mut numbers = Numbers(after.ok_or(LearnedError::Magic(self.magic))?);
        let version = numbers.word();
        if let Some(expected) = self.size {
            same("version", version.unwrap_or(0), self.version)?;
            if bytes.len() != expected {
                return Err(LearnedError::Size { found: bytes.len(), expected });
            }
        } else {
            same("version", version?, self.version)?;
        }
        if numbers.word()? != crc32fast::hash(numbers.0) {
            return Err(LearnedError::Checksum);
        }
        for &(what, expected) in self.fixed {
            same(what, numbers.word()?, expected)?;
        }
        let scale = Some(numbers.word()?).filter(|scale| (1..=MOST_SCALE).contains(scale));
        let scale = scale.ok_or(LearnedError::Range("the scale"))?.cast_signed();
        let name: [u8; NAME] = numbers.take()?;
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(Opened { scale, name: String::from_utf8_lossy(name).into_owned(), rest: numbers })
    }

    /// Puts weights in, which `add` appends.
    pub(super) fn seal(&self, scale: i32, name: &str, add: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut body = Vec::new();
        body.extend(self.fixed.iter().flat_map(|(_, number)| number.to_le_bytes()));
        body.extend(scale.to_le_bytes());
        body.extend(name.bytes().chain(std::iter::repeat(0)).take(NAME));
        add(&mut body);
        let mut bytes = Vec::with_capacity(16 + body.len());
        bytes.extend(self.magic.bytes());
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Learned;

    #[test]
    fn an_error_says_what_is_wrong() {
        let refused = |bytes: &[u8]| Learned::from_bytes(bytes).unwrap_err().to_string();
        let network = [b"KELSONET".as_slice(), &[1, 0, 0, 0], &[0; 48]].concat();
        assert_eq!(refused(b"KELSO"), "no weights: expected them to begin with KELSONET or KELSOPAT");
        assert_eq!(refused(b"KELSONET\x02"), "bad weights: they end too early");
        assert_eq!(refused(b"KELSONET\x03\0\0\0"), "weights of another form: version is 3, expected 1 or 2");
        assert_eq!(refused(b"KELSOPAT\x02"), "bad weights: they end too early");
        assert_eq!(refused(&network), "weights of 60 bytes: expected 74332");
        let patterns = [b"KELSOPAT".as_slice(), &[1, 0, 0, 0], &[0; 48]].concat();
        assert_eq!(refused(&patterns), "damaged weights: the checksum is wrong");
    }
}
