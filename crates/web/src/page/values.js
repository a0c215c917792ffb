// The values of the moves in a position. All parts of the page take the scores that they show from `valuesOf`, so that they agree:
//
// - The score of a position comes from its deepest source: a search, the opening book, a review, or what is known of its best move.
// - A move has the deepest of its own scores. It is comparable if it comes from the position's source, or is as deep.
// - The best of the comparable moves is the best move, and the position has its score.
// - Any other move is shallow: it is shown as no better than the best move, or the last line of a search that does not list it.

import { sourceOf, worth } from "./score.js";

/** Returns the first of the rows with the highest value, or undefined. */
const most = (rows, valueOf) =>
  rows.reduce((most, row) => (!most || valueOf(row) > valueOf(most) ? row : most), undefined);

/**
 * Returns the score of a position, {score, depth, by}, if it has one, with its source and its best move; and what is known of its
 * moves, {score, depth, by, isBest, isShallow} by move. `values` are those of the book and the databases, `node` replaces the
 * tree's, and the book gives a score to a position that is `searched`.
 */
export function valuesOf({ tree, id, values, node = tree.node(id), searched = false }) {
  const side = tree.side(id),
    worthOf = ({ score }) => worth(score, side),
    moves = {};
  /** Describes a score of a move, or of the position by its best move. A set has comparable scores, and a result any depth. */
  const row = (move, score, depth, by, set) => {
    const isResult = score.kind !== "cp" || by === "database";
    return { move, score, depth: isResult ? Infinity : (depth ?? 0), by, set };
  };
  const add = (found, next) => {
    if (!(moves[found.move]?.depth >= found.depth)) moves[found.move] = { ...found, next };
  };
  for (const [move, { kind, value, depth, next }] of Object.entries(node.lines ?? {}))
    add(row(move, { kind, value, side }, depth, "engine", node.listed?.includes(move) && "engine"), next);
  const found = Object.entries(values ?? {}).flatMap(([move, value]) =>
    value ? row(move, { ...value, side }, value.depth, value.by, value.by === "engine" ? "search" : value.by) : [],
  );
  for (const value of found) add(value);
  for (const child of node.children.map((at) => tree.node(at))) {
    const by = sourceOf(child);
    if (child.score) add(row(child.move, child.score, (child.depth ?? 0) + 1, by, by === "review" && by));
  }
  const known = Object.values(moves),
    fromBook = found.filter(({ set }) => set === "book"),
    book = most(fromBook, worthOf),
    by = sourceOf(node),
    given = node.score && row(node.best ?? book?.move, node.score, node.depth, by, by),
    own = (searched || given) && most([book, given].filter(Boolean), ({ depth }) => depth),
    source = own || most(known, ({ depth }) => depth),
    named = own?.move;
  // A source's best move has its score, and the others are no better.
  if (named && !(moves[named]?.depth > own.depth)) moves[named] = { ...own, next: moves[named]?.next };
  const rows = Object.values(moves),
    isShallow = ({ set, depth }) => depth < source.depth && !(set && set === source.set),
    comparable = rows.filter((row) => !isShallow(row)),
    limitTo = (limit, row) => {
      row.isLimited = limit && worthOf(row) > worthOf(limit);
      if (row.isLimited) row.score = limit.score;
    };
  for (const row of comparable) if (own && row.depth <= own.depth) limitTo(own, row);
  const leader = most(named ? [moves[named], ...comparable] : comparable, worthOf),
    best = !own || named || (leader && worthOf(leader) >= worthOf(own)) ? leader : undefined,
    top = own && (best ?? own),
    listed = comparable.filter(({ set }) => set === "engine" && set === source.set),
    last = most(listed, (row) => -worthOf(row)) ?? top,
    isChoice = best && rows.some((row) => worthOf(row) < worthOf(best));
  for (const row of rows) {
    row.isShallow = isShallow(row);
    if (row.isShallow) limitTo(last, row);
    else row.isBest = own ? row === best : isChoice && worthOf(row) === worthOf(best);
  }
  return { ...(top && { score: top.score, depth: top.depth, by: top.by }), source: own, best: best?.move, moves };
}

/** Keeps the lines of a search, the best first, with their position, which gets their score unless that of another source is deeper. */
export function record(node, lines, side) {
  const [{ kind, value, depth, moves }] = lines,
    isDeeper = depth > (node.depth ?? 0) - Number(sourceOf(node) === "engine"),
    isSource = kind !== "cp" || (isDeeper && (node.score?.kind ?? "cp") === "cp"),
    score = { kind, value, side };
  if (isSource)
    Object.assign(node, { score, depth, by: "engine", best: moves[0], listed: lines.map(({ moves }) => moves[0]) });
  node.lines ??= {};
  for (const { moves, kind, value, depth } of lines.toReversed())
    if (isSource || !(node.lines[moves[0]]?.depth > depth))
      node.lines[moves[0]] = { kind, value, depth, next: moves[1] };
}

/** Keeps the score of a position, and its moves' deeper scores with the positions after them. Returns whether a review's has changed. */
export function settle(place) {
  const { tree, id } = place,
    node = tree.node(id),
    { source, score, best, moves } = valuesOf(place);
  if (!score) return false;
  const isNew = node.reviewed && source.by !== sourceOf(node);
  Object.assign(node, { score, best }, source.by === "book" && { by: "book", depth: source.depth });
  for (const child of node.children.map((at) => tree.node(at))) {
    const { score, depth, by, next, isLimited } = moves[child.move] ?? {},
      isDeeper = depth < Infinity && depth - 1 > (child.depth ?? 0) && child.score?.kind === "cp";
    if (isDeeper && !isLimited)
      Object.assign(child, { score, depth: depth - 1, by, best: next ?? child.best, listed: [] });
  }
  return isNew;
}
