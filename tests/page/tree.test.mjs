// The tree of moves.

import assert from "node:assert/strict";
import test from "node:test";
import { START, Tree } from "../../crates/web/src/page/tree.js";

/** Returns a game with a variation: 1. 11-15 23-19 (1... 22-18 2. 15x22) 2. 8-11. */
function sample() {
  const tree = new Tree(START);
  const first = tree.add(0, "11-15"), second = tree.add(first, "23-19"), last = tree.add(second, "8-11");
  const other = tree.add(first, "22-18"), end = tree.add(other, "15x22");
  return { tree, first, second, last, other, end };
}

const moves = (tree, line) => line.slice(1).map((id) => tree.node(id).move).join(" ");

test("a move that is there is not added again", () => {
  const { tree, first, second } = sample();
  assert.equal(tree.add(first, "23-19"), second);
  assert.notEqual(tree.append(first, "23-19"), second);
});

test("lines go through a node to its end", () => {
  const { tree, first, other } = sample();
  assert.equal(moves(tree, tree.whole(first)), "11-15 23-19 8-11");
  assert.equal(moves(tree, tree.whole(other)), "11-15 22-18 15x22");
  assert.equal(tree.ply(other), 2);
});

test("numbers and sides follow the side that begins", () => {
  const { tree, first, second, last } = sample();
  assert.deepEqual([0, first, second].map((id) => tree.side(id)), ["b", "w", "b"]);
  assert.deepEqual([first, second, last].map((id) => tree.number(id)), [1, 1, 2]);
  const white = new Tree("W:WK30:B12"), move = white.add(0, "30-26");
  assert.deepEqual([white.side(0), white.number(move), white.number(white.add(move, "12-16"))], ["w", 1, 2]);
});

test("a variation becomes the main line, and a removed one is gone", () => {
  const { tree, other, end, second } = sample();
  assert(!tree.isMain(end));
  tree.promote(end);
  assert(tree.isMain(end) && !tree.isMain(second));
  tree.remove(other);
  assert(!tree.has(end) && tree.has(second) && tree.isMain(second));
});

test("a stored tree is the same tree", () => {
  const { tree, end } = sample();
  tree.promote(end);
  tree.annotate(end, { comment: "here", glyphs: [2], arrows: [[11, 15]], verdict: 4, clock: { b: 1, w: 2 } });
  tree.tags = { Black: "Ann" };
  const again = Tree.revive(JSON.parse(JSON.stringify(tree)));
  assert.deepEqual(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(tree)));
  assert.equal(moves(again, again.whole(0)), "11-15 22-18 15x22");
});

test("a position names its start and its moves", () => {
  const { tree, other } = sample();
  assert.equal(tree.position(0), `position fen ${START}`);
  assert.equal(tree.position(other), `position fen ${START} moves 11-15 22-18`);
});
