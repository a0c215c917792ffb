//! `kelso train data`: summarises and deduplicates position files.

use std::io::{Write, stdout};
use std::path::Path;

use super::input::{self, SampleInput};
use crate::cli::arguments::files::OutFile;
use crate::cli::arguments::subcommands::subcommands;
use crate::cli::outcome::{INCOMPLETE, NOTHING_KEPT, Outcome, say};
use kelso_batch::error::RunError;
use kelso_draughts::result::WdlCounts;
use kelso_reports::statistics::{percent, percents};
use kelso_reports::table::Table;
use kelso_text::plural::{counted, grouped};
use kelso_training::SampleHeader;
use kelso_training::data::{DataSize, SampleCounts, SampleFiles, SampleSummary};
use kelso_training::fit::losses::ExcessLoss;

subcommands! {
    /// Summarise or deduplicate position files
    pub struct Args;

    /// Summarise files, and report errors in them
    Info(SampleInput) => info;
    /// Keep only the first occurrence of each position, in one file
    Dedup(DedupArgs) => dedup;
}

#[derive(clap::Args, Debug)]
pub struct DedupArgs {
    #[command(flatten)]
    input: SampleInput,
    #[command(flatten)]
    out: OutFile,
}

fn dedup(args: &DedupArgs) -> Outcome {
    let out: &Path = &args.out.out;
    let files = args.input.files_but(&[out])?;
    let _outputs = args.out.reading(&files).check()?;
    let source = SampleFiles::open(&files)?;
    let (copied, work) = input::read(&source, |watch| source.deduplicate(out, watch));
    let Some(copied) = copied? else { return Ok(work.end(NOTHING_KEPT)) };
    for error in &copied.left_out {
        say(&match error {
            RunError::Damaged { path, fault, .. } => {
                format!("note: \"{}\": the last game is left out: {fault}", path.display())
            }
            error => format!("note: {error}"),
        });
    }
    let mut console = stdout().lock();
    writeln!(console, "read {}", size(copied.read))?;
    writeln!(console, "{}: {}", out.display(), size(copied.written))?;
    Ok(copied.left_out.is_empty().into())
}

fn info(input: &SampleInput) -> Outcome {
    let source = SampleFiles::open(&input.files_but(&[])?)?;
    let (summary, work) = input::read(&source, |watch| source.summary(watch));
    let mut out = stdout().lock();
    for ((path, head), count) in source.files.iter().zip(&summary.files) {
        writeln!(out, "{}", file_line(path, head, *count))?;
    }
    for error in &summary.errors {
        writeln!(out, "error: {error}")?;
    }
    write!(out, "{}", table(&summary))?;
    if !summary.finished {
        return Ok(work.end(INCOMPLETE));
    }
    Ok((summary.errors.is_empty()).into())
}

fn size(DataSize { games, samples }: DataSize) -> String {
    format!("{}, {}", counted(games, "game"), counted(samples, "position"))
}

fn file_line(path: &Path, head: &SampleHeader, found: DataSize) -> String {
    let settings = head.settings().map(|(name, value)| format!("{name} {}", value.escape_debug())).join(", ");
    format!("{}: {}; {settings}", path.display(), size(found))
}

/// A row of the table: the number of pieces, the counts, the share of the positions in percent, and the
/// losses.
type SampleRow<'a> = (String, &'a SampleCounts, f64, ExcessLoss);

/// Formats the share of the wins, draws or losses of a row.
fn result((_, counts, ..): &SampleRow<'_>, index: usize) -> String {
    let WdlCounts { wins, draws, losses } = counts.results;
    format!("{:.1}", percents([wins, draws, losses])[index])
}

fn table(summary: &SampleSummary) -> String {
    let all = &summary.all;
    let games: u64 = summary.files.iter().map(|file| file.games).sum();
    let shares = percents(summary.pieces.iter().map(|counts| counts.samples));
    let mut losses = ExcessLoss::default();
    for pieces in &summary.losses {
        losses.merge(pieces);
    }
    let pieces = summary.pieces.iter().zip(shares).zip(&summary.losses).enumerate();
    let pieces =
        pieces.map(|(pieces, ((counts, share), &losses))| (pieces.to_string(), counts, share, losses));
    let pieces = pieces.filter(|(_, counts, ..)| counts.samples > 0);
    let rows: Vec<SampleRow<'_>> = pieces.chain([("all".to_owned(), all, 100.0, losses)]).collect();
    let table = Table::of(&rows)
        .words("pieces", |(pieces, ..)| pieces.clone())
        .number("positions", |(_, counts, ..)| grouped(counts.samples))
        .number("%", |(_, _, share, _)| format!("{share:.1}"))
        .number("won", |row| result(row, 0))
        .number("drawn", |row| result(row, 1))
        .number("lost", |row| result(row, 2))
        .number("decided", |(_, counts, ..)| format!("{:.1}%", percent(counts.decided, counts.samples)))
        .number("mean score", |(_, counts, ..)| format!("{:.2}", counts.mean_score() / 100.0))
        .optional("excess loss", |(.., losses)| {
            (losses.samples > 0).then(|| format!("{:.4}", losses.excess()))
        });
    let mean = percent(all.samples, games) / 100.0;
    let repeated = percent(summary.repeated, all.samples);
    let games = counted(games, "game");
    let positions = counted(all.samples, "position");
    format!("\n{games}, {positions}, {mean:.1} per game; {repeated:.1}% repeated\n\n{}", table.build())
}
