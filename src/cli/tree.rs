//! `kelso tree`: the tree that a search saw, as JSON or as a page for a browser.

use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::value_parser;

use super::{Failure, Outcome};
use crate::board::Position;
use crate::lab::Spec;
use crate::lab::tree::{MOST_KEPT, grow, json, page};
use crate::notation::fen;

/// Show the tree that a search saw
///
/// A tree larger than the limit is sampled: all nodes down to some ply, below it whole branches chosen by chance, and the
/// best line. Every node tells how many nodes below it are left out.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The position; the start of the game if none is given
    #[arg(long)]
    fen: Option<String>,
    /// How many plies deep
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u8).range(1..=127))]
    depth: u8,
    /// What searches: tournament, negamax, ab, ab-tt, ab-q, ab-tt-q, deepening, mtdf or bns
    #[arg(long, default_value = "ab")]
    searcher: String,
    /// What judges positions
    #[arg(long, default_value = "v2", value_name = "EVALUATION")]
    eval: String,
    /// Switches of the searcher, as for "kelso lab": tt=on, q=off, ...
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_delimiter = ' ')]
    with: Vec<String>,
    /// Keep no more nodes than these
    #[arg(long, default_value_t = 100_000, value_parser = value_parser!(u32).range(1..=MOST_KEPT as i64))]
    limit: u32,
    /// Write a page for a browser instead of JSON
    #[arg(long)]
    html: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Searches, and writes the tree.
///
/// # Errors
///
/// When the position or the searcher can't be read, the tree is too large, or it can't be written.
pub fn run(args: &Args) -> Outcome {
    let root = match &args.fen {
        Some(text) => fen::parse(text).map_err(|error| Failure::of(&error))?,
        None => Position::start(),
    };
    let player =
        format!("searcher={} depth={} eval={} {}", args.searcher, args.depth, args.eval, args.with.join(" "));
    let spec = Spec::parse(&player).map_err(|error| Failure::of(&error))?;
    let mut out: Box<dyn Write> = match &args.output {
        Some(path) => {
            let file = File::create(path)
                .map_err(|error| Failure(format!("cannot write {}: {error}", path.display())))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(BufWriter::new(stdout().lock())),
    };
    let limit = usize::try_from(args.limit).unwrap_or(MOST_KEPT);
    let tree = grow(&root, spec, limit).map_err(|error| Failure::of(&error))?;
    if args.html {
        page(&tree, &mut out)?;
    } else {
        json(&tree, &mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
