//! The weights of patterns, and the file that holds them.
//!
//! All numbers have their lowest byte first.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | `KELSOPAT` |
//! | 8-11 | version, 1 |
//! | 12-15 | CRC-32 of all that follows |
//! | 16-19 | number of places for weights, 9,079,409 |
//! | 20-23 | scale: the score of one, in hundredths of a man, from 1 to 10,000 |
//! | 24-55 | name, then zeros |
//! | 56-59 | number of entries that follow; the weights of all other places are 0 |
//! | then | for each entry, in the order of places: how many places were passed over since the entry before (or the front), then the weight in the opening and that in the ending |
//!
//! The numbers of an entry are written seven bits to a byte, the lowest first; all bytes but the last have their highest bit set. A
//! weight w is written as 2w, or as -2w - 1 if it is negative; it counts in 1/4096, and fits 16 bits.
//!
//! The places are, in this order: what is counted, 15; men by square, own and then the other's; kings likewise; 15 patterns of men of
//! eight squares, 3^8 places each; the halves of the patterns with kings, 16 of 5^4; 11 patterns of men of twelve squares, 3^12 each; 8
//! patterns with kings, 5^8 each. What stands on a square is a digit, that of the pattern's first square the lowest: nothing 0, own man
//! 1, other's man 2, own king 3, other's king 4; kings are nothing to patterns of men. Which squares a pattern has is said in `shape`.

use std::fmt;

use super::{Pair, place};
use crate::eval::envelope::{Envelope, LearnedError, Numbers, Opened};

/// Places for weights.
pub const FEATURES: usize = place::END;
/// What one is.
pub const ONE: i16 = 4096;

#[expect(clippy::cast_possible_truncation, reason = "nine million")]
const PLACES: u32 = FEATURES as u32;

pub(in crate::eval) const ENVELOPE: Envelope =
    Envelope { magic: "KELSOPAT", version: 1, size: None, fixed: &[("number of places", PLACES)] };

/// All weights of patterns.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    /// What they are called.
    pub name: String,
    /// The score of one.
    pub scale: i32,
    /// Those that are not zero, by place.
    pub entries: Vec<Entry>,
}

/// A pair of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its place, below [`FEATURES`].
    pub index: u32,
    /// The weights in the opening and in the ending.
    pub pair: Pair,
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights")
            .field("name", &self.name)
            .field("scale", &self.scale)
            .field("entries", &self.entries.len())
            .finish()
    }
}

impl Numbers<'_> {
    /// A number of seven bits to a byte, of at most 28 bits.
    fn number(&mut self, what: &'static str) -> Result<u32, LearnedError> {
        let mut number = 0;
        for shift in [0, 7, 14, 21] {
            let [byte] = self.take()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(LearnedError::Range(what))
    }

    fn weight(&mut self) -> Result<i16, LearnedError> {
        let number = self.number("a weight")?.cast_signed();
        let weight = if number & 1 == 0 { number >> 1 } else { -(number >> 1) - 1 };
        i16::try_from(weight).map_err(|_| LearnedError::Range("a weight"))
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(0x80 | number.to_le_bytes()[0] & 0x7f);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

impl Weights {
    /// Weights of nothing.
    #[must_use]
    pub const fn zero() -> Self {
        Self { name: String::new(), scale: 1, entries: Vec::new() }
    }

    /// The weights of a file.
    ///
    /// # Errors
    ///
    /// When the bytes are no weights of this form, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LearnedError> {
        let Opened { scale, name, rest: mut numbers } = ENVELOPE.open(bytes)?;
        let count = numbers.word()?;
        // Every entry has three bytes at least, so that no number makes room for what isn't there.
        if count as usize > numbers.0.len() / 3 {
            return Err(LearnedError::Short);
        }
        let mut entries = Vec::with_capacity(count as usize);
        let mut next = 0u32;
        for _ in 0..count {
            let index = next + numbers.number("a place")?;
            if index >= PLACES {
                return Err(LearnedError::Range("a place"));
            }
            entries.push(Entry { index, pair: [numbers.weight()?, numbers.weight()?] });
            next = index + 1;
        }
        if numbers.0.is_empty() { Ok(Self { name, scale, entries }) } else { Err(LearnedError::Long) }
    }

    /// As stored in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        ENVELOPE.seal(self.scale, &self.name, |body| {
            body.reserve(5 * self.entries.len());
            body.extend(u32::try_from(self.entries.len()).unwrap_or(u32::MAX).to_le_bytes());
            let mut next = 0;
            for &Entry { index, pair } in &self.entries {
                put(body, index.saturating_sub(next));
                for weight in pair.map(i32::from) {
                    put(body, (weight << 1 ^ weight >> 31).cast_unsigned());
                }
                next = index + 1;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> Weights {
        let entry = |index, pair| Entry { index, pair };
        let entries = vec![
            entry(0, [1, -1]),
            entry(1, [i16::MAX, i16::MIN]),
            entry(130, [-64, 64]),
            entry(PLACES - 1, [0, 5]),
        ];
        Weights { name: "Ren\u{e9}e 2".into(), scale: 150, entries }
    }

    fn sealed(mut file: Vec<u8>) -> Vec<u8> {
        let check = crc32fast::hash(&file[16..]);
        file[12..16].copy_from_slice(&check.to_le_bytes());
        file
    }

    #[test]
    fn weights_come_back_from_their_bytes() {
        let bytes = weights().to_bytes();
        assert_eq!(Weights::from_bytes(&bytes), Ok(weights()));
        assert_eq!(Weights::from_bytes(&Weights::zero().to_bytes()), Ok(Weights::zero()));
        // Nothing moves: the bytes are a format, not a habit.
        assert_eq!(PLACES, 9_079_409);
        assert_eq!(bytes[..12], *b"KELSOPAT\x01\0\0\0");
        assert_eq!(bytes[20..24], 150i32.to_le_bytes());
        assert_eq!(bytes[56..63], [4, 0, 0, 0, 0, 2, 1]);
        assert_eq!(bytes[63..70], [0, 0xfe, 0xff, 3, 0xff, 0xff, 3]);
        assert_eq!(bytes[70..75], [0x80, 1, 0x7f, 0x80, 1]);
        assert_eq!(bytes[75..], [0xed, 0x93, 0xaa, 4, 0, 10]);
    }

    #[test]
    fn what_is_no_weights_is_refused() {
        let good = weights().to_bytes();
        for length in 0..good.len() {
            let error = Weights::from_bytes(&good[..length]).unwrap_err();
            let expected = match length {
                0..8 => LearnedError::Magic("KELSOPAT"),
                8..16 => LearnedError::Short,
                _ => LearnedError::Checksum,
            };
            assert_eq!(error, expected, "{length}");
            if length >= 16 {
                assert_eq!(
                    Weights::from_bytes(&sealed(good[..length].to_vec())),
                    Err(LearnedError::Short),
                    "{length}"
                );
            }
        }
        assert_eq!(Weights::from_bytes(&sealed([&good[..], &[0]].concat())), Err(LearnedError::Long));
        for at in 12..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            assert_eq!(Weights::from_bytes(&bytes), Err(LearnedError::Checksum), "{at}");
        }
        let form = |what, found, expected| LearnedError::Form { what, found, expected };
        for (at, bytes, error) in [
            (0, &b"KELSOPOS"[..], LearnedError::Magic("KELSOPAT")),
            (8, &[2, 0, 0, 0], form("version", 2, 1)),
            (16, &[9, 0, 0, 0], form("number of places", 9, PLACES)),
            (20, &[0, 0, 0, 0], LearnedError::Range("the scale")),
            (20, &[0xff; 4], LearnedError::Range("the scale")),
            (56, &[0xff; 4], LearnedError::Short),
            (56, &[3, 0, 0, 0], LearnedError::Long),
            // One more than fits, and a number without an end.
            (64, &[0x80, 0x80, 4], LearnedError::Range("a weight")),
            (64, &[0xff; 4], LearnedError::Range("a weight")),
            (75, &[0xff; 4], LearnedError::Range("a place")),
            (75, &[0xee], LearnedError::Range("a place")),
        ] {
            let mut file = good.clone();
            file[at..at + bytes.len()].copy_from_slice(bytes);
            assert_eq!(Weights::from_bytes(&sealed(file)), Err(error), "{at}");
        }
    }
}
