// Puzzles: proved problems that are solved against the program.

import { readFileSync } from "node:fs";
import { strict as assert } from "node:assert";
import { accessible, analyse, buttonNamed, cell, current, drag, loadPdn, mode, moves, named, newGame, open, pause, pictures, pieces, press, reviewed, showSolution, status, stored, study, twice, until } from "./harness.mjs";

/** Returns the message of the puzzle, without the signs that keep moves on one line. */
const words = async (page) => (await page.textContent(".puzzle-panel [role=status]")).replaceAll("\u2060", "");
const problems = readFileSync(new URL("../../crates/web/src/page/problems.txt", import.meta.url), "utf8").trim().split("\n").map((line) => {
  const [fen, goal, solution, numbers] = line.split("|");
  const captures = solution.split(" ").some((move, at) => at % 2 === 0 && move.includes("x"));
  return { fen, goal: goal.startsWith("gain") && !captures ? "crown" : goal.split(" ")[0], solution: solution.split(" "), rating: Number(numbers.split(" ")[1]) };
});
const TASKS = { win: /to move and win$/, draw: /to move and draw$/, gain: /to move and win material$/, crown: /to move and crown$/ };

/** Waits for a puzzle other than `last`, and returns it. */
async function shown(page, last) {
  const names = { b: "black man", B: "black king", w: "white man", W: "white king" };
  const listed = ({ fen }) => [...fen.matchAll(/:([WB])([^:]*)/g)].flatMap(([, side, list]) => list.split(",").filter(Boolean).map((piece) => `${piece.replace("K", "")}, ${names[piece[0] === "K" ? side : side.toLowerCase()]}`)).sort().join(";");
  let found;
  await until("another puzzle", async () => {
    await page.waitForSelector("main.puzzles .movable");
    const here = await pieces(page), task = await page.textContent(".task");
    found = problems.find((puzzle) => puzzle !== last && listed(puzzle) === here && task.startsWith(puzzle.fen[0] === "W" ? "White" : "Black"));
    return found;
  });
  return found;
}

/** Makes a first move that does not solve the puzzle. */
async function err(page, { solution }) {
  const right = Number.parseInt(solution[0]);
  for (const square of await named(page, ["can move", "must capture"])) {
    await page.click(cell(square));
    const wrong = (await named(page, ["move here"])).find((target) => square !== right || target !== Number(solution[0].split(/[-x]/).pop()));
    if (wrong) return page.click(cell(wrong));
  }
}

/** Plays a move on the board of the dialog, square by square. */
async function play(page, move) {
  for (const square of move.split(/[-x]/)) {
    if (await page.$(cell(square))) await page.click(cell(square));
  }
}

/** The title of a puzzle that was solved, alone or not. */
const SOLVED = /^(Solved|Solved after a mistake or help)$/;

/** Plays the user's moves of a solution. */
async function solve(page, { solution }) {
  for (let at = 0; at < solution.length; at += 2) {
    await page.waitForSelector("main.puzzles .movable");
    // The first move is typed where there is a field for it.
    if (at === 0 && await page.isVisible(".puzzle-panel .move-input")) {
      await page.fill(".puzzle-panel .move-input", solution[at]);
      await page.press(".puzzle-panel .move-input", "Enter");
    } else await play(page, solution[at]);
    const answer = solution[at + 1];
    await until(`the answer to ${solution[at]}`, async () => answer ? (await words(page)).includes(`The reply is ${answer}`) || SOLVED.test(await page.textContent(".task")) : SOLVED.test(await page.textContent(".task")));
    if (answer) await pause(600);
  }
  await until("the end", async () => SOLVED.test(await page.textContent(".task")));
}

/** Returns the figures of a puzzle and of the user, such as "Solved: 1 (1 unaided)". */
const figures = (page) => page.$$eval(".puzzle-figures > div", (all) => all.map((figure) => [...figure.children].map((part) => part.textContent).join(": ")).join("; "));

export const puzzles = {
  async "a certificate proves the value of a puzzle"() {
    const page = await open();
    await mode(page, "Puzzles");
    await page.waitForSelector("main.puzzles .movable");
    assert(!(await page.textContent(".proof")), "a proof of a shot");
    await page.selectOption(".puzzle-panel select", "kingHunt");
    const puzzle = await shown(page);
    await showSolution(page);
    // It is listed as a whole before it is played on the board.
    const { solution } = puzzle;
    await until("the whole solution", async () => (await moves(page)).length >= solution.length && await current(page) !== solution.at(-1), 3000);
    await until("the end of the solution", async () => /^Prove it and save a certificate/.test(await page.textContent(".proof")));
    await until("the last move that follows", async () => await current(page) === (await moves(page)).at(-1) && (await moves(page)).length > puzzle.solution.length, 40_000);
    await page.click(".proof button");
    await until("the proof", async () => /^Proved by [\d,]+ positions?\. Save the certificate$/.test(await page.textContent(".proof")));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(".proof button")]);
    assert.equal(readFileSync(await download.path(), "utf8").split("\n").slice(0, 3).join(), `kelso-proof 1,position ${puzzle.fen},claim win`);
    await press(page, "Next");
    assert(!(await page.textContent(".proof")), "a proof of another puzzle");
    await page.context().close();
  },

  async "a puzzle is studied without its solution until that is known"() {
    const page = await open();
    await mode(page, "Puzzles");
    const { solution } = await shown(page);
    await press(page, "Analyse");
    await page.waitForSelector("main.study");
    assert.deepEqual(await moves(page), []);
    await mode(page, "Puzzles");
    await showSolution(page);
    await press(page, "Analyse");
    await page.waitForSelector("main.study");
    assert.deepEqual(await moves(page), solution);
    await page.context().close();
  },

  async "a puzzle is kept while it is analysed, and a refutation until the next try"() {
    const page = await open();
    await mode(page, "Puzzles");
    const puzzle = await shown(page), before = await pieces(page);
    await err(page, puzzle);
    const marks = () => page.evaluate(() => [".badge", "polygon.threat"].map((mark) => document.querySelectorAll(`.over ${mark}`).length));
    // They are shown for a moment, after the move.
    await until("a cross and the move that refutes", async () => String(await marks()) === "1,1");
    await until("the refutation", async () => /is wrong: .*Try again\.$/.test(await words(page)));
    await until("the position before", async () => await pieces(page) === before && (await page.$(".movable")));
    assert.deepEqual(await marks(), [0, 0], "a cross without its piece");
    assert.match(await words(page), /is wrong: /);
    const listed = await moves(page);
    assert(/\?$/.test(listed[0]) && listed.length > 1, `${listed}`);
    const corner = () => page.$eval("[role=gridcell][aria-label]", (first) => first.getAttribute("aria-label")),
      seen = await corner();
    await press(page, "Analyse");
    await page.waitForSelector("main.study");
    await until("the same view of the board", async () => await corner() === seen);
    await mode(page, "Puzzles");
    await until("the same moves", async () => String(await moves(page)) === String(listed));
    assert.match(await words(page), /is wrong: /);
    await page.click(".history summary");
    await until("the history", async () => /Failed: No\. \d+, (White|Black) to move and /.test(await page.textContent(".history")));
    await page.context().close();
  },

  async "puzzles near the user's rating are solved, answered and kept"() {
    const page = await open();
    await newGame(page, {});
    await mode(page, "Puzzles");
    const first = await shown(page);
    assert.match(await figures(page), new RegExp(`^Solved: 0 of ${problems.length}; With help: 0; To repeat: 0; Your rating: 1000 ± 200;`));
    assert(Math.abs(first.rating - 1000) < 20, `a rating of ${first.rating}`);
    assert.match(await page.textContent(".task"), TASKS[first.goal]);
    assert(!/Kelso|Level/.test(await page.textContent(".puzzle-head .soft")), "how hard it is");
    await accessible(page, "puzzles");
    if (pictures) await page.screenshot({ path: `${pictures}/puzzles.png` });
    assert.equal(await page.$(".arrow"), null);
    await solve(page, first);
    assert.match(await words(page), /^Without help. Rating: 1000 →\s10[5-9]\d\s±\s1\d\d\.$/);
    assert.equal(await page.textContent(".task"), "Solved");
    const solution = first.solution.slice(0, first.solution.length - first.solution.length % 2 + 1);
    await until("the moves that follow", async () => (await moves(page)).length > solution.length);
    assert.deepEqual((await moves(page)).slice(0, solution.length), solution);
    assert((await moves(page)).length <= solution.length + 6, "more than six moves follow");
    // The opponent is to move after the solution, and the steps go on from there.
    assert.equal(await page.textContent(".to-move .player-name"), `${first.fen[0] === "W" ? "Black" : "White"}: Kelso`);
    await page.click("main.puzzles [aria-label='Step forward']");
    await until("the next move", async () => await current(page) === (await moves(page))[solution.length]);
    assert.match(await page.textContent(".to-move .player-name"), /You$/);
    await page.keyboard.press("ArrowLeft");
    await until("the end of the solution", async () => await current(page) === solution.at(-1));
    // The list goes back to positions of a solved puzzle, in which nothing can be moved.
    const end = await pieces(page);
    if (first.solution.length > 2) {
      await page.click(".moves .move >> nth=0");
      await until("an earlier position", async () => String(await pieces(page)) !== String(end));
      assert.equal(await page.$(".movable"), null);
    }
    assert.match(await page.textContent(".puzzle-head .soft"), /^Only \d+(-\u2060|x)\d+.* (wins|draws|wins material|crowns|is winning|saves the game)\. ([Ll]evel|No level|Every level)/);
    const [solved, following, result] = [await figures(page), await moves(page), await words(page)];
    await page.click(cell(Number.parseInt(await pieces(page))));
    assert.equal(await words(page), result, "a result that a tap hides");
    assert.match(solved, /Solved: 1 of \d+; With help: 0; To repeat: 0; Your rating: \d+ ± \d+/);
    // A mistake in a puzzle that is tried again for practice takes nothing away.
    await press(page, "Try again");
    await err(page, first);
    await until("the refutation", async () => /is wrong/.test(await words(page)));
    await showSolution(page);
    await until("the same moves that follow", async () => String(await moves(page)) === String(following));
    assert(!/Rating/.test(await words(page)) && await figures(page) === solved, `${await words(page)} ${await figures(page)}`);
    await press(page, "Next");
    const second = await shown(page, first);
    const rating = Number(/Your rating: (\d+)/.exec(await figures(page))[1]);
    assert(rating > 1010 && Math.abs(second.rating - rating) < 20, `a rating of ${second.rating} after ${rating}`);
    // Hints come in steps. The first one asks, since it counts as a failure.
    await press(page, "Hint");
    assert.match(await words(page), /^This lowers your rating by about [4-9]\d\.$/);
    await press(page, "Show it?");
    assert.match(await words(page), /^Move the piece on \d+/);
    await press(page, "Hint");
    assert.match(await words(page), /^Hint: \d+/);
    assert.equal(await page.locator("polygon.arrow").count(), 1);
    await solve(page, second);
    assert.match(await words(page), /^With help/);
    await press(page, "Previous");
    assert.equal(await shown(page, second), first);
    await page.reload();
    const third = await shown(page, second);
    assert(third !== first && /Solved: 1 of \d+; With help: 1;/.test(await figures(page)));
    await page.context().close();
  },

  async "a wrong move in a puzzle is answered and taken back"() {
    const page = await open({ width: 360, height: 740, touch: true });
    await newGame(page, {});
    await mode(page, "Puzzles");
    await shown(page);
    await page.selectOption(".puzzle-panel select", "shot");
    await until("a shot", async () => TASKS.gain.test(await page.textContent(".task")));
    assert(await page.$eval(".task", (task) => task.getBoundingClientRect().height) < 30, "a task of two lines");
    await page.selectOption(".puzzle-panel select", "");
    const puzzle = await shown(page), { solution } = puzzle, before = await pieces(page);
    const top = (what) => page.$eval(what, (element) => element.getBoundingClientRect().top);
    assert(await page.$eval(".puzzle-panel .columns", (lists) => lists.getBoundingClientRect().bottom) < await top(".puzzle-panel .actions-row"), "lists that are cut");
    const figuresAt = await top(".puzzle-figures");
    // Until the verdict, the move cannot be taken back.
    await page.evaluate(() => {
      const said = document.querySelector(".puzzle-panel .words"),
        again = [...document.querySelectorAll(".puzzle-panel .action")].find(({ textContent }) => textContent === "Try again");
      new MutationObserver(() => window.stages.push(`${said.textContent} ${again.ariaDisabled}`)).observe(said, { childList: true });
      window.stages = [];
    });
    await err(page, puzzle);
    await page.waitForFunction(() => window.stages.length === 2);
    const [checking, verdict] = await page.evaluate(() => window.stages);
    assert.match(checking, /^Checking \d+(-\u2060|x)\d+ … true$/);
    assert.match(verdict, / null$/);
    await until("the answer", async () => /is wrong: after \d+[-x]\d+/.test(await words(page)));
    assert.equal(await top(".puzzle-figures"), figuresAt, "figures that jump");
    assert.match(await page.textContent(".puzzle-figures"), /Your rating\d+ \(−\d+\)/, "what a mistake costs");
    assert(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), "a puzzle that grows");
    if (pictures) await page.screenshot({ path: `${pictures}/puzzles-360.png` });
    // A taller page has room for the figures as well.
    await page.setViewportSize({ width: 390, height: 844 });
    assert(await page.isVisible(".puzzle-figures"), "a page that is empty below the moves");
    assert(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), "figures out of view");
    await page.setViewportSize({ width: 360, height: 740 });
    await until("the position before", async () => await pieces(page) === before && (await page.$(".movable")));
    assert.match((await moves(page))[0], /^\d+[-x]\d+\?$/);
    // While a wrong move is on the board, a click takes it back and picks a piece up. The reason stays until the next try.
    for (const [square, isPicked] of [[puzzle.solution[0].split(/[-x]/)[0], true], [(await page.getAttribute("[role=gridcell][aria-label*=empty]", "aria-label")).split(",")[0], false]]) {
      await press(page, "Try again");
      await err(page, puzzle);
      await until("the answer", async () => /is wrong/.test(await words(page)));
      const reason = await words(page);
      await page.click(cell(square));
      await until("a move that is taken back", async () => await pieces(page) === before);
      if (isPicked) await page.waitForSelector(`${cell(square)}[aria-label*="picked up"]`);
      else await page.click(cell(square));
      assert.equal(await words(page), reason);
    }
    // The hint helps also while the wrong move is on the board, where it is marked already.
    await press(page, "Try again");
    await err(page, puzzle);
    await until("the answer", async () => /is wrong/.test(await words(page)) && /\?$/.test((await moves(page))[0]));
    await press(page, "Hint");
    await until("the hint", async () => /^Move the piece on \d+/.test(await words(page)));
    assert.equal(await pieces(page), before);
    await solve(page, puzzle);
    assert.match(await words(page), /^(With help|After a mistake)\./);
    await press(page, "Try again");
    await page.setViewportSize({ width: 390, height: 844 });
    await showSolution(page);
    await until("the solution", async () => /^(Rating: .*)?$/.test(await words(page)) && await page.textContent(".task") === "Solution");
    await until("the moves that follow", async () => (await moves(page)).length > solution.length + 1);
    await until("the end of them", async () => await current(page) === (await moves(page)).at(-1), 40_000);
    const hidden = (list) => [...list.querySelectorAll(".move")].filter((move) => move.getBoundingClientRect().bottom > list.getBoundingClientRect().bottom).length;
    assert.equal(await page.$eval(".puzzle-panel .moves", hidden), 0, "moves after the solution that are out of view");
    const sizes = await page.$$eval(".puzzle-panel .place", (all) => all.map((place) => Math.round(place.getBoundingClientRect().width)));
    assert(Math.max(...sizes) - Math.min(...sizes) <= 1, `buttons of ${sizes} pixels`);
    await press(page, "Analyse");
    await until("the position with its solution", async () => (await moves(page)).length === solution.length && /to move/.test(await status(page)));
    await page.context().close();
  },

  async "a failed puzzle is recorded at once, and its solution does not count as unaided"() {
    const page = await open();
    await newGame(page, {});
    await mode(page, "Puzzles");
    const first = await shown(page);
    await err(page, first);
    await until("the failure", async () => /Solved: 0 of .*Your rating: [89]\d\d \(−\d+\); .*Streak: 0/.test(await figures(page)));
    // The change of the rating is shown until the next puzzle.
    const lasting = async () => (await figures(page)).replace(/ (± \d+|\(−\d+\))/, ""),
      rating = await lasting();
    await showSolution(page);
    await press(page, "Next");
    const second = await shown(page, first);
    await press(page, "Previous");
    await shown(page, second);
    await solve(page, first);
    assert.match(await words(page), /^(With help|After a mistake)\./);
    assert.equal(await lasting(), rating.replace("With help: 0", "With help: 1"));
    await page.evaluate(async () => {
      const ask = async (request) => (await fetch("library", { method: "POST", body: JSON.stringify({ do: "settings", ...request }) })).json();
      const { puzzles } = await ask({});
      for (const result of Object.values(puzzles)) if (result.next) result.next -= 25 * 3600 * 1000;
      await ask({ set: { puzzles } });
    });
    assert.match(await figures(page), /To repeat: 1;/);
    await page.reload();
    assert.equal(await shown(page, second), first);
    assert.match(await figures(page), /To repeat: 1 \(1 now\);/);
    await page.context().close();
  },

  async "a mistake of a game becomes a puzzle"() {
    const page = await open();
    await mode(page, "Puzzles");
    const left = await shown(page);
    await err(page, left);
    await until("the refutation", async () => /is wrong: .*Try again\.$/.test(await words(page)));
    const said = await words(page), task = await page.textContent(".task");
    await loadPdn(page, `[Black "Ann"]\n[White "Bob"]\n1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 *`);
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    const better = await page.textContent(".variation .move");
    await press(page, "Retry 4. 16-19");
    await page.waitForSelector("main.puzzles .movable");
    assert.match(await page.textContent("main"), /White: Bob[^]*Black: Ann/);
    assert.match(await words(page), /^Mistake 1 of \d from Ann – Bob, in place of 4\.\s16-19/);
    assert.match(await page.textContent(".task"), /Find a better move for Black/);
    await play(page, "16-19");
    await until("the answer", async () => /16-19 (loses|is not the best move): /.test(await words(page)));
    await page.waitForSelector("main.puzzles .movable");
    await drag(page, ...better.split("-").map(Number));
    await until("the end", async () => SOLVED.test(await page.textContent(".task")));
    assert.doesNotMatch(await words(page), /[Rr]ating/);
    // The puzzle is still listed.
    await press(page, "Back");
    await mode(page, "Puzzles");
    assert.equal(await shown(page), left);
    assert.deepEqual([await words(page), await page.textContent(".task")], [said, task], "the puzzle that was left");
    const theme = "label:has(span:text-is('Theme')) select";
    await page.waitForSelector(theme);
    await page.selectOption(theme, "own");
    await until("the mistake", async () => /in place of \d+[.…]\s\d/.test(await words(page)));
    assert.match(await page.textContent(".task"), /Find a better move/);
    assert.match(await figures(page), /^Solved: 0 of \d+; With help: 1/);
    // The tab of the mode that is shown is marked, also after a mistake.
    await study(page, "review");
    await press(page, "Retry 4. 16-19");
    await page.waitForSelector("main.puzzles .movable");
    await mode(page, "Play");
    assert.equal(await page.textContent(".modes [aria-current]"), "Play");
    await page.context().close();
  },

  async "the user's own mistakes in a game are solved one after the other"() {
    const page = await open({ script: stored({ "kelso.settings": { player: "Ann" } }) });
    await loadPdn(page, `[Black "Ann"]\n[White "Bob"]\n1. 11-15 23-19 $4 (1... 22-18) 2. 8-11 $2 (2. 9-14) 22-17 3. 4-8 $4 (3. 9-13) *`);
    await study(page, "review");
    for (const wanted of ["8-11?", "4-8??"]) {
      await press(page, "Your next mistake");
      await until(wanted, async () => await current(page) === wanted);
    }
    assert(await page.isVisible(buttonNamed("Retry 3. 4-8")), "the mistake on the board");
    await page.keyboard.press("Home");
    await page.setViewportSize({ width: 1600, height: 900 });
    await page.evaluate(async () => {
      const { bundled: { "state.js": { state, update } } } = await import(document.querySelector("script[type=module]").src), { tree } = state.game;
      for (const [ply, value] of [[4, 30], [5, 90]]) tree.node(tree.whole(0)[ply]).score = { kind: "cp", value, side: "w" };
      update({ game: state.game });
    });
    const place = () => page.$eval(".board-box", (box) => ["x", "y", "width"].map((side) => Math.round(box.getBoundingClientRect()[side])));
    const placed = await place();
    const source = (part) => until(part, async () => (await words(page)).includes(part));
    const isOff = (name) => page.getAttribute(`main ${buttonNamed(name)}`, "aria-disabled");
    await press(page, "Retry 2. 8-11");
    await source("in place of 2.\u00a08-11");
    await page.waitForSelector("main.puzzles .movable");
    assert.deepEqual(await place(), placed, "the board of a mistake");
    assert.equal(await page.locator("main.puzzles .board .marked").count(), 2, "the move before the mistake");
    assert.equal(await isOff("Previous"), "true");
    await press(page, "Hint");
    assert.equal(await words(page), "Move the piece on 9.");
    await press(page, "Next");
    await source("Mistake 2 of 2 from Ann – Bob, in place of 3.\u00a04-8");
    assert.equal(await isOff("Next"), "true");
    await showSolution(page);
    await until("the title", async () => await page.textContent(".task") === "Solution");
    // No line ends within a move, and the buttons have room.
    assert.equal(await page.textContent(".puzzle-head .soft"), "9-\u206013: White is slightly better (+0.30). 4-\u20608: White is better (+0.90).");
    assert(await page.$$eval(".puzzle-panel .place", (all) => all.every((place) => place.clientWidth > 100)), "narrow buttons");
    await until("the number of the move in its game", async () => await page.textContent(".moves .number").catch(() => "") === "3.");
    assert.match(await page.getAttribute(buttonNamed("Back"), "class"), /likely/);
    await press(page, "Back");
    await until("the mistake", async () => await current(page) === "4-8??");
    // As in other puzzles, the board is seen from the side to move, and afterwards as before. The mistakes are a part of Study,
    // and beside the review without its answers. The tab shows the puzzles of the collection.
    await page.keyboard.press("Home");
    const names = () => page.$$eval("main .player-name", (names) => names.map((name) => name.textContent.slice(0, 5)));
    if ((await names())[0] === "White") await page.keyboard.press("f");
    assert.deepEqual(await names(), ["Black", "White"]);
    await press(page, "Retry 2. 8-11");
    await source("in place of 2.\u00a08-11");
    assert.deepEqual(await names(), ["White", "Black"]);
    assert.match(await page.textContent(".mistakes [aria-current]"), /^2\. 8-11/);
    assert(await page.isVisible(".chart-box") || await page.isVisible(".mistakes"), "an empty column");
    assert(!await page.isVisible(".mistakes .note") && !await page.isVisible(".review > .row"), "answers, or buttons for another mistake");
    await press(page, "Next");
    await source("in place of 3.\u00a04-8");
    await until("the next mistake in the list", async () => /^3\. 4-8/.test(await page.textContent(".mistakes [aria-current]")));
    const name = () => page.evaluate(() => `kelso.game.${JSON.parse(sessionStorage["kelso.name"])}`);
    assert.equal(await page.evaluate((name) => JSON.parse(localStorage[name]).mode, await name()), "study", "the mode in which the game is kept");
    await page.click(".mistakes button >> nth=0");
    await until("the game", async () => await page.isVisible("main.study") && /^1… 23-19/.test(await page.textContent(".mistakes [aria-current]")));
    assert.deepEqual(await names(), ["Black", "White"]);
    await page.keyboard.press("Home");
    await press(page, "Retry 2. 8-11");
    await source("in place of 2.\u00a08-11");
    assert.equal(await page.textContent(".modes [aria-current]"), "Study");
    assert.equal(new URL(page.url()).hash, "#study");
    await page.click(".modes a:text-is('Study')");
    await until("the mistake again", async () => await current(page) === "8-11?");
    await press(page, "Retry 2. 8-11");
    await page.waitForSelector("main.puzzles .movable");
    await page.click(".modes a:text-is('Puzzles')");
    await until("other puzzles", async () => /to move and/.test(await page.textContent(".task")) && await page.isHidden(buttonNamed("Back")));
    assert.equal(await page.textContent(".modes [aria-current]"), "Puzzles");
    // A hint is no failure, other than a solution.
    await page.click(".history summary");
    assert.equal(await page.textContent(".history li[data-how]"), "Failed: Find a better move");
    assert.equal(await page.locator(".history li[data-how]").count(), 1);
    await page.context().close();
  },

  async "tries of puzzles in two tabs are all kept"() {
    const page = await open(), other = await page.context().newPage();
    await mode(page, "Puzzles");
    const first = await shown(page);
    await other.goto(page.url());
    await shown(other);
    await err(page, first);
    await until("the failure in both tabs", async () => /Your rating: [89]\d\d/.test(await figures(other)));
    await press(other, "Next");
    const second = await shown(other, first);
    await solve(other, second);
    await until("the second result in both tabs", async () => /^Solved: 1 of/.test(await figures(page)));
    const rating = async (page) => /Your rating: (\d+)/.exec(await figures(page))[1];
    assert.equal(await rating(page), await rating(other));
    await page.reload();
    await shown(page, second);
    await page.click(".history summary");
    await until("both tries", async () => await page.locator(".history li[data-how]").count() === 2);
    await page.context().close();
  },

  async "a puzzle that was solved with help returns, and the rating follows the results"() {
    const page = await open();
    await newGame(page, {});
    await mode(page, "Puzzles");
    await page.waitForSelector("main.puzzles .movable");
    const first = await shown(page);
    assert.match(await figures(page), /Your rating: 1000 ± 200; Puzzle's rating: –; Streak: 0/);
    assert.equal(await page.getAttribute(buttonNamed("Try again"), "aria-disabled"), "true", "a try before any move");
    await twice(page, "Hint");
    await solve(page, first);
    assert.match(await figures(page), /Puzzle's rating: \d+;/);
    await until("the rating", async () => /Your rating: [89]\d\d ± \d+; .*Streak: 0/.test(await figures(page)));
    await press(page, "Next");
    await solve(page, await shown(page, first));
    await until("the streak", async () => /Streak: 1 \(longest 1\)/.test(await figures(page)));
    // A day later.
    await page.evaluate(async () => {
      const ask = async (request) => (await fetch("library", { method: "POST", body: JSON.stringify({ do: "settings", ...request }) })).json();
      const { puzzles } = await ask({});
      for (const result of Object.values(puzzles)) if (result.next) result.next -= 25 * 3600 * 1000;
      await ask({ set: { puzzles } });
    });
    await page.reload();
    assert.equal(await shown(page), first);
    assert.match(await figures(page), /To repeat: 1 \(1 now\);/);
    const theme = "label:has(span:text-is('Theme')) select";
    await page.selectOption(theme, "due");
    await until("the puzzle to repeat", async () => (await figures(page)).startsWith("Solved: 0 of 1; With help: 1;"));
    await solve(page, first);
    await until("nothing to repeat", async () => /To repeat: 1; .*Streak: 2 \(longest 2\)/.test(await figures(page)));
    // The difficulty stays with another theme that has such puzzles.
    const grade = "label:has(span:text-is('Difficulty')) select";
    await page.selectOption(theme, "");
    await page.selectOption(grade, "2");
    await page.selectOption(theme, "ending");
    assert.equal(await page.inputValue(grade), "2");
    await page.selectOption(theme, "kingHunt");
    await until("a king hunt", async () => /to move and win$/.test(await page.textContent(".task")));
    await page.context().close();
  },
};
