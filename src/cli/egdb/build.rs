//! `kelso egdb build`.

use std::fs;
use std::io::{self, Write, stdout};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};

use super::{FolderArg, SliceSelection};
use crate::cli::arguments::engine::Threads;
use crate::cli::arguments::run::resume;
use crate::cli::outcome::{Outcome, RESUME, Status, say};
use crate::cli::progress::bar;
use crate::cli::values::within;
use crate::cli::work::Work;
use kelso_batch::lock::Lock;
use kelso_endgames::build::{BuildError, BuildObserver, build};
use kelso_endgames::{Content, DatabaseHeader, Slice};
use kelso_runtime::sync::lock;
use kelso_text::plural::{counted, grouped};

#[derive(clap::Args, Debug)]
#[command(arg = resume())]
#[command(after_help = examples!(
    "kelso egdb build --pieces 3 --distances 3",
    "kelso egdb build --egdb db --slice 21v10 --memory 512"
))]
pub struct BuildArgs {
    #[command(flatten)]
    selection: SliceSelection,
    #[command(flatten)]
    folder: FolderArg,
    #[command(flatten)]
    threads: Threads,
    /// Maximum memory, in MiB
    #[arg(long, default_value_t = 2048, value_name = "MIB", value_parser = within(32..=1_u64 << 24))]
    memory: u64,
}

/// Memory used by the program itself.
const PROGRAM_BYTES: u64 = 16 << 20;

const BAR: &str = "{msg:17} {wide_bar} {percent:>3}%  {pace:>13}  {eta} left";

struct BuildProgress {
    work: Work,
    /// Number of slices written, and their total size in bytes.
    written: Mutex<(u64, u64)>,
}

impl BuildObserver for BuildProgress {
    fn keep_going(&self) -> bool {
        !self.work.is_interrupted()
    }

    fn on_read(&self, content: Content, slice: Slice) {
        self.work.bar.set_message(format!("{} reading", content.file_name(slice)));
    }

    fn on_solve(&self, content: Content, slice: Slice) {
        self.work.bar.set_message(content.file_name(slice));
    }

    fn on_compress(&self, content: Content, slice: Slice) {
        self.work.bar.set_message(format!("{} coding", content.file_name(slice)));
    }

    fn on_progress(&self, positions: u64) {
        self.work.bar.inc(positions);
    }

    fn on_resume(&self) {
        // Measure the speed without the files that already exist.
        self.work.bar.reset_elapsed();
        self.work.bar.reset_eta();
    }

    fn on_finish(&self, header: &DatabaseHeader) {
        let mut written = lock(&self.written);
        *written = (written.0 + 1, written.1 + header.size());
    }

    fn on_damage(&self, path: &Path) {
        self.work.say(&format!("rebuilding \"{}\", which is damaged", path.display()));
    }
}

pub(super) fn run(args: &BuildArgs) -> Outcome {
    let memory = (args.memory << 20).saturating_sub(PROGRAM_BYTES);
    let request = args.selection.request(args.folder.folder()?, args.threads.count(), memory);
    let _lock = lock_folder(&request.folder)?;
    let positions = request.positions();
    let (counted, threads) = (counted(positions, "position"), counted(request.threads as u64, "thread"));
    let folder = request.folder.display();
    say(&format!(
        "building {counted} in {folder}, except for existing files, with up to {} MiB of memory on {threads}",
        args.memory
    ));
    let began = Instant::now();
    let work = Work::begin(bar(positions, BAR));
    // While tables are read, only the time changes.
    work.bar.enable_steady_tick(Duration::from_secs(1));
    let progress = BuildProgress { work, written: Mutex::default() };
    let built = build(&request, &progress);
    progress.work.clear();
    match built {
        Ok(()) => {
            let (slices, bytes) = *lock(&progress.written);
            let bytes = grouped(bytes);
            let seconds = began.elapsed().as_secs_f64();
            let folder = request.folder.display();
            writeln!(stdout().lock(), "{slices} slices written, {bytes} bytes, in {seconds:.1} s: {folder}")?;
            Ok(Status::Success)
        }
        Err(BuildError::Stopped) => Ok(progress.work.end(RESUME)),
        Err(BuildError::Memory(slice, bytes)) => Err(anyhow!(
            "--memory {} is too small: slice {slice} needs {} MiB",
            args.memory,
            (bytes + PROGRAM_BYTES).div_ceil(1 << 20)
        )),
        Err(error) => Err(anyhow!("{error}; finished slices are kept")),
    }
}

fn lock_folder(folder: &Path) -> anyhow::Result<Lock> {
    if folder.exists() && !folder.is_dir() {
        bail!("\"{}\" is not a directory", folder.display());
    }
    let failed = |error: io::Error| anyhow!("cannot create \"{}\": {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    Lock::take(&folder.join("build.lock")).map_err(failed)?.ok_or_else(|| {
        let folder = folder.display();
        anyhow!("another build is running in \"{folder}\"; wait for it")
    })
}
