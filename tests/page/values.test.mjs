// The values of the moves in a position.

import assert from "node:assert/strict";
import { register } from "node:module";
import test from "node:test";
import { START, Tree } from "../../crates/web/src/page/tree.js";

// In the program, the charts of the reports are in one of the page's modules.
const charts = JSON.stringify(new URL("../../crates/reports/src/page/score-chart.js", import.meta.url));
const found = `name === "./diagram.js" ? { url: ${charts}, format: "module", shortCircuit: true } : next(name, context)`;
register(`data:text/javascript,export const resolve = (name, context, next) => ${encodeURIComponent(found)};`);
const { record, settle, valuesOf } = await import("../../crates/web/src/page/values.js");

const cp = (value, side = "b") => ({ kind: "cp", value, side });
const line = (move, value, depth) => ({ moves: [move, "21-17"], kind: "cp", value, depth });
const book = (value, depth) => ({ kind: "cp", value, depth, by: "book" });

/** Returns the moves as "9-13 10*": the score, with * for the best, and ~ for one that is shallow. */
const shown = (place) =>
  Object.values(valuesOf(place).moves)
    .map(({ move, score, isBest, isShallow }) => `${move} ${score.value}${isBest ? "*" : ""}${isShallow ? "~" : ""}`)
    .sort()
    .join(", ");

/** Returns a position and its node, after each search of some. */
function searched(...searches) {
  const tree = new Tree(START), node = tree.node(0), place = { tree, id: 0, values: null };
  for (const lines of searches) {
    record(node, lines, "b");
    settle(place, true);
  }
  return { place, tree, node };
}

test("the lines of a search stay with their position, and those of a deeper search make them shallow", () => {
  const { place, node } = searched([line("9-13", 10, 20), line("11-15", 5, 20), line("10-14", -40, 19)], [line("9-13", 90, 3)]);
  assert.equal(shown(place), "10-14 -40, 11-15 5, 9-13 10*");
  record(node, [line("9-13", 2, 21)], "b");
  assert.equal(shown(place), "10-14 -40~, 11-15 2~, 9-13 2*");
  assert.equal(valuesOf(place).score.value, 2);
});

test("the best move has the best number, whatever its source", () => {
  const { place, node } = searched([line("9-13", 10, 20)]);
  place.values = { "9-13": book(0, 12), "11-15": book(60, 12), "10-14": book(-5, 12) };
  settle(place, true);
  assert.equal(shown(place), "10-14 -5~, 11-15 10~, 9-13 10*");
  place.values["11-15"] = book(60, 25);
  settle(place, true);
  assert.deepEqual([node.score.value, node.by, node.best], [60, "book", "11-15"]);
  assert.equal(shown(place), "10-14 -5, 11-15 60*, 9-13 10~");
});

test("a search that is as deep as the book does not take its best move away", () => {
  const { place } = searched([line("11-15", 30, 25)]);
  place.values = { "9-13": book(-5, 25), "11-15": book(10, 25) };
  const { score, by, best } = valuesOf({ ...place, searched: true });
  assert.deepEqual([score.value, by, best], [10, "book", "11-15"]);
});

test("a move that a search does not list is no better than the last line", () => {
  const { place } = searched([line("9-13", 10, 20), line("11-15", -20, 20)]);
  place.values = { "10-14": book(5, 12) };
  assert.equal(shown(place), "10-14 -20~, 11-15 -20, 9-13 10*");
});

test("a deeper score of the next position is that of its move", () => {
  const { place, tree, node } = searched([line("9-13", 10, 20), line("11-15", 5, 20)]);
  const next = tree.node(tree.add(0, "9-13", { score: cp(30, "w"), depth: 25 }));
  settle(place, true);
  assert.equal(shown(place), "11-15 5*, 9-13 30");
  assert.deepEqual([node.score.value, node.best, next.depth], [5, "11-15", 25]);
});

test("the next position gets a deeper score of its move", () => {
  const { place, tree } = searched([line("9-13", 10, 20), line("11-15", 5, 20)]);
  const next = tree.node(tree.add(0, "9-13", { score: cp(0, "w"), depth: 3 }));
  settle(place, true);
  assert.deepEqual([next.score.value, next.score.side, next.depth, next.best], [10, "b", 19, "21-17"]);
});

test("a review without a best move does not make the next move the best", () => {
  const tree = new Tree(START), review = { reviewed: true, depth: 18 };
  Object.assign(tree.node(0), { ...review, score: cp(10) });
  tree.add(0, "9-13", { ...review, score: cp(-80) });
  const place = { tree, id: 0, values: null };
  settle(place);
  assert.equal(shown(place), "9-13 -80");
  assert.equal(valuesOf(place).score.value, 10);
});

test("equal results have no best move", () => {
  const place = { tree: new Tree(START), id: 0, values: { "9-13": { kind: "win", value: null, by: "database" }, "11-15": { kind: "win", value: null, by: "database" } } };
  assert.equal(shown(place), "11-15 null, 9-13 null");
  place.values["10-14"] = { kind: "cp", value: 0, by: "database" };
  assert.equal(shown(place), "10-14 0, 11-15 null*, 9-13 null*");
});
