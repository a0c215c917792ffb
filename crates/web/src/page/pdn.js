// Games as PDN: formatted here, and converted from the games that the server has read.

import { MISTAKES, readAnalysis, shownGlyphs, writtenComment } from "./marks.js";
import { text } from "./text.js";
import { START, Tree } from "./tree.js";

const WIDTH = 79;

const value = (words) =>
  String(words)
    .replace(/[\u0000-\u001f]/g, " ")
    .replace(/["\\]/g, "\\$&");

/** Returns a game as PDN: an unedited loaded game as it was read, and an edited one without new tags. */
export function write(tree, tags) {
  if (tree.source && !tree.edited) return tree.source;
  const result = tree.result ?? "*";
  const all = tree.loaded
    ? { ...tree.tags, Result: result }
    : { Event: "?", Date: "?", Black: "?", White: "?", ...tags, Result: result, GameType: "21" };
  const { nodes } = tree.node(tree.whole(0).at(-1));
  if (nodes) Object.assign(all, { Annotator: text.name, Analysis: `nodes=${nodes}` });
  if (tree.start !== START && !all.FEN) Object.assign(all, { SetUp: "1", FEN: tree.start });
  const head = Object.entries(all)
    .map(([name, words]) => `[${name} "${value(words)}"]\n`)
    .join("");
  const words = [...comment(writtenComment(tree.node(0), tree.side(0)))];
  line(tree, 0, words, true);
  words.push(result);
  return `${head}\n${wrapped(words)}\n`;
}

/** Returns the words of a comment. A comment that contains a closing brace is written after a semicolon, to the end of the line. */
function comment(words) {
  if (!words) return [];
  return words.includes("}") ? [`; ${words.replace(/\s+/g, " ")}\n`] : `{${words}}`.split(/\s+/);
}

function line(tree, from, words, numbered) {
  for (let at = from; tree.node(at).children.length;) {
    const [main, ...others] = tree.node(at).children;
    ply(tree, main, words, numbered);
    numbered = isCommented(tree, main);
    for (const other of others) {
      const inner = [];
      ply(tree, other, inner, true);
      line(tree, other, inner, isCommented(tree, other));
      inner[0] = `(${inner[0]}`;
      const last = inner.pop();
      words.push(...inner, ...(last.endsWith("\n") ? [last, ")"] : [`${last})`]));
      numbered = true;
    }
    at = main;
  }
}

function ply(tree, id, words, numbered) {
  const node = tree.node(id);
  const side = tree.side(node.parent);
  words.push(...comment(node.before));
  if (side === "b") words.push(`${tree.number(id)}.`);
  else if (numbered || node.before) words.push(`${tree.number(id)}...`);
  words.push(node.move, ...shownGlyphs(node).map((glyph) => `$${glyph}`), ...comment(writtenComment(node, side)));
}

const isCommented = (tree, id) => Boolean(writtenComment(tree.node(id), tree.side(tree.node(id).parent)));

/** Joins words into lines. No line begins with a word of a comment that could be taken for a tag or a skipped line. */
function wrapped(words) {
  let out = "",
    width = 0;
  for (const word of words) {
    const fits = width + word.length + 1 <= WIDTH || /^[[%]/.test(word);
    const gap = width === 0 ? "" : fits ? " " : "\n";
    out += gap + word;
    width = word.endsWith("\n") ? 0 : fits ? width + gap.length + word.length : word.length;
  }
  return out;
}

/** Reads the findings of a review from the comment and the glyphs of a move. */
function restore(tree, id) {
  const node = tree.node(id),
    found = readAnalysis(node.comment, tree.mover(id));
  if (!found) return;
  const verdict = found.words && node.glyphs?.find((glyph) => MISTAKES.includes(glyph)),
    glyphs = node.glyphs?.filter((glyph) => glyph !== verdict);
  Object.assign(node, found, { reviewed: true, verdict, glyphs: glyphs?.length ? glyphs : undefined });
}

/** Returns a game that the server has read as a tree; `fault` says why its moves end too early. */
export function read(game) {
  const tree = new Tree(game.start);
  if (game.comment) tree.node(0).comment = game.comment;
  const isAnalysed = game.tags.some(([name]) => name === "Analysis");
  const put = (from, plies, before) => {
    let at = from;
    for (const ply of plies) {
      const { move, comment, glyphs, variations } = typeof ply === "string" ? { move: ply } : ply;
      const next = tree.append(at, move, { before, comment, glyphs });
      if (isAnalysed && from === 0) restore(tree, next);
      for (const variation of variations ?? []) put(at, variation.plies, variation.comment || undefined);
      [at, before] = [next, undefined];
    }
  };
  // Moves without comments and variations are one text.
  put(0, typeof game.plies === "string" ? game.plies.split(" ") : game.plies);
  const { source, result, fault } = game;
  Object.assign(tree, { tags: Object.fromEntries(game.tags), result, loaded: true, source, fault, edited: false });
  // A game in an old encoding has no source.
  tree.source ??= write(tree, {});
  return tree;
}
