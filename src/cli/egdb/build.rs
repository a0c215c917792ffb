//! `kelso egdb build`.

use std::fs;
use std::io::{self, IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::super::interrupt::Interrupt;
use super::super::progress::bar;
use super::super::{Failure, INTERRUPTED, Outcome, say, threads};
use super::{DISTANCES, FolderArg, PIECES, What, time};
use crate::common::count::{counted, grouped};
use crate::common::lock::Lock;
use crate::egdb::{
    BuildError, BuildWatch, Content, FileError, Header, Request, Slice, Sources, build, check_folder,
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
const BAR: &str = "{msg:16} {wide_bar} {percent:>3}%  {per_sec:>13}  {eta} left";

/// Shows a build on standard error.
struct BuildProgress {
    interrupt: Interrupt,
    bar: ProgressBar,
    began: Instant,
    counts: Mutex<Vec<Header>>,
}

impl BuildWatch for BuildProgress {
    fn go_on(&self) -> bool {
        !self.interrupt.has_come()
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
        self.bar.reset_eta();
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
    let progress = BuildProgress {
        interrupt: Interrupt::listen()?,
        bar: bar(estimate.positions, BAR),
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
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(error) => Err(Failure(format!("{error}; finished slices are kept"))),
    }
}

/// Keeps other builds away from a folder.
fn lock(folder: &Path) -> Result<Lock, Failure> {
    let failed = |error: io::Error| Failure(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    Lock::take(&folder.join("build.lock")).map_err(failed)?.ok_or_else(|| {
        let folder = folder.display();
        Failure(format!("another build is at work in {folder}: wait for its end, or give both --share"))
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
