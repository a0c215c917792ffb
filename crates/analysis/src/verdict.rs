//! Verdicts on moves: how a move affected the result of the game.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::positions::{Comparison, MIN_NOTICED_POINTS, PositionAnalysis};
use super::value::VerdictSource;
use kelso_draughts::board::Move;
use kelso_draughts::result::Wdl;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictKind {
    /// Another move would have drawn, but this move loses.
    LostDraw,
    /// Another move would have won, but this move draws.
    MissedWin,
    /// Another move would have won, but this move loses.
    LostWin,
    /// The move costs a quarter of a point or more according to a search, but does not clearly change the
    /// result.
    Mistake,
    /// The move costs a tenth of a point or more, or a man before the game is decided.
    Inaccuracy,
    /// All other moves lead to a worse result.
    OnlyMove,
    /// The move begins an ending that the databases know.
    #[serde(rename = "book-ending")]
    KnownEnding,
}

/// A verdict and its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    pub kind: VerdictKind,
    pub by: VerdictSource,
}

/// The loss in expected points that counts as a mistake.
const MIN_MISTAKE_LOSS: f64 = 0.25;

impl VerdictKind {
    /// Errors, worst first.
    pub const ERRORS: [Self; 5] =
        [Self::LostWin, Self::LostDraw, Self::MissedWin, Self::Mistake, Self::Inaccuracy];

    /// Returns whether the move changed the result.
    pub const fn changes_result(self) -> bool {
        matches!(self, Self::LostDraw | Self::MissedWin | Self::LostWin)
    }

    /// Returns whether the move is an error.
    pub fn is_error(self) -> bool {
        Self::ERRORS.contains(&self)
    }

    /// Returns the numeric annotation glyph.
    pub const fn glyph(self) -> Option<u8> {
        self.shown().1
    }

    /// Returns the name as shown to users, and the glyph.
    const fn shown(self) -> (&'static str, Option<u8>) {
        match self {
            Self::LostDraw | Self::MissedWin | Self::LostWin => ("blunder", Some(4)),
            Self::Mistake => ("mistake", Some(2)),
            Self::Inaccuracy => ("inaccuracy", Some(6)),
            Self::OnlyMove => ("only move", Some(8)),
            Self::KnownEnding => ("database ending", None),
        }
    }
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.shown().0)
    }
}

/// Returns the verdicts on a move, from the positions before and after it, and its cost in expected points.
pub fn verdicts(played: Move, before: &PositionAnalysis, after: &PositionAnalysis) -> (Vec<Verdict>, f64) {
    let mut verdicts = Vec::new();
    let (error, cost) = before.comparison.as_ref().map_or((None, 0.0), error_and_cost);
    verdicts.extend(error);
    if let Some((_, by)) = before.only_move.filter(|(mv, _)| *mv == played && before.choices > 1)
        && verdicts.is_empty()
    {
        verdicts.push(Verdict { kind: VerdictKind::OnlyMove, by });
    }
    if before.known.is_none() && after.known.is_some() && after.choices > 0 {
        verdicts.push(Verdict { kind: VerdictKind::KnownEnding, by: VerdictSource::Database });
    }
    (verdicts, cost)
}

/// Returns the verdict if the move is an error, and the cost of the move in expected points.
fn error_and_cost(comparison: &Comparison) -> (Option<Verdict>, f64) {
    let Comparison { best, played, .. } = comparison;
    let cost = comparison.cost();
    let (kind, by) = if let (Some(best), Some(played)) = (best.known, played.known) {
        (change(best, played), VerdictSource::Database)
    } else {
        let changed = match (best.prospect(), played.prospect()) {
            (Some((best, _)), Some((played, _))) => change(best, played),
            _ => None,
        };
        let kind = match cost {
            cost if cost < MIN_NOTICED_POINTS => comparison.loses_men().then_some(VerdictKind::Inaccuracy),
            cost if cost < MIN_MISTAKE_LOSS => changed.or(Some(VerdictKind::Inaccuracy)),
            _ => changed.or(Some(VerdictKind::Mistake)),
        };
        (kind, VerdictSource::Search)
    };
    (
        kind.map(|kind| Verdict { kind, by }),
        if kind.is_some() || by == VerdictSource::Search { cost } else { 0.0 },
    )
}

/// Returns the verdict on a change of the result.
const fn change(best: Wdl, got: Wdl) -> Option<VerdictKind> {
    match (best, got) {
        (Wdl::Win, Wdl::Draw) => Some(VerdictKind::MissedWin),
        (Wdl::Win, Wdl::Loss) => Some(VerdictKind::LostWin),
        (Wdl::Draw, Wdl::Loss) => Some(VerdictKind::LostDraw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyser::Assessment;
    use crate::value::PositionValue;
    use kelso_draughts::board::Position;
    use kelso_draughts::score::ReportedScore;

    fn analysed(known: Option<Wdl>) -> PositionAnalysis {
        let position = Position::start();
        let assessment = Assessment::default();
        PositionAnalysis { position, known, assessment, choices: 7, only_move: None, comparison: None }
    }

    fn played() -> Move {
        Position::start().moves()[0]
    }

    fn said(before: &PositionAnalysis, after: &PositionAnalysis) -> Option<(VerdictKind, VerdictSource)> {
        let (verdicts, _) = verdicts(played(), before, after);
        verdicts.first().map(|verdict| (verdict.kind, verdict.by))
    }

    fn compared(best: (i32, Option<Wdl>), played: (i32, Option<Wdl>)) -> PositionAnalysis {
        let value = |(cp, known)| PositionValue { score: Some(ReportedScore::Cp(cp)), known };
        let comparison = Comparison { line: Vec::new(), best: value(best), played: value(played) };
        PositionAnalysis { comparison: Some(comparison), ..analysed(best.1) }
    }

    #[test]
    fn known_results_take_precedence_over_scores() {
        use Wdl::{Draw, Loss, Win};
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
            assert_eq!(said(&before, &after), kind.map(|kind| (kind, VerdictSource::Database)));
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
            (-200, -360, Some(VerdictKind::Inaccuracy)),
            (-200, -310, Some(VerdictKind::Inaccuracy)),
            (-200, -290, None),
            (360, 200, Some(VerdictKind::Inaccuracy)),
            (600, 400, None),
            (0, 50, None),
        ] {
            let before = compared((best, None), (played, None));
            let kind = kind.map(|kind| (kind, VerdictSource::Search));
            assert_eq!(said(&before, &analysed(None)), kind, "{best} {played}");
        }
    }

    #[test]
    fn an_only_move_is_noted_if_it_was_played() {
        let mut before = analysed(None);
        let after = analysed(None);
        before.only_move = Some((played(), VerdictSource::Search));
        assert_eq!(said(&before, &after), Some((VerdictKind::OnlyMove, VerdictSource::Search)));
        before.only_move = Some((Position::start().moves()[1], VerdictSource::Search));
        assert_eq!(said(&before, &after), None);
        let ending = analysed(Some(Wdl::Draw));
        assert_eq!(said(&before, &ending), Some((VerdictKind::KnownEnding, VerdictSource::Database)));
    }
}
