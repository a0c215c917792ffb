//! `kelso book`: builds and queries opening books.

mod build;
mod look;
mod make;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::cli::arguments::subcommands::subcommands;
use crate::cli::outcome::Outcome;
use crate::cli::values::within;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_book_builder::verify;
use kelso_draughts::board::relative::Key;
use kelso_engine::book::{Book, BookEntry};

subcommands! {
    /// Build, check and query opening books
    ///
    /// A book is built with the engine's own search: the most important positions are searched and expanded
    /// first, and values are propagated back from the leaves to the first moves.
    pub struct Args;

    /// Build a book, or enlarge one
    ///
    /// Writes the book to NAME.book, and the state for --resume to NAME.jsonl. With one thread, the result is
    /// reproducible.
    Build(Box<build::Args>) => build::run;
    /// Show a book's size and its evaluation of the starting position
    Info(look::InfoArgs) => look::info;
    /// Look up positions: every move, and how much worse it is than the best move
    Probe(look::BookProbeArgs) => look::probe;
    /// Check that all moves are legal and all values consistent
    Verify(look::VerifyArgs) => look::verify;
    /// Merge books, keeping the deepest entry of each position
    Merge(make::MergeArgs) => make::merge;
    /// Write a book as a game with variations (PDN)
    Export(make::ExportArgs) => make::export;
}

/// The roots of a book, and the order of expansion.
#[derive(clap::Args, Debug)]
pub(crate) struct Roots {
    /// Sets of root positions, as a list: start, three-move, barred, eleven-man
    #[arg(long, value_name = "SETS", default_value = "start,three-move,barred")]
    pub(crate) roots: String,
    /// Cost of one ply, in hundredths of a man; smaller values make the book narrower and deeper
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = within(1..=10_000_u32))]
    pub(crate) width: u32,
}

/// Opens a book, by default the compiled-in one.
fn open(path: Option<&PathBuf>) -> anyhow::Result<Book> {
    Ok(path.map_or_else(Book::compiled_in, |path| Book::open(path))?)
}

#[expect(clippy::expect_used, reason = "a check only fails with a fault")]
fn read(path: &Path) -> anyhow::Result<(String, BTreeMap<Key, BookEntry>)> {
    let book = Book::open(path)?;
    let entries = verify::verify(&book).map_err(|faults| {
        let first = faults.first().expect("an inconsistent book has a fault");
        anyhow!("{}: {first} (kelso book verify reports all faults)", path.display())
    })?;
    Ok((book.text().to_owned(), entries))
}

/// Returns the number of bytes left for entries in a file of this size, after its header and text.
fn room(text: &str, bytes: u32) -> anyhow::Result<usize> {
    let head = Book::make(text, [])?.size();
    Ok((bytes as usize).saturating_sub(head))
}

fn write(
    outputs: &Outputs,
    path: &OutputPath,
    text: &str,
    entries: &BTreeMap<Key, BookEntry>,
) -> anyhow::Result<Book> {
    let book = Book::make(text, entries.iter().map(|(&key, entry)| (key, entry)))?;
    outputs.write(Some(path), || book.bytes())?;
    Ok(book)
}
