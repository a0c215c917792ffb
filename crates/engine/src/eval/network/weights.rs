//! The weights of a network and their file format.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | `KELSONET` |
//! | 8-11 | version, 3; versions 1 and 2 had another form and are refused |
//! | 12-15 | CRC-32 of all that follows |
//! | 16-19 | neurons, 192 |
//! | 20-23 | sets of output weights, 8 |
//! | 24-27 | scale: the score of one unit of output, in hundredths of a man |
//! | 28-59 | name, then zeros |
//! | then | for each first factor, then each second: the weights of 320 features, 16 bits each |
//! | then | bias of each first factor, then of each second, 16 bits, with the limit of weights of pieces |
//! | then | for each set the weights of the own view, then of the other's, 16 bits each, from -128 to 128 |
//! | then | for each set its bias, 32 bits |
//! | then | for each set the hidden layers, as below |
//!
//! The features are men, kings, pieces that can capture, pieces that can be captured and safe destinations,
//! each of the own side, then of the other's, on squares 1-32. The weights of pieces are from -655 to 655,
//! the others from -148 to 148.
//!
//! The hidden layers of a set consist of
//!
//! - for each of 8 neurons, the weights of the products of the own view, then of the other's, 8 bits each, in
//!   units of 1/128;
//! - for each two of these neurons and each of 32 neurons, two weights, 16 bits each, then 32 output weights,
//!   16 bits each, all in units of 1/1024;
//! - 8 and 32 biases, 32 bits each, in units of 1/16256 and 1/33032192.
//!
//! Weights and biases of features are in units of 1/255, output weights of 1/64, output biases of
//! 1/(255·64).

use std::error::Error;
use std::fmt;
use std::ops::{Deref, DerefMut};

use super::layers::{BIAS_LIMIT, HIDDEN, LAST, Layers, SMALL_LIMIT};
use super::{BUCKETS, CONTACT_LIMIT, FEATURES, INPUT_LIMIT, OUTPUT_LIMIT, PIECE_FEATURES, WIDTH};

const MAGIC: &[u8; 8] = b"KELSONET";
const VERSION: u32 = 3;
#[expect(clippy::cast_possible_truncation, reason = "small numbers")]
const SHAPE: [(&str, u32); 2] =
    [("number of neurons", WIDTH as u32), ("number of output sets", BUCKETS as u32)];
const NAME: usize = 32;
const MAX_SCALE: i32 = 10_000;

const HEAD: usize = 60;
/// The size of what comes before the layers.
const LAYERS_START: usize = HEAD + 2 * WIDTH * (2 * (FEATURES + 1) + 2 * BUCKETS) + 4 * BUCKETS;
/// The size of the layers of one set.
const LAYERS_SIZE: usize = 2 * HIDDEN * WIDTH + 2 * (HIDDEN + 1) * LAST + 4 * (HIDDEN + LAST);
/// The size of a file in bytes.
pub const SIZE: usize = LAYERS_START + BUCKETS * LAYERS_SIZE;

/// The reason why bytes are not a valid network file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// The bytes are another kind of file.
    Foreign,
    /// The number of bytes is wrong.
    Size(usize),
    /// An earlier version of the format, whose networks had another form.
    Earlier(u32),
    /// The checksum does not match the bytes.
    Checksum,
    /// The version or the shape is not supported.
    Unsupported {
        what: &'static str,
        /// The number in the file.
        found: u32,
        /// The supported number.
        expected: u32,
    },
    /// A number is too large or too small.
    Range(&'static str),
}

impl Error for NetworkError {}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("not a network file: it does not begin with KELSONET"),
            Self::Size(found) => write!(f, "invalid network file: {found} bytes, expected {SIZE}"),
            Self::Earlier(version) => write!(
                f,
                "a network of version {version}, whose form this engine no longer has: fit it anew (version {VERSION})"
            ),
            Self::Checksum => f.write_str("damaged network file: wrong checksum"),
            Self::Unsupported { what, found, expected } => {
                write!(f, "unsupported network file: {what} is {found}, expected {expected}")
            }
            Self::Range(what) => write!(f, "invalid network file: {what} is out of range"),
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Result<u32, NetworkError> {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
    word.copied().map(u32::from_le_bytes).ok_or(NetworkError::Size(bytes.len()))
}

fn same(what: &'static str, found: u32, expected: u32) -> Result<(), NetworkError> {
    if found == expected { Ok(()) } else { Err(NetworkError::Unsupported { what, found, expected }) }
}

/// Checks the version, the size, the checksum and the shape.
fn check(bytes: &[u8]) -> Result<(), NetworkError> {
    if !bytes.starts_with(MAGIC) {
        return Err(NetworkError::Foreign);
    }
    let version = word(bytes, 8)?;
    if (1..VERSION).contains(&version) {
        return Err(NetworkError::Earlier(version));
    }
    same("version", version, VERSION)?;
    if bytes.len() != SIZE {
        return Err(NetworkError::Size(bytes.len()));
    }
    if word(bytes, 12)? != crc32fast::hash(&bytes[16..]) {
        return Err(NetworkError::Checksum);
    }
    for (at, (what, expected)) in [16, 20].into_iter().zip(SHAPE) {
        same(what, word(bytes, at)?, expected)?;
    }
    Ok(())
}

/// All weights of a network.
#[derive(Clone, PartialEq, Eq)]
pub struct NetworkWeights {
    pub name: String,
    /// The score of one unit of output.
    pub scale: i32,
    /// The two factors of each neuron.
    pub factors: [FactorWeights; 2],
    /// The output weights, by set, view and neuron.
    pub output: Box<[[Layer; 2]; BUCKETS]>,
    /// The output biases, by set.
    pub output_bias: [i32; BUCKETS],
    /// The layers beside the output, by set.
    pub layers: Box<[Layers; BUCKETS]>,
}

impl fmt::Debug for NetworkWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetworkWeights")
            .field("name", &self.name)
            .field("scale", &self.scale)
            .finish_non_exhaustive()
    }
}

impl NetworkWeights {
    /// Returns weights that are all zero.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            name: String::new(),
            scale: 100,
            factors: [FactorWeights::zero(), FactorWeights::zero()],
            output: Box::new([[ZERO; 2]; BUCKETS]),
            output_bias: [0; BUCKETS],
            layers: Box::new(std::array::from_fn(|_| Layers::ZERO)),
        }
    }

    /// Parses a file.
    ///
    /// # Errors
    ///
    /// If the bytes are not a network file, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        check(bytes)?;
        let scale = word(bytes, 24)?.cast_signed();
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(NetworkError::Range("the scale"));
        }
        let name = &bytes[HEAD - NAME..HEAD];
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
        let name = String::from_utf8_lossy(&name[..end]).into_owned();
        let mut weights = Self { name, scale, ..Self::zero() };
        let mut numbers = bytes[HEAD..].as_chunks().0.iter().copied().map(i16::from_le_bytes);
        let mut next = |limit: i16, what| {
            numbers.next().filter(|number| (-limit..=limit).contains(number)).ok_or(NetworkError::Range(what))
        };
        for factor in &mut weights.factors {
            for (feature, row) in factor.input.iter_mut().enumerate() {
                let limit = if feature < PIECE_FEATURES { INPUT_LIMIT } else { CONTACT_LIMIT };
                for weight in &mut row.0 {
                    *weight = next(limit, "a hidden weight")?;
                }
            }
        }
        for bias in weights.factors.iter_mut().flat_map(|factor| &mut factor.bias.0) {
            *bias = next(INPUT_LIMIT, "a hidden bias")?;
        }
        for weight in weights.output.iter_mut().flatten().flat_map(|layer| &mut layer.0) {
            *weight = next(OUTPUT_LIMIT, "an output weight")?;
        }
        let (head, layers) = bytes.split_at(LAYERS_START);
        let biases = head[head.len() - 4 * BUCKETS..].as_chunks().0;
        for (bias, &bytes) in weights.output_bias.iter_mut().zip(biases) {
            *bias = i32::from_le_bytes(bytes);
        }
        for (set, bytes) in weights.layers.iter_mut().zip(layers.as_chunks().0) {
            *set = read_layers(bytes)?;
        }
        Ok(weights)
    }

    /// Encodes the weights as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SIZE);
        bytes.extend(MAGIC);
        bytes.extend(
            [VERSION, 0].into_iter().chain(SHAPE.map(|(_, number)| number)).flat_map(u32::to_le_bytes),
        );
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(self.name.bytes().chain(std::iter::repeat(0)).take(NAME));
        let input = self.factors.iter().flat_map(|factor| factor.input.iter());
        let bias = self.factors.iter().map(|factor| &factor.bias);
        let layers = input.chain(bias).chain(self.output.iter().flatten());
        bytes.extend(layers.flat_map(|layer| layer.0).flat_map(i16::to_le_bytes));
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        for set in self.layers.iter() {
            let hidden = set.hidden.iter().flatten();
            bytes.extend(hidden.flat_map(|weights| weights.0).flat_map(i8::to_le_bytes));
            let small = set.last.iter().flatten().flatten().chain(&set.output);
            bytes.extend(small.flat_map(|weight| weight.to_le_bytes()));
            bytes.extend(set.hidden_bias.iter().chain(&set.last_bias).flat_map(|bias| bias.to_le_bytes()));
        }
        let checksum = crc32fast::hash(&bytes[16..]).to_le_bytes();
        bytes[12..16].copy_from_slice(&checksum);
        bytes
    }

    /// Returns the checksum of these weights, as in the header of their file.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        crc32fast::hash(&self.to_bytes()[16..])
    }
}

fn read_layers(bytes: &[u8; LAYERS_SIZE]) -> Result<Layers, NetworkError> {
    let mut set = Layers::ZERO;
    let (hidden, rest) = bytes.split_at(2 * HIDDEN * WIDTH);
    let hidden_weights = set.hidden.iter_mut().flatten().flat_map(|weights| &mut weights.0);
    for (weight, byte) in hidden_weights.zip(hidden) {
        *weight = byte.cast_signed();
    }
    let (weights, biases) = rest.split_at(2 * (HIDDEN + 1) * LAST);
    let small = set.last.iter_mut().flatten().flatten().chain(&mut set.output);
    for (weight, bytes) in small.zip(weights.as_chunks().0) {
        *weight = i16::from_le_bytes(*bytes);
        if !(-SMALL_LIMIT..=SMALL_LIMIT).contains(weight) {
            return Err(NetworkError::Range("a weight of a small layer"));
        }
    }
    for (bias, bytes) in set.hidden_bias.iter_mut().chain(&mut set.last_bias).zip(biases.as_chunks().0) {
        *bias = i32::from_le_bytes(*bytes);
        if !(-BIAS_LIMIT..=BIAS_LIMIT).contains(bias) {
            return Err(NetworkError::Range("a bias of a small layer"));
        }
    }
    Ok(set)
}

/// A number for each neuron of a layer. The alignment to a cache line lets one instruction load and add a
/// vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Layer(pub [i16; WIDTH]);

/// The weights of one factor of the neurons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactorWeights {
    /// By feature and neuron.
    pub input: Box<[Layer; FEATURES]>,
    pub bias: Layer,
}

impl FactorWeights {
    /// Returns weights that are all zero.
    #[must_use]
    pub fn zero() -> Self {
        Self { input: Box::new(std::array::from_fn(|_| ZERO)), bias: ZERO }
    }
}

pub(super) const ZERO: Layer = Layer([0; WIDTH]);

impl Deref for Layer {
    type Target = [i16; WIDTH];

    fn deref(&self) -> &[i16; WIDTH] {
        &self.0
    }
}

impl DerefMut for Layer {
    fn deref_mut(&mut self) -> &mut [i16; WIDTH] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Network;

    fn weights() -> NetworkWeights {
        let mut weights =
            NetworkWeights { name: "Ren\u{e9}e 2".into(), scale: 150, ..NetworkWeights::zero() };
        let rows = weights.factors.iter_mut().flat_map(|factor| factor.input.iter_mut());
        for (row, weights) in (0i16..).zip(rows) {
            weights.0 = std::array::from_fn(|neuron| (i16::try_from(neuron).unwrap() * 3 - row) % 149);
        }
        weights.factors[0].bias.0 = std::array::from_fn(|neuron| 655 - i16::try_from(neuron).unwrap());
        weights.factors[1].bias.0 = std::array::from_fn(|neuron| 300 - i16::try_from(neuron).unwrap());
        for (row, weights) in (0i16..).zip(weights.output.iter_mut().flatten()) {
            weights.0 = std::array::from_fn(|neuron| (i16::try_from(neuron).unwrap() - 100).max(-row - 20));
        }
        weights.output_bias = [i32::MIN, i32::MAX, 0, 1, -1, 2, 3, 4];
        for (number, set) in (0i8..).zip(weights.layers.iter_mut()) {
            for (row, weights) in (0..).zip(set.hidden.iter_mut().flatten()) {
                weights.0.fill(number - row);
            }
            for (row, weights) in (0i16..).zip(set.last.iter_mut()) {
                weights.fill([SMALL_LIMIT - row * i16::from(number), row]);
            }
            set.output.fill(-i16::from(number));
            set.hidden_bias = std::array::from_fn(|neuron| i32::try_from(neuron).unwrap() - BIAS_LIMIT);
            set.last_bias = std::array::from_fn(|neuron| BIAS_LIMIT - i32::try_from(neuron).unwrap());
        }
        weights
    }

    /// Returns a file with other bytes at an offset and a matching checksum.
    fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut file = weights().to_bytes();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        let check = crc32fast::hash(&file[16..]);
        file[12..16].copy_from_slice(&check.to_le_bytes());
        file
    }

    #[test]
    fn weights_round_trip_through_bytes() {
        let bytes = weights().to_bytes();
        assert_eq!(bytes.len(), SIZE);
        assert_eq!(NetworkWeights::from_bytes(&bytes), Ok(weights()));
        // The format must not change.
        assert_eq!(bytes[..12], *b"KELSONET\x03\0\0\0");
        assert_eq!(bytes[24..28], 150i32.to_le_bytes());
        assert_eq!(bytes[HEAD..HEAD + 4], [0, 0, 3, 0]);
        assert_eq!(bytes[SIZE - 4..], (BIAS_LIMIT - 31).to_le_bytes());
        assert_eq!(bytes[12..16], weights().checksum().to_le_bytes());
    }

    #[test]
    fn invalid_files_are_refused() {
        let good = weights().to_bytes();
        let error = |bytes: &[u8]| NetworkWeights::from_bytes(bytes).unwrap_err().to_string();
        for length in [0, 7, 8, 12, 15, 16, 59, 60, 1000, SIZE - 1] {
            let error = error(&good[..length]);
            let part = if length < 8 { "KELSONET".to_owned() } else { format!("{length} bytes, expected") };
            assert!(error.contains(&part), "{error}");
        }
        assert!(error(&[good.clone(), vec![0]].concat()).contains(&format!("{} bytes", SIZE + 1)));
        for at in [12, 16, 24, 30, 61, SIZE - 1] {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            assert!(error(&bytes).contains("checksum"), "{at}");
        }
        let bias = HEAD + 4 * FEATURES * WIDTH;
        let small = SIZE - BUCKETS * LAYERS_SIZE + 2 * HIDDEN * WIDTH;
        for (at, bytes, part) in [
            (0, &b"KELSOPOS"[..], "KELSONET"),
            (8, &[2, 0, 0, 0], "version 2, whose form this engine no longer has: fit it anew"),
            (8, &[4, 0, 0, 0], "version is 4, expected 3"),
            (16, &[0, 2, 0, 0], "number of neurons is 512, expected 192"),
            (20, &[9, 0, 0, 0], "number of output sets is 9, expected 8"),
            (24, &[0, 0, 0, 0], "the scale"),
            (24, &[0xff; 4], "the scale"),
            (HEAD, &656i16.to_le_bytes(), "a hidden weight"),
            (HEAD + 2 * PIECE_FEATURES * WIDTH, &149i16.to_le_bytes(), "a hidden weight"),
            (bias, &(-656i16).to_le_bytes(), "a hidden bias"),
            (bias + 4 * WIDTH, &129i16.to_le_bytes(), "an output weight"),
            (small, &2049i16.to_le_bytes(), "a weight of a small layer"),
            (SIZE - 4, &i32::MAX.to_le_bytes(), "a bias of a small layer"),
        ] {
            assert!(error(&with(at, bytes)).contains(part), "{part}");
        }
    }

    #[test]
    fn every_valid_file_can_be_used() {
        let name = with(28, &[0xff; 32]);
        let weights = NetworkWeights::from_bytes(&name).unwrap();
        assert!(weights.name.starts_with('\u{fffd}'));
        let value = Network::new(weights).evaluate(&kelso_draughts::board::Position::start());
        assert!(value.abs() <= crate::eval::LIMIT);
    }
}
