// Prints the best move of each position, from one process: node best.mjs FEN ...
// KELSO is the program if it is not on the path.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const fens = process.argv.slice(2);
const options = ["best", "--json", "--nodes", "20000", "--concurrency", "2"];
const kelso = spawn(process.env.KELSO ?? "kelso", options, { stdio: ["pipe", "pipe", "inherit"] });
fens.forEach((fen, id) => kelso.stdin.write(`${JSON.stringify({ id, fen })}\n`));
kelso.stdin.end();
for await (const line of createInterface({ input: kelso.stdout })) {
  const answer = JSON.parse(line);
  console.log(fens[answer.id], answer.error ?? `${answer.move} ${answer.score}`);
}
