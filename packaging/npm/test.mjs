// Uses the installed package in Node.js: the example of its README, the bench, a stopped search, errors.
//
//     node test.mjs SIGNATURE

import { strict as assert } from "node:assert";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Engine } from "kelso-draughts";

const [signature] = process.argv.slice(2);

// The example of the README, unchanged.
const example = /```js\n([^`]+)```/.exec(readFileSync("README.md", "utf8"))[1];
assert.ok(example.trim().split("\n").length <= 12);
writeFileSync("example.mjs", example);
await import("./example.mjs");

const engine = await Engine.load();
const bench = (await engine.ask("bench", "Bench:")).at(-1);
if (signature) assert.equal(bench, `Bench: ${signature}`);
console.log(bench);

let seen = 0;
const result = await engine.search({ moves: ["11-15"] }, {}, (info) => {
  if (++seen === 5) engine.stop();
});
assert.match(result.best, /^\d+[-x]/);
const known = await engine.search({ fen: "B:W32:BK22,K23" }, { depth: 3 });
assert.equal(known.lines[0].score.kind, "win");
// A result known from the databases without its distance is not an evaluation, and neither is a draw.
const scoreOf = async (fen) => (await engine.search({ fen }, { depth: 1 })).lines[0].score;
assert.deepEqual(await scoreOf("W:W21,K14:B5,6,K23"), { kind: "loss", value: null, bound: null });
assert.deepEqual(await scoreOf("B:WK32:BK1"), { kind: "draw", value: null, bound: null });
engine.send("setoption name UCI_ShowWDL value true");
const bounds = new Set();
const shown = await engine.search({}, { depth: 14 }, (info) => bounds.add(info.score.bound));
const { win, draw, loss } = shown.lines[0].chances;
assert.equal(win + draw + loss, 1000);
assert.ok([...bounds].every((bound) => [null, "lower", "upper"].includes(bound)));
engine.send("setoption name UCI_ShowWDL value false");
assert.equal(known.lines[0].chances, null);
await engine.search({ fen: "B:W32:BK22,K23" }, { depth: 1 });
assert.equal((await engine.ask("probe", "probe side")).at(-1), "probe side black win 5");
await assert.rejects(engine.search({ fen: "X" }), /invalid FEN/);
await assert.rejects(engine.ask("setoption name Hsh value 3", "readyok"), /unknown option/);
assert.equal((await engine.search({ fen: "B:W32:B28" }, { depth: 1 })).best, null);
assert.equal(await engine.bestMove("B:W32:B28", {}), null);
assert.match(await engine.bestMove({ moves: ["11-15", "22-18"] }, { level: 4 }), /^15x22$/);
await assert.rejects(engine.bestMove("X"), /invalid FEN/);
// Sites write moves without a sign.
assert.equal(await engine.bestMove({ moves: ["1115", "2218"] }, { depth: 3 }), "15x22");
// A level ends with its search: it changes neither the next search nor the option.
const depthOf = async (limits) => (await engine.search({ moves: ["9-13"] }, { depth: 9, ...limits })).lines[0]?.depth;
assert.ok(!(await depthOf({ level: 1 }) >= 9));
assert.equal(await depthOf({}), 9);
engine.send("setoption name Level value 1");
assert.equal(await depthOf({ level: 0 }), 9);
assert.ok(!(await depthOf({}) >= 9));
engine.send("setoption name Level value 0");
// Concurrent searches run one after another.
const [first, second] = await Promise.all([engine.search({}, { depth: 5 }), engine.search({ moves: ["9-13"] }, { depth: 5 })]);
assert.notEqual(first.best, second.best);
// A function that fails ends its search, and nothing else.
await assert.rejects(engine.search({}, {}, () => { throw new RangeError("mine"); }), /mine/);
assert.match((await engine.search({ moves: ["11-15"] }, { depth: 3 })).best, /^2/);
for (const name of ["kelso.wasm", "kelso.book", "kelso.egdb"]) {
  assert.ok(existsSync(fileURLToPath(import.meta.resolve(`kelso-draughts/${name}`))), name);
}
// An engine can be closed while it sets an option or searches.
const another = await Engine.load({ data: false });
for (const [closed, delay] of [[another, 0], [engine, 200]]) {
  const endless = assert.rejects(closed.search({}, { level: 0 }), /closed/);
  setTimeout(() => closed.close(), delay);
  await endless;
}
assert.throws(() => engine.send("isready"), /closed/);
console.log("node: the example, the bench, a stopped search and errors");
