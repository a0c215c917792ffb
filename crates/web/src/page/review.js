// The review of a whole game: every move gets a score, and mistakes get marks, comments and better lines.

import { button, h } from "./dom.js";
import { write } from "./pdn.js";
import { report, setStatus } from "./status.js";
import { text } from "./text.js";
import * as transport from "./transport.js";
import { Tree } from "./tree.js";

/** The glyphs for blunders, mistakes and doubtful moves. */
const MISTAKES = [2, 4, 6];

export class Review {
  /** `solve` lets the user look for a better move: {position, solution}. */
  constructor(game, editor, solve) {
    Object.assign(this, { game, editor, solve });
    this.runButton = button(text.analyseGame, () => this.run());
    this.nextButton = button(text.nextMistake, () => this.next());
    this.solveButton = button(text.solveMistake, () => this.solve(this.puzzle()), { title: text.solveMistakeHelp });
    this.element = h("div", { class: "row" }, this.runButton, this.nextButton, this.solveButton);
  }

  refresh() {
    this.nextButton.disabled = !this.mistakes().length;
    this.solveButton.disabled = !this.puzzle();
  }

  /** Reviews the line on the board. */
  async run() {
    const { tree } = this.game, line = tree.whole(this.editor.shown());
    this.runButton.disabled = true;
    setStatus(text.reviewing);
    const plain = new Tree(tree.start);
    line.slice(1).reduce((at, id) => plain.add(at, tree.node(id).move), 0);
    try {
      const moves = await transport.review(write(plain, {}));
      if (this.game.tree !== tree) return;
      await this.editor.edit(() => {
        moves.forEach((found, index) => apply(tree, line[index], line[index + 1], found));
        return this.editor.shown();
      });
      report(text.reviewed(this.mistakes().length));
    } catch (error) {
      report(error.message);
    } finally {
      this.runButton.disabled = false;
    }
  }

  /** Returns the nodes on the line on the board that are marked as mistakes. */
  mistakes() {
    const { tree } = this.game;
    return tree.whole(this.editor.shown()).filter((id) => tree.node(id).glyphs?.some((glyph) => MISTAKES.includes(glyph)));
  }

  /** Returns the mistake on the board as a puzzle: the better move is the variation in its place. Null if there is none. */
  puzzle() {
    const { tree } = this.game, id = this.editor.shown(), node = tree.node(id);
    if (!node.glyphs?.some((glyph) => MISTAKES.includes(glyph))) return null;
    const better = tree.node(node.parent).children.find((child) => child !== id);
    return better ? { position: tree.position(node.parent), solution: [tree.node(better).move] } : null;
  }

  /** Goes to the next mistake, and from the last one to the first. */
  async next() {
    const { tree } = this.game, found = this.mistakes(), now = tree.ply(this.editor.shown());
    const next = found.find((id) => tree.ply(id) > now) ?? found[0];
    await this.editor.go(next);
    report(tree.node(next).comment ?? "");
  }
}

/** Adds what a review says of a move to the tree. */
function apply(tree, parent, id, { score, glyph, comment, best }) {
  const node = tree.node(id);
  if (score) node.score = { ...score, side: tree.side(parent) };
  if (!text.glyphs[glyph]) return;
  const comments = [node.comment, comment].filter((words, index, all) => words && all.indexOf(words) === index);
  tree.annotate(id, { glyphs: [glyph], comment: comments.join("; ") });
  (best ?? []).reduce((at, move) => tree.add(at, move), parent);
}
