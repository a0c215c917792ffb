//! Sums of products of whole numbers of 16 bits, by vectors. Compilers make half as wide ones of plain loops, since the
//! sums have 32 bits.

use wide::{i16x16, i32x8};

/// Lanes of a vector.
const LANES: usize = 16;

/// Returns the sum of the squares of numbers that are clamped between 0 and `one`, each weighed; a weight times `one`
/// fits 16 bits. Numbers beyond the last whole vector are left out.
#[inline]
pub(super) fn dot_squares(numbers: &[i16], weights: &[i16], one: i16) -> i32 {
    let (numbers, weights) = (numbers.as_chunks::<LANES>().0, weights.as_chunks::<LANES>().0);
    let mut sums = i32x8::ZERO;
    for (&numbers, &weights) in numbers.iter().zip(weights) {
        let clamped = i16x16::new(numbers).max(i16x16::ZERO).min(i16x16::splat(one));
        sums += clamped.dot(clamped * i16x16::new(weights));
    }
    sums.reduce_add()
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::chance::{self, RngExt};

    #[test]
    fn vectors_come_to_what_single_numbers_do() {
        let mut random = chance::stream(&[1]);
        let limits = [
            (i16::MIN, i16::MAX, 255, 128),
            (-300, 300, 255, 128),
            (0, 255, 127, 257),
            (i16::MAX, i16::MAX, 255, 128),
        ];
        for (low, high, one, limit) in limits {
            for _ in 0..100 {
                let numbers: [i16; 64] = std::array::from_fn(|_| random.random_range(low..=high));
                let weights: [i16; 64] = std::array::from_fn(|_| random.random_range(-limit..=limit));
                let pairs = || {
                    numbers
                        .iter()
                        .zip(&weights)
                        .map(|(&number, &weight)| (i32::from(number), i32::from(weight)))
                };
                let squares =
                    pairs().map(|(number, weight)| number.clamp(0, one.into()).pow(2) * weight).sum::<i32>();
                assert_eq!(dot_squares(&numbers, &weights, one), squares);
            }
        }
    }
}
