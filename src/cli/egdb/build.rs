//! `kelso egdb build`.

use anyhow::{anyhow, bail};
use std::fmt;
use std::fs;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState};

use super::super::interrupt;
use super::super::progress::{bar, rate};
use super::super::shared::{Threads, cores};
use super::super::values::within;
use super::super::{Outcome, interrupted, say};
use super::{FolderArg, PIECES, Wanted, request, time};
use common::count::{counted, grouped};
use common::lock::Lock;
use common::stop::StopToken;
use endgames::{
    BuildError, BuildObserver, Content, Estimate, FileError, Header, Request, Slice, Sources, build,
    check_folder,
};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    place: FolderArg,
    #[command(flatten)]
    threads: Threads,
    /// Maximum memory, in MiB
    #[arg(long, default_value_t = 2048, value_name = "MIB", value_parser = within(32..=1_u64 << 24))]
    memory: u64,
    /// Disk space for tables that do not fit in memory and are needed again, in MiB
    ///
    /// A slice that does not fit in memory is solved in files in any case.
    #[arg(long, default_value_t = 16384, value_name = "MIB", value_parser = within(0..=1_u64 << 24))]
    scratch: u64,
    /// Share the work with other processes, on this machine or others, that build in the same directory
    #[arg(long)]
    share: bool,
}

/// Memory of the program itself.
const PROGRAM: u64 = 16 << 20;

const BAR: &str = "{msg:17} {wide_bar} {percent:>3}%  {pace:>13}  {left} left";

/// The speed of a build: at first the expected one, then more and more the measured one, since one slow slice says little
/// about the others.
struct Pace {
    /// Expected positions a second.
    expected: f64,
    /// The start of this build, and the positions that were done then.
    since: Mutex<(Instant, u64)>,
}

impl Pace {
    /// The time after which both count the same.
    const TRUST: Duration = Duration::from_secs(60);

    fn new(estimate: Estimate, threads: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let expected = estimate.positions as f64 / estimate.seconds.max(1e-6) * threads as f64;
        Self { expected, since: Mutex::new((Instant::now(), 0)) }
    }

    fn begin(&self, position: u64) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), position);
    }

    fn per_second(&self, position: u64) -> f64 {
        let (began, start) = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let done = position.saturating_sub(start) as f64;
        pace(self.expected, done, began.elapsed())
    }
}

fn pace(expected: f64, done: f64, time: Duration) -> f64 {
    let trust = Pace::TRUST.as_secs_f64();
    (expected * trust + done) / (trust + time.as_secs_f64())
}

fn build_bar(length: u64, pace: &Arc<Pace>) -> ProgressBar {
    let bar = bar(length, BAR);
    let (of_pace, of_left) = (Arc::clone(pace), Arc::clone(pace));
    // Writing to a string cannot fail.
    let style = bar
        .style()
        .with_key("pace", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = write!(out, "{}", rate(of_pace.per_second(state.pos())));
        })
        .with_key("left", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let left = state.len().unwrap_or(0).saturating_sub(state.pos()) as f64;
            let _ = write!(out, "{}", time(left / of_left.per_second(state.pos()).max(1e-6)));
        });
    bar.set_style(style);
    // While tables are read only the time changes.
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// Shows a build on standard error.
struct BuildProgress {
    interrupt: StopToken,
    bar: ProgressBar,
    pace: Arc<Pace>,
    began: Instant,
    counts: Mutex<Vec<Header>>,
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
        // Existing files say nothing about the time of the rest.
        self.pace.begin(self.bar.position());
    }

    fn on_finish(&self, header: &Header, _: Duration) {
        if let Ok(mut counts) = self.counts.lock() {
            counts.push(*header);
        }
    }

    fn on_problem(&self, path: &Path, error: &FileError) {
        self.bar.suspend(|| say(&format!("error: cannot use \"{}\": {error}", path.display())));
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let request = Request {
        memory: (args.memory << 20).saturating_sub(PROGRAM),
        scratch: args.scratch << 20,
        share: args.share,
        ..args.wanted.request(args.place.folder()?, args.threads.count())
    };
    // Without --share two builds would write the same files.
    let _lock = if request.share { None } else { Some(lock(&request.folder)?) };
    let estimate = request.estimate();
    #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
    let (megabytes, seconds) = (estimate.bytes as f64 / 1e6, estimate.seconds / request.threads as f64);
    let needs = request.needs();
    let scratch = match needs.scratch.div_ceil(1_000_000) {
        0 => String::new(),
        scratch => format!(" (and up to {} MB of temporary files)", grouped(scratch)),
    };
    say(&format!(
        "building {} in {}: about {megabytes:.1} MB on disk{scratch}, {} MiB of memory (at least {}), {} on {}, \
         less for existing files",
        counted(estimate.positions, "position"),
        request.folder.display(),
        grouped(args.memory),
        grouped((needs.least_memory + PROGRAM).div_ceil(1 << 20)),
        time(seconds),
        counted(request.threads as u64, "thread"),
    ));
    let pace = Arc::new(Pace::new(estimate, request.threads));
    let progress = BuildProgress {
        interrupt: interrupt::listen(),
        bar: build_bar(estimate.positions, &pace),
        pace,
        began: Instant::now(),
        counts: Mutex::default(),
    };
    let built = build(&request, &progress);
    progress.bar.finish_and_clear();
    match built {
        Ok(()) => {
            let written = progress.counts.into_inner().unwrap_or_default();
            let bytes: u64 = written.iter().map(Header::size).sum();
            writeln!(
                stdout().lock(),
                "{} slices written, {} bytes, in {:.1} s: {}",
                written.len(),
                grouped(bytes),
                progress.began.elapsed().as_secs_f64(),
                request.folder.display()
            )?;
            Ok(ExitCode::SUCCESS)
        }
        Err(BuildError::Stopped) => {
            say(&BuildError::Stopped.to_string());
            Ok(interrupted())
        }
        Err(BuildError::Memory(slice, bytes)) => Err(anyhow!(
            "--memory {} is too small: slice {slice} needs {} MiB even with its tables on the disk",
            args.memory,
            (bytes + PROGRAM).div_ceil(1 << 20)
        )),
        Err(error) => Err(anyhow!("{error}; finished slices are kept")),
    }
}

/// Locks a folder against other builds.
fn lock(folder: &Path) -> anyhow::Result<Lock> {
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

/// Prints the tip on a terminal.
pub(in super::super) fn tip() {
    if let Some(text) = tip_text() {
        say(&text);
    }
}

/// Returns a tip about endgame databases for a user who has none, if standard error is a terminal.
pub(in super::super) fn tip_text() -> Option<String> {
    let folder = Sources::default().folder?;
    if !stderr().is_terminal() || check_folder(&folder).is_ok() {
        return None;
    }
    let request = request(folder, PIECES, cores());
    let estimate = request.estimate();
    #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
    let (megabytes, seconds) = (estimate.bytes as f64 / 1e6, estimate.seconds / request.threads as f64);
    Some(format!(
        "tip: with endgame databases of {PIECES} pieces Kelso plays such endings without error.\n\
         \"kelso egdb build\" makes them in about {}, {megabytes:.0} MB.",
        time(seconds)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_at_first_what_is_expected_and_then_what_was_done() {
        let at = |done, seconds| rate(pace(1e6, done, Duration::from_secs(seconds)));
        assert_eq!(at(0.0, 0), "1,000,000/s");
        // A first slice that reports nothing for a while, or was partly there.
        assert_eq!(at(0.0, 30), "666,667/s");
        assert_eq!(at(3e6, 1), "1,032,787/s");
        assert_eq!(at(60.0 * 4e6, 60), "2,500,000/s");
        assert_eq!(at(36_000.0 * 2e6, 36_000), "1,998,336/s");
    }
}
