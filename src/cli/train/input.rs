//! Position files on the command line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::cli::outcome::say;
use crate::cli::progress::bar;
use crate::cli::values::share;
use crate::cli::work::Work;
use kelso_text::plural::counted;
use kelso_training::data::{OnSamples, SampleFiles, TrainingSet};

/// Position files.
#[derive(clap::Args, Debug)]
pub struct SampleInput {
    /// Position files (.pos) or directories of them
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
}

impl SampleInput {
    /// Lists the files, with the position files in directories sorted by name. Leaves out the
    /// command's own outputs, `out`, which an earlier run may have left in these directories.
    pub(super) fn files_but(&self, out: &[&Path]) -> anyhow::Result<Vec<PathBuf>> {
        let outputs: Vec<PathBuf> = out.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
        let is_read = |file: &PathBuf| {
            let written = fs::canonicalize(file).is_ok_and(|file| outputs.contains(&file));
            if written {
                say(&format!("note: skipping \"{}\", which is the output", file.display()));
            }
            !written
        };
        let mut files = Vec::new();
        for path in &self.data {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
            let entries = entries.with_context(|| format!("cannot read \"{}\"", path.display()))?;
            let paths = entries.into_iter().map(|entry| entry.path());
            let samples = paths.filter(|path| path.extension().is_some_and(|extension| extension == "pos"));
            let mut in_folder: Vec<PathBuf> = samples.filter(is_read).collect();
            if in_folder.is_empty() {
                bail!("no .pos files in \"{}\"", path.display());
            }
            in_folder.sort();
            files.append(&mut in_folder);
        }
        Ok(files)
    }
}

/// Reads files with a progress bar, until they end or the work is interrupted. Returns the result and the
/// work.
pub(super) fn read<T>(files: &SampleFiles, read: impl FnOnce(OnSamples<'_>) -> T) -> (T, Work) {
    let work = Work::begin(bar(files.bytes, "{bytes}/{total_bytes} {wide_bar} {bytes_per_sec} {eta}"));
    let result = read(&mut |bytes| work.show_progress(bytes));
    work.clear();
    (result, work)
}

/// Training data.
#[derive(clap::Args, Debug)]
pub(super) struct TrainingInput {
    #[command(flatten)]
    input: SampleInput,
    /// Weight of the game result in the training target, from 0 to 1; the search score has the remaining
    /// weight
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub(super) blend: f64,
}

impl TrainingInput {
    pub(super) fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        self.input.files_but(&[])
    }

    /// Reads the training positions and the held-out ones, fewer after an interrupt, and returns them and the
    /// work.
    pub(super) fn read(&self) -> anyhow::Result<(TrainingSet, Work)> {
        let files = SampleFiles::open(&self.files()?)?;
        let (set, work) = read(&files, |watch| files.training_set(watch));
        let set = set?;
        let is_empty = set.train.is_empty() || set.held_out.is_empty();
        if is_empty && !work.is_interrupted() {
            bail!(
                "{} to train on and {} held out; at least one game of each is required",
                counted(set.train.len() as u64, "position"),
                set.held_out.len()
            );
        }
        Ok((set, work))
    }
}
