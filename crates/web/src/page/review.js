// The review of a whole game: every move gets a score, and mistakes get marks, comments and better lines.

import { accuracyOf, lossOf } from "./accuracy.js";
import { box, button, enable, h, put, reveal } from "./dom.js";
import { edit } from "./editor.js";
import { MISTAKES, betterMove, mistakeOf, plainComment } from "./marks.js";
import { go } from "./navigate.js";
import { namesOf } from "./kept.js";
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
import { OTHER_SIDE, PLAYER_TAGS, Tree } from "./tree.js";

export class Review {
  /** `solve` lets the user look for better moves: receives puzzles, and the node of the first one. */
  constructor(solve, chart) {
    this.running = null;
    this.runButton = button(text.analyseGame, () => this.run(), { class: "primary" });
    this.cancelButton = button(text.cancel, () => this.cancel());
    this.nextButton = button(text.nextMistake, () => this.next(), { class: "primary", title: text.nextMistakeHelp });
    const solveAll = async () => solve(await puzzlesOf(this.asked()), this.unsolved);
    this.solveButton = button("", solveAll, { title: text.solveMistakeHelp });
    this.chart = chart;
    this.state = h("p", { class: "soft" });
    this.progress = h("progress", { hidden: true, "aria-label": text.reviewing });
    this.summary = h("div", { class: "sums" });
    // The result takes the room of the text before it, so that the buttons and the moves stay in place.
    this.element = box(
      "review",
      box("overview", chart.element, this.summary, this.state, this.progress),
      box("row", this.nextButton, this.solveButton, this.runButton, this.cancelButton),
    );
    subscribe(["current", "game", "tab"], () => state.game.tree && this.refresh());
    subscribe(["left"], () => this.cancel());
  }

  refresh() {
    const mistakes = this.mistakes(),
      { tree } = state.game;
    const line = tree.reviewedLine(state.current),
      reviewed = line.some((id) => tree.node(id).reviewed);
    this.runButton.classList.toggle("primary", !mistakes.length && !reviewed);
    this.runButton.textContent = reviewed ? text.analyseAgain : text.analyseGame;
    /** The mistake on the board or after it whose better move the user can look for. */
    this.unsolved = this.asked().find(
      (id) => tree.ply(id) >= tree.placeOn(line, state.current) && betterMove(tree, id),
    );
    // Show buttons before hiding others, so that the focus has somewhere to go.
    const shown = [
      [this.runButton, !this.running && line.length > 1],
      [this.cancelButton, Boolean(this.running)],
      [this.nextButton, this.asked().length > 0],
      [this.solveButton, this.unsolved !== undefined],
    ];
    for (const [button, on] of shown.sort(([, a], [, b]) => b - a)) reveal(button, on);
    this.progress.hidden = !this.running;
    const side = userSide(state.game),
      isOwn = mistakes.some((id) => tree.mover(id) === side),
      found = side && !isOwn ? text.noOwnMistakes(text.sides[OTHER_SIDE[side]]) : "",
      result = mistakes.length ? found : reviewed ? text.noMistakes : text.reviewHelp;
    this.state.textContent = this.running ? text.reviewing : line.length < 2 ? text.reviewEmpty : result;
    this.chart.element.hidden = this.running || !reviewed;
    put(this.summary, !this.running && this.sums(mistakes));
    this.nextButton.textContent = isOwn ? text.nextOwnMistake : text.nextMistake;
    if (this.unsolved) this.solveButton.textContent = text.solveMistake(named(tree, this.unsolved));
    const following = this.following();
    enable(this.nextButton, following);
    this.nextButton.classList.toggle("primary", following !== undefined && !found);
  }

  /** Returns each side's accuracy, if any of its moves count, and the number of its mistakes of each kind. */
  sums(mistakes) {
    const { tree } = state.game;
    const marks = (color) => {
      const own = mistakes.filter((id) => tree.mover(id) === color);
      const counts = MISTAKES.map((glyph) => [glyph, own.filter((id) => mistakeOf(tree.node(id)) === glyph).length]);
      return counts.flatMap(([glyph, count]) => {
        const name = `${count} ${text.mistakeNames[glyph][Number(count > 1)]}`,
          props = { class: `glyph glyph-${glyph}`, role: "img", "aria-label": name, title: name };
        return count ? h("b", { ...props, text: `${text.glyphs[glyph]}\u2009${count}` }) : [];
      });
    };
    const row = (color) => {
      const share = accuracyOf(tree, tree.reviewedLine(state.current), color),
        parts = [share !== null && h("strong", { text: text.percentOf(share) }), ...marks(color)].filter(Boolean);
      const dot = h("span", { class: `player-dot ${color}`, "aria-hidden": "true" });
      return parts.length > 0 && h("p", {}, dot, h("span", { text: text.sides[color] }), parts);
    };
    const rows = ["b", "w"].map(row).filter(Boolean);
    return rows.length ? [h("span", { class: "soft", title: text.accuracyHelp, text: text.accuracy }), ...rows] : [];
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
    Object.assign(this.progress, { max: line.length, value: 0 });
    this.refresh();
    const plain = new Tree(tree.start);
    line.slice(1).reduce((at, id) => plain.add(at, tree.node(id).move), 0);
    try {
      const progress = (done) => (this.progress.value = done);
      const moves = await transport.review(write(plain, {}), { progress, signal: run.signal });
      if (run !== this.running || state.game.tree !== tree) return;
      this.running = null;
      await edit(() => {
        moves.forEach((found, index) => apply(tree, line[index], line[index + 1], found));
        // From the end of the game, the steps to its mistakes begin at the start.
        return state.current === line.at(-1) ? 0 : state.current;
      });
      announce(text.reviewed(this.mistakes().length));
      const isUser = (side) => isPerson(state.game.players[side]) && side === (userSide(state.game) ?? side);
      addMistakes(await puzzlesOf(this.asked().filter((id) => isUser(tree.mover(id)))));
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
    return tree.reviewedLine(state.current).filter((id) => mistakeOf(tree.node(id)));
  }

  /** Returns the user's mistakes, or else those of both sides. */
  asked() {
    const mistakes = this.mistakes(),
      own = mistakes.filter((id) => state.game.tree.mover(id) === userSide(state.game));
    return own.length ? own : mistakes;
  }

  /** Returns the next mistake, if there is one; after a variation, one after the move that it replaces. */
  following() {
    const { tree } = state.game,
      line = tree.reviewedLine(state.current),
      ply = tree.placeOn(line, state.current) + Number(!line.includes(state.current));
    return this.asked().find((id) => tree.ply(id) > ply);
  }

  /** Goes to the next mistake. */
  async next() {
    const next = this.following();
    if (!next) return;
    await go(next);
    const { tree } = state.game;
    announce([text.moveTitle(tree, next), plainComment(tree.node(next).comment)].filter(Boolean).join(". "));
  }
}

/** Returns the side of the only person, or else the one that the game gives the user's name. */
const userSide = ({ players, tree }) =>
  ownSide(players) ??
  Object.keys(PLAYER_TAGS).find((side) => preferences.player && tree.tags[PLAYER_TAGS[side]] === preferences.player);

/** Returns the move to a node with its number: "5. 9-13", or "5… 22-18" for White. */
const named = (tree, id) => `${tree.number(id)}${tree.mover(id) === "w" ? "…" : "."} ${tree.node(id).move}`;

/** Returns mistakes as puzzles, whose solutions are the better moves. */
function puzzlesOf(mistakes) {
  const { tree } = state.game,
    [b, w] = namesOf(state.game);
  const puzzle = async (id, at, { length }) => {
    const { fen } = await rules.facts(tree.position(tree.node(id).parent)),
      source = text.mistakeSource(at + 1, length, `${b} – ${w}`, named(tree, id)),
      solution = [betterMove(tree, id)];
    return { id, fen, goal: "better", solution, source, number: tree.number(id), names: { b, w } };
  };
  return Promise.all(mistakes.filter((id) => betterMove(tree, id)).map(puzzle));
}

/** Adds a review's findings about a move to the tree. The user's marks are kept. */
function apply(tree, parent, id, { score, glyph, comment, best, best_score: bestScore }) {
  const node = tree.node(id),
    side = tree.side(parent);
  if (score) Object.assign(node, { score: { ...score, side }, reviewed: true });
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
