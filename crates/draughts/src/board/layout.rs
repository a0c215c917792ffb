//! A layout of the board in 35 bits, in which every diagonal step is one shift.
//!
//! A square with index `i` lives at bit `i + i / 8`, which leaves the bits 8, 17 and 26 unused. From every square the
//! two steps towards higher numbers are then shifts by 4 and by 5, and a step over the side edge lands on an unused
//! bit. Those bits are never empty and never occupied, so `& empty` does the work of all edge masks.
//!
//! The layout is private to the board: everything outside uses [`Square`]s and [`Bitboard`]s.

use super::square::{Bitboard, Square};

pub(super) type Bits = u64;

pub(super) const SQUARES: Bits = ((1 << 35) - 1) & !(1 << 8 | 1 << 17 | 1 << 26);
/// Squares 1-4, where White's men are crowned.
pub(super) const FIRST_ROW: Bits = 0b1111;
/// Squares 29-32, where Black's men are crowned.
pub(super) const LAST_ROW: Bits = 0b1111 << 31;

/// Returns the place of a square with an index from 0 to 31.
#[inline]
pub(super) const fn place(index: u32) -> u32 {
    index + index / 8
}

/// Returns the square at a place that is one.
#[inline]
pub(super) const fn square_at(place: u32) -> Square {
    Square::new(place - place / 9)
}

#[inline]
pub(super) const fn bit(square: Square) -> Bits {
    1 << place(square.number() as u32 - 1)
}

#[expect(clippy::cast_possible_truncation, reason = "the masks leave 32 bits")]
#[inline]
pub(super) const fn pack(bits: Bits) -> Bitboard {
    Bitboard((bits & 0xff | bits >> 1 & 0xff00 | bits >> 2 & 0x00ff_0000 | bits >> 3 & 0xff00_0000) as u32)
}

#[inline]
pub(super) const fn unpack(set: Bitboard) -> Bits {
    let bits = set.0 as u64;
    bits & 0xff | (bits & 0xff00) << 1 | (bits & 0x00ff_0000) << 2 | (bits & 0xff00_0000) << 3
}

#[inline]
pub(super) const fn rotate(bits: Bits) -> Bits {
    bits.reverse_bits() >> 29
}

#[inline]
pub(super) const fn lowest(bits: Bits) -> Bits {
    bits & bits.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_its_own_bit_and_comes_back() {
        let mut all = 0;
        for square in Square::all() {
            let bit = bit(square);
            assert_eq!(all & bit, 0);
            all |= bit;
            assert_eq!(square_at(bit.trailing_zeros()), square);
            assert_eq!(pack(bit), Bitboard::from(square));
            assert_eq!(unpack(Bitboard::from(square)), bit);
            assert_eq!(rotate(bit), super::bit(square.rotated()));
        }
        assert_eq!(all, SQUARES);
        assert_eq!(unpack(Bitboard::row(0)), FIRST_ROW);
        assert_eq!(unpack(Bitboard::row(7)), LAST_ROW);
    }

    #[test]
    fn steps_are_shifts() {
        for square in Square::all() {
            for (shift, dr, dc) in [(4i32, 1i8, -1i8), (5, 1, 1), (-5, -1, -1), (-4, -1, 1)] {
                let moved = if shift > 0 { bit(square) << shift } else { bit(square) >> -shift };
                let target = square
                    .row()
                    .checked_add_signed(dr)
                    .zip(square.column().checked_add_signed(dc))
                    .and_then(|(row, column)| Square::at(row, column));
                assert_eq!(moved & SQUARES, target.map_or(0, bit), "{square} by {shift}");
            }
        }
    }
}
