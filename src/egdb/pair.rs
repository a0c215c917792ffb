//! Solving a slice together with its twin, block by block.

use std::ops::AddAssign;
use std::sync::Arc;

use super::bits::rotate;
use super::block::{Block, Ways, men};
use super::coverage::Coverage;
use super::header::Content;
use super::index::Index;
use super::node::Node;
use super::slice::Slice;
use super::table::{Cells, Table, Tables};
use super::walk::Walk;
use super::wld;

/// How many positions of a slice are what.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Won by the side to move.
    pub wins: u64,
    /// Lost by it.
    pub losses: u64,
    /// Neither.
    pub draws: u64,
    /// Of all these, how many have a capture for the side to move.
    pub captures: u64,
}

impl Counts {
    fn add(&mut self, result: u8) {
        match result {
            wld::WIN => self.wins += 1,
            wld::LOSS => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Number of positions.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.wins + self.losses + self.draws
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
        self.captures += other.captures;
    }
}

/// What is known while a block is solved.
pub(super) struct Known<'a, C> {
    /// The slices that captures lead to.
    pub(super) tables: &'a Tables<C>,
    /// The pair's own tables as far as they are solved: by the side to move.
    pub(super) own: [&'a Table<C>; 2],
    /// Where each side's promotions lead.
    pub(super) crowned: [Option<&'a Table<C>>; 2],
}

impl<C> Known<'_, C> {
    pub(super) fn ways(&self, side: usize) -> Ways<'_> {
        Ways { twin: &self.own[1 - side].index, crowned: self.crowned[side].map(|table| &table.index) }
    }
}

/// What a side can choose from, as values of the positions that it can move to.
pub(super) trait Choose: Default {
    /// The value for the side to move where it has no pieces.
    const LOST: u8;
    /// The value for the side to move where the other side has none.
    const WON: u8;

    /// Adds the value of a position that the side can move to. The answer is whether more of them can change anything.
    fn add(&mut self, value: u8) -> bool;

    /// The value of choosing well; without any choice, a loss at once.
    fn value(&self) -> u8;
}

/// A way to value positions.
pub(super) trait Rule {
    type Cells: Cells;
    type Choice: Choose;

    /// What its files are called.
    const CONTENT: Content;
    /// The most distances of a context that pay in its files.
    const OFFSETS: usize;

    /// Bytes that it needs for blocks of a slice.
    fn working_memory(index: &Index) -> u64;

    fn new() -> Self;

    /// Values every position of a block.
    fn solve(&mut self, block: &Block, known: &Known<'_, Self::Cells>);

    /// The value of a position that has been solved, by side to move and ranks.
    fn value(&self, block: &Block, side: usize, ranks: [usize; 2]) -> u8;

    /// The value without its distance, if it has one.
    fn result(value: u8) -> u8;
}

/// A slice that has just been solved.
pub(super) struct Solution<C> {
    pub(super) table: Arc<Table<C>>,
    pub(super) counts: Counts,
}

/// Solves a slice and its twin: one solution if they are the same, else the slice's first. `go_on` is told how
/// many positions are done, now and then; nothing comes back if it answers no.
pub(super) fn solve<R: Rule>(
    slice: Slice,
    tables: &Tables<R::Cells>,
    mut go_on: impl FnMut(u64) -> bool,
) -> Option<Vec<Solution<R::Cells>>> {
    let slices = [slice, slice.twin()];
    let alone = slices[0] == slices[1];
    let mut own: Vec<Table<R::Cells>> =
        slices.iter().take(if alone { 1 } else { 2 }).map(|&slice| Table::new(slice)).collect();
    let mut counts = vec![Counts::default(); own.len()];
    let second = own.len() - 1;
    let crowned = slices.map(|slice| slice.crowned().and_then(|slice| tables.of(slice)));
    let index = own[0].index.clone();
    let twin = own[second].index.clone();
    let mut block = Block::new(&index);
    let mut rule = R::new();
    let mut since = 0;
    let mut done = 0u64;
    for men in men(&index) {
        done += 1;
        let turned = [rotate(men[1]), rotate(men[0])];
        // In a slice that is its own twin, each block is met twice.
        let symmetric = alone && turned == men;
        if alone && !symmetric && !first_of_two(men, turned) {
            continue;
        }
        since += block.len() + 1;
        if since > 1 << 18 {
            since = 0;
            if !go_on(done * index.kings_len() * own.len() as u64) {
                return None;
            }
        }
        {
            let known = Known { tables, own: [&own[0], &own[second]], crowned };
            block.place(men, [Some(known.ways(0)), Some(known.ways(1))]);
            rule.solve(&block, &known);
        }
        for side in 0..if symmetric { 1 } else { 2 } {
            let which = if side == 0 { 0 } else { second };
            let (index, men) = if side == 0 { (&index, men) } else { (&twin, turned) };
            let mut number = index.men(men[0], men[1]) * index.kings_len();
            let cells = &mut own[which].cells;
            let counts = &mut counts[which];
            block.in_order(side, |ranks| {
                let value = rule.value(&block, side, ranks);
                counts.add(R::result(value));
                cells.set(number, value);
                if block.node(side, ranks).can_capture() {
                    counts.captures += 1;
                }
                number += 1;
            });
        }
    }
    let solutions = own.into_iter().zip(counts);
    Some(solutions.map(|(table, counts)| Solution { table: Arc::new(table), counts }).collect())
}

/// The value of a position in which the side to move must capture.
pub(super) fn by_captures<R: Rule>(node: &Node, tables: &Tables<R::Cells>) -> u8 {
    let mut choice = R::Choice::default();
    node.captures(&mut |child| {
        choice.add(match child.own() {
            0 => R::Choice::LOST,
            _ => tables.value(child).unwrap_or(0),
        })
    });
    choice.value()
}

/// Gives the positions with a capture their values in a table that has those which are stored.
pub(super) fn complete_captures<R: Rule>(table: &mut Table<R::Cells>, tables: &Tables<R::Cells>) {
    let index = table.index.clone();
    let mut walk = Walk::from(&index, 0);
    for number in 0..index.len() {
        if walk.node().can_capture() {
            table.cells.set(number, by_captures::<R>(walk.node(), tables));
        }
        walk.step();
    }
}

/// Gives the positions that are left out of a file their values, from those that they lead to: see
/// [`super::coverage`]. The table that has them is the slice's own if it is its own twin.
pub(super) fn complete_left_out<R: Rule>(
    table: &mut Table<R::Cells>,
    twin: Option<&Table<R::Cells>>,
    coverage: Coverage,
) {
    if coverage == Coverage::Quiet {
        return;
    }
    let index = table.index.clone();
    let mut walk = Walk::from(&index, 0);
    for number in 0..index.len() {
        let node = walk.node();
        if !node.can_capture() && coverage.leaves_out(node) {
            let mut choice = R::Choice::default();
            node.quiet_moves(&mut |child| {
                let next = twin.unwrap_or(table);
                choice.add(next.cells.get(next.index.of(child)))
            });
            table.cells.set(number, choice.value());
        }
        walk.step();
    }
}

/// Whether placements of the men come in this order: see [`men`].
fn first_of_two(one: [u64; 2], other: [u64; 2]) -> bool {
    one[0] > other[0] || one[0] == other[0] && one[1] < other[1]
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashMap;

    use super::super::index::Index;
    use super::*;

    /// Every slice of 2 up to so many pieces, solved in memory.
    pub(in super::super) fn solve_all<R: Rule>(pieces: u32) -> HashMap<Slice, Solution<R::Cells>> {
        let mut solved: HashMap<Slice, Solution<R::Cells>> = HashMap::new();
        for slice in Slice::pairs(2..=pieces) {
            let tables = Tables::new(slice.needs().iter().map(|needed| Arc::clone(&solved[needed].table)));
            for solution in solve::<R>(slice, &tables, |_| true).unwrap() {
                solved.insert(solution.table.index.slice, solution);
            }
        }
        solved
    }

    #[test]
    fn solving_stops_when_told() {
        let slice: Slice = "11v11".parse().unwrap();
        let solved = solve_all::<wld::ResultRule>(4);
        let tables = Tables::new(slice.needs().iter().map(|needed| Arc::clone(&solved[needed].table)));
        let mut asked = 0;
        let stopped = solve::<wld::ResultRule>(slice, &tables, |_| {
            asked += 1;
            false
        });
        assert!(stopped.is_none());
        assert_eq!(asked, 1);
    }

    #[test]
    fn placements_come_after_those_that_they_lead_to() {
        for slice in Slice::all(2..=4) {
            let all: Vec<_> = men(&Index::new(slice)).collect();
            assert_eq!(all.len() as u64, Index::new(slice).men_len());
            assert!(all.windows(2).all(|pair| first_of_two(pair[0], pair[1])), "{slice}");
        }
    }
}
