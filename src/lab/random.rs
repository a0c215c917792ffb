//! Random numbers for games. The generator is here, so that no upgrade of a dependency changes a published series.

/// `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream of numbers for one game of a series.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Self {
        let mut mixed = Self(seed);
        let offset = mixed.next();
        Self(offset ^ game.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below a bound; 0 if the bound is.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * bound as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_fixed_even_and_different() {
        let draw = |seed, game| {
            let mut random = Random::new(seed, game);
            (0..4000).map(|_| random.below(7)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
        assert_eq!(draw(1, 0)[..8], [2, 6, 0, 5, 1, 5, 4, 1]);
        for face in 0..7 {
            assert!((450..700).contains(&draw(3, 9).iter().filter(|&&n| n == face).count()));
        }
        assert_eq!(Random::new(1, 1).below(0), 0);
    }
}
