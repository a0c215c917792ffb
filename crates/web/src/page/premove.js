// A move that is made while the engine thinks. It is played when the engine has moved, if it is legal then.

import { place } from "./diagram.js";
import { only } from "./rules.js";

const SQUARES = Array.from({ length: 32 }, (_, at) => at + 1);

/** Returns the squares that a piece may reach in one step or one jump, depending on the other side's move. */
function targets(square, piece) {
  const [column, row] = place(square, false);
  return SQUARES.filter((to) => {
    const [x, y] = place(to, false),
      down = y - row,
      isForward = piece === "b" ? down > 0 : piece !== "w" || down < 0;
    return isForward && [1, 2].includes(Math.abs(down)) && Math.abs(x - column) === Math.abs(down);
  });
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
