//! The layers beside the weighted sum of the products: they correct it by what the products mean together.
//!
//! Products are rounded to 7 bits, so that the sum of two of them, weighted by 8 bits, fits in 16 bits. The
//! sums of both small layers are clamped and squared.

use super::vectors::Vectors;
use super::{ONE, OUTPUT_ONE, WIDTH};

/// Number of neurons of the first of these layers.
pub const HIDDEN: usize = 8;
/// Number of neurons of the last layer.
pub const LAST: usize = 32;
/// Fixed-point 1 in the weights of the products.
pub const PRODUCT_WEIGHT_ONE: i32 = 128;
/// Fixed-point 1 in the other weights.
pub const SMALL_ONE: i32 = 1024;
/// Maximum of the other weights: no sum of them overflows 32 bits.
pub const SMALL_LIMIT: i16 = 2048;
/// Maximum bias of a neuron.
pub const BIAS_LIMIT: i32 = 1 << 29;
/// Bits by which the product of two factors is rounded.
pub(super) const PRODUCT_BITS: u32 = 9;

/// Fixed-point 1 in the sums over products: 127 of a product, 128 of a weight.
pub const SUM_ONE: i32 = 127 * PRODUCT_WEIGHT_ONE;
/// Bits by which the square of such a sum is shifted.
const SQUARE_BITS: u32 = 13;
/// Fixed-point 1 in an activation.
pub const ACTIVATION_ONE: i32 = (SUM_ONE * SUM_ONE) >> SQUARE_BITS;
/// Bits by which a sum over activations is shifted, and by which its square is.
const LAST_BITS: u32 = 10;
const LAST_SQUARE_BITS: u32 = 15;
const LAST_ONE: i32 = (ACTIVATION_ONE * ACTIVATION_ONE) >> LAST_SQUARE_BITS;

/// The products of a view.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Products(pub(super) [u8; WIDTH]);

/// A weight for each product of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct ProductWeights(pub [i8; WIDTH]);

/// The weights of the products, by hidden neuron and view.
pub(super) type HiddenWeights = [[ProductWeights; 2]; HIDDEN];

/// The weights of one set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// By neuron and view.
    pub hidden: [[ProductWeights; 2]; HIDDEN],
    pub hidden_bias: [i32; HIDDEN],
    /// By pair of hidden neurons, neuron of the last layer, and neuron of the pair.
    pub last: [[[i16; 2]; LAST]; HIDDEN / 2],
    pub last_bias: [i32; LAST],
    pub output: [i16; LAST],
}

impl Layers {
    pub(super) const ZERO: Self = Self {
        hidden: [[ProductWeights([0; WIDTH]); 2]; HIDDEN],
        hidden_bias: [0; HIDDEN],
        last: [[[0; 2]; LAST]; HIDDEN / 2],
        last_bias: [0; LAST],
        output: [0; LAST],
    };

    /// Returns the output for the products of both views, in the unit of the output weights.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled for the instructions of the caller")]
    #[expect(clippy::cast_possible_truncation, reason = "activations have 15 bits")]
    pub(super) fn output(&self, products: &[Products; 2], vectors: impl Vectors) -> i64 {
        let mut activations = [0; HIDDEN];
        let sums = vectors.hidden_sums(products, &self.hidden);
        for ((activation, sum), bias) in activations.iter_mut().zip(sums).zip(self.hidden_bias) {
            let clamped = (sum + bias).clamp(0, SUM_ONE);
            *activation = ((clamped * clamped) >> SQUARE_BITS) as i16;
        }
        let mut output = 0;
        for (sum, weight) in vectors.last_sums(&activations, self).into_iter().zip(self.output) {
            let clamped = i32::from((sum >> LAST_BITS).clamp(0, ACTIVATION_ONE) as i16);
            let activation = ((clamped * clamped) >> LAST_SQUARE_BITS) as i16;
            output += i32::from(activation) * i32::from(weight);
        }
        i64::from(output) * i64::from(ONE) * i64::from(OUTPUT_ONE) / i64::from(LAST_ONE * SMALL_ONE)
    }
}
