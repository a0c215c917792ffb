//! The weights of a network, and the file that holds them.
//!
//! All numbers have their lowest byte first.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | `KELSONET` |
//! | 8-11 | version, 1 |
//! | 12-15 | CRC-32 of all that follows |
//! | 16-19 | neurons, 256 |
//! | 20-23 | sets of output weights, 8 |
//! | 24-27 | scale: the score of one unit of output, in hundredths of a man |
//! | 28-59 | name, then zeros |
//! | then | for each of 128 features (own men, other's men, own kings, other's kings; squares 1-32) its weights, 16 bits each, from -1310 to 1310 |
//! | then | bias of each neuron, 16 bits, from -1310 to 1310 |
//! | then | for each set the weights of the own view, then of the other's, 16 bits each, from -128 to 128 |
//! | then | for each set its bias, 32 bits |
//!
//! Hidden weights and biases count in 1/255, output weights in 1/64, output biases in 1/(255·64).

use std::fmt;

use super::{BUCKETS, FEATURES, INPUT_LIMIT, OUTPUT_LIMIT, WIDTH};
use crate::eval::aligned::Aligned;
use crate::eval::envelope::{Envelope, LearnedError, Opened};

#[expect(clippy::cast_possible_truncation, reason = "a small number")]
const NEURONS: u32 = WIDTH as u32;
#[expect(clippy::cast_possible_truncation, reason = "a small number")]
const SETS: u32 = BUCKETS as u32;

const HEAD: usize = 60;
const SIZE: usize = HEAD + 2 * (FEATURES * WIDTH + WIDTH + 2 * BUCKETS * WIDTH) + 4 * BUCKETS;

pub(in crate::eval) const ENVELOPE: Envelope = Envelope {
    magic: "KELSONET",
    version: 1,
    size: Some(SIZE),
    fixed: &[("number of neurons", NEURONS), ("number of output sets", SETS)],
};

/// All weights of a network.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    /// What it is called.
    pub name: String,
    /// The score of one unit of output.
    pub scale: i32,
    /// By feature and neuron.
    pub input: Box<Aligned<[[i16; WIDTH]; FEATURES]>>,
    /// By neuron.
    pub bias: [i16; WIDTH],
    /// By set, view and neuron.
    pub output: Box<Aligned<[[[i16; WIDTH]; 2]; BUCKETS]>>,
    /// By set.
    pub output_bias: [i32; BUCKETS],
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights")
            .field("name", &self.name)
            .field("scale", &self.scale)
            .finish_non_exhaustive()
    }
}

impl Weights {
    /// Weights of nothing.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            name: String::new(),
            scale: 100,
            input: Box::new(Aligned::all(&[0; WIDTH])),
            bias: [0; WIDTH],
            output: Box::new(Aligned::all(&[[0; WIDTH]; 2])),
            output_bias: [0; BUCKETS],
        }
    }

    /// The weights that a file holds.
    ///
    /// # Errors
    ///
    /// When the bytes are no weights of this form, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LearnedError> {
        let Opened { scale, name, rest: mut numbers } = ENVELOPE.open(bytes)?;
        let mut weights = Self { name, scale, ..Self::zero() };
        for row in weights.input.iter_mut() {
            *row = numbers.shorts()?;
        }
        weights.bias = numbers.shorts()?;
        for row in weights.output.iter_mut().flatten() {
            *row = numbers.shorts()?;
        }
        for bias in &mut weights.output_bias {
            *bias = numbers.word()?.cast_signed();
        }
        let fits = |weight: &i16| (-INPUT_LIMIT..=INPUT_LIMIT).contains(weight);
        if !weights.input.iter().flatten().chain(&weights.bias).all(fits) {
            return Err(LearnedError::Range("a hidden weight or bias"));
        }
        let fits = |weight: &i16| (-OUTPUT_LIMIT..=OUTPUT_LIMIT).contains(weight);
        if !weights.output.iter().flatten().flatten().all(fits) {
            return Err(LearnedError::Range("an output weight"));
        }
        Ok(weights)
    }

    /// As stored in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        ENVELOPE.seal(self.scale, &self.name, |body| {
            body.reserve(SIZE);
            let shorts =
                self.input.iter().flatten().chain(&self.bias).chain(self.output.iter().flatten().flatten());
            body.extend(shorts.flat_map(|weight| weight.to_le_bytes()));
            body.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::eval::network::Network;

    fn weights() -> Weights {
        let mut weights = Weights { name: "Ren\u{e9}e 2".into(), scale: 150, ..Weights::zero() };
        for (row, weights) in (0i16..).zip(weights.input.iter_mut()) {
            *weights = std::array::from_fn(|neuron| i16::try_from(neuron).unwrap() * 3 - row);
        }
        weights.bias = std::array::from_fn(|neuron| 1310 - i16::try_from(neuron).unwrap());
        for (row, weights) in (0i16..).zip(weights.output.iter_mut().flatten()) {
            *weights = std::array::from_fn(|neuron| (i16::try_from(neuron).unwrap() - 128).max(-row - 20));
        }
        weights.output_bias = [i32::MIN, i32::MAX, 0, 1, -1, 2, 3, 4];
        weights
    }

    /// The bytes with others at a place, and a checksum that says they are meant.
    fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = weights().to_bytes();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let check = crc32fast::hash(&file[16..]);
        file[12..16].copy_from_slice(&check.to_le_bytes());
        file
    }

    #[test]
    fn weights_come_back_from_their_bytes() {
        let bytes = weights().to_bytes();
        assert_eq!(bytes.len(), SIZE);
        assert_eq!(Weights::from_bytes(&bytes), Ok(weights()));
        // Nothing moves: the bytes are a format, not a habit.
        assert_eq!(bytes[..12], *b"KELSONET\x01\0\0\0");
        assert_eq!(bytes[24..28], 150i32.to_le_bytes());
        assert_eq!(bytes[HEAD..HEAD + 4], [0, 0, 3, 0]);
        assert_eq!(bytes[SIZE - 4..], 4i32.to_le_bytes());
    }

    #[test]
    fn what_is_no_weights_is_refused() {
        let good = weights().to_bytes();
        for length in [0, 7, 8, 12, 15, 16, 59, 60, 1000, SIZE - 1] {
            let error = Weights::from_bytes(&good[..length]).unwrap_err();
            let expected = match length {
                0..8 => LearnedError::Magic("KELSONET"),
                8..12 => LearnedError::Form { what: "version", found: 0, expected: 1 },
                _ => LearnedError::Size { found: length, expected: SIZE },
            };
            assert_eq!(error, expected);
        }
        assert_eq!(
            Weights::from_bytes(&[good.clone(), vec![0]].concat()),
            Err(LearnedError::Size { found: SIZE + 1, expected: SIZE })
        );
        for at in [12, 16, 24, 30, 61, SIZE - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            assert_eq!(Weights::from_bytes(&bytes), Err(LearnedError::Checksum), "{at}");
        }
        let form = |what, found, expected| LearnedError::Form { what, found, expected };
        let bias = HEAD + 2 * FEATURES * WIDTH;
        let hidden = || LearnedError::Range("a hidden weight or bias");
        for (at, bytes, error) in [
            (0, &b"KELSOPOS"[..], LearnedError::Magic("KELSONET")),
            (8, &[2, 0, 0, 0], form("version", 2, 1)),
            (16, &[0, 2, 0, 0], form("number of neurons", 512, 256)),
            (20, &[9, 0, 0, 0], form("number of output sets", 9, 8)),
            (24, &[0, 0, 0, 0], LearnedError::Range("the scale")),
            (24, &[0xff; 4], LearnedError::Range("the scale")),
            (HEAD, &1311i16.to_le_bytes(), hidden()),
            (bias, &(-1311i16).to_le_bytes(), hidden()),
            (bias + 2 * WIDTH, &129i16.to_le_bytes(), LearnedError::Range("an output weight")),
        ] {
            assert_eq!(Weights::from_bytes(&with(at, bytes)), Err(error));
        }
    }

    #[test]
    fn whatever_is_accepted_can_be_played_with() {
        let name = with(28, &[0xff; 32]);
        let weights = Weights::from_bytes(&name).unwrap();
        assert!(weights.name.starts_with('\u{fffd}'));
        let value = Network::new(weights).evaluate(&draughts::board::Position::start());
        assert!(value.abs() <= crate::eval::LIMIT);
    }
}
