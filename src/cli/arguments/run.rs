//! Runs that can be resumed after an interruption, and parts of the work.

use std::collections::BTreeSet;

use indicatif::ProgressBar;

use super::files::Overwrite;
use crate::cli::outcome::say;
use crate::cli::progress::Progress;
use crate::cli::values::state_name;
use runs::checkpoint::{Checkpoint, CheckpointHeader, ResumePolicy};
use runs::outputs::{OutputPath, Outputs};
use runs::shard::Shard;
use runs::store::StoreError;

/// The options that permit resuming from an imperfect checkpoint.
#[derive(clap::Args, Debug)]
pub(crate) struct Lenient {
    /// Continue even if the program or an engine has changed
    #[arg(long)]
    any_program: bool,
    /// Recover what is readable from a damaged file
    #[arg(long)]
    salvage: bool,
}

impl Lenient {
    /// Returns the policy for files that are only read.
    pub(crate) fn policy(&self) -> ResumePolicy {
        ResumePolicy { any_program: self.any_program, salvage: self.salvage, ..ResumePolicy::default() }
    }
}

/// The files of a resumable run, and its progress.
#[derive(clap::Args, Debug)]
#[command(mut_arg("overwrite", |arg| arg.help("Overwrite existing files; with --resume, only reports are overwritten")))]
pub(crate) struct Run {
    /// Base name of the output files
    #[arg(long, short, value_name = "NAME", value_parser = state_name())]
    pub(crate) out: OutputPath,
    /// Resume an interrupted run, or start a new one
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) lenient: Lenient,
    #[command(flatten)]
    pub(crate) progress: Progress,
}

impl Run {
    pub(crate) fn policy(&self) -> ResumePolicy {
        let Overwrite { overwrite } = self.overwrite;
        ResumePolicy { resume: self.resume, overwrite, ..self.lenient.policy() }
    }

    /// Starts the list of the run's outputs. `more` are other files that are resumed with the checkpoint.
    pub(crate) fn outputs<H: CheckpointHeader>(&self, more: &[OutputPath]) -> Result<Outputs, StoreError> {
        self.policy().outputs::<H>(&self.out, more)
    }

    /// Resumes or creates the checkpoint. Calls `on_item` with every item already in it.
    pub(crate) fn open<H: CheckpointHeader>(
        &self,
        header: H,
        on_item: &mut dyn FnMut(H::Item),
    ) -> anyhow::Result<Checkpoint<H>> {
        let (checkpoint, warnings) = Checkpoint::open(&self.out, header, self.policy(), on_item)?;
        for warning in warnings {
            say(&format!("note: {warning}"));
        }
        Ok(checkpoint)
    }

    /// Does the numbered jobs of a run that are not in its checkpoint. Calls `on_item` with every item, old
    /// or new, and `work` with the header and the numbers of the jobs. Both `work` and this function return
    /// `true` if interrupted.
    pub(crate) fn perform<H: CheckpointHeader + Clone>(
        &self,
        header: H,
        jobs: usize,
        bar: &ProgressBar,
        mut on_item: impl FnMut(&H::Item),
        work: impl FnOnce(&H, &[usize], OnItem<'_, H>) -> Result<bool, StoreError>,
    ) -> anyhow::Result<bool> {
        let mut left: BTreeSet<usize> = (0..jobs).collect();
        let mut checkpoint = self.open(header, &mut |item| {
            if usize::try_from(H::number(&item)).is_ok_and(|number| left.remove(&number)) {
                on_item(&item);
            }
        })?;
        let left: Vec<usize> = left.into_iter().collect();
        bar.set_position((jobs - left.len()) as u64);
        bar.reset_eta();
        let header = checkpoint.header().clone();
        let stopped = work(&header, &left, &mut |item| {
            checkpoint.add(&item)?;
            on_item(&item);
            bar.inc(1);
            Ok(())
        });
        bar.finish_and_clear();
        let stopped = stopped?;
        if !stopped {
            checkpoint.finish()?;
        }
        Ok(stopped)
    }
}

/// Receives a finished item of a run.
type OnItem<'a, H> = &'a mut dyn FnMut(<H as CheckpointHeader>::Item) -> Result<(), StoreError>;

/// A part of the work.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct ShardArg {
    /// Do part I of N
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub(crate) shard: Shard,
}
