//! Finds the stored positions of a block, many at once.
//!
//! Most consecutive positions differ only in the square of one king. Computing the set of its squares that make a capture
//! possible takes hardly longer than checking one of them, which makes reading a block twice as fast.
#![expect(clippy::inline_always, reason = "once for every row of positions of every block that is read")]

use super::bits::{Bits, ODD_ROWS, SEVENTH_ROW, SQUARES, extract};
use super::coder::Places;
use super::coverage::Coverage;
use super::index::Index;
use super::node::Node;
use super::walk::Walk;

/// Returns the stored places among `len` positions from `start` on.
pub(super) fn stored(index: &Index, coverage: Coverage, start: u64, len: usize) -> Places {
    let mut places = Places::none();
    let mut walk = Walk::from(index, start);
    let mut place = 0;
    while place < len {
        let left = u32::try_from(len - place).unwrap_or(u32::MAX);
        if let Some(run) = walk.run(left) {
            let stored = stored_squares(walk.node(), run.king, run.squares, run.own, coverage);
            let mut bits = extract(stored, run.squares);
            while bits != 0 {
                places.add(place + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
            place += run.squares.count_ones() as usize;
        } else {
            if coverage.stores(walk.node()) {
                places.add(place);
            }
            place += 1;
        }
        walk.step();
    }
    places
}

/// Returns the squares that make a stored position when the king moves there.
#[inline(always)]
fn stored_squares(node: &Node, king: Bits, squares: Bits, own: bool, coverage: Coverage) -> Bits {
    let mut rest = *node;
    if own {
        rest.own_kings ^= king;
    } else {
        rest.enemy_kings ^= king;
    }
    let empty = rest.empty();
    let up = Side { pieces: rest.own(), up: rest.own(), down: rest.own_kings };
    let down = Side { pieces: rest.enemy(), up: rest.enemy_kings, down: rest.enemy() };
    let (captures, threats) = if own {
        (up.captures_with_king(&down, empty), down.captures_of_king(&up, empty))
    } else {
        (up.captures_of_king(&down, empty), down.captures_with_king(&up, empty))
    };
    let left_out = match coverage {
        Coverage::Quiet => 0,
        _ if node.own_men & SEVENTH_ROW != 0 => 0,
        Coverage::Calm => threats,
        Coverage::Even if ((rest.own() | rest.enemy()) & ODD_ROWS).count_ones() % 2 == 1 => {
            threats & !ODD_ROWS
        }
        Coverage::Even => threats & ODD_ROWS,
    };
    squares & !captures & !left_out
}

/// The pieces of one side without the king that moves.
struct Side {
    pieces: Bits,
    /// The pieces that capture upwards, and those that capture downwards.
    up: Bits,
    down: Bits,
}

impl Side {
    /// Returns the king's squares that leave a capture of other pieces possible: all but the one that blocks the only
    /// capture.
    #[inline(always)]
    fn captures(&self, other: &Self, empty: Bits) -> Bits {
        let onto = (self.up << 4 & other.pieces) << 4
            | (self.up << 5 & other.pieces) << 5
            | (self.down >> 4 & other.pieces) >> 4
            | (self.down >> 5 & other.pieces) >> 5;
        let onto = onto & empty;
        if onto == 0 {
            0
        } else if onto.is_power_of_two() {
            SQUARES & !onto
        } else {
            SQUARES
        }
    }

    /// Returns the squares of the other side's king with which this side can capture.
    #[inline(always)]
    fn captures_of_king(&self, other: &Self, empty: Bits) -> Bits {
        self.captures(other, empty)
            | self.up << 4 & empty >> 4
            | self.up << 5 & empty >> 5
            | self.down >> 4 & empty << 4
            | self.down >> 5 & empty << 5
    }

    /// Returns the squares of this side's king with which this side can capture.
    #[inline(always)]
    fn captures_with_king(&self, other: &Self, empty: Bits) -> Bits {
        self.captures(other, empty)
            | (other.pieces & empty >> 4) >> 4
            | (other.pieces & empty >> 5) >> 5
            | (other.pieces & empty << 4) << 4
            | (other.pieces & empty << 5) << 5
    }
}

#[cfg(test)]
mod tests {
    use super::super::slice::Slice;
    use super::*;
    use crate::index::to_usize;

    #[test]
    fn many_at_once_are_the_same_as_one_by_one() {
        for slice in Slice::all(2..=6) {
            let index = Index::new(slice);
            for coverage in [Coverage::Quiet, Coverage::Calm, Coverage::Even] {
                for start in (0..index.len()).step_by(to_usize(index.len() / 5) + 1) {
                    let len = usize::try_from(index.len() - start).unwrap().min(1999);
                    let places = stored(&index, coverage, start, len);
                    for place in 0..len {
                        let node = index.node(start + place as u64);
                        assert_eq!(
                            places.has(place),
                            coverage.stores(&node),
                            "{slice} {coverage:?} {start} {place}"
                        );
                    }
                }
            }
        }
    }
}
