//! Solves a slice together with its twin, block by block.

use super::block::{MenBlock, Ranks, men};
use super::table::{SolvedTables, Tables, ValueTable};
use super::{BuildResult, Poll};
use crate::bits::rotate;
use crate::coverage::Coverage;
use crate::index::{Index, to_usize};
use crate::node::Node;
use crate::value::StoredValue;
use crate::walk::Walk;
use crate::{Content, Counts};
use kelso_draughts::board::Color;

/// A kind of value and its solver.
pub(super) trait Solver {
    type Cell: StoredValue;

    const CONTENT: Content = Self::Cell::CONTENT;
    /// The maximum useful number of offsets in a context.
    const OFFSETS: usize;

    /// Returns the working memory in bytes for blocks of a slice.
    fn working_memory(index: &Index) -> u64;

    fn new(index: &Index) -> Self;

    /// Solves every position of a block. `poll` is called regularly with the number of [`PARTS`] done.
    fn solve(
        &mut self,
        block: &MenBlock,
        tables: &SolvedTables<'_, Self::Cell>,
        poll: Poll<'_>,
    ) -> BuildResult;

    fn value(&self, block: &MenBlock, side: Color, ranks: Ranks) -> Self::Cell;
}

/// A slice with its twin.
pub(super) struct SlicePair<V> {
    /// The values of the slice and of its twin, or a single table if it is its own twin.
    pub(super) own: Vec<ValueTable<V>>,
    pub(super) counts: Vec<Counts>,
}

/// Number of parts into which a block is divided to report progress.
pub(super) const PARTS: u64 = 1 << 10;
/// Number of positions between calls of `poll`.
const POLL_INTERVAL: usize = 1 << 18;

impl<V: StoredValue> SlicePair<V> {
    pub(super) fn new(own: Vec<ValueTable<V>>) -> Self {
        let counts = vec![Counts::default(); own.len()];
        Self { own, counts }
    }

    /// Solves both slices. `poll` is called regularly with the number of positions done.
    pub(super) fn solve<R: Solver<Cell = V>>(&mut self, tables: &Tables<V>, poll: Poll<'_>) -> BuildResult {
        let Some(second) = self.own.len().checked_sub(1) else { return Ok(()) };
        let alone = second == 0;
        let index = self.own[0].index.clone();
        let slices = [index.slice, index.slice.twin()];
        let crowned = slices.map(|slice| slice.crowned().and_then(|slice| tables.table(slice)));
        let mut block = MenBlock::new(&index);
        let mut rule = R::new(&index);
        let kings: u64 = self.own.iter().map(|own| own.index.kings_len()).sum();
        let mut since = 0;
        for (men, done) in men(&index).zip((0..).step_by(to_usize(kings))) {
            let turned = [rotate(men[1]), rotate(men[0])];
            // In a slice that is its own twin, each block occurs twice.
            let symmetric = alone && turned == men;
            if alone && !symmetric && !first_of_two(men, turned) {
                continue;
            }
            since += block.len() + 1;
            if since > POLL_INTERVAL {
                since = 0;
                poll(done)?;
            }
            let solved = SolvedTables { tables, own: [&self.own[0], &self.own[second]], crowned };
            block.set_men(men, &solved);
            rule.solve(&block, &solved, &mut |parts| poll(done + kings * parts / PARTS))?;
            let sides = [(Color::Black, 0, men), (Color::White, second, turned)];
            for (side, which, [own, enemy]) in sides.into_iter().take(if symmetric { 1 } else { 2 }) {
                let table = &mut self.own[which];
                let mut number = table.index.men(own, enemy) * table.index.kings_len();
                let counts = &mut self.counts[which];
                block.in_order(side, |ranks| {
                    let value = rule.value(&block, side, ranks);
                    counts.results.count(value.wdl());
                    table.set(number, value);
                    if block.node(side, ranks).can_capture() {
                        counts.captures += 1;
                    }
                    number += 1;
                });
            }
        }
        Ok(())
    }
}

/// Returns the value of a position in which the side to move must capture.
#[expect(clippy::expect_used, reason = "a missing value would make all values before it wrong")]
pub(super) fn by_captures<V: StoredValue>(node: &Node, tables: &Tables<V>) -> V {
    let mut best = V::LOST;
    node.captures(&mut |child| {
        best.add(match child.own() {
            0 => V::LOST,
            _ => tables.value(child).expect("the slices that captures lead to are solved first"),
        })
    });
    best
}

/// Returns the value of a position with captures. Without a capture, returns the value of the best quiet move
/// of a man, or an immediate loss, and the number of king moves.
#[inline]
pub(super) fn first_value<V: StoredValue>(
    block: &MenBlock,
    side: Color,
    ranks: Ranks,
    node: &Node,
    solved: &SolvedTables<'_, V>,
) -> (V, u8) {
    if node.can_capture() {
        return (by_captures(node, solved.tables), 0);
    }
    let mut best = V::LOST;
    block.advances(side, ranks, node, solved, |value| best.add(value));
    (best, node.king_moves())
}

/// Computes the values that the files of a slice and its twin leave out. The successors of these positions
/// are in the other table, or in the same table if the slice is its own twin: see `kelso_endgames::coverage`.
pub(super) fn complete_left_out<V: StoredValue>(
    tables: &mut [ValueTable<V>],
    coverages: &[Coverage],
    poll: &dyn Fn() -> BuildResult,
) -> BuildResult {
    let last = tables.len() - 1;
    for (own, &coverage) in coverages.iter().enumerate().filter(|(_, coverage)| **coverage != Coverage::Quiet)
    {
        let index = tables[own].index.clone();
        let mut walk = Walk::from(&index, 0);
        for number in 0..index.len() {
            if number.is_multiple_of(POLL_INTERVAL as u64) {
                poll()?;
            }
            if !walk.node.can_capture() && coverage.leaves_out(&walk.node) {
                let next = &tables[last - own];
                let mut best = V::LOST;
                walk.node.quiet_moves(&mut |child| best.add(next.get(next.index.number(child))));
                tables[own].set(number, best);
            }
            walk.step();
        }
    }
    Ok(())
}

fn first_of_two(one: [u64; 2], other: [u64; 2]) -> bool {
    one[0] > other[0] || one[0] == other[0] && one[1] < other[1]
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::*;
    use crate::Slice;
    use crate::index::Index;

    /// A slice that has been solved.
    pub(crate) struct Solution<V> {
        pub(crate) table: Arc<ValueTable<V>>,
        pub(crate) counts: Counts,
    }

    /// Returns the tables that a slice depends on.
    pub(crate) fn tables<V: StoredValue>(solved: &HashMap<Slice, Solution<V>>, slice: Slice) -> Tables<V> {
        Tables::new(slice.needs().iter().map(|needed| Arc::clone(&solved[needed].table)))
    }

    pub(crate) fn unsolved<V: StoredValue>(slice: Slice) -> SlicePair<V> {
        SlicePair::new(slice.both().map(|slice| ValueTable::new(slice).unwrap()).collect())
    }

    /// Solves every slice of 2 to `pieces` pieces in memory.
    pub(crate) fn solve_all<R: Solver>(pieces: u32) -> HashMap<Slice, Solution<R::Cell>> {
        let mut solved: HashMap<Slice, Solution<R::Cell>> = HashMap::new();
        for slice in Slice::pairs(2..=pieces) {
            let mut pair = unsolved(slice);
            pair.solve::<R>(&tables(&solved, slice), &mut |_| Ok(())).unwrap();
            for (table, counts) in pair.own.into_iter().zip(pair.counts) {
                solved.insert(table.index.slice, Solution { table: Arc::new(table), counts });
            }
        }
        solved
    }

    #[test]
    fn placements_follow_their_successors() {
        for slice in Slice::all(2..=4) {
            let all: Vec<_> = men(&Index::new(slice)).collect();
            assert_eq!(all.len() as u64, Index::new(slice).men_len());
            assert!(all.windows(2).all(|pair| first_of_two(pair[0], pair[1])), "{slice}");
        }
    }
}
