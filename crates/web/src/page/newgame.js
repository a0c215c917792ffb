// The dialog for a new game: the players, the time control and the start.

import { open } from "./dialog.js";
import { button, field, h, put, select } from "./dom.js";
import { chooser, isPerson } from "./players.js";
import { text } from "./text.js";
import { START } from "./tree.js";

/** The ballot decks, by the selected start. */
const DECKS = { two: "two-move", three: "three-move", eleven: "eleven-man" };
/** Time controls: minutes per game, and seconds added per move. */
const PRESETS = [
  [1, 2],
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
  [30, 20],
];
const LIMITS = { seconds: [0.05, 3600], minutes: [0.1, 600], increment: [0, 600], plies: [1, 60], positions: [1, 1e9] };

/** Opens the dialog; `begin` takes {players, pace, start, moves, opening, flipped, continued}. */
export function newGame({ players, pace, from = "start", flipped, engines, declared, here, rules, begin }) {
  const bottom = select(
    [
      ["b", text.sides.b],
      ["w", text.sides.w],
    ],
    flipped ? "b" : "w",
  );
  // A person who plays against an engine is at the bottom.
  const seated = () => {
    const persons = ["b", "w"].filter((side) => isPerson(sides[side].value()));
    if (persons.length === 1) [bottom.value] = persons;
  };
  const sides = {
    b: chooser(text.black, players.b, engines, declared, seated),
    w: chooser(text.white, players.w, engines, declared, seated),
  };
  const numbers = {};
  const number = (name, value) => {
    const [low, high] = LIMITS[name];
    numbers[name] = h("input", { type: "number", min: low, max: high, step: "any", value, inputmode: "decimal" });
    return field(text[name], numbers[name]);
  };
  let swapped = false;
  let kind = pace.kind,
    ballots = [];
  const paceBox = h("div", { class: "contents" }),
    fromBox = h("div", { class: "row" });
  const drawPace = () => {
    const value = (wanted, usual) => (pace.kind === wanted ? pace.value : usual);
    if (kind === "clock")
      put(
        paceBox,
        field(
          text.presets,
          select(
            [
              ["", "–"],
              ...PRESETS.map(([minutes, seconds]) => [`${minutes} ${seconds}`, text.preset(minutes, seconds)]),
            ],
            "",
            (value) => {
              if (value) [numbers.minutes.value, numbers.increment.value] = value.split(" ");
            },
          ),
        ),
        number("minutes", (pace.base ?? 300000) / 60000),
        number("increment", (pace.increment ?? 3000) / 1000),
      );
    else if (kind === "depth") put(paceBox, number("plies", value("depth", 8)));
    else if (kind === "nodes") put(paceBox, number("positions", value("nodes", 100000)));
    else put(paceBox, number("seconds", value("move", 1)));
  };
  const fen = h("input", {
    type: "text",
    class: "grow",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: text.fenHelp,
  });
  let ballot = "random";
  /** Resolves when the ballots of the selected start have been loaded, or an error is shown. */
  let drawn = Promise.resolve();
  const drawFrom = async () => {
    put(fromBox);
    if (from === "fen") put(fromBox, field(text.fen, fen, { class: "field grow" }));
    if (!DECKS[from]) return;
    put(fromBox, h("p", { class: "soft", text: text.loading }));
    const wanted = from;
    ballots = await rules.ballots(DECKS[from]).catch((error) => {
      put(fromBox, h("p", { class: "fault", text: error.message }));
      return [];
    });
    if (wanted !== from || !ballots.length) return;
    ballot = "random";
    const name = ({ number, name, moves }) => [number, `${number}. ${name ? `${name}: ` : ""}${moves.join(" ")}`];
    put(
      fromBox,
      field(
        text.ballot,
        select([["random", text.random], ...ballots.map(name)], "random", (value) => {
          ballot = value;
        }),
        { class: "field grow" },
      ),
      h("p", { class: "soft", text: text.randomHelp }),
    );
  };
  const starts = Object.entries(text.starts).filter(([id]) => here || (id !== "here" && id !== "continued"));
  const content = h(
    "div",
    { class: "stack" },
    h("div", { class: "columns people" }, sides.b.element, sides.w.element),
    h(
      "div",
      { class: "columns" },
      field(
        text.timeControl,
        select(Object.entries(text.timeControls), kind, (value) => {
          kind = value;
          drawPace();
        }),
      ),
      paceBox,
    ),
    h(
      "div",
      { class: "columns" },
      field(
        text.from,
        select(starts, from, (value) => {
          from = value;
          drawn = drawFrom();
        }),
      ),
      field(text.bottom, bottom),
    ),
    fromBox,
  );
  drawPace();

  /** Returns the number in a field if it is within its limits; otherwise shows an error and returns null. */
  const checked = (name) => {
    const [low, high] = LIMITS[name];
    const value = Number(numbers[name].value);
    if (numbers[name].value !== "" && value >= low && value <= high) return value;
    shown.fail(text.needNumber(text[name], low, high));
    numbers[name].focus();
    return null;
  };

  function chosenPace() {
    if (kind === "clock") {
      const minutes = checked("minutes"),
        increment = minutes === null ? null : checked("increment");
      return increment === null
        ? null
        : { kind, base: Math.round(minutes * 60000), increment: Math.round(increment * 1000) };
    }
    const value = checked({ depth: "plies", nodes: "positions", move: "seconds" }[kind]);
    return value === null ? null : { kind, value: kind === "move" ? value : Math.round(value) };
  }

  async function go() {
    shown.fail("");
    const pace = chosenPace();
    if (!pace) return;
    if (rules.offline) return shown.fail(text.offline);
    let start = START,
      moves = [],
      opening = "";
    if (from === "here") start = here;
    if (from === "fen") {
      try {
        start = (await rules.check(fen.value.trim())).fen;
      } catch (error) {
        return shown.fail(error.message);
      }
    } else if (DECKS[from]) {
      await drawn;
      if (!ballots.length || !shown.dialog.open) return;
      const one =
        ballot === "random"
          ? ballots[Math.floor(Math.random() * ballots.length)]
          : ballots.find(({ number }) => number === Number(ballot));
      ({ fen: start, moves } = one);
      opening = `${DECKS[from]} ${one.number}${one.name ? ` ${one.name}` : ""}`;
    }
    shown.close();
    const [b, w] = ["b", "w"].map((side) => sides[side].value());
    if (swapped && isPerson(b) !== isPerson(w)) bottom.value = isPerson(w) ? "b" : "w";
    begin({
      players: swapped ? { b: w, w: b } : { b, w },
      pace,
      start,
      moves,
      opening,
      flipped: bottom.value === "b",
      continued: from === "continued",
    });
  }

  const shown = open(text.newTitle, content, [
    button(text.begin, go, { class: "primary" }),
    button(
      text.beginRandom,
      () => {
        swapped = Math.random() < 0.5;
        go();
      },
      { title: text.beginRandomHelp },
    ),
    button(text.cancel, () => shown.close()),
  ]);
}
