// Positions and games in the address of the page: `#fen=FEN&moves=11-15,23-18` for a line, and `#game=DATA&moves=...` for a game
// with variations, comments or arrows, where DATA is the compressed PDN. The server never sees this part.

import { isMarked } from "./marks.js";
import { read as readTree, write as writeTree } from "./pdn.js";
import { text } from "./text.js";
import { readGames } from "./transport.js";
import { START, Tree } from "./tree.js";

const FORMAT = "deflate-raw";

/** Returns whether a game has more than a single line of moves. */
const isRich = (tree) => {
  const isLine = (node) => node.children.length < 2 && !node.comment && !isMarked(node);
  return tree.nodes.some((node) => tree.has(node.id) && !isLine(node));
};

/** Passes data through a stream that compresses or expands it. */
const through = (data, stream) => new Response(new Blob([data]).stream().pipeThrough(stream)).arrayBuffer();

async function packed(words) {
  const bytes = new Uint8Array(await through(words, new CompressionStream(FORMAT)));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(letters) {
  try {
    const letterOf = (letter) => letter.charCodeAt(0),
      bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), letterOf);
    return new TextDecoder().decode(await through(bytes, new DecompressionStream(FORMAT)));
  } catch {
    throw new Error(text.cutLink);
  }
}

/** Returns the address that shows a node. `tags` belong to a game that was played here. */
export async function write(tree, id, tags) {
  const moves = tree.moves(id).join(",");
  const start = isRich(tree)
    ? `game=${await packed(writeTree(tree, tags))}`
    : tree.start !== START && `fen=${tree.start}`;
  const parts = [start, moves && `moves=${moves}`].filter(Boolean);
  return `${location.origin}${location.pathname}#${parts.join("&") || `fen=${START}`}`;
}

/** Returns the parts of the address that show a position or a game. */
function parts() {
  const words = new URLSearchParams(location.hash.slice(1));
  return ["fen", "moves", "game"].map((name) => words.get(name));
}

export const isLink = () => parts().some(Boolean);

/** Returns the tree and the node that the address shows, or null. The engine checks whether the moves are legal. */
export async function read(rules) {
  const [fen, moves, game] = parts();
  if (!isLink()) return null;
  const tree = game ? await readGame(game) : new Tree(fen ? (await rules.facts(`position fen ${fen}`)).fen : START);
  const node = tree.extend(0, moves?.match(/[^ ,]+/g) ?? []);
  await rules.facts(tree.position(node));
  return { tree, node };
}

async function readGame(letters) {
  const { games, faults } = await readGames(await unpacked(letters));
  if (!games.length) throw new Error(faults[0]?.text ?? "");
  return readTree(games[0]);
}
