// The players: a person, this engine at full strength or at a level, or another engine; and the limits of engines.

import { open } from "./dialog.js";
import { box, button, field, select } from "./dom.js";
import { go } from "./navigate.js";
import { prefer, preferences } from "./preferences.js";
import { state } from "./state.js";
import { joined, text } from "./text.js";

/** The sides as options of a row of buttons. */
export const SIDE_CHIPS = Object.entries(text.sides).map(([side, name]) => [side, name, side]);
/** The sides as choices of the player's, after the one for `either`. */
export const asSides = (either) => [["", either], ...Object.keys(text.sides).map((side) => [side, text.asSide(side)])];
export const PERSON = { kind: "person" };
export const isPerson = (player) => player.kind === "person";

/** Returns the side of the only person, or undefined. */
export function ownSide(players) {
  const persons = ["b", "w"].filter((side) => isPerson(players[side]));
  return persons.length === 1 ? persons[0] : undefined;
}

/** The highest level, and full strength as the level after it. */
export const HIGHEST = 10;
export const STRONG = { kind: "engine", engine: "kelso" };

/** Returns the name of a side's player. The user's name is that of the only person, who is `unnamed` without one. */
export function nameOf(players, side, unnamed = "") {
  const own = ownSide(players) === side ? preferences.player || unnamed : "";
  return text.playerName(players[side], players[side].name || own);
}

/** Returns the player of a strength from 1 to `HIGHEST + 1`, and the reverse, or undefined. */
export const ofStrength = (strength) => (strength > HIGHEST ? STRONG : { kind: "level", level: strength });
export const strengthOf = ({ kind, level, engine }) =>
  kind === "level" ? level : engine === STRONG.engine ? HIGHEST + 1 : undefined;

export const options = ({ kind, level, engine }) => ({
  Hash: 64,
  ...(kind === "level" ? { Level: level } : engine === "kelso" && { Book: true }),
});

/** Returns the name of a player's engine. A stored game may have a player that is no longer offered. */
export const engineOf = (player) =>
  player.kind === "engine" ? player.engine : player.kind === "study" ? text.playerName(player) : "kelso";

/** Returns the parameters of `go`. */
export function limit(pace, clock) {
  if (pace.kind === "clock" && clock) return clock.words();
  if (["depth", "nodes"].includes(pace.kind)) return `${pace.kind} ${pace.value}`;
  return `movetime ${Math.round((pace.kind === "move" ? pace.value : 1) * 1000)}`;
}

export function openPlayers() {
  const { game } = state;
  const sides = { b: chooser(text.black, game.players.b), w: chooser(text.sides.w, game.players.w) };
  const done = (b, w) => () => {
    shown.close();
    const players = { b: sides[b].value(), w: sides[w].value() };
    game.change(players);
    prefer({ players });
    go(state.current);
  };
  const shown = open(text.changePlayers, box("stack", sides.b.element, sides.w.element), [
    button(text.use, done("b", "w"), { class: "primary" }),
    button(text.exchange, done("w", "b")),
  ]);
}

export function chooser(name, player, changed) {
  const { engines } = state;
  const keyOf = (player) => joined([player.kind, player.level ?? player.engine], ":");
  const levels = Array.from({ length: HIGHEST }, (_, index) => ofStrength(index + 1));
  const others = engines.filter(({ name }) => name !== "kelso").map(({ name }) => ({ kind: "engine", engine: name }));
  const players = [PERSON, STRONG, ...levels, ...others];
  const groups = [
    ["person", text.person],
    ["engine:kelso", text.strength(HIGHEST + 1)],
    { group: text.levels, options: levels.map((player) => [keyOf(player), text.levelOf(player.level)]) },
  ];
  const named = others.map((player) => [keyOf(player), player.engine]);
  if (named.length) groups.push({ group: text.others, options: named });
  // An engine that is no longer offered cannot be chosen: the list then shows its first entry.
  const control = select(groups, keyOf(player), () => changed?.()),
    value = () => players.find((player) => keyOf(player) === control.value),
    choose = (player) => (control.value = keyOf(player));
  return { element: box("player", field(name, control)), value, choose };
}
