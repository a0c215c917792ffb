//! Many positions in one call. A position is a row of five 32-bit numbers in native byte order: Black's men
//! and kings, White's men and kings, and the side to move (0 for Black, 1 for White).

use kelso_draughts::board::{Bitboard, Color, MoveList, Position};
use kelso_draughts::result::Wdl;
use kelso_engine::eval::Network;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::board::PyBoard;
use crate::endings::PyDatabases;

const ROW: usize = 5;
const ROW_BYTES: usize = 4 * ROW;

fn row(position: &Position) -> [[u8; 4]; ROW] {
    let [black, white] = Color::BOTH.map(|color| [position.men(color).0, position.kings(color).0]);
    [black[0], black[1], white[0], white[1], u32::from(position.side() == Color::White)].map(u32::to_ne_bytes)
}

/// Writes numbers in native byte order.
fn write(bytes: &mut [u8], numbers: &[u32]) {
    for (chunk, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
        *chunk = number.to_ne_bytes();
    }
}

/// Calls a function with each position of the rows.
fn each(rows: &[u8], mut on_position: impl FnMut(&Position)) -> Result<(), String> {
    let (rows, rest) = rows.as_chunks::<ROW_BYTES>();
    if !rest.is_empty() {
        return Err("positions must have five numbers each".to_owned());
    }
    for (index, bytes) in rows.iter().enumerate() {
        let words = bytes.as_chunks::<4>().0;
        let number = |at: usize| u32::from_ne_bytes(words[at]);
        let side = match number(4) {
            0 => Color::Black,
            1 => Color::White,
            side => return Err(format!("position {index}: the side to move must be 0 or 1, got {side}")),
        };
        let men = [number(0), number(2)].map(Bitboard);
        let kings = [number(1), number(3)].map(Bitboard);
        let position = Position::from_sets(men, kings, side);
        on_position(&position.map_err(|error| format!("position {index}: {error}"))?);
    }
    Ok(())
}

/// Returns `width` bytes for each position, filled without the GIL.
fn fixed<'py>(
    py: Python<'py>,
    rows: &[u8],
    width: usize,
    mut fill: impl FnMut(&Position, &mut [u8]) + Send,
) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, rows.len() / ROW_BYTES * width, |bytes| {
        let filled = py.detach(|| {
            let mut chunks = bytes.chunks_exact_mut(width);
            each(rows, |position| {
                if let Some(chunk) = chunks.next() {
                    fill(position, chunk);
                }
            })
        });
        filled.map_err(PyValueError::new_err)
    })
}

/// Returns the rows of boards.
#[pyfunction]
pub fn encode<'py>(py: Python<'py>, boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyByteArray>> {
    let mut rows = Vec::new();
    for board in boards.try_iter()? {
        let board = board?.cast_into::<PyBoard>()?;
        rows.push(row(board.borrow().position()));
    }
    Ok(PyByteArray::new(py, rows.as_flattened().as_flattened()))
}

/// Returns the boards of rows.
#[pyfunction]
pub fn decode(rows: &[u8]) -> PyResult<Vec<PyBoard>> {
    let mut boards = Vec::with_capacity(rows.len() / ROW_BYTES);
    each(rows, |position| boards.push(PyBoard::from(*position))).map_err(PyValueError::new_err)?;
    Ok(boards)
}

#[derive(Default)]
struct MoveColumns {
    offsets: Vec<[u8; 8]>,
    from: Vec<u8>,
    to: Vec<u8>,
    captured: Vec<[u8; 4]>,
    after: Vec<[[u8; 4]; ROW]>,
}

/// Returns the legal moves of rows as columns: the index of each position's first move and the number of
/// moves (64 bits), and for each move its squares (8 bits), the captured pieces (32 bits) and the row after
/// the move.
#[pyfunction]
pub fn legal_moves<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyBytes>,
    with_after: bool,
) -> PyResult<[Bound<'py, PyByteArray>; 5]> {
    let rows = rows.as_bytes();
    let count = rows.len() / ROW_BYTES;
    let mut columns = MoveColumns { offsets: vec![[0; 8]], ..MoveColumns::default() };
    columns.offsets.reserve(count);
    columns.from.reserve(8 * count);
    columns.to.reserve(8 * count);
    columns.captured.reserve(8 * count);
    let filled = py.detach(|| {
        let mut list = MoveList::new();
        each(rows, |position| {
            list.clear();
            position.list_moves(&mut list);
            columns.from.extend(list.iter().map(|mv| mv.from().number()));
            columns.to.extend(list.iter().map(|mv| mv.to().number()));
            columns.captured.extend(list.iter().map(|mv| mv.captured().0.to_ne_bytes()));
            if with_after {
                columns.after.extend(list.iter().map(|&mv| row(&position.after(mv))));
            }
            columns.offsets.push((columns.from.len() as u64).to_ne_bytes());
        })
    });
    filled.map_err(PyValueError::new_err)?;
    let MoveColumns { offsets, from, to, captured, after } = columns;
    let after = after.as_flattened().as_flattened();
    let bytes = [offsets.as_flattened(), &from, &to, captured.as_flattened(), after];
    Ok(bytes.map(|bytes| PyByteArray::new(py, bytes)))
}

/// Returns the position with Black to move that is the same task, if it is to be `rotated`.
fn seen(position: &Position, rotated: bool) -> Position {
    if rotated && position.side() == Color::White { position.flipped() } else { *position }
}

/// Returns for each row and each square the squares that its piece can move to: 32 numbers of 32 bits.
#[pyfunction]
pub fn masks<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyBytes>,
    rotated: bool,
) -> PyResult<Bound<'py, PyByteArray>> {
    let mut list = MoveList::new();
    fixed(py, rows.as_bytes(), 4 * 32, |position, bytes| {
        let mut targets = [0_u32; 32];
        list.clear();
        seen(position, rotated).list_moves(&mut list);
        for &mv in &list {
            targets[mv.from().index()] |= 1 << mv.to().index();
        }
        write(bytes, &targets);
    })
}

/// Returns four planes of 32 bytes for each row: the men and kings of the side to move, and the other side's.
#[pyfunction]
pub fn planes<'py>(
    py: Python<'py>,
    rows: &Bound<'py, PyBytes>,
    rotated: bool,
) -> PyResult<Bound<'py, PyByteArray>> {
    fixed(py, rows.as_bytes(), 4 * 32, |position, bytes| {
        let position = seen(position, rotated);
        let [us, them] = [position.side(), !position.side()];
        let sets = [position.men(us), position.kings(us), position.men(them), position.kings(them)];
        for (plane, set) in bytes.chunks_exact_mut(32).zip(sets) {
            for square in set {
                plane[square.index()] = 1;
            }
        }
    })
}

/// Returns for each row its evaluation without a search: a number of 32 bits.
#[pyfunction]
pub fn evaluate_rows<'py>(py: Python<'py>, rows: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyByteArray>> {
    let network = Network::compiled_in();
    fixed(py, rows.as_bytes(), 4, |position, bytes| {
        bytes.copy_from_slice(&network.evaluate(position).to_ne_bytes());
    })
}

/// Returns two numbers of 16 bits for each row: its result (1 win, 0 draw, -1 loss, 2 unknown), and the plies
/// to the end or -1.
#[pyfunction]
pub fn probe_rows<'py>(
    py: Python<'py>,
    databases: &PyDatabases,
    rows: &Bound<'py, PyBytes>,
) -> PyResult<Bound<'py, PyByteArray>> {
    fixed(py, rows.as_bytes(), 4, |position, bytes| {
        let value = databases.0.value(position);
        let result: i16 = match value.map(|value| value.wdl) {
            Some(Wdl::Win) => 1,
            Some(Wdl::Draw) => 0,
            Some(Wdl::Loss) => -1,
            None => 2,
        };
        let plies = value.and_then(|value| i16::try_from(value.plies?).ok()).unwrap_or(-1);
        bytes.copy_from_slice([result.to_ne_bytes(), plies.to_ne_bytes()].as_flattened());
    })
}
