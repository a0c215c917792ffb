// Prints the best move of each position, from one process: node best.mjs FEN ...
// KELSO is the program if it is not on the path. A server keeps `ask` for all of its requests.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const options = ["best", "--json", "--nodes", "20000", "--concurrency", "2"];
const kelso = spawn(process.env.KELSO ?? "kelso", options, { stdio: ["pipe", "pipe", "inherit"] });
kelso.on("error", (error) => {
  console.error(`cannot start Kelso: ${error.message}`);
  process.exit(1);
});
const waiting = new Map();
let count = 0;
createInterface({ input: kelso.stdout }).on("line", (line) => {
  const { id, ...answer } = JSON.parse(line);
  waiting.get(id)(answer);
  waiting.delete(id);
});
kelso.on("close", () => waiting.forEach((resolve) => resolve({ error: "Kelso has ended" })));

function ask(request) {
  const id = count++;
  kelso.stdin.write(`${JSON.stringify({ ...request, id })}\n`);
  return new Promise((resolve) => waiting.set(id, resolve));
}

const fens = process.argv.slice(2);
await Promise.all(
  fens.map(async (fen) => {
    const answer = await ask({ fen });
    console.log(fen, answer.error ?? `${answer.move} ${answer.score}`);
  }),
);
kelso.stdin.end();
