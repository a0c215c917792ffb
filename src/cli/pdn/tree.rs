//! `kelso pdn tree`.

use std::fmt::Write;
use std::ops::ControlFlow;

use serde::Serialize;

use super::super::position::{self, Moves};
use super::super::{Outcome, say};
use super::output::{Output, json};
use super::{Files, count, status};
use analysis::games::continuations::{Continuation, Continuations};
use draughts::board::Position;
use draughts::notation::fen;
use draughts::notation::pdn::Entry;

/// Count the moves played from a position, and the results
///
/// The first occurrence of the position in a game counts, by any order of moves. The score is that of the side to move: its
/// wins and half of the draws, of the games with a known result. Games that cannot be read so far are left out. The exit
/// status is 0 if a game has the position, 1 if none does, and 2 if a file cannot be read.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
    /// The position [default: the start of the game]
    #[arg(long, value_name = "FEN", value_parser = position::parse)]
    fen: Option<Position>,
    #[command(flatten)]
    moves: Moves,
    /// Also count the position with colours exchanged
    #[arg(long)]
    mirror: bool,
    /// Write the counts as JSON
    #[arg(long)]
    json: bool,
}

/// The counts as JSON.
#[derive(Serialize)]
struct Report {
    fen: String,
    games: u64,
    /// The number of games that cannot be read up to the position and the move after it.
    unread: u64,
    moves: Vec<Continuation>,
}

/// Reads games, counts moves, and writes a table.
///
/// # Errors
///
/// If a move is illegal, a folder cannot be listed, or the table cannot be written.
pub(super) fn run(args: &Args) -> Outcome {
    let (position, _) = args.moves.play(args.fen.unwrap_or_else(Position::start))?;
    let empty = Continuations::new(position, args.mirror);
    let mut tree = empty.clone();
    let work = |entry: Entry, _: &[u8]| empty.visit(&entry);
    let readable = args.files.each(work, |_, visit| {
        tree.add(visit);
        anyhow::Ok(ControlFlow::Continue(()))
    })?;
    let fen = fen::format(&position);
    let report = Report { fen, games: tree.games(), unread: tree.unread(), moves: tree.list() };
    let mut out = Output::standard()?;
    out.write(&if args.json { json(&report) } else { table(&report) })?;
    out.finish()?;
    if report.unread > 0 && !args.json {
        let games = count(report.unread, "game");
        say(&format!("{games} left out that cannot be read up to this position and the move after it"));
    }
    Ok(status(readable, report.games > 0))
}

fn table(report: &Report) -> String {
    let mut text = format!("{}\n\n", report.fen);
    let _ = writeln!(
        text,
        "{:14}  {:>9}  {:>6}  {:>9}  {:>9}  {:>9}  {:>9}  {:>6}",
        "move", "games", "share", "black won", "drawn", "white won", "unknown", "score"
    );
    for Continuation { text: mv, games, results, score } in &report.moves {
        #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
        let share = *games as f64 / report.games as f64;
        let score = score.map_or_else(|| "-".to_owned(), |score| format!("{:.1}%", score * 100.0));
        let _ = writeln!(
            text,
            "{:14}  {games:>9}  {:>5.1}%  {:>9}  {:>9}  {:>9}  {:>9}  {score:>6}",
            mv.as_deref().unwrap_or("(ended here)"),
            share * 100.0,
            results.black,
            results.drawn,
            results.white,
            results.unknown,
        );
    }
    let _ = writeln!(text, "{:14}  {:>9}", "all", report.games);
    text
}
