//! The weights of a network of several layers, and the file that holds them.
//!
//! All numbers have their lowest byte first.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | `KELSONET` |
//! | 8-11 | version, 2 |
//! | 12-15 | CRC-32 of all that follows |
//! | 16-35 | neurons of the first layer, 512; groups, 4; neurons of the second layer, 16, and of the third, 32; sets of weights, 8 |
//! | 36-39 | scale: the score of one unit of output, in hundredths of a man |
//! | 40-71 | name, then zeros |
//! | then | for each of 128 features (own men, other's men, own kings, other's kings; squares 1-32) its weights, 16 bits each, from -1310 to 1310 |
//! | then | bias of each neuron, 16 bits, from -1310 to 1310 |
//! | then | each set |
//!
//! A set:
//!
//! | content | bits | range |
//! |---|---|---|
//! | direct weights of the own view's products, then of the other's | 8 | -127 to 127 |
//! | bias of the output | 32 | ±100 units |
//! | for each neuron of the second layer the weights of its group of the own view's products, then of the other's | 8 | -127 to 127 |
//! | bias of each neuron | 32 | ±100 units |
//! | for each neuron of the third layer the weights of the second layer's neurons, then of their squares | 16 | -2048 to 2048 |
//! | bias of each neuron | 32 | ±100 units |
//! | weight of each neuron in the output | 16 | -2048 to 2048 |
//!
//! Weights and biases of the first layer count in 1/255, products in 1/2032, weights of products in 1/64, biases of what these
//! add up to in 1/(2032·64), neurons of the second and third layers in 1/8128, their weights in 1/256, and biases of what
//! these add up to in 1/(8128·256).

use std::fmt;

use super::{
    BIAS_LIMIT, BUCKETS, FEATURES, GROUP, GROUPS, HALF, INPUT_LIMIT, OUTPUT_LIMIT, SECOND, SUM_ONE, TAIL,
    TAIL_LIMIT, TAIL_SUM_ONE, THIRD, WIDTH,
};
use crate::eval::envelope::{Envelope, LearnedError, Numbers, Opened, heap};

/// A constant of the form, as it stands in the head.
#[expect(clippy::cast_possible_truncation, reason = "a small number")]
const fn word(number: usize) -> u32 {
    number as u32
}

pub(super) const HEAD: usize = 72;
pub(super) const FIRST_SIZE: usize = 2 * (FEATURES * WIDTH + WIDTH);
pub(super) const SET_SIZE: usize =
    2 * HALF + 4 + SECOND * (2 * GROUP + 4) + THIRD * (2 * TAIL + 4) + 2 * THIRD;
pub(super) const SIZE: usize = HEAD + FIRST_SIZE + BUCKETS * SET_SIZE;

pub(in crate::eval) const ENVELOPE: Envelope = Envelope {
    magic: "KELSONET",
    version: 2,
    size: Some(SIZE),
    fixed: &[
        ("number of neurons", word(WIDTH)),
        ("number of groups", word(GROUPS)),
        ("number of neurons of the second layer", word(SECOND)),
        ("number of neurons of the third layer", word(THIRD)),
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
    pub input: Box<[[i16; WIDTH]; FEATURES]>,
    /// By neuron.
    pub bias: [i16; WIDTH],
    /// By number of pieces.
    pub sets: Box<[Set; BUCKETS]>,
}

/// The weights of all layers but the first, for some numbers of pieces. Those that have 8 bits in a file have 16 here, as
/// products have.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Set {
    /// By view and product.
    pub direct: [[i16; HALF]; 2],
    /// By neuron, view and product of its group.
    pub second: [[[i16; GROUP]; 2]; SECOND],
    /// By neuron and what goes into it.
    pub third: [[i16; TAIL]; THIRD],
    /// By neuron of the third layer.
    pub last: [i16; THIRD],
    /// Of the output.
    pub direct_bias: i32,
    /// By neuron.
    pub second_bias: [i32; SECOND],
    /// By neuron.
    pub third_bias: [i32; THIRD],
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
        direct: [[0; HALF]; 2],
        second: [[[0; GROUP]; 2]; SECOND],
        third: [[0; TAIL]; THIRD],
        last: [0; THIRD],
        direct_bias: 0,
        second_bias: [0; SECOND],
        third_bias: [0; THIRD],
    };

    fn read(numbers: &mut Numbers<'_>) -> Result<Self, LearnedError> {
        let mut set = Self::ZERO;
        for weights in &mut set.direct {
            *weights = output(numbers)?;
        }
        set.direct_bias = bias(numbers, SUM_ONE)?;
        for weights in set.second.iter_mut().flatten() {
            *weights = output(numbers)?;
        }
        for sum in &mut set.second_bias {
            *sum = bias(numbers, SUM_ONE)?;
        }
        for weights in &mut set.third {
            *weights = shorts(numbers, TAIL_LIMIT, "a weight of the third layer")?;
        }
        for sum in &mut set.third_bias {
            *sum = bias(numbers, TAIL_SUM_ONE)?;
        }
        set.last = shorts(numbers, TAIL_LIMIT, "a weight of the third layer")?;
        Ok(set)
    }

    fn write(&self, body: &mut Vec<u8>) {
        let Self { direct, second, third, last, direct_bias, second_bias, third_bias } = self;
        // What is out of range is read as such.
        let byte = |&weight: &i16| i8::try_from(weight).unwrap_or(i8::MIN).cast_unsigned();
        body.extend(direct.iter().flatten().map(byte));
        body.extend(direct_bias.to_le_bytes());
        body.extend(second.iter().flatten().flatten().map(byte));
        body.extend(second_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        body.extend(third.iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        body.extend(third_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        body.extend(last.iter().flat_map(|weight| weight.to_le_bytes()));
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
fn output<const N: usize>(numbers: &mut Numbers<'_>) -> Result<[i16; N], LearnedError> {
    let weights = numbers.take::<N>()?.map(|byte| i16::from(byte.cast_signed()));
    let fits = weights.iter().all(|weight| (-OUTPUT_LIMIT..=OUTPUT_LIMIT).contains(weight));
    fits.then_some(weights).ok_or(LearnedError::Range("a weight of the second layer"))
}

fn bias(numbers: &mut Numbers<'_>, one: i32) -> Result<i32, LearnedError> {
    let bias = numbers.word()?.cast_signed();
    let limit = BIAS_LIMIT * one;
    (-limit..=limit).contains(&bias).then_some(bias).ok_or(LearnedError::Range("a bias"))
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
            sets: heap(Set::ZERO),
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
