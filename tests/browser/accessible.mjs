// Accessibility of every mode and state, in light and dark themes and with forced colours.

import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { COLOURS, accessible, analyse, analysisOptions, anyMove, bothPlayers, cell, loadPdn, mode, movePiece, named, newGame, open, otherClock, press, readPdn, reviewed, showSolution, status, study, twice, until } from "./harness.mjs";

const THEMES = [{ colorScheme: "light", forcedColors: "none" }, { colorScheme: "dark", forcedColors: "none" }, { colorScheme: "light", forcedColors: "active" }];
const GAME = '[Event "Cup"]\n[Black "Ann"]\n[White "Ben"]\n\n1. 11-15 22-18 {the cross} 2. 15x22 $2 25x18 (26x17) 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 *\n';

/** Checks the page in the first theme, and in the others what depends on colours. */
async function everywhere(page, what) {
  for (const [index, theme] of THEMES.entries()) {
    await page.emulateMedia(theme);
    await accessible(page, `${what}: ${Object.values(theme).join(", ")}`, index > 0 ? COLOURS : undefined);
  }
}

async function inDialog(page, what) {
  await page.waitForSelector("dialog[open]");
  await everywhere(page, what);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
}

/** Compares the page as a screen reader presents it with the stored text. `KELSO_UPDATE` replaces the text. */
async function readsAs(page, name) {
  const file = new URL(`../data/screen-reader/${name}.yml`, import.meta.url);
  // Numbers that depend on the time of the search.
  const found = (await page.locator("body").ariaSnapshot())
    .replace(/strong: \d+%/g, "strong: N%").replace(/(Mistake|Inaccuracy): \d+[-x]\d+/g, "$1: MOVE").replace(/better \d+[-x]\d+: (Black|White) [^"\n]*/g, "better MOVE");
  if (process.env.KELSO_UPDATE) writeFileSync(file, `${found}\n`);
  assert.equal(`${found}\n`, readFileSync(file, "utf8"), name);
}

export const accessibility = {
  async "a screen reader presents a game, a puzzle and a review as written down"() {
    const page = await open();
    await newGame(page, {});
    await movePiece(page, 11, 15);
    await movePiece(page, 22, 18);
    await until("the turn", async () => (await named(page, ["must capture"])).length);
    await readsAs(page, "game");
    await mode(page, "Puzzles");
    await page.waitForSelector("main.puzzles .movable");
    await readsAs(page, "puzzle");
    await mode(page, "Study");
    await loadPdn(page, GAME);
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    await readsAs(page, "review");
    await page.context().close();
  },

  async "a game is accessible in every state and theme"() {
    const page = await open();
    await everywhere(page, "the start");
    await press(page, "New game");
    await bothPlayers(page);
    await otherClock(page);
    await inDialog(page, "New game");
    await newGame(page, { pace: "clock" });
    await movePiece(page, 11, 15);
    await page.click(cell((await named(page, ["can move"]))[0]));
    await everywhere(page, "a game with clocks, and a piece that was picked");
    await anyMove(page, 0);
    await press(page, "Hint");
    await page.waitForSelector("polygon.arrow");
    await everywhere(page, "a hint");
    await twice(page, "Resign");
    await until("the end", async () => /wins/.test(await status(page)));
    await everywhere(page, "the end of a game");
    await page.click("button[aria-label=Settings]");
    await inDialog(page, "the settings");
    await page.context().close();
  },

  async "a study is accessible in every state and theme"() {
    const page = await open();
    await mode(page, "Study");
    await loadPdn(page, GAME);
    await everywhere(page, "a study");
    await analyse(page);
    await analysisOptions(page);
    await page.waitForSelector(".lines li");
    await everywhere(page, "an analysis with its options");
    await analyse(page);
    for (const tab of ["explorer", "review", "tags"]) {
      await study(page, tab);
      await everywhere(page, tab);
    }
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    await everywhere(page, "a review");
    await press(page, "Set up");
    await press(page, "Clear");
    await page.waitForSelector("dialog .fault:not(:empty)");
    await inDialog(page, "an illegal position");
    await readPdn(page, `${GAME}\n${GAME.replace("22-18", "22-19")}`);
    await page.waitForSelector(".library .faults >> visible=true");
    await page.click(".choice input >> nth=1");
    await everywhere(page, "a list of games with an error");
    await page.context().close();
  },

  async "puzzles are accessible in every state and theme"() {
    const page = await open();
    await newGame(page, {});
    await mode(page, "Puzzles");
    await page.waitForSelector("main.puzzles .movable");
    await everywhere(page, "a puzzle");
    await press(page, "Hint");
    await everywhere(page, "a hint of a puzzle");
    await showSolution(page);
    await until("the solution", async () => /^Rating: /.test(await page.textContent(".words")));
    await everywhere(page, "a solution");
    await page.context().close();
  },
};
