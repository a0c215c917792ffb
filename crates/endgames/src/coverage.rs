//! The positions of a slice whose values are stored in its file. The values of the others follow from those.
//!
//! Positions in which the side to move must capture are never stored: each capture takes a piece, so that playing the captures
//! out is short. A file may also leave out positions in which the *other* side could capture if it were its move. They differ
//! most from their neighbours, and take a quarter to a third of the space. Their values are looked up one ply ahead.
//! Therefore the positions that they lead to must be stored:
//!
//! - Only one of a slice and its twin leaves such positions out. Its moves lead to the twin.
//! - A slice that is its own twin leaves out those whose rows have an odd sum. It has an even number of pieces, so that every
//!   quiet move changes the parity, as seen by the next side to move.
//! - Positions in which a man can be crowned next are always stored: crowning leads to other slices.

use super::bits::SEVENTH_ROW;
use super::node::Node;
use super::slice::Slice;

/// The positions whose values are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coverage {
    /// Every position without a capture for the side to move.
    Quiet,
    /// The same without those in which the other side threatens to capture and no man is on the seventh row.
    Calm,
    /// The same as [`Self::Quiet`] without those of these positions whose rows have an odd sum.
    Even,
}

impl Coverage {
    const ALL: [Self; 3] = [Self::Quiet, Self::Calm, Self::Even];

    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Quiet => 1,
            Self::Calm => 2,
            Self::Even => 3,
        }
    }

    /// Returns the coverage with a code, if a slice can have it.
    pub(super) fn of(code: u8, slice: Slice) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|coverage| coverage.code() == code)?;
        let own_twin = slice.twin() == slice;
        let possible = match found {
            Self::Quiet => true,
            Self::Calm => !own_twin,
            Self::Even => own_twin,
        };
        possible.then_some(found)
    }

    /// Returns whether a position without a capture is left out.
    #[inline]
    pub(super) const fn leaves_out(self, node: &Node) -> bool {
        match self {
            Self::Quiet => false,
            Self::Calm => node.is_threatened() && node.own_men & SEVENTH_ROW == 0,
            Self::Even => node.is_odd() && node.is_threatened() && node.own_men & SEVENTH_ROW == 0,
        }
    }

    #[inline]
    pub(super) const fn stores(self, node: &Node) -> bool {
        !node.can_capture() && !self.leaves_out(node)
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::*;
    use crate::index::to_usize;

    /// Successors of positions that are left out are stored, so that one ply is enough.
    #[test]
    fn moves_from_what_is_left_out_lead_to_what_is_stored() {
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
    fn only_possible_coverages_are_read() {
        let (twins, own): (Slice, Slice) = ("21v10".parse().unwrap(), "11v11".parse().unwrap());
        for coverage in Coverage::ALL {
            let possible = [twins, own].map(|slice| Coverage::of(coverage.code(), slice) == Some(coverage));
            assert_eq!(possible, [coverage != Coverage::Even, coverage != Coverage::Calm]);
        }
        assert_eq!(Coverage::of(0, twins), None);
        assert_eq!(Coverage::of(4, twins), None);
    }
}
