// The row of buttons that step through the moves and turn the board.

import { enable, h, iconButton } from "./dom.js";
import { go, step } from "./navigate.js";
import { prefer } from "./preferences.js";
import { lastOf, state, subscribe, update } from "./state.js";
import { text } from "./text.js";

function flip() {
  const flipped = !state.flipped;
  prefer({ flipped });
  update({ flipped });
}

/** The keys for the buttons. */
export const STEP_KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  Home: () => go(0),
  End: () => go(lastOf()),
  f: flip,
};

export function steps() {
  const back = [iconButton("start", text.start, () => go(0)), iconButton("back", text.back, () => step(-1))];
  const forward = [iconButton("forward", text.forward, () => step(1)), iconButton("end", text.end, () => go(lastOf()))];
  subscribe(["current", "game"], () => {
    const { game, current } = state;
    for (const button of back) enable(button, current !== 0);
    for (const button of forward) enable(button, game.tree?.node(current).children.length > 0);
  });
  return h("div", { class: "steps" }, back, forward, iconButton("flip", text.flip, flip));
}
