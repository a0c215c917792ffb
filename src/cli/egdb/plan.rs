//! `kelso egdb plan`.

use std::io::{Write, stdout};

use super::{FolderArg, Wanted};
use crate::cli::{Json, Outcome, Status};
use common::count::grouped;
use common::table::Table;
use endgames::{Job, Slice};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    place: FolderArg,
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    json: Json,
}

#[expect(clippy::cast_precision_loss, reason = "rounded for people")]
pub(super) fn run(args: &Args) -> Outcome {
    let request = args.wanted.request(args.place.folder().unwrap_or_default(), 1);
    let plan = request.plan();
    let is_there = |job: &Job| {
        job.slices.iter().all(|&slice| request.folder.join(job.content.file_name(slice)).exists())
    };
    let mut out = stdout().lock();
    let names = |slices: &[Slice]| slices.iter().map(ToString::to_string).collect::<Vec<_>>();
    if args.json.json {
        let jobs: Vec<_> = plan
            .iter()
            .map(|job| {
                serde_json::json!({
                    "content": job.content.to_string(),
                    "slices": names(&job.slices),
                    "needs": names(&job.needs),
                    "positions": job.estimate.positions,
                    "memory": job.memory,
                    "least_memory": job.least_memory,
                    "scratch": job.scratch,
                    "bytes": job.estimate.bytes,
                    "seconds": job.estimate.seconds,
                    "there": is_there(job),
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&jobs).unwrap_or_default())?;
        return Ok(Status::Success);
    }
    let alike = |job: &Job| {
        let pieces = job.slices.first().map_or(0, |slice| slice.pieces());
        let alike: Vec<Slice> = job.needs.iter().copied().filter(|slice| slice.pieces() == pieces).collect();
        names(&alike).join(" ")
    };
    let table = Table::of(&plan)
        .words("", |job| job.content)
        .words("slices", |job| names(&job.slices).join(" "))
        .words("needs first", alike)
        .number("positions", |job| grouped(job.estimate.positions))
        .number("MiB memory", |job| grouped(job.memory.div_ceil(1 << 20)))
        .number("least MiB", |job| grouped(job.least_memory.div_ceil(1 << 20)))
        .number("MB scratch", |job| grouped(job.scratch.div_ceil(1_000_000)))
        .number("kB on disk", |job| grouped(job.estimate.bytes.div_ceil(1000)))
        .number("core seconds", |job| format!("{:.1}", job.estimate.seconds))
        .words("", |job| if is_there(job) { "built" } else { "" });
    write!(out, "{}", table.build())?;
    let (needs, estimate) = (request.needs(), request.estimate());
    let (pairs, positions) = (plan.len(), grouped(estimate.positions));
    let (megabytes, hours) = (estimate.bytes as f64 / 1e6, estimate.seconds / 3600.0);
    let [memory, least] = [needs.memory, needs.least_memory].map(|bytes| grouped(bytes.div_ceil(1 << 20)));
    writeln!(
        out,
        "{pairs} pairs of slices, {positions} positions: about {megabytes:.1} MB on disk, {hours:.1} hours of one core, \
         {memory} MiB of memory, at least {least} MiB"
    )?;
    Ok(Status::Success)
}
