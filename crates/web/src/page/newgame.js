// The dialog for a new game: the players, the time control and the start.

import { open } from "./dialog.js";
import { button, chips, field, h, put, select } from "./dom.js";
import { HIGHEST, PERSON, chooser, isPerson, ofStrength, strengthOf } from "./players.js";
import { text } from "./text.js";
import { OTHER_SIDE, START } from "./tree.js";

/** The ballot decks, by the selected start. */
const DECKS = { two: "two-move", three: "three-move", eleven: "eleven-man" };
/** Clocks: minutes per game, and seconds added per move. */
const CLOCKS = ["1+2", "3+2", "5+3", "10+5", "15+10", "30+20"];
/** The pace without clocks. */
const UNTIMED = { kind: "move", value: 1 };
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
  let isRandom = false;
  /** Returns the side of the only person, or undefined. */
  const own = () => {
    const persons = ["b", "w"].filter((side) => isPerson(sides[side].value()));
    return persons.length === 1 ? persons[0] : undefined;
  };
  // A person who plays against an engine is at the bottom.
  const seated = () => {
    if (own()) bottom.value = own();
    colour.choose((isRandom && own() && "random") || own());
    showStrength();
  };
  const colour = chips(
    text.colour,
    [
      ["b", text.sides.b, "black"],
      ["w", text.sides.w, "white"],
      ["random", text.random, "random"],
    ],
    "",
    (choice) => {
      isRandom = choice === "random";
      const side = isRandom ? (own() ?? "b") : choice;
      const [person, engine] = own()
        ? [sides[own()], sides[OTHER_SIDE[own()]]].map((side) => side.value())
        : [PERSON, ofStrength(Number(slider.value))];
      sides[side].choose(person);
      sides[OTHER_SIDE[side]].choose(engine);
      seated();
    },
  );
  const slider = h("input", {
    type: "range",
    min: 1,
    max: HIGHEST + 1,
    step: 1,
    value: 3,
    oninput: () => {
      const side = own() ?? "b";
      sides[side].choose(PERSON);
      sides[OTHER_SIDE[side]].choose(ofStrength(Number(slider.value)));
      seated();
    },
  });
  const strength = h("strong", {});
  const showStrength = () => {
    const engine = own() && sides[OTHER_SIDE[own()]].value(),
      known = engine && strengthOf(engine);
    if (known) slider.value = String(known);
    strength.textContent = known
      ? text.strength(known)
      : ["b", "w"].map((side) => text.playerName(sides[side].value())).join(" – ");
    slider.setAttribute("aria-valuetext", strength.textContent);
  };
  const sides = {
    b: chooser(text.black, players.b, engines, declared, seated),
    w: chooser(text.white, players.w, engines, declared, seated),
  };
  const numbers = {};
  const number = (name, value) => {
    const [low, high] = LIMITS[name];
    numbers[name] = h("input", {
      type: "number",
      min: low,
      max: high,
      step: "any",
      value,
      inputmode: "decimal",
      oninput: () => showClock(),
    });
    return field(text[name], numbers[name]);
  };
  let kind = pace.kind,
    ballots = [];
  const paceBox = h("div", { class: "contents" }),
    fromBox = h("div", { class: "row" });
  const drawPace = () => {
    const value = (wanted, usual) => (pace.kind === wanted ? pace.value : usual);
    if (kind === "clock")
      put(
        paceBox,
        number("minutes", (pace.base ?? 300000) / 60000),
        number("increment", (pace.increment ?? 3000) / 1000),
      );
    else if (kind === "depth") put(paceBox, number("plies", value("depth", 8)));
    else if (kind === "nodes") put(paceBox, number("positions", value("nodes", 100000)));
    else put(paceBox, number("seconds", value("move", 1)));
    showClock();
  };
  /** Shows the clocks in the fields among the usual ones. */
  const showClock = () => {
    const { minutes, increment, seconds } = numbers;
    if (kind === "clock") clock.choose(`${minutes.value}+${increment.value}`);
    else clock.choose(kind === "move" && Number(seconds.value) === UNTIMED.value ? "" : "other");
  };
  const clock = chips(text.clock, [["", text.noClock], ...CLOCKS.map((name) => [name, name])], "other", (name) => {
    const [minutes, seconds] = name.split("+").map(Number);
    pace = name ? { kind: "clock", base: minutes * 60000, increment: seconds * 1000 } : UNTIMED;
    kind = control.value = pace.kind;
    drawPace();
  });
  const control = select(Object.entries(text.timeControls), kind, (value) => {
    kind = value;
    drawPace();
  });
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
  const more = h(
    "details",
    { open: from !== "start" && from !== "continued" },
    h("summary", { text: text.more }),
    h(
      "div",
      { class: "stack" },
      h("div", { class: "columns people" }, sides.b.element, sides.w.element),
      h("div", { class: "columns" }, field(text.timeControl, control), paceBox),
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
    ),
  );
  const content = h(
    "div",
    { class: "stack choices" },
    colour.element,
    h("label", { class: "strength" }, h("span", { text: text.opponent }), strength, slider),
    clock.element,
    more,
  );
  seated();
  drawPace();

  /** Returns the number in a field if it is within its limits; otherwise shows an error and returns null. */
  const checked = (name) => {
    const [low, high] = LIMITS[name];
    const value = Number(numbers[name].value);
    if (numbers[name].value !== "" && value >= low && value <= high) return value;
    more.open = true;
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
    const swapped = isRandom && Math.random() < 0.5;
    if (swapped && own()) bottom.value = OTHER_SIDE[own()];
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
    button(text.cancel, () => shown.close()),
  ]);
}
