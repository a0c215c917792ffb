//! Finished parts of an analysis, put together.

use super::super::Failure;
use super::Args;
use crate::analysis::header::Header;
use crate::analysis::store::{self, Store};
use crate::arena::schedule::Shard;

/// Makes one analysis of several states, which have to agree in all but their shards.
pub(super) fn join(args: &Args) -> Result<Store, Failure> {
    let states = args.input.files();
    let mut common: Option<Header> = None;
    for state in states {
        let (header, _) = store::read(state, &mut |_, _, _| {})?;
        let header = Header { shard: Shard::WHOLE.to_string(), ..header };
        match &common {
            None => common = Some(header),
            Some(first) => {
                if let Some(difference) = first.difference(&header, args.any_program) {
                    let state = state.display();
                    return Err(Failure(format!(
                        "{state} does not belong to the first state: of that, {difference}"
                    )));
                }
            }
        }
    }
    let header = common.ok_or_else(|| Failure("no states to join, expected one at least".to_owned()))?;
    let mut joined = Store::create(&args.out, header, args.overwrite)?;
    let mut failure = None;
    for state in states {
        store::read(state, &mut |_, _, record| {
            if let Err(error) = joined.add(&record) {
                failure.get_or_insert(error);
            }
        })?;
    }
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(joined.finish()?),
    }
}
