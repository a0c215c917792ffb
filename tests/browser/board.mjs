// The board in a real browser: node board.mjs PROGRAM MODULES [SCREENSHOTS [CHECK]]. PROGRAM is the program,
// for the board of `kelso serve`, or a folder of static files, for the board with the built-in engine. Each
// check prints a line. A failed check is run again, alone, after the others, since a busy machine delays
// pages, and must then pass. CHECK selects checks by a part of their names. Measured figures are printed, and
// compared with generous limits only, since test machines are busy.

import { strict as assert } from "node:assert";
import { accessibility } from "./accessible.mjs";
import { collecting } from "./collecting.mjs";
import { exploring } from "./explorer.mjs";
import { browser, faults, isStatic, server } from "./harness.mjs";
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
/** Checks of the server and its engines, and slow checks that would have the same result on both boards. */
const SERVED = /soon|killed|illegal move|switched often|restarted server|connection|no longer offered|silent|certificate/;
/** Checks of controls and of the notation, which ask neither the server nor the engine. */
const PAGE_ONLY = /hovered|leaves the others|per notch|printed|Back closes|blocked storage|settings are kept|focus stays|clock times|a dropped piece|be dropped|button moves|set up by|as a picture|the move list|moves are edited|arrows stay|a link shows|eight rows/;

const wanted = process.argv[5];
/** Checks of the page alone, which is the same on both boards. */
const page = { ...accessibility, ...collecting, ...layout };
const boards = { ...exploring, ...mishaps, ...playing, ...puzzles, ...studying };
const built = Object.entries({ ...site, ...boards }).filter(([name]) => !SERVED.test(name) && !PAGE_ONLY.test(name));
const all = isStatic ? built : Object.entries({ ...page, ...boards });
const checks = all.filter(([name]) => !wanted || name.includes(wanted));
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
    // A failed check leaves its sessions open.
    for (const context of browser.contexts()) await context.close();
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  for (const context of browser.contexts()) await context.close();
  for (const check of failed.splice(0)) await run(check, true);
} finally {
  await browser.close();
  server.stop();
}
// A failed check may have left its own server running, for which Node.js would wait.
process.exit();
