// An engine of the native protocol that plays illegal moves.

import { createInterface } from "node:readline";

const answers = { uci: "id name cheat\nuciok", isready: "readyok", go: "info depth 1 score cp 10 nodes 1 pv 1-32\nbestmove 1-32" };
for await (const line of createInterface({ input: process.stdin })) {
  const [word] = line.split(" ");
  if (word === "quit") break;
  if (answers[word]) console.log(answers[word]);
}
