//! The value of a position: the score of a search, the result in the databases, and expected points.

use serde::{Deserialize, Serialize};

use kelso_draughts::board::{Move, Position};
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;
use kelso_endgames::Databases;
use kelso_engine::eval;

/// The source of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictSource {
    /// The endgame databases, which are certain.
    Database,
    /// A deep search.
    Search,
}

/// The value of a position or a move for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionValue {
    pub score: Option<ReportedScore>,
    /// The result in the databases.
    pub known: Option<Wdl>,
}

/// Scores divided by this number are log odds. It is fitted to the engine's own games.
const LOG_ODDS_SCALE: f64 = 90.0;
/// Expected points at which a search result counts as a win.
const MIN_WON_POINTS: f64 = 0.95;
/// Expected points between this and one minus this count as a draw in search results.
const MIN_DRAWN_POINTS: f64 = 0.25;

impl VerdictSource {
    /// Returns the end of a verdict in words. Only a verdict of the databases, which is certain, names them.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Database => " (database)",
            Self::Search => "",
        }
    }
}

impl PositionValue {
    /// Returns the value one ply earlier, for the side that has just moved.
    #[must_use]
    pub fn for_parent(self) -> Self {
        Self { score: self.score.map(a_ply_before), known: self.known.map(Wdl::reversed) }
    }

    /// Returns the expected points, from 0 to 1.
    pub fn points(self) -> Option<f64> {
        self.known.map(|result| f64::from(result.points())).or_else(|| self.score.map(points))
    }

    /// Returns the result and its source, if it is known or the expected points are near 0, ½ or 1.
    pub fn prospect(self) -> Option<(Wdl, VerdictSource)> {
        if let Some(result) = self.known {
            return Some((result, VerdictSource::Database));
        }
        let result = match points(self.score?) {
            points if points >= MIN_WON_POINTS => Wdl::Win,
            points if points <= 1.0 - MIN_WON_POINTS => Wdl::Loss,
            points if (MIN_DRAWN_POINTS..=1.0 - MIN_DRAWN_POINTS).contains(&points) => Wdl::Draw,
            _ => return None,
        };
        Some((result, VerdictSource::Search))
    }
}

/// Returns the result for the side to move, if the rules or the databases decide it.
pub fn exact_result(position: &Position, databases: &Databases) -> Option<Wdl> {
    if position.can_move() { databases.probe(position) } else { Some(Wdl::Loss) }
}

/// Returns the only winning move in an ending, or the only drawing move if none wins, and its result,
/// according to the databases.
pub fn only(position: &Position, databases: &Databases) -> Option<(Wdl, Move)> {
    let mut values = Vec::new();
    for mv in position.moves() {
        values.push((exact_result(&position.after(mv), databases)?.reversed(), mv));
    }
    let best = values.iter().max_by_key(|(result, _)| *result).copied()?;
    let is_only = values.iter().filter(|(result, _)| *result == best.0).count() == 1;
    (is_only && best.0 != Wdl::Loss).then_some(best)
}

/// Returns the score one ply earlier, for the side that has just moved.
fn a_ply_before(score: ReportedScore) -> ReportedScore {
    match score.reversed() {
        ReportedScore::Win(Some(plies)) => ReportedScore::Win(Some(plies.saturating_add(1))),
        ReportedScore::Loss(Some(plies)) => ReportedScore::Loss(Some(plies.saturating_add(1))),
        score => score,
    }
}

/// Returns the expected points for a score. Scores beyond the range of evaluations are known results.
pub fn points(score: ReportedScore) -> f64 {
    match score {
        ReportedScore::Win(_) => 1.0,
        ReportedScore::Loss(_) => 0.0,
        ReportedScore::Cp(cp) if cp > eval::LIMIT => 1.0,
        ReportedScore::Cp(cp) if cp < -eval::LIMIT => 0.0,
        ReportedScore::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / LOG_ODDS_SCALE).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(score: ReportedScore) -> PositionValue {
        PositionValue { score: Some(score), known: None }
    }

    #[test]
    fn a_database_result_replaces_the_score() {
        let value = PositionValue { score: Some(ReportedScore::Cp(900)), known: Some(Wdl::Draw) };
        assert_eq!(value.prospect(), Some((Wdl::Draw, VerdictSource::Database)));
        assert_eq!(value.points(), Some(0.5));
        assert_eq!(PositionValue::default().points(), None);
    }

    #[test]
    fn scores_beyond_the_threshold_are_decisive() {
        let prospect = |cp| searched(ReportedScore::Cp(cp)).prospect().map(|(prospect, _)| prospect);
        assert_eq!(
            [0, 90, 150, 270, -270, 20_000].map(prospect),
            [Some(Wdl::Draw), Some(Wdl::Draw), None, Some(Wdl::Win), Some(Wdl::Loss), Some(Wdl::Win)]
        );
    }

    #[test]
    fn a_value_is_reversed_and_one_ply_shorter_for_the_other_side() {
        let value = PositionValue { score: Some(ReportedScore::Loss(Some(4))), known: Some(Wdl::Loss) };
        assert_eq!(
            value.for_parent(),
            PositionValue { score: Some(ReportedScore::Win(Some(5))), known: Some(Wdl::Win) }
        );
        for cp in [-300, -20, 0, 55] {
            let both = points(ReportedScore::Cp(cp))
                + searched(ReportedScore::Cp(cp)).for_parent().points().unwrap();
            assert!((both - 1.0).abs() < 1e-9);
        }
    }
}
