//! Books made of books: `kelso book merge`, `prune` and `export`.

use anyhow::anyhow;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::value_parser;
use serde_json::Value;

use super::super::shared::Overwrite;
use super::super::{Outcome, position};
use super::{open, read, room, write};
use common::count::{counted, grouped};
use draughts::board::Position;
use draughts::notation::fen;
use engine::book::{Book, Drop};
use training::book::export::{self, ExportLimits};
use training::book::prune::{self, PruneLimits};
use training::book::root::{self, RootSet};
use training::book::{merge as merging, tree};

#[derive(clap::Args, Debug)]
pub(super) struct MergeArgs {
    /// The books
    #[arg(required = true, value_name = "FILE")]
    books: Vec<PathBuf>,
    /// Write the book to FILE
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub(super) fn merge(args: &MergeArgs) -> Outcome {
    args.overwrite.outputs().reads(&args.books).writes_file("--out", &args.out).check()?;
    let read = args.books.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let (mut texts, books): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let merged = merging::merge(books).map_err(|(_, error)| wrong(error))?;
    texts.dedup();
    say_made(&args.out, &write(&args.out, &short(&texts.join("; ")), &merged)?)
}

/// As much of a text as a book can have.
fn short(text: &str) -> String {
    text.chars().take(4000).collect()
}

fn wrong(error: tree::TreeError) -> anyhow::Error {
    anyhow!("a book is damaged: {error}")
}

fn say_made(path: &std::path::Path, book: &Book) -> Outcome {
    let (entries, size) = (counted(book.len() as u64, "position"), grouped(book.size() as u64));
    writeln!(stdout().lock(), "{}: {entries} with all moves, {size} bytes", path.display())?;
    Ok(ExitCode::SUCCESS)
}

#[derive(clap::Args, Debug)]
pub(super) struct PruneArgs {
    /// The book
    #[arg(value_name = "FILE")]
    book: PathBuf,
    /// Write the book to FILE
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Keep at most N positions
    #[arg(long, value_name = "N", value_parser = super::super::at_least_one::<u32>, required_unless_present = "bytes")]
    positions: Option<u32>,
    /// Keep as many positions as fit in N bytes
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(200..))]
    bytes: Option<u32>,
    /// Sets of root positions, as for build
    #[arg(long, value_name = "SETS", default_value = "start,three-move,barred")]
    roots: String,
    /// Hundredths of a man that cost as much as a ply, as for build
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=10_000))]
    width: u32,
}

pub(super) fn prune(args: &PruneArgs) -> Outcome {
    let sets = RootSet::parse(&args.roots)?;
    args.overwrite.outputs().reads([&args.book]).writes_file("--out", &args.out).check()?;
    let (text, entries) = read(&args.book)?;
    let limits = PruneLimits {
        entries: args.positions.map(|positions| positions as usize),
        bytes: args.bytes.map(|bytes| room(&text, bytes)).transpose()?,
    };
    let kept = prune::prune(entries, &root::keys(&sets), args.width, limits);
    let kept = kept.map_err(|(_, error)| wrong(error))?;
    say_made(&args.out, &write(&args.out, &text, &kept)?)
}

#[derive(clap::Args, Debug)]
pub(super) struct ExportArgs {
    /// The book [default: the compiled-in one]
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
    /// Write JSON, a line for each position with all moves, to a file, or - for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write PDN to a file, or - for standard output: best play, and other moves as variations [default: -]
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// First position of the game [default: the usual start]
    #[arg(long, value_name = "FEN", value_parser = position::parse)]
    fen: Option<Position>,
    /// Largest drop of a variation, in hundredths of a man
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u8).range(0..=254))]
    drop: u8,
    /// Largest number of plies
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u16).range(1..=1000))]
    plies: u16,
}

pub(super) fn export(args: &ExportArgs) -> Outcome {
    let start = args.fen.unwrap_or_else(Position::start);
    let pdn = args.pdn.clone().or_else(|| args.json.is_none().then(|| "-".into()));
    let outputs = args.overwrite.outputs().reads(&args.book);
    let outputs = outputs.writes("--pdn", pdn.as_ref()).writes("--json", args.json.as_ref()).check()?;
    let book = match &args.book {
        Some(path) => open(path)?,
        None => Book::default_one()?,
    };
    if args.json.is_some() {
        let mut text = String::new();
        let mut line = |entry: &Value| text.extend([entry.to_string(), "\n".to_owned()]);
        export::json(&book, &mut line)?;
        outputs.write(args.json.as_deref(), || text)?;
    }
    if pdn.is_some() {
        let limits = ExportLimits { drop: Drop(args.drop), plies: args.plies.into() };
        let game = export::game(&book, &start, limits)
            .ok_or_else(|| anyhow!("{} is not in the book", fen::format(&start)))?;
        outputs.write(pdn.as_deref(), || format!("{game}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
