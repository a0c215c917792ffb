//! `kelso pdn openings`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::output::{Output, json};
use super::{Files, status};
use crate::cli::{Json, Outcome};
use analysis::games::continuations::Results;
use analysis::games::opening::Ballots;
use common::table::Table;
use draughts::notation::movetext;
use draughts::notation::pdn::{Entry, PdnGame};
use engine::book::Ballot;

/// Name the ballots of games
///
/// Writes a line for each game: file, game, ballot, its moves and its name, or the first three moves of a game without a
/// ballot. The exit status is 0, or 2 if a file cannot be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    files: Files,
    /// Write the number of games and the results of each ballot instead
    #[arg(long)]
    summary: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Line {
    file: String,
    game: usize,
    #[serde(flatten)]
    opening: Opening,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Opening {
    /// The ballot, such as "three-move 57".
    ballot: Option<String>,
    moves: String,
    name: Option<&'static str>,
}

#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    opening: &'a Opening,
    games: u64,
    black: u64,
    drawn: u64,
    white: u64,
}

impl Opening {
    fn of(game: &PdnGame, ballots: &Ballots) -> Self {
        let line = |ballot: &Ballot| movetext::format_line(&ballot.start, &ballot.moves);
        if let Some(ballot) = ballots.of(game) {
            return Self { ballot: Some(ballot.to_string()), moves: line(ballot), name: ballot.name() };
        }
        let moves: Vec<_> = game.moves().take(3).collect();
        Self { ballot: None, moves: movetext::format_line(&game.start, &moves), name: None }
    }

    fn text(&self) -> String {
        let Self { ballot, moves, name } = self;
        let name = name.map_or_else(String::new, |name| format!(" ({name})"));
        let moves = if moves.is_empty() { "no moves" } else { moves };
        format!("{}: {moves}{name}", ballot.as_deref().unwrap_or("no ballot"))
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let ballots = Ballots::new();
    let mut counts: BTreeMap<Opening, Results> = BTreeMap::new();
    let mut out = Output::standard()?;
    let work = |entry: Entry, _: &[u8]| (Opening::of(&entry.game, &ballots), entry.game.result);
    let readable = args.files.each(work, |site, (opening, result)| {
        if args.summary {
            counts.entry(opening).or_default().add(result);
        } else if args.json.json {
            out.write(&json(&Line { file: site.place.to_string(), game: site.number, opening }))?;
        } else {
            out.write(&format!("{}: game {}: {}\n", site.place, site.number, opening.text()))?;
        }
        anyhow::Ok(true)
    })?;
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, counts)| Reverse(counts.games()));
    if args.summary && !args.json.json {
        out.write(&table(&counts))?;
    } else {
        for (opening, results) in &counts {
            let &Results { black, drawn, white, .. } = results;
            out.write(&json(&Summary { opening, games: results.games(), black, drawn, white }))?;
        }
    }
    out.finish()?;
    Ok(status(readable, true))
}

fn table(counts: &[(Opening, Results)]) -> String {
    Table::of(counts)
        .number("games", |(_, results)| results.games())
        .number("black won", |(_, results)| results.black)
        .number("drawn", |(_, results)| results.drawn)
        .number("white won", |(_, results)| results.white)
        .words("opening", |(opening, _)| opening.text())
        .build()
        .to_string()
}
