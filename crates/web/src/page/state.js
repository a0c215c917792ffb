// The state that the parts of the page share. A part subscribes to the values that it shows.

import { preferences } from "./preferences.js";

export const MODES = ["play", "study", "puzzles", "library"];

export const state = {
  /** One of `MODES`; "" before the page has started. */
  mode: "",
  /** The tab of the study: "moves", "explorer", "review" or "tags". */
  tab: preferences.tab,
  /** The game on the board. It changes on its own; `update({ game })` reports its changes. */
  game: null,
  name: "",
  current: 0,
  /** The engine's facts about the position on the board; null until it has answered. */
  facts: null,
  /** The database results in this position, by move, with the position's own result under "". */
  endings: {},
  /** The values of the moves in this position by the book and the databases, by move; null until they have been found. */
  values: null,
  /** The start and end squares of the hinted move, or null. */
  hint: null,
  /** The move of the explorer under the pointer, {from, to}, or null. */
  pointed: null,
  /** The squares to which a capture that the user has begun can go on. */
  continued: [],
  /** The premove, {from, to}, or null. */
  premove: null,
  /** The reason why the program cannot be reached; empty if it can be. */
  offline: "",
  flipped: preferences.flipped,
  /** The engines to choose from, and the options of this program. */
  engines: [{ name: "kelso" }],
  declared: {},
  /** The analysis: whether it is on, its arrows and its score. It reports changes with `update({ analysis })`. */
  analysis: null,
  /** The way in which the node on the board was reached; see `go`. */
  arrival: null,
  /** The name of the opening or of the ballot on the board. */
  opening: "",
  /** The conditions on the games of the library that are listed, and that the explorer counts; see `Filter` in `crates/library`. */
  filter: {},
  /** The time at which the library has received the latest changes. */
  saved: 0,
  /** The games around the one on the board in the list: {place, count, previous, next}. */
  around: {},
  /** Whether the puzzles are the mistakes of the game in Study. */
  retrying: false,
  /** The node of a puzzle's moves on its board. */
  puzzle: 0,
  /** Whether the page has just left a game. */
  left: false,
};

const subscribers = [];

export function subscribe(names, listener) {
  subscribers.push({ names, listener });
}

export function update(change) {
  Object.assign(state, change);
  for (const { names, listener } of subscribers) if (names.some((name) => name in change)) listener(change);
}

/** Returns whether the board shows the current position of the game. */
export const atTip = () => state.current === state.game.tip;
/** Returns whether the game has a result, and is not played on from a position of a loaded game. Then it can only be studied. */
export function isOver() {
  const { ended, tree, base, tip } = state.game;
  return Boolean(ended) || (/\d/.test(tree.result) && (!tree.loaded || (!base && tip === tree.whole(0).at(-1))));
}
/** Returns the `position` command for the position on the board. */
export const position = () => state.game.tree.position(state.current);
/** Returns the position on the board as a job for an analysis, or null before the engine has answered. */
export const job = () =>
  state.facts && {
    tree: state.game.tree,
    node: state.current,
    position: position(),
    side: state.facts.side,
    over: state.facts.result !== "open",
  };
/** Describes the end of the game, or of the line on the board; empty until then. */
export const outcome = () => state.game.outcome(state.facts, atTip());
/** Returns the sides at the top and at the bottom. */
export const sides = () => (state.flipped ? ["w", "b"] : ["b", "w"]);

/** Returns a test of whether the same position of the same game is still on the board, for work that takes time. */
export function here() {
  const { game, current } = state;
  const { tree } = game;
  return () => state.game.tree === tree && state.current === current;
}
