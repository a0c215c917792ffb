// The texts of the page.

import assert from "node:assert/strict";
import test from "node:test";
import { text } from "../../crates/web/src/page/text.js";

test("mistakes are counted by their names", () => {
  assert.equal(text.mistakesNamed(2, 6), "2 inaccuracies");
  assert.equal(text.mistakesNamed(1, 4), "1 blunder");
});

test("numbers agree with their nouns", () => {
  assert.equal(text.reviewed(1), "Analysed: 1 move to look at");
  assert.equal(text.reviewed(0), "Analysed: 0 moves to look at");
});

test("an opening is shortened to its name", () => {
  assert.equal(text.shortOpening(text.opening("three-move 120, Single Corner")), "Single Corner");
  assert.equal(text.shortOpening("Kelso (a variation)"), "Kelso (a variation)");
});
