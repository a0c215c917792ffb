//! `kelso pdn tree`.

use serde::Serialize;

use super::output::{Output, json};
use super::{Files, status};
use crate::cli::{Json, Moves, Outcome, Start, say};
use analysis::games::continuations::{Continuation, Continuations};
use common::count::counted;
use common::table::Table;
use draughts::notation::fen;
use draughts::notation::pdn::Entry;

/// Count the moves played from a position, and the results
///
/// The first occurrence of the position in a game counts, by any order of moves. The score is that of the side to move: its
/// wins and half of the draws, of the games with a known result. Games that cannot be read so far are left out. The exit
/// status is 0 if a game has the position, 1 if none does, and 2 if a file cannot be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    files: Files,
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
struct Report {
    fen: String,
    games: u64,
    /// The number of games that cannot be read up to the position and the move after it.
    unread: u64,
    moves: Vec<Continuation>,
}

pub(super) fn run(args: &Args) -> Outcome {
    let (position, _) = args.moves.play(args.start.position())?;
    let empty = Continuations::new(position, args.mirror);
    let mut tree = empty.clone();
    let work = |entry: Entry, _: &[u8]| empty.visit(&entry);
    let readable = args.files.each(work, |_, visit| {
        tree.add(visit);
        anyhow::Ok(true)
    })?;
    let fen = fen::format(&position);
    let report = Report { fen, games: tree.games(), unread: tree.unread(), moves: tree.list() };
    let mut out = Output::standard()?;
    out.write(&if args.json.json { json(&report) } else { table(&report) })?;
    out.finish()?;
    if report.unread > 0 && !args.json.json {
        let games = counted(report.unread, "game");
        say(&format!("{games} left out that cannot be read up to this position and the move after it"));
    }
    Ok(status(readable, report.games > 0))
}

/// A row of the table: a move, its games, and their results.
type Row<'a> = (&'a str, u64, Option<&'a Continuation>);

fn table(report: &Report) -> String {
    let moves =
        report.moves.iter().map(|row| (row.text.as_deref().unwrap_or("(ended here)"), row.games, Some(row)));
    let rows: Vec<Row<'_>> = moves.chain([("all", report.games, None)]).collect();
    let cell = |text: fn(&Continuation) -> String| move |row: &Row<'_>| row.2.map(text).unwrap_or_default();
    let table = Table::of(&rows)
        .words("move", |row| row.0.to_owned())
        .number("games", |row| row.1)
        .number("share", |row| {
            #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
            let share = |row: &Continuation| 100.0 * row.games as f64 / report.games as f64;
            row.2.map(|row| format!("{:.1}%", share(row))).unwrap_or_default()
        })
        .number("black won", cell(|row| row.results.black.to_string()))
        .number("drawn", cell(|row| row.results.drawn.to_string()))
        .number("white won", cell(|row| row.results.white.to_string()))
        .number("unknown", cell(|row| row.results.unknown.to_string()))
        .number(
            "score",
            cell(|row| row.score.map_or("-".to_owned(), |score| format!("{:.1}%", score * 100.0))),
        );
    format!("{}\n\n{}", report.fen, table.build())
}
