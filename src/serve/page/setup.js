// Setting up a position: pieces are put on the board of a dialog; the engine says whether it can be played.

import { Board } from "./board.js";
import { copy, open } from "./dialog.js";
import { readFen } from "./diagram.js";
import { button, field, h, select } from "./dom.js";
import { text } from "./text.js";

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const PALETTE = ["b", "B", "w", "W", ""];

/** A position as FEN. */
function fenOf(squares, side) {
  const list = (color) => squares.flatMap((piece, square) => piece.toLowerCase() !== color ? [] : piece === color ? [square] : [`K${square}`]).join(",");
  return `${side.toUpperCase()}:W${list("w")}:B${list("b")}`;
}

/** Opens the dialog with a position; `use` takes the FEN. */
export function setUp(fen, flipped, rules, use) {
  let { squares, side } = readFen(fen);
  let chosen = "b", asked = 0;
  const board = new Board({
    chosen: () => {}, refused: () => {},
    edited: (square) => {
      squares[square] = squares[square] === chosen ? "" : chosen;
      draw();
    },
  });
  board.editing = true;
  board.flip(flipped);
  const input = h("input", { type: "text", class: "grow", spellcheck: "false", autocomplete: "off", oninput: () => check(input.value, false) });
  const state = h("p", { class: "soft", role: "status" });
  const radio = (piece) => h("label", { class: "check" }, h("input", { type: "radio", name: "piece", checked: piece === chosen, onchange: () => { chosen = piece; } }), h("span", { text: piece ? text.pieces[piece] : text.erase }));
  const mover = select([["b", text.sides.b], ["w", text.sides.w]], side, (value) => {
    side = value;
    draw();
  });
  const copier = button(text.copyFen, () => copy(input.value, copier));
  const all = (fen) => () => {
    ({ squares, side } = readFen(fen));
    mover.value = side;
    draw();
  };
  const content = h("div", { class: "setup" }, board.element, h("div", { class: "stack" },
    h("p", { class: "soft", text: text.setUpHelp }),
    h("fieldset", {}, h("legend", { text: text.palette }), PALETTE.map(radio)),
    field(text.sideToMove, mover),
    h("div", { class: "row" }, button(text.clearBoard, all("B:W:B")), button(text.startBoard, all(START))),
    field(text.fen, input), h("div", { class: "row" }, copier), state));
  const go = button(text.use, () => check(input.value, true), { class: "primary" });
  const shown = open(text.setUpTitle, content, [go, button(text.cancel, () => shown.close())]);
  draw();

  function draw() {
    const fen = fenOf(squares, side);
    board.show(fen);
    input.value = fen;
    check(fen, false);
  }

  /** Asks the engine; what it understands is shown, and used if that is wanted. */
  async function check(fen, wanted) {
    const ask = ++asked;
    try {
      const facts = await rules.facts(`position fen ${fen}`);
      if (ask !== asked) return;
      shown.fail("");
      state.textContent = text.legalPosition;
      ({ squares, side } = readFen(facts.fen));
      mover.value = side;
      board.show(facts.fen);
      if (!wanted) return;
      shown.close();
      use(facts.fen);
    } catch (error) {
      if (ask !== asked) return;
      state.textContent = "";
      shown.fail(error.message);
    }
  }
}
