//! Times lookups in an opening book.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use kelso_draughts::board::relative::Key;
use kelso_engine::book::Book;

#[derive(Args)]
pub struct Arguments {
    /// Book [default: the built-in book]
    book: Option<PathBuf>,
}

impl Arguments {
    pub fn run(&self) -> Result<()> {
        const ROUNDS: u32 = 5;
        let book = self.book.as_ref().map_or_else(Book::compiled_in, |path| Book::open(path))?;
        let mut positions = Vec::new();
        for entry in book.entries() {
            positions.extend(entry.map_err(anyhow::Error::msg)?.0.position());
        }
        let looked_up = ROUNDS * u32::try_from(positions.len())?;
        let began = Instant::now();
        for position in positions.iter().cycle().take(looked_up as usize) {
            black_box(book.look_up(position).context("a position of the book is missing")?);
        }
        let with_moves = began.elapsed() / looked_up;
        let began = Instant::now();
        for position in positions.iter().cycle().take(looked_up as usize) {
            black_box(book.has(Key::of(position)));
        }
        let found = began.elapsed() / looked_up;
        println!("{} entries: {found:?} to find one, {with_moves:?} with all its moves", positions.len());
        Ok(())
    }
}
