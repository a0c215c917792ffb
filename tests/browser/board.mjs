// The board in a real browser: node board.mjs PROGRAM MODULES [SCREENSHOTS [CHECK]]. PROGRAM is the program,
// for the board of `kelso serve`, or a folder of static files, for the board with the built-in engine. Each
// check prints a line. A failed check is run again, alone, after the others, since a busy machine delays
// pages, and must then pass. CHECK selects checks by a part of their names, or those of the `library`, or the `core`. Measured
// figures are printed, and compared with generous limits only, since test machines are busy.

import { strict as assert } from "node:assert";
import { accessibility } from "./accessible.mjs";
import { collecting } from "./collecting.mjs";
import { exploring } from "./explorer.mjs";
import { browser, closePages, faults, isStatic } from "./harness.mjs";
import { libraries } from "./library.mjs";
import { layout } from "./layout.mjs";
import { mishaps } from "./mishaps.mjs";
import { playing } from "./playing.mjs";
import { puzzles } from "./puzzles.mjs";
import { site } from "./site.mjs";
import { studying } from "./studying.mjs";

/** Checks that measure times, count threads or restart the server run alone, the others concurrently. */
const ALONE = /static board|built-in|soon|killed|switched often|restarted server|connection|no engine behind|thousand/;
const SIDE_BY_SIDE = 3;
/** Maximum time for all checks, in ms, so that a check that hangs is a failure. */
const MOST_TIME = 20 * 60_000;
/**
 * The checks that also run without a server: those that play, analyse, review, read games, list moves or keep something in other
 * ways than with one. All others would have the same result, since only the transport differs.
 */
const ALSO_STATIC = [
  "whole game", "premove is played", "ballots, levels", "draws, resignation", "quick new games", "analysis of a study ends",
  "each line has an arrow", "moves of a line", "work for one game", "positions are set up",
  "steps do not break", "says in words that a move loses", "marks mistakes and shows", "shows its progress",
  "explorer shows", "thousand games are read", "written as they were read", "near the user's rating", "mistake of a game becomes",
  "arrows stay with", "a link shows", "played out against", "damaged stored values", "puzzles that are not loaded",
  "games are searched, sorted", "many imported games", "explorer counts", "a list is saved", "Play goes on",
];

/** The checks that take little time together and try each mode: if one of them fails, the page cannot be used. */
const CORE = [
  "whole game against level 1", "dragging, several paths", "take back, variations", "damaged stored values", "positions are set up, legal",
  "review marks mistakes", "explorer shows", "games are searched, sorted", "a puzzle is kept while", "a link shows",
];

const wanted = process.argv[5];
/** Checks of the page alone, which is the same on both boards. */
const page = { ...accessibility, ...layout };
const boards = { ...collecting, ...exploring, ...mishaps, ...playing, ...puzzles, ...studying };
const named = (parts) => parts.map((part) => Object.entries(boards).find(([name]) => name.includes(part)) ?? assert.fail(`no check "${part}"`));
const shared = named(ALSO_STATIC);
const all = isStatic ? [...Object.entries(site), ...shared] : Object.entries({ ...page, ...boards });
const groups = { core: () => named(CORE), library: () => Object.entries(libraries) };
const checks = groups[wanted]?.() ?? all.filter(([name]) => !wanted || name.includes(wanted));
const queue = checks.filter(([name]) => !ALONE.test(name));

const failed = [];

async function run([name, check], isLast = false) {
  const began = Date.now();
  try {
    await check();
    assert.deepEqual(faults, [], "errors on the console");
    console.log(`ok: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.log([`${isLast ? "FAILED" : "failed once"}: ${name}`, String(error.stack).slice(0, 2000), ...faults].join("\n"));
    if (isLast) process.exitCode = 1;
    failed.push([name, check]);
    faults.length = 0;
  }
}

async function work() {
  while (queue.length) await run(queue.shift());
}

setTimeout(() => {
  console.log(`FAILED: the checks did not end in ${MOST_TIME / 60_000} minutes`);
  process.exit(1);
}, MOST_TIME).unref();

try {
  for (const check of checks.filter(([name]) => ALONE.test(name))) {
    await run(check);
    if (failed.length) await closePages();
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  await closePages();
  for (const check of failed.splice(0)) await run(check, true);
} finally {
  await browser.close();
}
// A failed check may have left its own server running, for which Node.js would wait.
process.exit();
