//! Many transcripts at once.

use std::num::NonZeroUsize;

use super::runner::{Run, Settings, run};
use super::source::Case;
use common::pool::{self, InOrder, Queue};
use players::process::SpawnError;

/// Runs transcripts, several at a time, and tells of each in the order in which they were given.
///
/// After [`StopToken::stop`](common::stop::StopToken::stop) no more are begun.
///
/// # Errors
///
/// When an engine can't be started; then no more are begun, and those that are running are not told of.
pub fn run_all(
    cases: &[&Case],
    settings: &Settings,
    jobs: NonZeroUsize,
    mut tell: impl FnMut(usize, Run),
) -> Result<(), SpawnError> {
    // Once it is stopped no more are begun.
    let queue = Queue::new(cases.iter().enumerate().take_while(|_| !settings.stop.is_stopped()));
    let replay = |(), report: &dyn Fn((usize, Result<Run, SpawnError>))| {
        while let Some((index, case)) = queue.next() {
            report((index, run(&case.transcript, settings)));
        }
    };
    let mut order = InOrder::default();
    let workers = vec![(); jobs.get().min(cases.len())];
    pool::run(
        workers,
        replay,
        || queue.close(),
        |replayed| {
            if let Some((index, run)) = replayed {
                order.add(index, (index, run?)).for_each(|(index, run)| tell(index, run));
            }
            Ok(true)
        },
    )?;
    Ok(())
}
