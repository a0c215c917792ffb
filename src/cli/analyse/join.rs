//! Finished parts of an analysis, put together.

use super::super::say;
use super::Args;
use analysis::header::Header;
use analysis::store::Store;
use anyhow::{anyhow, bail};
use common::journal::{self, Found, Head, JournalError};
use tournament::schedule::Shard;

/// Makes one analysis of several states, which have to agree in all but their shards.
pub(super) fn join(args: &Args) -> anyhow::Result<Store> {
    let states = args.input.files();
    let mut common: Option<Header> = None;
    for state in states {
        let Found { header, .. } = journal::read::<Header>(state, args.rerun.leniency().salvage, &mut drop)?;
        let header = Header { shard: Shard::WHOLE.to_string(), ..header };
        match &common {
            None => common = Some(header),
            Some(first) => {
                if let Some(difference) = first.obstacle(&header) {
                    let state = state.display();
                    bail!("{state} does not belong to the first state: of that, {difference}");
                }
                if let Some(difference) =
                    first.other_program(&header).filter(|_| !args.rerun.leniency().any_program)
                {
                    return Err(JournalError::OtherProgram { path: state.clone(), difference }.into());
                }
            }
        }
    }
    let header = common.ok_or_else(|| anyhow!("no states to join, expected one at least"))?;
    let mut joined = args.rerun.create(&args.out, header)?;
    let mut failure = None;
    for state in states {
        let Found { losses, .. } =
            journal::read::<Header>(state, args.rerun.leniency().salvage, &mut |record| {
                if let Err(error) = joined.add(&record) {
                    failure.get_or_insert(error);
                }
            })?;
        for loss in losses {
            say(&format!("note: {}, {loss}; this game is lost", state.display()));
        }
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(joined.finish()?),
    }
}
