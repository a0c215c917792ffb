// The moves of the game with its variations. Each move is a button that goes to its position.

import { box, button, group, h, put } from "./dom.js";
import { resultOf } from "./kept.js";
import { go } from "./navigate.js";
import { kindOf, plainComment, remarks, shownGlyphs, timeOf } from "./marks.js";
import { state, subscribe } from "./state.js";
import { joined, text } from "./text.js";
import { short } from "./score.js";

const DEEPEST = 30;
/** Height of the part of the list that fades at its end, in pixels. */
const FADE = 20;

/** Creates the list of the moves of the game on the board, which is drawn while it is shown. */
export function gameMoves(options) {
  const list = new MoveList(go, options),
    draw = (change) =>
      state.game.tree && ("mode" in change || list.element.isConnected) && list.draw(state.game, state.current);
  subscribe(["current", "game", "mode"], draw);
  subscribe(["analysis"], () => list.tree === state.game.tree && list.element.isConnected && list.drawNotes());
  return list;
}

export class MoveList {
  constructor(go, { scored = false } = {}) {
    this.go = go;
    this.scored = scored;
    this.element = group("moves", text.tabs.moves);
    new ResizeObserver(() => this.follow()).observe(this.element);
  }

  /** Draws the moves of a game. Moves added to the end of a loaded game follow its result. */
  draw({ tree, tip, opening = "" }, current) {
    this.tree = tree;
    /** The moves that are shown, by their nodes. */
    this.buttons = {};
    // Only a review gives scores to all moves.
    this.element.classList.toggle("reviewed", this.scored && tree.nodes.some(({ reviewed }) => reviewed));
    /** The moves of a game in progress that were taken back. */
    this.undone = tree.loaded ? [] : tree.whole(tip).slice(tree.line(tip).length);
    // The ballot is already shown above the moves.
    this.ballot = opening;
    this.current = current;
    const result = resultOf(tree.result ?? "");
    this.ending = result ? h("p", { class: "result", text: result }) : null;
    this.endedAt = tree.loaded ? tip : -1;
    const parts = [...this.comment(tree.node(0).comment), ...this.main()];
    if (this.ending && parts.length) parts.push(this.ending);
    if (tree.fault) parts.push(h("p", { class: "fault", text: text.stopsHere(tree.fault) }));
    const help = [h("p", { text: text.noMoves }), h("p", { class: "soft", text: text.noMovesHelp })];
    put(this.element, parts.length ? parts : box("empty", help));
    this.follow();
  }

  /** Scrolls the current move into view, with its comment and what was better, within the list only; after the last move, also the result. */
  follow() {
    const found = this.element.querySelector("[aria-current]");
    if (!found) return void (this.element.scrollTop = 0);
    if (found === [...this.element.querySelectorAll(".move")].at(-1)) return void (this.element.scrollTop = 1e6);
    const notes = found.parentElement.querySelectorAll(
      "[aria-current] + .comment, [aria-current] + .comment + .variation",
    );
    const { top } = found.getBoundingClientRect(),
      { bottom } = ([...notes].at(-1) ?? found).getBoundingClientRect(),
      box = this.element.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom - FADE)
      this.element.scrollTop += Math.min(top - box.top, (top + bottom - box.top - box.bottom) / 2);
  }

  /** Returns the main line in columns: the number, Black's move and White's. Comments and variations have their own rows. */
  main() {
    const parts = [];
    let broken = true;
    for (let at = 0; this.tree.node(at).children.length;) {
      const [main, ...others] = this.tree.node(at).children,
        node = this.tree.node(main),
        white = this.tree.side(at) === "w";
      if (node.before) parts.push(...this.comment(node.before));
      broken ||= Boolean(node.before);
      if (!white || broken) parts.push(this.label(`${this.tree.number(main)}.`, "number"));
      if (white && broken) parts.push(this.label("…", "gap"));
      parts.push(this.move(main));
      const rows = [...this.comment(remarks(node), node), ...others.map((other) => this.variation(other, 1))];
      if (main === this.endedAt && this.ending && node.children.length) {
        rows.push(this.ending, h("p", { class: "soft after", text: text.afterGame }));
        this.ending = null;
      }
      parts.push(...rows);
      broken = rows.length > 0;
      at = main;
    }
    return parts;
  }

  /** Returns a variation in brackets: its first move, and the moves after it with their own variations. */
  variation(first, depth) {
    const parts = [...this.entry(first, true)];
    let numbered = Boolean(remarks(this.tree.node(first)));
    for (let at = first; depth <= DEEPEST && this.tree.node(at).children.length;) {
      const [main, ...others] = this.tree.node(at).children;
      parts.push(...this.entry(main, numbered), ...others.map((other) => this.variation(other, depth + 1)));
      numbered = others.length > 0 || Boolean(remarks(this.tree.node(main)));
      at = main;
    }
    const { engine } = this.tree.node(first);
    return h("span", { class: engine ? "variation by-review" : "variation" }, "(", parts, ")");
  }

  /** Returns a move of a variation, with its comments and, if needed, its number. */
  entry(id, numbered) {
    const node = this.tree.node(id),
      number = this.tree.number(id);
    const label = this.tree.side(node.parent) === "b" ? `${number}.` : numbered ? `${number}…` : "";
    return [
      ...this.comment(node.before),
      h("span", { class: "ply" }, label && this.label(label), this.move(id)),
      ...this.comment(remarks(node)),
    ];
  }

  comment(said, node = {}) {
    const shown = plainComment(said),
      kind = joined(["comment", node.words && "by-review", node.checked && "checked"], " ");
    return shown && shown !== this.ballot ? [h("span", { class: kind, text: shown, "data-look": text.firstLook })] : [];
  }

  label(words, kind = "") {
    return h("span", { class: `soft ${kind}`, text: words, "aria-hidden": "true" });
  }

  /** Shows the scores of the current move and of those after it, which an analysis may have changed. */
  drawNotes() {
    for (const id of [this.current, ...this.tree.node(this.current).children]) {
      const note = this.noteOf(this.tree.node(id));
      if (note) this.buttons[id]?.setAttribute("data-note", note);
    }
  }

  /** Returns the score and the time of a move, as far as they are shown. */
  noteOf(node) {
    const { score, moves } = this.scored ? state.analysis.shown() : {};
    // The scores of the move on the board and of the next one are those of the analysis.
    const shown = node.id === state.current ? score : node.parent === state.current && moves?.[node.move]?.score;
    return joined([this.scored && node.score && short(shown || node.score), this.timeOf(node)], " · ");
  }

  timeOf(node) {
    return timeOf(node, this.tree.mover(node.id))?.replace(/^0:0?/, "");
  }

  move(id) {
    const node = this.tree.node(id);
    const glyphs = shownGlyphs(node).filter((glyph) => text.glyphs[glyph]);
    const glyph = glyphs.map((glyph) => text.glyphs[glyph]).join("");
    const marks = glyphs.map((glyph) => text.glyphNames[glyph]);
    const name = joined([text.moveTitle(this.tree, id), ...marks, this.timeOf(node)]);
    const title = text.markHelp(glyphs[0], glyphs[0] === node.verdict),
      mark = glyph && h("span", { class: `glyph ${kindOf(node, glyphs[0])}`, text: glyph, title });
    return (this.buttons[id] = button([node.move, mark], () => this.go(id), {
      class: this.undone.includes(id) && !this.scored ? "move undone" : "move",
      "aria-label": name,
      "data-note": this.noteOf(node) || undefined,
      "aria-current": id === this.current && "step",
    }));
  }
}
