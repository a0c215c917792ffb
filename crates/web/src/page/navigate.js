// Steps through the game: puts a position on the board, asks the program for its moves, and has the buttons and keys for that.

import { box, enable, iconButton } from "./dom.js";
import { prefer } from "./preferences.js";
import { rules } from "./program.js";
import { position, state, subscribe, update } from "./state.js";
import { report } from "./status.js";
import { text } from "./text.js";

/** The maximum number of pieces for which the endgame databases are queried. */
const LARGEST_ENDING = 7;

let asked = 0;
/** Functions that wait for the program's facts about the position on the board. */
const waiting = [];

/** Resolves when the program has sent the facts about the position on the board. */
export const settled = () => new Promise((resolve) => (state.facts ? resolve(null) : waiting.push(resolve)));

/** Shows a node and its moves. `advanced` says that the board shows it already, `justMoved` that it is new. */
export async function go(id, { animate = false, advanced = false, justMoved = false } = {}) {
  const ask = ++asked;
  const arrival = { animate, advanced, justMoved };
  update({ current: id, facts: null, endings: {}, values: null, hint: null, arrival });
  const facts = await rules.facts(position()).catch((error) => report(error.message));
  if (!facts || ask !== asked) return;
  if (!performance.getEntriesByName("moves").length) performance.mark("moves");
  state.game.tree.node(id).fen = facts.fen;
  update({ facts });
  for (const resolve of waiting.splice(0)) resolve();
  if (isEnding(facts.fen)) probe(ask);
}

/** Returns whether the endgame databases may have a position. */
export const isEnding = (fen) => (fen.match(/\d+/g) ?? []).length <= LARGEST_ENDING;

async function probe(ask) {
  const endings = await rules.ask((engine) => engine.probe(position())).catch(() => ({}));
  if (ask === asked) update({ endings });
}

export function flip() {
  const flipped = !state.flipped;
  prefer({ flipped });
  update({ flipped });
}

/** Returns the keys that step through moves; `where` returns the tree, the node shown, and a function that shows another. */
export function stepping(where) {
  const to = (next, options) => () => {
    const { tree, at, go } = where(),
      id = tree ? next(tree, at) : at;
    if (id >= 0 && id !== at) go(id, options);
  };
  return {
    Home: to(() => 0),
    ArrowLeft: to((tree, at) => tree.node(at).parent),
    ArrowRight: to((tree, at) => tree.node(at).children[0], { animate: true }),
    End: to((tree, at) => tree.whole(at).pop()),
  };
}

const game = () => ({ tree: state.game.tree, at: state.current, go });
export const STEP_KEYS = stepping(game);

/** Creates the buttons that step through the game, or through other moves. */
export function steps(where = game, keys = STEP_KEYS) {
  const back = [iconButton("start", text.start, keys.Home), iconButton("back", text.back, keys.ArrowLeft)];
  const forward = [iconButton("forward", text.forward, keys.ArrowRight), iconButton("end", text.end, keys.End)];
  subscribe(["current", "game", "puzzle"], () => {
    const { tree, at } = where();
    for (const button of back) enable(button, at !== 0);
    for (const button of forward) enable(button, tree?.node(at).children.length > 0);
  });
  return box("steps", back, forward, where === game && iconButton("flip", text.flip, flip));
}
