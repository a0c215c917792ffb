//! `kelso pdn tree` and `kelso pdn openings`, which count games and their results.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::output::{GameOutput, json};
use crate::cli::arguments::files::{GameFiles, Json};
use crate::cli::arguments::position::{Moves, Start};
use crate::cli::outcome::{Outcome, say};
use kelso_draughts::ballot::Ballot;
use kelso_draughts::notation::pdn::PdnEntry;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::GameRecord;
use kelso_draughts::result::WdlCounts;
use kelso_library::continuations::{Continuation, Continuations, ResultCounts, WinsByColor};
use kelso_reports::statistics::percents;
use kelso_reports::table::Table;
use kelso_text::plural::counted;

/// Count moves and results from a position
///
/// The position may be reached by any sequence of moves. Only its first occurrence in a game counts. The
/// score is for the side to move: wins plus half the draws, as a share of the games with a known result.
/// Games with an error before the position are left out. The exit status is 0 if a game contains the
/// position, 1 if none does, and 2 if a file cannot be read.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso pdn tree games.pdn --moves \"11-15 23-19\""))]
pub struct TreeArgs {
    #[command(flatten)]
    files: GameFiles,
    #[command(flatten)]
    start: Start,
    #[command(flatten)]
    moves: Moves,
    /// Also count the position with colours exchanged
    #[arg(long)]
    mirror: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct TreeReport {
    fen: String,
    games: u64,
    /// Number of games that cannot be read up to the position and the next move.
    unread: u64,
    moves: Vec<Continuation>,
}

pub(super) fn tree(args: &TreeArgs) -> Outcome {
    let (position, _) = args.moves.play(args.start.position())?;
    let empty = Continuations::new(position, args.mirror);
    let mut tree = empty.clone();
    let readable = args.files.each(
        |entry, _| empty.visit(&entry),
        |_, visit| {
            tree.add(visit);
            anyhow::Ok(true)
        },
    )?;
    let fen = fen::format(&position);
    let report = TreeReport { fen, games: tree.games(), unread: tree.unread(), moves: tree.list() };
    let mut out = GameOutput::standard();
    out.write(&if args.json.json { json(&report) } else { tree_table(&report) })?;
    let status = out.finish(readable, report.games > 0)?;
    if report.unread > 0 && !args.json.json {
        let games = counted(report.unread, "game");
        say(&format!("{games} left out: unreadable up to this position and the next move"));
    }
    Ok(status)
}

/// A row of the table: a move, the number of games, their results, and their share in percent.
type TreeRow<'a> = (&'a str, u64, Option<(&'a Continuation, f64)>);

fn tree_table(report: &TreeReport) -> String {
    let shares = percents(report.moves.iter().map(|row| row.games));
    let moves =
        report.moves.iter().zip(shares).map(|(row, share)| {
            (row.text.as_deref().unwrap_or("(ended here)"), row.games, Some((row, share)))
        });
    let rows: Vec<TreeRow<'_>> = moves.chain([("all", report.games, None)]).collect();
    let table = Table::of(&rows)
        .words("move", |row| row.0.to_owned())
        .number("games", |row| row.1)
        .optional("share", |row| row.2.map(|(_, share)| format!("{share:.1}%")))
        .optional("black won", |row| row.2.map(|(row, _)| row.results.known.wins))
        .optional("drawn", |row| row.2.map(|(row, _)| row.results.known.draws))
        .optional("white won", |row| row.2.map(|(row, _)| row.results.known.losses))
        .optional("unknown", |row| row.2.map(|(row, _)| row.results.unknown))
        .optional("score", |row| {
            row.2.map(|(row, _)| row.score.map_or("-".to_owned(), |score| format!("{:.1}%", score * 100.0)))
        });
    format!("{}\n\n{}", report.fen, table.build())
}

/// Identify the ballots of games
///
/// Prints a line per game: the file, the game, and its ballot with moves and name, or its first three moves
/// if there is no ballot. The exit status is 0, or 2 if a file cannot be read.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso pdn openings games.pdn --summary"))]
pub struct OpeningsArgs {
    #[command(flatten)]
    files: GameFiles,
    /// Print the number of games and the results per ballot instead
    #[arg(long)]
    summary: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct OpeningLine {
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
struct OpeningSummary<'a> {
    #[serde(flatten)]
    opening: &'a Opening,
    games: u64,
    #[serde(flatten, with = "WinsByColor")]
    results: WdlCounts,
}

impl Opening {
    fn of(game: &GameRecord) -> Self {
        if let Some(ballot) = Ballot::of_game(game) {
            let moves = movetext::format_line(&ballot.start, &ballot.moves);
            return Self { ballot: Some(ballot.to_string()), moves, name: ballot.name() };
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

pub(super) fn openings(args: &OpeningsArgs) -> Outcome {
    let mut counts: BTreeMap<Opening, ResultCounts> = BTreeMap::new();
    let mut out = GameOutput::standard();
    let opening = |entry: PdnEntry, _: &[u8]| (Opening::of(&entry.game), entry.game.result);
    let readable = args.files.each(opening, |site, (opening, result)| {
        if args.summary {
            counts.entry(opening).or_default().add(result);
        } else if args.json.json {
            out.write(&json(&OpeningLine { file: site.source.to_string(), game: site.number, opening }))?;
        } else {
            out.write(&format!("{}: game {}: {}\n", site.source, site.number, opening.text()))?;
        }
        anyhow::Ok(true)
    })?;
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, counts)| Reverse(counts.games()));
    if args.summary && !args.json.json {
        out.write(&openings_table(&counts))?;
    } else {
        for (opening, results) in &counts {
            out.write(&json(&OpeningSummary { opening, games: results.games(), results: results.known }))?;
        }
    }
    out.finish(readable, true)
}

fn openings_table(counts: &[(Opening, ResultCounts)]) -> String {
    Table::of(counts)
        .number("games", |(_, results)| results.games())
        .number("black won", |(_, results)| results.known.wins)
        .number("drawn", |(_, results)| results.known.draws)
        .number("white won", |(_, results)| results.known.losses)
        .words("opening", |(opening, _)| opening.text())
        .build()
        .to_string()
}
