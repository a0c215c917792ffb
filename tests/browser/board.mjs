// The board of `kelso serve` in a real browser: node board.mjs PROGRAM MODULES [SCREENSHOTS]. Each check prints a line; the first
// that fails ends the run. Figures that are measured on the way are printed, and held against generous limits only,
// since machines that test are busy.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { strict as assert } from "node:assert";

const [program, modules, pictures] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts a server; resolves to its address and process. */
function serve(port) {
  const child = spawn(program, ["serve", "--no-open", "--port", String(port), "--engine", `name=other cmd=${program}`, "--engine", `name=hub cmd=${program} arg=hub proto=hub`], { stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve({ child, url: String(data).trim() }));
    child.once("exit", () => reject(new Error("the server has ended")));
  });
}

let server = await serve(0);
const browser = await chromium.launch({ executablePath: process.env.KELSO_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
const faults = [];

/** A page in a browser that has never been here. */
async function open({ width = 1280, height = 900, colorScheme = "light", context } = {}) {
  const place = context ?? await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  const page = await place.newPage();
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(server.url) && !request.url().startsWith("data:") && faults.push(`request to ${request.url()}`));
  await page.goto(server.url);
  await ready(page);
  return page;
}

const ready = (page) => page.waitForFunction(() => /to move|wins|Drawn|thinking/.test(document.getElementById("status")?.textContent ?? ""));
const status = (page) => page.textContent("#status");
const cell = (square) => `[role=gridcell][aria-label^="${square},"]`;
const moves = (page) => page.$$eval(".moves .move", (all) => all.map((move) => move.textContent));
const press = (page, name) => page.click(`button:text-is("${name}"):visible`);
const pieces = (page) => page.$$eval("[role=gridcell][aria-label]", (cells) => cells.map((cell) => cell.getAttribute("aria-label").split(",").slice(0, 2).join()).filter((name) => !name.includes("empty")).sort().join(";"));

const labelled = (label) => `dialog label:has(span:text-is("${label}")) select`;

/** The squares whose name has a word. */
const named = (page, words) => page.$$eval("[role=gridcell][aria-label]", (cells, words) => cells.filter((cell) => words.some((word) => cell.getAttribute("aria-label").includes(word))).map((cell) => Number.parseInt(cell.getAttribute("aria-label"))), words);

/** Makes some move by clicks; whether there was one. */
async function anyMove(page, at) {
  const starts = await named(page, ["must capture", "can move"]);
  if (!starts.length) return false;
  await page.click(cell(starts[at % starts.length]));
  for (;;) {
    const targets = await named(page, ["move here"]);
    if (!targets.length) return true;
    await page.click(cell(targets[at % targets.length]));
  }
}

async function newGame(page, { black = "person", white = "person", pace, number, start } = {}) {
  await press(page, "New game");
  const select = (label, value) => page.selectOption(labelled(label), value);
  await select("Black (moves first)", black);
  await select("White", white);
  if (pace) await select("Pace", pace);
  if (number) await page.fill("dialog input[type=number]", String(number));
  if (start) await select("Start", start);
  await press(page, "Begin");
  await page.waitForSelector("dialog", { state: "detached" });
  await ready(page);
}

/** The threads of the server that belong to sessions. */
const threads = () => readdirSync(`/proc/${server.child.pid}/task`).length;

async function until(what, test, patience = 60000) {
  const deadline = Date.now() + patience;
  while (!await test()) {
    assert(Date.now() < deadline, `${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`), [], what);
}

const checks = {
  async "the board is there soon, and small"() {
    // A browser that is there already, as a person's is, and a page that it has never seen.
    const tab = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    const times = { listening: [], board: [], moves: [] };
    for (let time = 0; time < 5; time++) {
      const began = performance.now();
      const other = await serve(0);
      times.listening.push(performance.now() - began);
      await tab.goto(other.url);
      await tab.waitForFunction(() => ["first-contentful-paint", "moves"].every((name) => performance.getEntriesByName(name).length));
      const [board, moves] = await tab.evaluate(() => ["first-contentful-paint", "moves"].map((name) => performance.getEntriesByName(name)[0].startTime));
      times.board.push(board);
      times.moves.push(moves);
      other.child.removeAllListeners("exit");
      other.child.kill();
    }
    await tab.context().close();
    const median = (list) => Math.round(list.sort((a, b) => a - b)[list.length >> 1]);
    const page = await open();
    const sizes = await page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.decodedBodySize, performance.getEntriesByType("navigation")[0].decodedBodySize));
    assert(sizes < 200 * 1024, `${sizes} bytes`);
    console.log(`figure: page ${sizes} bytes; it listens ${median(times.listening)} ms after its start; then the board is on the screen after ${median(times.board)} ms, and can be played on after ${median(times.moves)} ms (medians)`);
    await page.context().close();
  },

  async "a whole game by clicks against level 1"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    for (let move = 0; move < 250; move++) {
      await until("a turn", async () => (await named(page, ["must capture", "can move"])).length || /wins|Drawn/.test(await status(page)));
      if (!await anyMove(page, move * 7)) break;
    }
    assert.match(await status(page), /wins|Drawn/);
    console.log(`figure: the game took ${(await moves(page)).length} plies: ${await status(page)}`);
    await page.context().close();
  },

  async "how soon targets and the engine's move are shown"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    const shown = await page.evaluate(async () => {
      const times = [];
      for (const square of [9, 10, 11, 12, 9, 10, 11]) {
        const began = performance.now();
        const cell = document.querySelector(`[role=gridcell][aria-label^="${square},"]`);
        const box = cell.getBoundingClientRect();
        const at = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, button: 0, pointerId: 1 };
        cell.dispatchEvent(new PointerEvent("pointerdown", at));
        cell.dispatchEvent(new PointerEvent("pointerup", at));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
        if (!document.querySelector(".over .target")) throw new Error("no targets");
        times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b)[times.length >> 1];
    });
    await page.evaluate(() => {
      window.heard = [];
      const original = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage").set;
      Object.defineProperty(WebSocket.prototype, "onmessage", { set(handler) {
        original.call(this, (event) => {
          if (event.data.startsWith("bestmove")) {
            const before = document.querySelectorAll(".moves .move").length, at = performance.now();
            const look = () => document.querySelectorAll(".moves .move").length > before ? requestAnimationFrame(() => window.heard.push(performance.now() - at)) : setTimeout(look, 1);
            look();
          }
          handler.call(this, event);
        });
      } });
    });
    for (let move = 0; move < 8; move++) {
      await until("a turn", async () => (await named(page, ["must capture", "can move"])).length);
      await anyMove(page, move);
    }
    const heard = (await page.evaluate(() => window.heard)).sort((a, b) => a - b);
    console.log(`figure: targets ${shown.toFixed(1)} ms after the click; the engine's move ${heard[heard.length >> 1]?.toFixed(1)} ms after bestmove (medians)`);
    assert(shown < 250 && heard[heard.length >> 1] < 500);
    await page.context().close();
  },

  async "a game by keyboard alone"() {
    const page = await open();
    const tabTo = async (what, test) => {
      for (let count = 0; !await page.evaluate(test); count++) {
        assert(count < 40, `${what} can't be reached by Tab`);
        await page.keyboard.press("Tab");
      }
    };
    await tabTo("New game", () => document.activeElement.textContent === "New game");
    await page.keyboard.press("Enter");
    await tabTo("White's player", () => document.activeElement.matches("dialog select") && document.activeElement.closest("label").textContent.startsWith("White"));
    // After a person and full strength.
    for (const key of ["Home", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await tabTo("Begin", () => document.activeElement.textContent === "Begin");
    await page.keyboard.press("Enter");
    await until("a game against level 1", async () => /Kelso, level 1$/.test(await page.textContent(".seat")));
    await tabTo("the board", () => document.activeElement.getAttribute("role") === "gridcell");
    const goTo = async (square) => {
      const [at, to] = await page.evaluate((square) => {
        const cells = [...document.querySelectorAll("[role=gridcell][data-place]")];
        const place = (cell) => [Number(cell.dataset.place) - 1 >> 2, (Number(cell.dataset.place) - 1) % 4];
        return [place(document.activeElement), place(cells.find((cell) => Number.parseInt(cell.getAttribute("aria-label")) === square))];
      }, square);
      for (let row = at[0]; row !== to[0]; row += Math.sign(to[0] - at[0])) await page.keyboard.press(row < to[0] ? "ArrowDown" : "ArrowUp");
      for (let column = at[1]; column !== to[1]; column += Math.sign(to[1] - at[1])) await page.keyboard.press(column < to[1] ? "ArrowRight" : "ArrowLeft");
      assert.equal(await page.evaluate(() => Number.parseInt(document.activeElement.getAttribute("aria-label"))), square, "the square that the keys went to");
    };
    for (let move = 0; move < 150; move++) {
      await until("a turn", async () => (await named(page, ["must capture", "can move"])).length || /wins|Drawn/.test(await status(page)));
      const starts = await named(page, ["must capture", "can move"]);
      if (!starts.length) break;
      await goTo(starts[move * 7 % starts.length]);
      await page.keyboard.press(move % 2 ? "Enter" : "Space");
      for (let targets; (targets = await named(page, ["move here"])).length; ) {
        await goTo(targets[move * 7 % targets.length]);
        await page.keyboard.press("Enter");
      }
    }
    assert.match(await status(page), /wins|Drawn/);
    await page.context().close();
  },

  async "dragging, several paths and typed moves"() {
    const page = await open();
    await page.fill(".move-input", "9-14");
    await page.keyboard.press("Enter");
    await until("the move", async () => (await moves(page))[0] === "9-14");
    await setUpFen(page, "B:W9,10,17,18,32:B6,12");
    const center = async (square) => {
      const box = await page.locator(cell(square)).first().boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await page.click(cell(6));
    assert.deepEqual((await named(page, ["move here"])).sort((a, b) => a - b), [13, 15]);
    await page.click(cell(15));
    await until("the capture", async () => (await moves(page))[0] === "6x15x22");
    await press(page, "New game");
    await page.keyboard.press("Escape");
    await newGame(page, {});
    await page.mouse.move(...await center(11));
    await page.mouse.down();
    await page.mouse.move(...await center(15), { steps: 6 });
    await page.mouse.up();
    await until("the move", async () => (await moves(page))[0] === "11-15");
    await page.context().close();
  },

  async "take back, variations and playing on"() {
    const page = await open();
    await newGame(page, {});
    const play = async (...squares) => {
      for (const square of squares) await page.click(cell(square));
      await ready(page);
    };
    const list = () => page.textContent(".moves");
    await play(11, 15);
    await until("a move", async () => (await moves(page)).length === 1);
    await play(23, 18);
    await until("a move", async () => (await moves(page)).length === 2);
    await press(page, "Take back");
    await until("the position before", async () => (await page.textContent(".moves [aria-current]")) === "11-15");
    await play(22, 18);
    await until("a variation", async () => /22-18\(1…23-18\)/.test((await list()).replaceAll(" ", "")));
    await page.click(".variation .move");
    await until("the variation", async () => (await page.textContent(".moves [aria-current]")) === "23-18");
    await page.keyboard.press("Home");
    await until("the start", async () => !await page.$(".moves [aria-current]"));
    await page.context().close();
  },

  async "positions are set up, legal and illegal"() {
    const page = await open();
    // Between persons: an engine would move as soon as the position is there.
    await newGame(page, {});
    await press(page, "Set up");
    await press(page, "Clear");
    await page.waitForSelector("dialog .fault:not(:empty)");
    await page.click("dialog label:has-text('white king') input");
    await page.click(`dialog ${cell(30)}`);
    await page.click("dialog label:has-text('black man') input");
    await page.click(`dialog ${cell(12)}`);
    await until("a legal position", async () => (await page.inputValue("dialog input[type=text]")) === "B:WK30:B12");
    await page.click("dialog label:has-text('white man') input");
    await page.click(`dialog ${cell(1)}`);
    await until("a reason", async () => /crowned|man/.test(await page.textContent("dialog .fault")));
    await page.click(`dialog ${cell(1)}`);
    await until("a legal position", async () => /can be played/.test(await page.textContent("dialog")));
    await page.fill("dialog input[type=text]", "B:W99:B1");
    await until("a reason", async () => /expected a square from 1 to 32/.test(await page.textContent("dialog .fault")));
    await page.fill("dialog input[type=text]", "W:WK30:B12");
    await press(page, "Play from this position");
    await until("the position", async () => (await pieces(page)) === "12, black man;30, white king");
    assert.equal(await page.$(".badge"), null, "what databases know is no help in a game");
    await press(page, "Analyse");
    await page.waitForSelector(".badge");
    await until("the databases' word", async () => /(database)/.test(await page.textContent(".verdict")));
    await page.context().close();
  },

  async "a thousand games are read, and the broken one is said with its line"() {
    const page = await open();
    const games = Array.from({ length: 1000 }, (_, index) => `[Event "Cup ${index}"]\n[Black "A${index}"]\n[White "B"]\n[Result "1-0"]\n1. 11-15 ${index === 150 ? "23-17" : "23-19"} 2. 8-11 1-0\n`).join("\n");
    await press(page, "Games and PDN");
    const began = performance.now();
    await page.setInputFiles("dialog input[type=file]", { name: "cup.pdn", mimeType: "text/plain", buffer: Buffer.from(games) });
    await page.waitForSelector("dialog .faults li");
    console.log(`figure: 1,000 games are listed after ${Math.round(performance.now() - began)} ms`);
    assert.match(await page.textContent("dialog .faults"), /Game 151, line 905: illegal move "23-17"/);
    await page.fill("dialog input[type=search]", "a150 cup");
    await until("the part of the broken game that can be read", async () => /2, then a fault|1, then a fault/.test(await page.textContent("dialog tbody")));
    await page.fill("dialog input[type=search]", "a299 cup");
    await until("one game", async () => (await page.$$("dialog tbody tr")).length === 1);
    await press(page, "Load");
    await until("the game", async () => (await moves(page)).join(" ") === "11-15 23-19 8-11");
    await press(page, "Games and PDN");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await press(page, "Copy as PDN");
    await page.waitForSelector("dialog button:text-is('Copied.')");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /\[Event "Cup 299"\]\n[^]*\[Result "1-0"\]\n[^]*1\. 11-15 23-19 2\. 8-11 1-0\n/);
    await page.context().close();
  },

  async "analysis that is switched often leaves no search running"() {
    const page = await open();
    await newGame(page, {});
    const before = threads();
    for (let time = 0; time < 50; time++) await press(page, "Analyse");
    await until("the end of all searches", () => threads() <= before);
    await press(page, "Analyse");
    await page.selectOption(".analysis select >> nth=0", "5");
    await until("five lines", async () => (await page.$$(".lines li")).length === 5);
    assert.match(await page.textContent(".facts"), /depth \d+/);
    await page.keyboard.press("Escape");
    await press(page, "Why");
    await page.waitForSelector(".worth");
    await press(page, "Analyse");
    await until("the end of all searches", () => threads() <= before);
    await page.context().close();
  },

  async "a reload, another tab and a restarted server lose nothing"() {
    const page = await open();
    await newGame(page, {});
    await anyMove(page, 0);
    await until("a move", async () => (await moves(page)).length === 1);
    const game = await moves(page);
    await page.reload();
    await ready(page);
    await until("the game", async () => String(await moves(page)) === String(game));
    const other = await open({ context: page.context() });
    await newGame(other, {});
    assert.deepEqual(await moves(other), []);
    await anyMove(other, 3);
    await until("a move", async () => (await moves(other)).length === 1);
    await page.reload();
    await ready(page);
    await until("the game of this tab", async () => String(await moves(page)) === String(game));
    await other.close();
    const before = faults.length;
    const port = Number(new URL(server.url).port);
    server.child.kill();
    await until("word of it", async () => /connection to Kelso is lost/.test(await status(page)));
    server = await serve(port);
    await until("the connection", async () => /to move/.test(await status(page)));
    assert.deepEqual(await moves(page), game);
    // The browser itself writes down that it could not connect.
    faults.splice(before);
    await anyMove(page, 1);
    await until("a move", async () => (await moves(page)).length === 2);
    await page.context().close();
  },

  async "an engine that is killed is told of, and starts again"() {
    const page = await open();
    await newGame(page, { white: "engine:other", pace: "move", number: 30 });
    await anyMove(page, 0);
    const children = () => readdirSync(`/proc/${server.child.pid}/task`).flatMap((task) => {
      try {
        return readFileSync(`/proc/${server.child.pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number);
      } catch {
        return [];
      }
    });
    await until("the engine", () => children().length === 1);
    await until("its thinking", async () => /thinking/.test(await status(page)));
    process.kill(children()[0], "SIGKILL");
    await page.waitForSelector(".problem");
    assert.match(await page.textContent(".problem"), /^The engine other has ended: signal: 9 \(SIGKILL\)/);
    await press(page, "Start it again");
    await until("the engine", () => children().length === 1);
    await until("its thinking", async () => /thinking/.test(await status(page)));
    await press(page, "Move now");
    await until("its move", async () => (await moves(page)).length === 2);
    await newGame(page, { white: "engine:hub", pace: "depth", number: 5 });
    await anyMove(page, 0);
    await until("a move by an engine that speaks Hub", async () => (await moves(page)).length === 2);
    await page.context().close();
  },

  async "ballots, levels and studies are played"() {
    const page = await open();
    await press(page, "New game");
    await page.selectOption(labelled("Start"), "three");
    await page.waitForSelector(labelled("Ballot"));
    await page.selectOption(labelled("Ballot"), "100");
    await page.selectOption(labelled("White"), "study");
    await page.selectOption(labelled("Pace"), "depth");
    await page.fill("dialog input[type=number]", "4");
    await press(page, "Begin");
    await until("the ballot and a move of the study", async () => (await moves(page)).length === 4);
    assert.match(await page.textContent(".seat.to-move, .seat"), /alex1|Black/);
    await newGame(page, { black: "level:1", white: "engine:kelso", pace: "move", number: 0.4, start: "start" });
    await until("moves of both", async () => (await moves(page)).length > 1);
    await press(page, "Pause");
    const paused = (await moves(page)).length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal((await moves(page)).length, paused, "engines that wait");
    await press(page, "Play on from here");
    await until("a move more", async () => (await moves(page)).length > paused);
    await newGame(page, { white: "engine:kelso", pace: "move", number: 20, start: "start" });
    await page.click(cell(11));
    await page.click(cell(15));
    await until("a move of the book, at once", async () => (await moves(page)).length === 2, 15000);
    await until("word of it", async () => /It is your turn\..* \d+-\d+ was played by the book\.$/.test(await status(page)));
    await page.context().close();
  },

  async "draws, resignation, hints and clocks"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    await press(page, "Hint");
    await until("a hint", async () => /^Hint: \d+-\d+$/.test(await status(page)));
    await press(page, "Offer a draw");
    await until("a refusal that states the rule", async () => /not accepted.*more than 16 pieces/.test(await status(page)));
    await setUpFen(page, "B:WK29,K30:BK1,K2");
    await press(page, "Offer a draw");
    await until("a draw that databases know", async () => /Drawn by agreement/.test(await status(page)));
    await newGame(page, {});
    await press(page, "Resign");
    await page.click("dialog button:text-is('Resign')");
    await until("the end", async () => /White wins: Black has resigned/.test(await status(page)));
    assert.equal(await page.isDisabled("button:text-is('Resign')"), true);
    await press(page, "New game");
    await page.selectOption(labelled("Pace"), "clock");
    await page.fill("dialog label:has(span:text-is('Minutes')) input", "0");
    await press(page, "Begin");
    await until("a reason", async () => /Minutes: expected a number from 0.1 to 600/.test(await page.textContent("dialog .fault")));
    await page.fill("dialog label:has(span:text-is('Minutes')) input", "5");
    await press(page, "Begin");
    await until("a clock", async () => /4:5\d/.test(await page.textContent(".to-move .seat-clock")));
    await page.goto("about:blank");
    await new Promise((resolve) => setTimeout(resolve, 3500));
    await page.goto(server.url);
    await until("word of the pause", async () => /away for .* The clocks stood still/.test(await status(page)));
    await press(page, "New game");
    await page.fill("dialog label:has(span:text-is('Minutes')) input", "0.1");
    await press(page, "Begin");
    await until("the end of the time", async () => /White wins: Black's time is up/.test(await status(page)));
    await page.context().close();
  },

  async "every width has room, and every theme contrast"() {
    for (const colorScheme of ["light", "dark"]) {
      for (const [width, height] of [[360, 740], [1280, 860], [2200, 1300]]) {
        const page = await open({ width, height, colorScheme });
        await setUpFen(page, "W:W21,22,25,K13:B9,10,K30");
        await press(page, "Analyse");
        await page.waitForSelector(".lines li");
        const inside = async (what) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${what} is wider than ${width} pixels`);
        await inside("the page");
        const picture = async (name) => pictures && page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png`, fullPage: width < 500 });
        await picture("board");
        if (width < 2000) await accessible(page, "the board");
        await press(page, "Analyse");
        for (const name of ["New game", "Set up", "Games and PDN"]) {
          await press(page, name);
          await page.waitForSelector("dialog[open]");
          await inside(name);
          await picture(name.split(" ")[0].toLowerCase());
          // A dialog's contrast depends on the theme, and its names on nothing.
          if (width === 1280) await accessible(page, name);
          await page.keyboard.press("Escape");
          await page.waitForSelector("dialog", { state: "detached" });
        }
        await page.context().close();
      }
    }
  },
};

async function setUpFen(page, fen) {
  await press(page, "Set up");
  await page.fill("dialog input[type=text]", fen);
  await until("a legal position", async () => /can be played/.test(await page.textContent("dialog")));
  await press(page, "Play from this position");
  await page.waitForSelector("dialog", { state: "detached" });
  await ready(page);
}

const wanted = process.env.KELSO_CHECK;
try {
  for (const [name, check] of Object.entries(checks)) {
    if (wanted && !name.includes(wanted)) continue;
    const began = Date.now();
    try {
      await check();
      assert.deepEqual(faults, [], "faults on the console");
    } catch (error) {
      console.log([`FAILED: ${name}`, String(error.stack).slice(0, 2000), ...faults].join("\n"));
      process.exitCode = 1;
      break;
    }
    console.log(`ok: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
} finally {
  await browser.close();
  server.child.removeAllListeners("exit");
  server.child.kill();
}
