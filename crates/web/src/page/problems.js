// The puzzles: proved problems, which come with the page, and the user's own mistakes.

import { preferences } from "./preferences.js";
import { file } from "./program.js";
import { mistakes } from "./store.js";
import { isDue } from "./training.js";

let proved = null;

/** Reads a line of the collection: `FEN|goal|solution|grade rating level`. */
function read(line) {
  const [fen, aim, moves, numbers] = line.split("|");
  const [gained, gain = 0] = aim.split(" "),
    solution = moves.split(" "),
    [grade, rating, level] = numbers.split(" ").map(Number);
  // Who wins material without a capture crowns a man.
  const goal = gained === "gain" && !solution.some((move, at) => at % 2 === 0 && move.includes("x")) ? "crown" : gained;
  return { fen, goal, gain: Number(gain), solution, grade, rating, level };
}

/** Returns all puzzles: the proved ones, the easiest first, and then the user's own mistakes, the latest first. */
export async function all() {
  proved ??= (await file("./problems.txt")).trim().split("\n").map(read);
  const own = mistakes().map(({ move, ...more }) => ({ ...more, goal: "better", solution: [move], own: true }));
  return [...proved, ...own];
}

const pieces = (fen, side) => new RegExp(`:${side}([^:]*)`).exec(fen)[1].split(",").filter(Boolean);
const isKings = (list) => list.length > 0 && list.every((piece) => piece.startsWith("K"));
const sides = ({ fen }) =>
  fen[0] === "W" ? [pieces(fen, "W"), pieces(fen, "B")] : [pieces(fen, "B"), pieces(fen, "W")];
const row = (square) => (square - 1) >> 2;
const isSingle = (move) => /^\d+x\d+$/.test(move) && Math.abs(row(move.split("x")[0]) - row(move.split("x")[1])) === 2;

const THEMES = {
  shot: ({ goal }) => goal === "gain",
  twoForOne: ({ goal, gain, solution }) =>
    goal === "gain" && gain === 2 && solution.length === 3 && isSingle(solution[1]),
  firstPosition: (puzzle) => {
    const [own, other] = sides(puzzle);
    return puzzle.goal === "win" && own.length === 2 && other.length === 2 && isKings(own) && !isKings(other);
  },
  kingHunt: (puzzle) => {
    const [own, other] = sides(puzzle);
    return puzzle.goal === "win" && isKings(own) && isKings(other);
  },
  ending: ({ goal, own }) => !own && !["gain", "crown"].includes(goal),
  due: (puzzle) => isDue(puzzle),
  own: ({ own }) => Boolean(own),
};

/** Returns the puzzles with the chosen theme and grade; an empty choice stands for all. */
export function chosen(puzzles, { puzzleTheme: theme, grade } = preferences) {
  return puzzles.filter(
    (puzzle) => (theme ? THEMES[theme](puzzle) : !puzzle.own) && (!grade || puzzle.grade === Number(grade)),
  );
}
