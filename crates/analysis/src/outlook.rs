//! What a score means for the result of a game.

use serde::{Deserialize, Serialize};

use endgames::Wld;
use engine::eval;
use engine::search::ScoreKind;

/// How a side stands with best play by both, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It loses.
    Lost,
    /// Nobody wins.
    Drawn,
    /// It wins.
    Won,
}

/// Who says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Endgame databases: it is certain.
    Database,
    /// A deep search.
    Search,
}

/// What a position, or a move, is worth to a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// As a search has it.
    pub score: Option<ScoreKind>,
    /// As the databases have it.
    pub known: Option<Standing>,
}

/// Scores divided by this are the logarithm of the odds: what fits the engine's own games best.
const SCALE: f64 = 90.0;
/// From here on a search is as good as certain of a win.
const WINNING: f64 = 0.95;
/// Expected points between this and the same short of a whole point are a game that is open, which in checkers mostly means drawn.
const LEVEL: f64 = 0.25;

impl Standing {
    /// The same for the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Lost => Self::Won,
            Self::Drawn => Self::Drawn,
            Self::Won => Self::Lost,
        }
    }

    /// Points for it.
    #[must_use]
    pub const fn points(self) -> f64 {
        match self {
            Self::Lost => 0.0,
            Self::Drawn => 0.5,
            Self::Won => 1.0,
        }
    }

    /// What somebody does who stands so.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Lost => "loses",
            Self::Drawn => "draws",
            Self::Won => "wins",
        }
    }
}

impl From<Wld> for Standing {
    fn from(result: Wld) -> Self {
        match result {
            Wld::Loss => Self::Lost,
            Wld::Draw => Self::Drawn,
            Wld::Win => Self::Won,
        }
    }
}

impl Source {
    /// In a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Search => "search",
        }
    }
}

impl Value {
    /// The same for the side that has just moved, which is a ply further from the end.
    #[must_use]
    pub fn before(self) -> Self {
        Self { score: self.score.map(a_ply_before), known: self.known.map(Standing::reversed) }
    }

    /// Expected points, from 0 to 1; none if nobody has said anything.
    #[must_use]
    pub fn points(self) -> Option<f64> {
        self.known.map(Standing::points).or_else(|| self.score.map(points))
    }

    /// How the side stands, if that is clear, and who says so.
    #[must_use]
    pub fn standing(self) -> Option<(Standing, Source)> {
        let searched = || match points(self.score?) {
            points if points >= WINNING => Some(Standing::Won),
            points if points <= 1.0 - WINNING => Some(Standing::Lost),
            points if (LEVEL..=1.0 - LEVEL).contains(&points) => Some(Standing::Drawn),
            _ => None,
        };
        match self.known {
            Some(standing) => Some((standing, Source::Database)),
            None => searched().map(|standing| (standing, Source::Search)),
        }
    }
}

/// A score as the side sees it that has just moved.
fn a_ply_before(score: ScoreKind) -> ScoreKind {
    let later = |plies: Option<u32>| plies.map(|plies| plies.saturating_add(1));
    match score.reversed() {
        ScoreKind::Cp(cp) => ScoreKind::Cp(cp),
        ScoreKind::Win(plies) => ScoreKind::Win(later(plies)),
        ScoreKind::Loss(plies) => ScoreKind::Loss(later(plies)),
    }
}

/// Expected points for a score. Beyond all evaluations the result is known.
#[must_use]
pub fn points(score: ScoreKind) -> f64 {
    match score {
        ScoreKind::Win(_) => 1.0,
        ScoreKind::Loss(_) => 0.0,
        ScoreKind::Cp(cp) if cp > eval::LIMIT => 1.0,
        ScoreKind::Cp(cp) if cp < -eval::LIMIT => 0.0,
        ScoreKind::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / SCALE).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(score: ScoreKind) -> Value {
        Value { score: Some(score), known: None }
    }

    #[test]
    fn databases_go_before_scores() {
        let value = Value { score: Some(ScoreKind::Cp(900)), known: Some(Standing::Drawn) };
        assert_eq!(value.standing(), Some((Standing::Drawn, Source::Database)));
        assert_eq!(value.points(), Some(0.5));
        assert_eq!(Value::default().points(), None);
    }

    #[test]
    fn scores_are_clear_or_not() {
        let standing = |cp| searched(ScoreKind::Cp(cp)).standing().map(|(standing, _)| standing);
        assert_eq!(
            [0, 90, 150, 270, -270, 20_000].map(standing),
            [
                Some(Standing::Drawn),
                Some(Standing::Drawn),
                None,
                Some(Standing::Won),
                Some(Standing::Lost),
                Some(Standing::Won)
            ]
        );
    }

    #[test]
    fn the_other_side_sees_the_opposite_a_ply_earlier() {
        let value = Value { score: Some(ScoreKind::Loss(Some(4))), known: Some(Standing::Lost) };
        assert_eq!(
            value.before(),
            Value { score: Some(ScoreKind::Win(Some(5))), known: Some(Standing::Won) }
        );
        for cp in [-300, -20, 0, 55] {
            let both =
                points(ScoreKind::Cp(cp)) + searched(ScoreKind::Cp(cp)).before().points().unwrap_or_default();
            assert!((both - 1.0).abs() < 1e-9);
        }
    }
}
