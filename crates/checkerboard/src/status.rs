//! The lines that the GUI shows during a search.

use draughts::board::{Color, Position};
use draughts::notation::movetext;
use engine::search::{BookReport, Report, Score, ScoreKind};

/// Formats the progress of a search, the move first.
pub(super) fn line(root: &Position, report: &Report) -> String {
    let Report { depth, selective_depth, score, nodes, time, ref line, .. } = *report;
    let moves = movetext::format_line(root, line);
    let (best, rest) = moves.split_once(' ').unwrap_or((&moves, ""));
    let per_second = u128::from(nodes) * 1_000_000 / time.as_nanos().max(1);
    format!(
        "{best} value {} depth {depth}/{selective_depth} time {:.2} s speed {per_second} kn/s pv {best} {rest}",
        value(score, root.side()),
        time.as_secs_f64(),
    )
}

/// Formats a move of the opening book.
pub(super) fn book(root: &Position, report: &BookReport) -> String {
    let BookReport { mv, score, depth } = *report;
    format!("{} by the book, value {score} depth {depth}", movetext::format(root, mv))
}

/// Formats a score for the side to move: in men, or as the known result.
pub(super) fn value(score: Score, side: Color) -> String {
    match score.kind() {
        ScoreKind::Cp(value) => ScoreKind::men(value),
        known => known.describe(side),
    }
}
