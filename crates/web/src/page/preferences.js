// The user's preferences, and the resulting look of the page. Invalid stored values are ignored.

import * as store from "./store.js";
import { text } from "./text.js";

/** Milliseconds that a piece takes to move from one square to the next. */
export const SPEEDS = { none: 0, fast: 80, normal: 150, slow: 350 };

/** The maximum number of threads: all processors but one, which the page needs. */
const spare = Math.max(1, (navigator.hardwareConcurrency || 2) - 1);

const isOffered = (name) => (value) => Object.hasOwn(text.settings.values[name], value);
const isNumber = (low, high) => (value) => Number.isInteger(value) && value >= low && value <= high;
const isPlayer = (player) =>
  ({ person: true, engine: typeof player?.engine === "string", level: isNumber(1, 10)(player?.level) })[player?.kind];
const isResult = (value) => isNumber(0, 2)(value?.how) && [value.next ?? 0, value.days ?? 0].every(Number.isFinite);
const isPositive = (value) => Number.isFinite(value) && value > 0;
const isPace = ({ kind, base, increment, value }) =>
  kind === "clock"
    ? isPositive(base) && Number.isFinite(increment)
    : ["move", "depth", "nodes"].includes(kind) && isPositive(value);
/** Returns whether a value is of the same type as another one. */
const isLike = (value, usual) =>
  value !== null && typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual);

/** Every preference: its default, whose type stored values have, and a further test for them. */
const KNOWN = {
  theme: ["auto", isOffered("theme")],
  board: ["green", isOffered("board")],
  pieces: ["rings", isOffered("pieces")],
  numbers: [true],
  speed: ["normal", isOffered("speed")],
  sound: [false],
  premove: [true],
  shortcuts: [true],
  threads: [spare, isNumber(1, 256)],
  memory: [128, isNumber(1, 4096)],
  player: ["", (value) => value.length <= 60],
  flipped: [true],
  tab: ["moves", (value) => Object.hasOwn(text.tabs, value)],
  analysis: [false],
  lines: [1, isNumber(1, 5)],
  players: [{ b: { kind: "person" }, w: { kind: "level", level: 3 } }, ({ b, w }) => isPlayer(b) && isPlayer(w)],
  turning: [false],
  pace: [{ kind: "move", value: 1 }, isPace],
  grade: ["", (value) => ["", "1", "2", "3", "4", "5"].includes(value)],
  puzzleTheme: [""],
  order: [{ sort: "date", descending: true }, ({ sort }) => typeof sort === "string"],
  puzzles: [{}, (value) => Object.values(value).every(isResult)],
  /** What was recorded of puzzles, and under "before" the progress that an earlier version had stored; see `training.js`. */
  outcomes: [{}],
  /** The progress and the latest tries of puzzles, the last one first, which only earlier versions have stored. */
  training: [
    { rating: 1000, deviation: 200, results: 0, streak: 0, longest: 0 },
    (value) =>
      ["rating", "results", "streak", "longest"].every((name) => Number.isFinite(value[name])) &&
      // Earlier versions had no deviation.
      Number.isFinite((value.deviation ??= 200 / Math.sqrt(1 + value.results / 2))),
  ],
  tries: [[], (value) => value.every((one) => typeof one?.fen === "string" && isNumber(0, 2)(one.how))],
};

function valid() {
  const stored = store.settings();
  const value = ([name, [usual, fits]]) => {
    const isValid = isLike(stored[name], usual) && (!fits || fits(stored[name]));
    return [name, isValid ? stored[name] : usual];
  };
  return Object.fromEntries(Object.entries(KNOWN).map(value));
}

export const preferences = valid();

/** Uses the stored preferences, which may be those of the library. */
export function reprefer() {
  Object.assign(preferences, valid());
  show();
}

/** Adds the outcomes of puzzles that other pages have stored. */
export function readOutcomes() {
  const stored = valid();
  for (const name of ["puzzles", "outcomes"]) preferences[name] = { ...preferences[name], ...stored[name] };
}

export function prefer(change) {
  Object.assign(preferences, change);
  store.remember(change);
  show();
}

/** Applies the user's preferences to the page. `boot.js` does the same before the page is painted. */
function show() {
  const { theme, board, numbers } = preferences;
  Object.assign(document.documentElement.dataset, { theme, board, numbers });
}

show();
