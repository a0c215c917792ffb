//! Moves and lists of legal moves.

use kelso_draughts::board::{Move, Position, Square};
use kelso_draughts::notation::{fen, movetext};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};

use crate::MoveError;

/// A legal move of a position.
#[pyclass(name = "Move", module = "kelso", frozen, eq, hash)]
#[derive(Clone, Copy)]
pub struct PyMove {
    pub raw: Move,
    pub position: Position,
}

/// Moves are equal if they have the same squares, captures and kind of piece.
impl PartialEq for PyMove {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl std::hash::Hash for PyMove {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

fn numbers(squares: impl IntoIterator<Item = Square>) -> Vec<u8> {
    squares.into_iter().map(Square::number).collect()
}

#[pymethods]
impl PyMove {
    #[getter]
    fn from_square(&self) -> u8 {
        self.raw.from().number()
    }

    #[getter]
    fn to_square(&self) -> u8 {
        self.raw.to().number()
    }

    /// The squares that the piece visits, with the first and the last.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let path = self.position.paths(self.raw).into_iter().next().unwrap_or_default();
        PyTuple::new(py, numbers([self.raw.from()].into_iter().chain(path)))
    }

    /// All paths of the move: a king may capture the same pieces in several orders.
    #[getter]
    fn paths<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let paths = self.position.paths(self.raw).into_iter();
        paths.map(|path| PyTuple::new(py, numbers([self.raw.from()].into_iter().chain(path)))).collect()
    }

    /// The squares of the captured pieces, in numerical order.
    #[getter]
    fn captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, numbers(self.raw.captured()))
    }

    #[getter]
    fn is_capture(&self) -> bool {
        self.raw.is_capture()
    }

    /// Whether a king moves.
    #[getter]
    fn is_king(&self) -> bool {
        self.raw.is_king()
    }

    /// Whether a man is crowned.
    #[getter]
    fn is_crowning(&self) -> bool {
        self.raw.is_crowning()
    }

    /// The move with every square of its path, such as `22x15x8`.
    #[getter]
    pub fn full(&self) -> String {
        movetext::full(&self.position, self.raw)
    }

    pub fn __str__(&self) -> String {
        movetext::format(&self.position, self.raw)
    }

    fn __repr__(&self) -> String {
        format!("<Move {}>", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let board = py.import("kelso")?.call_method1("Board", (fen::format(&self.position),))?;
        Ok((board.getattr("parse_move")?, (self.full(),)))
    }
}

/// A move or the text of one.
pub enum MoveLike {
    Object(PyMove),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for MoveLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(mv) = object.cast::<PyMove>() {
            return Ok(Self::Object(*mv.get()));
        }
        object.extract().map(Self::Text).map_err(|_| {
            let name = object.get_type().to_string();
            PyTypeError::new_err(format!("expected a Move or a text such as \"11-15\", got {name}"))
        })
    }
}

impl MoveLike {
    /// Returns the move if it is legal in a position.
    pub fn resolve(&self, position: &Position) -> PyResult<Move> {
        match self {
            Self::Object(mv) if mv.position == *position || position.moves().contains(&mv.raw) => Ok(mv.raw),
            Self::Object(mv) => parse(position, &mv.full()),
            Self::Text(text) => parse(position, text),
        }
    }
}

pub fn parse(position: &Position, text: &str) -> PyResult<Move> {
    movetext::parse(position, text).map_err(|error| MoveError::new_err(error.to_string()))
}

/// The legal moves of a board at the time of the call, generated when needed.
#[pyclass(name = "LegalMoves", module = "kelso", frozen, sequence)]
pub struct PyLegalMoves {
    pub position: Position,
}

#[pymethods]
impl PyLegalMoves {
    fn __len__(&self) -> usize {
        self.position.moves().len()
    }

    fn __bool__(&self) -> bool {
        self.position.can_move()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let moves = self.position.moves().into_iter();
        let position = self.position;
        PyTuple::new(py, moves.map(|raw| PyMove { raw, position }))?.try_iter()
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyMove> {
        let moves = self.position.moves();
        let index = if index < 0 { index.saturating_add_unsigned(moves.len()) } else { index };
        let mv = usize::try_from(index).ok().and_then(|index| moves.get(index).copied());
        let raw = mv.ok_or_else(|| PyIndexError::new_err("the position has fewer moves"))?;
        Ok(PyMove { raw, position: self.position })
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        item.extract::<MoveLike>().is_ok_and(|mv| mv.resolve(&self.position).is_ok())
    }

    fn __repr__(&self) -> String {
        let moves = self.position.moves();
        let texts: Vec<String> = moves.iter().map(|&mv| movetext::format(&self.position, mv)).collect();
        format!("<LegalMoves {}>", texts.join(" "))
    }
}
