//! The plan of a build, slice by slice: for users, and for schedulers that run slices as jobs.

use super::distances::DistanceRule;
use super::job::LARGE;
use super::needs::{disk, least, memory};
use super::pair::Rule;
use super::request::{Estimate, Request, measured};
use super::results::ResultRule;
use super::table::table_size;
use crate::header::Content;
use crate::index::Index;
use crate::slice::Slice;
use crate::value::BestResult;

/// A slice and its twin, which are solved together.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// The kind of values.
    pub content: Content,
    /// The slice and its twin, or the slice alone if it is its own twin.
    pub slices: Vec<Slice>,
    /// The slices that must be built before.
    pub needs: Vec<Slice>,
    /// Positions, bytes of the files and time of both.
    pub estimate: Estimate,
    /// Bytes of memory on one thread, with all tables.
    pub memory: u64,
    /// Bytes of memory with the tables on the disk.
    pub least_memory: u64,
    /// Bytes of those tables.
    pub scratch: u64,
}

impl Request {
    /// Returns the jobs in an order in which they can be done.
    #[must_use]
    pub fn plan(&self) -> Vec<Job> {
        let results = self.pairs(Content::Results).into_iter().map(job::<ResultRule>);
        results.chain(self.pairs(Content::Distances).into_iter().map(job::<DistanceRule>)).collect()
    }
}

/// The memory and disk space of a running build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The least bytes of memory.
    pub least_memory: u64,
    /// Bytes of memory with which no slice is solved on the disk, one at a time.
    pub memory: u64,
    /// The maximum bytes of temporary files.
    pub scratch: u64,
}

impl Request {
    /// Returns the memory and disk space that the build needs while it runs.
    #[must_use]
    pub fn needs(&self) -> Needs {
        let plan = self.plan();
        let most = |of: &dyn Fn(&Job) -> u64| plan.iter().map(of).max().unwrap_or(0);
        let threads = self.threads.max(1) as u64;
        // Several at a time may not fit in memory where each alone would.
        let fits = |job: &Job| job.memory * threads <= self.memory && job.estimate.positions < LARGE;
        let largest = most(&|job| if fits(job) { 0 } else { job.scratch });
        let tables = |job: &Job| job.slices.iter().map(|&slice| table_size::<BestResult>(slice)).sum::<u64>();
        let kept = if plan.iter().all(fits) { 0 } else { self.scratch };
        let all = plan.iter().filter(|job| job.content == Content::Results).map(tables).sum();
        Needs {
            least_memory: most(&|job| job.least_memory),
            memory: most(&|job| job.memory),
            scratch: (largest * threads).max(kept).min(all),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn job<R: Rule>(pair: Slice) -> Job {
    let slices: Vec<Slice> = pair.both().collect();
    let positions = slices.iter().map(|&slice| Index::new(slice).len()).sum();
    let (nanoseconds, millibits) = measured(R::CONTENT, pair);
    Job {
        content: R::CONTENT,
        needs: pair.needs(),
        estimate: Estimate {
            positions,
            bytes: positions * millibits / 8000,
            seconds: positions as f64 * nanoseconds as f64 / 1e9,
        },
        memory: memory::<R>(&[(pair, false)]).total(),
        least_memory: least::<R>(pair),
        scratch: disk::<R>(pair),
        slices,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn jobs_come_after_what_they_need_and_add_up() {
        let request = Request {
            folder: std::path::PathBuf::new(),
            pieces: 8,
            distances: 4,
            slices: Vec::new(),
            threads: 1,
            memory: 0,
            scratch: 0,
            share: false,
        };
        let plan = request.plan();
        let mut done = HashSet::new();
        for job in &plan {
            assert!(job.needs.iter().all(|&slice| done.contains(&(job.content, slice))), "{job:?}");
            done.extend(job.slices.iter().map(|&slice| (job.content, slice)));
        }
        let positions = |pieces| -> u64 {
            let of = |job: &&Job| job.content == Content::Results && job.slices[0].pieces() == pieces;
            plan.iter().filter(of).map(|job| job.estimate.positions).sum()
        };
        assert_eq!((positions(7), positions(8)), (34_243_113_624, 403_190_250_561));
    }
}
