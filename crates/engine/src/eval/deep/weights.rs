//! The weights of a network of several layers, and the file that holds them.
//!
//! All numbers have their lowest byte first.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | `KELSONET` |
//! | 8-11 | version, 2 |
//! | 12-15 | CRC-32 of all that follows |
//! | 16-31 | neurons of the first layer, 512; groups, 8; neurons of the second layer, 16; sets of weights, 8 |
//! | 32-35 | scale: the score of one unit of output, in hundredths of a man |
//! | 36-67 | name, then zeros |
//! | then | for each of 128 features (own men, other's men, own kings, other's kings; squares 1-32) its weights, 16 bits each, from -1310 to 1310 |
//! | then | bias of each neuron, 16 bits, from -1310 to 1310 |
//! | then | each set |
//!
//! A set:
//!
//! | content | bits | range |
//! |---|---|---|
//! | for each group of products the direct weights of the own view's, then of the other's | 8 | -127 to 127 |
//! | for each neuron of the second layer the weights of its group of the own view's products, then of the other's | 8 | -127 to 127 |
//! | weights of the second layer's neurons, then of their squares | 16 | -2048 to 2048 |
//! | bias of each neuron of the second layer | 32 | ±100 units |
//! | bias of the output | 32 | ±100 units |
//!
//! Weights and biases of the first layer count in 1/255, products in 1/2032, their weights in 1/64, biases in 1/(2032·64), neurons
//! of the second layer in 1/8128, and their weights in 1/256.

use std::fmt;

use super::{
    BIAS_LIMIT, BUCKETS, FEATURES, GROUPS, INPUT_LIMIT, OUTPUT_LIMIT, SECOND, SEEN, SUM_ONE, TAIL,
    TAIL_LIMIT, WIDTH,
};
use crate::eval::aligned::Aligned;
use crate::eval::envelope::{Envelope, LearnedError, Numbers, Opened};

/// A constant of the form, as it stands in the head.
#[expect(clippy::cast_possible_truncation, reason = "a small number")]
const fn word(number: usize) -> u32 {
    number as u32
}

pub(super) const HEAD: usize = 68;
pub(super) const FIRST_SIZE: usize = 2 * (FEATURES * WIDTH + WIDTH);
pub(super) const SET_SIZE: usize = WIDTH + SECOND * (SEEN + 4) + 2 * TAIL + 4;
pub(super) const SIZE: usize = HEAD + FIRST_SIZE + BUCKETS * SET_SIZE;

pub(in crate::eval) const ENVELOPE: Envelope = Envelope {
    magic: "KELSONET",
    version: 2,
    size: Some(SIZE),
    fixed: &[
        ("number of neurons", word(WIDTH)),
        ("number of groups", word(GROUPS)),
        ("number of neurons of the second layer", word(SECOND)),
        ("number of sets", word(BUCKETS)),
    ],
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
    /// By number of pieces.
    pub sets: Box<Aligned<[Set; BUCKETS]>>,
}

/// The weights of all layers but the first, for some numbers of pieces. Those that have 8 bits in a file have 16 here, as
/// products have.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Set {
    /// By group, view and product.
    pub direct: [[i16; SEEN]; GROUPS],
    /// By neuron, view and product of its group.
    pub second: [[i16; SEEN]; SECOND],
    /// Of the neurons, then of their squares.
    pub last: [i16; TAIL],
    /// By neuron.
    pub second_bias: [i32; SECOND],
    /// Of the output.
    pub direct_bias: i32,
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weights")
            .field("name", &self.name)
            .field("scale", &self.scale)
            .finish_non_exhaustive()
    }
}

impl Set {
    /// Weights of nothing.
    pub const ZERO: Self = Self {
        direct: [[0; SEEN]; GROUPS],
        second: [[0; SEEN]; SECOND],
        last: [0; TAIL],
        second_bias: [0; SECOND],
        direct_bias: 0,
    };

    fn read(numbers: &mut Numbers<'_>) -> Result<Self, LearnedError> {
        let mut set = Self::ZERO;
        for weights in set.direct.iter_mut().chain(&mut set.second) {
            *weights = of_products(numbers)?;
        }
        set.last = shorts(numbers, TAIL_LIMIT, "a weight of the second layer's neurons")?;
        for sum in set.second_bias.iter_mut().chain([&mut set.direct_bias]) {
            *sum = bias(numbers)?;
        }
        Ok(set)
    }

    fn write(&self, body: &mut Vec<u8>) {
        let Self { direct, second, last, second_bias, direct_bias } = self;
        // What is out of range is read as such.
        let byte = |&weight: &i16| i8::try_from(weight).unwrap_or(i8::MIN).cast_unsigned();
        body.extend(direct.iter().chain(second).flatten().map(byte));
        body.extend(last.iter().flat_map(|weight| weight.to_le_bytes()));
        body.extend(second_bias.iter().chain([direct_bias]).flat_map(|bias| bias.to_le_bytes()));
    }
}

/// Numbers of 16 bits, none beyond a limit.
fn shorts<const N: usize>(
    numbers: &mut Numbers<'_>,
    limit: i16,
    what: &'static str,
) -> Result<[i16; N], LearnedError> {
    let shorts = numbers.shorts()?;
    let fits = shorts.iter().all(|short| (-limit..=limit).contains(short));
    fits.then_some(shorts).ok_or(LearnedError::Range(what))
}

/// Weights of products.
fn of_products<const N: usize>(numbers: &mut Numbers<'_>) -> Result<[i16; N], LearnedError> {
    let weights = numbers.take::<N>()?.map(|byte| i16::from(byte.cast_signed()));
    let fits = weights.iter().all(|weight| (-OUTPUT_LIMIT..=OUTPUT_LIMIT).contains(weight));
    fits.then_some(weights).ok_or(LearnedError::Range("a weight of products"))
}

fn bias(numbers: &mut Numbers<'_>) -> Result<i32, LearnedError> {
    let bias = numbers.word()?.cast_signed();
    let limit = BIAS_LIMIT * SUM_ONE;
    (-limit..=limit).contains(&bias).then_some(bias).ok_or(LearnedError::Range("a bias"))
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
            sets: Box::new(Aligned::all(&Set::ZERO)),
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
        for row in weights.input.iter_mut().chain([&mut weights.bias]) {
            *row = shorts(&mut numbers, INPUT_LIMIT, "a weight or bias of the first layer")?;
        }
        for set in weights.sets.iter_mut() {
            *set = Set::read(&mut numbers)?;
        }
        Ok(weights)
    }

    /// As stored in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        ENVELOPE.seal(self.scale, &self.name, |body| {
            body.reserve(SIZE);
            let first = self.input.iter().flatten().chain(&self.bias);
            body.extend(first.flat_map(|weight| weight.to_le_bytes()));
            for set in self.sets.iter() {
                set.write(body);
            }
        })
    }
}
