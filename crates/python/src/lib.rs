//! The native part of the Python package `kelso`; `docs/python.md` documents the package.
//!
//! The GIL is not needed: objects are immutable, protected by the borrow check of `pyo3`, or locked.
#![expect(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    clippy::wrong_self_convention,
    reason = "functions that Python calls"
)]

mod analysis;
mod batch;
mod board;
mod endings;
mod engine;
mod moves;
mod pdn;

use pyo3::prelude::*;

pyo3::create_exception!(
    kelso,
    EngineError,
    pyo3::exceptions::PyRuntimeError,
    "An engine cannot do what it was asked."
);
pyo3::create_exception!(
    kelso,
    MoveError,
    pyo3::exceptions::PyValueError,
    "Text or a move is not legal in a position."
);
pyo3::create_exception!(
    kelso,
    PdnError,
    pyo3::exceptions::PyValueError,
    "An error in a game in PDN, with its game, line and column."
);

#[pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::analysis::{PyAnalysis, analyse};
    #[pymodule_export]
    use super::batch::{decode, encode, evaluate_rows, legal_moves, masks, planes, probe_rows};
    #[pymodule_export]
    use super::board::{PyBoard, PyColor, PyPiece, evaluate};
    #[pymodule_export]
    use super::endings::{PyBook, PyBookEntry, PyBookMove, PyDatabases, PyEnding, PyProbedMove};
    #[pymodule_export]
    use super::engine::{PyEngine, PyLine, PyScore, PySearch, PySearchResult};
    #[pymodule_export]
    use super::moves::{PyLegalMoves, PyMove};
    #[pymodule_export]
    use super::pdn::{PyGame, PyGames, PyPly, PyVariation, parse_games, read_games};
    #[pymodule_export]
    use super::{EngineError, MoveError, PdnError};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
