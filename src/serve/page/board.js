// The board: what is on it, and how pieces are moved by pointer or by keys. It knows no rules: what can be moved, and by
// which squares, is told to it as paths, {move, squares, captures}.

import { h, put, s } from "./dom.js";
import { PIECES, arrow, ends, place, play, readFen, squaresMarkup } from "./diagram.js";
import { text } from "./text.js";

const CELL = 40;
const STEP = 150;
/** Pixels that a pointer moves before a click is a drag. */
const DRAG = 5;

const still = matchMedia("(prefers-reduced-motion: reduce)");
const corner = (square, flipped) => place(square, flipped).map((n) => n * CELL);
const moved = ([x, y]) => `translate(${x}px, ${y}px)`;

export class Board {
  /** `chosen` hears of a move, `refused` why there is none, `edited` of a square in a set-up. */
  constructor({ chosen, refused, edited }) {
    Object.assign(this, { chosen, refused, edited });
    this.position = readFen("B:W:B");
    this.paths = [];
    this.flipped = false;
    this.picked = [];
    this.marks = { arrows: [], badges: {}, worths: {} };
    this.editing = false;
    this.focused = 0;
    this.under = s("g");
    this.pieces = s("g");
    this.over = s("g", { class: "over" });
    this.picture = s("svg", { viewBox: "0 0 320 320", class: "board", "aria-hidden": "true" }, this.under, this.pieces, this.over);
    this.grid = h("div", { class: "cells", role: "grid", "aria-label": text.board, "aria-describedby": "board-help" });
    this.element = h("div", { class: "board-box" }, this.picture, this.grid, h("p", { id: "board-help", class: "unseen", text: text.boardHelp }));
    this.cells = [];
    this.buildGrid();
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("pointerdown", (event) => this.press(event));
    this.grid.addEventListener("contextmenu", (event) => event.preventDefault());
    this.draw();
  }

  buildGrid() {
    const rows = [];
    for (let row = 0; row < 8; row++) {
      const cells = [];
      for (let column = 0; column < 8; column++) {
        const dark = (row + column) % 2 === 1;
        const cell = dark ? h("button", { type: "button", role: "gridcell", tabindex: "-1", onclick: (event) => event.detail === 0 && this.touch(this.squareOf(cell)) }) : h("span", { role: "gridcell", "aria-hidden": "true" });
        if (dark) {
          cell.dataset.place = String(row * 4 + (column >> 1) + 1);
          this.cells[row * 4 + (column >> 1) + 1] = cell;
        }
        cells.push(cell);
      }
      rows.push(h("div", { role: "row" }, cells));
    }
    put(this.grid, rows);
  }

  squareOf(cell) {
    const seen = Number(cell.dataset.place);
    return this.flipped ? 33 - seen : seen;
  }

  cellOf(square) {
    return this.cells[this.flipped ? 33 - square : square];
  }

  /** Shows a position; a move that has led to it is animated along its squares. */
  show(fen, { last = "", squares = null, animate = false } = {}) {
    const before = this.position;
    this.position = readFen(fen);
    this.last = last ? ends(last) : [];
    this.picked = [];
    this.draw();
    if (animate && last && !still.matches) this.animate(before, squares ?? ends(last));
  }

  /** Shows a move of the position at once; the engine's word on what comes of it may follow. */
  advance({ move, squares, captures }) {
    const before = this.position;
    this.position = play(before, { text: move, captured: captures });
    this.last = ends(move);
    this.paths = [];
    this.picked = [];
    this.draw();
    if (!still.matches) this.animate(before, squares);
  }

  /** Whether it shows the pieces of a position already. */
  shows(fen) {
    return String(readFen(fen).squares) === String(this.position.squares);
  }

  /** Says which moves there are; none for a board that only shows. */
  allow(paths) {
    this.paths = paths;
    this.picked = [];
    this.drawMarks();
  }

  /** Shows arrows [{from, to, strong}], badges by square {letter, kind} and worths by square. */
  mark(marks) {
    this.marks = { arrows: [], badges: {}, worths: {}, ...marks };
    this.drawMarks();
  }

  flip(flipped) {
    this.flipped = flipped;
    this.draw();
  }

  draw() {
    const pieces = [];
    this.drawn = {};
    for (let square = 1; square <= 32; square++) {
      if (!this.position.squares[square]) continue;
      const piece = this.drawing(this.position.squares[square]);
      piece.style.transform = moved(corner(square, this.flipped));
      this.drawn[square] = piece;
      pieces.push(piece);
    }
    this.under.innerHTML = squaresMarkup(this.last ?? [], { flipped: this.flipped });
    put(this.pieces, pieces);
    this.drawMarks();
  }

  drawing(piece) {
    return s("use", { href: `#${PIECES[piece][0]}`, width: CELL, height: CELL });
  }

  /** Moves the piece that has moved over its squares, and lets what it took go. */
  animate(before, squares) {
    const end = squares[squares.length - 1];
    const piece = this.drawn[end];
    if (!piece || !before.squares[squares[0]]) return;
    const frames = squares.map((square) => ({ transform: moved(corner(square, this.flipped)) }));
    const length = STEP * Math.min(squares.length - 1, 4) + (squares.length > 2 ? 0 : 30);
    this.pieces.append(piece);
    piece.animate(frames, { duration: length, easing: "ease-in-out" });
    const mover = before.squares[squares[0]].toLowerCase();
    for (let square = 1; square <= 32; square++) {
      const gone = before.squares[square];
      if (!gone || this.position.squares[square] || gone.toLowerCase() === mover) continue;
      const ghost = this.drawing(gone);
      ghost.style.transform = moved(corner(square, this.flipped));
      this.pieces.prepend(ghost);
      ghost.animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], { duration: length }).finished.finally(() => ghost.remove());
    }
  }

  /** The paths that go on from the squares that are picked. */
  open() {
    return this.paths.filter(({ squares }) => this.picked.every((square, index) => squares[index] === square));
  }

  targets() {
    if (!this.picked.length) return new Set();
    const open = this.open();
    return new Set(open.flatMap(({ squares }) => squares.slice(this.picked.length, this.picked.length + 1)));
  }

  drawMarks() {
    const over = [];
    const targets = this.targets();
    const starts = new Set(this.paths.map(({ squares }) => squares[0]));
    const capture = this.paths.some(({ captures }) => captures.length);
    const middle = (square) => corner(square, this.flipped).map((n) => n + CELL / 2);
    const circle = (square, kind, r) => {
      const [cx, cy] = middle(square);
      return s("circle", { class: kind, cx, cy, r });
    };
    if (capture) for (const square of starts) over.push(circle(square, "must", 17.5));
    for (const square of this.picked) over.push(circle(square, "picked", 17.5));
    const taken = this.picked.length ? new Set(this.open().flatMap(({ captures }) => captures)) : [];
    for (const square of taken) over.push(circle(square, "taken", 5));
    for (const square of targets) over.push(circle(square, "target", this.position.squares[square] ? 17.5 : 7));
    for (const { from, to, strong } of this.marks.arrows) over.push(s("polygon", { class: strong ? "arrow" : "arrow weak", points: arrow(from, to, this.flipped) }));
    for (const [square, { letter, kind }] of Object.entries(this.marks.badges)) {
      const [cx, cy] = middle(Number(square));
      over.push(s("circle", { class: `badge ${kind}`, cx: cx + 11, cy: cy - 11, r: 7.5 }), s("text", { class: "badge-text", x: cx + 11, y: cy - 7.6 }, letter));
    }
    for (const [square, worth] of Object.entries(this.marks.worths)) {
      const [cx, cy] = middle(Number(square));
      over.push(s("rect", { class: "worth", x: cx - 14, y: cy - 7, width: 28, height: 14, rx: 4 }), s("text", { class: "worth-text", x: cx, y: cy + 4 }, String(worth)));
    }
    put(this.over, over);
    this.name(starts, targets, capture);
  }

  /** What screen readers say of each square. */
  name(starts, targets, capture) {
    for (let square = 1; square <= 32; square++) {
      const cell = this.cellOf(square);
      const extra = [];
      if (this.picked.includes(square)) extra.push(text.pickedUp);
      else if (targets.has(square)) extra.push(text.target);
      else if (starts.has(square)) extra.push(capture ? text.mustCapture : text.canMove);
      const badge = this.marks.badges[square];
      if (badge) extra.push(badge.name);
      if (this.marks.worths[square] !== undefined) extra.push(String(this.marks.worths[square]));
      cell.setAttribute("aria-label", text.square(square, text.pieces[this.position.squares[square]], extra));
      cell.classList.toggle("movable", starts.has(square) || targets.has(square) || this.editing);
    }
    if (!this.focused || !this.cells[this.focused]) this.focused = this.flipped ? 33 - 22 : 22;
    this.cells.forEach((cell, place) => cell.setAttribute("tabindex", place === this.focused ? "0" : "-1"));
  }

  /** A square is clicked, tapped or entered. */
  touch(square) {
    if (this.editing) return this.edited(square);
    const targets = this.targets();
    if (targets.has(square)) return this.pick([...this.picked, square]);
    if (this.picked.length) {
      // The end of a capture says enough, if only one move goes there.
      const ending = new Set(this.open().filter(({ squares }) => squares[squares.length - 1] === square).map(({ move }) => move));
      if (ending.size === 1) return this.play(this.open().find(({ move }) => ending.has(move)));
      if (this.picked[0] === square) return this.drop();
    }
    if (this.paths.some(({ squares }) => squares[0] === square)) return this.pick([square]);
    this.drop();
    this.refused(square);
  }

  pick(squares) {
    this.picked = squares;
    const open = this.open();
    const moves = new Set(open.map(({ move }) => move));
    if (squares.length > 1 && moves.size === 1) return this.play(open[0]);
    this.drawMarks();
  }

  drop() {
    this.picked = [];
    this.drawMarks();
  }

  play(path) {
    this.picked = [];
    this.chosen(path);
  }

  key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Escape" && this.picked.length) {
      this.drop();
      event.stopPropagation();
    } else if (steps[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const row = (this.focused - 1) >> 2, column = (this.focused - 1) % 4;
      const [down, right] = steps[event.key];
      const to = [Math.min(7, Math.max(0, row + down)), Math.min(3, Math.max(0, column + right))];
      this.focus(to[0] * 4 + to[1] + 1);
      event.preventDefault();
      event.stopPropagation();
    }
  }

  focus(place) {
    this.focused = place;
    this.cells.forEach((cell, at) => cell.setAttribute("tabindex", at === place ? "0" : "-1"));
    this.cells[place].focus();
  }

  /** The square under a point of the window; 0 for none. */
  at(event) {
    const box = this.grid.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / box.width * 8);
    const row = Math.floor((event.clientY - box.top) / box.height * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7 || (row + column) % 2 === 0) return 0;
    const seen = row * 4 + (column >> 1) + 1;
    return this.flipped ? 33 - seen : seen;
  }

  /** A pointer goes down: a click if it goes up where it was, and a drag otherwise. */
  press(event) {
    const square = this.at(event);
    if (!square || event.button !== 0) return;
    const from = { x: event.clientX, y: event.clientY };
    const piece = this.drawn[square];
    const goes = !this.editing && piece && this.paths.some(({ squares }) => squares[0] === square);
    let dragging = false;
    const scale = 320 / this.grid.getBoundingClientRect().width;
    const move = (event) => {
      if (!goes) return;
      const far = Math.hypot(event.clientX - from.x, event.clientY - from.y);
      if (!dragging && far > DRAG) {
        dragging = true;
        this.pick([square]);
        this.pieces.append(piece);
        piece.classList.add("dragged");
      }
      const [x, y] = corner(square, this.flipped);
      if (dragging) piece.style.transform = moved([x + (event.clientX - from.x) * scale, y + (event.clientY - from.y) * scale]);
    };
    const end = (event) => {
      this.grid.removeEventListener("pointermove", move);
      this.grid.removeEventListener("pointerup", end);
      this.grid.removeEventListener("pointercancel", end);
      this.focused = Number(this.cellOf(square).dataset.place);
      if (!dragging) {
        if (event.type === "pointerup") this.touch(square);
        return;
      }
      piece.classList.remove("dragged");
      piece.style.transform = moved(corner(square, this.flipped));
      const to = event.type === "pointerup" ? this.at(event) : 0;
      if (!to || to === square) return this.drawMarks();
      this.drag(to);
    };
    this.grid.addEventListener("pointermove", move);
    this.grid.addEventListener("pointerup", end);
    this.grid.addEventListener("pointercancel", end);
    if (goes) {
      try {
        this.grid.setPointerCapture(event.pointerId);
      } catch {
        // The pointer has gone up already.
      }
    }
  }

  /** A piece is let go on a square. */
  drag(to) {
    const known = this.targets().has(to) || this.open().some(({ squares }) => squares[squares.length - 1] === to);
    if (known) return this.touch(to);
    this.drop();
    this.refused(to);
  }
}
