//! The random terms of published evaluations. In the studies they differ from call to call; here they depend on the
//! position and a fixed seed, so that runs are repeatable.

use engine::eval::view::View;

/// Returns a number from 0 to `bound - 1`, the same for a position and its flip.
pub(super) fn below(bound: u64, seed: u64, view: View) -> i32 {
    let join = |men: u32, kings: u32| u64::from(men) << 32 | u64::from(kings);
    let mut state = seed;
    for word in [join(view.me.men.0, view.me.kings.0), join(view.you.men.0, view.you.kings.0)] {
        state = mix(state ^ word);
    }
    i32::try_from(state % bound.max(1)).unwrap_or(0)
}

/// Returns the mixing step of `SplitMix64`.
const fn mix(word: u64) -> u64 {
    let z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::eval::testing;

    #[test]
    fn every_value_occurs_about_equally_often() {
        let mut seen = [0u32; 10];
        let mut total = 0;
        testing::positions(|position| {
            let value = below(10, 1, View::of(position));
            seen[usize::try_from(value).unwrap()] += 1;
            total += 1;
        });
        assert!(seen.iter().all(|&count| (total / 14..total / 7).contains(&count)), "{seen:?}");
    }
}
