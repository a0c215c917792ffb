// What games are called: their tags, players, results and dates.

import { h } from "./dom.js";
import { write } from "./pdn.js";
import { nameOf, ownSide } from "./players.js";
import { preferences } from "./preferences.js";
import { joined, text } from "./text.js";
import { PLAYER_TAGS, START, Tree } from "./tree.js";

export const PDN_TYPE = "application/x-pdn";

/** Returns the tags of a game of this browser; `when` is its time in milliseconds if it was not played here. */
export function tagsOf({ players, tree, played }, when = Date.now()) {
  const date = new Date(played || when).toISOString().slice(0, 10).replaceAll("-", ".");
  return {
    Event: text.casual,
    Date: date,
    Black: nameOf(players, "b"),
    White: nameOf(players, "w"),
    ...tree.tags,
  };
}

export function pdnOf(game, when) {
  const tree = Tree.revive(game.tree);
  return write(tree, tagsOf({ ...game, tree }, when));
}

export const namesOf = ({ players, tree }) =>
  ["b", "w"].map((side) => tree.tags?.[PLAYER_TAGS[side]] ?? nameOf(players, side, text.you));

/** Returns a result as it is shown; empty if there is none. */
export const resultOf = (result) => result.replace("1/2-1/2", "½-½").replace("*", "");

/** Returns a date such as "2026.11.28" in words, a day of this year without the year. The day and the month may be unknown. */
export function dateOf(tag) {
  const [, year, month, day] = /^(\d{4})(?:\D(\d\d))?(?:\D(\d\d))?/.exec(tag) ?? [],
    date = new Date(`${year}-${month ?? "01"}-${day ?? "01"}`);
  if (!year || Number.isNaN(Number(date))) return tag.replace(/^\D+$/, "");
  const isRecent = day && Number(year) === new Date().getUTCFullYear(),
    shown = { year: isRecent ? undefined : "numeric", month: month && "short", day: day && "numeric", timeZone: "UTC" };
  return date.toLocaleDateString(text.language, /** @type {Intl.DateTimeFormatOptions} */ (shown));
}

/**
 * Returns whether a game has something that was made here, rather than only read; games of older versions do not say so. Neither a
 * ballot nor the first move of an engine is made by the user.
 */
export function isMade({ tree: { nodes, source, start, edited = !source }, players, base = 0 }) {
  const own = ownSide(players),
    isEngineFirst = Boolean(own) && (base % 2 === 0) === (start[0] !== own.toUpperCase());
  return edited && (nodes.length - 1 > base + Number(isEngineFirst) || Boolean(source) || start !== START);
}

/** Returns the side of the user in a row of the library, the only person of a game that was played here; undefined without one. */
const userIn = ({ black, white, collection }) =>
  Object.keys(PLAYER_TAGS).find((side, at) => {
    const [own, other] = at ? [white, black] : [black, white];
    return !collection && own !== other && [text.person, preferences.player].includes(own);
  });

/** Returns the names in a row of the library. */
export const namesIn = (game) =>
  [game.black, game.white].map((name, at) =>
    name === text.person && userIn(game) === "bw"[at] ? text.you : name || text.unknown,
  );

/** Returns what the result in a row of the library is for the user, {name, end}; without one, what it is. */
export function endingOf(game) {
  const user = userIn(game),
    end = game.result !== "*" && user && text.outcomeOf(game.result, user);
  return end ? { name: end, end: end.toLowerCase() } : { name: resultOf(game.result), end: "" };
}

/** Returns the players of a row of the library. Names are isolated, since they may be written in either direction. */
export function playersOf(game) {
  const [black, white] = namesIn(game).map((name) => h("bdi", { text: name }));
  return h("span", {}, black, " – ", white);
}

/** Names the opening on the board; until its moves have been made, how the game begins. */
export function openingOf({ opening, current, game: { tree } }) {
  const unnamed = tree.start !== START ? text.ownBoard : tree.ply(current) < 3 ? text.starts.start : "";
  return text.opening(opening) || unnamed;
}

export const titleOf = (game) =>
  joined([namesIn(game).join(" – "), dateOf(game.date), text.opening(game.opening), game.event]);
