//! Solves a block for win, loss or draw.
//!
//! The first pass assigns a value to every position with a capture, and to positions that moves of men
//! settle. A position that stays open stores the number of its king moves. Settled positions then propagate
//! backwards along king moves: a loss makes every open predecessor a win, and a win decrements the count of
//! each predecessor, which is lost when its count reaches zero. Positions still open at the end are draws.
//!
//! Positions to propagate are kept on a stack of limited size, so that the memory for a block is known in
//! advance. Positions that do not fit are marked and processed in another pass over the block.
#![expect(
    clippy::cast_possible_truncation,
    reason = "ranks are below 2^22, and a side has at most 28 king moves"
)]

use super::block::{MenBlock, Ranks, block_bytes, block_len};
use super::pair::{PARTS, Solver, first_value};
use super::table::SolvedTables;
use super::{BuildResult, Poll};
use crate::index::{Index, to_usize};
use kelso_draughts::board::Color;
use kelso_draughts::result::Wdl;

/// States below this value are open. They are the number of king moves that may still save the position, or
/// [`SAFE`].
const SETTLED: u8 = 0x40;
/// Open, but not lost: a move of a man draws.
const SAFE: u8 = 0x3f;
const DRAWN: u8 = 0x40;
const WON: u8 = 0x50;
const LOST: u8 = 0x60;
/// Flag: won or lost, but not propagated yet.
const SEED: u8 = 0x80;

pub(super) struct ResultSolver {
    states: [Vec<u8>; 2],
    /// Settled positions to propagate: the side to move, whether it wins, and the ranks.
    stack: Vec<(Color, bool, [u32; 2])>,
    /// Maximum size of the stack. Further positions stay marked for a later pass.
    max: usize,
}

fn stack_len(pairs: u64) -> u64 {
    (pairs / 8).max(1 << 10)
}

/// Number of positions between calls of `poll`.
const POLL_INTERVAL: usize = 1 << 22;

impl Solver for ResultSolver {
    type Cell = Wdl;

    const OFFSETS: usize = 7;

    fn working_memory(index: &Index) -> u64 {
        let pairs = block_len(index);
        block_bytes(index) + pairs * 2 + stack_len(pairs) * size_of::<(Color, bool, [u32; 2])>() as u64
    }

    fn new(index: &Index) -> Self {
        let max = to_usize(stack_len(block_len(index)));
        Self { states: [vec![], vec![]], stack: Vec::with_capacity(max), max }
    }

    fn solve(&mut self, block: &MenBlock, tables: &SolvedTables<'_, Wdl>, poll: Poll<'_>) -> BuildResult {
        let [rows, stride] = block.ranks();
        let interval = POLL_INTERVAL.div_ceil(stride);
        let mut done = |row: usize| {
            let due = (row + 1).is_multiple_of(interval);
            if due { poll(PARTS * row as u64 / (4 * rows) as u64) } else { Ok(()) }
        };
        for side in Color::BOTH {
            let states = &mut self.states[side.index()];
            states.clear();
            states.resize(block.len(), DRAWN);
            for i in 0..rows {
                block.for_row(side, i, |ranks, node| {
                    let first = first_value(block, side, ranks, node, tables);
                    states[block.index(ranks)] = match first {
                        (Wdl::Draw, 1..) => SAFE,
                        (Wdl::Loss, moves @ 1..) => moves,
                        (Wdl::Draw, 0) => DRAWN,
                        (Wdl::Win, _) => WON | SEED,
                        (Wdl::Loss, 0) => LOST | SEED,
                    };
                });
                done(side.index() * rows + i)?;
            }
        }
        let mut left = true;
        while left {
            left = false;
            for side in Color::BOTH {
                for i in 0..rows {
                    for j in 0..stride {
                        let state = &mut self.states[side.index()][block.index([i, j])];
                        if *state >= SEED {
                            *state &= !SEED;
                            self.stack.push((side, *state == WON, [i as u32, j as u32]));
                            left |= !self.propagate(block);
                        }
                    }
                    done((2 + side.index()) * rows + i)?;
                }
            }
        }
        Ok(())
    }

    fn value(&self, block: &MenBlock, side: Color, ranks: Ranks) -> Wdl {
        match self.states[side.index()][block.index(ranks)] {
            WON => Wdl::Win,
            LOST => Wdl::Loss,
            _ => Wdl::Draw,
        }
    }
}

impl ResultSolver {
    /// Propagates the positions on the stack. Returns `false` if the stack overflowed.
    fn propagate(&mut self, block: &MenBlock) -> bool {
        let mut room = true;
        while let Some((side, won, ranks)) = self.stack.pop() {
            let before = !side;
            let states = &mut self.states[before.index()];
            let stack = &mut self.stack;
            let max = self.max;
            block.for_steps(before, ranks.map(|rank| rank as usize), |ranks| {
                let state = &mut states[block.index(ranks)];
                if *state >= SETTLED {
                    return;
                }
                if !won {
                    *state = WON;
                } else if *state != SAFE {
                    *state -= 1;
                    if *state > 0 {
                        return;
                    }
                    *state = LOST;
                } else {
                    return;
                }
                if stack.len() < max {
                    stack.push((before, *state == WON, ranks.map(|rank| rank as u32)));
                } else {
                    *state |= SEED;
                    room = false;
                }
            });
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::BuildError;
    use crate::build::block::men;
    use crate::build::pair::tests::{solve_all, tables, unsolved};
    use crate::{Counts, Slice};

    #[test]
    fn results_do_not_depend_on_the_stack_size() {
        let solved = solve_all::<ResultSolver>(4);
        for slice in ["02v02", "03v01", "11v02"].map(|text| text.parse::<Slice>().unwrap()) {
            let tables = tables(&solved, slice);
            let (index, twin) = (Index::new(slice), Index::new(slice.twin()));
            let own = [slice, slice.twin()].map(|slice| &*solved[&slice].table);
            let crowned = own.map(|own| own.index.slice.crowned().and_then(|slice| tables.table(slice)));
            let known = SolvedTables { tables: &tables, own, crowned };
            let mut block = MenBlock::new(&index);
            let mut rule = ResultSolver::new(&index);
            for max in [0, 1, 20] {
                rule.max = max;
                // The last placement leads to placements of the same pair that are already solved.
                let men = men(&index).last().unwrap();
                block.set_men(men, &known);
                rule.solve(&block, &known, &mut |_| Ok(())).unwrap();
                for (side, index) in Color::BOTH.into_iter().zip([&index, &twin]) {
                    block.in_order(side, |ranks| {
                        let number = index.number(&block.node(side, ranks));
                        let known = own[side.index()].get(number);
                        assert_eq!(rule.value(&block, side, ranks), known, "{slice} {max}");
                    });
                }
            }
        }
    }

    #[test]
    fn solving_stops_on_request() {
        let solved = solve_all::<ResultSolver>(4);
        for slice in ["11v11", "12v10"].map(|text| text.parse::<Slice>().unwrap()) {
            let (tables, mut pair) = (tables(&solved, slice), unsolved(slice));
            let mut asked = 0;
            let stopped = pair.solve::<ResultSolver>(&tables, &mut |_| {
                asked += 1;
                Err(BuildError::Stopped)
            });
            assert!(matches!(stopped, Err(BuildError::Stopped)) && asked == 1);
        }
    }

    #[test]
    fn result_counts_equal_published_ones() {
        let solved = solve_all::<ResultSolver>(4);
        let known = [
            (2, [716, 402, 2_370, 216]),
            (3, [100_250, 87_305, 8_477, 22_772]),
            (4, [2_574_304, 1_917_090, 1_717_922, 1_144_388]),
        ];
        for (pieces, numbers) in known {
            let mut sum = Counts::default();
            for solution in solved.values().filter(|s| s.table.index.slice.pieces() == pieces) {
                assert_eq!(solution.counts.total(), solution.table.index.len());
                sum += solution.counts;
            }
            assert_eq!(sum, Counts::from_numbers(numbers), "{pieces} pieces");
        }
    }
}
