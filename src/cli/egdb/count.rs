//! `kelso egdb info` and `stats`.

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use super::super::Outcome;
use super::super::shared::cores;
use super::{FolderArg, MaxPieces, request, time};
use common::count::{counted, grouped};
use common::table::Table;
use endgames::{Content, Counts, Databases, Estimate, Header, MAX_PIECES, Request, Slice, default_folder};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    place: FolderArg,
    #[command(flatten)]
    pieces: MaxPieces,
    /// Show only the sums for each number of pieces
    #[arg(long)]
    sums: bool,
}

#[expect(clippy::cast_precision_loss, reason = "rounded for people")]
pub(super) fn info(place: &FolderArg) -> Outcome {
    let (databases, sound) = place.check(MAX_PIECES)?;
    let mut out = stdout().lock();
    match place.dir.clone().or_else(default_folder) {
        Some(folder) => writeln!(out, "directory: {}", folder.display())?,
        None => writeln!(out, "directory: none")?,
    }
    let threads = cores();
    let missing = missing(&databases);
    let mut rows = installed(&databases);
    rows.extend(missing.iter().map(|(content, pieces, slices, Estimate { positions, bytes, seconds })| {
        InfoRow {
            content: *content,
            source: "to be built",
            pieces: *pieces,
            slices: slices.to_string(),
            positions: *positions,
            bytes: format!("~{}", grouped(*bytes)),
            time: format!("~{}", time(seconds / threads as f64)),
        }
    }));
    let table = Table::of(&rows)
        .words("", |row| row.content)
        .words("", |row| row.source)
        .number("pieces", |row| row.pieces)
        .number("slices", |row| row.slices.clone())
        .number("positions", |row| grouped(row.positions))
        .number("bytes", |row| row.bytes.clone())
        .number("time", |row| row.time.clone());
    write!(out, "{}", table.build())?;
    if !missing.is_empty() {
        let threads = counted(threads as u64, "thread");
        writeln!(out, "time: on {threads}; build with kelso egdb build --pieces N or --distances N")?;
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A line of the list of databases.
struct InfoRow {
    content: Content,
    source: &'static str,
    pieces: u32,
    slices: String,
    positions: u64,
    bytes: String,
    time: String,
}

/// Lists the installed databases by content, pieces and source.
fn installed(databases: &Databases) -> Vec<InfoRow> {
    let mut rows = Vec::new();
    for content in Content::BOTH {
        for pieces in 2..=MAX_PIECES {
            for (compiled_in, source) in [(true, "compiled in"), (false, "files")] {
                let files: Vec<&Header> = databases
                    .files()
                    .filter(|(header, path)| {
                        let header = (header.content, header.slice.pieces());
                        header == (content, pieces) && path.is_none() == compiled_in
                    })
                    .map(|(header, _)| header)
                    .collect();
                if !files.is_empty() {
                    rows.push(InfoRow {
                        content,
                        source,
                        pieces,
                        slices: format!("{} of {}", files.len(), Slice::all(pieces..=pieces).len()),
                        positions: files.iter().map(|header| header.counts.total()).sum(),
                        bytes: grouped(files.iter().map(|header| header.size()).sum()),
                        time: String::new(),
                    });
                }
            }
        }
    }
    rows
}

/// Lists databases that could be built, by content and pieces, with the number of slices and an estimate.
fn missing(databases: &Databases) -> Vec<(Content, u32, usize, Estimate)> {
    let there: HashSet<(Content, Slice)> =
        databases.files().map(|(header, _)| (header.content, header.slice)).collect();
    let distances = Request::MAX_DISTANCE_PIECES;
    let everything = Request { distances, ..request(PathBuf::new(), MAX_PIECES, 1) };
    let mut rows: Vec<(Content, u32, usize, Estimate)> = Vec::new();
    for job in everything.plan() {
        let pieces = job.slices.first().map_or(0, |slice| slice.pieces());
        if job.slices.iter().all(|&slice| there.contains(&(job.content, slice))) {
            continue;
        }
        if rows.last().is_none_or(|row| (row.0, row.1) != (job.content, pieces)) {
            rows.push((job.content, pieces, 0, Estimate::default()));
        }
        if let Some((_, _, slices, sum)) = rows.last_mut() {
            *slices += job.slices.len();
            *sum += job.estimate;
        }
    }
    rows
}

pub(super) fn stats(args: &Args) -> Outcome {
    let (databases, sound) = args.place.check(args.pieces.pieces)?;
    let mut rows: Vec<(String, Counts)> = Vec::new();
    let mut all: Vec<&Header> =
        databases.files().filter(|(h, _)| h.content == Content::Results).map(|(header, _)| header).collect();
    all.sort_by_key(|header| (header.slice.pieces(), header.slice));
    if !args.sums {
        rows.extend(all.iter().map(|header| (header.slice.to_string(), header.counts)));
    }
    for pieces in 2..=MAX_PIECES {
        let mut sum = Counts::default();
        let mut missing = Slice::all(pieces..=pieces).len();
        for header in all.iter().filter(|header| header.slice.pieces() == pieces) {
            sum += header.counts;
            missing -= 1;
        }
        if sum.total() > 0 {
            rows.push((format!("{pieces}{}", if missing == 0 { "" } else { " (incomplete)" }), sum));
        }
    }
    let table = Table::of(&rows)
        .words("slice", |(name, _)| name.clone())
        .number("positions", |(_, counts)| grouped(counts.total()))
        .number("wins", |(_, counts)| grouped(counts.wins))
        .number("losses", |(_, counts)| grouped(counts.losses))
        .number("draws", |(_, counts)| grouped(counts.draws))
        .number("with capture", |(_, counts)| grouped(counts.captures));
    write!(stdout().lock(), "{}", table.build())?;
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
