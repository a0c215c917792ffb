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
use super::super::{Outcome, interrupted, say, threads};
use super::{DISTANCES, FolderArg, PIECES, What, time};
use common::count::{counted, grouped};
use common::lock::Lock;
use common::stop::StopToken;
use endgames::{
    BuildError, BuildWatch, Content, Estimate, FileError, Header, Request, Slice, Sources, build,
    check_folder,
};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    what: What,
    #[command(flatten)]
    place: FolderArg,
    /// How many slices to solve at the same time; one for each processor core if not given
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory to use, in MiB
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u64).range(32..=1 << 24))]
    memory: u64,
    /// Disk space for tables that do not fit in memory and are needed again, in MiB
    ///
    /// A slice that does not fit in memory is solved in files of the databases' folder, whatever this says.
    #[arg(long, default_value_t = 16384, value_name = "SIZE", value_parser = clap::value_parser!(u64).range(0..=1 << 24))]
    scratch: u64,
    /// Divide the work with other processes, on this machine or others, that build in the same folder
    #[arg(long)]
    share: bool,
}

/// Memory of the program itself, with its stacks.
const PROGRAM: u64 = 16 << 20;

/// What is worked on, and how much of everything is done.
const BAR: &str = "{msg:17} {wide_bar} {percent:>3}%  {pace:>13}  {left} left";

/// How fast the work goes on. At the start that is what other builds took; what this one takes comes to count more with
/// every minute, since a slice that is slow says little of the others.
struct Pace {
    /// Positions a second by what others took.
    expected: f64,
    /// When this build went on, and how much was done.
    since: Mutex<(Instant, u64)>,
}

impl Pace {
    /// For so long what others took counts as much as what this build takes.
    const TRUST: Duration = Duration::from_secs(60);

    fn new(estimate: Estimate, threads: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let expected = estimate.positions as f64 / estimate.seconds.max(1e-6) * threads as f64;
        Self { expected, since: Mutex::new((Instant::now(), 0)) }
    }

    /// From here on it counts.
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

/// Positions a second, of which so many were done in so much time.
fn pace(expected: f64, done: f64, time: Duration) -> f64 {
    let trust = Pace::TRUST.as_secs_f64();
    (expected * trust + done) / (trust + time.as_secs_f64())
}

/// A bar that shows it.
fn build_bar(length: u64, pace: &Arc<Pace>) -> ProgressBar {
    let bar = bar(length, BAR);
    let (of_pace, of_left) = (Arc::clone(pace), Arc::clone(pace));
    // Nobody is there to hear that a string can't be written to.
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
    // Nothing is told while tables are read, and the time goes on.
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

impl BuildWatch for BuildProgress {
    fn go_on(&self) -> bool {
        !self.interrupt.is_stopped()
    }

    fn read(&self, content: Content, slice: Slice) {
        self.bar.set_message(format!("{} reading", content.file_name(slice)));
    }

    fn begin(&self, content: Content, slice: Slice) {
        self.bar.set_message(content.file_name(slice));
    }

    fn compress(&self, content: Content, slice: Slice) {
        self.bar.set_message(format!("{} coding", content.file_name(slice)));
    }

    fn advance(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn resume(&self) {
        // What was there already says nothing about the time that the rest takes.
        self.pace.begin(self.bar.position());
    }

    fn finish(&self, header: &Header, _: Duration) {
        if let Ok(mut counts) = self.counts.lock() {
            counts.push(*header);
        }
    }

    fn problem(&self, path: &Path, error: &FileError) {
        self.bar.suspend(|| say(&format!("error: {}: {error}", path.display())));
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let request = Request {
        folder: args.place.folder()?,
        pieces: args.what.pieces(),
        distances: args.what.distances(),
        slices: args.what.slice.clone(),
        threads: threads(args.threads),
        memory: (args.memory << 20).saturating_sub(PROGRAM),
        scratch: args.scratch << 20,
        share: args.share,
    };
    // Two that do not know of each other would write the same files of work.
    let _lock = if request.share { None } else { Some(lock(&request.folder)?) };
    let estimate = request.estimate();
    #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
    let (megabytes, seconds) = (estimate.bytes as f64 / 1e6, estimate.seconds / request.threads as f64);
    let needs = request.needs();
    let scratch = match needs.scratch.div_ceil(1_000_000) {
        0 => String::new(),
        scratch => format!(" and at most {} MB while it goes on", grouped(scratch)),
    };
    say(&format!(
        "building {} in {}: about {megabytes:.1} MB on disk{scratch}, {} MiB of memory of at least {}, and {} on {}, \
         less what is there already",
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
            "--memory {}, but slice {slice} needs {} MiB even with its tables on the disk",
            args.memory,
            (bytes + PROGRAM).div_ceil(1 << 20)
        )),
        Err(error) => Err(anyhow!("{error}; finished slices are kept")),
    }
}

/// Keeps other builds away from a folder.
fn lock(folder: &Path) -> anyhow::Result<Lock> {
    if folder.exists() && !folder.is_dir() {
        bail!("{} is no folder", folder.display());
    }
    let failed = |error: io::Error| anyhow!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    Lock::take(&folder.join("build.lock")).map_err(failed)?.ok_or_else(|| {
        let folder = folder.display();
        anyhow!("another build is at work in {folder}: wait for its end, or give both --share")
    })
}

/// Whoever plays or analyses on a terminal and has built no databases is told what they would give.
pub(in super::super) fn tip() {
    let Some(folder) = Sources::default().folder else { return };
    if !stderr().is_terminal() || check_folder(&folder).is_ok() {
        return;
    }
    let request = Request {
        folder,
        pieces: PIECES,
        distances: DISTANCES,
        slices: Vec::new(),
        threads: threads(None),
        memory: 0,
        scratch: 0,
        share: false,
    };
    let estimate = request.estimate();
    #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
    let (megabytes, seconds) = (estimate.bytes as f64 / 1e6, estimate.seconds / request.threads as f64);
    say(&format!(
        "tip: with endgame databases of {PIECES} pieces Kelso plays such endings without error and sees them coming; \
         kelso egdb build makes them here in about {}, {megabytes:.0} MB",
        time(seconds)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_at_first_what_is_expected_and_then_what_was_done() {
        let at = |done, seconds| rate(pace(1e6, done, Duration::from_secs(seconds)));
        assert_eq!(at(0.0, 0), "1,000,000/s");
        // A first slice that tells nothing for a while, or was there already in part.
        assert_eq!(at(0.0, 30), "666,667/s");
        assert_eq!(at(3e6, 1), "1,032,787/s");
        assert_eq!(at(60.0 * 4e6, 60), "2,500,000/s");
        assert_eq!(at(36_000.0 * 2e6, 36_000), "1,998,336/s");
    }
}
