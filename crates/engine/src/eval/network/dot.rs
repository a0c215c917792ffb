//! SIMD dot products of 16-bit integers. Compilers use vectors of only half the width for plain loops, since
//! the sums have 32 bits.
//!
//! Each function clamps the factors to the range from 0 to [`ONE`] and returns the weighted sum of their products.
//! A weight times [`ONE`] fits in 16 bits.

use super::layers::{GROUP, PRODUCT_BITS, ProductWeights, Products};
use super::{Factors, Layer, ONE};

/// Like [`baseline`], and also returns the rounded products.
#[inline]
pub(super) fn baseline_products(factors: &Factors, weights: &Layer, products: &mut Products) -> i32 {
    let [a, b] = factors;
    for ((a, b), product) in a.iter().zip(&b.0).zip(&mut products.0) {
        let whole = (*a).clamp(0, ONE).cast_unsigned() * (*b).clamp(0, ONE).cast_unsigned();
        *product = ((whole + (1 << (PRODUCT_BITS - 1))) >> PRODUCT_BITS) as u8;
    }
    baseline(factors, weights)
}

/// Returns the weighted sums of the products of both views.
#[inline]
pub(super) fn baseline_sums(
    products: &[Products; 2],
    weights: &[[ProductWeights; 2]; GROUP],
) -> [i32; GROUP] {
    weights.each_ref().map(|views| {
        let mut sum = 0;
        for (products, weights) in products.iter().zip(views) {
            for (product, weight) in products.0.iter().zip(weights.0) {
                sum += i32::from(i16::from(*product) * i16::from(weight));
            }
        }
        sum
    })
}

/// Computes the sum with the instruction set of the compilation target.
#[inline]
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the instructions belong to every processor of this kind")]
pub(super) fn baseline(factors: &Factors, weights: &Layer) -> i32 {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { x86_64::sse2(factors, weights) }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use wasm::baseline;

/// Computes the sum with the instruction set of the compilation target.
#[inline]
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
pub(super) fn baseline([a, b]: &Factors, weights: &Layer) -> i32 {
    let mut sum = 0;
    for ((a, b), weight) in a.iter().zip(&b.0).zip(&weights.0) {
        sum += i32::from((*a).clamp(0, ONE)) * i32::from((*b).clamp(0, ONE) * weight);
    }
    sum
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86_64::{avx2_products, avx2_sums};

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::{Factors, GROUP, Layer, ONE, ProductWeights, Products};
    use crate::eval::network::WIDTH;
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16, _mm_max_epi16,
        _mm_min_epi16, _mm_mullo_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi32,
        _mm_storeu_si128, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256,
        _mm256_hadd_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mulhrs_epi16, _mm256_mullo_epi16, _mm256_packus_epi16,
        _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_slli_epi16,
        _mm256_store_si256,
    };

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn sse2([a, b]: &Factors, weights: &Layer) -> i32 {
        let zero = _mm_setzero_si128();
        let one = _mm_set1_epi16(ONE);
        let mut sums = zero;
        for index in 0..WIDTH / 8 {
            let a = _mm_min_epi16(_mm_max_epi16(load_128(a, index), zero), one);
            let b = _mm_min_epi16(_mm_max_epi16(load_128(b, index), zero), one);
            let weighed = _mm_mullo_epi16(b, load_128(weights, index));
            sums = _mm_add_epi32(sums, _mm_madd_epi16(a, weighed));
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

    /// Returns the weighted sum of the products, and the rounded products.
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "writes through a pointer")]
    pub(in super::super) fn avx2_products([a, b]: &Factors, weights: &Layer, products: &mut Products) -> i32 {
        let zero = _mm256_setzero_si256();
        let one = _mm256_set1_epi16(ONE);
        let mut sums = zero;
        for (index, products) in products.0.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let mut halves = [zero; 2];
            for (half, index) in halves.iter_mut().zip([2 * index, 2 * index + 1]) {
                let a = _mm256_min_epi16(_mm256_max_epi16(load_256(a, index), zero), one);
                let b = _mm256_min_epi16(_mm256_max_epi16(load_256(b, index), zero), one);
                let weighed = _mm256_mullo_epi16(b, load_256(weights, index));
                sums = _mm256_add_epi32(sums, _mm256_madd_epi16(a, weighed));
                // This instruction rounds the product divided by 2 to the power of 15.
                *half = _mm256_mulhrs_epi16(_mm256_slli_epi16::<6>(a), b);
            }
            let bytes = _mm256_permute4x64_epi64::<0b1101_1000>(_mm256_packus_epi16(halves[0], halves[1]));
            // SAFETY: the chunk has as many bytes as the vector, and products are aligned to 64 bytes.
            unsafe { _mm256_store_si256(products.as_mut_ptr().cast(), bytes) }
        }
        total(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums)))
    }

    /// Returns the weighted sums of the products of both views.
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "reads and writes through pointers")]
    pub(in super::super) fn avx2_sums(
        products: &[Products; 2],
        weights: &[[ProductWeights; 2]; GROUP],
    ) -> [i32; GROUP] {
        let ones = _mm256_set1_epi16(1);
        let mut sums = [_mm256_setzero_si256(); GROUP];
        for (view, products) in products.iter().enumerate() {
            for (index, products) in products.0.as_chunks::<32>().0.iter().enumerate() {
                // SAFETY: the chunk has as many bytes as the vector, and products are aligned to 64 bytes.
                let products = unsafe { _mm256_load_si256(products.as_ptr().cast()) };
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    let weights = &weights[view].0.as_chunks::<32>().0[index];
                    // SAFETY: as above, and weights are aligned likewise.
                    let weights = unsafe { _mm256_load_si256(weights.as_ptr().cast()) };
                    let pairs = _mm256_maddubs_epi16(products, weights);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
                }
            }
        }
        let [a, b, c, d] = sums;
        let both = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
        let mut sums = [0; GROUP];
        // SAFETY: the array has as many bytes as the vector, and need not be aligned.
        unsafe {
            _mm_storeu_si128(
                sums.as_mut_ptr().cast(),
                _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both)),
            );
        }
        sums
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
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{Factors, Layer, ONE};
    use std::arch::wasm32::{
        i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
        i32x4_splat, v128, v128_load,
    };

    /// Computes the sum with the instruction set of the compilation target.
    #[inline]
    pub(in super::super) fn baseline([a, b]: &Factors, weights: &Layer) -> i32 {
        let mut sums = i32x4_splat(0);
        let weights = weights.as_chunks::<8>().0;
        for ((a, b), weights) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0).zip(weights) {
            let a = i16x8_min(i16x8_max(load(a), i16x8_splat(0)), i16x8_splat(ONE));
            let b = i16x8_min(i16x8_max(load(b), i16x8_splat(0)), i16x8_splat(ONE));
            sums = i32x4_add(sums, i32x4_dot_i16x8(a, i16x8_mul(b, load(weights))));
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
    use crate::eval::network::WIDTH;
    use kelso_batch::rng::{self, RngExt};

    #[test]
    fn vectorised_sums_equal_scalar_sums() {
        let mut random = rng::stream(&[1]);
        for (low, high) in [(i16::MIN, i16::MAX), (-300, 300), (0, 255), (i16::MAX, i16::MAX)] {
            for _ in 0..100 {
                let factors: Factors =
                    std::array::from_fn(|_| Layer(std::array::from_fn(|_| random.random_range(low..=high))));
                let weights = Layer(std::array::from_fn(|_| random.random_range(-128..=128)));
                let mut products = 0;
                for neuron in 0..WIDTH {
                    let [a, b] = factors.map(|factor| i32::from(factor[neuron].clamp(0, ONE)));
                    products += a * b * i32::from(weights[neuron]);
                }
                assert_eq!(baseline(&factors, &weights), products);
            }
        }
    }
    #[test]
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the processor has the instructions")]
    fn vectorised_layers_equal_scalar_layers() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let mut random = rng::stream(&[2]);
        for (low, high) in [(i16::MIN, i16::MAX), (-300, 300), (0, 255), (255, 255)] {
            for _ in 0..100 {
                let mut layer = || Layer(std::array::from_fn(|_| random.random_range(low..=high)));
                let factors: [Factors; 2] = std::array::from_fn(|_| [layer(), layer()]);
                let weights = Layer(std::array::from_fn(|_| random.random_range(-128..=128)));
                let mut scalar = [Products([0; WIDTH]); 2];
                let mut vector = scalar;
                for view in 0..2 {
                    let expected = baseline_products(&factors[view], &weights, &mut scalar[view]);
                    // SAFETY: the processor has the instructions.
                    let sum = unsafe { avx2_products(&factors[view], &weights, &mut vector[view]) };
                    assert_eq!((sum, vector[view].0), (expected, scalar[view].0));
                }
                let extreme = random.random_range(0..2) == 0;
                let mut weight = || if extreme { i8::MIN } else { random.random_range(i8::MIN..=i8::MAX) };
                let weights: [[ProductWeights; 2]; GROUP] = std::array::from_fn(|_| {
                    std::array::from_fn(|_| ProductWeights(std::array::from_fn(|_| weight())))
                });
                // SAFETY: as above.
                let sums = unsafe { avx2_sums(&vector, &weights) };
                assert_eq!(sums, baseline_sums(&scalar, &weights));
            }
        }
    }
}
