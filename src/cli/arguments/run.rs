//! Runs that can be resumed after an interruption, and parts of the work.

use clap::{Arg, ArgAction};

use super::files::Overwrite;
use crate::cli::outcome::say;
use crate::cli::progress::Progress;
use crate::cli::values::state_name;
use kelso_batch::checkpoint::{Checkpoint, CheckpointHeader, ResumePolicy};
use kelso_batch::error::RunError;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_batch::shard::Shard;

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

/// Returns the option of commands that resume an interrupted run in any case.
pub(crate) fn resume() -> Arg {
    let help = "Resume an interrupted run, or start a new one; this is also the default";
    Arg::new("resume").long("resume").action(ArgAction::SetTrue).help(help)
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
    pub(crate) fn outputs<'a, H: CheckpointHeader>(
        &self,
        more: impl IntoIterator<Item = &'a OutputPath>,
    ) -> Result<Outputs, RunError> {
        self.policy().outputs::<H>(&self.out, more)
    }

    /// Resumes or creates the checkpoint. Calls `on_item` with every item already in it.
    pub(crate) fn open<H: CheckpointHeader>(
        &self,
        header: H,
        on_item: &mut dyn FnMut(H::Item) -> anyhow::Result<()>,
    ) -> anyhow::Result<Checkpoint<H>> {
        let (checkpoint, warnings) = Checkpoint::open(&self.out, header, self.policy(), on_item)?;
        for warning in warnings {
            say(&format!("note: {warning}"));
        }
        Ok(checkpoint)
    }
}

/// A part of the work.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct ShardArg {
    /// Do part I of N
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub(crate) shard: Shard,
}
