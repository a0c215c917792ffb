// The dialog for a new game: the players, the time control and the start.

import { readFen } from "./diagram.js";
import { open } from "./dialog.js";
import { box, button, check, chips, details, field, h, numberField, put, select, textField } from "./dom.js";
import { beginNew } from "./games.js";
import { HIGHEST, PERSON, SIDE_CHIPS, chooser, isPerson, ofStrength, ownSide, strengthOf } from "./players.js";
import { prefer, preferences } from "./preferences.js";
import { rules } from "./program.js";
import { showMode } from "./shell.js";
import { state } from "./state.js";
import { joined, text } from "./text.js";
import { OTHER_SIDE, START } from "./tree.js";

/** The ballot decks, by the selected start. */
const DECKS = { two: "two-move", three: "three-move", eleven: "eleven-man" };
/** Clocks: minutes per game, and seconds added per move. */
const CLOCKS = ["1+2", "3+2", "5+3", "10+5", "15+10", "30+20"];
/** The pace without clocks. */
const OTHER = "other";
const UNTIMED = { kind: "move", value: 1 };
/** The unit of each other limit of an engine, and its usual value. */
const UNITS = { move: ["seconds", 1], depth: ["plies", 8], nodes: ["positions", 100000] };
const LIMITS = { seconds: [0.05, 3600], minutes: [0.1, 600], increment: [0, 600], plies: [1, 60], positions: [1, 1e9] };

/** Returns the number of a ballot, its name, the men that it lacks, and its moves. */
function ballotName({ number, name, fen, moves }) {
  const { squares } = readFen(fen),
    lacks = readFen(START).squares.flatMap((piece, square) => (piece && !squares[square] ? [square] : []));
  return `${number}. ${joined([name || (lacks.length && text.without(lacks)), moves.join(" ")], ": ")}`;
}

/** Returns the ballot with a number or a part of its name, or else a random one if there are no words. */
function ballotNamed(ballots, words) {
  if (!words) return ballots[Math.floor(Math.random() * ballots.length)];
  const has = (ballot) => ballotName(ballot).toLowerCase().includes(words.toLowerCase());
  return ballots.find(({ number }) => String(number) === words) ?? ballots.find(has);
}

/** Opens and returns the dialog for a game from the position on the board, or from another one. The user plays the side to move. */
export function openPlayOut(fen = "") {
  const side = (fen || state.facts?.fen || START)[0].toLowerCase(),
    other = OTHER_SIDE[side];
  const last = preferences.players,
    players = ownSide(last) === other ? { [other]: last[side], [side]: last[other] } : last;
  return openNewGame({ players, from: fen || !state.current ? "here" : "continued", flipped: side === "b", fen });
}

/** Opens and returns the dialog, whose `returnValue` says that a game has begun. `fen` is the current position if it is not that on the board. */
export function openNewGame({ players = preferences.players, from = "start", flipped = state.flipped, fen = "" } = {}) {
  const here = fen || state.facts?.fen;
  let { pace } = preferences;
  const bottom = select(Object.entries(text.sides), flipped ? "b" : "w");
  let isRandom = false;
  const own = () => ownSide({ b: sides.b.value(), w: sides.w.value() });
  // A person who plays against an engine is at the bottom.
  const seated = () => {
    if (own()) bottom.value = own();
    colour.choose((isRandom && own() && "random") || own());
    showStrength();
    const isPair = rival.value() === "person";
    colour.element.hidden = opponent.hidden = isChosen || isPair;
    rival.element.hidden = isChosen;
    pair.hidden = isChosen || !isPair;
    limitBox.hidden = !isChosen && isPair;
    people.hidden = !isChosen;
  };
  /** The opponent of a person: Kelso, or another person next to the same board. */
  const usual = Object.values(players).every(isPerson) ? "person" : "kelso";
  const rival = chips(text.opponent, Object.entries(text.rivals), usual, (choice) => {
    if (choice === "kelso") return oppose();
    for (const side of ["b", "w"]) sides[side].choose(PERSON);
    seated();
  });
  const nameField = (side, name) =>
    textField({ maxlength: 60, "aria-label": name, placeholder: name, value: players[side].name ?? "" });
  const names = { b: nameField("b", text.playerNames.b), w: nameField("w", text.playerNames.w) };
  const turning = check(text.turning, preferences.turning, (on) => prefer({ turning: on })),
    pair = box("stack pair", box("columns", names.b, names.w), turning);
  const colour = chips(text.colour, [...SIDE_CHIPS, ["random", text.random, "random"]], "", (choice) => {
    isRandom = choice === "random";
    oppose(isRandom ? undefined : choice);
  });
  const slider = h("input", { type: "range", min: 1, max: HIGHEST + 1, step: 1, value: 3, oninput: () => oppose() });
  /** Seats a person against Kelso at the strength of the slider. */
  const oppose = (side = own() ?? "b") => {
    sides[side].choose(PERSON);
    sides[OTHER_SIDE[side]].choose(ofStrength(Number(slider.value)));
    seated();
  };
  const strength = h("strong", {});
  const ends = [text.weakest, text.strongest].map((end) => h("span", { "aria-hidden": "true", text: end }));
  const opponent = h("label", { class: "strength" }, h("span", { text: text.strengthName }), strength, slider, ends);
  const showStrength = () => {
    const known = own() && strengthOf(sides[OTHER_SIDE[own()]].value());
    if (known) slider.value = String(known);
    slider.style.setProperty("--at", `${(100 * (Number(slider.value) - 1)) / HIGHEST}%`);
    strength.textContent = text.strength(Number(slider.value));
    slider.setAttribute("aria-valuetext", strength.textContent);
    return known;
  };
  const sides = { b: chooser(text.black, players.b, seated), w: chooser(text.sides.w, players.w, seated) };
  const people = box("columns people", sides.b.element, sides.w.element, field(text.bottom, bottom));
  /** The fields for the numbers of the pace. */
  let numbers = {};
  const number = (name, value) => {
    const props = { step: "any", value, inputmode: "decimal", required: true };
    numbers[name] = numberField(LIMITS[name], props);
    return field(text[name], numbers[name]);
  };
  let kind = pace.kind,
    ballots = [];
  const name = kind === "clock" ? `${pace.base / 60000}+${pace.increment / 1000}` : "",
    preset = !name || CLOCKS.includes(name) ? name : OTHER;
  const clockBox = h("div", { class: "columns", hidden: preset !== OTHER }),
    fromBox = box("contents"),
    limitBox = box("columns");
  const choosePace = (value) => {
    kind = value;
    const [unit, usual] = UNITS[kind] ?? [];
    numbers = {};
    const { base = 300000, increment = 3000 } = pace;
    put(clockBox, !unit && [number("minutes", base / 60000), number("increment", increment / 1000)]);
    const limit = field(text.limit, select(Object.entries(text.limits), kind, choosePace));
    put(limitBox, unit && [limit, number(unit, pace.kind === kind ? pace.value : usual)]);
  };
  const clocks = [["", text.noClock], ...CLOCKS.map((name) => [name, name]), [OTHER, text.otherClock]];
  const clock = chips(text.clock, clocks, preset, (name) => {
    const [minutes, seconds] = name.split("+").map(Number);
    if (!name) pace = UNTIMED;
    else if (name !== OTHER) pace = { kind: "clock", base: minutes * 60000, increment: seconds * 1000 };
    clockBox.hidden = name !== OTHER;
    choosePace(name ? "clock" : pace.kind);
  });
  // A ballot is found by its number, its name or its moves.
  const oninput = () => {
    const words = ballot.value.trim(),
      one = ballotNamed(ballots, words);
    found.textContent = words && (one ? ballotName(one) : text.noBallot);
    found.className = one ? "soft whole" : "fault whole";
    ballot.ariaInvalid = one ? null : "true";
  };
  const found = h("p", { role: "status" }),
    ballot = textField({ list: "ballots", placeholder: text.random, autocomplete: "on", oninput });
  /** Resolves when the ballots of the selected start have been loaded, or an error is shown. */
  let drawn = Promise.resolve();
  const drawFrom = async (start) => {
    from = start;
    put(fromBox);
    if (!DECKS[start]) return;
    put(fromBox, h("p", { class: "soft", text: text.loading }));
    ballots = await rules.ballots(DECKS[start]).catch((error) => {
      put(fromBox, h("p", { class: "fault", text: error.message }));
      return [];
    });
    if (start !== from || !ballots.length) return;
    const options = ballots.map(ballotName).map((value) => h("option", { value })),
      list = h("datalist", { id: "ballots" }, options);
    ballot.value = "";
    oninput();
    put(fromBox, field(text.ballot, ballot, { title: text.randomHelp }), list, found);
  };
  const isOffered = { here, continued: here && !fen && state.current };
  const starts = Object.entries(text.starts)
    .filter(([id]) => isOffered[id] ?? true)
    .map(([id, name]) => [id, id === "here" && fen ? text.boardSetUp : name]);
  /** Whether each player is chosen in a list of its own. */
  let isChosen = rival.value() === "kelso" && !showStrength();
  const each = check(text.eachPlayer, isChosen, (on) => {
    isChosen = on;
    if (on || showStrength()) seated();
    else oppose();
  });
  const limits = box("stack", limitBox, each, people),
    more = details(text.more, { open: isChosen || !["clock", "move"].includes(kind) }, limits);
  const opening = select(starts, from, (value) => (drawn = drawFrom(value))),
    start = box("columns", field(text.fields.opening, opening), fromBox),
    content = box("stack", rival.element, colour.element, opponent, pair, clock.element, clockBox, start, more);
  content.addEventListener("input", () => shown.fail(""));
  seated();
  choosePace(kind);

  /** Returns the pace; shows an error and returns null if a number is not within its limits. */
  function chosenPace() {
    const wrong = Object.keys(numbers).find((name) => !numbers[name].checkValidity());
    if (wrong) {
      if (kind !== "clock") more.open = true;
      shown.fail(text.needNumber(text[wrong], ...LIMITS[wrong]));
      numbers[wrong].focus();
      return null;
    }
    const [first, second] = Object.values(numbers).map(({ value }) => Number(value));
    if (kind === "clock") return { kind, base: Math.round(first * 60000), increment: Math.round(second * 1000) };
    return { kind, value: kind === "move" ? first : Math.round(first) };
  }

  async function go() {
    const pace = chosenPace();
    if (!pace) return;
    if (state.offline) return shown.fail(text.offline);
    let start = from === "here" ? here : START,
      moves = [],
      opening = "";
    if (DECKS[from]) {
      await drawn;
      if (!ballots.length || !shown.dialog.open) return;
      const one = ballotNamed(ballots, ballot.value.trim());
      if (!one) return ballot.focus();
      ({ fen: start, moves } = one);
      opening = `${DECKS[from]} ${one.number}${one.name ? ` ${one.name}` : ""}`;
    }
    shown.dialog.close("begun");
    const [b, w] = ["b", "w"].map((side) => {
      const player = sides[side].value(),
        name = pair.hidden ? "" : names[side].value.trim();
      return isPerson(player) && name ? { ...player, name } : player;
    });
    const swapped = isRandom && Math.random() < 0.5;
    if (swapped && own()) bottom.value = OTHER_SIDE[own()];
    const seats = swapped ? { b: w, w: b } : { b, w },
      continued = from === "continued";
    beginNew({ players: seats, pace, start, moves, opening, flipped: bottom.value === "b", continued });
    // The game before is stored in its own mode.
    showMode("play");
  }

  const shown = open(text.newGame, content, button(text.begin, go, { class: "primary" }));
  return shown.dialog;
}
