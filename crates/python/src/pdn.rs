//! Games in PDN: reading, changing and writing them.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use kelso_draughts::board::{Move, Position};
use kelso_draughts::notation::pdn::{PdnEntry, PdnError as Fault, PdnReader, parse_result};
use kelso_draughts::record::{self, GameRecord, MAX_NESTING};
use kelso_runtime::sync::lock;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::board::PyBoard;
use crate::moves::PyMove;
use crate::{MoveError, PdnError};

/// A move of a game with its remarks.
#[pyclass(name = "Ply", module = "kelso")]
pub struct PyPly {
    #[pyo3(get, set)]
    r#move: Py<PyMove>,
    /// The comment after the move.
    #[pyo3(get, set)]
    comment: Py<PyString>,
    /// Numeric annotation glyphs, such as 1 for a good move.
    #[pyo3(get, set)]
    glyphs: Py<PyList>,
    /// Variations that begin in place of the move.
    #[pyo3(get, set)]
    variations: Py<PyList>,
}

#[pymethods]
impl PyPly {
    #[new]
    #[pyo3(signature = (r#move, comment = None, glyphs = None, variations = None))]
    fn new(
        py: Python<'_>,
        r#move: Py<PyMove>,
        comment: Option<Py<PyString>>,
        glyphs: Option<Py<PyList>>,
        variations: Option<Py<PyList>>,
    ) -> Self {
        let list = |list: Option<Py<PyList>>| list.unwrap_or_else(|| PyList::empty(py).unbind());
        let comment = comment.unwrap_or_else(|| PyString::new(py, "").unbind());
        Self { r#move, comment, glyphs: list(glyphs), variations: list(variations) }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Ply {}>", self.r#move.bind(py).str()?))
    }
}

/// An alternative line.
#[pyclass(name = "Variation", module = "kelso")]
pub struct PyVariation {
    #[pyo3(get, set)]
    comment: Py<PyString>,
    #[pyo3(get, set)]
    plies: Py<PyList>,
}

#[pymethods]
impl PyVariation {
    #[new]
    #[pyo3(signature = (plies = None, comment = None))]
    fn new(py: Python<'_>, plies: Option<Py<PyList>>, comment: Option<Py<PyString>>) -> Self {
        Self {
            comment: comment.unwrap_or_else(|| PyString::new(py, "").unbind()),
            plies: plies.unwrap_or_else(|| PyList::empty(py).unbind()),
        }
    }
}

/// A game with its tags, moves and result.
#[pyclass(name = "Game", module = "kelso")]
pub struct PyGame {
    start: Position,
    #[pyo3(get, set)]
    tags: Py<PyDict>,
    /// The comment before the first move.
    #[pyo3(get, set)]
    comment: Py<PyString>,
    #[pyo3(get, set)]
    plies: Py<PyList>,
    /// `1-0` if Black won, `0-1`, `1/2-1/2` or `*`.
    #[pyo3(get)]
    result: String,
    /// The errors in the text that the game was read from, each a `PdnError`.
    #[pyo3(get)]
    errors: Py<PyList>,
    /// Whether all moves could be read.
    #[pyo3(get)]
    complete: bool,
}

impl PyGame {
    pub fn of(py: Python<'_>, record: &GameRecord) -> PyResult<Self> {
        let tags = PyDict::new(py);
        for (name, value) in record.tags.iter() {
            tags.set_item(name, value)?;
        }
        Ok(Self {
            start: record.start,
            tags: tags.unbind(),
            comment: PyString::new(py, &record.comment).unbind(),
            plies: list_of(py, record.start, &record.plies)?,
            result: record.result_text().to_owned(),
            errors: PyList::empty(py).unbind(),
            complete: true,
        })
    }

    fn of_entry(py: Python<'_>, entry: &PdnEntry) -> PyResult<Self> {
        let errors = entry.errors().map(|fault| error_of(py, fault)).collect::<PyResult<Vec<_>>>()?;
        let errors = PyList::new(py, errors)?.unbind();
        Ok(Self { errors, complete: entry.is_complete(), ..Self::of(py, &entry.game)? })
    }

    pub fn record(&self, py: Python<'_>) -> PyResult<GameRecord> {
        let mut record = GameRecord::new(self.start);
        for (name, value) in self.tags.bind(py) {
            record.tags.set(&name.extract::<String>()?, &value.extract::<String>()?);
        }
        record.comment = self.comment.extract(py)?;
        record.result = parse_result(&self.result).ok().flatten();
        record.plies = plies_of(self.plies.bind(py), self.start, 0)?;
        Ok(record)
    }
}

/// Converts plies to Python.
fn list_of(py: Python<'_>, start: Position, plies: &[record::Ply]) -> PyResult<Py<PyList>> {
    let list = PyList::empty(py);
    for (position, ply) in record::positions(start, plies) {
        let variations = PyList::empty(py);
        for variation in &ply.variations {
            variations.append(PyVariation {
                comment: PyString::new(py, &variation.comment).unbind(),
                plies: list_of(py, position, &variation.plies)?,
            })?;
        }
        list.append(PyPly {
            r#move: Py::new(py, PyMove { raw: ply.mv, position })?,
            comment: PyString::new(py, &ply.full_comment()).unbind(),
            glyphs: PyList::new(py, ply.glyphs.iter().map(|&glyph| u32::from(glyph)))?.unbind(),
            variations: variations.unbind(),
        })?;
    }
    Ok(list.unbind())
}

/// Converts plies from Python, and checks that the moves are legal.
fn plies_of(plies: &Bound<'_, PyList>, start: Position, nesting: usize) -> PyResult<Vec<record::Ply>> {
    if nesting > MAX_NESTING {
        return Err(PyValueError::new_err(format!("variations are nested deeper than {MAX_NESTING}")));
    }
    let py = plies.py();
    let mut position = start;
    let mut converted = Vec::with_capacity(plies.len());
    for ply in plies {
        let ply = ply.cast_into::<PyPly>()?;
        let ply = ply.borrow();
        let mv = legal(&position, ply.r#move.get())?;
        let mut own = record::Ply::new(mv);
        own.comment = ply.comment.extract(py)?;
        own.glyphs = ply.glyphs.bind(py).iter().map(|glyph| glyph.extract()).collect::<PyResult<_>>()?;
        for variation in ply.variations.bind(py) {
            let variation = variation.cast_into::<PyVariation>()?;
            let variation = variation.borrow();
            own.variations.push(record::Variation {
                comment: variation.comment.extract(py)?,
                plies: plies_of(variation.plies.bind(py), position, nesting + 1)?,
            });
        }
        converted.push(own);
        position = position.after(mv);
    }
    Ok(converted)
}

fn legal(position: &Position, mv: &PyMove) -> PyResult<Move> {
    if mv.position == *position || position.moves().contains(&mv.raw) {
        return Ok(mv.raw);
    }
    Err(MoveError::new_err(format!("move {} is not legal where it is played", mv.full())))
}

#[pymethods]
impl PyGame {
    /// Creates a game with the moves of a board.
    #[new]
    #[pyo3(signature = (board = None, *, tags = None, result = None))]
    fn new(
        py: Python<'_>,
        board: Option<PyRef<'_, PyBoard>>,
        tags: Option<Py<PyDict>>,
        result: Option<&str>,
    ) -> PyResult<Self> {
        let record = match &board {
            Some(board) => GameRecord::of(board.root(), board.moves().iter().copied()),
            None => GameRecord::new(Position::start()),
        };
        let mut game = Self::of(py, &record)?;
        if let Some(tags) = tags {
            game.tags = tags;
        }
        match (result, &board) {
            (Some(result), _) => game.set_result(result)?,
            (None, Some(board)) => {
                let end = board.game().end();
                end.map_or("*", |end| end.result.word()).clone_into(&mut game.result);
            }
            (None, None) => {}
        }
        Ok(game)
    }

    /// Reads the first game of a text. Raises the first error if the game is incomplete.
    #[staticmethod]
    fn from_pdn(py: Python<'_>, text: &str) -> PyResult<Self> {
        let entry = PdnReader::new(text.as_bytes()).next();
        let entry = entry.ok_or_else(|| PyValueError::new_err("the text has no game"))?;
        let game = Self::of_entry(py, &entry)?;
        match entry.whole() {
            Ok(_) => Ok(game),
            Err(fault) => Err(PyErr::from_value(error_of(py, &fault)?)),
        }
    }

    #[setter]
    fn set_result(&mut self, result: &str) -> PyResult<()> {
        let parsed = parse_result(result).map_err(|error| PyValueError::new_err(error.to_string()))?;
        parsed.map_or("*", |result| result.word()).clone_into(&mut self.result);
        Ok(())
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyBoard {
        self.start.into()
    }

    /// The moves.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Py<PyMove>>> {
        let plies = self.plies.bind(py).iter();
        plies.map(|ply| Ok(ply.cast_into::<PyPly>()?.borrow().r#move.clone_ref(py))).collect()
    }

    /// Returns the board after the first plies, or after all.
    #[pyo3(signature = (plies = None))]
    fn board(&self, py: Python<'_>, plies: Option<usize>) -> PyResult<PyBoard> {
        let mut board = PyBoard::from(self.start);
        for mv in self.moves(py)?.into_iter().take(plies.unwrap_or(usize::MAX)) {
            let mv = legal(board.position(), mv.get())?;
            board.play(mv);
        }
        Ok(board)
    }

    /// The game as PDN.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.record(py)?.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Game of {} plies, {}>", self.plies.bind(py).len(), self.result)
    }
}

/// Converts an error to a `PdnError` with the attributes `game`, `line` and `column`.
fn error_of<'py>(py: Python<'py>, fault: &Fault) -> PyResult<Bound<'py, PyAny>> {
    let error = PdnError::new_err(fault.to_string()).into_value(py).into_bound(py).into_any();
    error.setattr("game", fault.game)?;
    error.setattr("line", fault.line)?;
    error.setattr("column", fault.column)?;
    Ok(error)
}

/// An iterator over the games of a text or a file.
#[pyclass(name = "Games", module = "kelso", frozen)]
pub struct PyGames(Mutex<PdnReader<Box<dyn Read + Send>>>);

#[pymethods]
impl PyGames {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyGame>> {
        let entry = py.detach(|| lock(&self.0).next());
        entry.map(|entry| PyGame::of_entry(py, &entry)).transpose()
    }
}

/// Reads games from a file, one by one.
#[pyfunction]
pub fn read_games(path: PathBuf) -> PyResult<PyGames> {
    let file = open_file(&path).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot read \"{}\": {error}", path.display()))
    })?;
    Ok(PyGames(Mutex::new(PdnReader::new(Box::new(file)))))
}

fn open_file(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok(file)
}

/// Reads games from a text.
#[pyfunction]
pub fn parse_games(text: &Bound<'_, PyAny>) -> PyResult<PyGames> {
    let bytes = if text.is_instance_of::<PyString>() {
        text.extract::<String>()?.into_bytes()
    } else {
        text.cast::<PyBytes>().map_err(|_| PyTypeError::new_err("expected str or bytes"))?.as_bytes().to_vec()
    };
    Ok(PyGames(Mutex::new(PdnReader::new(Box::new(Cursor::new(bytes))))))
}
