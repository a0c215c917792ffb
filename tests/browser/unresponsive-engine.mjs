// An engine with the native protocol that never answers or, with the argument "search", stops answering at its first search.

import { createInterface } from "node:readline";

const answers = process.argv[2] === "search" ? { uci: "id name unresponsive\nuciok", isready: "readyok" } : {};
for await (const line of createInterface({ input: process.stdin })) {
  const [word] = line.split(" ");
  if (word === "quit") break;
  if (answers[word]) console.log(answers[word]);
}
