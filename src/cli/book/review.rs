//! `kelso book review`.

use anyhow::bail;
use std::io::{Write, stdout};
use std::path::Path;
use std::time::Duration;

use super::look::BookArg;
use crate::cli::arguments::engine::{LimitArgs, Seed, Settings, Threads, own_fingerprint};
use crate::cli::arguments::run::Run;
use crate::cli::outcome::{Outcome, Status, interrupted_run, stop_on_signal};
use crate::cli::values::{at_least, default, within};
use engine::book::choice::MIN_DEPTH;
use training::book::review::{self, DepthCounts, PositionReview, ReviewHeader, ReviewSummary};
use training::checked_engine;

#[derive(clap::Args, Debug)]
#[command(mut_arg("out", default("review")))]
pub struct Args {
    #[command(flatten)]
    book: BookArg,
    #[command(flatten)]
    run: Run,
    /// Number of positions, chosen randomly from those with several moves
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = at_least(1_u32))]
    positions: u32,
    /// Minimum search depth of the positions in the book; the default is the depth required for playing a book move
    #[arg(long, value_name = "PLIES", default_value_t = MIN_DEPTH)]
    depth: u8,
    #[command(flatten)]
    limits: LimitArgs,
    /// Search both moves N times as long if the book and the search disagree
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = within(1..=1000_u32))]
    times: u32,
    /// Treat moves within N hundredths of a man as equal
    #[arg(long, value_name = "N", default_value_t = 5)]
    error: u32,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    settings: Settings,
}

/// Default table size in MiB.
const HASH: usize = 64;

pub(super) fn run(args: &Args) -> Outcome {
    let inputs = args.settings.files().map(Path::new).chain(args.book.book.as_deref());
    args.run.outputs::<ReviewHeader>(&[])?.reads(inputs).check()?;
    let settings = args.settings.read()?;
    let book = args.book.open()?;
    let keys = review::sample(&book, args.depth, args.seed.seed, args.positions as usize);
    if keys.is_empty() {
        bail!("the book has no position with at least two moves searched to depth {} or more", args.depth);
    }
    let engine = || checked_engine(HASH, &settings).map_err(anyhow::Error::from);
    let count = args.threads.count().min(keys.len());
    let engines: Vec<_> = (0..count).map(|_| engine()).collect::<Result<_, _>>()?;
    let databases = engines.first().map_or(0, |engine| engine.databases().max_pieces());
    let header = ReviewHeader {
        book: book.text().to_owned(),
        bytes: book.size(),
        program: own_fingerprint()?,
        limits: args.limits.limits(None, Duration::from_secs(10)),
        times: args.times,
        depth: args.depth,
        seed: args.seed.seed,
        options: args.settings.portable(),
        databases,
    };
    let interrupt = stop_on_signal();
    let bar = args.run.progress.bar(keys.len() as u64, "{pos}/{len} positions {wide_bar} {eta} left; {msg}");
    let mut summary = ReviewSummary::default();
    let count = |finding: &PositionReview| {
        summary.count(finding, args.error);
        let DepthCounts { agreed, book, search, .. } = summary.whole;
        bar.set_message(format!("agreed {agreed}, book right {book}, search right {search}"));
    };
    let stopped = args.run.perform(header, keys.len(), &bar, count, |header, left, on_review| {
        review::run(&book, header, &keys, left, engines, &interrupt, on_review)
    })?;
    write!(stdout().lock(), "{}", summary.table())?;
    Ok(if stopped { interrupted_run(false) } else { Status::Success })
}
