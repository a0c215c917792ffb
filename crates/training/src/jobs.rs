//! Work that is divided among threads.

use common::pool::{self, Queue};

/// Does jobs, one on each worker at a time, until all are done or `receive` returns false. `receive` is called with each
/// result, and now and then without one; its error ends the work.
///
/// # Errors
///
/// Returns the error of `receive`.
pub(super) fn run<W: Send, J, R: Send, E>(
    workers: impl IntoIterator<Item = W>,
    jobs: impl IntoIterator<Item = J, IntoIter: Send>,
    work: impl Fn(&mut W, J) -> R + Sync,
    receive: impl FnMut(Option<R>) -> Result<bool, E>,
) -> Result<(), E> {
    let queue = Queue::new(jobs);
    let run = |mut worker: W, report: &dyn Fn(R)| {
        while let Some(job) = queue.next() {
            report(work(&mut worker, job));
        }
    };
    pool::run(workers, run, || queue.close(), receive).map(drop)
}
