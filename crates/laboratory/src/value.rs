//! The values of textbook searches: integers in the units of the evaluation, so that rounding does not change
//! the choices of a search. Known results lie beyond all evaluations; the sooner a win, the higher its value.

use kelso_draughts::score::ReportedScore;
use kelso_engine::search::{Score, Window};

/// A value for the side to move.
pub type Value = i32;

/// Larger than every evaluation. Values beyond it, on either side, are known results.
const MAX_EVALUATION: Value = 2_000_000_000;
/// A win at the root. It is as far from the evaluations as the engine's, whose scores can be converted.
const WIN: Value = MAX_EVALUATION + 32_000;
/// More than the longest proved win in plies.
const MAX_WIN_PLIES: u32 = 1000;

/// Higher than every other value.
pub const HIGHEST: Value = WIN + 1;
/// Lower than every other value.
pub const LOWEST: Value = -HIGHEST;

/// Returns a proved loss after a given number of plies.
pub fn loss_in(plies: usize) -> Value {
    signed(plies) - WIN
}

/// Converts a score of the engine's own search. The order of scores is kept.
pub(crate) fn of_score(score: Score) -> Value {
    let value = score.value();
    if score.is_evaluation() { value } else { value + MAX_EVALUATION * value.signum() }
}

/// Returns the reported form of a value, in the units of the evaluation.
pub(crate) fn reported(value: Value) -> ReportedScore {
    if value.abs() <= MAX_EVALUATION {
        return ReportedScore::Cp(value);
    }
    // The engine's databases know wins without their distance.
    let plies = Some(WIN.abs_diff(value.abs())).filter(|&plies| plies < MAX_WIN_PLIES);
    if value > 0 { ReportedScore::Win(plies) } else { ReportedScore::Loss(plies) }
}

/// Returns whether a result is proved within a depth, so that no deeper search can change it.
pub(crate) fn is_proved_within(value: Value, depth: usize) -> bool {
    WIN.abs_diff(value.abs()) as usize <= depth
}

/// Returns a value some steps higher or lower.
pub(crate) fn moved(value: Value, steps: Value) -> Value {
    value.saturating_add(steps).clamp(LOWEST, HIGHEST)
}

/// Converts a value for storing in a table, where known results count plies from the position, not from the
/// root.
pub(crate) fn at_node(value: Value, ply: usize) -> Value {
    shifted(value, signed(ply))
}

/// Converts a value from a table at a position `ply` plies below the root.
pub(crate) fn from_node(value: Value, ply: usize) -> Value {
    shifted(value, -signed(ply))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "at most the longest line of a search"
)]
const fn signed(plies: usize) -> Value {
    plies as Value
}

const fn shifted(value: Value, plies: Value) -> Value {
    if value.abs() <= MAX_EVALUATION { value } else { value + plies * value.signum() }
}

/// The range of values that matter to a node: above `alpha` and below `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueWindow {
    /// The value that the side to move can already achieve.
    pub alpha: Value,
    /// The value at or above which the other side avoids the node.
    pub beta: Value,
}

impl ValueWindow {
    /// All values.
    pub const FULL: Self = Self { alpha: LOWEST, beta: HIGHEST };

    /// Returns the null window that tests whether a value is at least `beta`.
    pub const fn at_least(beta: Value) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// Returns the window from the other side's point of view.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

impl From<Window> for ValueWindow {
    fn from(window: Window) -> Self {
        Self { alpha: of_score(window.alpha), beta: of_score(window.beta) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_their_order_and_their_report() {
        let scores = [
            Score::LOWEST,
            Score::loss_in(0),
            -Score::database_win(6, 0, 10),
            Score::evaluation(-i32::MAX),
            Score::DRAW,
            Score::evaluation(i32::MAX),
            Score::database_win(24, -10_000, 500),
            Score::win_in(999),
            Score::win_in(3),
            Score::HIGHEST,
        ];
        assert!(scores.map(of_score).is_sorted());
        for score in &scores[1..9] {
            assert_eq!(reported(of_score(*score)), score.reported());
        }
        assert_eq!([LOWEST, HIGHEST], [Score::LOWEST, Score::HIGHEST].map(of_score));
    }

    #[test]
    fn known_results_convert_between_plies() {
        let loss = loss_in(9);
        assert_eq!(reported(loss), ReportedScore::Loss(Some(9)));
        assert_eq!((at_node(loss, 4), from_node(at_node(loss, 4), 4)), (loss_in(5), loss));
        assert_eq!(from_node(at_node(-5, 4), 9), -5);
        assert!(is_proved_within(loss, 9) && !is_proved_within(loss, 8) && !is_proved_within(0, 99));
    }
}
