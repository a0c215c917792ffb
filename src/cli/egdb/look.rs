//! `kelso egdb probe`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use super::super::Outcome;
use super::super::position::{self, Moves};
use super::{FolderArg, report_problems};
use draughts::board::Position;
use draughts::notation::{fen, movetext};
use endgames::{MAX_PIECES, Wld};
use engine::{Ending, Probe};

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
        let probe = Probe::of(&databases, &position);
        known &= probe.ending.is_some();
        writeln!(out, "{}: {}", fen::format(&position), describe(probe.ending))?;
        for (mv, ending) in probe.best_first() {
            // The plies that are left after the move.
            let ending = ending.map(|ending| Ending { plies: ending.plies.map(|plies| plies - 1), ..ending });
            writeln!(out, "  {}: {}", movetext::format(&position, mv), describe(ending))?;
        }
    }
    known &= report_problems(&databases);
    Ok(if known { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn describe(ending: Option<Ending>) -> String {
    match ending {
        Some(Ending { result: result @ (Wld::Win | Wld::Loss), plies: Some(plies) }) => {
            format!("{result} in {plies}")
        }
        Some(Ending { result, .. }) => result.to_string(),
        None => "unknown".to_owned(),
    }
}
