// Games as PDN, and from what the server has read of PDN.

import { Tree } from "./tree.js";

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const WIDTH = 79;

const value = (words) => String(words).replace(/[\u0000-\u001f]/g, " ").replace(/["\\]/g, "\\$&");
const comment = (words) => `{${words.replace(/[{}]/g, " ")}}`;

/** A game as PDN. */
export function write(tree, tags, result) {
  const all = { Event: "?", Date: "?", Black: "?", White: "?", ...tags, Result: result, GameType: "21" };
  if (tree.start !== START) Object.assign(all, { SetUp: "1", FEN: tree.start });
  const head = Object.entries(all).map(([name, words]) => `[${name} "${value(words)}"]\n`).join("");
  const words = [];
  if (tree.node(0).comment) words.push(comment(tree.node(0).comment));
  line(tree, 0, words, true);
  words.push(result);
  return `${head}\n${wrapped(words)}\n`;
}

function line(tree, from, words, numbered) {
  for (let at = from; tree.node(at).children.length; ) {
    const [main, ...others] = tree.node(at).children;
    ply(tree, main, words, numbered);
    numbered = Boolean(tree.node(main).comment);
    for (const other of others) {
      const inner = [];
      ply(tree, other, inner, true);
      line(tree, other, inner, false);
      inner[0] = `(${inner[0]}`;
      inner.push(`${inner.pop()})`);
      words.push(...inner);
      numbered = true;
    }
    at = main;
  }
}

function ply(tree, id, words, numbered) {
  const node = tree.node(id);
  const side = tree.side(node.parent);
  if (side === "b") words.push(`${tree.number(id)}.`);
  else if (numbered) words.push(`${tree.number(id)}...`);
  words.push(node.move, ...(node.glyphs ?? []).map((glyph) => `$${glyph}`));
  if (node.comment) words.push(comment(node.comment));
}

function wrapped(words) {
  let out = "", width = 0;
  for (const word of words.flatMap((word) => word.startsWith("{") ? word.split(" ") : [word])) {
    const fits = width + word.length + 1 <= WIDTH;
    out += width === 0 ? word : fits ? ` ${word}` : `\n${word}`;
    width = fits && width ? width + word.length + 1 : word.length;
  }
  return out;
}

/** A game that the server has read, as a tree. */
export function read(game) {
  const tree = new Tree(game.start);
  tree.tags = Object.fromEntries(game.tags);
  tree.result = game.complete ? game.result : undefined;
  if (game.comment) tree.node(0).comment = game.comment;
  const put = (from, plies) => {
    let at = from;
    for (const { move, comment, glyphs, variations } of plies) {
      const next = tree.add(at, move, { comment, glyphs });
      for (const variation of variations ?? []) put(at, variation.plies);
      at = next;
    }
    return at;
  };
  put(0, game.plies);
  return tree;
}
