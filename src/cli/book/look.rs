//! Queries of books: `kelso book info`, `probe` and `verify`.

use std::cmp::Reverse;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use super::super::Outcome;
use super::super::shared::{Json, Positions};
use super::open;
use common::count::{counted, grouped};
use common::table::Table;
use draughts::board::{Color, Position};
use draughts::notation::{fen, movetext};
use engine::book::{Ballot, Book, BookScore, Deck, Key};
use training::book::tree::Tree;
use training::book::{export, verify as check};

#[derive(clap::Args, Debug)]
pub(super) struct BookArg {
    /// The book [default: the compiled-in one]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

impl BookArg {
    pub(super) fn open(&self) -> anyhow::Result<Book> {
        match &self.book {
            Some(path) => open(path),
            None => Book::default_one().map_err(anyhow::Error::from),
        }
    }

    pub(super) fn path(&self) -> Option<&Path> {
        self.book.as_deref()
    }

    pub(super) fn name(&self) -> String {
        self.book.as_ref().map_or_else(|| "compiled in".to_owned(), |path| path.display().to_string())
    }
}

#[derive(clap::Args, Debug)]
pub struct InfoArgs {
    #[command(flatten)]
    book: BookArg,
    #[command(flatten)]
    json: Json,
    /// Show the values of the three-move ballots for Black, the best first
    #[arg(long)]
    ballots: bool,
}

pub(super) fn info(args: &InfoArgs) -> Outcome {
    let book = args.book.open()?;
    if args.ballots {
        return ballots(&book, args.json.json);
    }
    let entries = check::verify(&book).map_err(|faults| list(&args.book, &faults))?;
    let moves: usize = entries.values().map(|entry| entry.drops.len()).sum();
    let tree = Tree::of(&entries, 1).map_err(|(_, error)| error)?;
    let start = Position::start();
    let found = book.look_up(&start);
    let mut out = stdout().lock();
    if args.json.json {
        let start = found.as_ref().map(|found| export::found(&start, found));
        let report = json!({
            "book": args.book.name(), "text": book.text(), "entries": book.len(), "moves": moves,
            "positions": tree.positions(), "bytes": book.size(), "start": start,
        });
        writeln!(out, "{report}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let count = |number: usize| grouped(number as u64);
    writeln!(out, "{}: {}", args.book.name(), book.text())?;
    writeln!(
        out,
        "{} with all their {} moves, {} positions in all, {} bytes",
        counted(book.len() as u64, "position"),
        count(moves),
        count(tree.positions()),
        count(book.size())
    )?;
    if let Some(id) = tree.find(Key::of(&start)).filter(|_| found.is_some()) {
        let mut position = start;
        let mut line = Vec::new();
        for number in tree.best_line(id) {
            let Some(&mv) = engine::book::moves(&position).get(number) else { break };
            line.push(mv);
            position = position.after(mv);
        }
        let score = tree.judgement(id).map(|now| now.score).unwrap_or_default();
        writeln!(out, "best play from the start, {score}: {}", movetext::format_line(&start, &line))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the values of the three-move ballots: those of the positions after them.
fn ballots(book: &Book, json: bool) -> Outcome {
    let mut known: Vec<_> = Deck::ThreeMove
        .all()
        .into_iter()
        .map(|ballot| {
            let after = ballot.moves.iter().fold(ballot.start, |position, &mv| position.after(mv));
            let found = book.look_up(&after).map(|found| (found.score, found.depth));
            let for_black = |score: BookScore| if after.side() == Color::Black { score } else { -score };
            (ballot, found.map(|(score, depth)| (for_black(score), depth)))
        })
        .collect();
    known.sort_by_key(|(ballot, found)| (Reverse(found.map(|(score, _)| score)), ballot.number));
    let mut out = stdout().lock();
    if !json {
        write!(out, "{}", ballot_table(&known))?;
        return Ok(ExitCode::SUCCESS);
    }
    for (ballot, found) in known {
        let moves = movetext::format_line(&ballot.start, &ballot.moves);
        let (score, depth) = (found.map(|(score, _)| export::score(score)), found.map(|(_, depth)| depth));
        let line = json!({
            "number": ballot.number, "moves": moves, "barred": ballot.barred, "black": score, "depth": depth,
        });
        writeln!(out, "{line}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A ballot with its value for Black and its depth in the book.
type KnownBallot = (Ballot, Option<(BookScore, u8)>);

fn ballot_table(ballots: &[KnownBallot]) -> Table {
    Table::of(ballots)
        .words("ballot", |(ballot, _)| movetext::format_line(&ballot.start, &ballot.moves))
        .words("", |(ballot, _)| ballot.name().unwrap_or_default().to_owned())
        .number("", |(ballot, _)| if ballot.barred { "barred" } else { "" })
        .number("for Black", |(_, known)| known.map_or_else(String::new, |(score, _)| score.to_string()))
        .number("depth", |(_, known)| known.map_or_else(String::new, |(_, depth)| depth.to_string()))
        .build()
}

#[derive(clap::Args, Debug)]
pub struct ProbeArgs {
    #[command(flatten)]
    book: BookArg,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    positions: Positions,
}

pub(super) fn probe(args: &ProbeArgs) -> Outcome {
    let positions = args.positions.all()?;
    let book = args.book.open()?;
    let mut out = stdout().lock();
    let mut missing = false;
    for position in positions {
        let Some(found) = book.look_up(&position) else {
            missing = true;
            if args.json.json {
                writeln!(out, "{}", json!({ "fen": fen::format(&position), "worth": null }))?;
            } else {
                writeln!(out, "{}: not in the book", fen::format(&position))?;
            }
            continue;
        };
        if args.json.json {
            writeln!(out, "{}", export::found(&position, &found))?;
            continue;
        }
        writeln!(out, "{}: {}, depth {}", fen::format(&position), found.score, found.depth)?;
        let score = |drop| found.score.less(drop).map(|score| score.to_string()).unwrap_or_default();
        let table = Table::of(&found.moves)
            .words("move", |known| movetext::format(&position, known.mv))
            .number("worth", |known| score(known.drop))
            .number("behind", |known| if known.drop.0 == 0 { String::new() } else { known.drop.to_string() });
        write!(out, "{}", table.build())?;
    }
    Ok(if missing { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    book: BookArg,
}

pub(super) fn verify(args: &VerifyArgs) -> Outcome {
    let book = args.book.open()?;
    match check::verify(&book) {
        Ok(entries) => {
            let entries = counted(entries.len() as u64, "position");
            writeln!(stdout().lock(), "{}: {entries}, all values are consistent", args.book.name())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(faults) => Err(list(&args.book, &faults)),
    }
}

/// The number of faults that are listed.
const LISTED: usize = 20;

fn list(book: &BookArg, faults: &[check::Fault]) -> anyhow::Error {
    let mut lines = vec![format!("{}: {}", book.name(), counted(faults.len() as u64, "fault"))];
    lines.extend(faults.iter().take(LISTED).map(|fault| format!("  {fault}")));
    if faults.len() > LISTED {
        lines.push(format!("  and {} more", faults.len() - LISTED));
    }
    anyhow::Error::msg(lines.join("\n"))
}
