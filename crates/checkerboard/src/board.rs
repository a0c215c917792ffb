//! Conversion of boards and moves to and from CheckerBoard's format.
//!
//! A board is eight columns of eight cells, `cells[x][y]`. `y` 0 is Black's first row, and `x` counts from
//! Black's left, so square 1 is at `x` 6 and `y` 0. Light squares are ignored.

use std::ffi::c_int;

use anyhow::{Context, Result, bail};
use kelso_draughts::board::{Color, Move, Piece, PieceKind, Position, Setup, Square};

/// A board in CheckerBoard's format.
pub type Cells = [[c_int; 8]; 8];

const WHITE: c_int = 1;
const BLACK: c_int = 2;
const MAN: c_int = 4;
const KING: c_int = 8;

/// A square in CheckerBoard's format.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Coordinate {
    pub x: c_int,
    pub y: c_int,
}

/// A move in CheckerBoard's format.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CbMove {
    /// Number of captured pieces.
    pub jumps: c_int,
    /// The piece after the move.
    pub newpiece: c_int,
    /// The piece before the move.
    pub oldpiece: c_int,
    pub from: Coordinate,
    pub to: Coordinate,
    /// The start square, followed by all landing squares.
    pub path: [Coordinate; 12],
    /// The squares of the captured pieces.
    pub del: [Coordinate; 12],
    /// The captured pieces.
    pub delpiece: [c_int; 12],
}

const _: () = assert!(size_of::<CbMove>() == 67 * size_of::<c_int>());

pub fn read(cells: &Cells, color: c_int) -> Result<Position> {
    let side = match color {
        WHITE => Color::White,
        BLACK => Color::Black,
        other => bail!("invalid colour {other}: expected 1 (white) or 2 (black)"),
    };
    let mut setup = Setup::empty(side);
    for square in Square::all() {
        let (column, row) = column_and_row(square);
        let cell = cells[column][row];
        if cell != 0 {
            let piece = piece(cell).with_context(|| {
                format!("invalid piece {cell} on square {square}: expected 0, 5 or 6 (men), 9 or 10 (kings)")
            })?;
            setup.put(square, piece);
        }
    }
    Ok(Position::try_from(setup)?)
}

/// Writes a position to the dark squares of a board.
pub fn write(position: &Position, cells: &mut Cells) {
    for square in Square::all() {
        let (column, row) = column_and_row(square);
        cells[column][row] = position.piece_at(square).map_or(0, code);
    }
}

pub fn convert_move(position: &Position, mv: Move) -> CbMove {
    let moved = position
        .piece_at(mv.from())
        .map(|piece| Piece { kind: if mv.is_crowning() { PieceKind::King } else { piece.kind }, ..piece });
    let mut converted = CbMove {
        newpiece: moved.map_or(0, code),
        oldpiece: position.piece_at(mv.from()).map_or(0, code),
        from: coordinate(mv.from()),
        to: coordinate(mv.to()),
        ..CbMove::default()
    };
    let landings = position.paths(mv).into_iter().take(1).flatten();
    let squares: Vec<_> = std::iter::once(mv.from()).chain(landings).collect();
    for (slot, &square) in converted.path.iter_mut().zip(&squares) {
        *slot = coordinate(square);
    }
    if mv.is_capture() {
        let jumped = squares.windows(2).filter_map(|pair| between(pair[0], pair[1]));
        for ((square, del), piece) in jumped.zip(&mut converted.del).zip(&mut converted.delpiece) {
            *del = coordinate(square);
            *piece = position.piece_at(square).map_or(0, code);
            converted.jumps += 1;
        }
    }
    converted
}

/// Returns the first legal move between two squares, given by their numbers.
pub fn find_move(position: &Position, from: c_int, to: c_int) -> Option<CbMove> {
    let mv = position
        .moves()
        .into_iter()
        .find(|mv| c_int::from(mv.from().number()) == from && c_int::from(mv.to().number()) == to)?;
    Some(convert_move(position, mv))
}

fn column_and_row(square: Square) -> (usize, usize) {
    (usize::from(7 - square.column()), usize::from(square.row()))
}

fn coordinate(square: Square) -> Coordinate {
    Coordinate { x: c_int::from(7 - square.column()), y: c_int::from(square.row()) }
}

fn between(from: Square, to: Square) -> Option<Square> {
    Square::at(u8::midpoint(from.row(), to.row()), u8::midpoint(from.column(), to.column()))
}

const fn code(piece: Piece) -> c_int {
    let color = match piece.color {
        Color::White => WHITE,
        Color::Black => BLACK,
    };
    color
        | match piece.kind {
            PieceKind::Man => MAN,
            PieceKind::King => KING,
        }
}

fn piece(cell: c_int) -> Option<Piece> {
    let pieces = Color::BOTH
        .into_iter()
        .flat_map(|color| [PieceKind::Man, PieceKind::King].map(|kind| Piece { color, kind }));
    pieces.into_iter().find(|&piece| code(piece) == cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::{fen, movetext};

    const EMPTY: Cells = [[0; 8]; 8];

    #[test]
    fn squares_have_the_coordinates_of_the_interface() {
        for square in Square::all() {
            let number = c_int::from(square.number()) - 1;
            let y = number / 4;
            let x = 2 * (3 - number % 4) + y % 2;
            assert_eq!(coordinate(square), Coordinate { x, y });
        }
        let mut cells = EMPTY;
        write(&Position::start(), &mut cells);
        assert_eq!((cells[6][0], cells[0][0], cells[7][1], cells[1][7]), (6, 6, 6, 5));
        assert_eq!((cells[7][0], cells[0][4]), (0, 0));
    }

    #[test]
    fn boards_are_read_as_they_are_written() {
        for text in ["B:W21-32:B1-12", "W:WK3,10,11,21:B", "B:WK32,5:BK1,9,K29"] {
            let position = fen::parse(text).unwrap();
            let mut cells = [[77; 8]; 8];
            write(&position, &mut cells);
            let color = if position.side() == Color::White { 1 } else { 2 };
            assert_eq!(read(&cells, color).unwrap(), position);
            // Light squares are not written.
            assert_eq!(cells[7][0], 77);
        }
    }

    #[test]
    fn errors_name_the_piece_and_the_square() {
        let mut cells = EMPTY;
        let message = |cells: &Cells, color| read(cells, color).unwrap_err().to_string();
        assert_eq!(message(&cells, 1), "the board is empty");
        cells[6][0] = 7;
        assert_eq!(
            message(&cells, 1),
            "invalid piece 7 on square 1: expected 0, 5 or 6 (men), 9 or 10 (kings)"
        );
        assert_eq!(message(&cells, 0), "invalid colour 0: expected 1 (white) or 2 (black)");
    }

    #[test]
    fn a_capture_has_its_path_and_the_captured_pieces() {
        let position = fen::parse("B:W9,10,17,18,32:B6").unwrap();
        let mv = movetext::parse(&position, "6x15x22").unwrap();
        let converted = convert_move(&position, mv);
        let at = |number| coordinate(Square::from_number(number).unwrap());
        assert_eq!((converted.jumps, converted.oldpiece, converted.newpiece), (2, 6, 6));
        assert_eq!((converted.from, converted.to), (at(6), at(22)));
        assert_eq!(converted.path[..4], [at(6), at(15), at(22), Coordinate::default()]);
        assert_eq!(converted.del[..2], [at(10), at(18)]);
        assert_eq!(converted.delpiece[..3], [5, 5, 0]);
        let crowning = fen::parse("W:W5:B14").unwrap();
        let converted = convert_move(&crowning, crowning.moves()[0]);
        assert_eq!((converted.jumps, converted.oldpiece, converted.newpiece), (0, 5, 9));
    }
}
