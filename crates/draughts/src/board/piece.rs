//! Colours, kinds of piece, and pieces.

use std::fmt;
use std::ops::Not;

/// The two sides. Black starts on squares 1-12 and moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Moves towards higher square numbers.
    Black,
    /// Moves towards lower square numbers.
    White,
}

impl Color {
    /// Both colours, Black first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    #[inline]
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// Returns 0 for Black and 1 for White.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the row on which this side's men are crowned.
    #[must_use]
    #[inline]
    pub const fn crown_row(self) -> u8 {
        match self {
            Self::Black => 7,
            Self::White => 0,
        }
    }

    /// Returns the side's name with a capital letter.
    #[must_use]
    #[inline]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Black => "Black",
            Self::White => "White",
        }
    }

    /// Returns the letter of this side in a FEN: `B` or `W`.
    #[must_use]
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'B',
            Self::White => 'W',
        }
    }
}

impl Not for Color {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        self.other()
    }
}

impl fmt::Display for Color {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// The kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PieceKind {
    /// Moves and captures forward only.
    Man,
    /// Moves and captures in all four directions.
    King,
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The side that owns the piece.
    pub color: Color,
    pub kind: PieceKind,
}

impl Piece {
    /// Returns the letter of the piece on text boards: `b` or `w` for a man, `B` or `W` for a king.
    #[must_use]
    #[inline]
    pub const fn letter(self) -> char {
        match self.kind {
            PieceKind::Man => self.color.letter().to_ascii_lowercase(),
            PieceKind::King => self.color.letter(),
        }
    }

    /// Returns the piece that a letter stands for.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = match letter {
            'b' | 'B' => Color::Black,
            'w' | 'W' => Color::White,
            _ => return None,
        };
        Some(Self { color, kind: if letter.is_ascii_uppercase() { PieceKind::King } else { PieceKind::Man } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_have_names_letters_and_a_crown_row() {
        for (index, side, other, crown_row, title, name, letter) in [
            (0, Color::Black, Color::White, 7, "Black", "black", 'B'),
            (1, Color::White, Color::Black, 0, "White", "white", 'W'),
        ] {
            assert_eq!(Color::BOTH[index], side);
            assert_eq!((side.index(), !side, side.crown_row()), (index, other, crown_row));
            assert_eq!((side.title(), side.to_string().as_str(), side.letter()), (title, name, letter));
        }
        assert_eq!(format!("{:>6}|{:<6}", Color::Black, Color::White), " black|white ");
    }

    #[test]
    fn pieces_have_letters() {
        for (letter, color, kind) in [
            ('b', Color::Black, PieceKind::Man),
            ('B', Color::Black, PieceKind::King),
            ('w', Color::White, PieceKind::Man),
            ('W', Color::White, PieceKind::King),
        ] {
            let piece = Piece { color, kind };
            assert_eq!((piece.letter(), Piece::from_letter(letter)), (letter, Some(piece)));
        }
        assert!("eK1 .".chars().all(|letter| Piece::from_letter(letter).is_none()));
    }
}
