//! Iteration over the positions of a slice in numerical order.
#![expect(clippy::inline_always, reason = "once for every position of every block that is coded")]

use super::bits::{Bits, FIRST_ROW, SQUARES, deposit, extract};
use super::index::{ENEMY_MEN, Index, MIDDLE};
use super::node::Node;

/// Returns the next set of the same size among the lowest `n` bits, in order of rank.
#[inline(always)]
const fn next_set(set: u64, n: u32) -> Option<u64> {
    if set == 0 {
        return None;
    }
    let carried = set + (set & set.wrapping_neg());
    let next = carried | ((set ^ carried) >> 2) >> set.trailing_zeros();
    if next >> n == 0 { Some(next) } else { None }
}

const fn first_set(count: u32) -> u64 {
    (1 << count) - 1
}

/// Consecutive positions that differ only in the square of one king.
pub struct KingRun {
    /// The king's square in the last position.
    pub king: Bits,
    /// The king's squares in all positions, in order.
    pub squares: Bits,
    /// Whether the king belongs to the side to move.
    pub own: bool,
}

/// The current position of the iteration. Sets are relative to the squares that earlier pieces leave free:
/// see the module `index`.
pub struct Walk<'a> {
    index: &'a Index,
    pub node: Node,
    /// The squares that the men leave free.
    free: Bits,
    own_kings: u64,
    enemy_kings: u64,
}

impl<'a> Walk<'a> {
    /// Starts at the position with the given number, which must be below [`Index::len`].
    pub fn from(index: &'a Index, number: u64) -> Self {
        let node = index.node(number);
        let free = SQUARES & !(node.own_men | node.enemy_men);
        let own_kings = extract(node.own_kings, free);
        let enemy_kings = extract(node.enemy_kings, free & !node.own_kings);
        Self { index, node, free, own_kings, enemy_kings }
    }

    /// Returns at most `max` positions, starting with the current one, that differ only in the square of one
    /// king, and moves to the last of them. Returns `None` if there is no king.
    #[inline(always)]
    pub fn run(&mut self, max: u32) -> Option<KingRun> {
        let [own, enemy] = self.index.slice.kings;
        let is_own = enemy == 0;
        let (set, among, count) = if is_own {
            (&mut self.own_kings, self.free, self.free.count_ones())
        } else {
            let left = self.free.count_ones() - u32::from(own);
            (&mut self.enemy_kings, self.free & !self.node.own_kings, left)
        };
        if *set == 0 {
            return None;
        }
        let lowest = *set & set.wrapping_neg();
        let others = *set ^ lowest;
        let first = lowest.trailing_zeros();
        let end = if others == 0 { count } else { others.trailing_zeros() };
        let last = (end - 1).min(first + (max - 1).min(63));
        let squares = deposit((2 << last) - lowest, among);
        *set = others | 1 << last;
        let kings = deposit(*set, among);
        if is_own {
            self.node.own_kings = kings;
        } else {
            self.node.enemy_kings = kings;
        }
        Some(KingRun { king: kings & squares, squares, own: is_own })
    }

    /// Moves to the next position. Must not be called at the last one.
    #[inline(always)]
    pub fn step(&mut self) {
        let [own, enemy] = self.index.slice.kings.map(u32::from);
        let left = self.free.count_ones() - own;
        self.enemy_kings = next_set(self.enemy_kings, left).unwrap_or_else(|| {
            self.step_own_kings(own);
            first_set(enemy)
        });
        self.node.enemy_kings = deposit(self.enemy_kings, self.free & !self.node.own_kings);
    }

    fn step_own_kings(&mut self, count: u32) {
        self.own_kings = next_set(self.own_kings, self.free.count_ones()).unwrap_or_else(|| {
            self.step_men();
            first_set(count)
        });
        self.node.own_kings = deposit(self.own_kings, self.free);
    }

    fn step_men(&mut self) {
        let [own, enemy] = self.index.slice.men.map(u32::from);
        let node = &mut self.node;
        let places = ENEMY_MEN & !node.own_men;
        let next = next_set(extract(node.enemy_men, places), places.count_ones()).unwrap_or_else(|| {
            let mut pattern = node.own_men & FIRST_ROW;
            let middle = next_set(extract(node.own_men, MIDDLE), MIDDLE.count_ones()).unwrap_or_else(|| {
                pattern = (pattern + 1..16).find(|next| next.count_ones() <= own).unwrap_or(0);
                first_set(own - pattern.count_ones())
            });
            node.own_men = pattern | deposit(middle, MIDDLE);
            first_set(enemy)
        });
        node.enemy_men = deposit(next, ENEMY_MEN & !node.own_men);
        self.free = SQUARES & !(node.own_men | node.enemy_men);
    }
}

#[cfg(test)]
mod tests {
    use super::super::slice::Slice;
    use super::*;

    #[test]
    fn positions_are_enumerated_by_index() {
        for slice in Slice::all(2..=8) {
            let index = Index::new(slice);
            let starts =
                if slice.pieces() < 4 { vec![0] } else { vec![0, index.len() / 3, index.len() * 9 / 10] };
            for start in starts {
                let mut walk = Walk::from(&index, start);
                for number in start..index.len().min(start + 100_000) {
                    assert_eq!(index.number(&walk.node), number, "{slice}");
                    walk.step();
                }
            }
        }
    }
}
