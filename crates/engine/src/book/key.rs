//! Colour-independent keys: a position and its flip, with colours exchanged and the board rotated, have the
//! same key.

use kelso_draughts::board::relative::{RelativePosition, SidePieces};
use kelso_draughts::board::{Bitboard, Color, Move, Position};

/// A position from the point of view of the side to move, whose men move up from square 1. Bit 0 is square 1.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key {
    /// The pieces of the side to move.
    pub own: u32,
    /// The pieces of the other side.
    pub other: u32,
    /// The kings of both sides.
    pub kings: u32,
}

const _: () = assert!(size_of::<Key>() == Key::BYTES);

impl Key {
    /// Size of a key in a file, in bytes.
    pub const BYTES: usize = 12;

    pub fn of(position: &Position) -> Self {
        let RelativePosition { us, them } = position.relative();
        Self { own: us.all().0, other: them.all().0, kings: (us.kings | them.kings).0 }
    }

    /// Returns the position with Black to move, or `None` if it is invalid.
    #[must_use]
    pub fn position(self) -> Option<Position> {
        let [own, other, kings] = [self.own, self.other, self.kings].map(Bitboard);
        let [us, them] = [own, other].map(|pieces| SidePieces { men: pieces - kings, kings: pieces & kings });
        let position = RelativePosition { us, them }.position();
        position.filter(|_| (kings - own - other).is_empty())
    }

    /// Encodes the key for a file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let numbers = [self.own, self.other, self.kings].map(u32::to_le_bytes);
        std::array::from_fn(|at| numbers[at / 4][at % 4])
    }

    /// Decodes a key.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [own, other, kings] =
            [0, 4, 8].map(|at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
        Self { own, other, kings }
    }
}

/// Returns the legal moves in the order used by books: by start square, end square and captured squares, from
/// the point of view of the side to move.
#[must_use]
pub fn moves(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.moves().into_iter().collect();
    moves.sort_by_key(|mv| match position.side() {
        Color::Black => (mv.from(), mv.to(), mv.captured().0),
        Color::White => (mv.from().rotated(), mv.to().rotated(), mv.captured().rotated().0),
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::testing;

    #[test]
    fn a_position_and_its_flip_share_a_key() {
        testing::positions(|position| {
            let key = Key::of(position);
            assert_eq!(key, Key::of(&position.flipped()));
            let black_to_move = if position.side() == Color::Black { *position } else { position.flipped() };
            assert_eq!(key.position(), Some(black_to_move));
            assert_eq!(Key::from_bytes(key.to_bytes()), key);
            let after = |position: &Position| -> Vec<Key> {
                moves(position).into_iter().map(|mv| Key::of(&position.after(mv))).collect()
            };
            assert_eq!(after(position), after(&position.flipped()));
            assert_eq!(moves(position).len(), position.moves().len());
        });
    }

    #[test]
    fn invalid_keys_have_no_position() {
        for key in [
            Key { own: 1, other: 1, kings: 0 },
            Key { own: 1, other: 2, kings: 4 },
            Key::default(),
            Key { own: 1 << 31, other: 2, kings: 0 },
            Key { own: 1 << 8, other: 1, kings: 0 },
            Key { own: 0x1fff, other: 1 << 20, kings: 0 },
        ] {
            assert_eq!(key.position(), None, "{key:?}");
        }
    }
}
