//! Worker threads, which take jobs and report to the calling thread. That thread collects results, shows
//! progress and decides when to stop. [`divide`] is for jobs known in advance, [`run`] for workers that find
//! their own jobs.
//!
//! ```
//! use kelso_batch::pool;
//!
//! let mut sum = 0;
//! let square = |(): &mut (), number: u64| number * number;
//! let done = pool::divide([(); 4], 1..=100, square, |square| {
//!     sum += square.unwrap_or(0);
//!     Ok::<_, ()>(true)
//! });
//! assert_eq!((done, sum), (Ok(vec![(); 4]), 338_350));
//! ```

use std::collections::BTreeMap;
use std::panic;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use kelso_runtime::sync::lock;

/// Time after which `receive` is called without a report.
const TICK_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum number of results of [`divide`] that wait to be received.
const MAX_WAITING_RESULTS: usize = 4;

/// Runs each worker on its own thread until all are done, and returns their results. If the system cannot
/// start a thread, the remaining workers are not used.
///
/// `receive` is called on the calling thread with each report, and with `None` about 20 times per second
/// while no reports arrive. If it returns `false` or an error, `halt` is called, which must make the workers
/// stop. Later reports still go to `receive`, unless it returned an error.
///
/// # Errors
///
/// The first error of `receive`.
///
/// # Panics
///
/// If a worker panics, or the system cannot start any thread. If a worker panics, `halt` is called, since
/// other workers may be waiting for that one.
pub fn run<W: Send, M: Send, R: Send, E>(
    workers: impl IntoIterator<Item = W>,
    work: impl Fn(W, &dyn Fn(M)) -> R + Sync,
    halt: impl Fn(),
    receive: impl FnMut(Option<M>) -> Result<bool, E>,
) -> Result<Vec<R>, E> {
    let (sender, receiver) = mpsc::channel();
    // The receiver outlives all senders.
    run_with((move |message| drop(sender.send(message)), receiver), workers, work, halt, receive)
}

/// Like [`run`], with a channel for the reports.
fn run_with<W: Send, M, R: Send, E>(
    (send, receiver): (impl Fn(M) + Clone + Send, Receiver<M>),
    workers: impl IntoIterator<Item = W>,
    work: impl Fn(W, &dyn Fn(M)) -> R + Sync,
    halt: impl Fn(),
    mut receive: impl FnMut(Option<M>) -> Result<bool, E>,
) -> Result<Vec<R>, E> {
    let work = &work;
    let mut outcome = Ok(());
    let has_panicked = &AtomicBool::new(false);
    let workers: Vec<_> = workers.into_iter().map(|worker| Mutex::new(Some(worker))).collect();
    let results = thread::scope(|scope| {
        let threads = workers.iter().enumerate().map_while(|(index, worker)| {
            let send = send.clone();
            let run = move || {
                let _alarm = Alarm(has_panicked);
                lock(worker).take().map(|worker| work(worker, &send))
            };
            if index == 0 {
                return Some(scope.spawn(run));
            }
            thread::Builder::new().spawn_scoped(scope, run).ok()
        });
        let threads: Vec<_> = threads.collect();
        drop(send);
        loop {
            let message = match receiver.recv_timeout(TICK_INTERVAL) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if has_panicked.swap(false, Ordering::Relaxed) {
                halt();
            }
            if outcome.is_err() {
                continue;
            }
            match receive(message) {
                Ok(true) => {}
                Ok(false) => halt(),
                Err(error) => {
                    outcome = Err(error);
                    halt();
                }
            }
        }
        threads.into_iter().filter_map(joined).collect()
    });
    outcome.map(|()| results)
}

/// Returns the result of a thread, or panics as it did.
fn joined<R>(thread: thread::ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
}

/// Reports that its thread has panicked.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs jobs, one at a time on each worker, and returns the workers. `receive` is called as in [`run`]; if it
/// returns `false` or an error, no further job is started. Workers wait while several results have not been
/// received, so that few are in memory.
///
/// # Errors
///
/// The first error of `receive`.
///
/// # Panics
///
/// If a worker panics.
pub fn divide<W: Send, J, R: Send, E>(
    workers: impl IntoIterator<Item = W>,
    jobs: impl IntoIterator<Item = J, IntoIter: Send>,
    work: impl Fn(&mut W, J) -> R + Sync,
    receive: impl FnMut(Option<R>) -> Result<bool, E>,
) -> Result<Vec<W>, E> {
    let queue = Queue::new(jobs);
    let run_jobs = |mut worker: W, report: &dyn Fn(R)| {
        while let Some(job) = queue.next() {
            report(work(&mut worker, job));
        }
        worker
    };
    let (sender, receiver) = mpsc::sync_channel(MAX_WAITING_RESULTS);
    run_with(
        (move |result| drop(sender.send(result)), receiver),
        workers,
        run_jobs,
        || queue.close(),
        receive,
    )
}

/// Divides items into equal parts, processes each, and returns the results in order, so that they do not
/// depend on the number of threads. Calls `on_progress` with the number of items done; if that returns
/// `false`, there are no results.
pub fn in_parts<T: Sync, R: Send>(
    items: &[T],
    parts: usize,
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
    on_progress: &dyn Fn(usize) -> bool,
) -> Option<Vec<R>> {
    let mut results = BTreeMap::new();
    let mut done = 0;
    let mut running = true;
    let jobs = items.chunks(items.len().div_ceil(parts).max(1)).enumerate();
    let work = |(): &mut (), (index, part): (usize, &[T])| (index, part.len(), work(part));
    let _: Result<_, ()> = divide(vec![(); threads.clamp(1, parts)], jobs, work, |result| {
        if let Some((index, count, result)) = result {
            results.insert(index, result);
            done += count;
        }
        running = running && on_progress(done);
        Ok(running)
    });
    running.then(|| results.into_values().collect())
}

/// Jobs shared by several workers.
#[derive(Debug)]
pub struct Queue<I>(Mutex<Option<I>>);

impl<I: Iterator> Queue<I> {
    /// Creates a queue of jobs.
    pub fn new(jobs: impl IntoIterator<IntoIter = I>) -> Self {
        Self(Mutex::new(Some(jobs.into_iter())))
    }

    /// Takes the next job. Returns `None` if none is left or the queue is closed.
    pub fn next(&self) -> Option<I::Item> {
        let mut jobs = lock(&self.0);
        let job = jobs.as_mut()?.next();
        if job.is_none() {
            *jobs = None;
        }
        job
    }

    /// Drops the remaining jobs.
    pub fn close(&self) {
        *lock(&self.0) = None;
    }
}

/// Puts numbered results in order, starting with number 0.
#[derive(Debug)]
pub struct InOrder<T> {
    early: BTreeMap<usize, T>,
    next: usize,
}

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self { early: BTreeMap::new(), next: 0 }
    }
}

impl<T> InOrder<T> {
    /// Adds a result, and returns the results that are next in order.
    pub fn add(&mut self, number: usize, result: T) -> impl Iterator<Item = T> {
        self.early.insert(number, result);
        std::iter::from_fn(|| {
            let result = self.early.remove(&self.next)?;
            self.next += 1;
            Some(result)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_pool_still_delivers_what_is_finished() {
        let queue = Queue::new(0_u32..);
        let mut received = Vec::new();
        let work = |(), report: &dyn Fn(u32)| {
            let mut count = 0;
            while let Some(number) = queue.next() {
                report(number);
                count += 1;
            }
            count
        };
        let counts: Result<Vec<usize>, ()> = pool(&work, &|| queue.close(), &mut |number| {
            received.extend(number);
            Ok(received.len() < 10)
        });
        assert_eq!(counts.unwrap().into_iter().sum::<usize>(), received.len());
        received.sort_unstable();
        assert!(received.len() >= 10 && received.iter().zip(0..).all(|(&number, place)| number == place));
    }

    type Work<'a> = &'a (dyn Fn((), &dyn Fn(u32)) -> usize + Sync);

    fn pool<E>(
        work: Work<'_>,
        halt: &dyn Fn(),
        receive: &mut dyn FnMut(Option<u32>) -> Result<bool, E>,
    ) -> Result<Vec<usize>, E> {
        run([(); 3], work, halt, receive)
    }

    #[test]
    fn workers_that_report_nothing_are_stopped_and_an_error_ends_the_reports() {
        let queue = Queue::new(0_u32..);
        let silent = |(), _: &dyn Fn(u32)| std::iter::from_fn(|| queue.next()).count();
        assert!(pool::<()>(&silent, &|| queue.close(), &mut |message| Ok(message.is_some())).is_ok());
        let queue = Queue::new(0_u32..);
        let loud = |(), report: &dyn Fn(u32)| std::iter::from_fn(|| queue.next()).map(report).count();
        let mut calls = 0;
        let outcome = pool(&loud, &|| queue.close(), &mut |_| {
            calls += 1;
            Err("full disk")
        });
        assert_eq!((outcome, calls), (Err("full disk"), 1));
    }

    #[test]
    fn a_panic_of_a_worker_stops_the_others() {
        let (halted, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
        let work = |number: u32, _: &dyn Fn(())| {
            assert_ne!(number, 0, "this worker panics on purpose");
            for _ in 0..10_000 {
                if halted.load(Ordering::Relaxed) {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                thread::sleep(Duration::from_millis(1));
            }
        };
        let halt = || halted.store(true, Ordering::Relaxed);
        let outcome = panic::catch_unwind(|| run(0..2, work, halt, |_| Ok::<_, ()>(true)));
        assert!(outcome.is_err() && stopped.load(Ordering::Relaxed));
    }

    #[test]
    fn parts_do_not_depend_on_the_number_of_threads() {
        let items: Vec<u32> = (0..100).collect();
        let sums = |parts, threads, on_progress: &dyn Fn(usize) -> bool| {
            in_parts(&items, parts, threads, |part| part.iter().sum::<u32>(), on_progress)
        };
        for threads in [0, 1, 2, 9] {
            let max = std::cell::Cell::new(0);
            let found = sums(4, threads, &|done| {
                max.set(done);
                true
            });
            assert_eq!((found, max.get()), (Some(vec![300, 925, 1550, 2175]), 100), "{threads}");
        }
        assert_eq!(sums(1, 2, &|_| true), Some(vec![4950]));
        assert_eq!(sums(4, 2, &|_| false), None);
        assert_eq!(sums(4, 1, &|done| done == 100), None);
    }

    #[test]
    fn each_job_is_done_once_on_one_of_the_workers() {
        let mut done = Vec::new();
        let workers = divide(
            vec![0; 3],
            1..=10_u64,
            |count, job| {
                *count += 1;
                job * job
            },
            |square| {
                done.extend(square);
                Ok::<_, ()>(true)
            },
        );
        done.sort_unstable();
        assert_eq!(done, (1..=10).map(|job| job * job).collect::<Vec<_>>());
        assert_eq!(workers.map(|counts| (counts.len(), counts.iter().sum())), Ok((3, 10)));
    }

    #[test]
    fn results_come_in_the_order_of_their_numbers() {
        let mut order = InOrder::default();
        let taken = [2, 0, 1, 4].map(|number| order.add(number, number).collect::<Vec<_>>());
        assert_eq!(taken, [vec![], vec![0], vec![1, 2], vec![]]);
    }
}
