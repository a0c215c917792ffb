//! The plan of a build: memory, disk space and time of each slice, for users and for schedulers that run
//! slices as jobs.

use std::collections::HashSet;

use super::BuildRequest;
use super::distances::DistanceRule;
use super::job::LARGE;
use super::pair::Rule;
use super::results::ResultRule;
use super::table::table_size;
use crate::index::Index;
use crate::value::BestResult;
use crate::{Content, Slice};

pub(super) struct MemoryNeed {
    /// The slices whose tables must be in memory.
    pub(super) needed: HashSet<Slice>,
    /// Size of the needed tables in bytes.
    tables: u64,
    /// All other memory, in bytes.
    pub(super) own: u64,
}

impl MemoryNeed {
    pub(super) const fn total(&self) -> u64 {
        self.tables + self.own
    }
}

/// Memory in bytes that mapped files occupy between two releases of their pages.
const WINDOW: u64 = 48 << 20;
/// Memory in bytes needed to compress a slice.
const CODING: u64 = 4 << 20;

/// Returns the memory needed to solve these pairs at the same time. The flag says whether a pair's tables are
/// on disk.
pub(super) fn memory<R: Rule>(pairs: &[(Slice, bool)]) -> MemoryNeed {
    let mut needed = HashSet::new();
    let mut own = 0;
    for &(slice, on_disk) in pairs {
        let tables = slice.both().map(table_size::<R::Best>).sum::<u64>();
        own += R::working_memory(&Index::new(slice)) + CODING.min(tables);
        if on_disk {
            own += WINDOW.min(disk::<R>(slice) / 4);
        } else {
            needed.extend(slice.needs());
            own += tables;
        }
    }
    let tables = needed.iter().map(|&slice| table_size::<R::Best>(slice)).sum();
    MemoryNeed { needed, tables, own }
}

/// Returns the minimum memory for a slice and its twin.
pub(super) fn least<R: Rule>(pair: Slice) -> u64 {
    let [in_memory, on_disk] = [false, true].map(|on_disk| memory::<R>(&[(pair, on_disk)]).total());
    in_memory.min(on_disk)
}

/// Returns the total size in bytes of the files in which a slice and its twin are solved if they do not fit
/// in memory.
pub(super) fn disk<R: Rule>(pair: Slice) -> u64 {
    pair.both().chain(pair.needs()).map(table_size::<R::Best>).sum()
}

/// A unit of work: a slice and its twin, which are solved together.
#[derive(Clone, PartialEq, Debug)]
pub struct BuildJob {
    /// The kind of values to compute.
    pub content: Content,
    /// The slice and its twin, or the slice alone if it is its own twin.
    pub slices: Vec<Slice>,
    /// The slices that must be built first.
    pub needs: Vec<Slice>,
    /// The cost of building these slices.
    pub cost: Cost,
}

/// The estimated cost of a job or a whole build.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Cost {
    /// Positions to solve.
    pub positions: u64,
    /// Total size of the files in bytes.
    pub bytes: u64,
    /// Time on one processor core, in seconds.
    pub seconds: f64,
    /// Memory in bytes that one thread needs to solve every slice in memory.
    pub memory: u64,
    /// Memory in bytes with the tables on disk.
    pub least_memory: u64,
    /// Maximum disk space in bytes for tables on disk, or for all temporary files of a build.
    pub scratch: u64,
}

impl BuildRequest {
    /// Returns the jobs in an order in which they can run.
    #[must_use]
    pub fn plan(&self) -> Vec<BuildJob> {
        let results = self.pairs(Content::Results).into_iter().map(job::<ResultRule>);
        results.chain(self.pairs(Content::Distances).into_iter().map(job::<DistanceRule>)).collect()
    }

    /// Estimates the cost of the whole build, as if no files existed yet.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let threads = self.threads.max(1) as u64;
        let (mut sum, mut tables, mut kept) = (Cost::default(), 0, 0);
        for BuildJob { content, slices, cost, .. } in self.plan() {
            sum.positions += cost.positions;
            sum.bytes += cost.bytes;
            sum.seconds += cost.seconds;
            sum.memory = sum.memory.max(cost.memory);
            sum.least_memory = sum.least_memory.max(cost.least_memory);
            // Jobs that fit in memory individually may not fit together.
            if cost.memory * threads > self.memory || cost.positions >= LARGE {
                sum.scratch = sum.scratch.max(cost.scratch * threads);
                kept = self.scratch;
            }
            if content == Content::Results {
                tables += slices.into_iter().map(table_size::<BestResult>).sum::<u64>();
            }
        }
        Cost { scratch: sum.scratch.max(kept).min(tables), ..sum }
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn job<R: Rule>(pair: Slice) -> BuildJob {
    let slices: Vec<Slice> = pair.both().collect();
    let positions = slices.iter().map(|&slice| Index::new(slice).len()).sum();
    let (nanoseconds, millibits) = measured(R::CONTENT, pair);
    let cost = Cost {
        positions,
        bytes: positions * millibits / 8000,
        seconds: positions as f64 * nanoseconds as f64 / 1e9,
        memory: memory::<R>(&[(pair, false)]).total(),
        least_memory: least::<R>(pair),
        scratch: disk::<R>(pair),
    };
    BuildJob { content: R::CONTENT, slices, needs: pair.needs(), cost }
}

/// Returns, per position of a slice, the processor time in nanoseconds and the disk space in thousandths of a
/// bit, as measured for all slices of up to seven pieces and some slices of eight.
const fn measured(content: Content, slice: Slice) -> (u64, u64) {
    let pieces = slice.pieces();
    match content {
        Content::Results => {
            (result_nanoseconds(pieces, slice.kings_only()), result_millibits(pieces, slice.lead()))
        }
        Content::Distances => match pieces {
            ..=4 => (220, 1740),
            _ => (150, 2300),
        },
    }
}

/// Without men, all positions form one block, which exceeds every cache if there are many pieces.
const fn result_nanoseconds(pieces: u32, kings_only: bool) -> u64 {
    match pieces {
        ..=4 => 190,
        5 => 90,
        6 => 75,
        _ if kings_only => 270,
        _ => 105,
    }
}

/// Slices with equal numbers of pieces need most of the space.
const fn result_millibits(pieces: u32, lead: u32) -> u64 {
    match (pieces, lead) {
        (..=4, _) => 133,
        (..=6, 0) => 270,
        (_, 0) => 266,
        (..=6, 1) => 84,
        (_, 1) => 114,
        (..=6, 2) => 8,
        (_, 2) => 13,
        (_, 3) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn jobs_come_after_what_they_need_and_add_up() {
        let plan = BuildRequest { pieces: 8, distances: 4, ..BuildRequest::default() }.plan();
        let mut done = HashSet::new();
        for job in &plan {
            assert!(job.needs.iter().all(|&slice| done.contains(&(job.content, slice))), "{job:?}");
            done.extend(job.slices.iter().map(|&slice| (job.content, slice)));
        }
        let positions = |pieces| -> u64 {
            let of = |job: &&BuildJob| job.content == Content::Results && job.slices[0].pieces() == pieces;
            plan.iter().filter(of).map(|job| job.cost.positions).sum()
        };
        assert_eq!((positions(7), positions(8)), (34_243_113_624, 403_190_250_561));
    }
}
