// Best moves from one process: import { ask } in a server, or run: node best.mjs FEN ...
// KELSO is the program if it is not on the path.
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const OPTIONS = ["best", "--json", "--nodes", "20000", "--max-time", "5s", "--concurrency", "2"];
const waiting = new Map();
let kelso = null;
let count = 0;

function start() {
  const child = spawn(process.env.KELSO ?? "kelso", OPTIONS, { stdio: ["pipe", "pipe", "inherit"] });
  const end = (error) => {
    if (kelso !== child) return;
    waiting.forEach((resolve) => resolve({ error }));
    waiting.clear();
    // The next request starts it again.
    kelso = null;
  };
  child.on("error", (error) => end(`cannot start Kelso: ${error.message}`));
  child.on("close", () => end("Kelso has ended"));
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, ...answer } = JSON.parse(line);
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  kelso = child;
}

/** Returns a promise of the answer, which has `error` if there is none. */
export function ask(request) {
  const line = JSON.stringify({ ...request, id: count });
  if (!(request?.fen || request?.moves) || line.length > 100_000)
    return Promise.resolve({ error: "expected a position or moves, in at most 100,000 characters" });
  if (!kelso) start();
  kelso.stdin.write(`${line}\n`);
  return new Promise((resolve) => waiting.set(count++, resolve));
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const print = async (fen) => {
    const answer = await ask({ fen });
    console.log(fen, answer.error ?? `${answer.move} ${answer.score}`);
  };
  await Promise.all(process.argv.slice(2).map(print));
  kelso?.stdin.end();
}
