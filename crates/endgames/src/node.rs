//! Positions from the point of view of the side to move, which always moves up the board. This representation
//! halves the number of positions.
//!
//! The moves are generated here, apart from those of `kelso_draughts`: the solver needs neither moves nor
//! their paths, only the positions after them, in this layout, and stops at the first that decides. A test
//! compares both.
#![expect(clippy::inline_always, reason = "each is a few instructions, inside the solver's loops")]
#![expect(clippy::cast_possible_truncation, reason = "a board has 32 squares")]

use super::bits::{Bits, LAST_ROW, ODD_ROWS, SQUARES, around, each, pack, rotate};
use super::slice::Slice;
use kelso_draughts::board::{Color, Position};

/// Men and kings of the side to move and of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub own_men: Bits,
    pub own_kings: Bits,
    pub enemy_men: Bits,
    pub enemy_kings: Bits,
}

impl Node {
    /// Converts a position, rotated so that the side to move moves up.
    #[inline]
    pub fn of(position: &Position) -> Self {
        let [own_men, own_kings] = position.men_and_kings(Color::Black);
        let [enemy_men, enemy_kings] = position.men_and_kings(Color::White);
        let node = Self { own_men, own_kings, enemy_men, enemy_kings };
        match position.side() {
            Color::Black => node,
            Color::White => node.turned(),
        }
    }

    /// Returns the position from the other side's point of view.
    #[must_use]
    #[inline(always)]
    pub const fn turned(&self) -> Self {
        Self {
            own_men: rotate(self.enemy_men),
            own_kings: rotate(self.enemy_kings),
            enemy_men: rotate(self.own_men),
            enemy_kings: rotate(self.own_kings),
        }
    }

    /// Returns the position with Black to move, if it is legal.
    pub fn position(&self) -> Option<Position> {
        let men = [self.own_men, self.enemy_men].map(pack);
        let kings = [self.own_kings, self.enemy_kings].map(pack);
        Position::from_sets(men, kings, Color::Black).ok()
    }

    #[inline(always)]
    pub fn slice(&self) -> Slice {
        Slice {
            men: [self.own_men, self.enemy_men].map(|set| set.count_ones() as u8),
            kings: [self.own_kings, self.enemy_kings].map(|set| set.count_ones() as u8),
        }
    }

    #[inline(always)]
    pub const fn own(&self) -> Bits {
        self.own_men | self.own_kings
    }

    #[inline(always)]
    pub const fn enemy(&self) -> Bits {
        self.enemy_men | self.enemy_kings
    }

    #[inline(always)]
    pub const fn empty(&self) -> Bits {
        SQUARES & !(self.own() | self.enemy())
    }

    #[inline(always)]
    pub const fn can_capture(&self) -> bool {
        landings(self.own(), self.own_kings, self.enemy()) & self.empty() != 0
    }

    /// Returns whether the other side could capture if it were to move.
    #[inline(always)]
    pub const fn is_threatened(&self) -> bool {
        landings(self.enemy_kings, self.enemy(), self.own()) & self.empty() != 0
    }

    /// Returns whether the rows of all pieces, counted from 0, add up to an odd number. With an even number
    /// of pieces, every quiet move changes the parity, and rotating the board does not.
    #[inline(always)]
    pub const fn is_odd(&self) -> bool {
        ((self.own() | self.enemy()) & ODD_ROWS).count_ones() % 2 == 1
    }

    #[cfg(any(feature = "build", test))]
    #[inline(always)]
    pub const fn king_moves(&self) -> u8 {
        let kings = self.own_kings;
        let empty = self.empty();
        ((kings << 4 & empty).count_ones()
            + (kings << 5 & empty).count_ones()
            + (kings >> 4 & empty).count_ones()
            + (kings >> 5 & empty).count_ones()) as u8
    }

    /// Visits the positions after each capture, from the other side's point of view, until `visit` returns
    /// false.
    #[inline]
    pub fn captures(&self, visit: &mut impl FnMut(&Self) -> bool) -> bool {
        let empty = self.empty();
        if landings(self.own_men, 0, self.enemy()) & empty != 0 {
            for man in each(self.own_men) {
                let jump = Jump { node: self, from: man, king: false };
                if !jump.continue_from(man, 0, empty, visit) {
                    return false;
                }
            }
        }
        for king in each(self.own_kings) {
            let jump = Jump { node: self, from: king, king: true };
            if !jump.continue_from(king, 0, empty | king, visit) {
                return false;
            }
        }
        true
    }

    /// Visits the positions after each quiet move, from the other side's point of view, until `visit` returns
    /// false.
    #[inline]
    pub fn quiet_moves(&self, visit: &mut impl FnMut(&Self) -> bool) -> bool {
        let empty = self.empty();
        for king in each(self.own_kings) {
            for to in each(around(king) & empty) {
                if !visit(&self.after(king, to, 0, true)) {
                    return false;
                }
            }
        }
        for man in each(self.own_men) {
            for to in each((man << 4 | man << 5) & empty) {
                if !visit(&self.after(man, to, 0, false)) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns the position after a move, from the other side's point of view.
    #[inline(always)]
    fn after(&self, from: Bits, to: Bits, captured: Bits, king: bool) -> Self {
        let mut next = *self;
        if king {
            next.own_kings = next.own_kings ^ from | to;
        } else {
            next.own_men ^= from;
            if to & LAST_ROW == 0 {
                next.own_men |= to;
            } else {
                next.own_kings |= to;
            }
        }
        next.enemy_men &= !captured;
        next.enemy_kings &= !captured;
        next.turned()
    }
}

/// Returns the squares directly behind enemy pieces that are adjacent to `up`, the pieces that capture
/// upwards, or to `down`.
#[inline(always)]
pub const fn landings(up: Bits, down: Bits, enemy: Bits) -> Bits {
    (up << 4 & enemy) << 4 | (up << 5 & enemy) << 5 | (down >> 4 & enemy) >> 4 | (down >> 5 & enemy) >> 5
}

/// A piece during a capture.
struct Jump<'a> {
    node: &'a Node,
    from: Bits,
    king: bool,
}

impl Jump<'_> {
    /// Continues the capture from a square, or ends there if a piece has been captured.
    fn continue_from(
        &self,
        at: Bits,
        captured: Bits,
        empty: Bits,
        visit: &mut impl FnMut(&Node) -> bool,
    ) -> bool {
        let enemy = self.node.enemy() & !captured;
        let steps = [(at << 4, at << 8), (at << 5, at << 10), (at >> 4, at >> 8), (at >> 5, at >> 10)];
        let mut ended = true;
        for &(over, to) in if self.king { &steps[..] } else { &steps[..2] } {
            if over & enemy != 0 && to & empty != 0 {
                ended = false;
                if !self.continue_from(to, captured | over, empty, visit) {
                    return false;
                }
            }
        }
        if ended && captured != 0 {
            return visit(&self.node.after(self.from, at, captured, self.king));
        }
        true
    }
}

impl Slice {
    /// Returns the slice of a position, unless a side has no pieces or there are too many.
    #[must_use]
    pub fn of(position: &Position) -> Option<Self> {
        let Self { men, kings } = Node::of(position).slice();
        Self::new(men, kings)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::index::Index;
    use super::*;
    use kelso_random::RngExt;

    fn key(node: &Node) -> [Bits; 4] {
        [node.own_men, node.own_kings, node.enemy_men, node.enemy_kings]
    }

    #[test]
    fn captures_and_counts_agree_with_the_rules() {
        let mut random = kelso_random::stream(&[7]);
        for slice in Slice::all(2..=6) {
            let index = Index::new(slice);
            for _ in 0..200 {
                let node = index.node(random.random_range(0..index.len()));
                let position = node.position().unwrap();
                assert_eq!(Node::of(&position), node);
                assert_eq!(Node::of(&position.flipped()), node);
                assert_eq!(position.must_capture(), node.can_capture());
                assert_eq!(node.is_threatened(), position.is_threatened());
                let mut ours = HashSet::new();
                node.captures(&mut |child| {
                    ours.insert(key(child));
                    true
                });
                assert_eq!(ours.is_empty(), !node.can_capture());
                if !node.can_capture() {
                    node.quiet_moves(&mut |child| {
                        ours.insert(key(child));
                        assert_eq!(child.is_odd() == node.is_odd(), slice.pieces() % 2 == 1);
                        true
                    });
                }
                let rules = position.moves().iter().map(|&mv| key(&Node::of(&position.after(mv)))).collect();
                assert_eq!(ours, rules);
                if !node.can_capture() {
                    let kings = position.moves().iter().filter(|mv| mv.is_king()).count();
                    assert_eq!(usize::from(node.king_moves()), kings);
                }
            }
        }
    }
}
