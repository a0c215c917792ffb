// The user's progress: the results of puzzles, a rating, and when a puzzle is due again.

import { preferences, prefer, readOutcomes } from "./preferences.js";

/** The outcomes of a puzzle: not solved yet, solved with help or after a mistake, and solved unaided. */
export const OUTCOME = { failed: 0, helped: 1, alone: 2 };

const DAY = 24 * 3600 * 1000;
/** The days after which a failed puzzle is due again, and the factor by which they grow when it is solved unaided. */
const FIRST_INTERVAL = 1,
  GROWTH = 3;
/** A puzzle counts as learned once its interval is this many days. */
const LEARNED = 60;
/**
 * The rating is a Glicko rating: an estimate with a standard deviation, which shrinks with each result and grows again while no
 * puzzle is tried. These are the deviation of a new user, which is the largest, and the smallest one; its growth in the square root
 * of a day, and the deviation of the puzzles. A new user's is less than the usual 350: the first result changes the rating by 85
 * instead of 174, and the first ten by at most 460.
 */
const MOST = 200,
  LEAST = 45,
  GROWS = 12,
  PUZZLES = 80;
const Q = Math.log(10) / 400;
/** The number of tries in the history. */
const REMEMBERED = 1000;

/** Returns the record of a puzzle: {how, next, days}, or undefined if it was never tried. */
export const resultOf = ({ fen }) => preferences.puzzles[fen];

export const isDue = (puzzle, now = Date.now()) => resultOf(puzzle)?.next <= now;

/** Returns the puzzle to try next: one that is due, or the untried one whose rating is nearest to the user's. */
export function pick(puzzles, now = Date.now()) {
  const due = puzzles.find((puzzle) => isDue(puzzle, now));
  if (due) return due;
  const own = progress().rating;
  const distance = ({ rating = 0 }) => Math.abs(rating - own);
  const nearer = (best, puzzle) => (!best || distance(puzzle) < distance(best) ? puzzle : best);
  return puzzles.filter((puzzle) => !resultOf(puzzle)).reduce(nearer, null) ?? puzzles[0];
}

/** Returns the factor by which the deviation of a puzzle's rating weakens its result. */
const WEIGHT = 1 / Math.sqrt(1 + (3 * Q ** 2 * PUZZLES ** 2) / Math.PI ** 2);

/** Returns the deviation of the user's rating at a time. */
const deviationAt = ({ deviation, when }, now) =>
  Math.min(MOST, Math.hypot(deviation, GROWS * Math.sqrt(Math.max(0, now - (when ?? now)) / DAY)));

/** Returns the rating and its deviation after a puzzle of a rating was solved (1) or not (0). */
function rated(training, puzzle, result, now) {
  const deviation = deviationAt(training, now),
    expected = 1 / (1 + 10 ** ((WEIGHT * (puzzle - training.rating)) / 400)),
    information = Q ** 2 * WEIGHT ** 2 * expected * (1 - expected),
    variance = 1 / (1 / deviation ** 2 + information);
  const rating = training.rating + Q * variance * WEIGHT * (result - expected);
  return { rating: Math.round(rating), deviation: Math.max(LEAST, Math.sqrt(variance)), when: now };
}

/** Returns the record of a puzzle after an outcome. Puzzles once not solved unaided return at growing intervals. */
function repeated(before, how, now) {
  if (how !== OUTCOME.alone) return { how, days: FIRST_INTERVAL, next: now + FIRST_INTERVAL * DAY };
  if (!before?.days) return { how };
  const days = before.days * GROWTH;
  return days > LEARNED ? { how } : { how, days, next: now + days * DAY };
}

/** Returns what was recorded of puzzles, the first first, each as {fen, how, when, rating, practice}. */
const outcomes = () =>
  Object.values(preferences.outcomes)
    .filter((one) => typeof one?.fen === "string" && Object.values(OUTCOME).includes(one.how) && one.when >= 0)
    .sort((a, b) => a.when - b.when);

/** Returns the user's progress: what earlier versions have stored of it, and the outcomes since. */
export function progress() {
  const next = (before, { how, when, rating, practice }) => {
    // Mistakes of games have no rating.
    if (practice || !rating) return before;
    const alone = how === OUTCOME.alone,
      streak = alone ? before.streak + 1 : 0;
    return { ...rated(before, rating, Number(alone), when), streak, longest: Math.max(before.longest, streak) };
  };
  return outcomes().reduce(next, preferences.outcomes.before ?? preferences.training);
}

/** Returns by how much a failure lowers the rating. */
export function lossOf({ rating = 0 }, now = Date.now()) {
  const before = progress();
  return before.rating - rated(before, rating, 0, now).rating;
}

/** Returns the latest tries of puzzles, the last one first. A puzzle that is solved after a failure is one try. */
export function history() {
  const all = [...outcomes().reverse(), ...preferences.tries];
  return all.filter(({ fen, how }, at) => how !== OUTCOME.failed || all[at - 1]?.fen !== fen).slice(0, REMEMBERED);
}

/** Records an outcome. Before a puzzle is due again, a try is practice, and changes neither rating nor repetition. */
export function note(puzzle, how, now = Date.now()) {
  readOutcomes();
  const { fen, rating } = puzzle,
    before = resultOf(puzzle),
    practice = Boolean(before) && !isDue(puzzle, now);
  const record = practice
    ? { ...before, how: Math.max(before.how, Math.min(how, OUTCOME.helped)) }
    : repeated(before, how, now);
  // Each outcome is stored on its own, and the rating follows from all, so that no page can undo those of another.
  prefer({
    puzzles: { ...preferences.puzzles, [fen]: record },
    outcomes: {
      before: preferences.training,
      ...preferences.outcomes,
      [`${now} ${fen}`]: { fen, how, when: now, rating, practice },
    },
  });
}
