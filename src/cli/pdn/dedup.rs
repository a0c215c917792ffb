//! `kelso pdn dedup`.

use serde::Serialize;

use super::output::{self, InPlace, json};
use crate::cli::arguments::files::{GameFiles, Json};
use crate::cli::outcome::{Outcome, say};
use kelso_analysis::games::duplicates::{MoveSequence, Seen};
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
    let mut seen = Seen::default();
    let mut games = 0_u64;
    let mut duplicates = 0_u64;
    let work = |entry: PdnEntry, text: &[u8]| {
        let written = if args.list { Ok(String::new()) } else { args.output.written(&entry, text) };
        (entry.is_complete().then(|| MoveSequence::of(&entry.game)), written)
    };
    let readable = args.files.each(work, |site, (line, text)| {
        games += 1;
        let here = (site.file, site.number);
        match line.and_then(|line| seen.add(line, here)) {
            Some((file, game)) => {
                duplicates += 1;
                if args.list {
                    let first = GameLocation { file: sources[file].to_string(), game };
                    let second = GameLocation { file: site.source.to_string(), game: site.number };
                    let pair = DuplicatePair { first, second };
                    out.write(&if args.json.json { json(&pair) } else { format!("{pair}\n") })?;
                }
                out.write_at(&site, "")?;
            }
            None => out.game(&site, &text)?,
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
