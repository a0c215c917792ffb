//! Boards as plain lines of text.

use std::fmt::Write;

use crate::board::{Color, Piece, Position, Square};

/// Draws a board with a side at the bottom, one line per row, followed by the numbers of its squares: `b` and
/// `w` are men, `B` and `W` kings, `.` an empty dark square.
///
/// ```
/// use kelso_draughts::board::{Color, Position};
/// use kelso_draughts::diagram;
///
/// let lines = diagram::lines(&Position::start(), Color::White);
/// assert_eq!(lines[0], "   b   b   b   b     1  2  3  4");
/// assert_eq!(lines[7], " w   w   w   w      29 30 31 32");
/// ```
#[must_use]
pub fn lines(position: &Position, bottom: Color) -> Vec<String> {
    (0..8).map(|row| line(position, bottom, row)).collect()
}

fn line(position: &Position, bottom: Color, row: u8) -> String {
    let mut cells = String::new();
    let mut numbers = String::new();
    for column in 0..8 {
        let Some(square) = Square::at(row, column) else {
            cells += "  ";
            continue;
        };
        let square = if bottom == Color::White { square } else { square.rotated() };
        cells.extend([' ', position.piece_at(square).map_or('.', Piece::letter)]);
        // Writing to a string cannot fail.
        let _ = write!(numbers, "{square:>3}");
    }
    format!("{cells}   {numbers}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    #[test]
    fn lines_have_the_pieces_and_the_numbers_of_a_row() {
        let position = fen::parse("W:WK5,30:B14,K32").unwrap();
        let drawn = lines(&position, Color::White);
        assert_eq!(drawn.len(), 8);
        assert_eq!(drawn[1].trim_end(), " W   .   .   .       5  6  7  8");
        assert_eq!(drawn[3].trim_end(), " .   b   .   .      13 14 15 16");
        assert_eq!(drawn[7].trim_end(), " .   w   .   B      29 30 31 32");
        let turned = lines(&position, Color::Black);
        assert_eq!(turned[0], "   B   .   w   .    32 31 30 29");
        assert_eq!(turned[6], "   .   .   .   W     8  7  6  5");
    }
}
