//! `kelso egdb build` and `plan`.

use anyhow::{anyhow, bail};
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState};

use super::{FolderArg, PIECES, Wanted, request, time};
use crate::cli::arguments::engine::{Threads, cores};
use crate::cli::arguments::files::Json;
use crate::cli::outcome::{Outcome, REPEAT, Status, interrupted, say, stop_on_signal};
use crate::cli::progress::{bar, rate};
use crate::cli::values::within;
use endgames::{
    BuildError, BuildJob, BuildObserver, BuildRequest, Content, Cost, DatabaseHeader, DatabasePaths,
    FileError, Slice, build, check_folder,
};
use reports::table::Table;
use runs::lock::Lock;
use runs::pool::lock;
use runs::stop::StopToken;
use text::plural::{counted, grouped};

#[derive(clap::Args, Debug)]
pub struct BuildArgs {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    place: FolderArg,
    #[command(flatten)]
    threads: Threads,
    /// Maximum memory, in MiB
    #[arg(long, default_value_t = 2048, value_name = "MIB", value_parser = within(32..=1_u64 << 24))]
    memory: u64,
    /// Maximum disk space for swapped tables, in MiB
    ///
    /// A slice that does not fit in memory is solved on disk, regardless of this limit.
    #[arg(long, default_value_t = 16384, value_name = "MIB", value_parser = within(0..=1_u64 << 24))]
    scratch: u64,
    /// Share the work with other processes that build in the same directory
    #[arg(long)]
    share: bool,
}

/// Memory used by the program itself.
const PROGRAM: u64 = 16 << 20;

const BAR: &str = "{msg:17} {wide_bar} {percent:>3}%  {pace:>13}  {left} left";

/// Time after which the expected and measured speeds have equal weight.
const TRUST: Duration = Duration::from_secs(60);

/// Returns the estimated number of positions per second: at first the expected speed, and increasingly the
/// measured speed, since a single slow slice says little about the others.
fn pace(expected: f64, done: f64, time: Duration) -> f64 {
    let trust = TRUST.as_secs_f64();
    (expected * trust + done) / (trust + time.as_secs_f64())
}

/// Creates the progress bar. `there` is the number of positions that earlier builds solved.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn build_bar(cost: Cost, threads: usize, there: &Arc<AtomicU64>) -> ProgressBar {
    let expected = cost.positions as f64 / cost.seconds.max(1e-6) * threads as f64;
    let there = Arc::clone(there);
    let speed = move |state: &ProgressState| {
        let done = state.pos().saturating_sub(there.load(Ordering::Relaxed));
        pace(expected, done as f64, state.elapsed())
    };
    let bar = bar(cost.positions, BAR);
    let of_left = speed.clone();
    // Writing to a string cannot fail.
    let style = bar
        .style()
        .with_key("pace", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{}", rate(speed(state)));
        })
        .with_key("left", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let left = cost.positions.saturating_sub(state.pos()) as f64;
            let _ = write!(out, "{}", time(left / of_left(state).max(1e-6)));
        });
    bar.set_style(style);
    // While tables are read, only the time changes.
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

struct BuildProgress {
    interrupt: StopToken,
    bar: ProgressBar,
    /// Number of positions solved by earlier builds.
    there: Arc<AtomicU64>,
    /// Number of slices written, and their total size in bytes.
    written: Mutex<(u64, u64)>,
}

impl BuildObserver for BuildProgress {
    fn keep_going(&self) -> bool {
        !self.interrupt.is_stopped()
    }

    fn on_read(&self, content: Content, slice: Slice) {
        self.bar.set_message(format!("{} reading", content.file_name(slice)));
    }

    fn on_solve(&self, content: Content, slice: Slice) {
        self.bar.set_message(content.file_name(slice));
    }

    fn on_compress(&self, content: Content, slice: Slice) {
        self.bar.set_message(format!("{} coding", content.file_name(slice)));
    }

    fn on_progress(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn on_resume(&self) {
        // Measure the speed without the files that already exist.
        self.there.store(self.bar.position(), Ordering::Relaxed);
        self.bar.reset_elapsed();
    }

    fn on_finish(&self, header: &DatabaseHeader) {
        let mut written = lock(&self.written);
        *written = (written.0 + 1, written.1 + header.size());
    }

    fn on_problem(&self, path: &Path, error: &FileError) {
        self.bar.suspend(|| say(&format!("error: cannot use \"{}\": {error}", path.display())));
    }
}

pub(super) fn run(args: &BuildArgs) -> Outcome {
    let request = BuildRequest {
        memory: (args.memory << 20).saturating_sub(PROGRAM),
        scratch: args.scratch << 20,
        share: args.share,
        ..args.wanted.request(args.place.folder()?, args.threads.count())
    };
    // Without --share, two builds would write the same files.
    let _lock = if request.share { None } else { Some(lock_folder(&request.folder)?) };
    let cost = request.cost();
    announce(&request, cost, args.memory);
    let (began, there) = (Instant::now(), Arc::default());
    let progress = BuildProgress {
        interrupt: stop_on_signal(),
        bar: build_bar(cost, request.threads, &there),
        there,
        written: Mutex::default(),
    };
    let built = build(&request, &progress);
    progress.bar.finish_and_clear();
    match built {
        Ok(()) => {
            let (slices, bytes) = *lock(&progress.written);
            let (bytes, seconds) = (grouped(bytes), began.elapsed().as_secs_f64());
            let folder = request.folder.display();
            writeln!(stdout().lock(), "{slices} slices written, {bytes} bytes, in {seconds:.1} s: {folder}")?;
            Ok(Status::Success)
        }
        Err(BuildError::Stopped) => Ok(interrupted(REPEAT)),
        Err(BuildError::Memory(slice, bytes)) => Err(anyhow!(
            "--memory {} is too small: slice {slice} needs {} MiB even with its tables on disk",
            args.memory,
            (bytes + PROGRAM).div_ceil(1 << 20)
        )),
        Err(error) => Err(anyhow!("{error}; finished slices are kept")),
    }
}

/// Announces what a build will produce and require.
fn announce(request: &BuildRequest, cost: Cost, memory: u64) {
    let (megabytes, time) = size_and_time(request, cost);
    let threads = counted(request.threads as u64, "thread");
    let scratch = match cost.scratch.div_ceil(1_000_000) {
        0 => String::new(),
        scratch => format!(" (and up to {} MB of temporary files)", grouped(scratch)),
    };
    let (positions, folder) = (counted(cost.positions, "position"), request.folder.display());
    let least = grouped((cost.least_memory + PROGRAM).div_ceil(1 << 20));
    let memory = grouped(memory);
    say(&format!(
        "building {positions} in {folder}: about {megabytes:.1} MB on disk{scratch}, {memory} MiB of memory \
         (at least {least}), {time} on {threads}, less if some files exist"
    ));
}

/// Returns the estimated disk space in megabytes, and the time.
#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
fn size_and_time(request: &BuildRequest, cost: Cost) -> (f64, String) {
    (cost.bytes as f64 / 1e6, time(cost.seconds / request.threads as f64))
}

fn lock_folder(folder: &Path) -> anyhow::Result<Lock> {
    if folder.exists() && !folder.is_dir() {
        bail!("\"{}\" is not a directory", folder.display());
    }
    let failed = |error: io::Error| anyhow!("cannot create \"{}\": {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    Lock::take(&folder.join("build.lock")).map_err(failed)?.ok_or_else(|| {
        let folder = folder.display();
        anyhow!("another build is running in \"{folder}\"; wait for it, or run both with --share")
    })
}

#[derive(clap::Args, Debug)]
pub struct PlanArgs {
    #[command(flatten)]
    place: FolderArg,
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    json: Json,
}

#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
pub(super) fn plan(args: &PlanArgs) -> Outcome {
    let request = args.wanted.request(args.place.folder()?, 1);
    let plan = request.plan();
    let is_there = |job: &BuildJob| {
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
                    "positions": job.cost.positions,
                    "memory": job.cost.memory,
                    "least_memory": job.cost.least_memory,
                    "scratch": job.cost.scratch,
                    "bytes": job.cost.bytes,
                    "seconds": job.cost.seconds,
                    "there": is_there(job),
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&jobs)?)?;
        return Ok(Status::Success);
    }
    let alike = |job: &BuildJob| {
        let pieces = job.slices.first().map_or(0, |slice| slice.pieces());
        let alike: Vec<Slice> = job.needs.iter().copied().filter(|slice| slice.pieces() == pieces).collect();
        names(&alike).join(" ")
    };
    let table = Table::of(&plan)
        .words("", |job| job.content)
        .words("slices", |job| names(&job.slices).join(" "))
        .words("requires", alike)
        .number("positions", |job| grouped(job.cost.positions))
        .number("MiB memory", |job| grouped(job.cost.memory.div_ceil(1 << 20)))
        .number("minimum MiB", |job| grouped(job.cost.least_memory.div_ceil(1 << 20)))
        .number("MB scratch", |job| grouped(job.cost.scratch.div_ceil(1_000_000)))
        .number("kB on disk", |job| grouped(job.cost.bytes.div_ceil(1000)))
        .number("core seconds", |job| format!("{:.1}", job.cost.seconds))
        .words("", |job| if is_there(job) { "built" } else { "" });
    write!(out, "{}", table.build())?;
    let cost = request.cost();
    let (pairs, positions) = (plan.len(), grouped(cost.positions));
    let (megabytes, hours) = (cost.bytes as f64 / 1e6, cost.seconds / 3600.0);
    let [memory, least] = [cost.memory, cost.least_memory].map(|bytes| grouped(bytes.div_ceil(1 << 20)));
    writeln!(
        out,
        "{pairs} pairs of slices, {positions} positions: about {megabytes:.1} MB on disk, {hours:.1} core hours, \
         {memory} MiB of memory, at least {least} MiB"
    )?;
    Ok(Status::Success)
}

pub(in super::super) fn tip() {
    if let Some(text) = tip_text() {
        say(&text);
    }
}

/// Returns a tip about endgame databases for a user who has none, if standard error is a terminal.
pub(in super::super) fn tip_text() -> Option<String> {
    let folder = DatabasePaths::default().folder?;
    if !stderr().is_terminal() || check_folder(&folder).is_ok() {
        return None;
    }
    let request = request(folder, PIECES, cores());
    let (megabytes, time) = size_and_time(&request, request.cost());
    Some(format!(
        "tip: with databases of {PIECES} pieces, Kelso plays such endings perfectly.\n\
         \"kelso egdb build\" builds them in about {time}, {megabytes:.0} MB."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_at_first_what_is_expected_and_then_what_was_done() {
        let at = |done, seconds| rate(pace(1e6, done, Duration::from_secs(seconds)));
        assert_eq!(at(0.0, 0), "1,000,000/s");
        // The first slice reports nothing for a while, or was partly solved earlier.
        assert_eq!(at(0.0, 30), "666,667/s");
        assert_eq!(at(3e6, 1), "1,032,787/s");
        assert_eq!(at(60.0 * 4e6, 60), "2,500,000/s");
        assert_eq!(at(36_000.0 * 2e6, 36_000), "1,998,336/s");
    }
}
