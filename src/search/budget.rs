//! How much time a move gets. Pure arithmetic: no clock is read here.

use std::time::Duration;

use super::limits::TimeLimit;

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// After this no further iteration is begun.
    pub soft: Duration,
    /// At this the search stops where it is.
    pub hard: Duration,
}

/// Moves that a game is expected to go on for.
const HORIZON: u32 = 24;
/// The most that one move takes of the clock, in percent.
const MOST: u32 = 40;

impl Budget {
    /// The time for a move, given that answering costs `overhead`.
    #[must_use]
    pub fn new(limit: TimeLimit, overhead: Duration) -> Self {
        match limit {
            TimeLimit::Exact(time) => {
                let time = time.saturating_sub(overhead.min(time / 20));
                Self { soft: time, hard: time }
            }
            TimeLimit::Clock { remaining, increment, moves_to_go } => {
                let available = remaining.saturating_sub(overhead);
                let moves = moves_to_go.map_or(HORIZON, |moves| moves.clamp(1, HORIZON));
                // The last move before a control may use all that is left.
                let most = if moves == 1 { available } else { available * MOST / 100 };
                let share = available / moves + increment * 3 / 4;
                Self { soft: (share / 2).min(most), hard: (share * 3).min(most) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    const fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeLimit {
        TimeLimit::Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go }
    }

    #[test]
    fn an_exact_time_is_used_nearly_whole() {
        for time in [0, 1, 10, 100, 1_000, 100_000] {
            let Budget { soft, hard } = Budget::new(TimeLimit::Exact(ms(time)), ms(10));
            assert_eq!(soft, hard);
            assert!(hard <= ms(time) && hard >= ms(time) * 95 / 100);
        }
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for remaining in [0, 1, 5, 10, 11, 50, 200, 1_000, 60_000, 10_000_000_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let Budget { soft, hard } = Budget::new(clock(remaining, increment, moves), ms(10));
                    assert!(soft <= hard && hard <= ms(remaining).saturating_sub(ms(10)));
                }
            }
        }
    }

    #[test]
    fn budgets_of_common_clocks() {
        for (limit, soft, hard) in [
            (clock(60_010, 0, None), 1_250, 7_500),
            (clock(60_010, 1_000, None), 1_625, 9_750),
            (clock(10_010, 0, Some(1)), 5_000, 10_000),
            (clock(10_010, 0, Some(10)), 500, 3_000),
        ] {
            assert_eq!(Budget::new(limit, ms(10)), Budget { soft: ms(soft), hard: ms(hard) });
        }
    }
}
