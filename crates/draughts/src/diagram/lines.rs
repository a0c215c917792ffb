//! The board as plain lines, as the protocol's `show` prints it.

use crate::board::{Piece, Position, Square};

/// Draws the board from White's side, a line for each row followed by the numbers of its squares: `b` and `w` are men, `B`
/// and `W` kings, `.` an empty dark square.
///
/// ```
/// use draughts::{board::Position, diagram};
/// let lines = diagram::lines(&Position::start());
/// assert_eq!(lines[0], "   b   b   b   b     1  2  3  4");
/// assert_eq!(lines[7], " w   w   w   w      29 30 31 32");
/// ```
#[must_use]
pub fn lines(position: &Position) -> Vec<String> {
    let row = |row: u8| {
        let cell = |column| match Square::at(row, column) {
            Some(square) => format!(" {}", symbol(position.piece_at(square))),
            None => "  ".to_owned(),
        };
        let cells: String = (0..8).map(cell).collect();
        let numbers = Square::all().filter(|square| square.row() == row).map(|square| format!("{square:>3}"));
        format!("{cells}   {}", numbers.collect::<String>())
    };
    (0..8).map(row).collect()
}

pub(super) fn symbol(piece: Option<Piece>) -> char {
    piece.map_or('.', Piece::letter)
}
