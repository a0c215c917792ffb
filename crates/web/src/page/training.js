// The user's progress: the results of puzzles, a rating, and when a puzzle is due again.

import { preferences, prefer } from "./preferences.js";

/** The outcomes of a puzzle: not solved yet, solved with help or after a mistake, and solved unaided. */
export const OUTCOME = { failed: 0, helped: 1, alone: 2 };

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

/** Returns the record of a puzzle: {how, next, days}, or undefined if it was never tried. */
export const resultOf = ({ fen }) => preferences.puzzles[fen];

/** Returns whether a puzzle is to be repeated now. */
export const isDue = (puzzle, now = Date.now()) => resultOf(puzzle)?.next <= now;

/** Returns the puzzle to try next: one that is due, or the untried one whose rating is nearest to the user's. */
export function pick(puzzles, now = Date.now()) {
  const due = puzzles.find((puzzle) => isDue(puzzle, now));
  if (due) return due;
  const distance = ({ rating = 0 }) => Math.abs(rating - preferences.training.rating);
  const nearer = (best, puzzle) => (!best || distance(puzzle) < distance(best) ? puzzle : best);
  return puzzles.filter((puzzle) => !resultOf(puzzle)).reduce(nearer, null) ?? puzzles[0];
}

/** Returns the expected share of puzzles of one rating that a player of another rating solves. */
const expected = (player, puzzle) => 1 / (1 + 10 ** ((puzzle - player) / 400));

/** Returns the record of a puzzle after an outcome. Puzzles once not solved unaided return at growing intervals. */
function repeated(before, how, now) {
  if (how !== OUTCOME.alone) return { how, days: FIRST_INTERVAL, next: now + FIRST_INTERVAL * DAY };
  if (!before?.days) return { how };
  const days = before.days * GROWTH;
  return days > LEARNED ? { how } : { how, days, next: now + days * DAY };
}

/**
 * Records the outcome of a puzzle. The rating and the streak count the first outcome of a puzzle that is new or due. Later ones
 * are practice: they change neither its repetition nor that it was solved unaided.
 */
export function note(puzzle, how, now = Date.now()) {
  const before = resultOf(puzzle),
    isPractice = before && !isDue(puzzle, now);
  const record = isPractice
    ? { ...before, how: Math.max(before.how, Math.min(how, OUTCOME.helped)) }
    : repeated(before, how, now);
  const change = { puzzles: { ...preferences.puzzles, [puzzle.fen]: record } };
  if (isPractice) return prefer(change);
  const alone = how === OUTCOME.alone;
  const { rating, results, streak, longest } = preferences.training;
  const step = results < FIRST_RESULTS ? STEP.first : STEP.later;
  const gain = puzzle.rating ? step * (Number(alone) - expected(rating, puzzle.rating)) : 0;
  const run = alone ? streak + 1 : 0;
  prefer({
    ...change,
    training: { rating: Math.round(rating + gain), results: results + 1, streak: run, longest: Math.max(longest, run) },
  });
}
