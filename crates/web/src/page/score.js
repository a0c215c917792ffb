// Scores, for either side, as numbers and in words. A score is {kind, value}: "cp" and hundredths of a man, or "win" or
// "loss" and plies (null if only a database knows it), for the side to move; a stored score is {kind, value, side}.

import { lead } from "./diagram.js";
import { text } from "./text.js";
import { OTHER_SIDE } from "./tree.js";

/**
 * The leads, in hundredths of a man, from which a side is slightly better, is better, is likely to win and is winning. The
 * engine then expects 57%, 66%, 84% and 95% of a point, as in the verdicts of a review.
 */
const LEADS = [25, 60, 150, 265];

/** Returns the side for which a score is decided, or null. */
export const winner = ({ kind, side }) => ({ win: side, loss: OTHER_SIDE[side] })[kind] ?? null;

/** Converts a score for bars and charts: from -1 (Black has won) to 1 (White has won). */
export function share(score) {
  const won = winner(score);
  if (won) return won === "w" ? 1 : -1;
  return lead(score.side === "w" ? score.value : -score.value);
}

/** Returns the worth of a score for a side, from -1 to 1. */
export const worth = (score, side) => (side === "w" ? 1 : -1) * share(score);

/** Returns whether a side is no more than slightly worse. */
export const holds = (score, side) => worth(score, side) > worth({ kind: "cp", value: -LEADS[1], side }, side);

/** Returns what has given its score to a node of a game: a review, the opening book or an engine. */
export const sourceOf = ({ by, reviewed }) => by ?? (reviewed ? "review" : "engine");

/** Formats a score: "+0.31" if White leads, "White in 5" if it wins in five moves, or "White wins". */
export function short(score) {
  const won = winner(score);
  if (won) return text.winsIn(text.sides[won], score.value);
  const value = score.side === "w" ? score.value : -score.value;
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${text.lead(value)}`;
}

/** Describes a score: "White wins (by the databases)", "Black is slightly better", "About equal". */
export function words(score, { known = false } = {}) {
  const source = known || (score.value === null && !score.book) ? text.database : "";
  const won = winner(score);
  if (won) return text.verdict(text.wins(text.sides[won], score.value), source);
  if (known && score.value === 0) return text.verdict(text.drawn, source);
  const { value, side } = score,
    degree = LEADS.findLastIndex((lead) => Math.abs(value) >= lead);
  return degree < 0 ? text.level : text.outlook[degree](text.sides[value > 0 ? side : OTHER_SIDE[side]]);
}

/** Describes a score in words and in numbers: "White is slightly better (+0.31)". */
export const scored = (score) => (winner(score) ? words(score) : `${words(score)} (${short(score)})`);
