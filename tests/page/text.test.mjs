// The texts of the page.

import assert from "node:assert/strict";
import test from "node:test";
import { text } from "../../crates/web/src/page/text.js";

test("the likely result follows the chances", () => {
  const words = (b, draw, w, score) => text.likely({ b, draw, w }, score);
  assert.equal(words(950, 50, 0), "Black is winning");
  assert.equal(words(20, 960, 20), "Draw very likely");
  assert.equal(words(100, 250, 650), "White is likely to win");
  assert.equal(words(850, 100, 50), "Black should win");
  assert.equal(words(480, 400, 120), "Black is better; draw possible");
  assert.equal(words(475, 280, 245), "Black has the better chances");
  assert.equal(words(475, 280, 245, { kind: "cp", value: -24 }), "About equal");
  assert.equal(words(475, 280, 245, { kind: "cp", value: 25 }), "Black has the better chances");
  assert.equal(words(60, 890, 50, { kind: "cp", value: 0 }), "Draw very likely");
  assert.equal(words(350, 600, 50), "Black is better; draw likely");
  assert.equal(words(150, 830, 20), "Draw likely; Black has chances");
  assert.equal(words(60, 890, 50), "Draw very likely");
});

test("numbers agree with their nouns", () => {
  assert.equal(text.reviewed(1), "Analysed: 1 move to look at");
  assert.equal(text.reviewed(0), "Analysed: 0 moves to look at");
  assert.equal(text.duration(1), "1 second");
  assert.equal(text.duration(7300), "2 hours");
});

test("an opening is shortened to its name", () => {
  assert.equal(text.shortOpening(text.opening("three-move 120, Single Corner")), "Single Corner");
  assert.equal(text.shortOpening("Kelso (a variation)"), "Kelso (a variation)");
});
