//! A slow reference implementation of the rules that is easy to verify.
//!
//! It uses an eight-by-eight array, a diagram for the numbers, and recursion. Captured pieces stay on the
//! board, marked as jumped, until the move is over; the engine's generator removes them immediately.

use kelso_draughts::board::{Color, Piece, PieceKind, Setup, Square};

/// The numbers of the squares from White's side, with 0 for light squares.
const DIAGRAM: [[u8; 8]; 8] = [
    [0, 1, 0, 2, 0, 3, 0, 4],
    [5, 0, 6, 0, 7, 0, 8, 0],
    [0, 9, 0, 10, 0, 11, 0, 12],
    [13, 0, 14, 0, 15, 0, 16, 0],
    [0, 17, 0, 18, 0, 19, 0, 20],
    [21, 0, 22, 0, 23, 0, 24, 0],
    [0, 25, 0, 26, 0, 27, 0, 28],
    [29, 0, 30, 0, 31, 0, 32, 0],
];

/// A row and a column of the diagram.
type Place = (usize, usize);

fn places() -> impl Iterator<Item = Place> {
    (0..8).flat_map(|row| (0..8).map(move |column| (row, column))).filter(|&place| number(place) != 0)
}

fn number((row, column): Place) -> u8 {
    DIAGRAM[row][column]
}

/// Returns the next square in a direction, if it is on the board.
fn step((row, column): Place, (down, right): (isize, isize)) -> Option<Place> {
    let place = (row.checked_add_signed(down)?, column.checked_add_signed(right)?);
    (place.0 < 8 && place.1 < 8).then_some(place)
}

/// Black's men move down the diagram, White's up, kings both ways.
fn directions(piece: Piece) -> &'static [(isize, isize)] {
    match (piece.kind, piece.color) {
        (PieceKind::King, _) => &[(1, -1), (1, 1), (-1, -1), (-1, 1)],
        (PieceKind::Man, Color::Black) => &[(1, -1), (1, 1)],
        (PieceKind::Man, Color::White) => &[(-1, -1), (-1, 1)],
    }
}

fn far_row(color: Color) -> usize {
    match color {
        Color::Black => 7,
        Color::White => 0,
    }
}

/// A move: the piece, the squares that it visits, and the captured pieces.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Turn {
    pub from: u8,
    /// The visited squares in order.
    pub path: Vec<u8>,
    /// The captured squares in ascending order.
    pub captured: Vec<u8>,
}

impl Turn {
    fn new(from: Place, path: &[Place], jumped: &[Place]) -> Self {
        let mut captured: Vec<u8> = jumped.iter().copied().map(number).collect();
        captured.sort_unstable();
        Self { from: number(from), path: path.iter().copied().map(number).collect(), captured }
    }

    pub fn to(&self) -> u8 {
        *self.path.last().expect("a move ends somewhere")
    }

    /// Returns the start, the end and the captured pieces, which are equal for all paths of the same move.
    pub fn result(&self) -> (u8, u8, Vec<u8>) {
        (self.from, self.to(), self.captured.clone())
    }
}

/// A position: the pieces and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    cells: [[Option<Piece>; 8]; 8],
    side: Color,
}

impl Board {
    pub fn new(setup: &Setup) -> Self {
        let mut cells = [[None; 8]; 8];
        for (row, column) in places() {
            let square = Square::from_number(number((row, column))).expect("the diagram numbers squares");
            cells[row][column] = setup.piece_at(square);
        }
        Self { cells, side: setup.side }
    }

    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.side);
        for (row, column) in places() {
            let square = Square::from_number(number((row, column))).expect("the diagram numbers squares");
            setup.squares[square.index()] = self.cells[row][column];
        }
        setup
    }

    fn at(&self, (row, column): Place) -> Option<Piece> {
        self.cells[row][column]
    }

    fn own_pieces(&self) -> impl Iterator<Item = (Place, Piece)> {
        places()
            .filter_map(|place| Some((place, self.at(place)?)))
            .filter(|(_, piece)| piece.color == self.side)
    }

    /// Returns the legal moves, with each path of a capture.
    pub fn turns(&self) -> Vec<Turn> {
        let captures = self.captures();
        if captures.is_empty() { self.quiet_turns() } else { captures }
    }

    pub fn captures(&self) -> Vec<Turn> {
        let mut found = Vec::new();
        for (place, piece) in self.own_pieces() {
            self.jump_on(piece, place, &mut Vec::new(), &mut Vec::new(), &mut found);
        }
        found
    }

    fn quiet_turns(&self) -> Vec<Turn> {
        let mut found = Vec::new();
        for (place, piece) in self.own_pieces() {
            for &direction in directions(piece) {
                if let Some(to) = step(place, direction)
                    && self.at(to).is_none()
                {
                    found.push(Turn::new(place, &[to], &[]));
                }
            }
        }
        found
    }

    /// Continues a capture from the last square of its path in every way.
    fn jump_on(
        &self,
        piece: Piece,
        from: Place,
        path: &mut Vec<Place>,
        jumped: &mut Vec<Place>,
        found: &mut Vec<Turn>,
    ) {
        let at = *path.last().unwrap_or(&from);
        let crowned = piece.kind == PieceKind::Man && at.0 == far_row(piece.color);
        let mut ends = true;
        if !crowned {
            for &direction in directions(piece) {
                let Some(over) = step(at, direction) else { continue };
                let Some(landing) = step(over, direction) else { continue };
                let enemy = self.at(over).is_some_and(|other| other.color != piece.color);
                let free = self.at(landing).is_none() || landing == from;
                if enemy && free && !jumped.contains(&over) {
                    ends = false;
                    path.push(landing);
                    jumped.push(over);
                    self.jump_on(piece, from, path, jumped, found);
                    path.pop();
                    jumped.pop();
                }
            }
        }
        if ends && !path.is_empty() {
            found.push(Turn::new(from, path, jumped));
        }
    }

    pub fn after(&self, turn: &Turn) -> Self {
        let mut next = self.clone();
        next.side = !self.side;
        let place =
            |expected| places().find(|&place| number(place) == expected).expect("a number on the diagram");
        let (from, to) = (place(turn.from), place(turn.to()));
        let mut piece = next.cells[from.0][from.1].take().expect("a piece moves");
        if to.0 == far_row(piece.color) {
            piece.kind = PieceKind::King;
        }
        for &taken in &turn.captured {
            let (row, column) = place(taken);
            next.cells[row][column] = None;
        }
        next.cells[to.0][to.1] = Some(piece);
        next
    }

    /// Counts the leaves of the move tree, with each path of a capture.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.turns().len() as u64,
            _ => self.turns().iter().map(|turn| self.after(turn).perft(depth - 1)).sum(),
        }
    }
}
