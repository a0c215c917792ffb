//! `kelso pdn dedup`.

use serde::Serialize;

use super::output::{self, InPlace, json};
use super::{Files, status};
use crate::cli::arguments::files::Json;
use crate::cli::outcome::{Outcome, say};
use crate::cli::values::within;
use analysis::games::duplicates::{MoveSequence, Near, Seen};
use draughts::notation::pdn::PdnEntry;
use text::plural::counted;

/// Remove duplicate games
///
/// Games are duplicates if they begin with the same position and have the same moves, regardless of their
/// tags; the first is kept. Games without moves and incomplete games are kept. Similar games are counted and
/// kept. The exit status is 0, or 2 if a file cannot be read.
#[derive(clap::Args, Debug)]
#[command(mut_arg("json", |arg| arg.requires("list")))]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// List duplicate and similar games instead of writing games
    #[arg(long, conflicts_with_all = ["out", "in_place"])]
    list: bool,
    #[command(flatten)]
    json: Json,
    /// Treat games of at least twenty plies as similar if only the last PLIES plies differ
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = within(0..=1000_usize))]
    near: usize,
    #[command(flatten)]
    output: output::Args,
    #[command(flatten)]
    in_place: InPlace,
}

/// Minimum number of plies of similar games. Shorter games share only an opening.
const SHORTEST_NEAR: usize = 20;

/// A pair of similar games, the later one second.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Pair {
    Same { first: At, second: At },
    Near { first: At, second: At, common: usize, plies: [usize; 2] },
}

#[derive(Serialize)]
struct At {
    file: String,
    game: usize,
}

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: game {}", self.file, self.game)
    }
}

impl std::fmt::Display for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Same { first, second } => writeln!(f, "{second} is a duplicate of {first}"),
            Self::Near { first, second, common, plies: [a, b] } => {
                let common = counted(*common as u64, "ply");
                writeln!(f, "{second} is similar to {first}: {common} in common, of {a} and {b}")
            }
        }
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let places = args.files.games.places()?;
    let at = |(file, game): (usize, usize)| At { file: places[file].to_string(), game };
    let show = |pair: &Pair| if args.json.json { json(pair) } else { pair.to_string() };
    let mut out = args.output.open_or_replace(args.in_place, &args.files)?;
    let mut seen = Seen::default();
    let (mut games, mut duplicates) = (0_u64, 0_u64);
    let work = |entry: PdnEntry, text: &[u8]| {
        let written = if args.list { Ok(String::new()) } else { args.output.written(&entry, text) };
        (entry.complete.then(|| MoveSequence::of(&entry.game)), written)
    };
    let readable = args.files.each(work, |site, (line, text)| {
        games += 1;
        let here = (site.file, site.number);
        match line.and_then(|line| seen.add(line, here)) {
            Some(known) => {
                duplicates += 1;
                if args.list {
                    out.write(&show(&Pair::Same { first: at(known), second: at(here) }))?;
                }
                out.write_at(&site, "")?;
            }
            None => out.game(&site, &text)?,
        }
        anyhow::Ok(true)
    })?;
    let near = seen.near(SHORTEST_NEAR, args.near);
    for &Near { first, second, common, plies } in near.iter().filter(|_| args.list) {
        out.write(&show(&Pair::Near { first: at(first), second: at(second), common, plies }))?;
    }
    out.finish()?;
    if !args.json.json {
        let pairs = counted(near.len() as u64, "pair");
        let hint = if near.is_empty() || args.list { "" } else { " (see --list)" };
        say(&format!(
            "{}, {} {} (same moves, regardless of tags), {pairs} of similar games{hint}",
            counted(games, "game"),
            counted(duplicates, "duplicate"),
            if args.list { "found" } else { "removed" },
        ));
    }
    Ok(status(readable, true))
}
