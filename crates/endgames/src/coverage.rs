//! Selects the positions of a slice whose values its file stores. All other values follow from the stored
//! values.
//!
//! Positions in which the side to move must capture are never stored: playing captures out is quick, since
//! each takes a piece. A file may also leave out positions in which the *other* side could capture if it were
//! to move. Their values are the hardest to predict from their neighbours, and would take a quarter to a
//! third of the space. Instead, such positions are looked up one ply ahead, so the positions that they lead
//! to must be stored:
//!
//! - Only one slice of a pair of twins leaves such positions out. Moves lead from them to the other twin.
//! - A slice that is its own twin leaves out positions in which the rows of all pieces have an odd sum. Such
//!   a slice has an even number of pieces, so every quiet move changes the parity, even from the point of
//!   view of the next side to move.
//! - Positions in which a man can be crowned next are always stored, since crowning leads to other slices.

#![expect(clippy::inline_always, reason = "once for every row of positions of every block that is read")]

use super::bits::{Bits, ODD_ROWS, SEVENTH_ROW, SQUARES, extract};
use super::coder::IndexSet;
use super::index::Index;
use super::node::{Node, landings};
use super::slice::Slice;
use super::walk::Walk;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every position in which the side to move has no capture.
    Quiet = 1,
    /// Like `Quiet`, except for positions in which the other side threatens to capture and no man is on the
    /// seventh row.
    Calm = 2,
    /// Like `Quiet`, except that positions are left out if `Calm` leaves them out and their rows have an odd
    /// sum.
    Even = 3,
}

impl Coverage {
    const ALL: [Self; 3] = [Self::Quiet, Self::Calm, Self::Even];

    /// Returns the coverage for this code, or `None` if it is invalid for the slice.
    pub fn of(code: u8, slice: Slice) -> Option<Self> {
        let coverage = Self::ALL.into_iter().find(|&coverage| coverage as u8 == code)?;
        let own_twin = slice.twin() == slice;
        let possible = match coverage {
            Self::Quiet => true,
            Self::Calm => !own_twin,
            Self::Even => own_twin,
        };
        possible.then_some(coverage)
    }

    /// Returns whether a position without a capture is left out.
    #[inline]
    pub const fn leaves_out(self, node: &Node) -> bool {
        match self {
            Self::Quiet => false,
            Self::Calm => node.is_threatened() && node.own_men & SEVENTH_ROW == 0,
            Self::Even => node.is_odd() && node.is_threatened() && node.own_men & SEVENTH_ROW == 0,
        }
    }

    #[inline]
    pub const fn stores(self, node: &Node) -> bool {
        !node.can_capture() && !self.leaves_out(node)
    }
}

/// Returns the stored indices among the `len` positions from `start`.
///
/// Most consecutive positions differ only in the square of one king. Computing all squares of this king that
/// allow a capture is hardly slower than checking one square, and halves the time to read a block.
pub fn stored(index: &Index, coverage: Coverage, start: u64, len: usize) -> IndexSet {
    let mut indices = IndexSet::none();
    let mut walk = Walk::from(index, start);
    let mut offset = 0;
    while offset < len {
        let left = u32::try_from(len - offset).unwrap_or(u32::MAX);
        if let Some(run) = walk.run(left) {
            let stored = stored_squares(&walk.node, run.king, run.squares, run.own, coverage);
            let mut bits = extract(stored, run.squares);
            while bits != 0 {
                indices.add(offset + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
            offset += run.squares.count_ones() as usize;
        } else {
            if coverage.stores(&walk.node) {
                indices.add(offset);
            }
            offset += 1;
        }
        walk.step();
    }
    indices
}

/// Returns the king's squares for which the position is stored.
#[inline(always)]
fn stored_squares(node: &Node, king: Bits, squares: Bits, own: bool, coverage: Coverage) -> Bits {
    let mut rest = *node;
    if own {
        rest.own_kings ^= king;
    } else {
        rest.enemy_kings ^= king;
    }
    let empty = rest.empty();
    let up = SideAttacks { pieces: rest.own(), up: rest.own(), down: rest.own_kings };
    let down = SideAttacks { pieces: rest.enemy(), up: rest.enemy_kings, down: rest.enemy() };
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

/// The pieces of one side, except for the king that moves.
struct SideAttacks {
    pieces: Bits,
    /// The pieces that capture upwards, and those that capture downwards.
    up: Bits,
    down: Bits,
}

impl SideAttacks {
    /// Returns the king's squares that allow a capture by other pieces: all except those where the king would
    /// block the only capture.
    #[inline(always)]
    fn captures(&self, other: &Self, empty: Bits) -> Bits {
        let onto = landings(self.up, self.down, other.pieces) & empty;
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
    use super::super::index::Index;
    use super::*;
    use crate::index::to_usize;

    /// Successors of positions that are left out are stored, so that one ply is enough.
    #[test]
    fn omitted_positions_have_stored_successors() {
        let mut left_out = 0;
        for slice in Slice::all(2..=6) {
            let index = Index::new(slice);
            let own_twin = slice == slice.twin();
            let (here, there) =
                if own_twin { (Coverage::Even, Coverage::Even) } else { (Coverage::Calm, Coverage::Quiet) };
            for number in (0..index.len()).step_by(to_usize(index.len() / 2000) + 1) {
                let node = index.node(number);
                if node.can_capture() || !here.leaves_out(&node) {
                    continue;
                }
                left_out += 1;
                node.quiet_moves(&mut |child| {
                    assert_eq!(child.slice(), slice.twin());
                    assert!(child.can_capture() || there.stores(child), "{slice} {number}");
                    true
                });
            }
        }
        assert!(left_out > 10_000, "{left_out}");
    }

    #[test]
    fn invalid_coverages_are_rejected() {
        let (twins, own): (Slice, Slice) = ("21v10".parse().unwrap(), "11v11".parse().unwrap());
        for coverage in Coverage::ALL {
            let possible = [twins, own].map(|slice| Coverage::of(coverage as u8, slice) == Some(coverage));
            assert_eq!(possible, [coverage != Coverage::Even, coverage != Coverage::Calm]);
        }
        assert_eq!(Coverage::of(0, twins), None);
        assert_eq!(Coverage::of(4, twins), None);
    }

    #[test]
    fn batches_equal_single_lookups() {
        for slice in Slice::all(2..=6) {
            let index = Index::new(slice);
            for coverage in [Coverage::Quiet, Coverage::Calm, Coverage::Even] {
                for start in (0..index.len()).step_by(to_usize(index.len() / 5) + 1) {
                    let len = usize::try_from(index.len() - start).unwrap().min(1999);
                    let indices = stored(&index, coverage, start, len);
                    for offset in 0..len {
                        let node = index.node(start + offset as u64);
                        assert_eq!(
                            indices.has(offset),
                            coverage.stores(&node),
                            "{slice} {coverage:?} {start} {offset}"
                        );
                    }
                }
            }
        }
    }
}
