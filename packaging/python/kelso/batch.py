"""Many positions in one call, as arrays of NumPy or, without NumPy, as memory views of the same shape.

A position is a row of five 32-bit numbers: Black's men and kings, White's men and kings, and the side to move (0 for
Black, 1 for White). Bit n - 1 of a set is square n. Calls release the GIL.
"""

from __future__ import annotations

import math
from typing import Any, Iterable, List, Literal, NamedTuple, Optional, Union

from . import _native
from ._native import Board, Databases

# An array of NumPy or a memory view.
Array = Any
Positions = Union[Iterable[Board], Array]


class MoveBatch(NamedTuple):
    """The legal moves of many positions. Those of position i are the items from `offsets[i]` to `offsets[i + 1]`."""

    offsets: Array
    """Index of the first move of each position, and the number of moves."""
    from_square: Array
    """The first square of each move, from 1 to 32."""
    to_square: Array
    captured: Array
    """The squares of the captured pieces, as a set."""
    after: Optional[Array]
    """The position after each move, if it was asked for."""


def _array(data: bytearray, code: Literal["B", "I", "h", "i", "q"], *shape: int) -> Array:
    numpy = _numpy()
    if numpy is not None:
        return numpy.frombuffer(data, dtype=numpy.dtype(code)).reshape(-1, *shape)
    flat = memoryview(data).cast(code)
    if not shape or not data:
        return flat
    return memoryview(data).cast(code, [len(flat) // math.prod(shape), *shape])


def _numpy() -> Any:
    """Returns NumPy, or None if it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _rows(positions: Any) -> bytes:
    if hasattr(positions, "__array_interface__") or isinstance(positions, memoryview):
        view = memoryview(positions)
        if view.ndim == 1 and view.nbytes == 0:
            return b""
        if view.ndim != 2 or view.shape is None or view.shape[1] != 5 or view.itemsize != 4 or view.format not in "IiLl":
            found = f"format {view.format} and shape {view.shape}"
            raise ValueError(f"positions must be an array of 32-bit whole numbers with five columns, not of {found}")
        return view.tobytes()
    return bytes(_native.encode(positions))


def encode_boards(boards: Iterable[Board]) -> Array:
    """Returns the positions of boards as rows."""
    return _array(_native.encode(boards), "I", 5)


def decode_boards(positions: Positions) -> List[Board]:
    """Returns a board for each position."""
    return _native.decode(_rows(positions))


def legal_moves_batch(positions: Positions, *, after: bool = False) -> MoveBatch:
    """Returns the legal moves of many positions and, with `after`, the position after each."""
    offsets, first, last, captured, rows = _native.legal_moves(_rows(positions), after)
    return MoveBatch(
        _array(offsets, "q"),
        _array(first, "B"),
        _array(last, "B"),
        _array(captured, "I"),
        _array(rows, "I", 5) if after else None,
    )


def legal_masks(positions: Positions, *, rotated: bool = False) -> Array:
    """Returns for each position 32 sets: the squares that the piece on square 1, 2, ... may move to, as 32 bits.

    With `rotated`, positions with White to move are rotated first, as by `Board.flipped`. Captures with the same ends
    share a bit.
    """
    return _array(_native.masks(_rows(positions), rotated), "I", 32)


def piece_planes(positions: Positions, *, rotated: bool = False) -> Array:
    """Returns for each position four planes of 32 bytes, 0 or 1: the men and kings of the side to move, and those of
    the other side. With `rotated`, positions with White to move are rotated first, as by `Board.flipped`."""
    return _array(_native.planes(_rows(positions), rotated), "B", 4, 32)


def evaluate_batch(positions: Positions) -> Array:
    """Returns the evaluation of each position without a search, in hundredths of a man for the side to move."""
    return _array(_native.evaluate_rows(_rows(positions)), "i")


def probe_batch(databases: Databases, positions: Positions) -> Array:
    """Returns two numbers for each position: its result for the side to move (1 win, 0 draw, -1 loss, 2 unknown), and
    the plies to the end of the game, or -1 if they are unknown."""
    return _array(_native.probe_rows(databases, _rows(positions)), "h", 2)
