//! Commands that turn books into other books or games: `kelso book merge` and `export`.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::anyhow;

use super::{open, read, write};
use crate::cli::arguments::files::{OutFile, Overwrite};
use crate::cli::arguments::position::Start;
use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::output;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_book_builder::export;
use kelso_book_builder::tree;
use kelso_draughts::board::relative::Key;
use kelso_draughts::notation::fen;
use kelso_engine::book::{BookEntry, ScoreDrop};
use kelso_syntax::Quoted;
use kelso_text::plural::{counted, grouped};

#[derive(clap::Args, Debug)]
pub struct MergeArgs {
    /// Books to merge
    #[arg(required = true, value_name = "FILE")]
    books: Vec<PathBuf>,
    #[command(flatten)]
    out: OutFile,
}

pub(super) fn merge(args: &MergeArgs) -> Outcome {
    let outputs = args.out.reading(&args.books).check()?;
    let read = args.books.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let (mut texts, books): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let merged = tree::merge(books);
    texts.dedup();
    // A book holds at most 65,535 bytes of text.
    let text: String = texts.join("; ").chars().take(4000).collect();
    finish(&args.out, &outputs, &text, &merged)
}

/// Writes the new book, and prints its size.
fn finish(out: &OutFile, outputs: &Outputs, text: &str, entries: &BTreeMap<Key, BookEntry>) -> Outcome {
    let book = write(outputs, &out.out, text, entries)?;
    let entries = counted(book.len() as u64, "position");
    let size = grouped(book.size() as u64);
    writeln!(stdout().lock(), "wrote {}: {entries}, {size} bytes", out.out.display())?;
    Ok(Status::Success)
}

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso book export", "kelso book export my.book --out my.pdn"))]
pub struct ExportArgs {
    /// Opening book [default: the built-in book]
    file: Option<PathBuf>,
    /// File to write, or - for standard output: best play, with other moves as variations [default: -]
    #[arg(long, short, value_name = "FILE", value_parser = output())]
    out: Option<OutputPath>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    start: Start,
}

/// Maximum loss of a variation in an exported game compared with the best move, and the maximum number of
/// plies.
const MAX_DROP: ScoreDrop = ScoreDrop(10);
const MAX_PLIES: usize = 40;

pub(super) fn export(args: &ExportArgs) -> Outcome {
    let start = args.start.position();
    let outputs = args.overwrite.outputs().reads(&args.file).writes(&args.out).check()?;
    let book = open(args.file.as_ref())?;
    let game = export::game(&book, &start, MAX_DROP, MAX_PLIES)
        .ok_or_else(|| anyhow!("{} is not in the book", Quoted(&fen::format(&start))))?;
    let mut out = outputs.open(args.out.as_ref())?;
    out.write_with(|out| writeln!(out, "{game}"))?;
    out.commit()?;
    Ok(Status::Success)
}
