//! `kelso egdb probe`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use super::super::Outcome;
use super::super::position::{self, Moves};
use super::{FolderArg, report_problems};
use draughts::board::Position;
use draughts::notation::{fen, movetext};
use endgames::{MAX_PIECES, Wld};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    place: FolderArg,
    /// Positions as FEN, or startpos for the start of the game
    #[arg(required = true, value_name = "FEN", value_parser = position::parse)]
    positions: Vec<Position>,
    #[command(flatten)]
    moves: Moves,
}

pub(super) fn run(args: &Args) -> Outcome {
    let played = |&position| Ok(args.moves.play(position)?.0);
    let positions: Vec<Position> = args.positions.iter().map(played).collect::<anyhow::Result<_>>()?;
    let (databases, sound) = args.place.open(MAX_PIECES)?;
    let mut out = stdout().lock();
    let mut known = sound;
    for position in positions {
        let show = |position: &Position| match (databases.probe(position), databases.distance(position)) {
            (_, Some((Wld::Draw, _))) => "draw".to_owned(),
            (_, Some((result, plies))) => format!("{result} in {plies}"),
            (Some(result), None) => result.to_string(),
            (None, None) => "unknown".to_owned(),
        };
        known &= databases.probe(&position).is_some();
        writeln!(out, "{}: {}", fen::format(&position), show(&position))?;
        let mut moves: Vec<_> = position.moves().iter().map(|&mv| (mv, position.after(mv))).collect();
        // The best first: wins, the quickest first, draws, unknown moves, and losses, the slowest first.
        moves.sort_by_key(|(_, after)| rank(databases.probe(after), databases.distance(after)));
        for (mv, after) in moves {
            writeln!(out, "  {}: {}", movetext::format(&position, mv), seen_from_before(&show(&after)))?;
        }
    }
    known &= report_problems(&databases);
    Ok(if known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Ranks a position for the side that is not to move, the best first.
fn rank(result: Option<Wld>, distance: Option<(Wld, u32)>) -> (u8, i64) {
    let plies = distance.map_or(0, |(_, plies)| i64::from(plies));
    match result.or(distance.map(|(result, _)| result)) {
        Some(Wld::Loss) => (0, plies),
        Some(Wld::Draw) => (1, 0),
        None => (2, 0),
        Some(Wld::Win) => (3, -plies),
    }
}

/// Converts a value after a move to the view of the side that moved.
fn seen_from_before(text: &str) -> String {
    match text.split_once(' ').unwrap_or((text, "")) {
        ("win", rest) => format!("loss {rest}").trim_end().to_owned(),
        ("loss", rest) => format!("win {rest}").trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_move_comes_first() {
        let mut ranks = [
            (Some(Wld::Win), Some((Wld::Win, 3))),
            (None, None),
            (Some(Wld::Loss), Some((Wld::Loss, 8))),
            (Some(Wld::Draw), None),
            (Some(Wld::Win), Some((Wld::Win, 9))),
            (Some(Wld::Loss), Some((Wld::Loss, 2))),
        ];
        ranks.sort_by_key(|&(result, distance)| rank(result, distance));
        let plies = ranks.map(|(result, distance)| (result, distance.map(|(_, plies)| plies)));
        let (loss, win) = (Some(Wld::Loss), Some(Wld::Win));
        let expected = [
            (loss, Some(2)),
            (loss, Some(8)),
            (Some(Wld::Draw), None),
            (None, None),
            (win, Some(9)),
            (win, Some(3)),
        ];
        assert_eq!(plies, expected);
    }
}
