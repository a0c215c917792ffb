//! SIMD dot products of 16-bit integers. Compilers use vectors of only half the width for plain loops, since
//! the sums have 32 bits.
//!
//! Each function clamps numbers to the range from 0 to [`ONE`] and returns the weighted sum of their squares.
//! A weight times [`ONE`] fits in 16 bits.

use super::{ONE, WIDTH};
use wide::{i16x16, i32x8};

/// The values of a layer, or their weights.
pub(super) type Layer = [i16; WIDTH];

/// Computes the sum with the instruction set of the compilation target.
#[inline]
pub(super) fn baseline(numbers: &Layer, weights: &Layer) -> i32 {
    let mut sums = i32x8::ZERO;
    for (&numbers, &weights) in numbers.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
        let clamped = i16x16::new(numbers).max(i16x16::ZERO).min(i16x16::splat(ONE));
        sums += clamped.dot(clamped * i16x16::new(weights));
    }
    sums.reduce_add()
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::{avx2, avx512};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::{Layer, ONE};
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm512_add_epi32, _mm512_loadu_si512, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16,
        _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
    };

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn avx2(numbers: &Layer, weights: &Layer) -> i32 {
        let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi16(ONE));
        let mut sums = zero;
        for (numbers, weights) in numbers.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
            let clamped = _mm256_min_epi16(_mm256_max_epi16(load_256(numbers), zero), one);
            let weighed = _mm256_mullo_epi16(clamped, load_256(weights));
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(clamped, weighed));
        }
        let half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let quarter = _mm_add_epi32(half, _mm_shuffle_epi32::<0b0100_1110>(half));
        _mm_cvtsi128_si32(_mm_add_epi32(quarter, _mm_shuffle_epi32::<0b1011_0001>(quarter)))
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(in super::super) fn avx512(numbers: &Layer, weights: &Layer) -> i32 {
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi16(ONE));
        let mut sums = zero;
        for (numbers, weights) in numbers.as_chunks::<32>().0.iter().zip(weights.as_chunks::<32>().0) {
            let clamped = _mm512_min_epi16(_mm512_max_epi16(load_512(numbers), zero), one);
            let weighed = _mm512_mullo_epi16(clamped, load_512(weights));
            sums = _mm512_add_epi32(sums, _mm512_madd_epi16(clamped, weighed));
        }
        _mm512_reduce_add_epi32(sums)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load_256(numbers: &[i16; 16]) -> __m256i {
        // SAFETY: the array has as many bytes as the vector, and need not be aligned.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load_512(numbers: &[i16; 32]) -> __m512i {
        // SAFETY: the array has as many bytes as the vector, and need not be aligned.
        unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::rng::{self, RngExt};

    #[test]
    fn vectorised_sums_equal_scalar_sums() {
        let mut random = rng::stream(&[1]);
        for (low, high) in [(i16::MIN, i16::MAX), (-300, 300), (0, 255), (i16::MAX, i16::MAX)] {
            for _ in 0..100 {
                let numbers: Layer = std::array::from_fn(|_| random.random_range(low..=high));
                let weights: Layer = std::array::from_fn(|_| random.random_range(-128..=128));
                let weighed = |(&number, &weight): (&i16, &i16)| {
                    i32::from(number.clamp(0, ONE)).pow(2) * i32::from(weight)
                };
                let squares = numbers.iter().zip(&weights).map(weighed).sum::<i32>();
                assert_eq!(baseline(&numbers, &weights), squares);
            }
        }
    }
}
