// The user's progress: the results of puzzles, a rating, and when a puzzle is due again.

import { preferences, prefer } from "./preferences.js";

/** How a puzzle was solved last. */
export const SOLVED = { alone: 2, helped: 1 };

const DAY = 24 * 3600 * 1000;
/**
 * The days after which a puzzle is due again, and the factor by which this interval grows each time the puzzle is solved
 * unaided.
 */
const FIRST_INTERVAL = 1,
  GROWTH = 3;
/** A puzzle counts as learned once its interval is this many days. */
const LEARNED = 60;
/** Maximum change of the rating by one result: at first, and later. */
const STEP = { first: 48, later: 24 },
  FIRST_RESULTS = 20;

/** Returns the record of a puzzle: {how, next, days}, or undefined if it was never finished. */
export const resultOf = ({ fen }) => preferences.puzzles[fen];

/** Returns whether a puzzle is to be repeated now. */
export const isDue = (puzzle, now = Date.now()) => resultOf(puzzle)?.next <= now;

/** Returns the expected share of puzzles of one rating that a player of another rating solves. */
const expected = (player, puzzle) => 1 / (1 + 10 ** ((puzzle - player) / 400));

/** Returns the result of a puzzle and when it is due again. Puzzles once solved with help return at growing intervals. */
function repeated(before, alone, now) {
  const how = alone ? SOLVED.alone : SOLVED.helped;
  if (!alone) return { how, days: FIRST_INTERVAL, next: now + FIRST_INTERVAL * DAY };
  if (!before?.days) return { how };
  const days = before.days * GROWTH;
  return days > LEARNED ? { how } : { how, days, next: now + days * DAY };
}

/**
 * Records that a puzzle was solved, `alone` or not. The rating and the streak count a puzzle that is new or due; others are
 * practice.
 */
export function note(puzzle, alone, now = Date.now()) {
  const before = resultOf(puzzle);
  const change = { puzzles: { ...preferences.puzzles, [puzzle.fen]: repeated(before, alone, now) } };
  if (before && !isDue(puzzle, now)) {
    // Extra practice does not postpone the puzzle's next review.
    if (before.next) change.puzzles[puzzle.fen] = { ...before, how: alone ? SOLVED.alone : before.how };
    return prefer(change);
  }
  const { rating, results, streak, longest } = preferences.training;
  const step = results < FIRST_RESULTS ? STEP.first : STEP.later;
  const gain = puzzle.rating ? step * ((alone ? 1 : 0) - expected(rating, puzzle.rating)) : 0;
  const run = alone ? streak + 1 : 0;
  prefer({
    ...change,
    training: { rating: Math.round(rating + gain), results: results + 1, streak: run, longest: Math.max(longest, run) },
  });
}
