// Shared by all checks of the board in the browser: the server, the browser, and the user's actions.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { strict as assert } from "node:assert";
import { fileURLToPath } from "node:url";
import { serveFolder } from "./static.mjs";

export const [program, modules, pictures] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
export const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
export const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const CHEAT = fileURLToPath(new URL("illegal-moves.mjs", import.meta.url));
const UNRESPONSIVE = fileURLToPath(new URL("unresponsive-engine.mjs", import.meta.url));
/** The engines that the server offers besides its own. */
const ENGINES = [
  `name=other cmd=${program}`, `name=hub cmd=${program} arg=hub proto=hub`, `name=cheat cmd=${process.execPath} arg=${CHEAT}`,
  `name=deaf cmd=${process.execPath} arg=${UNRESPONSIVE}`, `name=stuck cmd=${process.execPath} arg=${UNRESPONSIVE} arg=search`,
];

/** Whether the program is a folder of static files with the built-in engine. */
export const isStatic = statSync(program).isDirectory();

/** The functions that end the servers which were started. */
const running = new Set();
process.on("exit", () => running.forEach((stop) => stop()));

/** Starts a server; resolves to its address, its process and a function that ends it. */
export function serve(port) {
  if (isStatic) return serveFolder(program, port);
  const child = spawn(program, ["serve", "--no-open", "--library", "none", "--port", String(port), ...ENGINES.flatMap((engine) => ["--engine", engine])], { stdio: ["ignore", "pipe", "ignore"] });
  const stop = () => {
    child.removeAllListeners("exit");
    child.kill();
  };
  running.add(stop);
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve({ child, url: String(data).trim(), stop }));
    child.once("exit", () => reject(new Error("the server has ended")));
  });
}

/** The server of the latest page, which alone has its library. A check may restart it at the same address. */
export let server = isStatic ? await serve(0) : null;
export const restart = async () => { server = await serve(Number(new URL(server.url).port)); };

export const browser = await chromium.launch({ executablePath: process.env.KELSO_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
export const faults = [];

/** Pages that checks have closed. They open the page of another server in half the time of a new browser context. */
const idle = [];
/** The server of each page. */
const hosts = new WeakMap();

/** Ends the server of a page, and keeps the page for another check. */
async function recycle(page) {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.unrouteAll();
  await page.unrouteAll();
  await page.goto("about:blank");
  hosts.get(page).stop();
  idle.push(page);
}

/** Ends all pages that a failed check has left open. */
export async function closePages() {
  idle.length = 0;
  for (const context of browser.contexts()) await (context.end ?? context.close).call(context);
}

/**
 * Opens the page in a browser that has no stored games. If `clipboard` is null, the page behaves as it does over plain
 * HTTP. If `quiet` is set, console messages do not count as faults.
 */
export async function open({ width = 1280, height = 900, colorScheme = "light", motion = "reduce", touch = false, clipboard = "", script = "", quiet = false, context } = {}) {
  if (!context && !isStatic) server = await serve(0);
  // Another check may replace it while this one waits.
  const host = server;
  const isPlain = !isStatic && !touch && clipboard === "" && !script && !quiet && !context,
    used = isPlain ? idle.pop() : undefined;
  if (used) {
    await used.setViewportSize({ width, height });
    await used.emulateMedia({ media: null, forcedColors: null, colorScheme, reducedMotion: motion });
    return shown(used, host);
  }
  const place = context ?? await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: motion, hasTouch: touch, locale: "en" });
  const page = await place.newPage();
  if (!context && !isStatic) place.on("close", () => hosts.get(page).stop());
  if (isPlain) {
    place.end = place.close;
    place.close = () => recycle(page).catch(() => place.end());
  }
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 15000));
  // Concurrent pages would share the real clipboard.
  if (script) await page.addInitScript(script);
  await page.addInitScript((words) => {
    const value = words === null ? undefined : { writeText: async (text) => { words = text; }, readText: async () => words };
    Object.defineProperty(navigator, "clipboard", { value });
  }, clipboard);
  page.on("console", (message) => !quiet && ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error.stack)));
  page.on("request", (request) => !request.url().startsWith(hosts.get(page).url) && !/^(data|about):/.test(request.url()) && faults.push(`request to ${request.url()}`));
  return shown(page, host);
}

async function shown(page, host) {
  hosts.set(page, host);
  await page.goto(host.url);
  await ready(page);
  return page;
}

/** Returns a script that stores values once, before the page reads them. */
export const stored = (values) => `if (!localStorage.length) for (const [key, value] of Object.entries(${JSON.stringify(values)})) localStorage.setItem(key, JSON.stringify(value));`;

export const ready = (page) => page.waitForFunction(() => /to move|turn|wins|Drawn|thinking/.test(document.getElementById("status")?.textContent ?? ""));
export const status = (page) => page.textContent("#status");
/** Returns what was read aloud last. */
export const said = (page) => page.textContent("[aria-live=polite]");
export const cell = (square) => `[role=gridcell][aria-label^="${square},"]`;
export const moves = (page) => page.$$eval(".moves .move", (all) => all.map((move) => move.textContent));
/** Selects a button by its text, which may be next to an icon, or by its name if a phone shows a part of it. */
export const buttonNamed = (name) => `:is(button:text-is("${name}"), button:has(> .label:text-is("${name}")), button[aria-label="${name}"])`;
export const press = (page, name) => page.click(`${buttonNamed(name)}:visible`);
/** Clicks a button that asks first, and answers with a second click. */
export async function twice(page, name) {
  const button = await page.$(`${buttonNamed(name)}:visible`);
  await button.click();
  await button.click();
}
/** Shows the solution of a puzzle, whether or not the page asks first because of the rating. */
export async function showSolution(page) {
  await press(page, "Solution");
  if (await page.isVisible(buttonNamed("Show it?"))) await press(page, "Show it?");
}
/** Goes to a mode, by its tab. */
export async function mode(page, name) {
  await page.click(`.modes a:text-is("${name}")`);
  // The page follows a link after the click.
  await page.waitForSelector(`main.${name.toLowerCase()}`);
}

/** Goes to the study, and to one of its tabs. */
export async function study(page, tab = "moves") {
  await mode(page, "Study");
  if (tab !== "moves" || await page.locator("#tab-moves").isVisible()) await page.click(`#tab-${tab}`);
}

/** Switches the analysis on or off. */
export async function analyse(page) {
  await mode(page, "Study");
  await press(page, "Engine");
}

/** Shows the fields that mark and comment on a move. */
export const annotate = (page) => page.click("button[aria-label='Annotate the move'][aria-expanded=false]");

/** Shows the options of the analysis. */
export const analysisOptions = (page) => page.click(".analysis button[aria-label='Analysis settings']");

export const pieces = (page) => page.$$eval("[role=gridcell][aria-label]", (cells) => cells.map((cell) => cell.getAttribute("aria-label").split(",").slice(0, 2).join()).filter((name) => !name.includes("empty")).sort().join(";"));

export const labelled = (label) => `dialog label:has(span:text-is("${label}")) select`;

/** Returns the squares whose names contain a word. */
export const named = (page, words) => page.$$eval("[role=gridcell][aria-label]", (cells, words) => cells.filter((cell) => words.some((word) => cell.getAttribute("aria-label").includes(word))).map((cell) => Number.parseInt(cell.getAttribute("aria-label"))), words);

/** Moves a piece by clicks on its squares, as soon as it can move. */
export async function movePiece(page, ...squares) {
  await until(`a turn of the piece on ${squares[0]}`, async () => (await named(page, ["can move", "must capture"])).includes(squares[0]));
  for (const square of squares) await page.click(cell(square));
}

/** Makes any legal move by clicking. Returns whether there was one. */
export async function anyMove(page, at) {
  const starts = await named(page, ["must capture", "can move"]);
  if (!starts.length) return false;
  await page.click(cell(starts[at % starts.length]));
  for (;;) {
    const targets = await named(page, ["move here"]);
    if (!targets.length) return true;
    await page.click(cell(targets[at % targets.length]));
  }
}

/** Shows all choices of the dialog for a new game. */
export const more = (page) => page.click("dialog details:not([open]) summary");

/** Shows the choice of both players in the dialog for a new game, and of a clock other than the usual ones. */
export const bothPlayers = async (page) => {
  if (await page.isHidden("dialog details .stack")) await more(page);
  await page.check("dialog details .check input");
};
export const otherClock = (page) => page.check("dialog input[value=other]");

export async function newGame(page, { black = "person", white = "person", pace, number, start } = {}) {
  await mode(page, "Play");
  await press(page, "New game");
  await bothPlayers(page);
  const select = (label, value) => page.selectOption(labelled(label), value);
  await select("Black (moves first)", black);
  await select("White", white);
  if (pace === "clock") await otherClock(page);
  else if (pace) {
    await page.check("dialog .chips input[value='']");
    await select("Engine's thinking", pace);
  }
  if (number) await page.fill("dialog input[type=number]:visible", String(number));
  if (start) await select("Opening", start);
  await press(page, "Start game");
  await page.waitForSelector("dialog", { state: "detached" });
  await ready(page);
}

/** Counts the threads of the server. */
export const threads = () => readdirSync(`/proc/${server.child.pid}/task`).length;

export async function until(what, test, patience = 20000) {
  const deadline = Date.now() + patience;
  while (!await test()) {
    assert(Date.now() < deadline, `${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules that depend on the theme, or on the pointer. */
export const COLOURS = ["color-contrast", "link-in-text-block"];

export async function accessible(page, what, runOnly = ALL_RULES) {
  if (!await page.evaluate(() => "axe" in window)) await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { runOnly, resultTypes: ["violations"], selectors: false }), runOnly);
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`), [], what);
}

/** Returns the FEN of the dialog that sets up a position. */
export const fenIn = (page) => page.inputValue("dialog textarea");

export async function setUpFen(page, fen) {
  await mode(page, "Study");
  await press(page, "Set up");
  await page.fill("dialog textarea", fen);
  await until("a legal position", async () => /can be played/.test(await page.textContent("dialog")));
  await press(page, "Play it");
  await press(page, "Start game");
  await page.waitForSelector("dialog", { state: "detached" });
  await ready(page);
}

/** Measures the processor time of a page's main thread from now on. Resolves to a function that returns it, in seconds. */
export async function processorTime(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
export const current = (page) => page.$eval(".moves [aria-current]", (move) => move.textContent).catch(() => "");

export async function enter(page, ...texts) {
  for (const text of texts) {
    const before = (await moves(page)).length;
    await page.fill(".move-input", text);
    await page.press(".move-input", "Enter");
    await until(text, async () => (await moves(page)).length > before && /to move|turn|wins|Drawn/.test(await status(page)));
  }
}

/** Reads PDN through the dialog. */
export async function readPdn(page, pdn) {
  await mode(page, "Library");
  await press(page, "Import");
  await page.fill("dialog textarea", pdn);
  await press(page, "Import text");
}

/** The rows of the library, and the number of its games as it is shown. */
export const ROWS = ".library tbody tr";
/** Waits for the number of games in the list, as words. Those that are found may be some of more games. */
export const listed = (page, words) => {
  const wanted = new RegExp(`^${words.replace(/^([\d,]+) games?$/, "$1( of [\\d,]+)? games?")}$`);
  return until(words, async () => wanted.test(await page.textContent(".library [role=status]")));
};

/** Loads the only game of a PDN text. */
export async function loadPdn(page, pdn) {
  await readPdn(page, pdn);
  await page.waitForSelector("dialog", { state: "detached" });
  await until("the game", async () => /^Loaded/.test(await said(page)));
}

/** Waits for the first pass of a review that finds a mistake, or shows something else, and stops the others at once. */
export const reviewed = (page, shown = ".review .sums .glyph") => page.waitForFunction((shown) => {
  if (!document.querySelector(shown)) return false;
  // It may have ended.
  const stop = [...document.querySelectorAll(".review button")].find((button) => button.textContent === "Stop");
  if (!stop.hidden) stop.click();
  return true;
}, shown, { timeout: 120000 });

/** Shows the ways to export the game on the board. */
export async function openExports(page) {
  if (await page.isHidden(buttonNamed("Export"))) await mode(page, "Study");
  await press(page, "Export");
}

/** Closes all dialogs. */
export async function closeDialogs(page) {
  for (let open = await page.locator("dialog").count(); open > 0; open--) await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
}

/** Returns the text that a button for exports copies. */
export async function copied(page, name) {
  await openExports(page);
  await press(page, name);
  await page.waitForSelector("dialog button:text-is('Copied.')");
  await closeDialogs(page);
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Returns the game on the board as PDN. */
export const copyPdn = (page) => copied(page, "Copy PDN");

/** Returns the middle of a square in the window. */
export async function center(page, square) {
  const box = await page.locator(cell(square)).first().boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function drag(page, ...squares) {
  const [first, ...rest] = squares;
  await page.mouse.move(...await center(page, first));
  await page.mouse.down();
  for (const square of rest) await page.mouse.move(...await center(page, square), { steps: 6 });
  await page.mouse.up();
}
