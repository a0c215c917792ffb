// The library of the program: what is kept is the same in every browser and on every port, and survives kills.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strict as assert } from "node:assert";
import { annotate, browser, enter, isStatic, mode, moves, newGame, press, program, ready, study, until } from "./harness.mjs";

/** Starts a server with a library; resolves to its address and a function that kills it. */
function serve(folder, port = 0) {
  const child = spawn(program, ["serve", "--no-open", "--port", String(port), "--library", join(folder, "games.library")], { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve({ url: String(data).trim(), kill }));
    child.once("exit", () => reject(new Error("the server has ended")));
  });
}

/** Opens the page of a server in a browser that has no stored games, unless a script stores some. */
async function open(server, { script, context } = {}) {
  const place = context ?? await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", reducedMotion: "reduce" });
  const page = await place.newPage();
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 15000));
  if (script) await page.addInitScript(script);
  await page.goto(server.url);
  await ready(page);
  return page;
}

/** Sends a request to the library. */
const ask = (server, request) => fetch(`${server.url}library`, { method: "POST", body: JSON.stringify(request) }).then((answer) => answer.json());

/** Returns the games of the library, as PDN. */
const exported = (server) => fetch(`${server.url}library/export`, { method: "POST", body: "{}" }).then((answer) => answer.text());

/** Runs a check with a folder of its own. */
const withFolder = (check) => async () => {
  if (isStatic) return;
  const folder = mkdtempSync(join(tmpdir(), "kelso-library-"));
  const servers = [];
  try {
    await check(folder, async (port) => {
      const server = await serve(folder, port);
      servers.push(server);
      return server;
    });
  } finally {
    await Promise.all(servers.map((server) => server.kill().catch(() => {})).map((end) => Promise.race([end, new Promise((resolve) => setTimeout(resolve, 1000))])));
    rmSync(folder, { recursive: true, force: true });
  }
};

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";

function game(number, comment) {
  const person = { kind: "person" };
  const nodes = [[-1, "", { order: [1] }], [0, "11-15", { order: [], comment }]];
  return { tree: { start: START, nodes, tags: { Black: `Black ${number}`, White: "W" } }, players: { b: person, w: person }, pace: { kind: "move", value: 1 }, tip: 1, when: 1700000000000 + number * 1000 };
}

export const libraries = {
  "games and settings are the same on every port and in every browser, also killed": withFolder(async (folder, start) => {
    const first = await start();
    const page = await open(first);
    await newGame(page, {});
    await enter(page, "11-15", "23-19");
    await until("the moves in the library", async () => /1\. 11-15 23-19/.test(await exported(first)));
    await study(page);
    await annotate(page);
    await page.fill(".notes textarea", "a comment");
    await press(page, "Settings");
    await page.selectOption("dialog label:has(span:text-is('Board')) select", "wood").catch(() => page.check("dialog input[value=wood]"));
    await page.keyboard.press("Escape");
    await until("the settings", async () => (await ask(first, { do: "settings" })).board === "wood");
    await until("the comment", async () => /a comment/.test(await exported(first)));
    // Neither the server nor the browser ends properly.
    await first.kill();
    await page.context().close();
    const [second, third] = [await start(), await start()];
    assert.notEqual(second.url, first.url);
    for (const server of [second, third]) {
      const other = await open(server);
      assert.deepEqual(await moves(other), ["11-15", "23-19"]);
      assert.equal(await other.evaluate(() => document.documentElement.dataset.board), "wood");
      await other.context().close();
    }
  }),

  "no game is removed, and the browser's games are taken over once": withFolder(async (folder, start) => {
    const server = await start();
    const games = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`kelso.game.${at}a`, game(at)]));
    const values = { ...games, "kelso.settings": { theme: "dark", puzzles: { "W:WK1:B32": { how: 2 } } }, "kelso.mistakes": [{ fen: START, move: "11-15", source: "x" }] };
    const script = `if (!localStorage.length) for (const [key, value] of Object.entries(${JSON.stringify(values)})) localStorage.setItem(key, JSON.stringify(value));`;
    const page = await open(server, { script });
    const count = async () => (await ask(server, { do: "list" })).count;
    await until("all games", async () => await count() === 103);
    await until("no copies", () => page.evaluate(() => !Object.keys(localStorage).some((key) => key.startsWith("kelso.game."))));
    await newGame(page, {});
    await enter(page, "11-15");
    await until("one more game", async () => await count() === 104);
    const settings = await ask(server, { do: "settings" });
    assert.equal(settings.theme, "dark");
    assert.equal(settings.puzzles["W:WK1:B32"].how, 2);
    assert.equal(settings["kelso.mistakes"].length, 1);
    // Imported games were in the browser's database.
    await page.evaluate(() => new Promise((resolve) => {
      const opening = indexedDB.open("kelso", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("games");
      opening.onsuccess = () => {
        const transaction = opening.result.transaction("games", "readwrite");
        transaction.objectStore("games").put(new Blob(['[Black "Old"] 9-13 *\n\n[Black "Older"] 9-14 *\n']), "pdn");
        transaction.oncomplete = () => { opening.result.close(); resolve(); };
      };
    }));
    await page.reload();
    await ready(page);
    await press(page, "Games");
    await until("the imported games", async () => (await ask(server, { do: "list", filter: { collection: "Imported" } })).count === 2);
    await page.context().close();
    const other = await open(server);
    await press(other, "Games");
    await until("all games", async () => /104 games/.test(await other.textContent("dialog [role=status]")));
    await other.check("dialog input[value=imported]");
    await until("the imported games", async () => (await other.$$(".imported li.kept")).length === 2);
    await other.click(".imported li.kept button[aria-label^=Delete]");
    await press(other, "Delete");
    await until("one game", async () => (await ask(server, { do: "list", filter: { collection: "Imported" } })).count === 1);
    await other.context().close();
  }),

  "two browsers on one game keep both their comments": withFolder(async (folder, start) => {
    const server = await start();
    const page = await open(server);
    await newGame(page, {});
    await enter(page, "11-15", "23-19");
    await until("the moves", async () => /23-19/.test(await exported(server)));
    const other = await open(server);
    assert.deepEqual(await moves(other), ["11-15", "23-19"]);
    for (const [one, words] of [[page, "from one"], [other, "from two"], [page, "again"]]) {
      await study(one);
      if (words === "again") await one.keyboard.press("ArrowLeft");
      if (!await one.isVisible(".notes textarea")) await annotate(one);
      await one.fill(".notes textarea", words);
      await one.locator(".notes textarea").blur();
      await until(words, async () => (await exported(server)).includes(words));
    }
    const file = await exported(server);
    for (const words of ["from one", "from two", "again"]) assert(file.includes(words), file);
    assert.match(await page.textContent(".notice"), /changed in another window/);
    for (const one of [page, other]) await one.context().close();
  }),

  "a library that cannot be used is an error that changes nothing": withFolder(async (folder) => {
    writeFileSync(join(folder, "games.library"), "no library".repeat(1000));
    await assert.rejects(serve(folder));
  }),

  "a game goes on while the library cannot be reached, and is kept afterwards": withFolder(async (folder, start) => {
    const server = await start();
    const page = await open(server);
    await newGame(page, {});
    await enter(page, "11-15");
    await until("the move", async () => /11-15/.test(await exported(server)));
    await server.kill();
    await study(page);
    await annotate(page);
    await page.fill(".notes textarea", "alone");
    await page.locator(".notes textarea").blur();
    const again = await start(Number(new URL(server.url).port));
    await until("the comment", async () => /alone/.test(await exported(again)));
    await mode(page, "Play");
    await page.context().close();
  }),
};
