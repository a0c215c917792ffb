//! Descriptions of results, lines and offers.

use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::movetext;
use kelso_draughts::result::{GameResult, KnownValue, Wdl};
use kelso_draughts::score::ReportedScore;
use kelso_engine::search::LineReport;
use kelso_engine::{DrawOfferAnswer, DrawOfferReason};
use kelso_text::plural::counted;

/// Describes a database result for the side to move, with the distance if known.
pub(super) fn known(result: Wdl, plies: Option<u32>, side: Color) -> String {
    if result == Wdl::Draw {
        return "drawn (database)".to_owned();
    }
    let source = if plies.is_some() { " (database)" } else { "" };
    format!("{}{source}", ReportedScore::from(KnownValue::new(result, plies)).describe(side))
}

/// Describes a line of a search: its score, depth and moves.
pub(super) fn line(root: &Position, report: &LineReport) -> String {
    let moves = movetext::format_line(root, &report.line);
    format!("{}, depth {}: {moves}", report.score.reported().describe(root.side()), report.depth)
}

pub(super) const fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::BlackWins => "Black wins",
        GameResult::WhiteWins => "White wins",
        GameResult::Draw => "The game is drawn",
    }
}

/// Describes `name`'s answer to a draw offer.
pub(super) fn offer(answer: &DrawOfferAnswer, name: &str, side: Color) -> String {
    let word = if answer.accepted { "accepts" } else { "declines" };
    let reason = match answer.reason {
        DrawOfferReason::Over => "the game is over".to_owned(),
        DrawOfferReason::Known(result) => known(result, None, side),
        DrawOfferReason::Pieces(pieces) => format!("it plays on with {pieces} pieces on the board"),
        DrawOfferReason::Score(score) => score.reported().describe(side),
    };
    format!("{name} {word} the draw: {reason}.")
}

pub(super) fn moves(count: usize) -> String {
    counted(count as u64, "move")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_results_name_their_source_once() {
        assert_eq!(known(Wdl::Loss, Some(5), Color::Black), "White wins in 3 moves (database)");
        assert_eq!(known(Wdl::Win, None, Color::Black), "Black wins (database)");
        assert_eq!(known(Wdl::Draw, None, Color::Black), "drawn (database)");
    }
}
