// Scores, for either side, as numbers and in words. A score is {kind, value}: "cp" and hundredths of a man, or "win" or
// "loss" and plies (null if only a database knows it), for the side to move; a stored score is {kind, value, side}.

import { lead } from "./diagram.js";
import { text } from "./text.js";
import { OTHER_SIDE } from "./tree.js";

/** Returns the side for which a score is decided, or null. */
export function winner({ kind, value, side }) {
  if (kind === "win") return side;
  if (kind === "loss") return OTHER_SIDE[side];
  return null;
}

/** Converts a score for bars and charts: from -1 (Black has won) to 1 (White has won). */
export function share(score) {
  const won = winner(score);
  if (won) return won === "w" ? 1 : -1;
  return lead(score.side === "w" ? score.value : -score.value);
}

/** Formats a score: "+0.31" if `side` leads, "White in 5" if it wins in five moves, or "White wins" without a known distance. */
export function short(score, side = "w") {
  const won = winner(score);
  if (won) return text.winsIn(text.sides[won], score.value);
  const value = score.side === side ? score.value : -score.value;
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${(Math.abs(value) / 100).toFixed(2)}`;
}

/** Describes a score: "White wins in 12 moves", "White wins (database)", "Black is ahead by 0.40 men", "Level". */
export function words(score, known) {
  const source = known || (score.value === null && !score.book) ? text.database : "";
  const won = winner(score);
  if (won) return text.verdict(text.wins(text.sides[won], score.value), source);
  if (known && score.value === 0) return text.verdict(text.drawn, source);
  if (Math.abs(score.value) < 10) return text.level;
  const ahead = score.value > 0 ? score.side : OTHER_SIDE[score.side];
  return text.ahead(text.sides[ahead], text.men(score.value));
}

/** Compares the scores of the best and of the played move, for the side that moves: "Black +0.13, not −0.82". */
export function compared(best, played) {
  const named = (score) =>
    winner(score) ? words(score) : text.scoreFor(text.sides[score.side], short(score, score.side));
  if (winner(best) || winner(played)) return text.nowScore(named(best), named(played));
  return text.notScore(named(best), short(played, played.side));
}

/** Returns the chances of a win for each side and of a draw, in thousandths, or null if the engine does not report them. */
export function chances(wdl, side) {
  if (!wdl) return null;
  const [win, draw, loss] = wdl;
  return side === "b" ? { b: win, draw, w: loss } : { b: loss, draw, w: win };
}
