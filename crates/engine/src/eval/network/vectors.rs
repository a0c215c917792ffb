//! The sums of products that compilers translate into slow code, written for each instruction set.

use super::layers::{HIDDEN, HiddenWeights, LAST, Layers, PRODUCT_BITS, Products};
use super::{Layer, ONE, WIDTH};

/// The sums for one instruction set. All sets give the same numbers.
pub(super) trait Vectors: Copy {
    /// Clamps two factors of each neuron to the range from 0 to [`ONE`], rounds their products, and returns
    /// the weighted sum of the products before rounding. A weight times [`ONE`] fits in 16 bits.
    fn weigh(self, factors: &[Layer; 2], weights: &Layer, rounded: &mut Products) -> i32;

    /// Returns the weighted sum of the products of both views for each hidden neuron.
    fn hidden_sums(self, products: &[Products; 2], weights: &HiddenWeights) -> [i32; HIDDEN];

    fn last_sums(self, activations: &[i16; HIDDEN], layers: &Layers) -> [i32; LAST];
}

/// The instructions of the compilation target.
#[derive(Clone, Copy)]
pub(super) struct Baseline;

impl Vectors for Baseline {
    #[inline]
    fn weigh(self, factors: &[Layer; 2], weights: &Layer, rounded: &mut Products) -> i32 {
        let [a, b] = factors;
        for ((a, b), product) in a.iter().zip(&b.0).zip(&mut rounded.0) {
            let whole = (*a).clamp(0, ONE).cast_unsigned() * (*b).clamp(0, ONE).cast_unsigned();
            *product = ((whole + (1 << (PRODUCT_BITS - 1))) >> PRODUCT_BITS) as u8;
        }
        baseline::weigh_products(factors, weights)
    }

    #[inline]
    fn hidden_sums(self, products: &[Products; 2], weights: &HiddenWeights) -> [i32; HIDDEN] {
        weights.each_ref().map(|[own, other]| {
            baseline::weigh_bytes(&products[0].0, &own.0) + baseline::weigh_bytes(&products[1].0, &other.0)
        })
    }

    #[inline]
    fn last_sums(self, activations: &[i16; HIDDEN], layers: &Layers) -> [i32; LAST] {
        let mut sums = layers.last_bias;
        for (pair, weights) in activations.as_chunks::<2>().0.iter().zip(&layers.last) {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum +=
                    i32::from(pair[0]) * i32::from(weights[0]) + i32::from(pair[1]) * i32::from(weights[1]);
            }
        }
        sums
    }
}

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
use portable as baseline;
#[cfg(target_arch = "x86_64")]
use sse as baseline;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use wasm as baseline;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable {
    use super::WIDTH;
    #[cfg(not(target_arch = "x86_64"))]
    use super::{Layer, ONE};

    #[inline]
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn weigh_products([a, b]: &[Layer; 2], weights: &Layer) -> i32 {
        let mut sum = 0;
        for ((a, b), weight) in a.iter().zip(&b.0).zip(&weights.0) {
            sum += i32::from((*a).clamp(0, ONE)) * i32::from((*b).clamp(0, ONE) * weight);
        }
        sum
    }

    #[inline]
    pub(super) fn weigh_bytes(numbers: &[u8; WIDTH], weights: &[i8; WIDTH]) -> i32 {
        let mut sum = 0;
        for (number, weight) in numbers.iter().zip(weights) {
            sum += i32::from(i16::from(*number) * i16::from(*weight));
        }
        sum
    }
}

#[cfg(target_arch = "x86_64")]
mod sse {
    pub(super) use super::portable::weigh_bytes;
    use super::{Layer, ONE, WIDTH};
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_load_si128, _mm_madd_epi16, _mm_max_epi16,
        _mm_min_epi16, _mm_mullo_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi32,
    };

    #[inline]
    #[expect(unsafe_code, reason = "the instructions belong to every processor of this kind")]
    pub(super) fn weigh_products(factors: &[Layer; 2], weights: &Layer) -> i32 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { weigh(factors, weights) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn weigh([a, b]: &[Layer; 2], weights: &Layer) -> i32 {
        let zero = _mm_setzero_si128();
        let one = _mm_set1_epi16(ONE);
        let mut sums = zero;
        for index in 0..WIDTH / 8 {
            let a = _mm_min_epi16(_mm_max_epi16(load(a, index), zero), one);
            let b = _mm_min_epi16(_mm_max_epi16(load(b, index), zero), one);
            let weighed = _mm_mullo_epi16(b, load(weights, index));
            sums = _mm_add_epi32(sums, _mm_madd_epi16(a, weighed));
        }
        total(sums)
    }

    /// Adds the four numbers of a vector.
    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn total(quarter: __m128i) -> i32 {
        let half = _mm_add_epi32(quarter, _mm_shuffle_epi32::<0b0100_1110>(quarter));
        _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32::<0b1011_0001>(half)))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load(layer: &Layer, index: usize) -> __m128i {
        let numbers = &layer.as_chunks::<8>().0[index];
        // SAFETY: the chunk has as many bytes as the vector, and a layer is aligned to 64 bytes.
        unsafe { _mm_load_si128(numbers.as_ptr().cast()) }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::sse::total;
    use super::{HIDDEN, HiddenWeights, LAST, Layer, Layers, ONE, Products, Vectors};
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256,
        _mm256_hadd_epi32, _mm256_load_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mulhrs_epi16, _mm256_mullo_epi16, _mm256_packus_epi16,
        _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_set1_epi32,
        _mm256_setzero_si256, _mm256_slli_epi16, _mm256_storeu_si256,
    };

    /// AVX2. A value of this type exists only where the processor has these instructions.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx2(());

    impl Avx2 {
        #[inline]
        #[target_feature(enable = "avx2")]
        pub(in super::super) fn new() -> Self {
            Self(())
        }
    }

    #[expect(unsafe_code, reason = "there is a value of this type only where there are the instructions")]
    impl Vectors for Avx2 {
        #[inline]
        fn weigh(self, factors: &[Layer; 2], weights: &Layer, rounded: &mut Products) -> i32 {
            // SAFETY: the processor has the instructions, since there is a value of this type.
            unsafe { weigh(factors, weights, rounded) }
        }

        #[inline]
        fn hidden_sums(self, products: &[Products; 2], weights: &HiddenWeights) -> [i32; HIDDEN] {
            // SAFETY: as above.
            unsafe { hidden_sums(products, weights) }
        }

        #[inline]
        fn last_sums(self, activations: &[i16; HIDDEN], layers: &Layers) -> [i32; LAST] {
            // SAFETY: as above.
            unsafe { last_sums(activations, layers) }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn weigh([a, b]: &[Layer; 2], weights: &Layer, rounded: &mut Products) -> i32 {
        let zero = _mm256_setzero_si256();
        let one = _mm256_set1_epi16(ONE);
        let mut sums = zero;
        for (index, rounded) in rounded.0.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let mut halves = [zero; 2];
            for (half, index) in halves.iter_mut().zip([2 * index, 2 * index + 1]) {
                let a = _mm256_min_epi16(_mm256_max_epi16(load_16(a, index), zero), one);
                let b = _mm256_min_epi16(_mm256_max_epi16(load_16(b, index), zero), one);
                let weighed = _mm256_mullo_epi16(b, load_16(weights, index));
                sums = _mm256_add_epi32(sums, _mm256_madd_epi16(a, weighed));
                // This instruction rounds the product divided by 2 to the power of 15.
                *half = _mm256_mulhrs_epi16(_mm256_slli_epi16::<6>(a), b);
            }
            let bytes = _mm256_permute4x64_epi64::<0b1101_1000>(_mm256_packus_epi16(halves[0], halves[1]));
            store(rounded, bytes);
        }
        total(_mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "products and their weights are aligned")]
    fn hidden_sums(products: &[Products; 2], weights: &HiddenWeights) -> [i32; HIDDEN] {
        let ones = _mm256_set1_epi16(1);
        let mut sums = [_mm256_setzero_si256(); HIDDEN];
        for (view, products) in products.iter().enumerate() {
            for (index, products) in products.0.as_chunks::<32>().0.iter().enumerate() {
                // SAFETY: products are aligned to 64 bytes.
                let products = unsafe { load_aligned(products) };
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    // SAFETY: the weights of a view are aligned to 64 bytes.
                    let weights = unsafe { load_aligned(&weights[view].0.as_chunks::<32>().0[index]) };
                    let pairs = _mm256_maddubs_epi16(products, weights);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
                }
            }
        }
        let [a, b, c, d] = [0, 2, 4, 6].map(|index| _mm256_hadd_epi32(sums[index], sums[index + 1]));
        let halves = [_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d)];
        let low = _mm256_permute2x128_si256::<0x20>(halves[0], halves[1]);
        let high = _mm256_permute2x128_si256::<0x31>(halves[0], halves[1]);
        let mut totals = [0; HIDDEN];
        store(&mut totals, _mm256_add_epi32(low, high));
        totals
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn last_sums(activations: &[i16; HIDDEN], layers: &Layers) -> [i32; LAST] {
        let mut totals = [0; LAST];
        let quarters = totals.as_chunks_mut::<8>().0.iter_mut().zip(layers.last_bias.as_chunks::<8>().0);
        for (index, (totals, biases)) in quarters.enumerate() {
            let mut sums = load(biases);
            for (&[first, second], weights) in activations.as_chunks::<2>().0.iter().zip(&layers.last) {
                let pair = i32::from(first) | i32::from(second) << 16;
                let weights = load(&weights.as_chunks::<8>().0[index]);
                sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_set1_epi32(pair), weights));
            }
            store(totals, sums);
        }
        totals
    }

    /// Loads a vector of a layer.
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "layers are aligned")]
    fn load_16(layer: &Layer, index: usize) -> __m256i {
        // SAFETY: a layer is aligned to 64 bytes.
        unsafe { load_aligned(&layer.as_chunks::<16>().0[index]) }
    }

    /// Loads numbers that are aligned to 32 bytes. Compilers split a load of others in two.
    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    unsafe fn load_aligned<T: Copy, const N: usize>(numbers: &[T; N]) -> __m256i {
        const { assert!(size_of::<[T; N]>() == 32) }
        // SAFETY: the array has as many bytes as the vector, and the caller guarantees the alignment.
        unsafe { _mm256_load_si256(numbers.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load<T: Copy, const N: usize>(numbers: &[T; N]) -> __m256i {
        const { assert!(size_of::<[T; N]>() == 32) }
        // SAFETY: the array has as many bytes as the vector, and need not be aligned.
        unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[expect(unsafe_code, reason = "writes through a pointer")]
    fn store<T: Copy, const N: usize>(numbers: &mut [T; N], vector: __m256i) {
        const { assert!(size_of::<[T; N]>() == 32) }
        // SAFETY: the array has as many bytes as the vector, and need not be aligned.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), vector) }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{Layer, ONE, WIDTH};
    use std::arch::wasm32::{
        i16x8_add, i16x8_extmul_high_i8x16, i16x8_extmul_low_i8x16, i16x8_max, i16x8_min, i16x8_mul,
        i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extadd_pairwise_i16x8, i32x4_extract_lane,
        i32x4_splat, v128, v128_load,
    };

    #[inline]
    pub(super) fn weigh_products([a, b]: &[Layer; 2], weights: &Layer) -> i32 {
        let mut sums = i32x4_splat(0);
        let weights = weights.as_chunks::<8>().0;
        for ((a, b), weights) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0).zip(weights) {
            let a = i16x8_min(i16x8_max(load(a), i16x8_splat(0)), i16x8_splat(ONE));
            let b = i16x8_min(i16x8_max(load(b), i16x8_splat(0)), i16x8_splat(ONE));
            sums = i32x4_add(sums, i32x4_dot_i16x8(a, i16x8_mul(b, load(weights))));
        }
        total(sums)
    }

    #[inline]
    pub(super) fn weigh_bytes(numbers: &[u8; WIDTH], weights: &[i8; WIDTH]) -> i32 {
        let mut sums = i32x4_splat(0);
        for (numbers, weights) in numbers.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
            let numbers = load(numbers);
            let weights = load(weights);
            // Numbers have 7 bits, so they are the same as signed ones, and the sum fits in 16 bits.
            let low = i16x8_extmul_low_i8x16(numbers, weights);
            let high = i16x8_extmul_high_i8x16(numbers, weights);
            sums = i32x4_add(sums, i32x4_extadd_pairwise_i16x8(i16x8_add(low, high)));
        }
        total(sums)
    }

    /// Adds the four numbers of a vector.
    #[inline]
    fn total(sums: v128) -> i32 {
        i32x4_extract_lane::<0>(sums)
            + i32x4_extract_lane::<1>(sums)
            + i32x4_extract_lane::<2>(sums)
            + i32x4_extract_lane::<3>(sums)
    }

    #[inline]
    #[expect(unsafe_code, reason = "reads through a pointer")]
    fn load<T: Copy, const N: usize>(numbers: &[T; N]) -> v128 {
        const { assert!(size_of::<[T; N]>() == 16) }
        // SAFETY: the array has as many bytes as the vector, and need not be aligned.
        unsafe { v128_load(numbers.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_random::RngExt;

    /// Returns the same random layers, factors and weights for the same seed.
    fn random(seed: u64, low: i16, high: i16) -> ([[Layer; 2]; 2], Layer, Layers) {
        let mut random = kelso_random::stream(&[seed]);
        let mut layer = |low, high| Layer(std::array::from_fn(|_| random.random_range(low..=high)));
        let factors = std::array::from_fn(|_| [layer(low, high), layer(low, high)]);
        let weights = layer(-128, 128);
        let mut layers = Layers::ZERO;
        let extreme = seed.is_multiple_of(2);
        for weight in layers.hidden.iter_mut().flatten().flat_map(|weights| &mut weights.0) {
            *weight = if extreme { i8::MIN } else { random.random_range(i8::MIN..=i8::MAX) };
        }
        layers
            .last
            .iter_mut()
            .flatten()
            .flatten()
            .for_each(|weight| *weight = random.random_range(-2048..=2048));
        (factors, weights, layers)
    }

    fn assert_plain_sums(vectors: impl Vectors) {
        let mut seed = 0;
        for (low, high) in [(i16::MIN, i16::MAX), (-300, 300), (0, 255), (i16::MAX, i16::MAX)] {
            for _ in 0..100 {
                seed += 1;
                let (factors, weights, layers) = random(seed, low, high);
                let views = factors.map(|factors| {
                    let [a, b] = &factors;
                    let mut products = Products([0; WIDTH]);
                    let sum = vectors.weigh(&factors, &weights, &mut products);
                    let mut expected = 0;
                    for neuron in 0..WIDTH {
                        let product = i32::from(a[neuron].clamp(0, ONE)) * i32::from(b[neuron].clamp(0, ONE));
                        expected += product * i32::from(weights[neuron]);
                        assert_eq!(i32::from(products.0[neuron]), (product + 256) / 512);
                    }
                    assert_eq!(sum, expected);
                    products
                });
                let sums = vectors.hidden_sums(&views, &layers.hidden);
                for (sum, weights) in sums.into_iter().zip(&layers.hidden) {
                    let mut expected = 0;
                    for (product, &weight) in
                        views.iter().zip(weights).flat_map(|(a, b)| a.0.iter().zip(&b.0))
                    {
                        expected += i32::from(*product) * i32::from(weight);
                    }
                    assert_eq!(sum, expected);
                }
                let activations = sums.map(|sum| i16::try_from(sum.rem_euclid(32_259)).unwrap());
                for (neuron, sum) in vectors.last_sums(&activations, &layers).into_iter().enumerate() {
                    let mut expected = layers.last_bias[neuron];
                    for (&activation, weight) in
                        activations.iter().zip(layers.last.map(|pair| pair[neuron]).as_flattened())
                    {
                        expected += i32::from(activation) * i32::from(*weight);
                    }
                    assert_eq!(sum, expected);
                }
            }
        }
    }

    #[test]
    fn sums_by_vectors_are_the_plain_sums() {
        assert_plain_sums(Baseline);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the processor has the instructions")]
    fn sums_by_avx2_are_the_plain_sums() {
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            assert_plain_sums(unsafe { Avx2::new() });
        }
    }
}
