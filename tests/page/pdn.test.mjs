// Games as PDN, and the contents of comments.

import assert from "node:assert/strict";
import test from "node:test";
import { accuracyOf, arrowsOf, clockTime, mistakeOf, plainComment, readAnalysis, readScore, remarks, shownGlyphs, timeOf } from "../../crates/web/src/page/marks.js";
import { read, write } from "../../crates/web/src/page/pdn.js";
import { START, Tree } from "../../crates/web/src/page/tree.js";

const moves = (tree, tags = {}) => write(tree, tags).split("\n\n")[1];

test("a game of one's own has the tags that PDN wants", () => {
  const tree = new Tree(START);
  tree.add(0, "11-15");
  assert.equal(write(tree, { Black: "A \"b\" \\" }), `[Event "?"]\n[Date "?"]\n[Black "A \\"b\\" \\\\"]\n[White "?"]\n[Result "*"]\n[GameType "21"]\n\n1. 11-15 *\n`);
  assert.match(write(new Tree("W:WK30:B12"), {}), /\[SetUp "1"\]\n\[FEN "W:WK30:B12"\]/);
});

test("variations, comments and marks are written", () => {
  const tree = new Tree(START);
  const first = tree.add(0, "11-15", { comment: "a", glyphs: [1, 14] }), second = tree.add(first, "23-19"), other = tree.add(first, "22-18");
  tree.add(other, "15x22");
  tree.add(second, "8-11");
  assert.equal(moves(tree), "1. 11-15 $1 $14 {a} 1... 23-19 (1... 22-18 2. 15x22) 2. 8-11 *\n");
});

test("a comment with a brace runs to the end of its line", () => {
  const tree = new Tree(START);
  tree.add(tree.add(0, "11-15", { comment: "odd } brace" }), "23-19");
  assert.equal(moves(tree), "1. 11-15 ; odd } brace\n1... 23-19 *\n");
});

test("a loaded game is its own source until it is edited", () => {
  const game = { start: START, comment: "", plies: [{ move: "11-15", variations: [] }], tags: [["Event", "Cup"]], result: "1-0", source: "[Event \"Cup\"]\n\n11-15 1-0\n", complete: true };
  const tree = read(game);
  assert.equal(write(tree, { Black: "me" }), game.source);
  tree.annotate(1, { comment: "new" });
  assert.equal(write(tree, { Black: "me" }), "[Event \"Cup\"]\n[Result \"1-0\"]\n\n1. 11-15 {new} 1-0\n");
});

test("clocks and arrows are commands in comments", () => {
  assert.equal(clockTime(3_723_999), "1:02:03");
  const tree = new Tree(START);
  tree.add(0, "11-15", { clock: { b: 298_500, w: 300_000 }, arrows: [[15, 18], [22, 22]], comment: "bold" });
  assert.equal(moves(tree), "1. 11-15 {[%clk 0:04:58] [%arrows 15-18] [%circles 22] bold} *\n");
  assert.equal(timeOf(tree.node(1), "b"), "0:04:58");
  const comment = "[%clk 0:05:01] [%arrows 15-18,1-99] [%circles 22] bold";
  assert.equal(plainComment(comment), "bold");
  assert.deepEqual([timeOf({ comment }, "w"), arrowsOf({ comment })], ["0:05:01", [[15, 18], [22, 22]]]);
  const known = new Tree(START);
  known.add(0, "11-15", { comment, arrows: [[9, 13]] });
  assert.equal(moves(known), "1. 11-15 {[%arrows 9-13] [%clk 0:05:01] bold} *\n");
});

test("a mistake is one by the review or by its mark", () => {
  assert.equal(mistakeOf({ verdict: 4, glyphs: [5] }), 4);
  assert.equal(mistakeOf({ glyphs: [14, 2] }), 2);
  assert.equal(mistakeOf({ glyphs: [1] }), undefined);
});

test("a review is written as kelso analyse writes it, and read again", () => {
  const tree = new Tree(START), side = "b";
  tree.add(0, "11-15", { comment: "mine", score: { kind: "cp", value: 12, side: "w" }, reviewed: true, depth: 21, nodes: 1000000,
    verdict: 4, words: "blunder: this loses, 9-14 draws" });
  const text = write(tree, {});
  assert(text.includes("1. 11-15 $4 {score=-12 depth=21; blunder: this loses, 9-14 draws; mine}"), text);
  assert(text.includes('[Analysis "nodes=1000000"]'), text);
  const comment = "score=-12 depth=21; blunder: this loses, 9-14 draws; mine", tags = [["Analysis", "nodes=1000000"]];
  const node = read({ start: START, plies: [{ move: "11-15", comment, glyphs: [4, 14] }], tags, result: "*", source: text }).node(1);
  assert.deepEqual(node.score, { kind: "cp", value: -12, side });
  assert.deepEqual([node.depth, node.verdict, node.glyphs, node.comment, node.reviewed], [21, 4, [14], "mine", true]);
  assert.equal(remarks(node), "Blunder: this loses, 9-14 draws; mine");
  const found = (words) => { const { words: verdict, comment } = readAnalysis(`score=-12 depth=21${words}`, side); return [verdict, comment]; };
  assert.deepEqual(found("; lost a draw (search): 9-14 draws; mine"), ["lost a draw (search): 9-14 draws", "mine"], "words of an earlier version");
  assert.deepEqual(found("; mistake: 9-14 is better (database)"), ["mistake: 9-14 is better (database)", undefined]);
  assert.deepEqual(found("; mistake of mine: bad; mine"), [undefined, "mistake of mine: bad; mine"], "a comment that begins like a verdict");
  assert.deepEqual(found(" wdl=24/930/46; blunder; mine"), ["blunder", "mine"], "with the chances of the results");
  assert.equal(readAnalysis("score=loss; blunder; mine", side)?.comment, "mine", "a score without a depth");
  assert.deepEqual(found(""), [undefined, undefined]);
  assert.deepEqual(shownGlyphs(node), [4, 14]);
  // The user's mark replaces the verdict.
  assert.deepEqual(shownGlyphs({ ...node, glyphs: [5] }), [5]);
  const plain = read({ start: START, plies: [{ move: "11-15", comment: "score=-12" }], tags: [], result: "*", source: "" }).node(1);
  assert.equal(plain.comment, "score=-12");
});

test("a won game is won after its last move", () => {
  assert.deepEqual(readScore("win1", "w"), { kind: "win", value: 0, side: "w" });
  assert.deepEqual(readScore("loss", "w"), { kind: "loss", value: null, side: "w" });
  assert.equal(readScore("winner", "w"), null);
});

test("the accuracy of a side is the mean of its moves that count", () => {
  const tree = new Tree(START);
  const line = ["11-15", "23-19", "8-11", "22-17", "11-16"].reduce((line, move, at) => {
    const id = tree.add(line.at(-1), move, { accuracy: [undefined, 100, 40, undefined, 90][at] });
    return [...line, id];
  }, [0]);
  assert.equal(accuracyOf(tree, line, "b"), 65);
  assert.equal(accuracyOf(tree, line, "w"), 100);
  assert.equal(accuracyOf(tree, [0], "b"), null);
});
