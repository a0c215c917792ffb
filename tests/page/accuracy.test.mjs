// Accuracy: what moves lose, and what they are worth together.

import assert from "node:assert/strict";
import test from "node:test";
import { accuracyOf, lossOf } from "../../crates/web/src/page/accuracy.js";
import { START, Tree } from "../../crates/web/src/page/tree.js";

const cp = (value) => ({ kind: "cp", value });

test("a move loses what the best move was better, within the limit", () => {
  assert.equal(lossOf(cp(30), cp(-80)), 110);
  assert.equal(lossOf(cp(-20), cp(0)), 0);
  assert.equal(lossOf(cp(100), { kind: "loss", value: 9 }), 900);
  assert.equal(lossOf(cp(-371), cp(-892)), 429);
});

test("moves in decided positions do not count", () => {
  assert.equal(lossOf(cp(-800), cp(-900)), undefined);
  assert.equal(lossOf({ kind: "loss", value: 4 }, { kind: "loss", value: 2 }), undefined);
  assert.equal(lossOf({ kind: "win", value: 4 }, cp(850)), undefined);
});

test("a player who gives men away is not accurate, and one who has not moved has no accuracy", () => {
  const tree = new Tree(START);
  const line = ["11-15", "23-19", "8-11", "22-17"].reduce((line, move, at) => {
    const id = tree.add(line.at(-1), move);
    tree.node(id).loss = at % 2 ? 0 : [undefined, undefined, 200][at];
    return [...line, id];
  }, [0]);
  assert(Math.abs(accuracyOf(tree, line, "b") - 100 * Math.exp(-2)) < 1e-9);
  assert.equal(accuracyOf(tree, line, "w"), 100);
  assert.equal(accuracyOf(tree, [0], "b"), null);
});
