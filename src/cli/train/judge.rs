//! `kelso train rescore` and `judge`: scores of longer searches, and evaluations judged by them.

use std::io::{Write, stdout};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, ensure};

use super::PlayArgs;
use super::input::{self, SampleInput};
use crate::cli::arguments::engine::Settings;
use crate::cli::outcome::{NOTHING_KEPT, Outcome, RESUME, Status, say};
use crate::cli::progress::bar;
use crate::cli::values::{output_file, within};
use kelso_batch::outputs::OutputPath;
use kelso_engine::eval::network::BUCKETS;
use kelso_engine::{Engine, Setting};
use kelso_reports::table::Table;
use kelso_text::plural::{counted, grouped};
use kelso_training::data::SampleFiles;
use kelso_training::judge::Judgement;
use kelso_training::{Rescoring, StoredGames};

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso train rescore games -o judge.pos --count 10 --pieces 7-24 --nodes 1000"))]
pub struct RescoreArgs {
    #[command(flatten)]
    input: SampleInput,
    /// Write the positions to FILE
    #[arg(long, short, value_name = "FILE", value_parser = output_file())]
    out: OutputPath,
    /// Number of positions of each class of pieces
    #[arg(long, value_name = "N", value_parser = within(1..=100_000_000_usize))]
    count: usize,
    /// Numbers of pieces
    #[arg(long, value_name = "MIN-MAX", default_value = "1-24", value_parser = pieces)]
    pieces: RangeInclusive<u32>,
    #[command(flatten)]
    play: PlayArgs,
}

fn pieces(text: &str) -> anyhow::Result<RangeInclusive<u32>> {
    let range = text.split_once('-').and_then(|(min, max)| Some(min.parse().ok()?..=max.parse().ok()?));
    let range: RangeInclusive<u32> = range.context("expected two numbers, such as 7-24")?;
    ensure!(!range.is_empty() && *range.end() <= 24, "expected numbers up to 24, the smaller one first");
    Ok(range)
}

pub(super) fn rescore(args: &RescoreArgs) -> Outcome {
    let out: &Path = &args.out;
    let search = &args.play.search;
    let rescoring = Rescoring {
        seed: args.play.seed.seed,
        nodes: search.nodes,
        count: args.count,
        pieces: args.pieces.clone(),
        threads: search.threads.count(),
        settings: search.settings.read()?,
    };
    let files = SampleFiles::open(&args.input.files_but(&[out])?)?;
    let (rows, mut work) = input::read(&files, |watch| rescoring.choose(&files, watch));
    let Some(rows) = rows? else { return Ok(work.end(NOTHING_KEPT)) };
    let of = rows.iter().map(Vec::len).sum::<usize>() as u64;
    work.bar = bar(of, "{pos}/{len} positions {wide_bar} {per_sec} {eta}");
    let result = rescoring.run(&rows, out, &mut |StoredGames { samples, .. }| work.show_progress(samples));
    work.clear();
    let StoredGames { samples, dropped, .. } = result?;
    if dropped > 0 {
        say(&format!("dropped {dropped} bytes of incomplete positions"));
    }
    writeln!(stdout(), "{}: {} of {}", out.display(), grouped(samples), counted(of, "position"))?;
    Ok(work.end(RESUME))
}

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso train judge games"))]
pub struct JudgeArgs {
    #[command(flatten)]
    input: SampleInput,
    #[command(flatten)]
    settings: Settings,
}

pub(super) fn judge(args: &JudgeArgs) -> Outcome {
    let engine = Engine::checked(args.settings.read()?.with_default(Setting::Hash(1)))?;
    let files = SampleFiles::open(&args.input.files_but(&[])?)?;
    let (samples, work) = input::read(&files, |watch| files.samples(watch));
    if work.is_interrupted() {
        return Ok(work.end(NOTHING_KEPT));
    }
    let judgement = Judgement::of(&samples?, &mut |position| engine.evaluate(position));
    let rows: Vec<_> =
        judgement.classes.iter().enumerate().filter(|(_, class)| class.positions > 0).collect();
    let table = Table::of(&rows)
        .words("pieces", |&(class, _)| class_name(class))
        .number("positions", |(_, class)| grouped(class.positions as u64))
        .number("error", |(_, class)| format!("{:.4}", class.error))
        .number("correlation", |(_, class)| format!("{:.4}", class.correlation));
    let mut out = stdout().lock();
    writeln!(out, "{}, scale of scores {:.0}", engine.evaluation_id().name, judgement.scale)?;
    write!(out, "\n{}", table.build())?;
    Ok(Status::Success)
}

/// Returns the numbers of pieces of a class.
pub(super) fn class_name(class: usize) -> String {
    debug_assert!(class < BUCKETS);
    format!("{}-{}", 3 * class + 1, 3 * class + 3)
}
