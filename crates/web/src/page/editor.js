// Edits of the moves: the main line, deletion, marks, comments and tags, each of which can be undone.

import { go } from "./navigate.js";
import { state, update } from "./state.js";
import { Tree } from "./tree.js";

const MOST_UNDONE = 100;

let history = [];

export const canUndo = () => history.length > 0;

export function remember() {
  const { game, current } = state;
  const { tree, tip } = game;
  history.push({ tree: JSON.stringify(tree), current, tip });
  if (history.length > MOST_UNDONE) history.shift();
}

export function forget() {
  history = [];
}

/** Changes the tree. `change` may return the node to show; with `again`, Undo also takes back the change before. */
export function edit(change, again = false) {
  const { game } = state;
  if (!again) remember();
  const shown = change(game.tree) ?? state.current;
  // The end of the game may have been removed.
  if (!game.tree.has(game.tip)) game.playFrom(shown);
  update({ game });
  return go(shown);
}

export const promote = () => edit((tree) => tree.promote(state.current));

export function remove() {
  return edit((tree) => {
    tree.remove(state.current);
    return tree.node(state.current).parent;
  });
}

export const annotate = (change, id = state.current) => edit((tree) => tree.annotate(id, change));

/** Sets a mark of a move, or removes it. Other marks, such as those of the position, are kept. */
export function mark(glyph, isMark) {
  const others = (state.game.tree.node(state.current).glyphs ?? []).filter((other) => !isMark(other));
  const glyphs = glyph ? [glyph, ...others] : others;
  // The user's mark replaces the review's verdict.
  return annotate({
    glyphs: glyphs.length ? glyphs : undefined,
    verdict: undefined,
    words: undefined,
    better: undefined,
  });
}

export function sketch(arrows) {
  const { game, mode, current } = state;
  if (mode === "study") remember();
  game.tree.annotate(current, { arrows });
  update({ game });
}

export const describe = (tags, result) => edit((tree) => void Object.assign(tree, { tags, result, edited: true }));

export function addLine({ tree, node }, moves) {
  if (tree === state.game.tree && moves.length) edit(() => tree.extend(node, moves));
}

export function undo() {
  const before = history.pop();
  if (!before) return;
  const { game } = state;
  game.halt();
  game.tree = Tree.revive(JSON.parse(before.tree));
  game.tip = before.tip;
  go(before.current);
}
