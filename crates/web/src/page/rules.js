// Moves as paths: those that a text names, and premoves, which are made while the engine thinks and played if they are legal then.

import { place } from "./diagram.js";
import { text } from "./text.js";

const SQUARES = Array.from({ length: 32 }, (_, at) => at + 1);

/** Returns the only move of some paths, or null if they have none or several. */
export const only = (paths) => (new Set(paths.map(({ move }) => move)).size === 1 ? paths[0] : null);

/** Finds the only legal move with a text's start, end and squares; of a capture, the last jumps may be missing. */
export function findMove(paths, words) {
  const exact = paths.find(({ move }) => move === words);
  if (exact) return exact;
  // The start and the end may be written without a separator, such as 1115.
  if (/^\d{3,4}$/.test(words)) return only(paths.filter(({ squares }) => `${squares[0]}${squares.at(-1)}` === words));
  if (!/^\d+(\s*[-x:\s]\s*\d+)+$/i.test(words)) return null;
  const named = words.match(/\d+/g).map(Number);
  const fits = paths.filter(({ squares }) => {
    let at = -1;
    return squares[0] === named[0] && named.every((square) => (at = squares.indexOf(square, at + 1)) >= 0);
  });
  return only(fits.filter(({ squares }) => squares.at(-1) === named.at(-1))) ?? only(fits);
}

/** Returns the legal move described by a text. If there is none, `report` receives the reason. */
export function typedMove(paths, words, report) {
  const path = findMove(paths, words),
    mustCapture = paths[0]?.captures.length && /^\d+\s*-?\s*\d+$/.test(words);
  if (!path) report(mustCapture ? text.mustCaptureHelp : text.illegal(words));
  return path;
}

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

/** Returns the path that a square determines: the only one that ends there, or else passes over it, from its step `from` on. */
export const decided = (paths, square, from = 1) =>
  only(paths.filter(({ squares }) => squares.at(-1) === square)) ??
  only(paths.filter(({ squares }) => squares.indexOf(square, from) > 0));

/** Returns the only legal move with a premove's start that passes over its target, or null. */
export function fulfilled(paths, { from, to }) {
  const starting = paths.filter(({ squares }) => squares[0] === from);
  return decided(starting, to);
}
