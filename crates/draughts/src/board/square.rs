//! The 32 dark squares and sets of them.
//!
//! Move generation has its own layout of 35 bits, in which every diagonal step is one shift. A square with
//! index `i` is at bit `i + i / 8`, which leaves bits 8, 17 and 26 unused. From every square, the two steps
//! towards higher numbers are then shifts by 4 and by 5, and a step over the side edge lands on an unused
//! bit. Unused bits are neither empty nor occupied, so `& empty` replaces all edge masks.
//! [`steps`](super::steps) gives evaluations the same layout.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not, Sub};

/// One of the 32 dark squares, shown as `1` to `32`.
///
/// ```
/// use kelso_draughts::board::Square;
/// let square = Square::from_number(11).unwrap();
/// assert_eq!(square.to_string(), "11");
/// assert_eq!((square.row(), square.column()), (2, 5));
/// ```
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 32;

    /// Returns the square with the given number, 1 to 32, as used in notation.
    #[must_use]
    #[inline]
    pub const fn from_number(number: u8) -> Option<Self> {
        if number >= 1 && number <= 32 { Some(Self(number - 1)) } else { None }
    }

    /// Creates a square from a valid index.
    #[inline]
    const fn new(index: u32) -> Self {
        debug_assert!(index < 32);
        Self((index & 31) as u8)
    }

    /// Returns the number from 1 to 32.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Returns the index from 0 to 31.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the row, from Black's home row (0, squares 1-4) to White's (7, squares 29-32).
    #[must_use]
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 / 4
    }

    /// Returns the column, from 0 at White's left to 7.
    #[must_use]
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 % 4 * 2 + (self.row() + 1) % 2
    }

    /// Returns the minimum number of king steps to another square.
    #[must_use]
    #[inline]
    pub fn distance(self, other: Self) -> u8 {
        self.row().abs_diff(other.row()).max(self.column().abs_diff(other.column()))
    }

    /// Returns the dark square at a row and a column, if there is one.
    #[must_use]
    #[inline]
    pub const fn at(row: u8, column: u8) -> Option<Self> {
        if row < 8 && column < 8 && (row + column) % 2 == 1 { Some(Self(row * 4 + column / 2)) } else { None }
    }

    /// Returns where the square lies after the board is rotated by 180 degrees.
    #[inline]
    pub const fn rotated(self) -> Self {
        Self(31 - self.0)
    }

    /// Returns all squares in numerical order.
    #[inline]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..32u8).map(Self)
    }
}

impl fmt::Display for Square {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Square {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Square({})", self.number())
    }
}

/// A set of squares; bit `n - 1` is square `n`.
///
/// ```
/// use kelso_draughts::board::{Bitboard, Square};
/// let home = Bitboard::from_numbers(&[1, 2, 3, 4]);
/// assert_eq!(home.len(), 4);
/// assert!(home.contains(Square::from_number(3).unwrap()));
/// assert_eq!(home.rotated(), Bitboard::from_numbers(&[29, 30, 31, 32]));
/// ```
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u32);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of squares with these numbers.
    ///
    /// # Panics
    ///
    /// If a number is not from 1 to 32.
    pub const fn from_numbers(numbers: &[u8]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < numbers.len() {
            assert!(Square::from_number(numbers[i]).is_some(), "squares have numbers from 1 to 32");
            bits |= 1 << (numbers[i] - 1);
            i += 1;
        }
        Self(bits)
    }

    /// Returns the squares of one row, 0 to 7.
    #[inline]
    pub const fn row(row: u8) -> Self {
        if row < 8 { Self(0xf << (row * 4)) } else { Self::EMPTY }
    }

    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[must_use]
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Returns the set with a square added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.0)
    }

    /// Returns the set after the board is rotated by 180 degrees.
    #[inline]
    pub const fn rotated(self) -> Self {
        Self(self.0.reverse_bits())
    }

    /// Returns the squares in numerical order.
    #[must_use]
    #[inline]
    pub fn iter(self) -> Squares {
        Squares(self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self(1 << square.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Square::number)).finish()
    }
}

/// The squares of a [`Bitboard`], from the lowest number to the highest.
#[derive(Clone, Debug)]
pub struct Squares(u32);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros());
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

/// A set of squares in the layout of move generation.
pub type Bits = u64;

/// All squares, without the unused bits.
pub const SQUARES: Bits = ((1 << 35) - 1) & !(1 << 8 | 1 << 17 | 1 << 26);
/// Squares 29-32, where Black's men are crowned, and 1-4, where White's are.
pub(super) const CROWN_ROWS: [Bits; 2] = [0b1111 << 31, 0b1111];

/// Returns the bit number of the square with the given index, 0 to 31.
#[inline]
pub(super) const fn bit_index(index: u32) -> u32 {
    index + index / 8
}

/// Returns the square at a bit number, which must be in use.
#[inline]
pub(super) const fn square_at(bit: u32) -> Square {
    Square::new(bit - bit / 9)
}

#[inline]
pub(super) const fn bit(square: Square) -> Bits {
    1 << bit_index(square.number() as u32 - 1)
}

/// Converts a set from the layout of move generation, leaving out bits without squares.
#[expect(clippy::cast_possible_truncation, reason = "the masks leave 32 bits")]
#[inline]
pub const fn pack(bits: Bits) -> Bitboard {
    Bitboard((bits & 0xff | bits >> 1 & 0xff00 | bits >> 2 & 0x00ff_0000 | bits >> 3 & 0xff00_0000) as u32)
}

/// Converts a set to the layout of move generation.
#[must_use]
#[inline]
pub const fn unpack(set: Bitboard) -> Bits {
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
    fn squares_lie_where_the_diagram_shows_them() {
        let place = |n| Square::from_number(n).map(|s| (s.row(), s.column()));
        assert_eq!(place(1), Some((0, 1)));
        assert_eq!(place(4), Some((0, 7)));
        assert_eq!(place(5), Some((1, 0)));
        assert_eq!(place(32), Some((7, 6)));
        assert_eq!(place(0), None);
        assert_eq!(place(33), None);
        for square in Square::all() {
            assert_eq!(Square::at(square.row(), square.column()), Some(square));
            assert_eq!(square.rotated().rotated(), square);
        }
        for (row, column) in [(0, 0), (8, 1), (1, 8), (7, 7)] {
            assert_eq!(Square::at(row, column), None);
        }
        for (one, other, steps) in [(1, 1, 0), (1, 6, 1), (1, 32, 7), (4, 29, 7), (13, 20, 7), (1, 5, 1)] {
            assert_eq!(Square(one - 1).distance(Square(other - 1)), steps, "{one} {other}");
        }
        assert_eq!(format!("{:>3}", Square(7)), "  8");
        assert_eq!((Square(7).index(), Square(7).rotated().number()), (7, 25));
    }

    #[test]
    fn a_set_yields_its_squares_in_order() {
        let square = |number| Square::from_number(number).unwrap();
        let set = Bitboard::from_numbers(&[32, 7, 18]);
        assert_eq!(set.iter().map(Square::number).collect::<Vec<_>>(), [7, 18, 32]);
        assert_eq!(set.iter().collect::<Bitboard>(), set);
        assert_eq!(set - Bitboard::from_numbers(&[7]), Bitboard::from_numbers(&[18, 32]));
        let other = Bitboard::from_numbers(&[7, 8]);
        assert_eq!(set | other, Bitboard::from_numbers(&[7, 8, 18, 32]));
        assert_eq!(set & other, Bitboard::from_numbers(&[7]));
        assert_eq!(!set & other, Bitboard::from_numbers(&[8]));
        assert_eq!((set.len(), set.is_empty(), Bitboard::EMPTY.is_empty()), (3, false, true));
        assert_eq!(Bitboard::from(square(8)).with(square(7)), other);
        assert_eq!((set.iter().len(), set.contains(square(18)), set.contains(square(17))), (3, true, false));
        assert_eq!(Bitboard::row(2), Bitboard::from_numbers(&[9, 10, 11, 12]));
        assert_eq!(Bitboard::row(8), Bitboard::EMPTY);
        assert_eq!(
            (format!("{set:?}"), format!("{:?}", square(8))),
            ("{7, 18, 32}".into(), "Square(8)".into())
        );
    }

    #[test]
    fn squares_and_bits_round_trip() {
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
        assert_eq!([7, 0].map(|row| unpack(Bitboard::row(row))), CROWN_ROWS);
    }

    #[test]
    fn steps_equal_shifts() {
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
