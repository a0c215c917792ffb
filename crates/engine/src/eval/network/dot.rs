//! SIMD dot products of 16-bit integers. Compilers use vectors of only half the width for plain loops, since
//! the sums have 32 bits.
//!
//! Each function clamps numbers to the range from 0 to [`ONE`] and returns the weighted sum of their squares.
//! A weight times [`ONE`] fits in 16 bits.

use super::{Layer, ONE};

/// Computes the sum with the instruction set of the compilation target.
#[inline]
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the instructions belong to every processor of this kind")]
pub(super) fn baseline(numbers: &Layer, weights: &Layer) -> i32 {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { x86_64::sse2(numbers, weights) }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use wasm::baseline;

/// Computes the sum with the instruction set of the compilation target.
#[inline]
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
pub(super) fn baseline(numbers: &Layer, weights: &Layer) -> i32 {
    let mut sum = 0;
    for (number, weight) in numbers.iter().zip(&weights.0) {
        let clamped = (*number).clamp(0, ONE);
        sum += i32::from(clamped) * i32::from(clamped * weight);
    }
    sum
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::{avx2, avx512};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::{Layer, ONE};
    use crate::eval::network::WIDTH;
    use std::arch::x86_64::{
        __m128i, __m256i, __m512i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16,
        _mm_max_epi16, _mm_min_epi16, _mm_mullo_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi32,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256,
        _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16,
        _mm256_setzero_si256, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16,
        _mm512_min_epi16, _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16,
        _mm512_setzero_si512,
    };

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn sse2(numbers: &Layer, weights: &Layer) -> i32 {
        let zero = _mm_setzero_si128();
        let one = _mm_set1_epi16(ONE);
        let mut sums = zero;
        for index in 0..WIDTH / 8 {
            let clamped = _mm_min_epi16(_mm_max_epi16(load_128(numbers, index), zero), one);
            let weighed = _mm_mullo_epi16(clamped, load_128(weights, index));
            sums = _mm_add_epi32(sums, _mm_madd_epi16(clamped, weighed));
        }
        total(sums)
    }

    /// Adds the four numbers of a vector.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn total(quarter: __m128i) -> i32 {
        let half = _mm_add_epi32(quarter, _mm_shuffle_epi32::<0b0100_1110>(quarter));
        _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32::<0b1011_0001>(half)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn avx2(numbers: &Layer, weights: &Layer) -> i32 {
        let zero = _mm256_setzero_si256();
        let one = _mm256_set1_epi16(ONE);
        let mut sums = zero;
        for index in 0..WIDTH / 16 {
            let clamped = _mm256_min_epi16(_mm256_max_epi16(load_256(numbers, index), zero), one);
            let weighed = _mm256_mullo_epi16(clamped, load_256(weights, index));
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(clamped, weighed));
        }
        total(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums)))
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    pub(in super::super) fn avx512(numbers: &Layer, weights: &Layer) -> i32 {
        let zero = _mm512_setzero_si512();
        let one = _mm512_set1_epi16(ONE);
        let mut sums = zero;
        for index in 0..WIDTH / 32 {
            let clamped = _mm512_min_epi16(_mm512_max_epi16(load_512(numbers, index), zero), one);
            let weighed = _mm512_mullo_epi16(clamped, load_512(weights, index));
            sums = _mm512_add_epi32(sums, _mm512_madd_epi16(clamped, weighed));
        }
        _mm512_reduce_add_epi32(sums)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load_128(layer: &Layer, index: usize) -> __m128i {
        let numbers = &layer.as_chunks::<8>().0[index];
        // SAFETY: the chunk has as many bytes as the vector, and a layer is aligned to 64 bytes.
        unsafe { _mm_load_si128(numbers.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load_256(layer: &Layer, index: usize) -> __m256i {
        let numbers = &layer.as_chunks::<16>().0[index];
        // SAFETY: the chunk has as many bytes as the vector, and a layer is aligned to 64 bytes.
        unsafe { _mm256_load_si256(numbers.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512bw")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load_512(layer: &Layer, index: usize) -> __m512i {
        let numbers = &layer.as_chunks::<32>().0[index];
        // SAFETY: the chunk has as many bytes as the vector, and a layer is aligned to 64 bytes.
        unsafe { _mm512_load_si512(numbers.as_ptr().cast()) }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{Layer, ONE};
    use std::arch::wasm32::{
        i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
        i32x4_splat, v128, v128_load,
    };

    /// Computes the sum with the instruction set of the compilation target.
    #[inline]
    pub(in super::super) fn baseline(numbers: &Layer, weights: &Layer) -> i32 {
        let mut sums = i32x4_splat(0);
        for (numbers, weights) in numbers.as_chunks::<8>().0.iter().zip(weights.as_chunks::<8>().0) {
            let clamped = i16x8_min(i16x8_max(load(numbers), i16x8_splat(0)), i16x8_splat(ONE));
            sums = i32x4_add(sums, i32x4_dot_i16x8(clamped, i16x8_mul(clamped, load(weights))));
        }
        i32x4_extract_lane::<0>(sums)
            + i32x4_extract_lane::<1>(sums)
            + i32x4_extract_lane::<2>(sums)
            + i32x4_extract_lane::<3>(sums)
    }

    #[inline]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load(numbers: &[i16; 8]) -> v128 {
        // SAFETY: the array has as many bytes as the vector, and need not be aligned.
        unsafe { v128_load(numbers.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::rng::{self, RngExt};

    #[test]
    fn vectorised_sums_equal_scalar_sums() {
        let mut random = rng::stream(&[1]);
        for (low, high) in [(i16::MIN, i16::MAX), (-300, 300), (0, 255), (i16::MAX, i16::MAX)] {
            for _ in 0..100 {
                let numbers = Layer(std::array::from_fn(|_| random.random_range(low..=high)));
                let weights = Layer(std::array::from_fn(|_| random.random_range(-128..=128)));
                let weighed = |(&number, &weight): (&i16, &i16)| {
                    i32::from(number.clamp(0, ONE)).pow(2) * i32::from(weight)
                };
                let squares = numbers.iter().zip(&weights.0).map(weighed).sum::<i32>();
                assert_eq!(baseline(&numbers, &weights), squares);
            }
        }
    }
}
