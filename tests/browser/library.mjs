// The library of the program: what is kept is the same in every browser and on every port, and survives kills.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strict as assert } from "node:assert";
import { FLAGS, annotate, browser, chromium, current, enter, loadPdn, mode, moves, newGame, pause, press, program, ready, stored, study, until } from "./harness.mjs";

/** Starts a server with a library; resolves to its address and a function that kills it. */
function serve(folder, port = 0) {
  const child = spawn(program, ["serve", "--no-open", "--port", String(port), "--library", join(folder, "games.library")], { stdio: ["ignore", "pipe", "ignore"] });
  const kill = () => new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode) return resolve();
    child.once("exit", resolve);
    child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve({ url: String(data).trim(), kill }));
    child.once("exit", () => reject(new Error("the server has ended")));
  });
}

/** Opens the page of a server in a browser that has no stored games, unless a script stores some. */
async function open(server, { script, context, from = browser } = {}) {
  const place = context ?? await from.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", reducedMotion: "reduce" });
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

const kept = (server, words) => until(String(words), async () => (await exported(server)).match(words));

/** Comments on the move on the board. */
async function comment(page, words) {
  if (!await page.isVisible(".notes textarea")) {
    await study(page);
    await annotate(page);
  }
  await page.fill(".notes textarea", words);
  await page.locator(".notes textarea").blur();
}

/** Runs a check with a folder of its own, and a function that starts servers. */
const withFolder = (check) => async () => {
  const folder = mkdtempSync(join(tmpdir(), "kelso-library-"));
  const servers = [];
  try {
    await check(async (port) => {
      const server = await serve(folder, port);
      servers.push(server);
      return server;
    });
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(folder, { recursive: true, force: true });
  }
};

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const PERSON = { kind: "person" };

const game = (number) => ({
  tree: { start: START, nodes: [[-1, "", { order: [1] }], [0, "11-15", { order: [] }]], tags: { Black: `Black ${number}`, White: "W" } },
  players: { b: PERSON, w: PERSON }, pace: { kind: "move", value: 1 }, tip: 1, when: 1700000000000 + number * 1000,
});

export const libraries = {
  "games and settings are the same on every port and in every browser, also killed": withFolder(async (start) => {
    const first = await start();
    const doomed = await chromium.launchServer({ executablePath: process.env.KELSO_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
    const page = await open(first, { from: await chromium.connect(doomed.wsEndpoint()) });
    await newGame(page, {});
    await enter(page, "11-15");
    await comment(page, "a comment");
    await kept(first, /a comment/);
    await press(page, "Settings");
    await page.check("dialog input[value=wood]");
    await page.keyboard.press("Escape");
    await until("the settings", async () => (await ask(first, { do: "settings" })).board === "wood");
    // Neither the browser nor the server ends properly, and both end as soon as the move is on the board.
    await enter(page, "23-19");
    await doomed.kill();
    await first.kill();
    const [second, third] = await Promise.all([start(), start()]);
    assert.notEqual(second.url, third.url);
    const pages = await Promise.all([second, third].map((server) => open(server)));
    for (const page of pages) {
      assert.deepEqual(await moves(page), ["11-15", "23-19"]);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.board), "wood");
    }
    // Both servers write to the same library.
    await enter(pages[0], "8-11");
    await kept(second, /8-11/);
    await pages[1].reload();
    await until("the move of the other server", async () => (await moves(pages[1])).length === 3);
    await pages[1].keyboard.press("End");
    await until("its end", async () => await current(pages[1]) === "8-11");
    await enter(pages[1], "22-17");
    await kept(second, /22-17/);
    for (const page of pages) await page.context().close();
  }),

  "no game is removed, and the browser's games are taken over once": withFolder(async (start) => {
    const server = await start();
    const games = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`kelso.game.${at}a`, game(at)]));
    const values = { ...games, "kelso.settings": { theme: "dark", puzzles: { "W:WK1:B32": { how: 2 } } }, "kelso.mistakes": [{ fen: START, move: "11-15", source: "x" }] };
    const page = await open(server, { script: `if (!sessionStorage.seen) { sessionStorage.seen = 1; ${stored(values)} }` });
    const count = async (filter = {}) => (await ask(server, { do: "list", filter })).count;
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
    await until("the imported games", async () => await count({ collection: "Imported" }) === 2);
    const left = () => page.evaluate(() => new Promise((resolve) => {
      const opening = indexedDB.open("kelso", 1);
      opening.onsuccess = () => {
        const asked = opening.result.transaction("games").objectStore("games").count();
        asked.onsuccess = () => { opening.result.close(); resolve(asked.result); };
      };
    }));
    await until("nothing left in the browser", async () => await left() === 0);
    // What is deleted afterwards does not come back.
    await ask(server, { do: "change", filter: { words: "old" }, deleted: true });
    await page.reload();
    await ready(page);
    assert.equal(await count({ collection: "Imported" }), 0);
    assert.equal(await count({ deleted: true }), 2);
    // A browser that begins with a game that was only read goes where its address says.
    await ask(server, { do: "change", filter: { deleted: true }, deleted: false, to: "" });
    const other = await page.context().newPage();
    await other.goto(`${server.url}#library`);
    await until("the library", () => other.isVisible("main.library tbody tr"));
    assert.match(other.url(), /#library$/);
    await page.context().close();
  }),

  "a puzzle that was tried in another browser counts before the next one": withFolder(async (start) => {
    const server = await start();
    const page = await open(server), other = await open(server);
    const rating = (page) => page.textContent(".puzzle-figures > :nth-child(4) b").catch(() => "");
    for (const one of [page, other]) {
      await mode(one, "Puzzles");
      await until("the rating of a beginner", async () => await rating(one) === "1000");
    }
    for (const name of ["Solution", "Show it?"]) await press(page, name);
    await until("the failure", async () => /^[89]\d\d/.test(await rating(page)));
    await until("the stored try", async () => Object.keys((await ask(server, { do: "settings" })).outcomes ?? {}).length === 2);
    // The user returns to the other browser.
    await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await until("the failure in the other browser", async () => await rating(other) === await rating(page));
    // Neither loses the result of the other, also if both have the same puzzle on their boards, and the library cannot be read.
    for (const one of [page, other]) {
      await press(one, "Next");
      await until("the next puzzle", async () => await one.isVisible("main.puzzles .movable"));
    }
    await other.route("**/library", (route) => route.abort());
    for (const one of [page, other]) for (const name of ["Solution", "Show it?"]) await press(one, name);
    await other.unroute("**/library");
    await until("all outcomes", async () => Object.keys((await ask(server, { do: "settings" })).outcomes).length === 4);
    for (const one of [page, other]) await one.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await until("one rating in both browsers", async () => Number(await rating(page)) < 860 && await rating(other) === await rating(page));
    for (const one of [page, other]) await one.context().close();
  }),

  "two windows on one game keep both their comments": withFolder(async (start) => {
    const server = await start();
    const page = await open(server);
    await newGame(page, {});
    await enter(page, "11-15", "23-19");
    await kept(server, /23-19/);
    // Another browser begins with the same game.
    const other = await open(server);
    assert.deepEqual(await moves(other), ["11-15", "23-19"]);
    await comment(page, "from one");
    await comment(other, "from two");
    for (const words of ["from one", "from two"]) await kept(server, words);
    await page.keyboard.press("ArrowLeft");
    await until("the first move", async () => await current(page) === "11-15");
    await comment(page, "again");
    for (const words of ["again", "from one", "from two"]) await kept(server, words);
    await until("word of it", async () => /in another window/.test(await other.textContent("#status")) && !await other.isVisible(".notice"));
    for (const one of [page, other]) await one.context().close();
  }),

  "a game goes on while its library cannot be reached or is full, and is kept afterwards": withFolder(async (start) => {
    const server = await start();
    const page = await open(server);
    await newGame(page, {});
    await enter(page, "11-15");
    await kept(server, /11-15/);
    const full = (route) => route.fulfill({ status: 507, body: "the library cannot be used: the disk is full" });
    await page.route("**/library", full);
    await enter(page, "23-19", "8-11");
    assert.match(await page.textContent(".notice"), /not saved: .*disk is full/);
    await page.unroute("**/library", full);
    await kept(server, /8-11/);
    await until("no notice", async () => !await page.$(".notice"));
    await server.kill();
    await comment(page, "alone");
    const again = await start(Number(new URL(server.url).port));
    await kept(again, /alone/);
    // A request that fails, as it does while the page reloads, is not taken for an empty library.
    await loadPdn(page, "1. 9-13 22-18 1-0");
    await page.route("**/library", (route) => route.abort());
    await page.click(".modes a:text-is('Play')");
    await pause(500);
    await page.unroute("**/library");
    await page.waitForSelector("main.play");
    await until("the game that was played", async () => String(await moves(page)) === "11-15,23-19,8-11");
    await page.route("**/library", (route) => route.abort());
    await page.click(".modes a:text-is('Library')");
    await until("the reason", async () => await page.textContent(".games [role=status]") === "Not connected to Kelso. Reconnecting …");
    await page.context().close();
  }),
};
