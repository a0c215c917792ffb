// Puzzles: proved problems that are solved against the program.

import { readFileSync } from "node:fs";
import { strict as assert } from "node:assert";
import { accessible, analyse, cell, drag, loadPdn, mode, moves, newGame, open, pause, pictures, press, reviewed, status, study, until } from "./harness.mjs";

const words = (page) => page.textContent(".puzzle-panel [role=status]");
const problems = readFileSync(new URL("../../crates/web/src/page/problems.txt", import.meta.url), "utf8").trim().split("\n").map((line) => {
  const [fen, goal, solution] = line.split("|");
  return { fen, goal: goal.split(" ")[0], solution: solution.split(" ") };
});

/** Plays a move on the board of the dialog, square by square. */
async function play(page, move) {
  for (const square of move.split(/[-x]/)) {
    if (await page.$(cell(square))) await page.click(cell(square));
  }
}

/** Plays the user's moves of a solution. */
async function solve(page, { solution }) {
  for (let at = 0; at < solution.length; at += 2) {
    await page.waitForSelector(".movable");
    await play(page, solution[at]);
    const answer = solution[at + 1];
    await until(`the answer to ${solution[at]}`, async () => answer ? (await words(page)).includes(`The reply is ${answer}`) || /^Solved/.test(await words(page)) : /^Solved/.test(await words(page)));
    if (answer) await pause(600);
  }
  await until("the end", async () => /^Solved/.test(await words(page)));
}

/** Returns the figures of a puzzle and of the user, such as "Solved: 1 (1 unaided)". */
const figures = (page) => page.$$eval(".puzzle-figures > div", (all) => all.map((figure) => [...figure.children].map((part) => part.textContent).join(": ")).join("; "));

export const puzzles = {
  async "a certificate proves the value of a puzzle"() {
    const page = await open();
    await mode(page, "Puzzles");
    await page.waitForSelector(".movable");
    assert(!(await page.textContent(".proof")), "a proof of a shot");
    await page.selectOption(".puzzle-panel select", "kingHunt");
    const puzzle = problems.find(({ fen, goal }) => goal === "win" && /^.:WK[^:]*:BK/.test(fen) && !/[:,]\d/.test(fen));
    await press(page, "Solution");
    await until("the end of the solution", async () => await page.textContent(".proof") === "Prove it");
    await page.click(".proof button");
    await until("the proof", async () => /^Proved by [\d,]+ positions?\. Save the certificate$/.test(await page.textContent(".proof")));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(".proof button")]);
    assert.equal(readFileSync(await download.path(), "utf8").split("\n").slice(0, 3).join(), `kelso-proof 1,position ${puzzle.fen},claim win`);
    await press(page, "Next");
    assert(!(await page.textContent(".proof")), "a proof of another puzzle");
    await page.context().close();
  },

  async "puzzles are solved, answered and kept"() {
    const page = await open();
    await newGame(page, {});
    await mode(page, "Puzzles");
    const first = problems[0];
    await until("the first puzzle", async () => new RegExp(`^Puzzle: 1 of ${problems.length};.*Solved: 0;`).test(await figures(page)));
    assert.match(await page.textContent(".task"), { win: /to move and win$/, draw: /to move and draw$/, gain: /to move and win material$/ }[first.goal]);
    await accessible(page, "puzzles");
    if (pictures) await page.screenshot({ path: `${pictures}/puzzles.png` });
    assert.equal(await page.$(".arrow"), null);
    await solve(page, first);
    assert.equal(await words(page), "Solved.");
    assert.match(await figures(page), /Solved: 1 \(1 unaided\)/);
    await press(page, "Next");
    await until("the second puzzle", async () => (await figures(page)).startsWith(`Puzzle: 2 of ${problems.length};`));
    // Hints come in steps.
    await page.waitForSelector(".movable");
    for (const expected of [/^You need \d+ moves?/, /^Move the piece on \d+/, /^Hint: \d+/]) {
      await press(page, "Hint");
      assert.match(await words(page), expected);
    }
    assert.equal(await page.locator("polygon.arrow").count(), 1);
    await solve(page, problems[1]);
    assert.match(await words(page), /with help/);
    await page.reload();
    await until("the first puzzle that is not solved", async () => new RegExp(`^Puzzle: 3 of ${problems.length};.*Solved: 2 \\(1 unaided\\)`).test(await figures(page)));
    await page.context().close();
  },

  async "a wrong move in a puzzle is answered"() {
    const page = await open({ width: 360, height: 740, touch: true });
    await newGame(page, {});
    await mode(page, "Puzzles");
    await page.waitForSelector(".movable");
    const { solution } = problems[0];
    const right = Number.parseInt(solution[0]);
    for (const name of await page.$$eval(".movable", (all) => all.map((cell) => cell.getAttribute("aria-label")))) {
      const square = Number.parseInt(name);
      await page.click(cell(square));
      const targets = await page.$$eval("[aria-label*='move here']", (all) => all.map((cell) => Number.parseInt(cell.getAttribute("aria-label"))));
      const wrong = targets.find((target) => square !== right || target !== Number(solution[0].split(/[-x]/).pop()));
      if (!wrong) continue;
      await page.click(cell(wrong));
      break;
    }
    await until("the answer", async () => /is wrong: the opponent replies \d+/.test(await words(page)));
    if (pictures) await page.screenshot({ path: `${pictures}/puzzles-360.png` });
    await press(page, "Try again");
    await page.waitForSelector(".movable");
    await solve(page, problems[0]);
    assert.match(await words(page), /after a mistake/);
    await press(page, "Solution");
    await until("the solution", async () => (await words(page)).includes(solution.join(" ")));
    await press(page, "Analyse");
    await until("the position with its solution", async () => (await moves(page)).length === solution.length && /to move/.test(await status(page)));
    await page.context().close();
  },

  async "a mistake of a game becomes a puzzle"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 *");
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    const better = await page.textContent(".variation .move");
    await press(page, "Solve it");
    await page.waitForSelector(".movable");
    assert.match(await page.textContent(".task"), /Find a better move for Black/);
    await play(page, "16-19");
    await until("the answer", async () => /16-19 is wrong/.test(await words(page)));
    await press(page, "Try again");
    await page.waitForSelector(".movable");
    await drag(page, ...better.split("-").map(Number)).catch(() => {});
    if (!/^Solved/.test(await words(page))) await play(page, better);
    await until("the end", async () => /^Solved/.test(await words(page)));
    // The puzzle is still listed.
    await press(page, "Back to the game");
    await mode(page, "Puzzles");
    const theme = "label:has(span:text-is('Theme')) select";
    await page.waitForSelector(theme);
    await page.selectOption(theme, "own");
    await until("the mistake", async () => /find a better move than \d+\. \d/.test(await page.textContent(".puzzle-facts")));
    assert.match(await page.textContent(".task"), /Find a better move/);
    await page.context().close();
  },

  async "a puzzle that was solved with help returns, and the rating follows the results"() {
    const page = await open();
    await newGame(page, {});
    await mode(page, "Puzzles");
    await page.waitForSelector(".movable");
    assert.match(await figures(page), /Your rating: –; Streak: 0;/);
    await press(page, "Hint");
    await solve(page, problems[0]);
    await until("the rating", async () => /Your rating: 9\d\d; Streak: 0/.test(await figures(page)));
    await press(page, "Next");
    await until("the next puzzle", async () => (await figures(page)).startsWith("Puzzle: 2 of"));
    await solve(page, problems[1]);
    await until("the streak", async () => /Streak: 1 \(longest 1\)/.test(await figures(page)));
    // A day later.
    await page.evaluate(() => {
      const settings = JSON.parse(localStorage.getItem("kelso.settings"));
      for (const result of Object.values(settings.puzzles)) if (result.next) result.next -= 25 * 3600 * 1000;
      localStorage.setItem("kelso.settings", JSON.stringify(settings));
    });
    await page.reload();
    await until("the first puzzle again", async () => /^Puzzle: 1 of.*Due again: 1$/.test(await figures(page)));
    const theme = "label:has(span:text-is('Theme')) select";
    await page.selectOption(theme, "due");
    await until("the puzzle to repeat", async () => (await figures(page)).startsWith("Puzzle: 1 of 1;"));
    await solve(page, problems[0]);
    await until("nothing to repeat", async () => /Streak: 2 \(longest 2\); Due again: 0$/.test(await figures(page)));
    await page.selectOption(theme, "kingHunt");
    await until("a king hunt", async () => /to move and win$/.test(await page.textContent(".task")));
    await page.context().close();
  },
};
