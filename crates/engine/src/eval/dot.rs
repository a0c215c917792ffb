//! Sums of products of whole numbers of 16 bits, by vectors. Compilers make half as wide ones of plain loops, since the
//! sums have 32 bits.

use wide::{i16x16, i32x8};

/// Lanes of a vector.
const LANES: usize = 16;

/// The sum of what vectors of two rows come to, and of what is left of each filled up with zeros.
#[inline]
fn sum(a: &[i16], b: &[i16], product: impl Fn(i16x16, i16x16) -> i32x8) -> i32 {
    let ((a, last_a), (b, last_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = i32x8::ZERO;
    for (&a, &b) in a.iter().zip(b) {
        sums += product(i16x16::new(a), i16x16::new(b));
    }
    if !last_a.is_empty() {
        sums += product(i16x16::from(last_a), i16x16::from(last_b));
    }
    sums.reduce_add()
}

/// The sum of the products of two rows of equal length.
#[inline]
pub(super) fn dot(a: &[i16], b: &[i16]) -> i32 {
    sum(a, b, i16x16::dot)
}

/// The sum of the squares of numbers that are clamped between 0 and `one`, each weighed; a weight times `one` fits 16
/// bits.
#[inline]
pub(super) fn dot_squares(numbers: &[i16], weights: &[i16], one: i16) -> i32 {
    sum(numbers, weights, |numbers, weights| {
        let clamped = numbers.max(i16x16::ZERO).min(i16x16::splat(one));
        clamped.dot(clamped * weights)
    })
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
                let numbers: [i16; 70] = std::array::from_fn(|_| random.random_range(low..=high));
                let weights: [i16; 70] = std::array::from_fn(|_| random.random_range(-limit..=limit));
                let pairs = || {
                    numbers
                        .iter()
                        .zip(&weights)
                        .map(|(&number, &weight)| (i32::from(number), i32::from(weight)))
                };
                let products: i32 = pairs().map(|(number, weight)| number * weight).sum();
                assert_eq!(dot(&numbers, &weights), products);
                let squares =
                    pairs().map(|(number, weight)| number.clamp(0, one.into()).pow(2) * weight).sum::<i32>();
                assert_eq!(dot_squares(&numbers, &weights, one), squares);
            }
        }
    }
}
