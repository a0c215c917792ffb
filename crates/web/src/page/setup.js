// The dialog that sets up a position: pieces are put on its board, and the engine checks whether the position is legal.

import { Board, symbol } from "./board.js";
import { copy, open } from "./dialog.js";
import { readFen } from "./diagram.js";
import { box, button, chips, enable, field, h, icon, s } from "./dom.js";
import { studyFen } from "./games.js";
import { openPlayOut } from "./newgame.js";
import { SIDE_CHIPS } from "./players.js";
import { rules } from "./program.js";
import { state, update } from "./state.js";
import { text } from "./text.js";
import { OTHER_SIDE, START } from "./tree.js";

/** The pieces of the palette, each with that of the other side. */
const EXCHANGED = { b: "w", B: "W", w: "b", W: "B", "": "" };

function fenOf(squares, side) {
  const names = squares.map((piece, square) => (/[BW]/.test(piece) ? `K${square}` : square)),
    list = (color) => names.filter((_, square) => squares[square].toLowerCase() === color).join(",");
  return `${side.toUpperCase()}:W${list("w")}:B${list("b")}`;
}

/** Opens the dialog with a position: the one on the board, if no other is given. */
export function openSetUp(fen = state.facts?.fen ?? START) {
  let { squares, side } = readFen(fen);
  let chosen = "b",
    asked = 0;
  /** The positions since the dialog was opened, as FENs. */
  const history = [];
  const board = new Board({
    edited: (square) => {
      squares[square] = squares[square] === chosen ? "" : chosen;
      draw();
    },
    moved: (from, to) => {
      const piece = squares[from];
      squares[from] = "";
      if (to) squares[to] = piece;
      draw();
    },
  });
  board.flip(state.flipped);
  const input = h("textarea", { rows: "2", spellcheck: "false", autocomplete: "off", oninput: () => check(typed()) });
  const typed = () => input.value.trim().replace(/\s+/g, " ");
  const verdict = h("p", { class: "soft state", role: "status" });
  // A piece can be dragged from the palette to a square.
  const drag = (piece) => {
    const drop = (event) => {
      const square = board.at(event);
      if (!square) return;
      squares[square] = piece;
      draw();
    };
    addEventListener("pointerup", drop, { once: true });
  };
  const radio = (piece) => {
    const name = piece ? text.pieces[piece] : text.erase,
      onchange = () => (chosen = piece);
    const input = h("input", { type: "radio", name: "piece", checked: piece === chosen, onchange }),
      drawn = piece && s("use", { href: symbol(piece), width: 40, height: 40 }),
      drawing = drawn ? s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, drawn) : icon("remove");
    const props = { title: name, onpointerdown: () => drag(piece) };
    return h("label", props, input, drawing, h("span", { class: "unseen", text: name }));
  };
  const mover = chips(text.sideToMove, SIDE_CHIPS, side, (value) => {
    side = value;
    draw();
  });
  const copier = button(text.exports.copyFen[0], () => copy(typed(), copier, input));
  const put = (fen) => {
    ({ squares, side } = readFen(fen));
    mover.choose(side);
    draw();
  };
  const legend = h("legend", { class: "unseen", text: text.palette }),
    palette = h("fieldset", { class: "palette" }, legend, Object.keys(EXCHANGED).map(radio));
  /** The piece that each change puts on a square. */
  const changed = {
    turn: (square) => squares[33 - square],
    mirror: (square) => squares[((square - 1) & ~3) + 4 - ((square - 1) & 3)],
    exchange: (square) => EXCHANGED[squares[33 - square]],
  };
  const change = (id) => () => {
    const pieces = squares.map((_, square) => (square ? changed[id](square) : ""));
    put(fenOf(pieces, id === "exchange" ? OTHER_SIDE[side] : side));
  };
  const undoer = button(text.undo, () => {
    history.pop();
    put(history.at(-1));
  });
  const changes = Object.entries(text.changes).map(([id, [name, title]]) => button(name, change(id), { title }));
  const boards = [button(text.clearBoard, () => put("B:W:B")), button(text.startBoard, () => put(START))],
    help = h("p", { class: "soft", text: text.setUpHelp });
  const choices = [
      mover.element,
      box("row", boards, undoer),
      box("row", changes),
      box("contents", field(text.fen, input), verdict),
      help,
    ],
    content = box("setup", box("stack", board.element, palette), box("stack", choices));
  /** Opens the dialog for a game, and this one again if no game begins. */
  const playOut = (fen) =>
    openPlayOut(fen).addEventListener("close", ({ target }) => target.returnValue || openSetUp(fen));
  const studier = button(text.studyFrom, () => check(typed(), studyFen), { class: "primary" }),
    starter = button(text.playFrom, () => check(typed(), playOut)),
    shown = open(text.setUpTitle, content, [copier, studier, starter]);
  draw();

  /** Remembers the position, for Undo. */
  function note() {
    const fen = fenOf(squares, side);
    if (fen !== history.at(-1)) history.push(fen);
    enable(undoer, history.length > 1);
    return fen;
  }

  function draw() {
    const fen = note();
    board.show(fen);
    input.value = fen;
    check(fen);
  }

  /** Says whether the FEN is legal, and allows what can be done with its position. */
  function conclude(words, isLegal, isOpen = false) {
    verdict.textContent = words;
    verdict.className = isLegal ? "soft state" : "fault state";
    input.ariaInvalid = isLegal ? null : "true";
    for (const action of [copier, studier]) enable(action, isLegal);
    enable(starter, isOpen);
  }

  /** Asks the engine whether a FEN is legal, shows the position, and passes it to `use`, if any. */
  async function check(fen, use) {
    const ask = ++asked;
    try {
      const facts = await rules.check(fen);
      if (ask !== asked || !shown.dialog.open) return;
      ({ squares, side } = readFen(facts.fen));
      // The rules let a side move that has captured everything.
      const isOpen = facts.result === "open" && new Set(squares.join("").toLowerCase()).size === 2;
      conclude(isOpen ? text.legalPosition : text.gameOver, true, isOpen);
      mover.choose(side);
      note();
      board.show(facts.fen);
      if (!use) return;
      shown.close();
      update({ tab: "moves" });
      use(facts.fen);
    } catch (error) {
      if (ask !== asked) return;
      conclude(fen === fenOf([], side) ? text.emptyBoard : error.message, false);
    }
  }
}
