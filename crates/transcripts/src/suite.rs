//! Many transcripts at once.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::runner::{Run, Settings, run};
use super::source::Case;
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
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.get().min(cases.len()) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index).filter(|_| !settings.stop.is_stopped()) else { return };
                    let result = run(&case.transcript, settings);
                    let failed = result.is_err();
                    // If nobody listens any more, there is nothing more to do.
                    if sender.send((index, result)).is_err() || failed {
                        next.store(cases.len(), Ordering::Relaxed);
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut told = 0;
        for (index, result) in results {
            early.insert(index, result?);
            while let Some(run) = early.remove(&told) {
                tell(told, run);
                told += 1;
            }
        }
        Ok(())
    })
}
