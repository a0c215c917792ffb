//! Endgame databases and the opening book.

use std::path::PathBuf;

use kelso_draughts::result::KnownValue;
use kelso_endgames::{DatabaseOptions, MAX_PIECES, check_folder, installed_folder};
use kelso_engine::book::{self, Book};
use kelso_engine::{Probe, ProbedMove};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::board::PyBoard;
use crate::moves::PyMove;

/// A known result for the side to move.
#[pyclass(name = "Ending", module = "kelso", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyEnding {
    /// `win`, `loss` or `draw`.
    #[pyo3(get)]
    result: &'static str,
    /// The plies to the end of the game, or None.
    #[pyo3(get)]
    plies: Option<u32>,
}

impl From<KnownValue> for PyEnding {
    fn from(known: KnownValue) -> Self {
        Self { result: known.wdl.word(), plies: known.plies }
    }
}

#[pymethods]
impl PyEnding {
    fn __repr__(&self) -> String {
        self.plies.map_or_else(
            || format!("<Ending {}>", self.result),
            |plies| format!("<Ending {} in {plies} plies>", self.result),
        )
    }
}

/// A move and the result that it leads to, for the side that makes it.
#[pyclass(name = "ProbedMove", module = "kelso", frozen, get_all)]
pub struct PyProbedMove {
    r#move: PyMove,
    ending: Option<PyEnding>,
}

/// Endgame databases.
#[pyclass(name = "Databases", module = "kelso", frozen)]
pub struct PyDatabases(pub(crate) kelso_endgames::Databases);

#[pymethods]
impl PyDatabases {
    /// Opens the built-in databases and those of a folder, by default of the user's data folder.
    #[new]
    #[pyo3(
        signature = (folder = None, *, pieces = MAX_PIECES, cache = DatabaseOptions::CACHE),
        text_signature = "(folder=None, *, pieces=7, cache=64)"
    )]
    fn new(folder: Option<PathBuf>, pieces: u32, cache: usize) -> PyResult<Self> {
        if pieces > MAX_PIECES {
            return Err(PyValueError::new_err(format!("pieces must be at most {MAX_PIECES}, got {pieces}")));
        }
        if !(1..=1 << 16).contains(&cache) {
            return Err(PyValueError::new_err(format!("cache must be between 1 and 65536 MiB, got {cache}")));
        }
        if let Some(folder) = &folder {
            check_folder(folder).map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        let folder = folder.or_else(installed_folder);
        Ok(Self(kelso_endgames::Databases::open(&DatabaseOptions {
            folder,
            pieces,
            cache,
            ..DatabaseOptions::default()
        })))
    }

    /// The largest number of pieces for which there are results.
    #[getter]
    fn max_pieces(&self) -> u32 {
        self.0.max_pieces()
    }

    /// Returns the result of a position with best play, without regard to draw rules, or None if it is
    /// unknown.
    fn probe(&self, py: Python<'_>, board: PyRef<'_, PyBoard>) -> Option<PyEnding> {
        let position = *board.position();
        py.detach(|| self.0.value(&position)).map(PyEnding::from)
    }

    /// Returns the legal moves with their results, best first.
    fn probe_moves(&self, py: Python<'_>, board: PyRef<'_, PyBoard>) -> Vec<PyProbedMove> {
        let position = *board.position();
        let probed = py.detach(|| Probe::of(&self.0, &position).best_first());
        let probed = probed.into_iter().map(|ProbedMove { mv: raw, known, .. }| PyProbedMove {
            r#move: PyMove { raw, position },
            ending: known.map(PyEnding::from),
        });
        probed.collect()
    }

    /// Returns a message for each file that is damaged or missing, as far as it has been noticed since the
    /// last call.
    fn errors(&self) -> Vec<String> {
        self.0.take_errors().iter().map(ToString::to_string).collect()
    }
}

/// A book move.
#[pyclass(name = "BookMove", module = "kelso", frozen, get_all)]
#[derive(Clone)]
pub struct PyBookMove {
    r#move: PyMove,
    /// How much worse the move is than the best move, in hundredths of a man; 255 stands for 255 or more.
    drop: u8,
}

/// The book's entry for a position.
#[pyclass(name = "BookEntry", module = "kelso", frozen, get_all)]
pub struct PyBookEntry {
    /// Hundredths of a man for the side to move; None if the result is known.
    cp: Option<i32>,
    /// `win` or `loss` if the result is known.
    result: Option<&'static str>,
    /// The plies of best play in the book and of the search at its end.
    depth: u8,
    /// All legal moves, best first.
    moves: Vec<PyBookMove>,
}

/// An opening book.
#[pyclass(name = "Book", module = "kelso", frozen)]
pub struct PyBook(Book);

#[pymethods]
impl PyBook {
    /// Opens a book file, or the built-in book.
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<Self> {
        let book = path.map_or_else(Book::compiled_in, |path| Book::open(&path));
        book.map(Self).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the entry of a position, or None.
    fn look_up(&self, board: PyRef<'_, PyBoard>) -> Option<PyBookEntry> {
        let position = *board.position();
        let entry = self.0.look_up(&position)?;
        let is_known = entry.score.is_known();
        let result = if entry.score == book::BookScore::WON { "win" } else { "loss" };
        Some(PyBookEntry {
            cp: (!is_known).then(|| entry.score.number().into()),
            result: is_known.then_some(result),
            depth: entry.depth,
            moves: entry
                .moves
                .iter()
                .map(|choice| PyBookMove { r#move: PyMove { raw: choice.mv, position }, drop: choice.drop.0 })
                .collect(),
        })
    }
}
