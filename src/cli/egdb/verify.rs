//! `kelso egdb verify`.

use std::io::{Write, stdout};
use std::time::Instant;

use anyhow::bail;

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
use kelso_endgames::{DatabaseHeader, MAX_PIECES, Slice};
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
    let mut files: Vec<&DatabaseHeader> = databases
        .files()
        .filter(|(_, path)| args.installed.folder.egdb.is_none() || path.is_some())
        .map(|(header, _)| header)
        .collect();
    files.retain(|header| match &args.slice[..] {
        [] => header.slice.pieces() <= args.installed.pieces,
        slices => slices.contains(&header.slice),
    });
    files.sort_by_key(|header| {
        let named = args.slice.iter().position(|slice| *slice == header.slice);
        (named, header.content.extension(), header.slice.pieces(), header.slice)
    });
    if files.is_empty() {
        bail!("there are no databases to verify");
    }
    let parts = files.iter().flat_map(|header| SlicePart::all(header.content, header.slice, args.sample));
    let parts: Vec<SlicePart> = parts.collect();
    let work = Work::begin(bar(parts.iter().map(SlicePart::positions).sum::<u64>(), BAR));
    let start_time = Instant::now();
    let mut sum = Verification::default();
    for part in &parts {
        work.bar.set_message(part.content.file_name(part.slice));
        let found = verify(&databases, part, args.threads.count(), &|positions| {
            work.bar.inc(positions);
            work.goes_on()
        });
        if !work.goes_on() {
            break;
        }
        sum = sum.plus(found);
    }
    work.clear();
    let valid = report_errors(&databases) && valid;
    let mut out = stdout().lock();
    for WrongValue { content, position, found, expected } in &sum.examples {
        let fen = fen::format(position);
        let found = shown(*found);
        let expected = shown(*expected);
        writeln!(out, "wrong: {content} {fen}: found {found}, expected {expected}")?;
    }
    let checked = counted(sum.checked, "position");
    let slices = counted(files.len() as u64, "slice");
    let seconds = start_time.elapsed().as_secs_f64();
    let wrong = grouped(sum.wrong);
    writeln!(out, "{checked} of {slices} verified in {seconds:.1} s, {wrong} wrong")?;
    if sum.unknown > 0 {
        let unknown = counted(sum.unknown, "position");
        writeln!(
            out,
            "{unknown} could not be verified: databases of their successors are missing or damaged"
        )?;
    }
    if !work.goes_on() {
        return Ok(work.end(INCOMPLETE));
    }
    Ok((sum.wrong == 0 && sum.unknown == 0 && valid).into())
}

fn shown(value: Option<KnownValue>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| value.to_string())
}
