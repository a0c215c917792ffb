// Marks of moves: glyphs as PDN numbers them, verdicts of a review, and the times of clocks in comments.

/** The glyphs for blunders, mistakes and doubtful moves, the worst first. */
export const MISTAKES = [4, 2, 6];

/** Returns the glyph of a move that the review or a mark calls a mistake. */
export const mistakeOf = ({ verdict, glyphs }) =>
  [verdict, ...(glyphs ?? [])].find((glyph) => MISTAKES.includes(glyph));

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
  const circles = arrows.filter(([from, to]) => from === to).map(([square]) => square),
    others = arrows.filter(([from, to]) => from !== to);
  return [
    others.length && `[%arrows ${others.map((ends) => ends.join("-")).join(",")}]`,
    circles.length && `[%circles ${circles.join(",")}]`,
  ].filter(Boolean);
}

/** Returns a comment as written in PDN: with the time left for the side that moved, and with the user's arrows. */
export function writtenComment(node, side) {
  const isNew = node.clock && command(node.comment, "clk") === undefined;
  const comment = node.arrows ? node.comment?.replace(/\[%(arrows|circles) [^\]]*\] ?/g, "") : node.comment;
  return [isNew && `[%clk ${clockTime(node.clock[side])}]`, ...arrowCommands(node.arrows ?? []), comment]
    .filter(Boolean)
    .join(" ");
}
