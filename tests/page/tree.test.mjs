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

/** Returns the game with a review of so many nodes per position, which has found a mistake and a better line. */
function reviewed(nodes, verdict, better) {
  const { tree, first, second } = sample();
  Object.assign(tree.node(first), { reviewed: true, nodes, accuracy: 90 });
  Object.assign(tree.node(second), { reviewed: true, nodes, verdict, score: { kind: "cp", value: nodes, side: "b" } });
  better.reduce((at, move) => tree.add(at, move, { engine: true }), first);
  return Tree.revive(JSON.parse(JSON.stringify(tree)));
}

test("of two reviews, the deeper one stays, with its lines only", () => {
  const deeper = () => reviewed(200, undefined, ["24-20", "15x24"]), older = () => reviewed(100, 2, ["24-20", "8-11"]);
  for (const merged of [older().merge(deeper()), deeper().merge(older())]) {
    const second = merged.end(["11-15", "23-19"]), line = merged.end(["11-15", "24-20"]);
    assert.equal(merged.node(second).verdict, undefined);
    assert.deepEqual([merged.node(second).nodes, merged.node(second).score.value], [200, 200]);
    assert.deepEqual(merged.node(line).children.map((id) => merged.node(id).move), ["15x24"]);
    assert.notEqual(merged.end(["11-15", "22-18", "15x22"]), 0, "the user's own line");
  }
  const changed = older();
  changed.annotate(changed.end(["11-15", "24-20", "8-11"]), { comment: "mine" });
  assert.notEqual(changed.merge(deeper()).end(["11-15", "24-20", "8-11"]), 0, "a line that the user has changed");
});
