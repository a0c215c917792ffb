//! Moves and lists of moves.

use std::fmt;

use arrayvec::ArrayVec;

use super::square::{Bitboard, Bits, Square, pack, square_at};

/// A legal move in the position that generated it: start, end and captured pieces.
///
/// Captures with the same start, end and captured pieces are the same move, even if their paths differ. Only
/// move generation creates moves; text is resolved against a position (see [`crate::notation`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u64);

const _: () = assert!(size_of::<Move>() == 8 && size_of::<Option<Move>>() == 16);

// Bits 0-34: captured pieces, in the layout of move generation; 35-40: from; 41-46: to; 47: set if a king
// moves; 48: set if a man is crowned.
const FROM: u32 = 35;
const TO: u32 = 41;
const KING: u64 = 1 << 47;
const CROWNED: u64 = 1 << 48;
const CAPTURED: u64 = (1 << 35) - 1;

impl Move {
    #[inline]
    pub(super) fn new(from: Bits, to: Bits, captured: Bits, king: bool, crown_row: Bits) -> Self {
        debug_assert!(from.is_power_of_two() && to.is_power_of_two() && captured & !CAPTURED == 0);
        Self(
            captured
                | u64::from(from.trailing_zeros()) << FROM
                | u64::from(to.trailing_zeros()) << TO
                | if king { KING } else { 0 }
                | if !king && to & crown_row != 0 { CROWNED } else { 0 },
        )
    }

    #[inline]
    pub(super) fn source_place(self) -> u32 {
        (self.0 >> FROM & 63) as u32
    }

    #[inline]
    pub(super) fn target_place(self) -> u32 {
        (self.0 >> TO & 63) as u32
    }

    #[inline]
    pub(super) fn captured_bits(self) -> Bits {
        self.0 & CAPTURED
    }

    /// Returns the start square.
    #[inline]
    pub fn from(self) -> Square {
        square_at(self.source_place())
    }

    /// Returns the end square.
    #[inline]
    pub fn to(self) -> Square {
        square_at(self.target_place())
    }

    /// Returns the captured pieces.
    #[inline]
    pub fn captured(self) -> Bitboard {
        pack(self.captured_bits())
    }

    /// Returns whether the move is a capture.
    #[must_use]
    #[inline]
    pub fn is_capture(self) -> bool {
        self.captured_bits() != 0
    }

    /// Returns whether a king moves.
    #[must_use]
    #[inline]
    pub fn is_king(self) -> bool {
        self.0 & KING != 0
    }

    /// Returns whether a man is crowned.
    #[must_use]
    #[inline]
    pub fn is_crowning(self) -> bool {
        self.0 & CROWNED != 0
    }

    /// Returns whether the move is a capture or a man's move, after which no earlier position can recur.
    #[must_use]
    #[inline]
    pub fn is_irreversible(self) -> bool {
        self.is_capture() || !self.is_king()
    }

    /// Returns a 16-bit id, unique among the legal moves in all but contrived positions: five bits each for
    /// the start and the end, and six for the captured set. An id read from a table must be matched against
    /// the legal moves.
    #[must_use]
    #[inline]
    pub fn id(self) -> u16 {
        let captured = (self.captured_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as u16;
        captured << 10 | u16::from(self.from().number() - 1) << 5 | u16::from(self.to().number() - 1)
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

/// Capacity of a move list. A test of move generation proves that no position has more moves.
pub const MAX_MOVES: usize = 128;

/// The legal moves of a position, in the order of generation.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The landing squares of a capture, in order.
pub type CapturePath = ArrayVec<Square, 12>;
