//! Queries of databases: `kelso egdb info`, `stats` and `probe`.

use std::io::{Write, stdout};

use super::{FolderArg, Installed};
use crate::cli::arguments::position::Positions;
use crate::cli::databases::report_errors;
use crate::cli::outcome::Outcome;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::KnownValue;
use kelso_endgames::{Content, Counts, DatabaseHeader, Databases, MAX_PIECES, Slice, default_folder};
use kelso_engine::{Probe, ProbedMove};
use kelso_reports::table::Table;
use kelso_text::plural::grouped;

#[derive(clap::Args, Debug)]
pub struct StatsArgs {
    #[command(flatten)]
    installed: Installed,
    /// Show only the totals per piece count
    #[arg(long)]
    sums: bool,
}

pub(super) fn info(folder: &FolderArg) -> Outcome {
    let (databases, valid) = folder.check(MAX_PIECES)?;
    let mut out = stdout().lock();
    let folder = folder.egdb.clone().or_else(default_folder);
    let folder = folder.map_or_else(|| "none".to_owned(), |folder| folder.display().to_string());
    writeln!(out, "directory: {folder}")?;
    let rows = info_rows(&databases);
    let table = Table::of(&rows)
        .words("", |row| row.content)
        .words("", |row| row.source)
        .number("pieces", |row| row.pieces)
        .number("slices", |row| format!("{} of {}", row.slices, Slice::all(row.pieces..=row.pieces).len()))
        .number("positions", |row| grouped(row.positions))
        .number("bytes", |row| grouped(row.bytes));
    write!(out, "{}", table.build())?;
    Ok(valid.into())
}

struct InfoRow {
    content: Content,
    source: &'static str,
    pieces: u32,
    slices: usize,
    positions: u64,
    bytes: u64,
}

impl InfoRow {
    /// Returns the key by which rows are combined.
    fn key(&self) -> (bool, u32, &'static str) {
        (self.content == Content::Distances, self.pieces, self.source)
    }
}

/// Lists the installed databases by content, pieces and source.
fn info_rows(databases: &Databases) -> Vec<InfoRow> {
    let mut parts = Vec::new();
    for (header, path) in databases.files() {
        let &DatabaseHeader { content, slice, counts, .. } = header;
        let source = if path.is_none() { "built in" } else { "files" };
        let pieces = slice.pieces();
        let positions = counts.total();
        let bytes = header.size();
        parts.push(InfoRow { content, source, pieces, slices: 1, positions, bytes });
    }
    parts.sort_by_key(InfoRow::key);
    let mut rows: Vec<InfoRow> = Vec::new();
    for part in parts {
        match rows.last_mut().filter(|row| row.key() == part.key()) {
            Some(row) => {
                row.slices += part.slices;
                row.positions += part.positions;
                row.bytes += part.bytes;
            }
            None => rows.push(part),
        }
    }
    rows
}

pub(super) fn stats(args: &StatsArgs) -> Outcome {
    let (databases, valid) = args.installed.folder.check(args.installed.pieces)?;
    let mut rows: Vec<(String, Counts)> = Vec::new();
    let mut headers: Vec<&DatabaseHeader> =
        databases.files().filter(|(h, _)| h.content == Content::Results).map(|(header, _)| header).collect();
    headers.sort_by_key(|header| (header.slice.pieces(), header.slice));
    if !args.sums {
        rows.extend(headers.iter().map(|header| (header.slice.to_string(), header.counts)));
    }
    for pieces in 2..=MAX_PIECES {
        let mut sum = Counts::default();
        let mut missing_slices = Slice::all(pieces..=pieces).len();
        for header in headers.iter().filter(|header| header.slice.pieces() == pieces) {
            sum += header.counts;
            missing_slices -= 1;
        }
        if sum.total() > 0 {
            rows.push((format!("{pieces}{}", if missing_slices == 0 { "" } else { " (incomplete)" }), sum));
        }
    }
    let table = Table::of(&rows)
        .words("slice", |(name, _)| name.clone())
        .number("positions", |(_, counts)| grouped(counts.total()))
        .number("wins", |(_, counts)| grouped(counts.results.wins))
        .number("losses", |(_, counts)| grouped(counts.results.losses))
        .number("draws", |(_, counts)| grouped(counts.results.draws))
        .number("with capture", |(_, counts)| grouped(counts.captures));
    write!(stdout().lock(), "{}", table.build())?;
    Ok(valid.into())
}

#[derive(clap::Args, Debug)]
pub struct ProbeArgs {
    #[command(flatten)]
    folder: FolderArg,
    #[command(flatten)]
    positions: Positions,
}

pub(super) fn probe(args: &ProbeArgs) -> Outcome {
    let positions = args.positions.all()?;
    let (databases, valid) = args.folder.open(MAX_PIECES)?;
    let mut out = stdout().lock();
    let mut is_complete = valid;
    for position in positions {
        let probe = Probe::of(&databases, &position);
        is_complete &= probe.known.is_some();
        writeln!(out, "{}: {}", fen::format(&position), describe(probe.known))?;
        for ProbedMove { mv, known: value, errors } in probe.best_first() {
            let errors = errors.map_or_else(String::new, |errors| format!(", {errors}"));
            writeln!(out, "  {}: {}{errors}", movetext::format(&position, mv), describe(value))?;
        }
    }
    is_complete &= report_errors(&databases);
    Ok(is_complete.into())
}

fn describe(ending: Option<KnownValue>) -> String {
    match ending {
        Some(KnownValue { wdl, plies: Some(plies) }) => format!("{wdl} in {plies}"),
        Some(KnownValue { wdl, .. }) => wdl.to_string(),
        None => "unknown".to_owned(),
    }
}
