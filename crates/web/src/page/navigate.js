// Steps through the game: puts a position on the board, and asks the program for the possible moves.

import { rules } from "./program.js";
import { position, state, update } from "./state.js";
import { report } from "./status.js";

/** The maximum number of pieces for which the endgame databases are queried. */
const LARGEST_ENDING = 7;

let asked = 0;
/** Functions that wait for the program's facts about the position on the board. */
const waiting = [];

/** Resolves when the program has sent the facts about the position on the board. */
export const settled = () =>
  state.facts
    ? Promise.resolve()
    : new Promise((resolve) => {
        waiting.push(resolve);
      });

/** Shows a node and its moves. `advanced` says that the board shows it already, `justMoved` that it is new. */
export async function go(id, { animate = false, advanced = false, justMoved = false } = {}) {
  const ask = ++asked;
  update({
    current: id,
    facts: null,
    endings: {},
    values: null,
    hint: null,
    arrival: { animate, advanced, justMoved },
  });
  let facts;
  try {
    facts = await rules.facts(position());
  } catch (error) {
    return report(error.message);
  }
  if (ask !== asked) return;
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
