//! The number of a position in its slice: a bijection without gaps, composed of these parts, the most
//! significant first:
//!
//! 1. The men of the side to move: men on its first row as one of sixteen patterns, then the other men as the
//!    rank of their set among the 24 squares of rows 2-7. The pattern comes first because it determines the
//!    number of sets of enemy men.
//! 2. The enemy men: the rank of their set among the free squares of rows 2-8.
//! 3. The kings of the side to move, and then the enemy's kings: the ranks of their sets among all remaining
//!    squares.
//!
//! The rank of a set is its place among all sets of the same size, ordered as numbers whose bits are the
//! squares.
#![expect(clippy::inline_always, reason = "measured: the solver is faster if these are inlined")]
#![expect(clippy::cast_possible_truncation, reason = "sets of squares are numbered in 32 bits")]

use super::bits::{Bits, FIRST_ROW, LAST_ROW, SQUARES, deposit, extract};
use super::node::Node;
use super::slice::Slice;
use kelso_draughts::board::Position;

/// The squares of men of the side to move that are not on its first row.
pub const MIDDLE: Bits = SQUARES & !FIRST_ROW & !LAST_ROW;
/// The squares where enemy men can be.
pub const ENEMY_MEN: Bits = SQUARES & !FIRST_ROW;

/// Binomial coefficients: `[k][n]` is the number of ways to choose `k + 1` of `n` squares.
static RANKS: [[u32; 32]; 8] = {
    let mut table = [[0; 32]; 8];
    let mut n = 0;
    while n < 32 {
        let mut k = 0;
        while k < 8 {
            table[k as usize][n as usize] = choose(n, k + 1) as u32;
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the number of ways to choose `k` of `n` squares.
pub const fn choose(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    let mut product = 1u64;
    let mut i = 0;
    while i < k {
        product = product * (n - i) as u64 / (i as u64 + 1);
        i += 1;
    }
    product
}

/// Returns the rank of a set of at most eight bits.
#[inline(always)]
pub fn rank(mut set: u64) -> u64 {
    let mut rank = 0;
    let mut k = 0;
    while set != 0 {
        rank += u64::from(RANKS[k & 7][set.trailing_zeros() as usize & 31]);
        k += 1;
        set &= set - 1;
    }
    rank
}

/// Returns the set of `k` bits with this rank.
pub fn unrank(mut rank: u64, k: u32) -> u64 {
    let mut set = 0;
    for k in (1..=k).rev() {
        let mut n = k - 1;
        while choose(n + 1, k) <= rank {
            n += 1;
        }
        set |= 1 << n;
        rank -= choose(n, k);
    }
    set
}

/// Converts an offset in allocated memory, which always fits in a `usize`.
#[inline(always)]
pub const fn to_usize(number: u64) -> usize {
    number as usize
}

#[derive(Clone, Debug)]
pub struct Index {
    pub slice: Slice,
    /// For each pattern of the first row, the number of placements of the men that come before it.
    bases: [u64; 17],
    own_kings: u64,
    /// Number of placements of the enemy's kings for each placement of all other pieces.
    pub enemy_kings: u64,
}

impl Index {
    pub fn new(slice: Slice) -> Self {
        let [a, c] = slice.men.map(u32::from);
        let [b, d] = slice.kings.map(u32::from);
        let mut bases = [0; 17];
        for pattern in 0u32..16 {
            let rest = a.checked_sub(pattern.count_ones());
            let count = rest.map_or(0, |rest| choose(24, rest) * choose(28 - rest, c));
            bases[pattern as usize + 1] = bases[pattern as usize] + count;
        }
        let free = slice.free();
        Self { slice, bases, own_kings: choose(free, b), enemy_kings: choose(free - b, d) }
    }

    pub const fn len(&self) -> u64 {
        self.men_len() * self.kings_len()
    }

    pub const fn men_len(&self) -> u64 {
        self.bases[16]
    }

    /// Returns the number of placements of the kings for each placement of the men.
    pub const fn kings_len(&self) -> u64 {
        self.own_kings * self.enemy_kings
    }

    #[inline(always)]
    pub fn men(&self, own: Bits, enemy: Bits) -> u64 {
        let rest = u32::from(self.slice.men[0]) - (own & FIRST_ROW).count_ones();
        let enemies = choose_table(28 - rest, self.slice.men[1]);
        self.bases[(own & FIRST_ROW) as usize]
            + rank(extract(own, MIDDLE)) * enemies
            + rank(extract(enemy, ENEMY_MEN & !own))
    }

    /// Returns the number of a placement of the kings, given the squares that the men leave free.
    #[inline(always)]
    pub fn kings(&self, free: Bits, own: Bits, enemy: Bits) -> u64 {
        rank(extract(own, free)) * self.enemy_kings + rank(extract(enemy, free & !own))
    }

    /// Returns the number of a position.
    #[inline(always)]
    pub fn number(&self, node: &Node) -> u64 {
        let free = SQUARES & !(node.own_men | node.enemy_men);
        self.men(node.own_men, node.enemy_men) * self.kings_len()
            + self.kings(free, node.own_kings, node.enemy_kings)
    }

    /// Returns the position with a number below [`Index::len`].
    pub fn node(&self, number: u64) -> Node {
        let men = number / self.kings_len();
        let kings = number % self.kings_len();
        let pattern = self.bases[1..].iter().take_while(|&&base| base <= men).count();
        let men = men - self.bases[pattern];
        let rest = u32::from(self.slice.men[0]) - pattern.count_ones();
        let enemies = choose(28 - rest, self.slice.men[1].into());
        let own_men = pattern as u64 | deposit(unrank(men / enemies, rest), MIDDLE);
        let enemy_men = deposit(unrank(men % enemies, self.slice.men[1].into()), ENEMY_MEN & !own_men);
        let free = SQUARES & !(own_men | enemy_men);
        let own_kings = deposit(unrank(kings / self.enemy_kings, self.slice.kings[0].into()), free);
        let enemy_kings =
            deposit(unrank(kings % self.enemy_kings, self.slice.kings[1].into()), free & !own_kings);
        Node { own_men, own_kings, enemy_men, enemy_kings }
    }
}

/// Computes [`choose`] by looking it up in a table, for `n` below 32.
#[inline(always)]
fn choose_table(n: u32, k: u8) -> u64 {
    if k == 0 { 1 } else { RANKS[(k as usize - 1) & 7][n as usize & 31].into() }
}

impl Slice {
    #[must_use]
    pub fn positions(self) -> u64 {
        Index::new(self).len()
    }

    /// Returns the position with a number below [`positions`](Self::positions), with Black to move.
    ///
    /// # Panics
    ///
    /// If the number is too high.
    #[expect(clippy::expect_used, reason = "as documented")]
    pub fn position(self, number: u64) -> Position {
        let index = Index::new(self);
        let node = (number < index.len()).then(|| index.node(number));
        node.and_then(|node| node.position()).expect("a number of a position")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_counts_are_correct() {
        let count =
            |pieces| Slice::all(pieces..=pieces).into_iter().map(|s| Index::new(s).len()).sum::<u64>();
        // The table published with Chinook's databases.
        assert_eq!([2, 3, 4, 5, 6].map(count), [3_488, 196_032, 6_209_316, 139_450_808, 2_426_085_676]);
        assert_eq!([7, 8].map(count), [34_243_113_624, 403_190_250_561]);
        // The published totals include one-sided positions, once for each side to move.
        let one_sided =
            |n: u32| 2 * (0..=n).map(|men| choose(28, men) * choose(32 - men, n - men)).sum::<u64>();
        assert_eq!(count(7) + one_sided(7), 34_779_531_480);
        assert_eq!(count(8) + one_sided(8), 406_309_208_481);
        assert_eq!(count(4) + one_sided(4), 7_092_774);
    }

    #[test]
    fn indices_and_positions_are_one_to_one() {
        for slice in Slice::all(2..=3) {
            let index = Index::new(slice);
            for number in 0..index.len() {
                let node = index.node(number);
                assert_eq!(node.slice(), slice);
                assert_eq!(index.number(&node), number);
            }
        }
        for slice in Slice::all(4..=7) {
            let index = Index::new(slice);
            for number in (0..index.len()).step_by((index.len() / 500) as usize + 1) {
                let node = index.node(number);
                assert_eq!(node.slice(), slice);
                assert_eq!(index.number(&node), number);
            }
        }
    }

    #[test]
    fn sets_are_enumerated_by_rank() {
        let all: Vec<u64> = (0..choose(9, 3)).map(|rank| unrank(rank, 3)).collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(all.iter().enumerate().all(|(i, &set)| rank(set) == i as u64));
    }

    /// Returns the position of the side to move's men and kings, and of the enemy's.
    fn node(own_men: &[u8], own_kings: &[u8], enemy_men: &[u8], enemy_kings: &[u8]) -> Node {
        let set =
            |squares: &[u8]| squares.iter().fold(0, |set, &square| set | deposit(1 << (square - 1), SQUARES));
        Node {
            own_men: set(own_men),
            own_kings: set(own_kings),
            enemy_men: set(enemy_men),
            enemy_kings: set(enemy_kings),
        }
    }

    /// Numbers computed by hand from the description of the index.
    #[test]
    fn indices_follow_the_format_description() {
        for (slice, len, number, position) in [
            // 32 squares for one king, and 31 for the other.
            ("01v01", 992, 0, node(&[], &[1], &[], &[2])),
            ("01v01", 992, 30, node(&[], &[1], &[], &[32])),
            ("01v01", 992, 31, node(&[], &[2], &[], &[1])),
            ("01v01", 992, 991, node(&[], &[32], &[], &[31])),
            // 24 squares of rows 2-7 and 4 of the first row; a man of the enemy has 27 or 28 squares.
            ("10v10", 760, 0, node(&[5], &[], &[6], &[])),
            ("10v10", 760, 26, node(&[5], &[], &[32], &[])),
            ("10v10", 760, 27, node(&[6], &[], &[5], &[])),
            ("10v10", 760, 24 * 27, node(&[1], &[], &[5], &[])),
            ("10v10", 760, 24 * 27 + 28, node(&[2], &[], &[5], &[])),
            ("10v10", 760, 759, node(&[4], &[], &[32], &[])),
            // 31 squares are left for the king.
            ("10v01", 868, 31, node(&[6], &[], &[], &[1])),
            ("01v10", 868, 867, node(&[], &[31], &[32], &[])),
            // Sets of two kings in the order of their highest squares.
            ("02v01", 14_880, 30, node(&[], &[1, 3], &[], &[2])),
            ("02v01", 14_880, 60, node(&[], &[2, 3], &[], &[1])),
            ("01v02", 14_880, 464, node(&[], &[1], &[], &[31, 32])),
            // Two men: both on rows 2-7 first, then one of each pattern of the first row.
            ("20v01", 11_340, 276 * 30, node(&[1, 5], &[], &[], &[2])),
            ("20v01", 11_340, 276 * 30 + 24 * 30, node(&[2, 5], &[], &[], &[1])),
            ("20v01", 11_340, 276 * 30 + 48 * 30, node(&[1, 2], &[], &[], &[3])),
        ] {
            let index = Index::new(slice.parse().unwrap());
            assert_eq!((index.len(), index.number(&position)), (len, number), "{slice}");
            assert_eq!(index.node(number), position, "{slice} {number}");
        }
    }

    #[test]
    fn binomial_coefficients_are_the_known_ones() {
        for (n, k, ways) in
            [(0, 0, 1), (5, 0, 1), (5, 2, 10), (5, 5, 1), (5, 6, 0), (32, 4, 35_960), (31, 8, 7_888_725)]
        {
            assert_eq!(choose(n, k), ways, "{n} {k}");
            if n < 32 {
                assert_eq!(choose_table(n, u8::try_from(k).unwrap()), ways, "{n} {k}");
            }
        }
        assert_eq!(
            (rank(0), rank(0b1), rank(0b10), rank(0b11), rank(0b101), rank(0b110)),
            (0, 0, 1, 0, 1, 2)
        );
        let sets = [0, 1, 2, 3, 4, 5].map(|rank| unrank(rank, 2));
        assert_eq!(sets, [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100]);
        assert_eq!(unrank(0, 0), 0);
    }
}
