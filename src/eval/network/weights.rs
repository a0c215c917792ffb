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

#[expect(clippy::cast_possible_truncation, reason = "a small number")]
const NEURONS: u32 = WIDTH as u32;
#[expect(clippy::cast_possible_truncation, reason = "a small number")]
const SETS: u32 = BUCKETS as u32;

pub(in crate::eval) const MAGIC: &[u8; 8] = b"KELSONET";
const VERSION: u32 = 1;
const NAME: usize = 32;
const HEAD: usize = 60;
const SIZE: usize = HEAD + 2 * (FEATURES * WIDTH + WIDTH + 2 * BUCKETS * WIDTH) + 4 * BUCKETS;

/// All weights of a network.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights {
    /// What it is called.
    pub name: String,
    /// The score of one unit of output.
    pub scale: i32,
    /// By feature and neuron.
    pub input: Box<[[i16; WIDTH]; FEATURES]>,
    /// By neuron.
    pub bias: [i16; WIDTH],
    /// By set, view and neuron.
    pub output: Box<[[[i16; WIDTH]; 2]; BUCKETS]>,
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

/// Why bytes are no weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// They begin otherwise.
    Magic,
    /// They are of another version or form.
    Form {
        /// What differs.
        what: &'static str,
        /// What it is.
        found: u32,
        /// What it should be.
        expected: u32,
    },
    /// There are too few or too many.
    Size(usize),
    /// They are damaged.
    Checksum,
    /// A number is out of its range.
    Range(&'static str),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => write!(f, "no weights: expected them to begin with KELSONET"),
            Self::Form { what, found, expected } => {
                write!(f, "weights of another form: {what} is {found}, expected {expected}")
            }
            Self::Size(size) => write!(f, "weights of {size} bytes: expected {SIZE}"),
            Self::Checksum => write!(f, "damaged weights: the checksum is wrong"),
            Self::Range(what) => write!(f, "bad weights: {what} is out of range"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// Takes numbers from the front of bytes; past their end, zeros.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk::<N>().unwrap_or((&[0; N], &[]));
        self.0 = rest;
        *first
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn shorts<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| i16::from_le_bytes(self.take()))
    }
}

/// An array of equal items that was never on the stack.
#[expect(clippy::unnecessary_box_returns, reason = "the array is large")]
fn heap<T: Clone, const N: usize>(item: T) -> Box<[T; N]> {
    let boxed: Result<Box<[T; N]>, _> = vec![item; N].into_boxed_slice().try_into();
    boxed.unwrap_or_else(|_| unreachable!("there are N items"))
}

impl Weights {
    /// Weights of nothing.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            name: String::new(),
            scale: 100,
            input: heap([0; WIDTH]),
            bias: [0; WIDTH],
            output: heap([[0; WIDTH]; 2]),
            output_bias: [0; BUCKETS],
        }
    }

    /// The weights that a file holds.
    ///
    /// # Errors
    ///
    /// When the bytes are no weights of this form, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut numbers = Numbers(bytes);
        if &numbers.take() != MAGIC {
            return Err(NetworkError::Magic);
        }
        let version = numbers.word();
        let check = numbers.word();
        let form = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(NetworkError::Form { what, found, expected }) }
        };
        form("version", version, VERSION)?;
        if bytes.len() != SIZE {
            return Err(NetworkError::Size(bytes.len()));
        }
        if crc32fast::hash(numbers.0) != check {
            return Err(NetworkError::Checksum);
        }
        form("number of neurons", numbers.word(), NEURONS)?;
        form("number of output sets", numbers.word(), SETS)?;
        let scale = numbers.word();
        let scale = i32::try_from(scale).ok().filter(|scale| (1..=10_000).contains(scale));
        let scale = scale.ok_or(NetworkError::Range("the scale"))?;
        let name: Vec<u8> = numbers.take::<NAME>().into_iter().take_while(|&byte| byte != 0).collect();
        let mut weights = Self { name: String::from_utf8_lossy(&name).into_owned(), scale, ..Self::zero() };
        weights.input.iter_mut().for_each(|row| *row = numbers.shorts());
        weights.bias = numbers.shorts();
        weights.output.iter_mut().flatten().for_each(|row| *row = numbers.shorts());
        weights.output_bias = std::array::from_fn(|_| numbers.word().cast_signed());
        let fits = |weight: &i16| (-INPUT_LIMIT..=INPUT_LIMIT).contains(weight);
        if !weights.input.iter().flatten().chain(&weights.bias).all(fits) {
            return Err(NetworkError::Range("a hidden weight or bias"));
        }
        let fits = |weight: &i16| (-OUTPUT_LIMIT..=OUTPUT_LIMIT).contains(weight);
        if !weights.output.iter().flatten().flatten().all(fits) {
            return Err(NetworkError::Range("an output weight"));
        }
        Ok(weights)
    }

    /// As stored in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(SIZE);
        body.extend(NEURONS.to_le_bytes());
        body.extend(SETS.to_le_bytes());
        body.extend(self.scale.to_le_bytes());
        body.extend(self.name.bytes().chain(std::iter::repeat(0)).take(NAME));
        let shorts =
            self.input.iter().flatten().chain(&self.bias).chain(self.output.iter().flatten().flatten());
        body.extend(shorts.flat_map(|weight| weight.to_le_bytes()));
        body.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let mut bytes = Vec::with_capacity(SIZE);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        bytes
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
                0..8 => NetworkError::Magic,
                8..12 => NetworkError::Form { what: "version", found: 0, expected: 1 },
                _ => NetworkError::Size(length),
            };
            assert_eq!(error, expected);
        }
        assert_eq!(Weights::from_bytes(&[good.clone(), vec![0]].concat()), Err(NetworkError::Size(SIZE + 1)));
        for at in [12, 16, 24, 30, 61, SIZE - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            assert_eq!(Weights::from_bytes(&bytes), Err(NetworkError::Checksum), "{at}");
        }
        let form = |what, found, expected| NetworkError::Form { what, found, expected };
        let bias = HEAD + 2 * FEATURES * WIDTH;
        let hidden = || NetworkError::Range("a hidden weight or bias");
        for (at, bytes, error) in [
            (0, &b"KELSOPOS"[..], NetworkError::Magic),
            (8, &[2, 0, 0, 0], form("version", 2, 1)),
            (16, &[0, 2, 0, 0], form("number of neurons", 512, 256)),
            (20, &[9, 0, 0, 0], form("number of output sets", 9, 8)),
            (24, &[0, 0, 0, 0], NetworkError::Range("the scale")),
            (24, &[0xff; 4], NetworkError::Range("the scale")),
            (HEAD, &1311i16.to_le_bytes(), hidden()),
            (bias, &(-1311i16).to_le_bytes(), hidden()),
            (bias + 2 * WIDTH, &129i16.to_le_bytes(), NetworkError::Range("an output weight")),
        ] {
            assert_eq!(Weights::from_bytes(&with(at, bytes)), Err(error));
        }
    }

    #[test]
    fn whatever_is_accepted_can_be_played_with() {
        let name = with(28, &[0xff; 32]);
        let weights = Weights::from_bytes(&name).unwrap();
        assert!(weights.name.starts_with('\u{fffd}'));
        let value = Network::new(weights).evaluate(&crate::board::Position::start());
        assert!(value.abs() <= crate::eval::LIMIT);
    }
}
