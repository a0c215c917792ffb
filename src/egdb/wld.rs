//! Win, loss or draw: the rule by which a block's positions are valued without distances.
//!
//! One pass values every position with a capture, and every other one as far as moves of men settle it. A position
//! that is left open holds the number of its king moves. What is settled then propagates backwards along king
//! moves: a loss makes every open position before it a win, and a win takes one off the number of each, which is
//! lost when nothing is left. Positions still open at the end are draws.
#![expect(
    clippy::cast_possible_truncation,
    reason = "ranks are below 2^20, and a side has at most 28 king moves"
)]

use super::block::{Block, Target, block_len};
use super::header::Content;
use super::index::Index;
use super::node::Node;
use super::pair::{Choose, Known, Rule, by_captures};
use super::table::{Cells, Pairs};

pub(super) const DRAW: u8 = 0;
pub(super) const WIN: u8 = 1;
pub(super) const LOSS: u8 = 2;

/// Open states are below this: the number of king moves that may still save the position, or [`SAFE`].
const SETTLED: u8 = 0x40;
/// Open, and not lost: there is a drawn move of a man.
const SAFE: u8 = 0x3f;
const DRAWN: u8 = 0x40;
const WON: u8 = 0x50;
const LOST: u8 = 0x60;
/// Won or lost in the first pass, and not propagated yet.
const SEED: u8 = 0x80;

/// Working memory.
pub(super) struct ResultRule {
    states: [Vec<u8>; 2],
    /// Settled positions to propagate: side to move, won, ranks.
    stack: Vec<(u8, bool, [u32; 2])>,
}

impl Rule for ResultRule {
    type Cells = Pairs;
    type Choice = Choice;

    const CONTENT: Content = Content::Results;
    const OFFSETS: usize = 7;

    fn working_memory(index: &Index) -> u64 {
        block_len(index) * 4
    }

    fn new() -> Self {
        Self { states: [vec![], vec![]], stack: vec![] }
    }

    fn solve(&mut self, block: &Block, known: &Known<'_, Pairs>) {
        let stride = block.ranks()[1];
        for side in 0..2 {
            let mut states = std::mem::take(&mut self.states[side]);
            states.clear();
            states.resize(block.len(), DRAWN);
            block.for_each(side, |ranks, node| {
                states[ranks[0] * stride + ranks[1]] = if node.can_capture() {
                    seed(settled(by_captures::<Self>(node, known.tables)))
                } else {
                    by_men(block, side, ranks, node, known)
                };
            });
            self.states[side] = states;
        }
        for side in 0..2u8 {
            for i in 0..block.ranks()[0] {
                for j in 0..stride {
                    let state = self.states[usize::from(side)][i * stride + j];
                    if state >= SEED {
                        self.stack.push((side, state == WON | SEED, [i as u32, j as u32]));
                        self.propagate(block, stride);
                    }
                }
            }
        }
    }

    fn value(&self, block: &Block, side: usize, ranks: [usize; 2]) -> u8 {
        match self.states[side][ranks[0] * block.ranks()[1] + ranks[1]] & !SEED {
            WON => WIN,
            LOST => LOSS,
            _ => DRAW,
        }
    }

    fn result(value: u8) -> u8 {
        value
    }
}

impl ResultRule {
    fn propagate(&mut self, block: &Block, stride: usize) {
        while let Some((side, won, ranks)) = self.stack.pop() {
            let before = 1 - side;
            let states = &mut self.states[usize::from(before)];
            let stack = &mut self.stack;
            block.for_steps(before.into(), ranks.map(|rank| rank as usize), |ranks| {
                let state = &mut states[ranks[0] * stride + ranks[1]];
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
                stack.push((before, *state == WON, ranks.map(|rank| rank as u32)));
            });
        }
    }
}

/// What a side can choose from: the best so far.
pub(super) struct Choice(u8);

impl Default for Choice {
    fn default() -> Self {
        Self(LOSS)
    }
}

impl Choose for Choice {
    const LOST: u8 = LOSS;
    const WON: u8 = WIN;

    fn add(&mut self, value: u8) -> bool {
        match value {
            LOSS => self.0 = WIN,
            WIN => {}
            _ => self.0 = DRAW,
        }
        self.0 != WIN
    }

    fn value(&self) -> u8 {
        self.0
    }
}

/// The state of a position with a result.
const fn settled(result: u8) -> u8 {
    match result {
        WIN => WON,
        LOSS => LOST,
        _ => DRAWN,
    }
}

fn by_men(block: &Block, side: usize, ranks: [usize; 2], node: &Node, known: &Known<'_, Pairs>) -> u8 {
    let mut best = LOST;
    block.advances(side, ranks, node, known.ways(side), |target| {
        let value = match target {
            Target::Twin(number) => known.own[1 - side].cells.get(number),
            Target::Crowned(number) => known.crowned[side].map_or(DRAW, |table| table.cells.get(number)),
        };
        match value {
            LOSS => best = WON,
            WIN => {}
            _ => best = DRAWN,
        }
        best != WON
    });
    let moves = node.king_moves() as u8;
    match best {
        DRAWN if moves > 0 => SAFE,
        LOST if moves > 0 => moves,
        settled => seed(settled),
    }
}

/// A state that is settled in the first pass: a draw has nothing to tell the positions before it.
const fn seed(state: u8) -> u8 {
    if state == DRAWN { DRAWN } else { state | SEED }
}

#[cfg(test)]
mod tests {
    use super::super::pair::Counts;
    use super::super::pair::tests::solve_all;
    use super::*;

    #[test]
    fn counts_are_the_known_ones() {
        let solved = solve_all::<ResultRule>(4);
        let known = [
            (2, [716, 402, 2_370, 216]),
            (3, [100_250, 87_305, 8_477, 22_772]),
            (4, [2_574_304, 1_917_090, 1_717_922, 1_144_388]),
        ];
        for (pieces, [wins, losses, draws, captures]) in known {
            let mut sum = Counts::default();
            for solution in solved.values().filter(|s| s.table.index.slice.pieces() == pieces) {
                assert_eq!(solution.counts.total(), solution.table.index.len());
                sum += solution.counts;
            }
            assert_eq!(sum, Counts { wins, losses, draws, captures }, "{pieces} pieces");
        }
    }
}
