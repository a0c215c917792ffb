//! `kelso train data`: what is in files of positions, and new files made of them.

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::super::shared::Overwrite;
use super::input::{Input, bytes_bar};
use super::{Outcome, interrupt, interrupted, say, share};
use common::checkpoint::CheckpointError;
use common::count::{counted, grouped};
use training::SampleHeader;
use training::data::{CopyCounts, OnProgress, SampleCounts, SampleFiles, SampleSummary};

/// What to do with files of positions.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Summarise files, and report errors in them
    Info(Input),
    /// Keep only the first of equal positions
    Dedup(OneOut),
    /// Divide games at random
    Split(SplitArgs),
    /// Merge games into one file
    Merge(OneOut),
}

#[derive(clap::Args, Debug)]
struct OneOut {
    #[command(flatten)]
    input: Input,
    /// Write the games to FILE
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

#[derive(clap::Args, Debug)]
struct SplitArgs {
    #[command(flatten)]
    input: Input,
    /// Share of the games in the first file, from 0 to 1
    #[arg(long, default_value_t = 0.05, value_parser = share)]
    share: f64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the first part to FILE
    #[arg(long, value_name = "FILE")]
    out_a: PathBuf,
    /// Write all other games to FILE
    #[arg(long, value_name = "FILE")]
    out_b: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// Does what the arguments ask for.
pub(super) fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Info(input) => run_info(input),
        Command::Merge(args) => args.copy(&|source, watch| source.merge(&args.out, watch)),
        Command::Dedup(args) => args.copy(&|source, watch| source.dedup(&args.out, watch)),
        Command::Split(args) => {
            let outputs = [("--out-a", args.out_a.as_path()), ("--out-b", &args.out_b)];
            let out = outputs.map(|(_, path)| path);
            copy(&args.input, &args.overwrite, &outputs, &|source, watch| {
                source.split(args.share, args.seed, out, watch)
            })
        }
    }
}

fn open(input: &Input) -> anyhow::Result<SampleFiles> {
    SampleFiles::open(&input.files()?).map_err(anyhow::Error::from)
}

type Copy<'a> = &'a dyn Fn(&SampleFiles, OnProgress<'_>) -> Result<Option<CopyCounts>, CheckpointError>;

impl OneOut {
    fn copy(&self, work: Copy<'_>) -> Outcome {
        copy(&self.input, &self.overwrite, &[("--out", &self.out)], work)
    }
}

fn copy(input: &Input, overwrite: &Overwrite, outputs: &[(&'static str, &Path)], work: Copy<'_>) -> Outcome {
    let out: Vec<&Path> = outputs.iter().map(|(_, path)| *path).collect();
    let files = input.files_but(&out)?;
    let declared = overwrite.outputs().reads(&files);
    outputs.iter().fold(declared, |declared, (option, path)| declared.writes_file(option, path)).check()?;
    let source = SampleFiles::open(&files)?;
    let interrupt = interrupt::listen();
    let bar = bytes_bar(source.bytes());
    let copied = work(&source, &mut |bytes| {
        bar.set_position(bytes);
        !interrupt.is_stopped()
    });
    bar.finish_and_clear();
    let Some(copied) = copied? else {
        say("stopped: nothing was written");
        return Ok(interrupted());
    };
    for error in &copied.left_out {
        say(&format!("{error}: left out"));
    }
    let mut console = stdout().lock();
    writeln!(console, "read {}, {}", counted(copied.read.0, "game"), counted(copied.read.1, "position"))?;
    for (path, (games, positions)) in out.iter().zip(&copied.written) {
        writeln!(
            console,
            "{}: {}, {}",
            path.display(),
            counted(*games, "game"),
            counted(*positions, "position")
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn run_info(input: &Input) -> Outcome {
    let source = open(input)?;
    let interrupt = interrupt::listen();
    let bar = bytes_bar(source.bytes());
    let summary = source.summary(&mut |bytes| {
        bar.set_position(bytes);
        !interrupt.is_stopped()
    });
    bar.finish_and_clear();
    let mut out = stdout().lock();
    for ((path, head), count) in source.files().iter().zip(&summary.files) {
        writeln!(out, "{}", file_line(path, head, *count))?;
    }
    for problem in &summary.problems {
        writeln!(out, "problem: {problem}")?;
    }
    write!(out, "{}", table(&summary))?;
    if !summary.finished {
        say("stopped: this is a part of it");
        return Ok(interrupt::status(&interrupt));
    }
    Ok(if summary.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn file_line(path: &Path, head: &SampleHeader, (games, positions): (u64, u64)) -> String {
    let settings = head.settings().map(|(name, value)| format!("{name} {}", value.escape_debug())).join(", ");
    format!("{}: {}, {}; {settings}", path.display(), counted(games, "game"), counted(positions, "position"))
}

#[expect(clippy::cast_precision_loss, reason = "rounded for people")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// Writing to a string can't fail.
fn table(summary: &SampleSummary) -> String {
    let all = &summary.all;
    let games: u64 = summary.files.iter().map(|file| file.0).sum();
    let mut text = format!(
        "\n{}, {}, {:.1} a game; {:.1}% repeated\n\n",
        counted(games, "game"),
        counted(all.samples, "position"),
        percent(all.samples, games) / 100.0,
        percent(summary.repeated, all.samples)
    );
    let _ = writeln!(
        text,
        "{:<6} {:>13} {:>6} {:>6} {:>6} {:>6} {:>10} {:>10}",
        "pieces", "positions", "%", "won", "drawn", "lost", "decided", "mean score"
    );
    let mut row = |name: &str, row: &SampleCounts| {
        let [lost, drawn, won] = row.results.map(|count| percent(count, row.samples));
        let _ = writeln!(
            text,
            "{name:<6} {:>13} {:>6.1} {won:>6.1} {drawn:>6.1} {lost:>6.1} {:>9.1}% {:>10.1}",
            grouped(row.samples),
            percent(row.samples, all.samples),
            percent(row.decided, row.samples),
            row.mean_score()
        );
    };
    for (pieces, counts) in summary.pieces.iter().enumerate().filter(|(_, row)| row.samples > 0) {
        row(&pieces.to_string(), counts);
    }
    row("all", all);
    text
}
