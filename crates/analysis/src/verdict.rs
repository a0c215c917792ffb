//! Verdicts on moves: what a move did to the result of the game. The value of a position is the score of a search, or the
//! result that the databases know.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::positions::{Comparison, NOTICED, PositionAnalysis};
use draughts::board::{Move, Position};
use endgames::{Databases, Wld};
use engine::eval;
use engine::search::ScoreKind;

/// The source of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Endgame databases: certain.
    Database,
    /// A deep search.
    Search,
}

/// The value of a position or a move for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// The score of a search.
    pub score: Option<ScoreKind>,
    /// The result in the databases.
    pub known: Option<Wld>,
}

/// Scores divided by this are the logarithm of the odds. Fitted to the engine's own games.
const SCALE: f64 = 90.0;
/// Expected points from which a search counts as a win.
const WINNING: f64 = 0.95;
/// Expected points from this to the same distance below a whole point count as a draw.
const LEVEL: f64 = 0.25;

impl Source {
    /// The word for it in comments.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Search => "search",
        }
    }
}

impl Value {
    /// The same for the side that has just moved, one ply further from the end.
    #[must_use]
    pub fn before(self) -> Self {
        Self { score: self.score.map(a_ply_before), known: self.known.map(Wld::reversed) }
    }

    /// Expected points, from 0 to 1.
    pub fn points(self) -> Option<f64> {
        let exact = |known| match known {
            Wld::Loss => 0.0,
            Wld::Draw => 0.5,
            Wld::Win => 1.0,
        };
        self.known.map(exact).or_else(|| self.score.map(points))
    }

    /// The result, if it is clear, and its source.
    pub fn prospect(self) -> Option<(Wld, Source)> {
        let searched = || match points(self.score?) {
            points if points >= WINNING => Some(Wld::Win),
            points if points <= 1.0 - WINNING => Some(Wld::Loss),
            points if (LEVEL..=1.0 - LEVEL).contains(&points) => Some(Wld::Draw),
            _ => None,
        };
        match self.known {
            Some(prospect) => Some((prospect, Source::Database)),
            None => searched().map(|prospect| (prospect, Source::Search)),
        }
    }
}

/// Returns the result for the side to move, if the rules or the databases decide it.
pub fn known(position: &Position, databases: &Databases) -> Option<Wld> {
    if position.can_move() { databases.probe(position) } else { Some(Wld::Loss) }
}

/// Returns a score as the side that has just moved sees it.
fn a_ply_before(score: ScoreKind) -> ScoreKind {
    let later = |plies: Option<u32>| plies.map(|plies| plies.saturating_add(1));
    match score.reversed() {
        ScoreKind::Cp(cp) => ScoreKind::Cp(cp),
        ScoreKind::Win(plies) => ScoreKind::Win(later(plies)),
        ScoreKind::Loss(plies) => ScoreKind::Loss(later(plies)),
    }
}

/// Returns the expected points for a score. Beyond all evaluations the result is known.
pub fn points(score: ScoreKind) -> f64 {
    match score {
        ScoreKind::Win(_) => 1.0,
        ScoreKind::Loss(_) => 0.0,
        ScoreKind::Cp(cp) if cp > eval::LIMIT => 1.0,
        ScoreKind::Cp(cp) if cp < -eval::LIMIT => 0.0,
        ScoreKind::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / SCALE).exp()),
    }
}

/// A kind of verdict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// Another move would have drawn, this one loses.
    LostDraw,
    /// Another move would have won, this one draws.
    MissedWin,
    /// Another move would have won, this one loses.
    LostWin,
    /// It costs a quarter of a point or more according to a search, but does not clearly change the result.
    Mistake,
    /// It costs a tenth of a point or more.
    Inaccuracy,
    /// All other moves change the result for the worse.
    OnlyMove,
    /// The databases know the ending that begins with it.
    BookEnding,
}

/// A verdict and its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The verdict.
    pub kind: VerdictKind,
    /// Its source.
    pub by: Source,
}

/// Expected points from which a loss is a mistake.
const MISTAKE: f64 = 0.25;

impl VerdictKind {
    /// Errors, the worst first.
    pub const ERRORS: [Self; 5] =
        [Self::LostWin, Self::LostDraw, Self::MissedWin, Self::Mistake, Self::Inaccuracy];

    /// Returns true if the result changed.
    pub const fn changes_result(self) -> bool {
        matches!(self, Self::LostDraw | Self::MissedWin | Self::LostWin)
    }

    /// Returns true if the move is an error.
    pub fn is_error(self) -> bool {
        Self::ERRORS.contains(&self)
    }

    /// The numeric annotation glyph.
    pub const fn glyph(self) -> Option<u8> {
        self.shown().1
    }

    /// The name in texts, and the glyph.
    const fn shown(self) -> (&'static str, Option<u8>) {
        match self {
            Self::LostDraw => ("lost a draw", Some(4)),
            Self::MissedWin => ("missed a win", Some(4)),
            Self::LostWin => ("lost a win", Some(4)),
            Self::Mistake => ("mistake", Some(2)),
            Self::Inaccuracy => ("inaccuracy", Some(6)),
            Self::OnlyMove => ("only move", Some(8)),
            Self::BookEnding => ("book ending", None),
        }
    }
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.shown().0)
    }
}

/// Returns the verdicts on a move, from the positions before and after it, and the expected points that it cost.
pub fn verdicts(played: Move, before: &PositionAnalysis, after: &PositionAnalysis) -> (Vec<Verdict>, f64) {
    let mut verdicts = Vec::new();
    let (error, lost) = before.comparison.as_ref().map_or((None, 0.0), error);
    verdicts.extend(error);
    if let Some((_, by)) = before.only_move.filter(|(mv, _)| *mv == played && before.choices > 1)
        && verdicts.is_empty()
    {
        verdicts.push(Verdict { kind: VerdictKind::OnlyMove, by });
    }
    if before.known.is_none() && after.known.is_some() && after.choices > 0 {
        verdicts.push(Verdict { kind: VerdictKind::BookEnding, by: Source::Database });
    }
    (verdicts, lost)
}

/// Returns the error in a move, if it is one, and its cost in expected points.
fn error(comparison: &Comparison) -> (Option<Verdict>, f64) {
    let Comparison { best, played, .. } = comparison;
    let cost = comparison.cost();
    let (kind, by) = if let (Some(best), Some(played)) = (best.known, played.known) {
        (change(best, played), Source::Database)
    } else {
        let changed = match (best.prospect(), played.prospect()) {
            (Some((best, _)), Some((played, _))) => change(best, played),
            _ => None,
        };
        let kind = match cost {
            cost if cost < NOTICED => None,
            cost if cost < MISTAKE => changed.or(Some(VerdictKind::Inaccuracy)),
            _ => changed.or(Some(VerdictKind::Mistake)),
        };
        (kind, Source::Search)
    };
    (kind.map(|kind| Verdict { kind, by }), if kind.is_some() || by == Source::Search { cost } else { 0.0 })
}

/// Returns the verdict on a change of the result.
const fn change(best: Wld, got: Wld) -> Option<VerdictKind> {
    match (best, got) {
        (Wld::Win, Wld::Draw) => Some(VerdictKind::MissedWin),
        (Wld::Win, Wld::Loss) => Some(VerdictKind::LostWin),
        (Wld::Draw, Wld::Loss) => Some(VerdictKind::LostDraw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyser::Assessment;
    use draughts::board::Position;
    use engine::search::ScoreKind;

    fn searched(score: ScoreKind) -> Value {
        Value { score: Some(score), known: None }
    }

    #[test]
    fn databases_go_before_scores() {
        let value = Value { score: Some(ScoreKind::Cp(900)), known: Some(Wld::Draw) };
        assert_eq!(value.prospect(), Some((Wld::Draw, Source::Database)));
        assert_eq!(value.points(), Some(0.5));
        assert_eq!(Value::default().points(), None);
    }

    #[test]
    fn scores_are_clear_or_not() {
        let prospect = |cp| searched(ScoreKind::Cp(cp)).prospect().map(|(prospect, _)| prospect);
        assert_eq!(
            [0, 90, 150, 270, -270, 20_000].map(prospect),
            [Some(Wld::Draw), Some(Wld::Draw), None, Some(Wld::Win), Some(Wld::Loss), Some(Wld::Win)]
        );
    }

    #[test]
    fn the_other_side_sees_the_opposite_a_ply_earlier() {
        let value = Value { score: Some(ScoreKind::Loss(Some(4))), known: Some(Wld::Loss) };
        assert_eq!(value.before(), Value { score: Some(ScoreKind::Win(Some(5))), known: Some(Wld::Win) });
        for cp in [-300, -20, 0, 55] {
            let both =
                points(ScoreKind::Cp(cp)) + searched(ScoreKind::Cp(cp)).before().points().unwrap_or_default();
            assert!((both - 1.0).abs() < 1e-9);
        }
    }

    fn analysed(known: Option<Wld>) -> PositionAnalysis {
        let position = Position::start();
        let assessment = Assessment::default();
        PositionAnalysis { position, known, assessment, choices: 7, only_move: None, comparison: None }
    }

    fn played() -> Move {
        Position::start().moves()[0]
    }

    fn said(before: &PositionAnalysis, after: &PositionAnalysis) -> Option<(VerdictKind, Source)> {
        let (verdicts, _) = verdicts(played(), before, after);
        verdicts.first().map(|verdict| (verdict.kind, verdict.by))
    }

    fn compared(best: (i32, Option<Wld>), played: (i32, Option<Wld>)) -> PositionAnalysis {
        let value = |(cp, known)| Value { score: Some(ScoreKind::Cp(cp)), known };
        let comparison = Comparison { line: Vec::new(), best: value(best), played: value(played) };
        PositionAnalysis { comparison: Some(comparison), ..analysed(best.1) }
    }

    #[test]
    fn known_results_count_whatever_the_scores() {
        use Wld::{Draw, Loss, Win};
        for (best, played, kind) in [
            (Win, Draw, Some(VerdictKind::MissedWin)),
            (Win, Loss, Some(VerdictKind::LostWin)),
            (Draw, Loss, Some(VerdictKind::LostDraw)),
            (Win, Win, None),
            (Draw, Draw, None),
            (Loss, Loss, None),
        ] {
            let before = compared((300, Some(best)), (-300, Some(played)));
            let after = analysed(Some(played.reversed()));
            assert_eq!(said(&before, &after), kind.map(|kind| (kind, Source::Database)));
        }
    }

    #[test]
    fn searches_judge_by_expected_points() {
        for (best, played, kind) in [
            (0, -400, Some(VerdictKind::LostDraw)),
            (400, 0, Some(VerdictKind::MissedWin)),
            (-40, -235, Some(VerdictKind::Mistake)),
            (0, -40, Some(VerdictKind::Inaccuracy)),
            (0, 0, None),
            (0, -9, None),
            (-300, -700, None),
            (0, 50, None),
        ] {
            let before = compared((best, None), (played, None));
            let kind = kind.map(|kind| (kind, Source::Search));
            assert_eq!(said(&before, &analysed(None)), kind, "{best} {played}");
        }
    }

    #[test]
    fn an_only_move_is_noted_if_it_was_played() {
        let mut before = analysed(None);
        let after = analysed(None);
        before.only_move = Some((played(), Source::Search));
        assert_eq!(said(&before, &after), Some((VerdictKind::OnlyMove, Source::Search)));
        before.only_move = Some((Position::start().moves()[1], Source::Search));
        assert_eq!(said(&before, &after), None);
        let ending = analysed(Some(Wld::Draw));
        assert_eq!(said(&before, &ending), Some((VerdictKind::BookEnding, Source::Database)));
    }
}
