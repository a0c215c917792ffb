// The board: the pieces, and how they are moved by pointer or keyboard. It does not know the rules: it is given the legal
// moves as paths, {move, squares, captures}.

import { box, h, put, s } from "./dom.js";
import { PIECES, arrow, ends, place, play, readFen, squaresMarkup } from "./diagram.js";
import { SPEEDS, preferences } from "./preferences.js";
import { decided, only } from "./rules.js";
import { joined, text } from "./text.js";

const CELL = 40;
/** Number of pixels that a pointer must move before a click becomes a drag. */
const DRAG = 5;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** @returns {[number, number]} the corner of a square in the picture */
function corner(square, flipped) {
  const [x, y] = place(square, flipped);
  return [x * CELL, y * CELL];
}
const translate = ([x, y]) => `${x}px ${y}px`;
/** Returns the address of a piece's drawing in the user's preferred set. */
export const symbol = (piece) => `#${preferences.pieces === "plain" ? "plain-" : ""}${PIECES[piece][0]}`;
let boards = 0;

/** Returns the arrow of a move: {from, to} and `more`. */
export function arrowOf(move, more) {
  const [from, to] = ends(move);
  return { from, to, ...more };
}

/** Returns a board between the bars of its players. */
export const tableOf = (bars, ...board) =>
  h("section", { class: "table", "aria-label": text.board }, bars[0], box("board-row", ...board), bars[1]);

export class Board {
  /**
   * `continued` receives the squares to which a capture that has begun can go on. While a position is set up, `edited` receives a
   * clicked square, and `moved` the ends of a drag, 0 off the board.
   */
  constructor({ chosen = null, refused = null, continued = null, sketched = null, edited = null, moved = null }) {
    this.on = { chosen, refused, continued, sketched, edited, moved };
    this.position = readFen("B:W:B");
    this.paths = [];
    this.flipped = false;
    this.picked = this.continued = this.last = [];
    this.marks = { arrows: [], badges: {} };
    /** Arrows and circles that the user has drawn: [from, to], equal for a circle. */
    this.sketches = [];
    this.editing = Boolean(edited);
    this.focused = 0;
    this.dropping = false;
    this.under = s("g");
    this.pieces = s("g");
    this.rings = s("g", { class: "over" });
    this.numbers = s("g");
    this.over = s("g", { class: "over" });
    const layers = [this.under, this.pieces, this.rings, this.numbers, this.over];
    this.picture = s("svg", { viewBox: "0 0 320 320", class: "board", "aria-hidden": "true" }, layers);
    const help = h("p", { id: `board-help-${++boards}`, class: "unseen", text: text.boardHelp });
    this.grid = h("div", { class: "cells", role: "grid", "aria-label": text.board, "aria-describedby": help.id });
    this.element = box("board-box", this.picture, this.grid, help);
    /** The dark squares by their places in the grid, from 1. */
    this.cells = [];
    const cell = (place) => {
      const onclick = (event) => event.detail === 0 && this.touch(this.turned(place)),
        props = { type: "button", role: "gridcell", tabindex: "-1", "data-place": String(place), onclick };
      return (this.cells[place] = h("button", props));
    };
    for (let place = 1; place <= 32; place += 4)
      this.grid.append(h("div", { role: "row" }, cell(place), cell(place + 1), cell(place + 2), cell(place + 3)));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("pointerdown", (event) => (event.button === 2 ? this.sketch(event) : this.press(event)));
    // Do not focus a clicked square, since it would then receive the page's arrow keys.
    this.grid.addEventListener("mousedown", (event) => {
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    this.grid.addEventListener("contextmenu", (event) => event.preventDefault());
    this.draw();
  }

  /** Returns the place in the grid of a square, or the square at a place. */
  turned(place) {
    return this.flipped ? 33 - place : place;
  }

  /** Shows a position. With `animate`, the move that led to it is animated along its squares. */
  show(fen, { last = "", squares = null, animate = false } = {}) {
    const before = this.replace(readFen(fen), last);
    if (animate && last) this.animate(before, squares ?? ends(last));
  }

  /** Plays a move on the board before the engine has answered. A dropped piece is already on its square. */
  advance({ move, squares, captures }) {
    this.paths = [];
    const before = this.replace(play(this.position, { text: move, captured: captures }), move);
    this.animate(before, this.dropping ? squares.slice(0, 1) : squares, squares.at(-1));
  }

  /** Draws another position, to which `last` has led, and returns the one before. */
  replace(position, last) {
    const before = this.position;
    Object.assign(this, { position, last: last ? ends(last) : [], sketches: [], picked: [] });
    this.draw();
    return before;
  }

  shows(fen) {
    return String(readFen(fen).squares) === String(this.position.squares);
  }

  /** Sets the legal moves; an empty list disables the board. A piece stays picked up as long as it can move. */
  allow(paths) {
    this.paths = paths;
    if (!this.open().length) this.picked = [];
    this.drawMarks();
  }

  /** Shows `arrows`, [{from, to, strong, label, squares}], by square `badges`, {letter, kind}, and other `sketches`. */
  mark({ sketches = this.sketches, ...marks }) {
    this.marks = { arrows: [], badges: {}, ...marks };
    this.sketches = sketches;
    this.drawMarks();
  }

  /** Draws an arrow or a circle with the right button. Drawing it again removes it. */
  sketch(event) {
    const from = this.at(event);
    const end = (event) => {
      const to = this.at(event);
      if (!from || !to) return;
      const before = this.sketches.length;
      this.sketches = this.sketches.filter((sketch) => String(sketch) !== String([from, to]));
      if (this.sketches.length === before) this.sketches.push([from, to]);
      this.drawMarks();
      this.on.sketched?.(this.sketches);
    };
    addEventListener("pointerup", end, { once: true });
  }

  flip(flipped) {
    this.flipped = flipped;
    this.draw();
  }

  draw() {
    const numbers = [];
    this.drawn = {};
    for (let square = 1; square <= 32; square++) {
      const [x, y] = corner(square, this.flipped);
      const kind = this.last.includes(square) ? "number marked" : "number";
      numbers.push(s("text", { class: kind, x: x + 1, y: y + 0.7, dy: "0.78em" }, String(square)));
      const piece = this.position.squares[square];
      if (piece) this.drawn[square] = this.drawing(piece, square);
    }
    this.under.innerHTML = squaresMarkup(this.last, { flipped: this.flipped, numbers: false });
    put(this.pieces, Object.values(this.drawn));
    put(this.numbers, numbers);
    this.drawMarks();
  }

  drawing(piece, square) {
    const drawing = s("use", { href: symbol(piece), width: CELL, height: CELL });
    drawing.style.translate = translate(corner(square, this.flipped));
    return drawing;
  }

  /** Moves a piece over its squares, of which a dropped one has one, crowns it, and fades out the captured pieces. */
  animate(before, squares, end = squares.at(-1)) {
    const piece = this.drawn[end],
      moved = before.squares[squares[0]];
    const speed = SPEEDS[preferences.speed];
    if (!piece || !moved || !speed || reducedMotion.matches) return;
    const duration = speed * Math.min(squares.length - 1, 4) + (squares.length > 2 ? 0 : 30);
    if (squares.length > 1) {
      this.pieces.append(piece);
      const crowned = piece.getAttribute("href");
      piece.setAttribute("href", symbol(moved));
      const frames = squares.map((square) => ({ translate: translate(corner(square, this.flipped)) }));
      piece
        .animate(frames, { duration, easing: "ease-in-out" })
        .finished.finally(() => piece.setAttribute("href", crowned));
    }
    for (let square = 1; square <= 32; square++) {
      const gone = before.squares[square];
      if (!gone || this.position.squares[square] || gone.toLowerCase() === moved.toLowerCase()) continue;
      const ghost = this.drawing(gone, square);
      this.pieces.prepend(ghost);
      ghost
        .animate([{ opacity: 1 }, { opacity: 1, offset: 0.5 }, { opacity: 0 }], { duration: Math.max(duration, speed) })
        .finished.finally(() => ghost.remove());
    }
  }

  /** Returns the paths that begin with the squares picked so far. */
  open() {
    return this.paths.filter(({ squares }) => this.picked.every((square, index) => squares[index] === square));
  }

  /** Returns the squares to which the next step leads. */
  steps() {
    if (!this.picked.length) return new Set();
    return new Set(this.open().flatMap(({ squares }) => squares.slice(this.picked.length, this.picked.length + 1)));
  }

  /** Returns these squares, and those on which only one move ends. */
  targets() {
    const steps = this.steps(),
      lasts = steps.size ? this.open().map(({ squares }) => squares.at(-1)) : [];
    return new Set([...steps, ...lasts.filter((square) => this.decided(square))]);
  }

  decided(square) {
    return decided(this.open(), square, this.picked.length);
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
    const [start] = this.picked,
      others = capture ? [...starts].filter((square) => square !== start) : [],
      rings = others.map((square) => circle(square, "must", 17.5));
    put(this.rings, rings, start ? circle(this.picked.at(-1), "picked", 17.5) : null);
    // Only what every way takes is marked.
    const [first, ...ways] = start ? this.open() : [],
      taken = first?.captures.filter((square) => ways.every(({ captures }) => captures.includes(square))) ?? [];
    for (const square of taken) over.push(circle(square, "taken", 5));
    for (const square of targets) over.push(circle(square, "target", this.position.squares[square] ? 17.5 : 7));
    const pathOf = (from, to) =>
      this.paths.find(({ squares }) => squares[0] === from && squares.at(-1) === to)?.squares ?? [from, to];
    const pointer = (from, to, kind, squares = [from, to]) =>
      from === to ? circle(from, kind, 17.5) : s("polygon", { class: kind, points: arrow(squares, this.flipped) });
    for (const { from, to, strong, threat, premove, better, squares = pathOf(from, to) } of this.marks.arrows) {
      const kinds = ["arrow", !strong && "weak", threat && "threat", premove && "premove", better && "better"];
      over.push(pointer(from, to, joined(kinds, " "), squares));
    }
    over.push(...this.labels());
    for (const [from, to] of this.sketches) over.push(pointer(from, to, "arrow sketch"));
    for (const [square, { letter, kind }] of Object.entries(this.marks.badges)) {
      const [cx, cy] = middle(Number(square));
      over.push(
        s("circle", { class: `badge ${kind}`, cx: cx + 12, cy, r: 7.5 }),
        s("text", { class: "badge-text", x: cx + 12, y: cy + 3.4 }, letter),
      );
    }
    put(this.over, over);
    this.name(starts, targets, capture);
    const continued = this.picked.length > 1 ? [...targets] : [];
    if (String(continued) !== String(this.continued)) this.on.continued?.((this.continued = continued));
  }

  /** Returns the labels of arrows, the scores of their lines, each in the middle of its arrow, or beyond the captured piece. */
  labels() {
    const taken = [];
    return this.marks.arrows.flatMap(({ from, to, label }) => {
      if (!label || from === to) return [];
      const [[ax, ay], [bx, by]] = [from, to].map((square) => corner(square, this.flipped));
      const width = 6 + 5.2 * label.length,
        part = Math.abs(bx - ax) > CELL ? 0.8 : 0.5,
        x = ax + part * (bx - ax) + CELL / 2;
      let y = ay + part * (by - ay) + CELL / 2;
      while (taken.some((other) => Math.abs(other.x - x) < (other.width + width) / 2 && Math.abs(other.y - y) < 11))
        y += 11;
      taken.push({ x, y, width });
      return [
        s("rect", { class: "arrow-label", x: x - width / 2, y: y - 5.5, width, height: 11, rx: 3 }),
        s("text", { class: "arrow-score", x, y: y + 2.9 }, label),
      ];
    });
  }

  /** Names each square for screen readers. */
  name(starts, targets, capture) {
    for (let square = 1; square <= 32; square++) {
      const cell = this.cells[this.turned(square)];
      const extra = [];
      if (this.picked.includes(square)) extra.push(text.pickedUp);
      else if (targets.has(square)) extra.push(text.target);
      else if (starts.has(square))
        extra.push(this.paths[0].isPremove ? text.canPremove : capture ? text.mustCapture : text.canMove);
      const badge = this.marks.badges[square];
      if (badge) extra.push(badge.name);
      cell.setAttribute("aria-label", text.square(square, text.pieces[this.position.squares[square]], extra));
      const isMovable = starts.has(square) || targets.has(square) || (this.editing && this.position.squares[square]);
      cell.classList.toggle("movable", Boolean(isMovable));
      cell.classList.toggle("editable", this.editing);
    }
    if (!this.focused) this.focused = this.turned(22);
    this.cells.forEach((cell, place) => cell.setAttribute("tabindex", place === this.focused ? "0" : "-1"));
  }

  /** Handles a click, a tap or Enter on a square. */
  touch(square) {
    if (this.editing) return this.on.edited(square);
    if (this.steps().has(square)) return this.pick([...this.picked, square]);
    const isPicked = this.picked.includes(square),
      path = this.picked.length && this.decided(square);
    if (path) return this.play(path);
    this.drop();
    if (isPicked) return;
    if (this.paths.some(({ squares }) => squares[0] === square)) this.pick([square]);
    else this.on.refused(square);
  }

  pick(squares) {
    this.picked = squares;
    const path = squares.length > 1 && only(this.open());
    if (path) return this.play(path);
    this.place();
    this.drawMarks();
  }

  /** Puts the picked piece on the last square of its way. */
  place() {
    const piece = this.drawn[this.picked[0]];
    if (piece) piece.style.translate = translate(corner(this.picked.at(-1), this.flipped));
  }

  /** Deselects the piece, which returns to its square. */
  drop() {
    this.picked = this.picked.slice(0, 1);
    this.place();
    this.picked = [];
    this.drawMarks();
  }

  play(path) {
    this.picked = [];
    this.on.chosen(path);
  }

  key(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Escape" && this.picked.length) {
      this.drop();
      event.stopPropagation();
    } else if (steps[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const row = (this.focused - 1) >> 2,
        column = (this.focused - 1) % 4;
      const [down, right] = steps[event.key];
      const to = [Math.min(7, Math.max(0, row + down)), Math.min(3, Math.max(0, column + right))];
      this.focused = to[0] * 4 + to[1] + 1;
      this.drawMarks();
      this.cells[this.focused].focus();
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Returns the square at a point of the window: 0 if it is a light one, and null off the board. */
  at(event) {
    const box = this.grid.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 8);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 8);
    if (column < 0 || column > 7 || row < 0 || row > 7) return null;
    if ((row + column) % 2 === 0) return 0;
    return this.turned(row * 4 + (column >> 1) + 1);
  }

  /** Handles a pointer press: a click if the pointer is released at the same place, otherwise a drag. */
  press(event) {
    const square = this.at(event);
    if (!square || event.button !== 0) return;
    const from = { x: event.clientX, y: event.clientY };
    // A piece in the middle of a capture lies on the last square picked.
    const midway = this.picked.length > 1 && this.picked.at(-1) === square;
    const piece = this.drawn[midway ? this.picked[0] : square];
    const draggable = piece && (this.editing || midway || this.paths.some(({ squares }) => squares[0] === square));
    let dragging = false;
    const scale = 320 / this.grid.getBoundingClientRect().width;
    const released = new AbortController(),
      { signal } = released;
    const move = (event) => {
      if (!draggable) return;
      const far = Math.hypot(event.clientX - from.x, event.clientY - from.y);
      if (!dragging && far > DRAG) {
        dragging = true;
        if (!midway && !this.editing) this.pick([square]);
        this.pieces.append(piece);
        piece.classList.add("dragged");
      }
      const [x, y] = corner(square, this.flipped);
      if (dragging)
        piece.style.translate = translate([x + (event.clientX - from.x) * scale, y + (event.clientY - from.y) * scale]);
    };
    const end = (event) => {
      released.abort();
      this.focused = this.turned(square);
      if (!dragging) return void (event.type === "pointerup" && this.touch(square));
      piece.classList.remove("dragged");
      const to = event.type === "pointerup" ? this.at(event) : 0;
      if (this.editing) this.on.moved(square, to === null ? 0 : to || square);
      else this.dropOn(to);
    };
    this.grid.addEventListener("pointermove", move, { signal });
    this.grid.addEventListener("pointerup", end, { signal });
    this.grid.addEventListener("pointercancel", end, { signal });
    if (draggable) {
      try {
        this.grid.setPointerCapture(event.pointerId);
      } catch {
        // The pointer was already released.
      }
    }
  }

  /** Drops the dragged piece on a square. It stays there if more squares must be chosen. */
  dropOn(square) {
    if (!square || square === this.picked.at(-1)) {
      this.place();
      return this.drawMarks();
    }
    if (!this.steps().has(square) && !this.decided(square)) {
      this.drop();
      return this.on.refused(square);
    }
    this.dropping = true;
    this.touch(square);
    this.dropping = false;
  }
}
