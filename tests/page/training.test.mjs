// Progress in puzzles, and premoves.

import assert from "node:assert/strict";
import { register } from "node:module";
import test from "node:test";

// In the program, the board of the reports is one of the page's modules.
const board = JSON.stringify(new URL("../../crates/reports/src/page/board.js", import.meta.url));
const found = `name === "./diagram.js" ? { url: ${board}, format: "module", shortCircuit: true } : next(name, context)`;
register(`data:text/javascript,export const resolve = (name, context, next) => ${encodeURIComponent(found)};`);

const stored = new Map();
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) };
globalThis.window = globalThis;
globalThis.navigator ??= { hardwareConcurrency: 2 };
globalThis.document = { documentElement: { dataset: {} } };
const { preferences } = await import("../../crates/web/src/page/preferences.js");
const { history, isDue, lossOf, note, OUTCOME, pick, progress, resultOf } = await import("../../crates/web/src/page/training.js");
const { fulfilled, premoves } = await import("../../crates/web/src/page/rules.js");

const DAY = 24 * 3600 * 1000;

const { failed, helped, alone } = OUTCOME;

test("a puzzle that was not solved alone comes again at growing intervals", () => {
  const puzzle = { fen: "B:WK1:B2", rating: 1000 };
  note(puzzle, failed, 0);
  assert(!isDue(puzzle, DAY - 1) && isDue(puzzle, DAY));
  let now = DAY;
  for (const days of [3, 9, 27]) {
    note(puzzle, alone, now);
    assert(!isDue(puzzle, now + days * DAY - 1) && isDue(puzzle, now + days * DAY), `${days} days`);
    now += days * DAY;
  }
  note(puzzle, alone, now);
  assert.deepEqual(resultOf(puzzle), { how: alone });
  assert(!isDue(puzzle, now + 1000 * DAY), "it is learned");
});

/** Begins anew, with the progress of an earlier version. */
function reset(training) {
  stored.clear();
  Object.assign(preferences, { training: { ...preferences.training, ...training }, outcomes: {}, tries: [] });
}

test("a failure lowers the rating at once, and the solution shown before is not the user's", () => {
  const puzzle = { fen: "B:WK1:B3", rating: 1000 };
  reset({});
  const { rating: before } = progress(), loss = lossOf(puzzle, 0);
  note(puzzle, failed, 0);
  const { rating, streak } = progress();
  assert(rating === before - loss && loss > 20 && streak === 0 && resultOf(puzzle).how === failed);
  note(puzzle, alone, 1000);
  assert.equal(progress().rating, rating);
  assert.equal(resultOf(puzzle).how, helped);
  assert(isDue(puzzle, DAY));
});

test("the rating goes up by hard puzzles, and the streak counts those solved alone", () => {
  reset({});
  const before = progress().rating;
  note({ fen: "B:WK1:B4", rating: 2000 }, alone, 0);
  assert(progress().rating > before + 40);
  note({ fen: "B:WK1:B5", rating: 400 }, alone, 0);
  assert.equal(progress().streak, 2);
  const high = progress().rating;
  note({ fen: "B:WK1:B6", rating: 400 }, failed, 0);
  assert(progress().rating < high - 30 && progress().streak === 0 && progress().longest === 2);
});

test("the deviation of the rating shrinks with results and grows with time", () => {
  reset({ rating: 1500, deviation: 200, when: 0 });
  note({ fen: "B:WK1:B20", rating: 1500 }, alone, 0);
  const { rating, deviation } = progress();
  // By the formulas of Glicko, with a deviation of 80 for puzzles.
  assert(rating === 1585 && Math.abs(deviation - 174.65) < 0.01, `${rating} ${deviation}`);
  note({ fen: "B:WK1:B21", rating: 1500 }, alone, 400 * DAY);
  assert(progress().deviation > deviation && progress().deviation < 350);
});

test("the history has one entry for a try, and those of earlier versions", () => {
  const puzzle = { fen: "B:WK1:B22", rating: 1000 }, earlier = { fen: "B:WK1:B23", how: failed, when: 1 };
  reset({});
  preferences.tries = [earlier];
  note(puzzle, failed, 5);
  note(puzzle, helped, 6);
  assert.deepEqual(history().map(({ fen, how, when }) => ({ fen, how, when })), [{ fen: puzzle.fen, how: helped, when: 6 }, earlier]);
});

test("no other page can set the rating back, whatever it has stored", () => {
  reset({ rating: 1300, deviation: 90, longest: 7 });
  note({ fen: "B:WK1:B24", rating: 1300 }, alone, 10);
  const { rating } = progress(), settings = JSON.parse(stored.get("kelso.settings")), other = { fen: "B:WK1:B25", how: failed, when: 5, rating: 1300, practice: false };
  // A page of an earlier version that knew nothing, a page that has missed the outcome, and a damaged entry. A puzzle without a
  // rating changes nothing.
  stored.set("kelso.settings", JSON.stringify({ ...settings, training: { rating: 1000, deviation: 200, results: 1, streak: 0, longest: 0 }, outcomes: { x: 1, y: other } }));
  note({ fen: "B:WK1:B26" }, failed, 20);
  const after = progress();
  assert(after.rating < rating && after.rating > 1270 && after.longest === 7 && after.streak === 1, JSON.stringify(after));
  preferences.outcomes = JSON.parse(stored.get("kelso.settings")).outcomes;
  assert.deepEqual(progress(), after);
});

test("the next puzzle is due, or else untried and near the user's rating", () => {
  reset({});
  const { rating } = progress();
  const puzzles = [700, rating - 40, rating + 30, 1900].map((rating, at) => ({ fen: `W:WK1:B${at + 7}`, rating }));
  assert.equal(pick(puzzles, 0), puzzles[2]);
  note(puzzles[2], alone, 0);
  preferences.outcomes = {};
  assert.equal(pick(puzzles, 0), puzzles[1]);
  note(puzzles[3], failed, 0);
  assert.equal(pick(puzzles, DAY), puzzles[3]);
});

test("moves in advance are steps and jumps, and need to be legal later", () => {
  const squares = new Array(33).fill("");
  Object.assign(squares, { 11: "b", 16: "b", 15: "w", 1: "B" });
  const named = (side) => premoves(squares, side).map(({ move }) => move).sort();
  assert.deepEqual(named("b"), ["1-10", "1-5", "1-6", "11-15", "11-18", "11-20", "16-19", "16-20", "16-23"]);
  assert.deepEqual(named("w"), ["15-10", "15-11", "15-6", "15-8"]);
  const paths = [{ move: "11x18", squares: [11, 18] }, { move: "11x25", squares: [11, 18, 25] }, { move: "16-20", squares: [16, 20] }];
  assert.equal(fulfilled(paths, { from: 11, to: 18 }).move, "11x18");
  assert.equal(fulfilled(paths.slice(1), { from: 11, to: 18 }).move, "11x25");
  assert.equal(fulfilled(paths, { from: 11, to: 15 }), null);
});
