//! A block consists of all positions of a slice and its twin with the men on the same squares.
//!
//! Men only advance, so only kings move within a block. Every other move leads to a block with a man further
//! ahead, to a slice with fewer men, or to a slice with fewer pieces, all of which are solved earlier.
//! Solving block by block confines the random accesses of the backward propagation to a few hundred
//! kilobytes, and needs no backward moves of men.
//!
//! Within a block, a position is a pair of ranks, one for each side's kings, each among all squares that the
//! men leave free. Pairs whose kings share a square are unused. The advantage is that a king's step changes
//! only one rank, and that the possible new ranks are precomputed.
#![expect(
    clippy::inline_always,
    reason = "measured: the loops over a block are faster if inlined into the solver"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "a side has fewer than 2^20 sets of kings, and as many steps as fit in memory"
)]

use super::table::{SolvedTables, ValueTable};
use crate::bits::{Bits, FIRST_ROW, LAST_ROW, SQUARES, around, deposit, each, extract, rotate};
use crate::index::{Index, choose, rank, unrank};
use crate::node::Node;
use crate::value::BestValue;

/// Returns all sets of `k` of `n` squares, by rank.
fn sets(n: u32, k: u32) -> Vec<u64> {
    (0..choose(n, k)).map(|rank| unrank(rank, k)).collect()
}

/// A king's step from one set of kings to another: the rank of the new set, and the square stepped to.
#[derive(Clone, Copy)]
struct KingStep(u32);

impl KingStep {
    fn new(rank: u64, to: Bits) -> Self {
        debug_assert!(rank < 1 << 26);
        Self((rank as u32) << 6 | to.trailing_zeros())
    }
}

struct BlockSide {
    /// Sets of kings by rank, with one bit for each free square.
    sets: Vec<u64>,
    /// For each set, by rank, the rank of the rotated set.
    turned: Vec<u32>,
    /// Sets of kings by rank on the first side's board.
    kings: Vec<Bits>,
    /// Sets of kings by rank on the rotated board.
    kings_turned: Vec<Bits>,
    /// For each set, the index of its first step; at the end, the number of steps.
    starts: Vec<u32>,
    /// The steps of the kings, set by set.
    steps: Vec<KingStep>,
}

impl BlockSide {
    fn new(free: u32, kings: u32) -> Self {
        let sets = sets(free, kings);
        let turned = sets.iter().map(|&set| rank(set.reverse_bits() >> (64 - free)) as u32).collect();
        Self { sets, turned, kings: vec![], kings_turned: vec![], starts: vec![], steps: vec![] }
    }

    fn set_free(&mut self, free: Bits) {
        self.kings.clear();
        self.kings_turned.clear();
        self.starts.clear();
        self.steps.clear();
        for &set in &self.sets {
            let kings = deposit(set, free);
            self.kings.push(kings);
            self.kings_turned.push(rotate(kings));
            self.starts.push(self.steps.len() as u32);
            for from in each(kings) {
                for to in each(around(from) & free & !kings) {
                    self.steps.push(KingStep::new(rank(extract(kings ^ from ^ to, free)), to));
                }
            }
        }
        self.starts.push(self.steps.len() as u32);
    }
}

/// A man's move.
#[derive(Clone, Copy)]
struct Advance {
    to: Bits,
    /// The new king on the rotated board, if the man is crowned.
    crowned: Bits,
    /// The number of the first position with the advanced men in the next slice.
    base: u64,
    /// The squares that the advanced men leave free.
    free: Bits,
}

/// A block. Side 0 moves up on the unrotated board, side 1 on the rotated board.
pub(super) struct MenBlock {
    men: [Bits; 2],
    free: Bits,
    sides: [BlockSide; 2],
    advances: [Vec<Advance>; 2],
}

impl MenBlock {
    /// Creates a block for a slice, without men.
    pub(super) fn new(index: &Index) -> Self {
        let slice = index.slice;
        Self {
            men: [0; 2],
            free: SQUARES,
            sides: slice.kings.map(|kings| BlockSide::new(slice.free(), kings.into())),
            advances: [vec![], vec![]],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.sides[0].sets.len() * self.sides[1].sets.len()
    }

    pub(super) fn ranks(&self) -> [usize; 2] {
        [self.sides[0].sets.len(), self.sides[1].sets.len()]
    }

    /// Places the men of both sides. Neither set is rotated.
    pub(super) fn set_men<B: BestValue>(&mut self, men: [Bits; 2], tables: &SolvedTables<'_, B>) {
        self.men = men;
        self.free = SQUARES & !(men[0] | men[1]);
        for side in &mut self.sides {
            side.set_free(self.free);
        }
        for side in 0..2 {
            let (own, enemy) = self.men_of(side);
            let advances = &mut self.advances[side];
            advances.clear();
            for man in each(own) {
                for to in [man << 4, man << 5] {
                    if to & SQUARES & !(own | enemy) == 0 {
                        continue;
                    }
                    let crowned = to & LAST_ROW;
                    let own = own ^ man | to ^ crowned;
                    let next = if crowned == 0 { Some(tables.own[1 - side]) } else { tables.crowned[side] };
                    let Some(ValueTable { index, .. }) = next else { continue };
                    let own = rotate(own);
                    let enemy = rotate(enemy);
                    advances.push(Advance {
                        to,
                        crowned: rotate(crowned),
                        base: index.men(enemy, own) * index.kings_len(),
                        free: SQUARES & !(own | enemy),
                    });
                }
            }
        }
    }

    /// Returns a side's men and the opponent's, from that side's point of view.
    fn men_of(&self, side: usize) -> (Bits, Bits) {
        match side {
            0 => (self.men[0], self.men[1]),
            _ => (rotate(self.men[1]), rotate(self.men[0])),
        }
    }

    /// Returns the position with `side` to move and kings of these ranks.
    #[inline(always)]
    pub(super) fn node(&self, side: usize, ranks: [usize; 2]) -> Node {
        let (own_men, enemy_men) = self.men_of(side);
        let [first, second] = &self.sides;
        let [i, j] = ranks;
        match side {
            0 => Node { own_men, own_kings: first.kings[i], enemy_men, enemy_kings: second.kings[j] },
            _ => Node {
                own_men,
                own_kings: second.kings_turned[j],
                enemy_men,
                enemy_kings: first.kings_turned[i],
            },
        }
    }

    /// Calls `each` with the ranks and the position with `side` to move, for the first side's kings of rank
    /// `i` and all sets of the second side's kings.
    #[inline(always)]
    pub(super) fn for_row(&self, side: usize, i: usize, mut each: impl FnMut([usize; 2], &Node)) {
        let [first, second] = &self.sides;
        let kings = first.kings[i];
        for (j, &others) in second.kings.iter().enumerate() {
            if kings & others != 0 {
                continue;
            }
            each([i, j], &self.node(side, [i, j]));
        }
    }

    /// Calls `each` with the value after each quiet move of a man, until `each` returns `false`.
    #[inline(always)]
    pub(super) fn advances<B: BestValue>(
        &self,
        side: usize,
        ranks: [usize; 2],
        node: &Node,
        tables: &SolvedTables<'_, B>,
        mut each: impl FnMut(u8) -> bool,
    ) {
        if self.advances[side].is_empty() {
            return;
        }
        let [i, j] = ranks;
        // The opponent sees the rotated board.
        let (own, enemy) = match side {
            0 => (self.sides[1].kings_turned[j], self.sides[0].kings_turned[i]),
            _ => (self.sides[0].kings[i], self.sides[1].kings[j]),
        };
        let kings = node.own_kings | node.enemy_kings;
        for advance in &self.advances[side] {
            if advance.to & kings != 0 {
                continue;
            }
            let next = if advance.crowned == 0 { Some(tables.own[1 - side]) } else { tables.crowned[side] };
            let Some(table) = next else { continue };
            let kings = table.index.kings(advance.free, own, enemy | advance.crowned);
            if !each(table.get(advance.base + kings)) {
                return;
            }
        }
    }

    /// Calls `each` with the ranks of every position one king step of `side` away.
    #[inline(always)]
    pub(super) fn for_steps(&self, side: usize, ranks: [usize; 2], mut each: impl FnMut([usize; 2])) {
        let own = &self.sides[side];
        let [i, j] = ranks;
        let (rank, others) =
            if side == 0 { (i, self.sides[1].kings[j]) } else { (j, self.sides[0].kings[i]) };
        let range = own.starts[rank] as usize..own.starts[rank + 1] as usize;
        for &KingStep(step) in &own.steps[range] {
            if others >> (step & 63) & 1 == 0 {
                let other = (step >> 6) as usize;
                each(if side == 0 { [other, j] } else { [i, other] });
            }
        }
    }

    /// Calls `each` with the ranks of each position with `side` to move, in the order of the slice.
    pub(super) fn in_order(&self, side: usize, mut each: impl FnMut([usize; 2])) {
        let [first, second] = &self.sides;
        if side == 0 {
            for (i, &kings) in first.kings.iter().enumerate() {
                for (j, &others) in second.kings.iter().enumerate() {
                    if kings & others == 0 {
                        each([i, j]);
                    }
                }
            }
        } else {
            for &j in &second.turned {
                for &i in &first.turned {
                    let i = i as usize;
                    let j = j as usize;
                    if first.kings[i] & second.kings[j] == 0 {
                        each([i, j]);
                    }
                }
            }
        }
    }
}

/// Returns the size of a block in bytes, with the steps of all sets of kings.
pub(super) fn block_bytes(index: &Index) -> u64 {
    let slice = index.slice;
    // A king has fewer than four target squares on average, and a growing vector allocates up to twice its
    // length.
    let mut bytes = 0;
    for kings in slice.kings {
        bytes += choose(slice.free(), kings.into()) * (32 + 4 * 4 * u64::from(kings) * 3 / 2);
    }
    bytes
}

/// Returns the number of pairs of ranks in blocks of a slice.
pub(super) fn block_len(index: &Index) -> u64 {
    index.slice.kings.into_iter().map(|kings| choose(index.slice.free(), kings.into())).product()
}

/// Returns all placements of the men of a slice. Each placement follows those that its moves lead to: both
/// sides' sets of men are enumerated from the most advanced, with the second side's in the inner loop.
pub(super) fn men(index: &Index) -> impl Iterator<Item = [Bits; 2]> {
    let [a, c] = index.slice.men.map(u32::from);
    let firsts = sets(28, a);
    let seconds: Vec<Vec<u64>> = (0..=a).map(|rest| sets(28 - rest, c)).collect();
    let far = SQUARES & !FIRST_ROW;
    firsts.into_iter().rev().flat_map(move |first| {
        let first = deposit(first, SQUARES & !LAST_ROW);
        let rest = (first & far).count_ones() as usize;
        let seconds = seconds[rest].clone();
        seconds.into_iter().map(move |second| [first, deposit(second, far & !first)])
    })
}
