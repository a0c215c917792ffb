// The explorer: data from the book, the databases and games.

import { strict as assert } from "node:assert";
import { accessible, analysisOptions, buttonNamed, enter, isStatic, loadPdn, moves, newGame, open, pictures, press, setUpFen, status, study, until } from "./harness.mjs";

const rows = (page) => page.$$eval(".explorer tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

/** The moves without games or scores, which share a line. */
const OTHERS = ".explorer .others button";

/** Shows the moves of the starting position with the engine and its options. */
async function startEngine(page) {
  await newGame(page, {});
  await study(page, "explorer");
  await until("seven moves", async () => (await rows(page)).length === 7);
  await analysisOptions(page);
  await press(page, "Engine");
}

export const exploring = {
  async "the explorer shows book, databases and games"() {
    const page = await open();
    await newGame(page, {});
    await study(page, "explorer");
    await until("seven moves", async () => (await rows(page)).length === 7);
    assert.match((await rows(page))[0][3], /^[+−]?\d\.\d\d$/);
    const heads = await page.$$eval(".explorer th", (all) => all.map(({ textContent }) => textContent));
    assert.match(heads[2], /^\d+/);
    for (const width of [390, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await page.$$eval(".explorer .bar i:not(:empty)", (all) => all.filter((part) => {
        const [number, own] = [document.createRange(), part.getBoundingClientRect()];
        number.selectNodeContents(part);
        const { top, right } = number.getBoundingClientRect();
        return top < own.bottom && right > own.right + .5;
      }).length), 0, `numbers that are cut at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    assert.deepEqual(heads, ["Move", "120 games", heads[2], "Score", "Replies"]);
    assert.match(await page.textContent(".figures > p"), /^Scores for White, from the book\.$/);
    const source = ".explorer select", named = () => page.$eval(source, (list) => list.selectedOptions[0].text);
    assert.equal(await named(), "Kelso's levels");
    // The tooltip under the pointer has what a narrow bar leaves out.
    const tooltip = await page.$eval(".explorer .best .bar", (bar) => {
      const { left, top } = bar.getBoundingClientRect();
      return document.elementFromPoint(left + 9, top + 9).closest("[title]").title;
    });
    assert.match(tooltip, /^The best move\nBlack won 4, drawn 7, White won 3\nBook depth \d+$/);
    // White's scores: the least is Black's best, and comes first unless the user has games.
    const value = ([, , , words]) => Number.parseFloat(words.replace("−", "-"));
    const best = async () => page.$$eval(".explorer .best", (all) => all.map((row) => row.cells[0].textContent));
    const least = Math.min(...(await rows(page)).map(value));
    assert.deepEqual(await best(), (await rows(page)).filter((row) => value(row) === least).map(([move]) => move));
    const values = (await rows(page)).map(value);
    assert.deepEqual(values, [...values].sort((a, b) => a - b));
    const inView = (wanted) => page.$$eval(wanted, (all) => all.every((one) => {
      const { left, top, bottom } = one.getBoundingClientRect();
      return [top + 3, bottom - 3].every((y) => one.contains(document.elementFromPoint(left + 9, y)));
    }));
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const wanted of [".figures > p", `${source} >> nth=0`]) assert(await inView(wanted), wanted);
    await page.setViewportSize({ width: 390, height: 844 });
    assert(await inView(".explorer th:not([hidden])"), "the headings on a phone");
    const { widths, seen } = await page.evaluate(() => ({
      widths: [...document.querySelectorAll(".explorer, .explorer table")].map((one) => one.getBoundingClientRect().width),
      seen: [...document.querySelectorAll(".explorer tbody tr")].filter((row) => {
        const { left, top, bottom } = row.getBoundingClientRect();
        return [top + 1, bottom - 4].every((y) => row.contains(document.elementFromPoint(left + 90, y)));
      }).length,
    }));
    assert(widths[1] <= widths[0], `the table is ${widths[1]} pixels wide, and its place ${widths[0]}`);
    assert(seen >= 6, `${seen} moves in view on a phone`);
    await page.setViewportSize({ width: 1280, height: 900 });
    // The whole row is the target.
    await page.click(".explorer tbody tr:has(button:text-is('11-15')) td:nth-child(4)", { force: true });
    await until("the move", async () => String(await moves(page)) === "11-15");
    // The server forgets the oldest games that it has read.
    if (!isStatic) await page.evaluate(async () => { for (let time = 0; time < 8; time++) await fetch("games", { method: "POST", body: "1. 11-15 *" }); });
    await page.keyboard.press("ArrowLeft");
    await until("Kelso's games", async () => await page.textContent(".explorer th button") === "120 games");
    await accessible(page, "the explorer");
    // In a wide window it comes into view with the position of the board.
    await page.click("#tab-moves");
    await page.keyboard.press("ArrowRight");
    await until("the position", async () => /^White to move/.test(await status(page)));
    await page.waitForTimeout(300);
    await page.setViewportSize({ width: 1600, height: 1000 });
    await until("White's moves", async () => (await rows(page)).length > 0 && (await rows(page)).every(([move]) => /^2\d-/.test(move)));
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.keyboard.press("ArrowLeft");
    await page.click("#tab-explorer");
    if (pictures) await page.screenshot({ path: `${pictures}/explorer.png` });
    await setUpFen(page, "B:W21,22,23,24,25,32:B1,2,3,4,5,6");
    await study(page, "explorer");
    await until("no data", async () => /^No scores: not in/.test(await page.textContent(".figures > p")));
    assert(!await page.isVisible(".explorer table"), "a table without games or scores");
    assert.match(await page.textContent(".others"), /^Moves:(\d+-\d+){7,}$/);
    await setUpFen(page, "B:W32:BK22,K23");
    await study(page, "explorer");
    await until("the databases' results", async () => /^Scores for White, from the databases\.$/.test(await page.textContent(".figures > p")));
    await setUpFen(page, "B:W32,31:BK22,K23");
    await study(page, "explorer");
    await until("the replies that err", async () => (await rows(page)).some((row) => /^\d+ of \d+ (hold|win)$/.test(row[4])));
    // More pieces than the databases have: a short search finds the result of each move.
    await setUpFen(page, "W:WK11,13,21:BK14,K27,K32");
    await study(page, "explorer");
    await until("the results of moves that lead to the databases", async () => String((await rows(page)).map((row) => row[3])) === Array(6).fill("Black wins").join());
    assert.equal(await page.textContent(".figures > p"), "Scores for White, from the databases.");
    assert.equal(await page.locator(".explorer .best").count(), 0, "a best one of moves that are equal");
    // What a review knows of a move is not denied.
    await setUpFen(page, "B:W21,22,23,24,25,32:B1,2,3,4,5,6");
    await page.evaluate(async () => {
      const { bundled: { "state.js": { state, update } } } = await import(document.querySelector("script[type=module]").src);
      Object.assign(state.game.tree.node(0), { score: { kind: "cp", value: 40, side: "b" }, depth: 9, reviewed: true });
      update({ game: state.game });
    });
    await study(page, "explorer");
    await until("the moves", async () => await page.locator(OTHERS).count() > 3);
    assert.doesNotMatch(await page.textContent(".figures"), /No scores/);
    await page.reload();
    await until("the explorer stays open", async () => await page.locator(OTHERS).count() > 0);
    await page.context().close();
  },

  async "the explorer, the engine's lines and their arrows show one score of a move"() {
    const page = await open();
    await startEngine(page);
    await page.selectOption(".options select >> nth=0", "3");
    await until("three lines", async () => await page.locator(".lines li").count() === 3);
    const shown = await page.evaluate(() => {
      const rows = Object.fromEntries([...document.querySelectorAll(".explorer tbody tr")].map(({ cells }) => [cells[0].textContent, cells[3].textContent])),
        lines = [...document.querySelectorAll(".lines li")].map((line) => ["move", "score"].map((part) => line.querySelector(`.line-${part}`).textContent));
      return { lines, rows: lines.map(([move]) => [move, rows[move]]), arrows: [...document.querySelectorAll(".arrow-score")].map((one) => one.textContent) };
    });
    assert.deepEqual(shown.rows, shown.lines);
    const scores = shown.lines.map(([, score]) => score);
    assert.deepEqual(shown.arrows, scores);
    // The best line comes first, and its score is that of the position. Black is to move.
    const numbers = scores.map((score) => Number(score.replace("−", "-")));
    assert.deepEqual(numbers, numbers.toSorted((a, b) => a - b));
    assert.equal(await page.textContent(".score"), scores[0]);
    // A phone shows the moves of the explorer instead.
    await analysisOptions(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const seen = await page.$$eval(".explorer tbody tr", (all) => all.filter((row) => {
      const { left, top, bottom } = row.getBoundingClientRect();
      return [top + 1, bottom - 4].every((y) => row.contains(document.elementFromPoint(left + 90, y)));
    }).length);
    assert(seen >= 5, `${seen} moves in view on a phone with an engine`);
    await page.setViewportSize({ width: 1280, height: 900 });
    // The score of the position is that of the book, whose search was deeper.
    assert.match(await page.textContent(".facts"), /^Book depth \d+$/);
    // The score of a review is that of the head and of the list, before a better one is found by a search that is not as deep.
    await study(page);
    await enter(page, "11-15");
    for (const [depth, isKept] of [[99, true], [1, false]]) {
      await page.evaluate(async (depth) => {
        const { bundled: { "state.js": { state, update } } } = await import(document.querySelector("script[type=module]").src),
          node = state.game.tree.node(state.current);
        Object.assign(node, { score: { kind: "cp", value: -555, side: "w" }, depth, reviewed: true, by: undefined, best: undefined });
        update({ values: {}, game: state.game });
      }, depth);
      await until("one score in the head and the list", async () => {
        const [head, list] = await page.evaluate(() => [document.querySelector(".score").textContent, document.querySelector(".moves [aria-current]").dataset.note]);
        return head === list && (head === "−5.55") === isKept;
      }, 4000);
    }
    // When a review has ended, the scores of the moves are those of the deeper book, and stay when one steps.
    await press(page, "Engine");
    await loadPdn(page, "1. 11-15 23-18 *");
    await study(page, "review");
    await press(page, "Analyse game");
    await until("the end of the review", () => page.isVisible(buttonNamed("Analyse again")), 120000);
    const notes = () => page.$$eval(".moves .move", (all) => all.map(({ dataset }) => dataset.note)), found = await notes();
    await study(page, "explorer");
    for (const [at, move] of ["11-15", "23-18"].entries()) {
      await until(move, async () => (await rows(page)).find(([first, , , score]) => first === move && score)?.[3] === found[at], 4000);
      assert.deepEqual(await notes(), found, `before ${move}`);
      await page.keyboard.press("ArrowRight");
    }
    await page.waitForTimeout(500);
    assert.deepEqual(await notes(), found, "after the last move");
    await page.context().close();
  },

  async "there is one best move, whether the book or the engine is deeper"() {
    const page = await open();
    await startEngine(page);
    for (const count of [1, 3]) {
      await page.selectOption(".options select >> nth=0", String(count));
      // A move that the search does not list, by a book that is deeper than the search, or is not.
      for (const depth of [99, 1]) {
        const shown = () => page.evaluate(async ([depth, count]) => {
          const { bundled: { "state.js": { state, update } } } = await import(document.querySelector("script[type=module]").src),
            moves = state.facts.paths.map(({ move }) => move),
            searched = state.analysis.first.lines.map((info) => info?.moves[0]);
          if (searched.length < count || searched.includes(undefined)) return null;
          const bookMove = moves.find((move) => !searched.includes(move)),
            values = Object.fromEntries(moves.map((move) => [move, { kind: "cp", value: move === bookMove ? 444 : -9, depth, by: "book" }]));
          Object.assign(state.game.tree.node(state.current), { score: undefined, depth: undefined, by: undefined });
          update({ values });
          state.analysis.draw();
          const lines = [...document.querySelectorAll(".lines li")],
            best = [...document.querySelectorAll(".explorer .best")].map(({ cells }) => [cells[0].textContent, cells[3].textContent]),
            rows = [...document.querySelectorAll(".explorer tbody tr")],
            scores = rows.map(({ cells }) => cells[3].textContent),
            shallow = rows.filter(({ title }) => title.includes("Less deep") || title.includes("deeper search")).length;
          return {
            bookMove, best, scores, shallow, greyed: document.querySelectorAll(".explorer .shallow").length, head: document.querySelector(".score").textContent, count: lines.length,
            line: [lines[0].querySelector(".line-move").textContent, lines[0].querySelector(".line-score").textContent],
            strong: state.analysis.arrows()[0],
          };
        }, [depth, count]);
        let found = null;
        await until("lines", async () => (found = await shown()));
        const { bookMove, best, scores, shallow, greyed, head, line, strong, count: listed } = found,
          valueOf = (words) => Number(words.replace("−", "-"));
        assert.deepEqual(best, [line], `${count} lines, a book of depth ${depth}`);
        assert.equal(head, line[1]);
        assert.equal(listed, count);
        assert.equal(`${strong.from}-${strong.to}`, line[0]);
        assert.equal(line[0] === bookMove, depth === 99, line[0]);
        // Black is to move: nothing is better than the best move. The scores of a book that is less deep are grey, and say so.
        assert.equal(Math.min(...scores.map(valueOf)), valueOf(head));
        assert.equal(greyed, shallow);
        assert.equal(greyed > 0, depth === 1, String(scores));
      }
    }
    await page.context().close();
  },

  async "the scores of all lines stay with their position, and moves without any share a line"() {
    const page = await open();
    await newGame(page, {});
    await setUpFen(page, "B:W21,22,23,24,25,32:B1,2,3,4,5,6");
    await study(page, "explorer");
    await until("the moves", async () => await page.locator(OTHERS).count() >= 7);
    const count = await page.locator(OTHERS).count();
    await analysisOptions(page);
    await page.selectOption(".options select >> nth=0", "3");
    await press(page, "Engine");
    await until("three scores", async () => (await rows(page)).length === 3 && (await page.locator(".lines li").count()) === 3);
    assert.equal(await page.locator(OTHERS).count(), count - 3);
    assert.match(await page.textContent(".others"), /^Other moves:/);
    await press(page, "Engine");
    await until("no lines", async () => await page.locator(".lines li").count() === 0);
    const scored = await rows(page);
    await page.click(OTHERS);
    await until("a move", async () => (await moves(page)).length === 1);
    await page.keyboard.press("ArrowLeft");
    await until("the scores", async () => (await rows(page)).length === 4);
    assert.deepEqual((await rows(page)).slice(0, 3), scored);
    await page.context().close();
  },
};
