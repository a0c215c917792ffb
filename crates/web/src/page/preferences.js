// The user's preferences, and the resulting look of the page. Invalid stored values are ignored.

import * as store from "./store.js";

export const THEMES = ["auto", "light", "dark"];
export const BOARDS = ["green", "blue", "wood"];
export const PIECE_SETS = ["rings", "plain"];
/** Milliseconds that a piece takes to move from one square to the next. */
export const SPEEDS = { none: 0, fast: 80, normal: 150, slow: 350 };

/** The maximum number of threads: all processors but one, which the page needs. */
const spare = Math.max(1, (navigator.hardwareConcurrency || 2) - 1);

const oneOf = (values) => (value) => values.includes(value);
const isBoolean = (value) => typeof value === "boolean";
const isNumber = (low, high) => (value) => Number.isInteger(value) && value >= low && value <= high;
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isPlayer = (player) =>
  isObject(player) &&
  (player.kind === "person" ||
    (player.kind === "engine" && typeof player.engine === "string") ||
    (player.kind === "level" && isNumber(1, 10)(player.level)));
const isResult = (value) =>
  isObject(value) && isNumber(0, 2)(value.how) && [value.next ?? 0, value.days ?? 0].every(Number.isFinite);
const isPositive = (value) => Number.isFinite(value) && value > 0;
const isPace = (pace) =>
  isObject(pace) &&
  (pace.kind === "clock"
    ? isPositive(pace.base) && Number.isFinite(pace.increment)
    : ["move", "depth", "nodes"].includes(pace.kind) && isPositive(pace.value));

/** Every preference: its default, and a test for stored values. */
const KNOWN = {
  theme: ["auto", oneOf(THEMES)],
  board: ["green", oneOf(BOARDS)],
  pieces: ["rings", oneOf(PIECE_SETS)],
  numbers: [true, isBoolean],
  speed: ["normal", oneOf(Object.keys(SPEEDS))],
  sound: [false, isBoolean],
  premove: [true, isBoolean],
  shortcuts: [true, isBoolean],
  threads: [spare, isNumber(1, 256)],
  memory: [128, isNumber(1, 4096)],
  player: ["", (value) => typeof value === "string" && value.length <= 60],
  flipped: [true, isBoolean],
  tab: ["moves", oneOf(["moves", "explorer", "review", "tags"])],
  analysis: [false, isBoolean],
  lines: [1, isNumber(1, 5)],
  players: [
    { b: { kind: "person" }, w: { kind: "level", level: 3 } },
    (value) => isObject(value) && isPlayer(value.b) && isPlayer(value.w),
  ],
  turning: [false, isBoolean],
  pace: [{ kind: "move", value: 1 }, isPace],
  grade: ["", (value) => ["", "1", "2", "3", "4", "5"].includes(value)],
  puzzleTheme: ["", (value) => typeof value === "string"],
  puzzles: [{}, (value) => isObject(value) && Object.values(value).every(isResult)],
  training: [
    { rating: 1000, deviation: 200, results: 0, streak: 0, longest: 0 },
    (value) =>
      isObject(value) &&
      ["rating", "results", "streak", "longest"].every((name) => Number.isFinite(value[name])) &&
      // Earlier versions had no deviation.
      Number.isFinite((value.deviation ??= 200 / Math.sqrt(1 + value.results / 2))),
  ],
  /** The latest tries of puzzles, the last one first. */
  tries: [
    [],
    (value) => Array.isArray(value) && value.every((one) => typeof one?.fen === "string" && isNumber(0, 2)(one.how)),
  ],
};

function valid() {
  const stored = store.settings();
  const value = ([name, [usual, fits]]) => [name, fits(stored[name]) ? stored[name] : usual];
  return Object.fromEntries(Object.entries(KNOWN).map(value));
}

export const preferences = valid();

/** Uses the stored preferences, which may be those of the library. */
export function reprefer() {
  Object.assign(preferences, valid());
  show();
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
