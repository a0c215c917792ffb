//! Queries of books: `kelso book info`, `probe` and `verify`.

use std::cmp::Reverse;
use std::io::{Write, stdout};
use std::path::PathBuf;

use super::open;
use crate::cli::arguments::files::listing;
use crate::cli::arguments::position::Positions;
use crate::cli::outcome::{Outcome, Status};
use kelso_book_builder::tree::{BookJudgement, BookTree};
use kelso_book_builder::verify::{self as check, EntryFault};
use kelso_draughts::ballot::{Ballot, Deck};
use kelso_draughts::board::relative::Key;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_engine::book::{Book, BookScore};
use kelso_reports::table::Table;
use kelso_text::plural::{counted, grouped};

#[derive(clap::Args, Debug)]
pub(super) struct BookArg {
    /// Opening book [default: the built-in book]
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<PathBuf>,
}

impl BookArg {
    pub(super) fn open(&self) -> anyhow::Result<Book> {
        open(self.book.as_ref())
    }

    pub(super) fn name(&self) -> String {
        self.book.as_ref().map_or_else(|| "built in".to_owned(), |path| path.display().to_string())
    }
}

#[derive(clap::Args, Debug)]
pub struct InfoArgs {
    #[command(flatten)]
    book: BookArg,
    /// Show the values of the three-move ballots for Black, best first
    #[arg(long)]
    ballots: bool,
}

pub(super) fn info(args: &InfoArgs) -> Outcome {
    let book = args.book.open()?;
    if args.ballots {
        return ballots(&book);
    }
    let entries = check::verify(&book).map_err(|faults| list(&args.book, &faults))?;
    let moves: usize = entries.values().map(|entry| entry.drops.len()).sum();
    let tree = BookTree::of(&entries, 1);
    let start = Position::start();
    let has_start = book.look_up(&start).is_some();
    let mut out = stdout().lock();
    writeln!(out, "{}: {}", args.book.name(), book.text())?;
    let entries = counted(book.len() as u64, "position");
    let [moves, positions, bytes] = [moves, tree.positions(), book.size()].map(|count| grouped(count as u64));
    writeln!(out, "{entries} with all their {moves} moves, {positions} positions in all, {bytes} bytes")?;
    let key = Key::of(&start);
    if let Some(BookJudgement { score, .. }) = tree.judgement(key).filter(|_| has_start) {
        let mut position = start;
        let mut line = Vec::new();
        for number in tree.best_line(key) {
            let Some(&mv) = kelso_engine::book::moves(&position).get(number) else { break };
            position = position.after(mv);
            line.push(mv);
        }
        writeln!(out, "best play from the start, {score}: {}", movetext::format_line(&start, &line))?;
    }
    Ok(Status::Success)
}

/// Returns the value for Black and the depth of the position after a ballot.
fn value_for_black(ballot: &Ballot, book: &Book) -> Option<(BookScore, u8)> {
    let after = ballot.end();
    let entry = book.look_up(&after)?;
    Some((if after.side() == Color::Black { entry.score } else { -entry.score }, entry.depth))
}

fn ballots(book: &Book) -> Outcome {
    let mut rows = Vec::new();
    for ballot in Deck::ThreeMove.ballots() {
        rows.push((value_for_black(ballot, book), ballot));
    }
    rows.sort_by_key(|(value, ballot)| (Reverse(value.map(|(score, _)| score)), ballot.number));
    let table = Table::of(&rows)
        .words("ballot", |(_, ballot)| movetext::format_line(&ballot.start, &ballot.moves))
        .words("", |(_, ballot)| ballot.name().unwrap_or_default().to_owned())
        .number("", |(_, ballot)| if ballot.barred { "barred" } else { "" })
        .optional("for Black", |(value, _)| value.map(|(score, _)| score))
        .optional("depth", |(value, _)| value.map(|(_, depth)| depth));
    write!(stdout().lock(), "{}", table.build())?;
    Ok(Status::Success)
}

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso book probe startpos --moves \"11-15 23-19\""))]
pub struct BookProbeArgs {
    #[command(flatten)]
    book: BookArg,
    #[command(flatten)]
    positions: Positions,
}

pub(super) fn probe(args: &BookProbeArgs) -> Outcome {
    let positions = args.positions.all()?;
    let book = args.book.open()?;
    let mut out = stdout().lock();
    let mut is_missing = false;
    for position in positions {
        let fen = fen::format(&position);
        let Some(entry) = book.look_up(&position) else {
            is_missing = true;
            writeln!(out, "{fen}: not in the book")?;
            continue;
        };
        writeln!(out, "{fen}: {}, depth {}", entry.score, entry.depth)?;
        let table = Table::of(&entry.moves)
            .words("move", |choice| movetext::format(&position, choice.mv))
            .optional("value", |choice| entry.score.less(choice.drop))
            .number(
                "behind",
                |choice| if choice.drop.0 == 0 { String::new() } else { choice.drop.to_string() },
            );
        write!(out, "{}", table.build())?;
    }
    Ok(if is_missing { Status::Failure } else { Status::Success })
}

#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    book: BookArg,
}

pub(super) fn verify(args: &VerifyArgs) -> Outcome {
    let book = args.book.open()?;
    let entries = check::verify(&book).map_err(|faults| list(&args.book, &faults))?;
    let entries = counted(entries.len() as u64, "position");
    writeln!(stdout().lock(), "{}: {entries}, all values are consistent", args.book.name())?;
    Ok(Status::Success)
}

fn list(book: &BookArg, faults: &[EntryFault]) -> anyhow::Error {
    let heading = format!("{}: {}", book.name(), counted(faults.len() as u64, "fault"));
    anyhow::Error::msg(listing(&heading, faults, ""))
}
