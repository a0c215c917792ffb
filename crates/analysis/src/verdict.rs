//! What a move did to the result, in the terms of the game.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::look::{Look, NOTICED, loss};
use super::outlook::{Source, Standing};
use draughts::board::Move;

/// What there is to say of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Another move would have drawn, this one loses.
    LostDraw,
    /// Another move would have won, this one draws.
    MissedWin,
    /// Another move would have won, this one loses.
    LostWin,
    /// It costs a quarter of a point or more, as far as a search can tell, but not for certain the result.
    Mistake,
    /// It costs a tenth of a point or more.
    Inaccuracy,
    /// All other moves change the result for the worse.
    OnlyMove,
    /// With it begins an ending that the databases know to the end.
    BookEnding,
}

/// A verdict, and who says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// What.
    pub kind: Kind,
    /// Who.
    pub by: Source,
}

/// Losses of so many expected points are mistakes.
const MISTAKE: f64 = 0.25;

impl Kind {
    /// Those that cost something, the worst first.
    pub const ERRORS: [Self; 5] =
        [Self::LostWin, Self::LostDraw, Self::MissedWin, Self::Mistake, Self::Inaccuracy];

    /// Whether it changed the result.
    #[must_use]
    pub const fn changes_result(self) -> bool {
        matches!(self, Self::LostDraw | Self::MissedWin | Self::LostWin)
    }

    /// Whether it cost something.
    #[must_use]
    pub fn is_error(self) -> bool {
        Self::ERRORS.contains(&self)
    }

    /// The numeric annotation glyph.
    #[must_use]
    pub const fn glyph(self) -> Option<u8> {
        match self {
            Self::LostDraw | Self::MissedWin | Self::LostWin => Some(4),
            Self::Mistake => Some(2),
            Self::Inaccuracy => Some(6),
            Self::OnlyMove => Some(8),
            Self::BookEnding => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::LostDraw => "lost a draw",
            Self::MissedWin => "missed a win",
            Self::LostWin => "lost a win",
            Self::Mistake => "mistake",
            Self::Inaccuracy => "inaccuracy",
            Self::OnlyMove => "only move",
            Self::BookEnding => "book ending",
        })
    }
}

/// What is said of a move, from the looks at the positions before and after it, and the expected points that it cost.
#[must_use]
pub fn verdicts(played: Move, look: &Look, next: &Look) -> (Vec<Verdict>, f64) {
    let mut verdicts = Vec::new();
    let mut lost = 0.0;
    if look.choices > 1 {
        let error = error(played, look, next);
        if let Some((verdict, points)) = error {
            lost = points;
            verdicts.extend(verdict);
        }
        if let Some((_, by)) = look.alone.filter(|(mv, _)| *mv == played)
            && verdicts.is_empty()
        {
            verdicts.push(Verdict { kind: Kind::OnlyMove, by });
        }
    }
    if look.known.is_none() && next.known.is_some() && next.choices > 0 {
        verdicts.push(Verdict { kind: Kind::BookEnding, by: Source::Database });
    }
    (verdicts, lost)
}

/// What a move cost, if it cost anything.
fn error(played: Move, look: &Look, next: &Look) -> Option<(Option<Verdict>, f64)> {
    let points = loss(look, next);
    let (before, after) = (look.value(), next.value().before());
    let (known_before, known_after) = (before.known, after.known);
    if let (Some(best), Some(got)) = (known_before, known_after) {
        let kind = change(best, got)?;
        return Some((Some(Verdict { kind, by: Source::Database }), points));
    }
    if look.best() == Some(played) || points <= 0.0 {
        return None;
    }
    // What a search says of the result counts if it was a deep one.
    let deep = (look.known.is_some() || look.opinion.deep)
        && (next.known.is_some() || next.opinion.deep || next.choices <= 1);
    let changed = match (before.standing(), after.standing()) {
        (Some((best, _)), Some((got, _))) if deep => change(best, got),
        _ => None,
    };
    let kind = changed
        .or((points >= MISTAKE).then_some(Kind::Mistake))
        .or((points >= NOTICED).then_some(Kind::Inaccuracy));
    Some((kind.map(|kind| Verdict { kind, by: Source::Search }), points))
}

/// What is lost between two results.
const fn change(best: Standing, got: Standing) -> Option<Kind> {
    match (best, got) {
        (Standing::Won, Standing::Drawn) => Some(Kind::MissedWin),
        (Standing::Won, Standing::Lost) => Some(Kind::LostWin),
        (Standing::Drawn, Standing::Lost) => Some(Kind::LostDraw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Opinion;
    use draughts::board::Position;
    use engine::search::ScoreKind;

    fn seen(cp: i32, known: Option<Standing>, best: Option<Move>, deep: bool) -> Look {
        let position = Position::start();
        let line = best.into_iter().collect();
        let opinion = Opinion { score: Some(ScoreKind::Cp(cp)), depth: Some(9), line, deep };
        Look { position, known, opinion, choices: 7, alone: None }
    }

    fn said(look: &Look, next: &Look) -> Option<(Kind, Source)> {
        let played = Position::start().moves()[0];
        let (verdicts, _) = verdicts(played, look, next);
        verdicts.first().map(|verdict| (verdict.kind, verdict.by))
    }

    #[test]
    fn results_change_by_what_is_known() {
        use Standing::{Drawn, Lost, Won};
        let moves = Position::start().moves();
        let better = Some(moves[1]);
        // What the mover had, and what the other side has then.
        for (best, theirs, kind) in [
            (Won, Drawn, Some(Kind::MissedWin)),
            (Won, Won, Some(Kind::LostWin)),
            (Drawn, Won, Some(Kind::LostDraw)),
            (Won, Lost, None),
            (Drawn, Drawn, None),
            (Lost, Won, None),
        ] {
            // Scores mean nothing then.
            let (look, next) = (seen(300, Some(best), better, false), seen(300, Some(theirs), None, false));
            assert_eq!(said(&look, &next), kind.map(|kind| (kind, Source::Database)));
        }
    }

    #[test]
    fn searches_have_to_be_deep_to_speak_of_results() {
        let moves = Position::start().moves();
        let better = Some(moves[1]);
        let next = |deep| seen(400, None, None, deep);
        let kind = |deep| said(&seen(0, None, better, deep), &next(deep));
        assert_eq!(kind(true), Some((Kind::LostDraw, Source::Search)));
        assert_eq!(kind(false), Some((Kind::Mistake, Source::Search)));
        assert_eq!(
            said(&seen(0, None, better, true), &seen(40, None, None, true)),
            Some((Kind::Inaccuracy, Source::Search))
        );
        assert_eq!(said(&seen(0, None, better, true), &seen(9, None, None, true)), None);
        // The best move is no error, whatever comes out later.
        assert_eq!(said(&seen(0, None, Some(moves[0]), true), &next(true)), None);
    }

    #[test]
    fn an_only_move_is_told_if_it_was_played() {
        let moves = Position::start().moves();
        let mut look = seen(0, None, Some(moves[0]), false);
        look.alone = Some((moves[0], Source::Search));
        let next = seen(0, None, None, false);
        assert_eq!(said(&look, &next), Some((Kind::OnlyMove, Source::Search)));
        look.alone = Some((moves[1], Source::Search));
        assert_eq!(said(&look, &next), None);
        let ending = seen(0, Some(Standing::Drawn), None, false);
        assert_eq!(said(&look, &ending), Some((Kind::BookEnding, Source::Database)));
    }
}
