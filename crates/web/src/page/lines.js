// The lines of an engine. Each move shows its position on a small board; a click plays the moves up to it, and a tap the first.

import { boardMarkup, ends, readFen } from "./diagram.js";
import { h, put, s } from "./dom.js";
import { addLine } from "./editor.js";
import { rules } from "./program.js";
import { short } from "./score.js";
import { state } from "./state.js";
import { text } from "./text.js";

const LONGEST = 16;
/** Delay before the board after a move is shown, in milliseconds. */
const DELAY = 80;
/** Matches devices for fingers, which play a move but do not look at one. */
const coarse = matchMedia("(pointer: coarse)");

export class LineList {
  constructor() {
    this.board = s("svg", { viewBox: "0 0 320 320", class: "board" });
    this.preview = h("div", { class: "preview", hidden: true, "aria-hidden": "true" }, this.board);
    this.list = h("ol", { class: "lines", "aria-label": text.lines });
    this.element = h("div", { class: "lines-box" }, this.list);
    document.body.append(this.preview);
    /** Whether the pointer is over the lines, which then do not change. */
    this.held = false;
    this.list.addEventListener("pointerenter", () => (this.held = true));
    this.list.addEventListener("pointerleave", () => this.release());
    this.list.addEventListener("focusout", () => this.list.contains(document.activeElement) || this.hide());
  }

  release() {
    this.held = false;
    this.hide();
    if (this.next) this.draw(...this.next);
  }

  clear() {
    this.held = false;
    this.next = null;
    this.hide();
    put(this.list);
  }

  /** Shows the lines of a job, each {moves, score} with the name of a second engine `by`. */
  draw(job, lines) {
    this.next = [job, lines];
    if (this.held && this.list.children.length >= lines.length) return;
    const rows = this.list.children;
    while (rows.length < lines.length) this.list.append(h("li"));
    while (rows.length > lines.length) this.list.lastChild.remove();
    lines.forEach((line, at) => this.drawLine(rows[at], job, line));
  }

  /** Draws a line. Buttons of unchanged moves are reused, so that they keep the focus. */
  drawLine(row, job, { moves, score, by }) {
    row.toggleAttribute("data-by", Boolean(by));
    if (by) row.dataset.by = by;
    const title = text.addLine(moves[0]);
    if (!row.firstChild) row.append(h("button", { type: "button", class: "line-score" }));
    const [first] = row.children;
    first.textContent = short(score);
    first.title = title;
    first.setAttribute("aria-label", `${short(score)}. ${title}`);
    first.onclick = () => addLine(job, moves.slice(0, 1));
    moves.slice(0, LONGEST).forEach((move, at) => this.drawMove(row, at, job, moves));
    while (row.children.length > Math.min(moves.length, LONGEST) + 1) row.lastChild.remove();
  }

  drawMove(row, at, job, moves) {
    if (row.children.length <= at + 1)
      row.append(h("button", { type: "button", class: "line-move", tabindex: at ? "-1" : "0" }));
    const button = row.children[at + 1],
      line = moves.slice(0, at + 1);
    const isBlack = (job.side === "b") === (at % 2 === 0);
    button.dataset.number = isBlack || !at ? `${job.tree.number(job.node, at + 1)}${isBlack ? "." : "…"}` : "";
    button.textContent = moves[at];
    button.setAttribute("aria-label", text.addLine(line.join(" ")));
    button.onclick = () => addLine(job, coarse.matches ? line.slice(0, 1) : line);
    button.onpointerenter = () => coarse.matches || this.show(button, job, line);
    button.onfocus = () => button.matches(":focus-visible") && this.show(button, job, line);
    button.onpointerleave = () => this.hide();
  }

  async show(button, job, moves) {
    const wanted = (this.wanted = {});
    await new Promise((resolve) => setTimeout(resolve, DELAY));
    if (wanted !== this.wanted) return;
    const position = job.position + (job.position.includes(" moves ") ? " " : " moves ") + moves.join(" "),
      facts = await rules.facts(position).catch(() => null);
    if (!facts || wanted !== this.wanted) return;
    const [from, to] = ends(moves[moves.length - 1]);
    this.board.innerHTML = boardMarkup({ ...readFen(facts.fen), from, to }, { flipped: state.flipped });
    this.preview.hidden = false;
    const { left, bottom } = button.getBoundingClientRect();
    this.preview.style.top = `${bottom}px`;
    this.preview.style.left = `${Math.min(left, innerWidth - this.preview.offsetWidth)}px`;
  }

  hide() {
    this.wanted = null;
    this.preview.hidden = true;
  }
}
