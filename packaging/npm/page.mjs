// Uses the installed package in a page: the bench, and a complete game of the engine against itself.
//
//     node page.mjs MODULES SIGNATURE

import { strict as assert } from "node:assert";
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, signature] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");
const folder = join(process.cwd(), "node_modules/kelso-draughts");
const types = { js: "text/javascript", wasm: "application/wasm" };

const server = createServer((request, response) => {
  if (request.url === "/") return response.setHeader("content-type", "text/html").end("<!doctype html><title>game</title>");
  try {
    const bytes = readFileSync(join(folder, new URL(request.url, "http://x").pathname.slice(1)));
    response.setHeader("content-type", types[request.url.split(".").at(-1)] ?? "application/octet-stream").end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({
  executablePath: process.env.KELSO_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const { bench, moves, stopped } = await page.evaluate(async () => {
    const { Engine } = await import("/kelso.js");
    const engine = await Engine.load();
    const bench = (await engine.ask("bench", "Bench:")).at(-1);
    let seen = 0;
    const { best: stopped } = await engine.search({}, {}, () => { if (++seen === 5) engine.stop(); });
    const moves = [];
    while (moves.length < 200) {
      const { best } = await engine.search({ moves }, { nodes: 2000 });
      if (!best) break;
      moves.push(best);
    }
    engine.close();
    return { bench, moves, stopped };
  });
  if (signature) assert.equal(bench, `Bench: ${signature}`);
  assert.match(stopped, /^\d+[-x]/);
  assert.ok(moves.length > 20, `${moves.length} moves`);
  // The script in one file, in the example of the README, in a page without a server.
  assert.ok(readFileSync("README.md", "utf8").includes(`\`\`\`html\n${readFileSync("best-move.html", "utf8")}\`\`\``));
  const requests = [];
  page.on("request", (request) => requests.push(request.url().split(":")[0]));
  copyFileSync(join(folder, "kelso-single.js"), "kelso-single.js");
  assert.ok(statSync("kelso-single.js").size < 1_000_000);
  await page.goto(pathToFileURL("best-move.html").href);
  await page.waitForFunction(() => /^\d+[-x]\d+$/.test(document.querySelector("output").textContent));
  assert.deepEqual([...new Set(requests)], ["file"]);
  console.log(`page: ${bench}, a stopped search, a game of ${moves.length} plies, and a page without a server`);
} finally {
  await browser.close();
  server.close();
}
