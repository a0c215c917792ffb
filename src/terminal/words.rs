//! What is said of scores, results and offers, in words for people.

use std::time::Duration;

use common::count::counted;
use draughts::board::{Color, Position};
use draughts::notation::movetext;
use draughts::notation::pdn::PdnResult;
use endgames::Wld;
use engine::search::{Report, Score, ScoreKind};
use engine::{OfferAnswer, OfferReason};

/// A name with a capital.
pub(super) const fn capital(side: Color) -> &'static str {
    match side {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// A score of the side to move: who is better and by how many men, or who wins.
pub(super) fn score(score: Score, side: Color) -> String {
    let better = |good: bool| capital(if good { side } else { !side });
    match score.kind() {
        ScoreKind::Win(plies) => format!("{} wins in {}", better(true), plies.div_ceil(2).max(1)),
        ScoreKind::Loss(plies) => format!("{} wins in {}", better(false), plies.div_ceil(2).max(1)),
        ScoreKind::Open(value) if !score.is_evaluation() => format!("{} wins (database)", better(value > 0)),
        ScoreKind::Open(value) => men(value, side),
    }
}

/// Hundredths of a man for the side to move.
pub(super) fn men(value: i32, side: Color) -> String {
    let men = f64::from(value.abs()) / 100.0;
    match value {
        0 => "even".to_owned(),
        _ => format!("{} +{men:.2}", capital(if value > 0 { side } else { !side })),
    }
}

/// A result that databases know, for the side to move.
pub(super) fn known(result: Wld, plies: Option<u32>, side: Color) -> String {
    let winner = match result {
        Wld::Draw => return "drawn (database)".to_owned(),
        Wld::Win => side,
        Wld::Loss => !side,
    };
    match plies {
        Some(plies) => format!("{} wins in {} (database)", capital(winner), plies.div_ceil(2).max(1)),
        None => format!("{} wins (database)", capital(winner)),
    }
}

/// A line of a search, from its score to its moves.
pub(super) fn line(root: &Position, report: &Report) -> String {
    let moves = movetext::format_line(root, &report.line);
    format!("{}, depth {}: {moves}", score(report.score, root.side()), report.depth)
}

/// How a game has ended.
pub(super) const fn result(result: PdnResult) -> &'static str {
    match result {
        PdnResult::BlackWins => "Black wins",
        PdnResult::WhiteWins => "White wins",
        PdnResult::Draw => "The game is drawn",
        PdnResult::Unknown => "The game is open",
    }
}

/// The answer to an offer of a draw, as `name` gives it.
pub(super) fn offer(answer: &OfferAnswer, name: &str, side: Color) -> String {
    let word = if answer.accepted { "accepts" } else { "declines" };
    let why = match answer.reason {
        OfferReason::Over => "the game is over".to_owned(),
        OfferReason::Known(result) => known(result, None, side),
        OfferReason::Pieces(pieces) => format!("with {pieces} pieces on the board it wants to play"),
        OfferReason::Score(value) => score(value, side),
    };
    format!("{name} {word} the draw: {why}.")
}

/// A clock's time: minutes and seconds, and tenths near the end.
pub(super) fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    if seconds < 20 {
        return format!("0:{:02}.{}", seconds, left.subsec_millis() / 100);
    }
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// So many moves.
pub(super) fn moves(count: usize) -> String {
    counted(count as u64, "move")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_say_who_is_better() {
        for (value, side, text) in [
            (Score::evaluation(35), Color::White, "White +0.35"),
            (Score::evaluation(-35), Color::White, "Black +0.35"),
            (Score::DRAW, Color::White, "even"),
            (Score::win_in(5), Color::Black, "Black wins in 3"),
            (Score::loss_in(0), Color::Black, "White wins in 1"),
            (Score::ending_won(6, 0, 1), Color::Black, "Black wins (database)"),
        ] {
            assert_eq!(score(value, side), text);
        }
        assert_eq!(known(Wld::Loss, Some(5), Color::Black), "White wins in 3 (database)");
        assert_eq!(known(Wld::Draw, None, Color::Black), "drawn (database)");
    }

    #[test]
    fn clocks_show_tenths_at_the_end() {
        assert_eq!(clock(Duration::from_millis(305_900)), "5:05");
        assert_eq!(clock(Duration::from_millis(9_870)), "0:09.8");
        assert_eq!(clock(Duration::ZERO), "0:00.0");
    }
}
