// The row of buttons that step through the moves and turn the board.

import { box, enable, iconButton } from "./dom.js";
import { go } from "./navigate.js";
import { prefer } from "./preferences.js";
import { state, subscribe, update } from "./state.js";
import { text } from "./text.js";

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
