//! `kelso egdb verify`.

use std::io::{self, Write, stdout};
use std::time::{Duration, Instant};

use anyhow::ensure;

use super::Installed;
use crate::cli::arguments::engine::Threads;
use crate::cli::databases::report_errors;
use crate::cli::outcome::{INCOMPLETE, Outcome};
use crate::cli::progress::bar;
use crate::cli::values::{OptionValueParser, at_least};
use crate::cli::work::Work;
use kelso_draughts::notation::fen;
use kelso_draughts::result::KnownValue;
use kelso_endgames::build::{SlicePart, Verification, WrongValue, verify};
use kelso_endgames::{DatabaseHeader, Databases, MAX_PIECES, Slice};
use kelso_text::plural::{counted, grouped};

#[derive(clap::Args, Debug)]
#[command(after_help = examples!(
    "kelso egdb verify --pieces 3",
    "kelso egdb verify --slice 21v10 --sample 100000"
))]
pub struct Args {
    #[command(flatten)]
    installed: Installed,
    /// Verify only this slice; can be repeated. 21v10 is two men and a king to move against one man
    #[arg(long, value_parser = OptionValueParser(str::parse::<Slice>))]
    slice: Vec<Slice>,
    /// Verify about N positions per slice
    #[arg(long, value_name = "N", value_parser = at_least(1_u64))]
    sample: Option<u64>,
    #[command(flatten)]
    threads: Threads,
}

const BAR: &str = "{msg:9} {wide_bar} {percent:>3}%  {per_sec:>13}  {eta} left";

pub(super) fn run(args: &Args) -> Outcome {
    let (databases, valid) = args.installed.folder.check(MAX_PIECES)?;
    let files = args.files(&databases)?;
    let parts = files.iter().flat_map(|header| SlicePart::all(header.content, header.slice, args.sample));
    let parts: Vec<SlicePart> = parts.collect();
    let work = Work::begin(bar(parts.iter().map(SlicePart::positions).sum::<u64>(), BAR));
    let start_time = Instant::now();
    let sum = verify_all(&databases, &parts, args.threads.count(), &work);
    work.clear();
    let valid = report_errors(&databases) && valid;
    report(&sum, files.len(), start_time.elapsed())?;
    if work.is_interrupted() {
        return Ok(work.end(INCOMPLETE));
    }
    Ok((sum.wrong == 0 && sum.unknown == 0 && valid).into())
}

impl Args {
    /// Returns the databases to verify, in their order.
    fn files<'a>(&self, databases: &'a Databases) -> anyhow::Result<Vec<&'a DatabaseHeader>> {
        let files =
            databases.files().filter(|(_, path)| self.installed.folder.egdb.is_none() || path.is_some());
        let is_wanted = |header: &&DatabaseHeader| match &self.slice[..] {
            [] => header.slice.pieces() <= self.installed.pieces,
            slices => slices.contains(&header.slice),
        };
        let mut files: Vec<_> = files.map(|(header, _)| header).filter(is_wanted).collect();
        files.sort_by_key(|header| {
            let named = self.slice.iter().position(|slice| *slice == header.slice);
            (named, header.content.extension(), header.slice.pieces(), header.slice)
        });
        ensure!(!files.is_empty(), "there are no databases to verify");
        Ok(files)
    }
}

/// Verifies parts of databases until the work is interrupted.
fn verify_all(databases: &Databases, parts: &[SlicePart], threads: usize, work: &Work) -> Verification {
    let mut sum = Verification::default();
    for part in parts {
        work.bar.set_message(part.content.file_name(part.slice));
        let verification = verify(databases, part, threads, &|positions| {
            work.bar.inc(positions);
            !work.is_interrupted()
        });
        if work.is_interrupted() {
            break;
        }
        sum = sum.plus(verification);
    }
    sum
}

fn report(sum: &Verification, files: usize, time: Duration) -> io::Result<()> {
    let mut out = stdout().lock();
    for WrongValue { content, position, found, expected } in &sum.examples {
        let fen = fen::format(position);
        let found = shown(*found);
        let expected = shown(*expected);
        writeln!(out, "wrong: {content} {fen}: found {found}, expected {expected}")?;
    }
    let checked = counted(sum.checked, "position");
    let slices = counted(files as u64, "slice");
    let seconds = time.as_secs_f64();
    let wrong = grouped(sum.wrong);
    writeln!(out, "{checked} of {slices} verified in {seconds:.1} s, {wrong} wrong")?;
    if sum.unknown > 0 {
        let unknown = counted(sum.unknown, "position");
        writeln!(
            out,
            "{unknown} could not be verified: databases of their successors are missing or damaged"
        )?;
    }
    Ok(())
}

fn shown(value: Option<KnownValue>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| value.to_string())
}
