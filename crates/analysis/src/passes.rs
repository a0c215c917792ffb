//! The passes of an analysis: a first one over all positions of a game, and deeper ones that settle the
//! verdicts.

use kelso_engine::search::Limits;
use kelso_players::limits::limit_words;

/// The positions of a game that a deeper pass searches again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// All positions, except those of a part of the game that is clearly won.
    Open,
    /// The positions near a change of the result, or of a tenth of a point.
    Changes,
}

/// The limits for each position in the passes of an analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct Passes {
    /// In the first pass, for all positions.
    pub first: Limits,
    /// In the other passes, for the selected positions, in nodes.
    pub deeper: Vec<(Selection, u64)>,
}

/// The number of nodes for each position in a first pass whose result is shown at once.
const FIRST_NODES: u64 = 50_000;
/// The deeper passes of a program that has a processor for itself: about a minute for a game.
const NATIVE: [(Selection, u64); 3] =
    [(Selection::Open, 250_000), (Selection::Open, 1_000_000), (Selection::Changes, 4_000_000)];
/// The deeper passes in a browser, whose searches have a third of the speed.
const IN_BROWSER: [(Selection, u64); 2] = [(Selection::Open, 250_000), (Selection::Changes, 1_000_000)];
/// The factor by which a repeated analysis has more nodes than the last one.
const FACTOR: u64 = 4;
/// The maximum number of nodes for each position in a repeated analysis.
const MOST_NODES: u64 = 1_000_000_000;

impl Passes {
    /// Returns a single pass over all positions.
    pub const fn single(limits: Limits) -> Self {
        Self { first: limits, deeper: Vec::new() }
    }

    /// Returns the passes of the programs and of the server.
    pub fn native() -> Self {
        Self::with(NATIVE.into())
    }

    /// Returns the passes in a browser.
    pub fn in_browser() -> Self {
        Self::with(IN_BROWSER.into())
    }

    fn with(deeper: Vec<(Selection, u64)>) -> Self {
        Self { first: Limits::nodes(FIRST_NODES), deeper }
    }

    /// Returns the passes after an analysis whose last pass had a number of nodes: the last one has more.
    #[must_use]
    pub fn beyond(mut self, nodes: u64) -> Self {
        while self.deeper.last().is_some_and(|&(_, last)| last <= nodes && last < MOST_NODES) {
            for (_, nodes) in &mut self.deeper {
                *nodes *= FACTOR;
            }
        }
        self
    }

    /// Describes the limits of all passes: `nodes=50000,250000,1000000`.
    pub fn words(&self) -> String {
        self.deeper.iter().fold(limit_words(&self.first), |words, (_, nodes)| format!("{words},{nodes}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_analysis_is_deeper() {
        for passes in [Passes::native(), Passes::in_browser()] {
            let mut last = 0;
            for _ in 0..4 {
                let next = passes.clone().beyond(last).deeper.last().unwrap().1;
                assert!(next > last);
                last = next;
            }
            assert!(passes.beyond(u64::MAX).deeper.last().unwrap().1 < 4 * MOST_NODES);
        }
    }

    #[test]
    fn all_limits_are_described() {
        assert_eq!(Passes::in_browser().words(), "nodes=50000,250000,1000000");
        assert_eq!(Passes::single(Limits::depth(9)).words(), "depth=9");
    }
}
