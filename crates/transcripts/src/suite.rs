//! Replays many transcripts.

use std::num::NonZeroUsize;

use super::runner::{CaseRun, ReplaySettings, run};
use super::source::Case;
use kelso_batch::pool::{self, InOrder};
use kelso_process::SpawnError;

/// Replays transcripts concurrently, and calls `report` with each result in the order of the transcripts.
///
/// After [`StopToken::stop`](kelso_runtime::stop::StopToken::stop), no more transcripts are started. The same
/// holds if an engine cannot be started; in that case, transcripts still running are not reported.
pub fn run_all(
    cases: &[&Case],
    settings: &ReplaySettings,
    jobs: NonZeroUsize,
    mut report: impl FnMut(usize, CaseRun),
) -> Result<(), SpawnError> {
    let queued = cases.iter().enumerate().take_while(|_| !settings.stop.is_stopped());
    let mut order = InOrder::default();
    let workers = vec![(); jobs.get().min(cases.len())];
    pool::divide(
        workers,
        queued,
        |(), (index, case)| (index, run(&case.transcript, settings)),
        |replayed| {
            if let Some((index, run)) = replayed {
                order.add(index, (index, run?)).for_each(|(index, run)| report(index, run));
            }
            Ok(true)
        },
    )?;
    Ok(())
}
