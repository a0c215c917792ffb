//! Joins the finished shards of an analysis.

use super::Args;
use crate::cli::say;
use analysis::store::{AnalysisHeader, Store};
use anyhow::{anyhow, bail};
use common::checkpoint::{self, Checkpoint, CheckpointError, CheckpointHeader, Loaded};
use tournament::schedule::Shard;

/// Joins states that agree in all but their shards.
pub(super) fn join(args: &Args) -> anyhow::Result<Store> {
    let states = args.input.files();
    let mut common: Option<AnalysisHeader> = None;
    for state in states {
        let Loaded { header, .. } =
            checkpoint::read::<AnalysisHeader>(state, args.run.lenient.leniency().salvage, &mut drop)?;
        let header = AnalysisHeader { shard: Shard::WHOLE.to_string(), ..header };
        match &common {
            None => common = Some(header),
            Some(first) => {
                if let Some(difference) = first.difference(&header) {
                    let state = state.display();
                    bail!("\"{state}\" belongs to another analysis than the first state: {difference}");
                }
                if let Some(difference) =
                    first.changed_program(&header).filter(|_| !args.run.lenient.leniency().any_program)
                {
                    return Err(CheckpointError::ChangedProgram { path: state.clone(), difference }.into());
                }
            }
        }
    }
    let header = common.ok_or_else(|| anyhow!("no states to join"))?;
    let mut joined = Checkpoint::create(&args.run.out, header, args.run.mode().overwrite)?;
    let mut failure = None;
    for state in states {
        let Loaded { damage, .. } =
            checkpoint::read::<AnalysisHeader>(state, args.run.lenient.leniency().salvage, &mut |record| {
                if let Err(error) = joined.add(&record) {
                    failure.get_or_insert(error);
                }
            })?;
        for damage in damage {
            say(&format!("note: {}, {damage}; this game is left out", state.display()));
        }
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(joined.finish()?),
    }
}
