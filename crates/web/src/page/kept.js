// What games are called: their tags, players, results and dates.

import { h } from "./dom.js";
import { write } from "./pdn.js";
import { nameOf } from "./players.js";
import { joined, text } from "./text.js";
import { PLAYER_TAGS, START, Tree } from "./tree.js";

export const PDN_TYPE = "application/x-pdn";

/** Returns the tags of a game of this browser; `when` is its time in milliseconds if it was not played here. */
export function tagsOf({ players, opening, tree, played }, when = Date.now()) {
  const date = new Date(played || when).toISOString().slice(0, 10).replaceAll("-", ".");
  return {
    Event: opening || text.name,
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

/** Returns a date such as "2026.11.28" in words. Its day and its month may be unknown. */
export function dateOf(tag) {
  const [, year, month, day] = /^(\d{4})(?:\D(\d\d))?(?:\D(\d\d))?/.exec(tag) ?? [],
    date = new Date(`${year}-${month ?? "01"}-${day ?? "01"}`);
  if (!year || Number.isNaN(Number(date))) return tag.replace(/^\D+$/, "");
  const shown = { year: "numeric", ...(month && { month: "short" }), ...(day && { day: "numeric" }), timeZone: "UTC" };
  return date.toLocaleDateString(text.language, /** @type {Intl.DateTimeFormatOptions} */ (shown));
}

/** Returns whether a game has something that was made here, rather than only read. Games of older versions do not say so. */
export const isMade = ({ tree: { nodes, source, start, edited = !source } }) =>
  edited && (nodes.length > 1 || Boolean(source) || start !== START);

/** Returns the names in a row of the library. The only person of a game that was played here is the user. */
export const namesIn = ({ black, white, collection }) =>
  [black, white].map((name, at, names) => {
    const isUser = name === text.person && !collection && names[1 - at] !== name;
    return isUser ? text.you : name || text.unknown;
  });

/** Returns the players of a row of the library. Names are isolated, since they may be written in either direction. */
export function playersOf(game) {
  const [black, white] = namesIn(game).map((name) => h("bdi", { text: name }));
  return h("span", {}, black, " – ", white);
}

export const titleOf = (game) =>
  joined([namesIn(game).join(" – "), dateOf(game.date), text.opening(game.opening), game.event]);
