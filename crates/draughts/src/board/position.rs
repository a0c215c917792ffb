//! Legal positions, and setups of pieces that need not be legal.
#![expect(clippy::inline_always, reason = "measured: the generator is faster if inlined into each sink")]

use std::fmt;

use thiserror::Error;

use super::generate::{BLACK, Board, MoveSink, WHITE};
use super::moves::{CapturePath, Move, MoveList};
use super::piece::{Color, Piece, PieceKind};
use super::square::{Bitboard, Bits, CROWN_ROWS, Square, bit, pack, rotate, square_at, unpack};
use super::zobrist;

/// A legal position: the pieces, the side to move, and a hash key. Positions are small, `Copy` and immutable;
/// [`Position::after`] plays a move.
///
/// ```
/// use draughts::board::Position;
/// let start = Position::start();
/// let moves = start.moves();
/// assert_eq!(moves.len(), 7);
/// let next = start.after(moves[0]);
/// assert_ne!(next.side(), start.side());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) board: Board,
    key: u64,
    side: Color,
}

const _: () = assert!(size_of::<Position>() == 48);

impl Position {
    /// Returns the starting position.
    #[must_use]
    #[inline]
    pub fn start() -> Self {
        let twelve = Bitboard(0xfff);
        let men = [unpack(twelve), unpack(twelve.rotated())];
        Self::new(Board { men, kings: [0; 2] }, Color::Black)
    }

    fn new(board: Board, side: Color) -> Self {
        let mut key = zobrist::side(side);
        for color in Color::BOTH {
            key ^= zobrist::pieces(color, PieceKind::Man, board.men[color.index()]);
            key ^= zobrist::pieces(color, PieceKind::King, board.kings[color.index()]);
        }
        Self { board, key, side }
    }

    /// Returns the side to move.
    #[must_use]
    #[inline]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Returns the hash of the pieces and the side to move, the same on every machine and in every version.
    #[must_use]
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Returns a side's men.
    #[inline]
    pub const fn men(&self, color: Color) -> Bitboard {
        pack(self.board.men[color.index()])
    }

    /// Returns a side's kings.
    #[inline]
    pub const fn kings(&self, color: Color) -> Bitboard {
        pack(self.board.kings[color.index()])
    }

    /// Returns all pieces of a side.
    #[inline]
    pub const fn pieces(&self, color: Color) -> Bitboard {
        pack(self.board.all(color))
    }

    /// Returns all squares with a piece.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        pack(self.board.all(Color::Black) | self.board.all(Color::White))
    }

    /// Returns the number of pieces of both sides.
    #[must_use]
    #[inline]
    pub const fn piece_count(&self) -> u32 {
        (self.board.all(Color::Black) | self.board.all(Color::White)).count_ones()
    }

    /// Returns the piece on a square, if any.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let bit = bit(square);
        Color::BOTH.into_iter().find_map(|color| {
            if self.board.men[color.index()] & bit != 0 {
                Some(Piece { color, kind: PieceKind::Man })
            } else if self.board.kings[color.index()] & bit != 0 {
                Some(Piece { color, kind: PieceKind::King })
            } else {
                None
            }
        })
    }

    /// Returns the legal moves. Captures with the same result are listed once.
    #[must_use]
    #[inline]
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.list_moves(&mut list);
        list
    }

    /// Adds the legal moves to a list. Unlike [`Position::moves`], this avoids copying a kilobyte.
    #[inline]
    pub fn list_moves(&self, list: &mut MoveList) {
        self.board.moves_of(self.side, &mut Lister { list, crown_row: self.crown_row() });
    }

    /// Adds the legal captures to a list.
    #[inline]
    pub fn list_captures(&self, list: &mut MoveList) {
        let mut lister = Lister { list, crown_row: self.crown_row() };
        match self.side {
            Color::Black => self.board.captures::<BLACK>(&mut lister),
            Color::White => self.board.captures::<WHITE>(&mut lister),
        }
    }

    /// Returns whether the side to move must capture.
    #[must_use]
    #[inline]
    pub const fn must_capture(&self) -> bool {
        self.board.can_capture_of(self.side)
    }

    /// Returns whether the other side could capture if it were to move.
    #[must_use]
    #[inline]
    pub const fn is_threatened(&self) -> bool {
        self.board.can_capture_of(self.side.other())
    }

    /// Returns whether the side to move has a legal move. If not, it has lost.
    #[must_use]
    pub const fn can_move(&self) -> bool {
        self.must_capture()
            || match self.side {
                Color::Black => self.board.has_quiet::<BLACK>(),
                Color::White => self.board.has_quiet::<WHITE>(),
            }
    }

    /// Returns the position after a legal move.
    #[must_use]
    #[inline]
    pub fn after(&self, mv: Move) -> Self {
        debug_assert!(self.moves().contains(&mv), "{mv:?} is not a move of {self:?}");
        let (from, to) = (mv.source_place(), mv.target_place());
        let captured = mv.captured_bits();
        let board = match self.side {
            Color::Black => self.board.after::<BLACK>(1 << from, 1 << to, captured, mv.is_king()),
            Color::White => self.board.after::<WHITE>(1 << from, 1 << to, captured, mv.is_king()),
        };
        let before = if mv.is_king() { PieceKind::King } else { PieceKind::Man };
        let after = if mv.is_king() || mv.is_crowning() { PieceKind::King } else { PieceKind::Man };
        let mut key = self.key
            ^ zobrist::side(Color::White)
            ^ zobrist::piece(self.side, before, from)
            ^ zobrist::piece(self.side, after, to);
        if captured != 0 {
            let enemy = !self.side;
            key ^= zobrist::pieces(enemy, PieceKind::Man, captured & self.board.men[enemy.index()]);
            key ^= zobrist::pieces(enemy, PieceKind::King, captured & self.board.kings[enemy.index()]);
        }
        let next = Self { board, key, side: !self.side };
        debug_assert_eq!(next.key, Self::new(board, next.side).key);
        next
    }

    /// Returns every path of a capture, each as its landing squares in order. A quiet move has one path with
    /// one square.
    #[must_use]
    #[inline]
    pub fn paths(&self, mv: Move) -> Vec<CapturePath> {
        self.traced_moves().filter(|(other, _)| *other == mv).map(|(_, path)| path).collect()
    }

    /// Returns each move once per path, with the path.
    #[inline]
    pub(super) fn traced_moves(&self) -> impl Iterator<Item = (Move, CapturePath)> {
        let mut tracer = Tracer { crown_row: self.crown_row(), path: CapturePath::new(), found: Vec::new() };
        self.board.moves_of(self.side, &mut tracer);
        tracer.found.into_iter()
    }

    /// Returns the position with colours exchanged and the board rotated.
    ///
    /// ```
    /// # use draughts::board::Position;
    /// let start = Position::start();
    /// assert_eq!(start.flipped().flipped(), start);
    /// assert_ne!(start.flipped().side(), start.side());
    /// ```
    #[must_use]
    #[inline]
    pub fn flipped(&self) -> Self {
        let Board { men, kings } = self.board;
        let board =
            Board { men: [rotate(men[1]), rotate(men[0])], kings: [rotate(kings[1]), rotate(kings[0])] };
        Self::new(board, !self.side)
    }

    #[inline]
    const fn crown_row(&self) -> Bits {
        CROWN_ROWS[self.side.index()]
    }
}

#[expect(clippy::missing_fields_in_debug, reason = "the key follows from the rest")]
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Position");
        debug.field("side", &self.side);
        for color in Color::BOTH {
            debug.field("men", &self.men(color)).field("kings", &self.kings(color));
        }
        debug.finish()
    }
}

/// Writes moves straight into the caller's list, to avoid a copy.
struct Lister<'a> {
    list: &'a mut MoveList,
    crown_row: Bits,
}

impl MoveSink for Lister<'_> {
    #[inline(always)]
    fn quiet(&mut self, from: Bits, to: Bits, king: bool) {
        self.list.push(Move::new(from, to, 0, king, self.crown_row));
    }

    #[inline]
    fn capture(&mut self, from: Bits, to: Bits, captured: Bits, king: bool) {
        let mv = Move::new(from, to, captured, king, self.crown_row);
        // Two paths with the same result form a cycle, which requires a king and at least four jumps.
        if king && captured.count_ones() >= 4 && self.list.contains(&mv) {
            return;
        }
        self.list.push(mv);
    }
}

struct Tracer {
    crown_row: Bits,
    path: CapturePath,
    found: Vec<(Move, CapturePath)>,
}

impl MoveSink for Tracer {
    #[inline]
    fn capture(&mut self, from: Bits, to: Bits, captured: Bits, king: bool) {
        let mut path = self.path.clone();
        path.push(square_at(to.trailing_zeros()));
        self.found.push((Move::new(from, to, captured, king, self.crown_row), path));
    }

    #[inline]
    fn enter(&mut self, landing: Bits) {
        self.path.push(square_at(landing.trailing_zeros()));
    }

    #[inline]
    fn leave(&mut self) {
        self.path.pop();
    }
}

/// An arrangement of pieces that need not be legal. [`Position::try_from`](Position) converts it if it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, indexed by square.
    pub squares: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side: Color,
}

impl Setup {
    /// Creates a board without pieces.
    #[must_use]
    pub const fn empty(side: Color) -> Self {
        Self { squares: [None; Square::COUNT], side }
    }

    /// Returns the piece on a square.
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    /// Puts a piece on a square and returns the piece it replaces, if any.
    pub const fn put(&mut self, square: Square, piece: Piece) -> Option<Piece> {
        self.squares[square.index()].replace(piece)
    }

    /// Crowns the men on their last row.
    pub fn crown(&mut self) {
        for square in Square::all() {
            if let Some(piece) = &mut self.squares[square.index()]
                && square.row() == piece.color.crown_row()
            {
                piece.kind = PieceKind::King;
            }
        }
    }
}

/// The reason why a [`Setup`] is not a legal position.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The board is empty.
    #[error("the board is empty")]
    NoPieces,
    /// A side has more than twelve pieces.
    #[error("too many {0} pieces: {1}, at most 12 are allowed")]
    TooManyPieces(Color, usize),
    /// A man stands on the row where it would have been crowned.
    #[error("the {0} man on {1} must be a king (men are crowned on {row})", row = crowning_row(*.0))]
    UncrownedMan(Color, Square),
}

const fn crowning_row(color: Color) -> &'static str {
    match color {
        Color::Black => "29-32",
        Color::White => "1-4",
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let mut setup = Self::empty(position.side());
        for square in Square::all() {
            setup.squares[square.index()] = position.piece_at(square);
        }
        setup
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        let mut board = Board::default();
        for square in Square::all() {
            if let Some(Piece { color, kind }) = setup.piece_at(square) {
                let sets = if kind == PieceKind::Man { &mut board.men } else { &mut board.kings };
                sets[color.index()] |= bit(square);
            }
        }
        for color in Color::BOTH {
            let count = board.all(color).count_ones() as usize;
            if count > 12 {
                return Err(SetupError::TooManyPieces(color, count));
            }
        }
        for color in [Color::White, Color::Black] {
            let uncrowned = board.men[color.index()] & CROWN_ROWS[color.index()];
            if uncrowned != 0 {
                return Err(SetupError::UncrownedMan(color, square_at(uncrowned.trailing_zeros())));
            }
        }
        if board == Board::default() {
            return Err(SetupError::NoPieces);
        }
        Ok(Self::new(board, setup.side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_seven_moves_and_its_own_flip() {
        let start = Position::start();
        assert_eq!(start.moves().len(), 7);
        assert!(!start.must_capture() && !start.is_threatened() && start.can_move());
        let flipped = start.flipped();
        assert_eq!(flipped.men(Color::White), start.men(Color::White));
        assert_ne!(flipped.key(), start.key());
    }

    #[test]
    fn ids_are_distinct() {
        let mut position = Position::start();
        for step in 0..60 {
            let moves = position.moves();
            let Some(&mv) = moves.get(step * 7 % moves.len().max(1)) else { break };
            let mut ids: Vec<_> = moves.iter().map(|m| m.id()).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), moves.len());
            position = position.after(mv);
        }
    }
}
