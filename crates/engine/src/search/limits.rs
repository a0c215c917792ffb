//! The limits of a search, and the allotment of time. This module does not read the clock.

use std::time::Duration;

use kelso_draughts::board::Move;

/// The limits of a search. The first limit reached ends the search; without limits, the search runs until
/// stopped.
#[must_use]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Number of iterations to complete.
    pub depth: Option<usize>,
    pub nodes: Option<u64>,
    pub time: Option<TimeLimit>,
    /// Return only when stopped, even if the result is known.
    pub infinite: bool,
    /// The root moves to search; all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Returns the limits of a search to a depth.
    pub fn depth(depth: usize) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Returns the limits of a search with a node limit.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns the limits of a search that takes an exact amount of time.
    pub fn move_time(time: Duration) -> Self {
        Self { time: Some(TimeLimit::Exact(time)), ..Self::default() }
    }

    /// Returns whether a root move is to be searched.
    #[must_use]
    pub fn allows(&self, mv: Move) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&mv)
    }

    /// Returns these limits and those of a player. Both must hold, except that these decide the moves to
    /// search and, of an exact time and a clock, which of them counts.
    pub fn within(&self, player: &Self) -> Self {
        Self {
            depth: self.depth.into_iter().chain(player.depth).min(),
            nodes: self.nodes.into_iter().chain(player.nodes).min(),
            time: match (self.exact_time(), player.exact_time()) {
                (Some(time), Some(longest)) => Some(TimeLimit::Exact(time.min(longest))),
                _ => self.time.or(player.time),
            },
            infinite: self.infinite || player.infinite,
            search_moves: self.search_moves.clone(),
        }
    }

    /// Returns whether depth, nodes or time is limited.
    #[must_use]
    pub const fn is_set(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// Returns whether the search ends without being stopped.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        !self.infinite && self.is_set()
    }

    /// Returns the exact time limit, if there is one.
    #[must_use]
    pub fn exact_time(&self) -> Option<Duration> {
        self.time.and_then(|time| match time {
            TimeLimit::Exact(time) => Some(time),
            TimeLimit::Clock { .. } => None,
        })
    }
}

/// A time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Use exactly this much time.
    Exact(Duration),
    /// Use a reasonable share of a clock.
    Clock {
        /// The remaining time.
        remaining: Duration,
        /// The increment per move.
        increment: Duration,
        /// Moves to the next time control, if there is one.
        moves_to_go: Option<u32>,
    },
}

/// The time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The time after which no iteration is started, unless [`Stability`] changes it.
    pub soft: Duration,
    /// The time at which the search stops.
    pub hard: Duration,
}

/// The stability of the best move over the iterations so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stability {
    /// The number of consecutive iterations with the same best move.
    pub stable_iterations: u32,
    /// Drop of the score in the last iteration, in hundredths of a man; negative if it rose.
    pub score_drop: i32,
    /// Share of the nodes spent on the best move, in percent.
    pub best_move_nodes: u32,
    /// Duration of the last iteration. The next iteration takes longer.
    pub iteration_time: Duration,
}

/// Expected number of remaining moves.
const HORIZON_MOVES: u32 = 24;
/// Time held in reserve, up to half of the clock: a busy machine may delay a program by tens of milliseconds.
const CLOCK_RESERVE: Duration = Duration::from_millis(50);
/// Maximum share of the clock for one move, in percent.
const MAX_CLOCK_PERCENT: u32 = 40;
/// The soft and the hard limit, as multiples of an even share of the remaining time. Most moves need only
/// half the soft limit, and forced moves take no time.
const SOFT_SHARES: u32 = 2;
const HARD_SHARES: u32 = 5;
/// The part of the increment that a move may spend at once, in percent.
const INCREMENT_PERCENT: u32 = 75;

/// The soft limit in percent, by the number of iterations with the same best move: a move that has long been
/// best will probably remain it.
const STABLE_PERCENT: [u32; 9] = [140, 140, 115, 100, 100, 85, 85, 85, 70];
/// The increase of the soft limit in percent for each hundredth of a man by which the score fell, and the
/// drop beyond which it does not grow: another move may now be better.
const DROP_PERCENT: u32 = 2;
const MAX_DROP: i32 = 40;
/// The soft limit in percent if at least this percentage of the nodes was spent on the best move: the other
/// moves are then refuted quickly.
const NODES_PERCENT: [(u32, u32); 4] = [(90, 60), (75, 80), (50, 100), (0, 120)];

impl Budget {
    /// Allots time to a move. `overhead` is the part of a clock that is lost to communication.
    #[must_use]
    pub fn new(limit: TimeLimit, overhead: Duration) -> Self {
        match limit {
            TimeLimit::Exact(time) => Self { soft: time, hard: time },
            TimeLimit::Clock { remaining, increment, moves_to_go } => {
                let left = remaining.saturating_sub(overhead);
                let available = left.saturating_sub(CLOCK_RESERVE.min(left / 2));
                let moves = moves_to_go.map_or(HORIZON_MOVES, |moves| moves.clamp(1, HORIZON_MOVES));
                // The last move before a time control may use all the remaining time.
                let max = if moves == 1 { available } else { percent(available, MAX_CLOCK_PERCENT) };
                let share = (available / moves).saturating_add(percent(increment, INCREMENT_PERCENT));
                let hard = share.saturating_mul(HARD_SHARES).min(max);
                // Stability may extend the soft limit.
                Self { soft: share.saturating_mul(SOFT_SHARES).min(hard / 2), hard }
            }
        }
    }

    /// Returns the time after which no iteration is started. It is shorter if the best move is stable and
    /// takes nearly all nodes, and longer if the score falls. An exact time is not changed.
    #[must_use]
    pub fn soft_limit(self, stability: &Stability) -> Duration {
        if self.soft >= self.hard {
            return self.hard;
        }
        let stable = STABLE_PERCENT[(stability.stable_iterations as usize).min(STABLE_PERCENT.len() - 1)];
        let drop = 100 + stability.score_drop.clamp(0, MAX_DROP).cast_unsigned() * DROP_PERCENT;
        let nodes = NODES_PERCENT.iter().find(|(least, _)| stability.best_move_nodes >= *least);
        let nodes = nodes.map_or(100, |&(_, percent)| percent);
        let soft = [stable, drop, nodes].into_iter().fold(self.soft, percent);
        // Do not start an iteration that cannot be finished.
        soft.min(self.hard.saturating_sub(stability.iteration_time))
    }
}

/// Returns a percentage of a time, less if it is longer than any clock.
fn percent(time: Duration, percent: u32) -> Duration {
    time.saturating_mul(percent) / 100
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
    fn an_exact_time_is_used_completely() {
        for time in [0, 1, 10, 100, 1_000, 100_000] {
            let expected = Budget { soft: ms(time), hard: ms(time) };
            assert_eq!(Budget::new(TimeLimit::Exact(ms(time)), ms(10)), expected);
        }
    }

    #[test]
    fn budgets_never_exceed_the_clock() {
        let clocks = [0, 1, 5, 10, 11, 50, 200, 1_000, 60_000, 10_000_000_000].map(ms);
        for remaining in clocks.into_iter().chain([Duration::MAX]) {
            for increment in [ms(0), ms(10), ms(1_000), ms(100_000), Duration::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = Budget::new(TimeLimit::Clock { remaining, increment, moves_to_go }, ms(10));
                    assert!(budget.soft <= budget.hard && budget.hard <= remaining.saturating_sub(ms(10)));
                    let unstable = Stability { score_drop: MAX_DROP, ..Stability::default() };
                    assert!(budget.soft_limit(&unstable) <= budget.hard);
                }
            }
        }
    }

    #[test]
    fn budgets_of_common_clocks() {
        for (limit, soft, hard) in [
            (clock(60_060, 0, None), 5_000, 12_500),
            (clock(60_060, 1_000, None), 6_500, 16_250),
            (clock(10_060, 0, Some(1)), 5_000, 10_000),
            (clock(10_060, 0, Some(2)), 2_000, 4_000),
            (clock(1_060, 10_000, None), 200, 400),
            (clock(10_060, 0, Some(10)), 2_000, 4_000),
            // Half of a short clock is reserved.
            (clock(106, 0, None), 4, 10),
        ] {
            assert_eq!(Budget::new(limit, ms(10)), Budget { soft: ms(soft), hard: ms(hard) });
        }
    }

    #[test]
    fn stability_scales_the_soft_limit() {
        let budget = Budget { soft: ms(1000), hard: ms(6000) };
        let even =
            Stability { stable_iterations: 3, score_drop: 0, best_move_nodes: 60, iteration_time: ms(100) };
        for (stability, enough) in [
            (even, 1000),
            (Stability { stable_iterations: 1, ..even }, 1400),
            (Stability { stable_iterations: 20, ..even }, 700),
            (Stability { score_drop: 25, ..even }, 1500),
            (Stability { score_drop: 10_000, ..even }, 1800),
            (Stability { score_drop: -10_000, ..even }, 1000),
            (Stability { best_move_nodes: 95, ..even }, 600),
            (Stability { best_move_nodes: 10, ..even }, 1200),
            (Stability { stable_iterations: 9, best_move_nodes: 99, ..even }, 420),
            (Stability { iteration_time: ms(5800), ..even }, 200),
            (Stability { iteration_time: ms(7000), ..even }, 0),
        ] {
            assert_eq!(budget.soft_limit(&stability), ms(enough), "{stability:?}");
        }
        // Exact times are used in full.
        let exact = Budget::new(TimeLimit::Exact(ms(1000)), ms(10));
        assert_eq!(
            exact.soft_limit(&Stability {
                iteration_time: ms(900),
                stable_iterations: 30,
                score_drop: 0,
                best_move_nodes: 100
            }),
            exact.hard
        );
    }

    #[test]
    fn stability_never_exceeds_the_clock() {
        for remaining in [0, 11, 200, 60_000] {
            let budget = Budget::new(clock(remaining, 10, None), ms(10));
            let stability = Stability { score_drop: i32::MAX, ..Stability::default() };
            assert!(budget.soft_limit(&stability) <= budget.hard);
        }
    }
}
