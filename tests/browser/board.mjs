// The board of `kelso serve` in a real browser: node board.mjs PROGRAM MODULES [SCREENSHOTS [CHECK]]. Each check prints a
// line; the first that fails ends the run. CHECK selects checks by a part of their names. Measured figures are printed, and
// compared with generous limits only, since test machines are busy.

import { strict as assert } from "node:assert";
import { exploring } from "./explorer.mjs";
import { browser, faults, server } from "./harness.mjs";
import { layout } from "./layout.mjs";
import { playing } from "./playing.mjs";
import { puzzles } from "./puzzles.mjs";
import { studying } from "./studying.mjs";

/** Checks that measure times, count threads or restart the server run alone, the others side by side. */
const ALONE = /soon|killed|switched often|restarted server|connection/;
const SIDE_BY_SIDE = 3;

const wanted = process.argv[5];
const checks = Object.entries({ ...exploring, ...layout, ...playing, ...puzzles, ...studying }).filter(([name]) => !wanted || name.includes(wanted));
const queue = checks.filter(([name]) => !ALONE.test(name));

async function run([name, check]) {
  if (process.exitCode) return;
  const began = Date.now();
  try {
    await check();
    assert.deepEqual(faults, [], "errors on the console");
    console.log(`ok: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.log([`FAILED: ${name}`, String(error.stack).slice(0, 2000), ...faults].join("\n"));
    process.exitCode = 1;
  }
}

async function work() {
  while (queue.length) await run(queue.shift());
}

try {
  for (const check of checks.filter(([name]) => ALONE.test(name))) await run(check);
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
} finally {
  await browser.close();
  server.stop();
}
