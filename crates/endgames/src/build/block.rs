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
use crate::value::StoredValue;
use kelso_draughts::board::Color;

/// Returns all sets of `k` of `n` squares, by rank.
fn sets(n: u32, k: u32) -> Vec<u64> {
    (0..choose(n, k)).map(|rank| unrank(rank, k)).collect()
}

/// The rank of the set of each side's kings, Black's first.
pub(super) type Ranks = [usize; 2];

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
    /// Sets of kings by rank, as Black sees them and as White does.
    kings: [Vec<Bits>; 2],
    /// For each set, the index of its first step; at the end, the number of steps.
    starts: Vec<u32>,
    /// The steps of the kings, set by set.
    steps: Vec<KingStep>,
}

impl BlockSide {
    fn new(free: u32, kings: u32) -> Self {
        let sets = sets(free, kings);
        let turned = sets.iter().map(|&set| rank(set.reverse_bits() >> (64 - free)) as u32).collect();
        Self { sets, turned, kings: [vec![], vec![]], starts: vec![], steps: vec![] }
    }

    fn set_free(&mut self, free: Bits) {
        self.kings.iter_mut().for_each(Vec::clear);
        self.starts.clear();
        self.steps.clear();
        for &set in &self.sets {
            let kings = deposit(set, free);
            self.kings[0].push(kings);
            self.kings[1].push(rotate(kings));
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
    /// The new king as the opponent sees it, if the man is crowned.
    crowned: Bits,
    /// The number of the first position with the advanced men in the next slice.
    base: u64,
    /// The squares that the advanced men leave free.
    free: Bits,
}

/// A block. Black has the pieces of the side to move in the slice, and moves up. White sees the rotated
/// board, and moves up there.
pub(super) struct MenBlock {
    /// The men of Black and White, as Black sees them and as White does.
    men: [[Bits; 2]; 2],
    sides: [BlockSide; 2],
    advances: [Vec<Advance>; 2],
}

impl MenBlock {
    /// Creates a block for a slice, without men.
    pub(super) fn new(index: &Index) -> Self {
        let slice = index.slice;
        Self {
            men: [[0; 2]; 2],
            sides: slice.kings.map(|kings| BlockSide::new(slice.free(), kings.into())),
            advances: [vec![], vec![]],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ranks().iter().product()
    }

    /// Returns the numbers of sets of each side's kings.
    pub(super) fn ranks(&self) -> Ranks {
        self.sides.each_ref().map(|side| side.sets.len())
    }

    /// Returns the index of a pair of ranks among all pairs.
    #[inline(always)]
    pub(super) fn index(&self, ranks: Ranks) -> usize {
        ranks[0] * self.sides[1].sets.len() + ranks[1]
    }

    /// Places the men of Black and White, as Black sees them.
    pub(super) fn set_men<V: StoredValue>(&mut self, men: [Bits; 2], tables: &SolvedTables<'_, V>) {
        self.men = [men, men.map(rotate)];
        for side in &mut self.sides {
            side.set_free(SQUARES & !(men[0] | men[1]));
        }
        for side in Color::BOTH {
            let [own, enemy] = self.men_of(side);
            let advances = &mut self.advances[side.index()];
            advances.clear();
            for man in each(own) {
                for to in [man << 4, man << 5] {
                    if to & SQUARES & !(own | enemy) == 0 {
                        continue;
                    }
                    let crowned = to & LAST_ROW;
                    let Some(ValueTable { index, .. }) = tables.after(side, crowned != 0) else { continue };
                    // The men after the move, seen by the other side.
                    let moved = rotate(own ^ man | to ^ crowned);
                    let standing = rotate(enemy);
                    advances.push(Advance {
                        to,
                        crowned: rotate(crowned),
                        base: index.men(standing, moved) * index.kings_len(),
                        free: SQUARES & !(moved | standing),
                    });
                }
            }
        }
    }

    /// Returns a side's men and the opponent's, as the side sees them.
    #[inline(always)]
    fn men_of(&self, side: Color) -> [Bits; 2] {
        [side, !side].map(|owner| self.men[side.index()][owner.index()])
    }

    /// Returns a side's kings, as `viewer` sees them.
    #[inline(always)]
    fn kings(&self, viewer: Color, side: Color, ranks: Ranks) -> Bits {
        self.sides[side.index()].kings[viewer.index()][ranks[side.index()]]
    }

    /// Returns whether no square has two kings.
    #[inline(always)]
    fn is_used(&self, ranks: Ranks) -> bool {
        let [black, white] = Color::BOTH.map(|side| self.kings(Color::Black, side, ranks));
        black & white == 0
    }

    /// Returns the position with `side` to move and kings of these ranks.
    #[inline(always)]
    pub(super) fn node(&self, side: Color, ranks: Ranks) -> Node {
        let [own_men, enemy_men] = self.men_of(side);
        let [own_kings, enemy_kings] = [side, !side].map(|owner| self.kings(side, owner, ranks));
        Node { own_men, own_kings, enemy_men, enemy_kings }
    }

    /// Calls `each` with the ranks and the position with `side` to move, for Black's kings of this rank and
    /// all sets of White's kings.
    #[inline(always)]
    pub(super) fn for_row(&self, side: Color, black: usize, mut each: impl FnMut(Ranks, &Node)) {
        for white in 0..self.ranks()[1] {
            if self.is_used([black, white]) {
                each([black, white], &self.node(side, [black, white]));
            }
        }
    }

    /// Calls `each` with the value after each quiet move of a man, until `each` returns `false`.
    #[inline(always)]
    pub(super) fn advances<V: StoredValue>(
        &self,
        side: Color,
        ranks: Ranks,
        node: &Node,
        tables: &SolvedTables<'_, V>,
        mut each: impl FnMut(V) -> bool,
    ) {
        if self.advances[side.index()].is_empty() {
            return;
        }
        // The opponent moves next.
        let [own, enemy] = [!side, side].map(|owner| self.kings(!side, owner, ranks));
        let kings = node.own_kings | node.enemy_kings;
        for advance in &self.advances[side.index()] {
            if advance.to & kings != 0 {
                continue;
            }
            let Some(table) = tables.after(side, advance.crowned != 0) else { continue };
            let kings = table.index.kings(advance.free, own, enemy | advance.crowned);
            if !each(table.get(advance.base + kings)) {
                return;
            }
        }
    }

    /// Calls `each` with the ranks of every position one king step of `side` away.
    #[inline(always)]
    pub(super) fn for_steps(&self, side: Color, mut ranks: Ranks, mut each: impl FnMut(Ranks)) {
        let own = &self.sides[side.index()];
        let others = self.kings(Color::Black, !side, ranks);
        let rank = ranks[side.index()];
        let range = own.starts[rank] as usize..own.starts[rank + 1] as usize;
        for &KingStep(step) in &own.steps[range] {
            if others >> (step & 63) & 1 == 0 {
                ranks[side.index()] = (step >> 6) as usize;
                each(ranks);
            }
        }
    }

    /// Calls `each` with the ranks of each position with `side` to move, in the order of the slice.
    pub(super) fn in_order(&self, side: Color, mut each: impl FnMut(Ranks)) {
        let [black, white] = &self.sides;
        let [rows, columns] = self.ranks();
        let mut visit = |ranks| {
            if self.is_used(ranks) {
                each(ranks);
            }
        };
        match side {
            Color::Black => (0..rows).for_each(|row| (0..columns).for_each(|column| visit([row, column]))),
            Color::White => white.turned.iter().for_each(|&row| {
                black.turned.iter().for_each(|&column| visit([column as usize, row as usize]));
            }),
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

/// Returns all placements of the men of a slice, Black's first. Each placement follows those that its moves
/// lead to: both sides' sets of men are enumerated from the most advanced, with White's in the inner loop.
pub(super) fn men(index: &Index) -> impl Iterator<Item = [Bits; 2]> {
    let [black, white] = index.slice.men.map(u32::from);
    let blacks = sets(28, black);
    let whites: Vec<Vec<u64>> = (0..=black).map(|rest| sets(28 - rest, white)).collect();
    let far = SQUARES & !FIRST_ROW;
    blacks.into_iter().rev().flat_map(move |black| {
        let black = deposit(black, SQUARES & !LAST_ROW);
        let rest = (black & far).count_ones() as usize;
        let whites = whites[rest].clone();
        whites.into_iter().map(move |white| [black, deposit(white, far & !black)])
    })
}
