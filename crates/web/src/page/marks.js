// Marks of moves: glyphs as PDN numbers them, verdicts of a review, and the times of clocks in comments.

import { joined, text } from "./text.js";

/** The glyphs for blunders, mistakes and doubtful moves, the worst first. */
export const MISTAKES = [4, 2, 6];

/** Returns the glyph of a move that the review or a mark calls a mistake. */
export const mistakeOf = ({ verdict, glyphs }) =>
  [verdict, ...(glyphs ?? [])].find((glyph) => MISTAKES.includes(glyph));

/** Returns the glyphs to show at a move: the user's, with the verdict of a review unless the user has marked the move. */
export function shownGlyphs({ verdict, glyphs = [] }) {
  return !verdict || glyphs.some((glyph) => text.glyphs[glyph]) ? glyphs : [verdict, ...glyphs];
}

/** Returns the class of a move's glyph, which says whether a review has given it, and checked it. */
export const kindOf = ({ verdict, checked }, glyph) =>
  joined([`glyph-${glyph}`, glyph === verdict && "by-review", checked && "checked"], " ");

/** Returns the verdict of a review in words and the comment on a move, without commands. */
export const remarks = ({ words, comment }) =>
  joined([words?.replace(/^./, (first) => first.toUpperCase()), plainComment(comment)], "; ");

/** Returns whether a position or the move to it has words, marks or arrows. */
export const isMarked = (node) => Boolean(remarks(node) || shownGlyphs(node).length || arrowsOf(node).length);

/** Returns the mean accuracy of a side's reviewed moves on a line in percent, or null if no move counts. */
export function accuracyOf(tree, line, color) {
  const own = line.filter((id) => id && tree.node(id).accuracy !== undefined && tree.mover(id) === color);
  return own.length ? own.reduce((sum, id) => sum + tree.node(id).accuracy, 0) / own.length : null;
}

/** Returns the better move than a mistake, which a review has found or a variation has; undefined if there is none. */
export function betterMove(tree, id) {
  const node = tree.node(id),
    other = mistakeOf(node) && tree.node(node.parent).children.find((child) => child !== id);
  return mistakeOf(node) && (node.better ?? tree.node(other)?.move);
}

const COMMAND = /\[%(\w+) ([^\]]*)\]/g;

/** Returns a comment without the commands in it, such as `[%clk 0:04:58]`. */
export const plainComment = (comment) => comment?.replace(COMMAND, "").trim();

/** Returns the value of a command in a comment, or undefined. */
const command = (comment, name) => [...(comment?.matchAll(COMMAND) ?? [])].find(([, known]) => known === name)?.[2];

const two = (number) => String(number).padStart(2, "0");

/** Formats milliseconds in PDN notation for the time left: 0:04:58. */
export function clockTime(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Returns the time left for the side that moved to a node, in PDN notation, or undefined if it is not known. */
export const timeOf = ({ clock, comment }, side) => (clock ? clockTime(clock[side]) : command(comment, "clk"));

/** Returns the arrows and circles that the user has drawn on a position: [from, to], equal for a circle. */
export function arrowsOf({ arrows, comment }) {
  if (arrows) return arrows;
  const drawn = (name) =>
    command(comment, name)
      ?.split(",")
      .map((words) => words.split("-").map(Number)) ?? [];
  const isSquare = (square) => Number.isInteger(square) && square >= 1 && square <= 32;
  return [...drawn("arrows"), ...drawn("circles")]
    .map(([from, to = from]) => [from, to])
    .filter((ends) => ends.every(isSquare));
}

/** Returns the commands that describe arrows and circles, as `[%arrows 11-15,22-18]` and `[%circles 14]`. */
function arrowCommands(arrows) {
  const drawn = { arrows: [], circles: [] };
  for (const [from, to] of arrows) drawn[from === to ? "circles" : "arrows"].push(from === to ? from : `${from}-${to}`);
  return Object.entries(drawn).map(([name, words]) => words.length > 0 && `[%${name} ${words.join(",")}]`);
}

/** Reads a score after a move as files write it for the side that moved: "+34", "win5", "loss"; null if it is not one. */
export function readScore(written, side) {
  const [, cp, kind, plies] = /^(?:([+-]?\d+)|(win|loss)(\d*))$/.exec(written ?? "") ?? [];
  if (cp) return { kind: "cp", value: Number(cp), side };
  // The move itself counts as a ply.
  return kind ? { kind, value: plies ? Math.max(0, Number(plies) - 1) : null, side } : null;
}

/** Writes a score after a move for the side that moved. */
function writtenScore({ kind, value, side }, mover) {
  const turned = side === mover ? 1 : -1;
  if (kind === "cp") return `${value * turned >= 0 ? "+" : ""}${value * turned}`;
  return `${(kind === "win") === turned > 0 ? "win" : "loss"}${value === null ? "" : value + 1}`;
}

/** A comment as `kelso analyse` writes it: the score and depth, the verdict in words, and another comment. */
const ANALYSED =
  /^score=([^\s;]+)(?: depth=(\d+))?(?: wdl=[^\s;]+)?(?:; )?((?:blunder|mistake|inaccuracy|[a-z ]+ \((?:database|search)\))(?:: (?:this |\d+[-x])[^;]*)?(?=; |$))?(?:; )?/;

/** Reads the comment on a move of a game that was analysed: {score, depth, words, comment}, or null. */
export function readAnalysis(comment, side) {
  const [all, written, depth, words] = ANALYSED.exec(comment ?? "") ?? [],
    score = readScore(written, side);
  return score && { score, depth: depth && Number(depth), words, comment: comment.slice(all.length) || undefined };
}

/** Returns a review's findings as `kelso analyse` writes them. */
function analysed({ reviewed, score, depth, words }, side) {
  if (!reviewed || !score) return words;
  return joined([`score=${writtenScore(score, side)}${depth === undefined ? "" : ` depth=${depth}`}`, words], "; ");
}

/** Returns a comment as written in PDN: with a review's findings, the time left and the user's arrows. */
export function writtenComment(node, side) {
  const isNew = node.clock && command(node.comment, "clk") === undefined;
  const comment = node.arrows ? node.comment?.replace(/\[%(arrows|circles) [^\]]*\] ?/g, "") : node.comment;
  const own = [isNew && `[%clk ${clockTime(node.clock[side])}]`, ...arrowCommands(node.arrows ?? []), comment];
  return joined([analysed(node, side), joined(own, " ")], "; ");
}
