//! `kelso pdn dedup`.

use std::collections::HashMap;

use serde::Serialize;

use super::output::{self, InPlace, json};
use crate::cli::arguments::files::{GameFiles, Json};
use crate::cli::outcome::{Outcome, say};
use kelso_draughts::notation::pdn::PdnEntry;
use kelso_text::plural::counted;

/// Remove duplicate games
///
/// Games are duplicates if they begin with the same position and have the same moves, regardless of their
/// tags; the first is kept. Games without moves and incomplete games are kept. The exit status is 0, or 2 if
/// a file cannot be read.
#[derive(clap::Args, Debug)]
#[command(mut_arg("json", |arg| arg.requires("list")))]
#[command(after_help = examples!(
    "kelso pdn dedup --list collection/",
    "kelso pdn dedup games.pdn collection/ -o all.pdn"
))]
pub struct Args {
    #[command(flatten)]
    files: GameFiles,
    /// List duplicate games instead of writing games
    #[arg(long, conflicts_with_all = ["out", "in_place"])]
    list: bool,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    output: output::Args,
    #[command(flatten)]
    in_place: InPlace,
}

/// A pair of equal games, the later one second.
#[derive(Serialize)]
struct DuplicatePair {
    first: GameLocation,
    second: GameLocation,
}

#[derive(Serialize)]
struct GameLocation {
    file: String,
    game: usize,
}

impl std::fmt::Display for GameLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: game {}", self.file, self.game)
    }
}

impl std::fmt::Display for DuplicatePair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is a duplicate of {}", self.second, self.first)
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let sources = args.files.sources()?;
    let mut out = args.output.open_or_replace(args.in_place, &args.files)?;
    let mut first_sites = HashMap::new();
    let mut games = 0_u64;
    let mut duplicates = 0_u64;
    let work = |entry: PdnEntry, text: &[u8]| {
        let written = if args.list { Ok(String::new()) } else { args.output.written(&entry, text) };
        let is_comparable = entry.is_complete() && !entry.game.plies.is_empty();
        (is_comparable.then(|| entry.game.moves_key()), written)
    };
    let readable = args.files.each(work, |site, (moves, text)| {
        games += 1;
        let here = (site.file, site.number);
        let first = moves.map_or(here, |moves| *first_sites.entry(moves).or_insert(here));
        if first == here {
            out.game(&site, &text)?;
        } else {
            duplicates += 1;
            if args.list {
                let (file, game) = first;
                let first = GameLocation { file: sources[file].to_string(), game };
                let second = GameLocation { file: site.source.to_string(), game: site.number };
                let pair = DuplicatePair { first, second };
                out.write(&if args.json.json { json(&pair) } else { format!("{pair}\n") })?;
            }
            out.write_at(&site, "")?;
        }
        anyhow::Ok(true)
    })?;
    let status = out.finish(readable, true)?;
    if !args.json.json {
        say(&format!(
            "{}, {} {} (same moves, regardless of tags)",
            counted(games, "game"),
            counted(duplicates, "duplicate"),
            if args.list { "found" } else { "removed" },
        ));
    }
    Ok(status)
}
