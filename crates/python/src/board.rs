//! Boards, colours and pieces.

use kelso_draughts::board::{Bitboard, Color, Game, Move, Piece, PieceKind, Position, Square, divide};
use kelso_draughts::diagram::lines;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::referee::{DrawRules, Referee};
use kelso_draughts::result::{GameEnd, GameResult};
use kelso_engine::eval::Network;
use kelso_reports::diagram::{Diagram, svg};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::MoveError;
use crate::moves::{self, MoveLike, PyLegalMoves, PyMove};

/// The side to move, or the owner of a piece.
#[pyclass(name = "Color", module = "kelso", frozen, eq, eq_int, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum PyColor {
    #[pyo3(name = "BLACK")]
    Black,
    #[pyo3(name = "WHITE")]
    White,
}

impl From<Color> for PyColor {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl From<PyColor> for Color {
    fn from(color: PyColor) -> Self {
        match color {
            PyColor::Black => Self::Black,
            PyColor::White => Self::White,
        }
    }
}

#[pymethods]
impl PyColor {
    #[getter]
    fn opponent(&self) -> Self {
        (!Color::from(*self)).into()
    }

    fn __index__(&self) -> usize {
        Color::from(*self).index()
    }

    fn __str__(&self) -> String {
        Color::from(*self).to_string()
    }
}

/// A man or a king of a side.
#[pyclass(name = "Piece", module = "kelso", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyPiece(Piece);

#[pymethods]
impl PyPiece {
    #[getter]
    fn color(&self) -> PyColor {
        self.0.color.into()
    }

    #[getter]
    fn is_king(&self) -> bool {
        self.0.kind == PieceKind::King
    }

    fn __str__(&self) -> String {
        self.0.letter().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Piece {}>", self.0.letter())
    }
}

/// A position with the moves that led to it.
#[pyclass(name = "Board", module = "kelso")]
#[derive(Clone)]
pub struct PyBoard {
    /// The start and the position after each move.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl From<Position> for PyBoard {
    fn from(position: Position) -> Self {
        Self { positions: vec![position], moves: Vec::new() }
    }
}

impl PyBoard {
    #[expect(clippy::expect_used, reason = "the start is never removed")]
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a start")
    }

    pub fn play(&mut self, mv: Move) {
        self.positions.push(self.position().after(mv));
        self.moves.push(mv);
    }

    /// The first position.
    pub fn root(&self) -> Position {
        self.positions[0]
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    pub fn game(&self) -> Game {
        let mut game = Game::new(self.root());
        self.moves.iter().for_each(|&mv| game.play(mv));
        game
    }

    fn end(&self, draw_rule: Option<&str>, plies: Option<u32>) -> PyResult<Option<GameEnd>> {
        let Some(name) = draw_rule else {
            let position = self.position();
            let winner = !position.side();
            let reason = kelso_draughts::result::EndReason::NoMove;
            return Ok((!position.can_move()).then(|| GameEnd::won_by(winner, reason)));
        };
        let rules: Result<DrawRules, _> = name.parse();
        let mut rules = rules.map_err(|error| PyValueError::new_err(error.to_string()))?;
        rules.no_progress_plies = plies.unwrap_or(rules.no_progress_plies);
        Ok(Referee::new(rules, None).end(&self.game()))
    }
}

/// Returns the square with a number.
fn square(number: i64) -> PyResult<Square> {
    let square = u8::try_from(number).ok().and_then(Square::from_number);
    square.ok_or_else(|| PyValueError::new_err(format!("square must be between 1 and 32, got {number}")))
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (fen = None))]
    fn new(fen: Option<&str>) -> PyResult<Self> {
        let position = fen.map_or(Ok(Position::start()), fen::parse);
        position.map(Self::from).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Creates a board from sets of squares, in which bit n - 1 is square n.
    #[staticmethod]
    fn from_bitboards(
        black_men: u32,
        black_kings: u32,
        white_men: u32,
        white_kings: u32,
        turn: PyColor,
    ) -> PyResult<Self> {
        let men = [black_men, white_men].map(Bitboard);
        let kings = [black_kings, white_kings].map(Bitboard);
        let position = Position::from_sets(men, kings, turn.into());
        position.map(Self::from).map_err(|error| PyValueError::new_err(format!("illegal position: {error}")))
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> PyColor {
        self.position().side().into()
    }

    fn fen(&self) -> String {
        fen::format(self.position())
    }

    /// The legal moves of the current position.
    #[getter]
    fn legal_moves(&self) -> PyLegalMoves {
        PyLegalMoves { position: *self.position() }
    }

    #[getter]
    fn must_capture(&self) -> bool {
        self.position().must_capture()
    }

    /// Parses a move such as `11-15`, `22x15`, `22x15x8` or `1115`.
    fn parse_move(&self, text: &str) -> PyResult<PyMove> {
        let position = *self.position();
        Ok(PyMove { raw: moves::parse(&position, text)?, position })
    }

    /// Plays a move.
    fn push(&mut self, r#move: MoveLike) -> PyResult<()> {
        let mv = r#move.resolve(self.position())?;
        self.play(mv);
        Ok(())
    }

    /// Takes back the last move, and returns it.
    fn pop(&mut self) -> PyResult<PyMove> {
        let raw = self.moves.pop().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        self.positions.pop();
        Ok(PyMove { raw, position: *self.position() })
    }

    /// Returns the last move.
    fn peek(&self) -> PyResult<PyMove> {
        let last = self.moves.last().zip(self.positions.iter().rev().nth(1));
        let (&raw, &position) = last.ok_or_else(|| PyIndexError::new_err("no move has been played"))?;
        Ok(PyMove { raw, position })
    }

    /// The moves played, first move first.
    #[getter]
    fn move_stack(&self) -> Vec<PyMove> {
        self.moves.iter().zip(&self.positions).map(|(&raw, &position)| PyMove { raw, position }).collect()
    }

    /// The first position, without moves.
    #[getter]
    fn start(&self) -> Self {
        self.root().into()
    }

    /// Returns a copy, with or without the moves that led to the position.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Self {
        if stack { self.clone() } else { Self::from(*self.position()) }
    }

    /// Returns the position with colours exchanged and the board rotated.
    fn flipped(&self) -> Self {
        self.position().flipped().into()
    }

    /// Returns the result as in PDN, where Black's points come first, or `*`.
    #[pyo3(
        signature = (*, draw_rule = Some("standard"), plies = None),
        text_signature = "($self, *, draw_rule='standard', plies=None)"
    )]
    fn result(&self, draw_rule: Option<&str>, plies: Option<u32>) -> PyResult<&'static str> {
        Ok(self.end(draw_rule, plies)?.map_or("*", |end| GameResult::word(end.result)))
    }

    #[pyo3(
        signature = (*, draw_rule = Some("standard"), plies = None),
        text_signature = "($self, *, draw_rule='standard', plies=None)"
    )]
    fn is_game_over(&self, draw_rule: Option<&str>, plies: Option<u32>) -> PyResult<bool> {
        Ok(self.end(draw_rule, plies)?.is_some())
    }

    /// Returns the winner, or None.
    fn winner(&self) -> Option<PyColor> {
        let position = self.position();
        (!position.can_move()).then(|| (!position.side()).into())
    }

    /// Describes how the game ended, such as `draw: third repetition`; None if it has not.
    #[pyo3(
        signature = (*, draw_rule = Some("standard"), plies = None),
        text_signature = "($self, *, draw_rule='standard', plies=None)"
    )]
    fn end_reason(&self, draw_rule: Option<&str>, plies: Option<u32>) -> PyResult<Option<String>> {
        Ok(self.end(draw_rule, plies)?.map(|end| end.to_string()))
    }

    /// Returns how often the position has occurred since the last capture or man's move.
    fn repetitions(&self) -> usize {
        let last = self.moves.iter().rposition(|mv| mv.is_irreversible()).map_or(0, |at| at + 1);
        self.positions[last..].iter().filter(|known| *known == self.position()).count()
    }

    /// Returns the piece on a square, or None.
    fn piece_at(&self, square: i64) -> PyResult<Option<PyPiece>> {
        Ok(self.position().piece_at(self::square(square)?).map(PyPiece))
    }

    /// The pieces by square.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for square in self.position().occupied() {
            pieces.set_item(square.number(), self.position().piece_at(square).map(PyPiece))?;
        }
        Ok(pieces)
    }

    /// Returns a side's men, as a number in which bit n - 1 is square n.
    fn men(&self, color: PyColor) -> u32 {
        self.position().men(color.into()).0
    }

    /// Returns a side's kings, as a number in which bit n - 1 is square n.
    fn kings(&self, color: PyColor) -> u32 {
        self.position().kings(color.into()).0
    }

    /// The occupied squares, as a number in which bit n - 1 is square n.
    #[getter]
    fn occupied(&self) -> u32 {
        self.position().occupied().0
    }

    /// The Zobrist key of the position, the same on every machine and in every version.
    #[getter]
    fn zobrist(&self) -> u64 {
        self.position().key()
    }

    /// Counts the leaves of the move tree.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth == 0 {
            return Ok(1);
        }
        let position = *self.position();
        py.detach(|| {
            let mut leaves = 0;
            let mut interrupt = Ok(());
            let mut keep_going = || {
                Python::attach(|py| {
                    interrupt = py.check_signals();
                    interrupt.is_ok()
                })
            };
            divide(&position, depth, &mut keep_going, &mut |branch| leaves += branch.leaves);
            interrupt.map(|()| leaves)
        })
    }

    /// Returns the board as SVG, with an arrow for the last move.
    #[pyo3(signature = (*, size = 400, bottom = PyColor::White))]
    fn svg(&self, size: u32, bottom: PyColor) -> String {
        let shown =
            Diagram::new(*self.position()).with_move(self.moves.last().copied()).seen_from(bottom.into());
        svg(&shown, size)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(400, PyColor::White)
    }

    fn __str__(&self) -> String {
        lines(self.position(), Color::White).join("\n")
    }

    fn __repr__(&self) -> String {
        format!("Board({:?})", self.fen())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.position() == other.position()
    }

    fn __hash__(&self) -> u64 {
        self.position().key()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,), Vec<String>) {
        let board = slf.borrow();
        let texts = movetext::format_moves(&board.root(), &board.moves);
        (slf.get_type().into_any(), (fen::format(&board.root()),), texts)
    }

    fn __setstate__(&mut self, moves: &Bound<'_, PyList>) -> PyResult<()> {
        let texts: Vec<String> = moves.extract()?;
        let moves = movetext::parse_moves(&self.root(), texts);
        for mv in moves.map_err(|error| MoveError::new_err(error.to_string()))? {
            self.play(mv);
        }
        Ok(())
    }
}

/// Evaluates a position without a search, in hundredths of a man for the side to move.
#[pyfunction]
pub fn evaluate(board: PyRef<'_, PyBoard>) -> i32 {
    Network::compiled_in().evaluate(board.position())
}
