//! Solves a block for distances: the plies to the end of the game if the winner hurries and the loser delays,
//! across captures and promotions.
//!
//! Positions are settled in order of distance, so that each value is final when it is assigned: a win is one
//! ply longer than the shortest loss among its successors, and a loss is one ply longer than the longest win
//! among its successors.
//!
//! A value is 0 for a draw, and one more than the number of plies otherwise: odd for a loss, even for a win.
#![expect(
    clippy::cast_possible_truncation,
    reason = "ranks are below 2^20, and a side has at most 28 king moves"
)]

use super::block::{MenBlock, Ranks, block_bytes, block_len};
use super::pair::{PARTS, Solver, first_value};
use super::table::SolvedTables;
use super::{BuildResult, Poll};
use crate::index::Index;
use crate::value::{BestDistance, LOSS, result_of};
use kelso_draughts::board::Color;

/// The maximum number of pieces for which distances fit in a value: no ending of fewer than six pieces takes
/// more than 254 plies.
pub(super) const MAX_DISTANCE_PIECES: u32 = 5;

/// Settled by the first pass: the side to move must capture, or no king can move.
const CLOSED: u8 = 0;
/// Not lost, regardless of the king moves. Lower states count the king moves that may still save the
/// position.
const SAFE: u8 = 63;

#[derive(Clone, Copy, Default)]
struct OpenValue {
    value: u8,
    open: u8,
    /// Minimum value of a loss, given the moves of men.
    floor: u8,
}

pub(super) struct DistanceSolver {
    states: [Vec<OpenValue>; 2],
    /// Positions by value. Positions that are already settled with a smaller value are skipped.
    queue: Vec<Vec<(Color, [u32; 2])>>,
}

impl Solver for DistanceSolver {
    type Best = BestDistance;

    const OFFSETS: usize = 2;

    fn working_memory(index: &Index) -> u64 {
        block_bytes(index) + block_len(index) * 30
    }

    fn new(_: &Index) -> Self {
        Self { states: [vec![], vec![]], queue: vec![vec![]; 256] }
    }

    fn solve(
        &mut self,
        block: &MenBlock,
        tables: &SolvedTables<'_, BestDistance>,
        poll: Poll<'_>,
    ) -> BuildResult {
        let [rows, stride] = block.ranks();
        for side in Color::BOTH {
            let states = &mut self.states[side.index()];
            states.clear();
            states.resize(block.len(), OpenValue::default());
            let queue = &mut self.queue;
            for i in 0..rows {
                block.for_row(side, i, |ranks, node| {
                    let (value, moves) = first_value(block, side, ranks, node, tables);
                    let (value, open, floor) = match result_of(value) {
                        _ if moves == 0 => (value, CLOSED, 0),
                        LOSS => (0, moves, value),
                        _ => (value, SAFE, 0),
                    };
                    states[ranks[0] * stride + ranks[1]] = OpenValue { value: 0, open, floor };
                    if value > 0 {
                        queue[usize::from(value)].push((side, ranks.map(|rank| rank as u32)));
                    }
                });
            }
        }
        poll(PARTS / 2)?;
        for value in 1..=u8::MAX {
            while let Some((side, ranks)) = self.queue[usize::from(value)].pop() {
                self.settle(block, value, side, ranks.map(|rank| rank as usize));
            }
        }
        Ok(())
    }

    fn value(&self, block: &MenBlock, side: Color, ranks: Ranks) -> u8 {
        self.states[side.index()][ranks[0] * block.ranks()[1] + ranks[1]].value
    }

    fn result(value: u8) -> u8 {
        result_of(value)
    }
}

impl DistanceSolver {
    /// Settles a position unless it already has a smaller value, and propagates the value to its
    /// predecessors.
    fn settle(&mut self, block: &MenBlock, value: u8, side: Color, ranks: Ranks) {
        let stride = block.ranks()[1];
        let state = &mut self.states[side.index()][ranks[0] * stride + ranks[1]];
        if state.value != 0 {
            return;
        }
        state.value = value;
        let before = !side;
        let states = &mut self.states[before.index()];
        let queue = &mut self.queue;
        let next = value.saturating_add(1);
        block.for_steps(before, ranks, |ranks| {
            let state = &mut states[ranks[0] * stride + ranks[1]];
            if state.value != 0 || state.open == CLOSED {
                return;
            }
            let reached = if value % 2 == 1 {
                next
            } else if state.open == SAFE {
                return;
            } else {
                state.open -= 1;
                if state.open > 0 {
                    return;
                }
                next.max(state.floor)
            };
            queue[usize::from(reached)].push((before, ranks.map(|rank| rank as u32)));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::Slice;
    use crate::build::pair::tests::solve_all;
    use crate::build::results::ResultSolver;
    use crate::index::Index;
    use crate::node::Node;

    /// Computes distances by iterative deepening with the move generator of the `draughts` crate: slow, but
    /// independent of the solver.
    fn looked_ahead(pieces: u32) -> HashMap<Slice, Vec<Option<u8>>> {
        let mut places = HashMap::new();
        let mut successors: Vec<Vec<(Slice, u64)>> = Vec::new();
        let mut all = Vec::new();
        for slice in Slice::all(2..=pieces) {
            places.insert(slice, successors.len());
            let index = Index::new(slice);
            for number in 0..index.len() {
                let position = index.node(number).position().unwrap();
                let after =
                    position.moves().iter().map(|&mv| Node::of(&position.after(mv))).collect::<Vec<_>>();
                // An empty slice stands for a side without pieces, which has lost.
                let of = |node: &Node| match node.own() {
                    0 => (Slice { men: [0; 2], kings: [0; 2] }, 0),
                    _ => (node.slice(), Index::new(node.slice()).of(node)),
                };
                successors.push(after.iter().map(of).collect());
                all.push((slice, number));
            }
        }
        let mut plies: Vec<Option<u8>> = vec![None; successors.len()];
        for ply in 0..=100u8 {
            let known = plies.clone();
            let look = |&(slice, number): &(Slice, u64)| match places.get(&slice) {
                Some(place) => known[place + number as usize],
                None => Some(0),
            };
            for (own, successors) in plies.iter_mut().zip(&successors) {
                if own.is_some() {
                    continue;
                }
                let mut reached = successors.iter().map(look);
                let won = successors.iter().map(look).any(|p| p.is_some_and(|p| p % 2 == 0 && p < ply));
                if won || reached.all(|p| p.is_some_and(|p| p % 2 == 1 && p < ply)) {
                    *own = Some(ply);
                }
            }
        }
        let mut found: HashMap<Slice, Vec<Option<u8>>> = HashMap::new();
        for ((slice, _), plies) in all.into_iter().zip(plies) {
            found.entry(slice).or_default().push(plies);
        }
        found
    }

    #[test]
    fn distances_equal_those_of_a_full_search() {
        let solved = solve_all::<DistanceSolver>(3);
        for (slice, plies) in looked_ahead(3) {
            let cells = &solved[&slice].table;
            for (number, plies) in plies.into_iter().enumerate() {
                assert_eq!(cells.get(number as u64), plies.map_or(0, |plies| plies + 1), "{slice} {number}");
            }
        }
    }

    #[test]
    fn distances_agree_with_results() {
        let (distances, results) = (solve_all::<DistanceSolver>(4), solve_all::<ResultSolver>(4));
        for (slice, solution) in &distances {
            assert_eq!(solution.counts, results[slice].counts);
            assert!(solution.table.largest() < 112, "{slice}");
            for number in 0..solution.table.index.len() {
                let value = solution.table.get(number);
                assert_eq!(result_of(value), results[slice].table.get(number), "{slice} {number}");
            }
        }
    }
}
