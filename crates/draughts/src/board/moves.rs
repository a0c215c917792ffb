//! Moves and lists of moves.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::square::{Bitboard, Bits, Square, pack, square_at};
use super::zobrist::GOLDEN;

/// A legal move in the position that generated it: start, end and captured pieces.
///
/// Captures with the same start, end and captured pieces are the same move, even if their paths differ. Only
/// move generation creates moves; text is resolved against a position (see [`crate::notation`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u64);

const _: () = assert!(size_of::<Move>() == 8 && size_of::<Option<Move>>() == 16);

// Bits 0-34: captured pieces, in the layout of move generation; 35-40: from; 41-46: to; 47: set if a king
// moves; 48: set if a man is crowned.
const FROM_SHIFT: u32 = 35;
const TO_SHIFT: u32 = 41;
const KING_BIT: u64 = 1 << 47;
const CROWNED_BIT: u64 = 1 << 48;
const CAPTURED_BITS: u64 = (1 << 35) - 1;

impl Move {
    #[inline]
    pub(super) fn new(from: Bits, to: Bits, captured: Bits, king: bool, crown_row: Bits) -> Self {
        debug_assert!(from.is_power_of_two() && to.is_power_of_two() && captured & !CAPTURED_BITS == 0);
        Self(
            captured
                | u64::from(from.trailing_zeros()) << FROM_SHIFT
                | u64::from(to.trailing_zeros()) << TO_SHIFT
                | if king { KING_BIT } else { 0 }
                | if !king && to & crown_row != 0 { CROWNED_BIT } else { 0 },
        )
    }

    #[inline]
    pub(super) fn source_bit(self) -> u32 {
        (self.0 >> FROM_SHIFT & 63) as u32
    }

    #[inline]
    pub(super) fn target_bit(self) -> u32 {
        (self.0 >> TO_SHIFT & 63) as u32
    }

    #[inline]
    pub(super) fn captured_bits(self) -> Bits {
        self.0 & CAPTURED_BITS
    }

    #[inline]
    pub fn from(self) -> Square {
        square_at(self.source_bit())
    }

    #[inline]
    pub fn to(self) -> Square {
        square_at(self.target_bit())
    }

    #[inline]
    pub fn captured(self) -> Bitboard {
        pack(self.captured_bits())
    }

    #[must_use]
    #[inline]
    pub fn is_capture(self) -> bool {
        self.captured_bits() != 0
    }

    /// Returns whether a king moves.
    #[must_use]
    #[inline]
    pub fn is_king(self) -> bool {
        self.0 & KING_BIT != 0
    }

    #[must_use]
    #[inline]
    pub fn is_crowning(self) -> bool {
        self.0 & CROWNED_BIT != 0
    }

    /// Returns whether the move is a capture or a man's move, after which no earlier position can recur.
    #[must_use]
    #[inline]
    pub fn is_irreversible(self) -> bool {
        self.is_capture() || !self.is_king()
    }

    /// Returns the move's id: five bits each for the start and the end, and six for the captured set.
    #[must_use]
    #[inline]
    pub fn id(self) -> MoveId {
        let captured = (self.captured_bits().wrapping_mul(GOLDEN) >> 58) as u16;
        let id =
            captured << 10 | u16::from(self.from().number() - 1) << 5 | u16::from(self.to().number() - 1);
        // Only a capture from square 1 back to it could be 0.
        MoveId::new(id).unwrap_or(MoveId::MAX)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.is_capture() { 'x' } else { '-' };
        write!(f, "{}{separator}{}", self.from(), self.to())?;
        if self.is_capture() {
            write!(f, "{:?}", self.captured())?;
        }
        Ok(())
    }
}

/// A short form of a move for tables, unique among the legal moves in all but contrived positions. An id read
/// from a table must be matched against the legal moves.
pub type MoveId = NonZeroU16;

/// Capacity of a move list. A test of move generation proves that no position has more moves.
pub const MAX_MOVES: usize = 128;

/// The legal moves of a position, in the order of generation.
///
/// This type and [`CapturePath`] are those of `arrayvec` 0.7, which is thus part of the interface.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The landing squares of a capture, in order.
pub type CapturePath = ArrayVec<Square, 12>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, movetext};

    #[test]
    fn moves_have_squares_and_kinds() {
        // Position, move, captured pieces, whether a king moves, whether a man is crowned, debug text.
        for (position, text, captured, king, crowned, debug) in [
            ("B:W21-32:B1-12", "11-15", &[][..], false, false, "11-15"),
            ("W:W21-32:B1-12", "24-20", &[], false, false, "24-20"),
            ("B:WK1:B28", "28-32", &[], false, true, "28-32"),
            ("W:W5:BK32", "5-1", &[], false, true, "5-1"),
            ("B:WK1:BK28", "28-32", &[], true, false, "28-32"),
            ("B:W9,18:B5", "5x14x23", &[9, 18], false, false, "5x23{9, 18}"),
            ("B:W26:B23", "23x30", &[26], false, true, "23x30{26}"),
            ("W:WK30:B7,26", "30x23", &[26], true, false, "30x23{26}"),
        ] {
            let position = fen::parse(position).unwrap();
            let mv = movetext::parse(&position, text).unwrap();
            let numbers: Vec<u8> = text.split(['-', 'x']).map(|number| number.parse().unwrap()).collect();
            let ends = (numbers[0], numbers[numbers.len() - 1]);
            assert_eq!((mv.from().number(), mv.to().number()), ends, "{text}");
            assert_eq!(mv.captured(), Bitboard::from_numbers(captured), "{text}");
            assert_eq!(mv.is_capture(), !captured.is_empty(), "{text}");
            assert_eq!((mv.is_king(), mv.is_crowning()), (king, crowned), "{text}");
            assert_eq!(mv.is_irreversible(), !king || !captured.is_empty(), "{text}");
            assert_eq!(format!("{mv:?}"), debug);
        }
    }

    #[test]
    fn move_ids_distinguish_captures() {
        let id = |position: &str, text: &str| {
            movetext::parse(&fen::parse(position).unwrap(), text).unwrap().id().get()
        };
        assert_eq!(id("B:W21-32:B1-12", "11-15"), 10 * 32 + 14);
        assert_eq!(id("W:W21-32:B1-12", "21-17"), 20 * 32 + 16);
        // The captured pieces 9 and 17 are at bits 9 and 18; 10 and 18 at 10 and 19.
        let hash = |bits: u64| u16::try_from(bits.wrapping_mul(GOLDEN) >> 58).unwrap();
        let ends = 5 * 32 + 21;
        let ids = ["6x13x22", "6x15x22"].map(|text| id("B:W9,10,17,18,32:B6", text));
        assert_eq!(ids, [1 << 9 | 1 << 18, 1 << 10 | 1 << 19].map(|captured| hash(captured) * 1024 + ends));
        assert_ne!(ids[0], ids[1]);
    }
}
