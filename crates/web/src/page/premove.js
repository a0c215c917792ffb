// A move that is made while the engine thinks. It is played when the engine has moved, if it is legal then.

import { only } from "./rules.js";

const ROWS = 8;

const placeOf = (square) => {
  const row = (square - 1) >> 2;
  return [row, ((square - 1) % 4) * 2 + ((row + 1) % 2)];
};

/** Returns the square at a row and a column; 0 if there is none. */
const squareAt = (row, column) =>
  row < 0 || row >= ROWS || column < 0 || column >= ROWS ? 0 : row * 4 + (column >> 1) + 1;

/** Returns the squares that a piece may reach in one step or one jump, depending on the other side's move. */
function targets(square, piece) {
  const [row, column] = placeOf(square);
  const rows = piece === "b" ? [1] : piece === "w" ? [-1] : [1, -1];
  const steps = rows.flatMap((down) =>
    [-1, 1].flatMap((right) => [
      [down, right],
      [2 * down, 2 * right],
    ]),
  );
  return steps.map(([down, right]) => squareAt(row + down, column + right)).filter(Boolean);
}

/** Returns the moves that a side may make in advance, as paths of a board. */
export function premoves(squares, side) {
  return squares.flatMap((piece, square) =>
    piece.toLowerCase() !== side
      ? []
      : targets(square, piece)
          .filter((to) => squares[to].toLowerCase() !== side)
          .map((to) => ({ move: `${square}-${to}`, squares: [square, to], captures: [], isPremove: true })),
  );
}

/** Returns the only legal move with a premove's start that passes over its target, or null. */
export function fulfilled(paths, { from, to }) {
  const fits = paths.filter(({ squares }) => squares[0] === from && squares.slice(1).includes(to));
  const ends = fits.filter(({ squares }) => squares[squares.length - 1] === to);
  return only(ends.length ? ends : fits);
}
