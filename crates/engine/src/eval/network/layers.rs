//! The layers beside the weighted sum of the products: they correct it by what the products mean together.
//!
//! Products are rounded to 7 bits, so that the sum of two of them, weighted by 8 bits, fits in 16 bits. The sums of
//! both small layers are clamped and squared.

use super::{ONE, OUTPUT_ONE, WIDTH};

/// Number of neurons of the first of these layers, in groups of [`GROUP`].
pub const HIDDEN: usize = 16;
/// Number of neurons that are computed together.
pub const GROUP: usize = 4;
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

/// The weights of one set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers {
    /// By group, neuron and view.
    pub hidden: [[[ProductWeights; 2]; GROUP]; HIDDEN / GROUP],
    pub hidden_bias: [i32; HIDDEN],
    /// By hidden neuron and neuron of the last layer.
    pub last: [[i16; LAST]; HIDDEN],
    pub last_bias: [i32; LAST],
    pub output: [i16; LAST],
}

impl Layers {
    pub(super) const ZERO: Self = Self {
        hidden: [[[ProductWeights([0; WIDTH]); 2]; GROUP]; HIDDEN / GROUP],
        hidden_bias: [0; HIDDEN],
        last: [[0; LAST]; HIDDEN],
        last_bias: [0; LAST],
        output: [0; LAST],
    };

    /// Returns the output for the products of both views, in the unit of the output weights.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "compiled for the instructions of the caller")]
    pub(super) fn output(
        &self,
        products: &[Products; 2],
        sums: impl Fn(&[Products; 2], &[[ProductWeights; 2]; GROUP]) -> [i32; GROUP],
    ) -> i64 {
        let mut last = self.last_bias;
        let groups = self.hidden.iter().zip(self.hidden_bias.as_chunks::<GROUP>().0);
        for ((weights, biases), rows) in groups.zip(self.last.as_chunks::<GROUP>().0) {
            for ((sum, bias), row) in sums(products, weights).into_iter().zip(biases).zip(rows) {
                let clamped = (sum + bias).clamp(0, SUM_ONE);
                if clamped == 0 {
                    continue;
                }
                let activation = (clamped * clamped) >> SQUARE_BITS;
                last.iter_mut().zip(row).for_each(|(sum, weight)| *sum += activation * i32::from(*weight));
            }
        }
        let mut output = 0;
        for (sum, weight) in last.into_iter().zip(self.output) {
            let clamped = (sum >> LAST_BITS).clamp(0, ACTIVATION_ONE);
            output += ((clamped * clamped) >> LAST_SQUARE_BITS) * i32::from(weight);
        }
        i64::from(output) * i64::from(ONE) * i64::from(OUTPUT_ONE) / i64::from(LAST_ONE * SMALL_ONE)
    }
}
