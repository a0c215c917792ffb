//! Legal positions, and setups of pieces that need not be legal.
#![expect(clippy::inline_always, reason = "measured: the generator is faster if inlined into each sink")]

use std::error::Error;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::generate::{Board, DOWN, MoveSink, UP};
use super::moves::{CapturePath, Move, MoveList};
use super::piece::{Color, Piece, PieceKind};
use super::square::{Bitboard, Bits, CROWN_ROWS, Square, bit, pack, rotate, square_at, unpack};
use super::zobrist;

/// A legal position: the pieces, the side to move, and a hash key. Positions are small, `Copy` and immutable;
/// [`Position::after`] plays a move.
///
/// ```
/// use kelso_draughts::board::Position;
/// let start = Position::start();
/// let moves = start.moves();
/// assert_eq!(moves.len(), 7);
/// let next = start.after(moves[0]);
/// assert_ne!(next.side(), start.side());
/// ```
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(super) board: Board,
    key: u64,
    side: Color,
}

const _: () = assert!(size_of::<Position>() == 48);

impl Position {
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

    /// Returns the position with these men and kings, indexed by [colour](Color::index).
    ///
    /// # Errors
    ///
    /// If the pieces are not a legal position.
    pub fn from_sets(men: [Bitboard; 2], kings: [Bitboard; 2], side: Color) -> Result<Self, SetupError> {
        let board = Board { men: men.map(unpack), kings: kings.map(unpack) };
        for color in Color::BOTH {
            let count = board.all(color).count_ones() as usize;
            if count > 12 {
                return Err(SetupError::TooManyPieces(color, count));
            }
        }
        let [black_men, white_men] = board.men;
        let [black_kings, white_kings] = board.kings;
        let shared = black_men & black_kings
            | white_men & white_kings
            | board.all(Color::Black) & board.all(Color::White);
        if shared != 0 {
            return Err(SetupError::TwoPieces(square_at(shared.trailing_zeros())));
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
        Ok(Self::new(board, side))
    }

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

    #[inline]
    pub const fn men(&self, color: Color) -> Bitboard {
        pack(self.board.men[color.index()])
    }

    #[inline]
    pub const fn kings(&self, color: Color) -> Bitboard {
        pack(self.board.kings[color.index()])
    }

    /// Returns a side's men and kings in the layout of [`steps`](super::steps).
    #[must_use]
    #[inline]
    pub const fn men_and_kings(&self, color: Color) -> [Bits; 2] {
        [self.board.men[color.index()], self.board.kings[color.index()]]
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

    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = Color::BOTH.into_iter().find(|&color| self.board.all(color) & bit(square) != 0)?;
        let is_man = self.board.men[color.index()] & bit(square) != 0;
        Some(Piece { color, kind: if is_man { PieceKind::Man } else { PieceKind::King } })
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
            Color::Black => self.board.captures::<UP>(&mut lister),
            Color::White => self.board.captures::<DOWN>(&mut lister),
        }
    }

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
                Color::Black => self.board.has_quiet::<UP>(),
                Color::White => self.board.has_quiet::<DOWN>(),
            }
    }

    /// Returns the position after a legal move.
    ///
    /// # Panics
    ///
    /// In a debug build, if the move is not one of [`Self::moves`]. In a release build, another move gives a
    /// meaningless position.
    #[inline]
    pub fn after(&self, mv: Move) -> Self {
        debug_assert!(self.moves().contains(&mv), "{mv:?} is not a move of {self:?}");
        let from = mv.source_bit();
        let to = mv.target_bit();
        let captured = mv.captured_bits();
        let board = match self.side {
            Color::Black => self.board.after::<UP>(1 << from, 1 << to, captured, mv.is_king()),
            Color::White => self.board.after::<DOWN>(1 << from, 1 << to, captured, mv.is_king()),
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
    /// # use kelso_draughts::board::Position;
    /// let start = Position::start();
    /// assert_eq!(start.flipped().flipped(), start);
    /// assert_ne!(start.flipped().side(), start.side());
    /// ```
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

/// Equal positions have equal keys, which are already hashes.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
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
    pub side: Color,
}

impl Setup {
    /// Creates a board without pieces.
    #[must_use]
    pub const fn empty(side: Color) -> Self {
        Self { squares: [None; Square::COUNT], side }
    }

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

/// The reason why pieces on squares are not a legal position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetupError {
    /// The board is empty.
    NoPieces,
    /// A side has more than twelve pieces.
    TooManyPieces(Color, usize),
    /// Two pieces stand on a square.
    TwoPieces(Square),
    /// A man stands on the row where it would have been crowned.
    UncrownedMan(Color, Square),
}

impl Error for SetupError {}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPieces => f.write_str("the board is empty"),
            Self::TooManyPieces(color, pieces) => {
                write!(f, "too many {color} pieces: {pieces}, at most 12 are allowed")
            }
            Self::TwoPieces(square) => write!(f, "two pieces stand on {square}"),
            Self::UncrownedMan(color, square) => {
                let row = match color {
                    Color::Black => "29-32",
                    Color::White => "1-4",
                };
                write!(f, "the {color} man on {square} must be a king (men are crowned on {row})")
            }
        }
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
        let mut men = [Bitboard::EMPTY; 2];
        let mut kings = [Bitboard::EMPTY; 2];
        for square in Square::all() {
            if let Some(Piece { color, kind }) = setup.piece_at(square) {
                let sets = if kind == PieceKind::Man { &mut men } else { &mut kings };
                let set = &mut sets[color.index()];
                *set = set.with(square);
            }
        }
        Self::from_sets(men, kings, setup.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, movetext};

    #[test]
    fn the_start_has_seven_moves_and_is_symmetric() {
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

    fn written(text: &str) -> Vec<String> {
        let position = fen::parse(text).unwrap();
        position.moves().iter().map(|&mv| movetext::full(&position, mv)).collect()
    }

    #[test]
    fn men_move_forward_and_kings_in_all_directions() {
        for (position, moves) in [
            ("B:W:B18", &["18-22", "18-23"][..]),
            ("B:W:BK18", &["18-14", "18-15", "18-22", "18-23"]),
            ("B:W:BK1,K32", &["1-5", "1-6", "32-27", "32-28"]),
            ("B:W:BK32", &["32-27", "32-28"]),
            ("B:W:BK29", &["29-25"]),
            ("B:W22:B18", &["18x25"]),
            ("B:W23:B18", &["18x27"]),
            ("B:W14,15:B18", &["18-22", "18-23"]),
            ("B:W14:BK18", &["18x9"]),
            ("B:W15:BK18", &["18x11"]),
            ("B:W22:BK18", &["18x25"]),
            ("B:W23:BK18", &["18x27"]),
            // The square beyond is occupied or off the board.
            ("B:W22,25:B18", &["18-23"]),
            ("B:W21,25:B17", &["17-22"]),
            // A man that is crowned does not capture on.
            ("B:W26,27:B23", &["23x30", "23x32"]),
            ("B:W26,25:B23", &["23x30"]),
            // Only 5 is free: a man reaches it forwards, a king backwards.
            ("B:W10,13,14,15,18:B1,6,K9", &["1-5", "9-5"]),
            ("B:W9,14:B5", &[]),
            ("B:WK9,14:B5", &[]),
        ] {
            let position = fen::parse(position).unwrap();
            let mut found = written(&fen::format(&position));
            found.sort_unstable();
            assert_eq!(found, moves, "{position:?}");
            let captures = moves.iter().filter(|text| text.contains('x')).count();
            for side in [position, position.flipped()] {
                assert_eq!(
                    (side.moves().len(), side.can_move()),
                    (moves.len(), !moves.is_empty()),
                    "{side:?}"
                );
                assert_eq!(side.must_capture(), captures > 0, "{side:?}");
                let mut list = MoveList::new();
                side.list_captures(&mut list);
                assert_eq!(list.len(), captures, "{side:?}");
                let waiting = Position { side: !side.side, ..side };
                assert_eq!(waiting.is_threatened(), side.must_capture(), "{side:?}");
            }
        }
    }

    #[test]
    fn a_move_changes_the_squares_it_names() {
        for (before, text, after) in [
            ("B:W21-32:B1-12", "11-15", "W:W21-32:B1-10,12,15"),
            ("B:W10,K18:B7", "7x14x23", "W:W:B23"),
            ("B:W25:B28", "28-32", "W:W25:BK32"),
            ("W:WK30:B7,K26", "30x23", "B:WK23:B7"),
            ("W:W6:B25", "6-1", "B:WK1:B25"),
            ("B:W9,10,17,18:BK6", "6x6", "W:W:BK6"),
        ] {
            let [before, after] = [before, after].map(|text| fen::parse(text).unwrap());
            let mv = movetext::parse(&before, text).unwrap();
            assert_eq!(before.after(mv), after, "{text}");
            let paths: Vec<Vec<u8>> = before
                .paths(mv)
                .iter()
                .map(|path| path.iter().map(|square| square.number()).collect())
                .collect();
            let landings = |text: &str| text.split(['-', 'x']).skip(1).map(|n| n.parse().unwrap()).collect();
            let expected: Vec<Vec<u8>> = match text {
                "6x6" => vec![vec![13, 22, 15, 6], vec![15, 22, 13, 6]],
                text => vec![landings(text)],
            };
            assert_eq!(paths, expected, "{text}");
        }
    }

    #[test]
    fn pieces_are_found_by_square_and_by_set() {
        let position = fen::parse("W:W5,6,K3:BK32,10").unwrap();
        let set = Bitboard::from_numbers;
        assert_eq!((position.men(Color::White), position.kings(Color::White)), (set(&[5, 6]), set(&[3])));
        assert_eq!((position.men(Color::Black), position.kings(Color::Black)), (set(&[10]), set(&[32])));
        assert_eq!(
            (position.pieces(Color::White), position.occupied()),
            (set(&[3, 5, 6]), set(&[3, 5, 6, 10, 32]))
        );
        assert_eq!(position.piece_count(), 5);
        let letters: String =
            Square::all().map(|square| position.piece_at(square).map_or('.', Piece::letter)).collect();
        assert_eq!(letters, "..W.ww...b.....................B");
        assert_eq!(position.flipped(), fen::parse("B:B28,27,K30:WK1,23").unwrap());
        assert_eq!(
            format!("{position:?}"),
            "Position { side: White, men: {10}, kings: {32}, men: {5, 6}, kings: {3} }"
        );
    }

    #[test]
    fn a_setup_becomes_a_position_if_it_is_legal() {
        let position = fen::parse("W:W5,6,K3:BK32,10").unwrap();
        let mut setup = Setup::from(&position);
        assert_eq!(Position::try_from(setup), Ok(position));
        let [man, king] = ['b', 'B'].map(|letter| Piece::from_letter(letter).unwrap());
        let square = |number| Square::from_number(number).unwrap();
        assert_eq!((setup.put(square(32), man), setup.piece_at(square(32))), (Some(king), Some(man)));
        assert_eq!(setup.put(square(31), man), None);
        assert_eq!(Position::try_from(setup), Err(SetupError::UncrownedMan(Color::Black, square(31))));
        setup.crown();
        assert_eq!(
            Position::try_from(setup),
            fen::parse("W:W5,6,K3:BK31,K32,10").map_err(|_| SetupError::NoPieces)
        );
        assert_eq!(Position::try_from(Setup::empty(Color::White)), Err(SetupError::NoPieces));
        let mut full = Setup::empty(Color::Black);
        (1..=12).for_each(|number| assert_eq!(full.put(square(number), king), None));
        assert!(Position::try_from(full).is_ok());
        full.put(square(13), king);
        assert_eq!(Position::try_from(full), Err(SetupError::TooManyPieces(Color::Black, 13)));
        let men = [Bitboard::EMPTY, Bitboard::from_numbers(&[13, 14])];
        let kings = [Bitboard::from_numbers(&[14]), Bitboard::EMPTY];
        let shared = Err(SetupError::TwoPieces(square(14)));
        assert_eq!(Position::from_sets(men, kings, Color::Black), shared);
    }
}
