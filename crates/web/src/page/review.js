// The review of a whole game: every move gets a score, and mistakes get marks, comments and better lines.

import { accuracyOf, lossOf } from "./accuracy.js";
import { button, h, put, reveal } from "./dom.js";
import { edit } from "./editor.js";
import { MISTAKES, betterMove, mistakeOf } from "./marks.js";
import { go } from "./navigate.js";
import { tagsOf } from "./kept.js";
import { write } from "./pdn.js";
import { isPerson, ownSide } from "./players.js";
import { preferences } from "./preferences.js";
import { rules } from "./program.js";
import { compared } from "./score.js";
import { state, subscribe } from "./state.js";
import { announce, report } from "./status.js";
import { addMistakes } from "./store.js";
import { text } from "./text.js";
import * as transport from "./transport.js";
import { PLAYER_TAGS, Tree } from "./tree.js";

/** Distance of a mistake from the edge of the list, in pixels. */
const MARGIN = 40;

export class Review {
  /** `solve` lets the user look for better moves: receives puzzles, and the node of the first one. */
  constructor(solve) {
    this.running = null;
    /** The games that were reviewed since the page was opened. */
    this.done = new WeakSet();
    this.runButton = button(text.analyseGame, () => this.run(), { class: "primary" });
    this.cancelButton = button(text.cancel, () => this.cancel());
    this.nextButton = button(text.nextMistake, () => this.next(), { class: "primary", title: text.nextMistakeHelp });
    const solveAll = async () => solve(await puzzlesOf(this.asked()), state.current);
    this.solveButton = button(text.solveMistake, solveAll, { title: text.solveMistakeHelp });
    this.state = h("p", { class: "soft" });
    this.progress = h("progress", { hidden: true, "aria-label": text.reviewing });
    this.summary = h("div", { class: "sums" });
    this.list = h("ul", { class: "plain mistakes" });
    this.element = h(
      "div",
      { class: "review" },
      this.summary,
      this.state,
      this.progress,
      h("div", { class: "row" }, this.nextButton, this.solveButton, this.runButton, this.cancelButton),
      this.list,
    );
    subscribe(["current", "game", "tab"], () => state.game.tree && this.refresh());
    subscribe(["left"], () => this.cancel());
  }

  refresh() {
    const mistakes = this.mistakes(),
      { tree } = state.game;
    const line = tree.whole(state.current),
      reviewed = this.done.has(tree);
    this.runButton.classList.toggle("primary", !mistakes.length && !reviewed);
    this.runButton.textContent = reviewed ? text.analyseAgain : text.analyseGame;
    // Show buttons before hiding others, so that the focus has somewhere to go.
    const shown = [
      [this.runButton, !this.running && line.length > 1],
      [this.cancelButton, Boolean(this.running)],
      [this.nextButton, this.asked().length > 0],
      [this.solveButton, this.asked().includes(state.current) && Boolean(betterMove(tree, state.current))],
    ];
    for (const [button, on] of shown.sort(([, a], [, b]) => b - a)) reveal(button, on);
    this.progress.hidden = !this.running;
    const result = mistakes.length ? "" : reviewed ? text.noMistakes : text.reviewHelp;
    this.state.textContent = this.running ? text.reviewing : line.length < 2 ? text.reviewEmpty : result;
    put(this.summary, mistakes.length > 0 || reviewed ? this.sums(mistakes) : []);
    this.nextButton.textContent = userSide(state.game) ? text.nextOwnMistake : text.nextMistake;
    const rows = mistakes.map((id) => h("li", {}, this.link(id)));
    put(this.list, rows);
    const at = mistakes.findLastIndex((id) => tree.ply(id) <= tree.ply(state.current));
    // The tab is drawn only after this call. Only the list scrolls, so that the chart and the accuracy stay in view.
    queueMicrotask(() => this.list.scrollTo((rows[at]?.offsetLeft ?? 0) - MARGIN, (rows[at]?.offsetTop ?? 0) - MARGIN));
  }

  /** Returns each side's accuracy and the number of its mistakes of each kind. */
  sums(mistakes) {
    const { tree } = state.game;
    const marks = (color) => {
      const own = mistakes.filter((id) => tree.mover(id) === color);
      const counts = MISTAKES.map((glyph) => [glyph, own.filter((id) => mistakeOf(tree.node(id)) === glyph).length]);
      return counts
        .filter(([, count]) => count)
        .flatMap(([glyph, count]) =>
          spoken(glyph, `\u2009${count}`, `${count} ${text.mistakeNames[glyph][Number(count > 1)]}`),
        );
    };
    const figure = (color) => text.percentOf(accuracyOf(tree, tree.whole(state.current), color));
    return [
      h("span", { class: "soft", title: text.accuracyHelp, text: text.accuracy }),
      ...["b", "w"].map((color) => h("p", {}, text.sides[color], h("strong", { text: figure(color) }), marks(color))),
    ];
  }

  /** Returns the button of a mistake. */
  link(id) {
    const { tree } = state.game,
      node = tree.node(id),
      glyph = mistakeOf(node),
      dots = tree.mover(id) === "b" ? "." : "…";
    const words = [`${tree.number(id)}${dots} ${node.move}`, spoken(glyph, "", text.glyphNames[glyph])].flat();
    return button(words, () => go(id), { "aria-current": id === state.current && "true", title: node.comment });
  }

  /** Cancels the running review. */
  cancel() {
    this.running?.abort();
    this.running = null;
    if (state.game.tree) this.refresh();
  }

  /** Reviews the line on the board. */
  async run() {
    if (this.running) return;
    const { tree } = state.game,
      line = tree.whole(state.current),
      run = (this.running = new AbortController());
    this.progress.max = line.length;
    this.progress.value = 0;
    this.refresh();
    const plain = new Tree(tree.start);
    line.slice(1).reduce((at, id) => plain.add(at, tree.node(id).move), 0);
    try {
      const progress = (done) => (this.progress.value = done);
      const moves = await transport.review(write(plain, {}), { progress, signal: run.signal });
      if (run !== this.running || state.game.tree !== tree) return;
      this.running = null;
      this.done.add(tree);
      await edit(() => {
        moves.forEach((found, index) => apply(tree, line[index], line[index + 1], found));
        return this.asked()[0];
      });
      announce(text.reviewed(this.mistakes().length));
      addMistakes(await puzzlesOf(this.asked().filter((id) => isPerson(state.game.players[tree.mover(id)]))));
    } catch (error) {
      if (!run.signal.aborted) report(error.message);
    } finally {
      if (run === this.running) this.running = null;
      this.refresh();
    }
  }

  /** Returns the nodes on the line on the board that are marked as mistakes. */
  mistakes() {
    const { tree } = state.game;
    return tree.whole(state.current).filter((id) => mistakeOf(tree.node(id)));
  }

  /** Returns the user's mistakes, or those of both sides if the user's side is not known. */
  asked() {
    const { tree } = state.game,
      own = userSide(state.game);
    return this.mistakes().filter((id) => !own || tree.mover(id) === own);
  }

  /** Goes to the next mistake, and from the last one to the first. */
  async next() {
    const { tree } = state.game,
      found = this.asked(),
      now = tree.ply(state.current);
    const next = found.find((id) => tree.ply(id) > now) ?? found[0];
    await go(next);
    announce(tree.node(next).comment ?? "");
  }
}

/** Returns a glyph, with a number after it, and the words that a screen reader reads instead. */
const spoken = (glyph, number, words) => [
  h("span", { class: "unseen", text: words }),
  h("b", { class: `glyph glyph-${glyph}`, "aria-hidden": "true", title: words, text: text.glyphs[glyph] + number }),
];

/** Returns the side of the only person, or else the one that the game gives the user's name. */
const userSide = ({ players, tree }) =>
  ownSide(players) ??
  Object.keys(PLAYER_TAGS).find((side) => preferences.player && tree.tags[PLAYER_TAGS[side]] === preferences.player);

/** Returns mistakes as puzzles, whose solutions are the better moves. */
function puzzlesOf(mistakes) {
  const { tree } = state.game,
    { Black: b, White: w } = tagsOf(state.game);
  const puzzle = async (id) => {
    const { parent, move } = tree.node(id),
      { fen } = await rules.facts(tree.position(parent));
    const source = text.mistakeSource(`${b} – ${w}`, tree.number(id), move);
    return { id, fen, goal: "better", solution: [betterMove(tree, id)], source, names: { b, w } };
  };
  return Promise.all(mistakes.filter((id) => betterMove(tree, id)).map(puzzle));
}

/** Adds a review's findings about a move to the tree. The user's marks are kept. */
function apply(tree, parent, id, { score, glyph, comment, best, best_score: bestScore }) {
  const node = tree.node(id),
    side = tree.side(parent);
  if (score) node.score = { ...score, side };
  node.loss = score && bestScore ? lossOf(bestScore, score) : undefined;
  if (!text.glyphs[glyph]) return;
  const words =
    best?.length && score && bestScore ? text.better(best[0], compared({ ...bestScore, side }, node.score)) : comment;
  Object.assign(node, { verdict: glyph, better: best?.[0] });
  const comments = [node.comment, words].filter((words, index, all) => words && all.indexOf(words) === index);
  const marked = (node.glyphs ?? []).some((known) => known in text.glyphs);
  tree.annotate(id, { glyphs: marked ? node.glyphs : [glyph, ...(node.glyphs ?? [])], comment: comments.join("; ") });
  (best ?? []).reduce((at, move) => tree.add(at, move), parent);
}
