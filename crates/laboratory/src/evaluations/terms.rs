//! Terms that several evaluations share.

use kelso_draughts::board::mix;
use kelso_draughts::board::relative::RelativePosition;

/// Returns the random term of a published evaluation: a number from 0 to `bound - 1`, the same for a position
/// and its flip. In the studies the number differs from call to call; here it depends only on the position
/// and a fixed seed, so that runs are reproducible.
#[expect(clippy::expect_used, reason = "the published bounds are small")]
pub(super) fn noise(bound: u64, seed: u64, view: RelativePosition) -> i32 {
    let mut state = seed;
    for side in [view.own, view.enemy] {
        state = mix(state ^ (u64::from(side.men.0) << 32 | u64::from(side.kings.0)));
    }
    i32::try_from(state % bound.max(1)).expect("the published bounds are small")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_engine::eval::testing;

    #[test]
    fn every_value_occurs_about_equally_often() {
        let mut seen = [0u32; 10];
        let mut total = 0;
        testing::positions(|position| {
            let value = noise(10, 1, position.relative());
            seen[usize::try_from(value).unwrap()] += 1;
            total += 1;
        });
        assert!(seen.iter().all(|&count| (total / 14..total / 7).contains(&count)), "{seen:?}");
    }
}
