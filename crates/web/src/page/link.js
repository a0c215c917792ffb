// Positions in the address of the page: `#fen=FEN&moves=11-15,23-18`. The server never sees this part.

import { START, Tree } from "./tree.js";

/** Returns the address that shows a node. */
export function write(tree, id) {
  const moves = tree.line(id).slice(1).map((at) => tree.node(at).move);
  const parts = [tree.start !== START && `fen=${tree.start}`, moves.length && `moves=${moves.join(",")}`].filter(Boolean);
  return `${location.origin}${location.pathname}#${parts.join("&") || `fen=${START}`}`;
}

/**
 * Returns the tree that the address shows, and removes it from the address; null if there is none. Whether the moves are
 * legal is checked by the engine.
 */
export async function read(rules) {
  const words = new URLSearchParams(location.hash.slice(1));
  const [fen, moves] = [words.get("fen"), words.get("moves")];
  if (!fen && !moves) return null;
  history.replaceState(null, "", location.pathname);
  const start = fen ? (await rules.facts(`position fen ${fen}`)).fen : START;
  const tree = new Tree(start);
  let at = 0;
  for (const move of (moves ?? "").split(/[ ,]+/).filter(Boolean)) at = tree.add(at, move);
  await rules.facts(tree.position(at));
  return tree;
}
