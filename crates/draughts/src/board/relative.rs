//! A position from the point of view of the side to move: its own pieces move up the board, regardless of
//! their colour.

use super::{Bitboard, Color, Position};

/// One side's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SidePieces {
    pub men: Bitboard,
    pub kings: Bitboard,
}

/// The pieces of both sides, on a board where its own men start on 1-12.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RelativePosition {
    /// The side to move.
    pub own: SidePieces,
    pub enemy: SidePieces,
}

impl Position {
    /// Returns the board from the point of view of the side to move.
    #[inline]
    pub fn relative(&self) -> RelativePosition {
        let black = SidePieces { men: self.men(Color::Black), kings: self.kings(Color::Black) };
        let white = SidePieces { men: self.men(Color::White), kings: self.kings(Color::White) };
        match self.side() {
            Color::Black => RelativePosition { own: black, enemy: white },
            Color::White => RelativePosition { own: white.rotated(), enemy: black.rotated() },
        }
    }
}

impl RelativePosition {
    /// Returns the position with Black to move, or `None` if it is illegal or has two pieces on a square.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let men = [self.own.men, self.enemy.men];
        let kings = [self.own.kings, self.enemy.kings];
        Position::from_sets(men, kings, Color::Black).ok()
    }

    /// Returns the same board from the other side's point of view.
    #[inline]
    pub fn swapped(self) -> Self {
        Self { own: self.enemy.rotated(), enemy: self.own.rotated() }
    }

    /// Returns a function's value for the side to move minus its value for the other side.
    #[inline]
    pub fn difference(self, of: impl Fn(&Self) -> i32) -> i32 {
        of(&self) - of(&self.swapped())
    }

    #[inline]
    pub fn occupied(self) -> Bitboard {
        self.own.all() | self.enemy.all()
    }
}

impl SidePieces {
    /// Returns the same pieces on the rotated board.
    #[inline]
    fn rotated(self) -> Self {
        Self { men: self.men.rotated(), kings: self.kings.rotated() }
    }

    /// Returns the squares of this side's pieces.
    #[inline]
    pub fn all(self) -> Bitboard {
        self.men | self.kings
    }
}

/// A [`RelativePosition`] in 12 bytes. A position and its flip, with colours exchanged and the board rotated,
/// have the same key. Bit 0 is square 1.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Key {
    /// The pieces of the side to move.
    pub own: u32,
    /// The pieces of the other side.
    pub enemy: u32,
    /// The kings of both sides.
    pub kings: u32,
}

const _: () = assert!(size_of::<Key>() == Key::BYTES);

impl Key {
    /// Size of a key in a file, in bytes.
    pub const BYTES: usize = 12;

    pub fn of(position: &Position) -> Self {
        let RelativePosition { own, enemy } = position.relative();
        Self { own: own.all().0, enemy: enemy.all().0, kings: (own.kings | enemy.kings).0 }
    }

    pub fn relative(self) -> RelativePosition {
        let kings = Bitboard(self.kings);
        let [own, enemy] = [self.own, self.enemy]
            .map(Bitboard)
            .map(|pieces| SidePieces { men: pieces - kings, kings: pieces & kings });
        RelativePosition { own, enemy }
    }

    /// Returns the position with Black to move, or `None` if it is invalid.
    #[must_use]
    pub fn position(self) -> Option<Position> {
        self.relative().position().filter(|_| self.kings & !(self.own | self.enemy) == 0)
    }

    /// Encodes the key for a file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let numbers = [self.own, self.enemy, self.kings].map(u32::to_le_bytes);
        std::array::from_fn(|at| numbers[at / 4][at % 4])
    }

    /// Decodes a key.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let [own, enemy, kings] =
            [0, 4, 8].map(|at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
        Self { own, enemy, kings }
    }
}

/// Returns the number of squares in a set, as a signed number.
#[must_use]
#[inline]
pub const fn count(set: Bitboard) -> i32 {
    set.len().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn own_pieces_move_up_the_board() {
        let set = Bitboard::from_numbers;
        let own = SidePieces { men: set(&[1, 7]), kings: set(&[12]) };
        let enemy = SidePieces { men: set(&[30]), kings: set(&[4, 17]) };
        let black = fen::parse("B:W30,K4,K17:B1,7,K12").unwrap();
        for position in [black, black.flipped()] {
            let relative = position.relative();
            assert_eq!(relative, RelativePosition { own, enemy });
            assert_eq!(relative.occupied(), set(&[1, 4, 7, 12, 17, 30]));
            let swapped = RelativePosition {
                own: SidePieces { men: set(&[3]), kings: set(&[16, 29]) },
                enemy: SidePieces { men: set(&[26, 32]), kings: set(&[21]) },
            };
            assert_eq!(relative.swapped(), swapped);
            assert_eq!(relative.difference(|side| 10 * count(side.own.men) + count(side.own.kings)), 21 - 12);
        }
        assert_eq!(own.all(), set(&[1, 7, 12]));
        assert_eq!([Bitboard::EMPTY, own.all(), Bitboard(u32::MAX)].map(count), [0, 3, 32]);
    }

    #[test]
    fn invalid_keys_have_no_position() {
        for key in [
            Key { own: 1, enemy: 1, kings: 0 },
            Key { own: 1, enemy: 2, kings: 4 },
            Key::default(),
            Key { own: 1 << 31, enemy: 2, kings: 0 },
            Key { own: 1 << 8, enemy: 1, kings: 0 },
            Key { own: 0x1fff, enemy: 1 << 20, kings: 0 },
        ] {
            assert_eq!(key.position(), None, "{key:?}");
        }
    }
}
