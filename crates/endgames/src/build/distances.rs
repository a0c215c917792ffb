//! Solves a block for distances: the plies to the end of the game if the winner hurries and the loser delays,
//! across captures and promotions.
//!
//! Positions are settled in order of distance, so that each value is final when it is assigned: a win is one
//! ply longer than the shortest loss among its successors, and a loss is one ply longer than the longest win
//! among its successors.
#![expect(
    clippy::cast_possible_truncation,
    reason = "ranks are below 2^20, and a side has at most 28 king moves"
)]

use super::block::{MenBlock, Ranks, block_bytes, block_len};
use super::pair::{PARTS, Solver, first_value};
use super::table::SolvedTables;
use super::{BuildResult, Poll};
use crate::index::Index;
use crate::value::{Distance, StoredValue};
use kelso_draughts::board::Color;
use kelso_draughts::result::Wdl;

/// The maximum number of pieces for which distances fit in a value: no ending of fewer than six pieces takes
/// more than 254 plies.
pub(super) const MAX_DISTANCE_PIECES: u32 = 5;

/// Settled by the first pass: the side to move must capture, or no king can move.
const CLOSED: u8 = 0;
/// Not lost, regardless of the king moves. Lower states count the king moves that may still save the
/// position.
const SAFE: u8 = 63;

#[derive(Clone, Copy)]
struct OpenValue {
    /// A draw until the position is settled.
    value: Distance,
    open: u8,
    /// The best value of the moves of men, if all lose, or an immediate loss.
    floor: Distance,
}

impl OpenValue {
    const UNSOLVED: Self = Self { value: Distance::DRAWN, open: CLOSED, floor: Distance::DRAWN };
}

pub(super) struct DistanceSolver {
    states: [Vec<OpenValue>; 2],
    /// Positions by the byte of their value. Positions that are already settled with a smaller value are skipped.
    queue: Vec<Vec<(Color, [u32; 2])>>,
}

impl Solver for DistanceSolver {
    type Cell = Distance;

    const OFFSETS: usize = 2;

    fn working_memory(index: &Index) -> u64 {
        block_bytes(index) + block_len(index) * 36
    }

    fn new(_: &Index) -> Self {
        Self { states: [vec![], vec![]], queue: vec![vec![]; 256] }
    }

    fn solve(
        &mut self,
        block: &MenBlock,
        tables: &SolvedTables<'_, Distance>,
        poll: Poll<'_>,
    ) -> BuildResult {
        let [rows, _] = block.ranks();
        for side in Color::BOTH {
            let states = &mut self.states[side.index()];
            states.clear();
            states.resize(block.len(), OpenValue::UNSOLVED);
            let queue = &mut self.queue;
            for i in 0..rows {
                block.for_row(side, i, |ranks, node| {
                    let (value, moves) = first_value(block, side, ranks, node, tables);
                    let (value, open, floor) = match value.wdl() {
                        _ if moves == 0 => (value, CLOSED, Distance::DRAWN),
                        Wdl::Loss => (Distance::DRAWN, moves, value),
                        _ => (value, SAFE, Distance::DRAWN),
                    };
                    states[block.index(ranks)] = OpenValue { value: Distance::DRAWN, open, floor };
                    if value != Distance::DRAWN {
                        queue[usize::from(value.byte())].push((side, ranks.map(|rank| rank as u32)));
                    }
                });
            }
        }
        poll(PARTS / 2)?;
        for byte in 1..=u8::MAX {
            while let Some((side, ranks)) = self.queue[usize::from(byte)].pop() {
                self.settle(block, Distance::from_byte(byte), side, ranks.map(|rank| rank as usize));
            }
        }
        Ok(())
    }

    fn value(&self, block: &MenBlock, side: Color, ranks: Ranks) -> Distance {
        self.states[side.index()][block.index(ranks)].value
    }
}

impl DistanceSolver {
    /// Settles a position unless it already has a smaller value, and propagates the value to its
    /// predecessors.
    fn settle(&mut self, block: &MenBlock, value: Distance, side: Color, ranks: Ranks) {
        let state = &mut self.states[side.index()][block.index(ranks)];
        if state.value != Distance::DRAWN {
            return;
        }
        state.value = value;
        let before = !side;
        let states = &mut self.states[before.index()];
        let queue = &mut self.queue;
        let next = value.for_parent();
        block.for_steps(before, ranks, |ranks| {
            let state = &mut states[block.index(ranks)];
            if state.value != Distance::DRAWN || state.open == CLOSED {
                return;
            }
            let reached = if value.wdl() == Wdl::Loss {
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
            queue[usize::from(reached.byte())].push((before, ranks.map(|rank| rank as u32)));
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
                    _ => (node.slice(), Index::new(node.slice()).number(node)),
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
                let expected = Distance::from_byte(plies.map_or(0, |plies| plies + 1));
                assert_eq!(cells.get(number as u64), expected, "{slice} {number}");
            }
        }
    }

    #[test]
    fn distances_agree_with_results() {
        let (distances, results) = (solve_all::<DistanceSolver>(4), solve_all::<ResultSolver>(4));
        for (slice, solution) in &distances {
            assert_eq!(solution.counts, results[slice].counts);
            assert!(solution.table.largest_byte() < 112, "{slice}");
            for number in 0..solution.table.index.len() {
                let result = solution.table.get(number).wdl();
                assert_eq!(result, results[slice].table.get(number), "{slice} {number}");
            }
        }
    }
}
