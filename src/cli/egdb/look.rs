//! `kelso egdb probe`.

use std::io::{Write, stdout};
use std::process::ExitCode;

use super::{FolderArg, report_problems};
use crate::cli::{Outcome, Positions};
use draughts::notation::{fen, movetext};
use endgames::{MAX_PIECES, Wld};
use engine::{Ending, Probe};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    place: FolderArg,
    #[command(flatten)]
    positions: Positions,
}

pub(super) fn run(args: &Args) -> Outcome {
    let positions = args.positions.all()?;
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
