// Scores, for either side, as numbers and in words. A score is {kind, value}: "cp" and hundredths of a man, or "win" or
// "loss" and plies (null if only a database knows it), for the side to move; a stored score is {kind, value, side}.

import { lead } from "./diagram.js";
import { text } from "./text.js";
import { OTHER_SIDE } from "./tree.js";

/** A lead below this, in hundredths of a man, is called level. */
const EVEN = 10;
/** From this lead on, an engine expects to win nine games of ten, with seven pieces or more. */
const WINNING = 200;

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

/** Formats a score: "+0.31" if White leads, "White in 5" if it wins in five moves, or "White wins" without a known distance. */
export function short(score) {
  const won = winner(score);
  if (won) return text.winsIn(text.sides[won], score.value);
  const value = score.side === "w" ? score.value : -score.value;
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${text.lead(value)}`;
}

/** Returns the name of the side that leads in an open position, or undefined if the score is level. */
const leader = ({ value, side }) =>
  Math.abs(value) < EVEN ? undefined : text.sides[value > 0 ? side : OTHER_SIDE[side]];

/** Returns the name of the side that wins or is about to, or undefined. */
const favourite = (score) => text.sides[winner(score)] ?? (Math.abs(score.value) < WINNING ? undefined : leader(score));

/** Describes a score: "White wins (database)", "Black is winning", "Black leads by 0.40 men"; or the chances of an engine, `likely`. */
export function words(score, { known = false, likely = null } = {}) {
  const source = known || (score.value === null && !score.book) ? text.database : "";
  const won = winner(score);
  if (won) return text.verdict(text.wins(text.sides[won], score.value), source);
  if (known && score.value === 0) return text.verdict(text.drawn, source);
  const name = leader(score);
  if (favourite(score)) return text.winning(name);
  if (likely) return text.likely(likely, score);
  return name ? text.ahead(name, text.lead(score.value)) : text.level;
}

/** Compares the scores after the best and the played move: "Black leads by 0.63, not 0.18", "level. Now White is winning". */
export function compared(best, played) {
  const [better, worse] = [best, played].map(leader),
    [before, now] = [best, played].map(favourite),
    by = (name, { value }) => (name ? text.by(name, text.lead(value)) : text.even);
  if (before && before === now && !winner(best) && !winner(played))
    return text.verdict(words(best), text.notScore(short(best), short(played)));
  if (before || now)
    return text.nowScore(before ? words(best) : by(better, best), now ? words(played) : by(worse, played));
  return text.notScore(
    better ? text.leads(better, text.lead(best.value)) : text.even,
    better === worse ? text.lead(played.value) : by(worse, played),
  );
}

/** Returns the chances of a win for each side and of a draw, in thousandths, or null if the engine does not report them. */
export function chances(wdl, side) {
  if (!wdl) return null;
  const [win, draw, loss] = wdl;
  return side === "b" ? { b: win, draw, w: loss } : { b: loss, draw, w: win };
}
