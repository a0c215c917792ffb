//! Random numbers from a seed.
//!
//! A seed must give the same games in every run, in every version and on every machine, so the generator has
//! a published sequence: xoshiro256++ (Blackman and Vigna, 2019), seeded by `SplitMix64`. The default
//! generators of the crate rand may change with any release. The crate's ranges, choices and shuffles are
//! documented as portable, and tests check that they do not change.
//!
//! ```
//! use kelso_random::IndexedRandom;
//!
//! // The third game of a series with the seed 7.
//! let mut random = kelso_random::stream(&[7, 3]);
//! assert!(["11-15", "9-14", "10-15"].choose(&mut random).is_some());
//! ```

pub use rand::rngs::Xoshiro256PlusPlus as Random;
pub use rand::seq::{IndexedRandom, SliceRandom};
pub use rand::{Rng, RngExt, SeedableRng};

/// Returns an independent generator for each list of numbers, usually a seed and a purpose.
#[must_use]
pub fn stream(numbers: &[u64]) -> Random {
    Random::seed_from_u64(seed(numbers))
}

/// Combines numbers into a seed that depends on all of them and on their order.
#[must_use]
pub fn seed(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |seed, &number| Random::seed_from_u64(seed ^ number).next_u64())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference output of the authors' program for this state.
    #[test]
    fn the_generator_returns_the_published_sequence() {
        let state: Vec<u8> = [1_u64, 2, 3, 4].iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut random = Random::from_seed(state.try_into().unwrap());
        let numbers = std::array::from_fn::<_, 4, _>(|_| random.next_u64());
        assert_eq!(numbers, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    /// These numbers must not change: earlier games, openings and fits depend on them.
    #[test]
    fn random_streams_are_the_same_in_every_version() {
        assert_eq!(seed(&[]), 0);
        assert_eq!(seed(&[1, 2]), 9_339_522_238_128_297_617);
        let mut random = stream(&[1]);
        let dice: Vec<u32> = (0..12).map(|_| random.random_range(1..=6)).collect();
        assert_eq!(dice, [1, 1, 6, 6, 3, 4, 2, 5, 5, 6, 1, 4]);
        let indices: Vec<usize> = (0..8).map(|_| random.random_range(0..1000)).collect();
        assert_eq!(indices, [676, 806, 415, 543, 708, 76, 223, 299]);
        let mut order: Vec<u8> = (0..10).collect();
        order.shuffle(&mut random);
        assert_eq!(order, [1, 2, 3, 8, 9, 6, 5, 7, 4, 0]);
        let letters: String = (0..8).filter_map(|_| ['a', 'b', 'c'].choose(&mut random)).collect();
        assert_eq!(letters, "baccaaba");
        let shares = std::array::from_fn::<_, 2, _>(|_| random.random::<f64>().to_string());
        assert_eq!(shares, ["0.4264321504404964", "0.48878967332238155"]);
        assert_eq!(random.random::<f32>().to_string(), "0.05569166");
        let coins: Vec<u8> = (0..8).map(|_| u8::from(random.random_bool(0.5))).collect();
        assert_eq!(coins, [0, 0, 1, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn different_seeds_give_different_streams() {
        let first = |numbers: &[u64]| stream(numbers).next_u64();
        let all = [first(&[1, 2]), first(&[2, 1]), first(&[1]), first(&[1, 0]), first(&[0, 1]), first(&[])];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{all:x?}");
        }
    }
}
