// The texts of the page: every language has the same set.

import assert from "node:assert/strict";
import test from "node:test";
import { text as english } from "../../crates/web/src/page/text-en.js";
import { text as german } from "../../crates/web/src/page/text-de.js";

/** Describes a value: the names of an object, the length of a list, and the parameters of a function. */
function shape(value) {
  if (Array.isArray(value)) return value.length;
  if (typeof value === "function") return `function of ${value.length}`;
  return typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)])) : typeof value;
}

test("every language has every text", () => assert.deepEqual(shape(german), shape(english)));

test("the likely result follows the chances", () => {
  const words = (b, draw, w) => english.likely({ b, draw, w });
  assert.equal(words(950, 50, 0), "Black wins");
  assert.equal(words(20, 960, 20), "Drawn");
  assert.equal(words(100, 250, 650), "White should win");
  assert.equal(words(480, 400, 120), "Black should win; draw possible");
  assert.equal(words(475, 280, 245), "Black has the better chances");
  assert.equal(words(350, 600, 50), "Black is better; draw likely");
  assert.equal(words(150, 830, 20), "Draw likely; Black has chances");
  assert.equal(words(60, 890, 50), "Draw very likely");
});

test("numbers agree with their nouns", () => {
  assert.equal(english.reviewed(1), "Analysed: 1 mistake");
  assert.equal(english.reviewed(0), "Analysed: 0 mistakes");
  assert.equal(english.duration(1), "1 second");
  assert.equal(english.duration(7300), "2 hours");
  assert.equal(german.inMoves(1), "1 Zug");
  assert.equal(german.inMoves(3), "2 Zügen");
});
