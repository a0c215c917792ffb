// The board in Firefox: node firefox.mjs PROGRAM MODULES FIREFOX. One check of each mode, since the checks of board.mjs need
// a driver that distributions' builds of Firefox lack.

import { spawn } from "node:child_process";
import { strict as assert } from "node:assert";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [program, modules, executablePath] = process.argv.slice(2);
const entry = createRequire(`${modules}/`).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(entry));
const PATIENCE = 30_000;

const server = spawn(program, ["serve", "--no-open", "--library", "none", "--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
const url = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data).trim())));
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });

/**
 * Resolves when an expression is true in the page. The page's security policy forbids waitForFunction, and thus locators, in
 * some versions of Firefox.
 */
async function until(page, expression) {
  for (const end = Date.now() + PATIENCE; !(await page.evaluate(`Boolean(${expression})`)); await sleep(50)) {
    assert.ok(Date.now() < end, `not true in time: ${expression}`);
  }
}

/** Clicks an element, given as an expression, when it can be seen. */
async function clickOn(page, element) {
  await until(page, `${element}?.checkVisibility()`);
  const [x, y] = await page.evaluate(`(() => {
    const element = ${element};
    element.scrollIntoView({ block: "nearest" });
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  })()`);
  await page.mouse.click(x, y);
}

const first = (selector) => `document.querySelector(${JSON.stringify(selector)})`;
const cell = (square) => `[role=gridcell][aria-label^="${square},"]`;
const press = (page, name) =>
  clickOn(page, `[...document.querySelectorAll("button")].find((button) => button.textContent.trim() === "${name}")`);
const mode = (page, name) => clickOn(page, first(`.modes a[href="#${name}"]`));
const texts = (page, selector) => page.$$eval(selector, (all) => all.map((element) => element.textContent));

async function move(page, from, to) {
  await until(page, `/can move|must capture/.test(document.querySelector('${cell(from)}')?.getAttribute("aria-label"))`);
  await clickOn(page, first(cell(from)));
  await clickOn(page, first(cell(to)));
}

const checks = {
  async "a game against the engine is played"(page) {
    await until(page, `/your turn/.test(document.getElementById("status")?.textContent)`);
    await move(page, 11, 15);
    await until(page, `document.querySelectorAll(".moves .move").length === 2`);
    assert.equal((await texts(page, ".moves .move"))[0], "11-15");
    await page.reload();
    await until(page, `document.querySelectorAll(".moves .move").length === 2`);
  },

  async "a study is analysed, and keys step through its moves"(page) {
    await mode(page, "study");
    await press(page, "Engine");
    await until(page, `[...document.querySelectorAll(".score")].some((score) => /^[+−]?[0-9]+[.][0-9]+$/.test(score.textContent))`);
    await press(page, "Engine");
    await page.keyboard.press("ArrowLeft");
    await until(page, `document.querySelector(".moves [aria-current]")?.textContent === "11-15"`);
  },

  async "a position is set up"(page) {
    await press(page, "Set up");
    await clickOn(page, first("dialog textarea"));
    await page.$eval("dialog textarea", (field) => field.select());
    await page.keyboard.type("W:WK30:B12");
    await until(page, `/can be played/.test(document.querySelector("dialog").textContent)`);
    await press(page, "Study it");
    await until(page, `document.querySelector('${cell(30)}').getAttribute("aria-label").includes("white king")`);
  },

  async "a puzzle shows its solution"(page) {
    await mode(page, "puzzles");
    await until(page, `document.querySelector(".movable")`);
    await press(page, "Solution");
    await press(page, "Show it?");
    await until(page, `/^Rating: /.test(document.querySelector(".words").textContent)`);
  },

  async "no mode is wider than a phone"(page) {
    await resize(page, 360, 740);
    for (const name of ["play", "study", "puzzles", "library"]) {
      await mode(page, name);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, name);
    }
  },
};

// Firefox 140 sets the size, but does not know the command for the orientation of the screen that comes with it.
async function resize(page, width, height) {
  await page.setViewport({ width, height }).catch((error) => {
    if (!error.message.includes("setScreenOrientationOverride")) throw error;
  });
}

try {
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await resize(page, 1280, 900);
  await page.goto(url);
  for (const [name, check] of Object.entries(checks)) {
    await check(page);
    assert.deepEqual(faults, [], name);
    console.log(`ok: ${name}`);
  }
} finally {
  await browser.close();
  server.kill();
}
