// Many games: stored in the browser, and read from PDN.

import { readFileSync } from "node:fs";
import { strict as assert } from "node:assert";
import { accessible, annotate, buttonNamed, current, enter, loadPdn, mode, more, movePiece, moves, newGame, open, pause, pieces, press, readPdn, ready, said, setUpFen, status, stored, study, twice, until } from "./harness.mjs";

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const PERSON = { kind: "person" };

/** Returns a stored game. */
function game(number, { comment, moves = ["11-15", "23-19"], ...more } = {}) {
  const nodes = [[-1, "", { order: moves.length ? [1] : [] }], ...moves.map((move, at) => [at, move, { order: at + 1 < moves.length ? [at + 2] : [], comment }])];
  return { tree: { start: START, nodes, tags: { Black: `Black ${number}`, White: `White ${number}` } }, players: { b: PERSON, w: PERSON }, pace: { kind: "move", value: 1 }, tip: moves.length, when: 1700000000000 + number * 1000, ...more };
}

const rows = (page) => page.$$eval(".kept-games li", (all) => all.map((row) => /Black (\d+)/.exec(row.textContent)[1]));

/** Presses a button and returns the text of the file that is saved. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
  return readFileSync(await download.path(), "utf8");
}

export const collecting = {
  async "kept games are searched, sorted, pinned, deleted and saved as one file"() {
    const games = { "kelso.game.a": game(1), "kelso.game.b": game(2, { moves: ["9-13"] }), "kelso.game.c": game(3, { moves: ["11-15", "23-19", "8-11"] }), "kelso.game.d": game(4), "kelso.game.e": game(5) };
    const page = await open({ script: stored(games) });
    await until("the latest game", async () => (await moves(page)).length === 2);
    await press(page, "Games");
    assert.deepEqual(await rows(page), ["5", "4", "3", "2", "1"]);
    await page.selectOption("label:has(span:text-is('Order')) select", "length");
    assert.deepEqual(await rows(page), ["3", "5", "4", "1", "2"]);
    await page.selectOption("label:has(span:text-is('Order')) select", "players");
    await page.click(".kept-games li:has-text('Black 4') button >> nth=0");
    assert.deepEqual(await rows(page), ["4", "1", "2", "3", "5"], "a pinned game is first");
    await accessible(page, "kept games");
    await page.fill("dialog input[aria-label='Search your games']", "black 23-19");
    assert.deepEqual(await rows(page), ["4", "1", "3", "5"]);
    await page.fill("dialog input[aria-label='Search your games']", "nobody");
    assert.equal(await page.textContent(".kept-games [role=status]"), "No game matches this search.");
    await page.fill("dialog input[aria-label='Search your games']", "black 23-19");
    const file = await saved(page, "Save all");
    assert.deepEqual([...file.matchAll(/\[Black "(.*)"\]/g)].map(([, name]) => name), ["Black 4", "Black 1", "Black 3", "Black 5"]);
    await page.click(".kept-games li:has-text('Black 1') button >> nth=2");
    await press(page, "Delete");
    await until("three games", async () => String(await rows(page)) === "4,3,5");
    // The game on the board can be deleted too, and a new one takes its place.
    await page.click(".kept-games li[aria-current]:has-text('Black 5') button[aria-label^=Delete]");
    assert.match(await page.textContent("dialog.question"), /on the board, where a new game takes its place/);
    await press(page, "Delete");
    await until("two games", async () => String(await rows(page)) === "4,3" && !(await moves(page)).length);
    await page.keyboard.press("Escape");
    await page.reload();
    await ready(page);
    await press(page, "Games");
    assert.deepEqual(await rows(page), ["4", "3", "2"]);
    await page.setInputFiles("dialog input[type=file]", { name: "kept.pdn", mimeType: "text/plain", buffer: Buffer.from(file) });
    await until("the games of the file", async () => (await page.$$(".imported li.kept")).length === 4);
    const shown = () => Promise.all([".kept-games", ".imported"].map((list) => page.isVisible(list)));
    assert.deepEqual(await shown(), [false, true]);
    await page.check("dialog input[value=kept]");
    assert.deepEqual(await shown(), [true, false]);
    await page.context().close();
  },

  async "the oldest games are removed, those with comments only after a question"() {
    const annotated = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`kelso.game.${at}`, game(at, { comment: "mine" })]));
    const plain = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`kelso.game.plain${at}`, game(100 + at)]));
    const page = await open({ script: stored({ ...annotated, ...plain }) });
    const names = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kelso.game.")).length);
    await newGame(page, {});
    await enter(page, "11-15");
    assert.equal(await names(), 101, "one plain game too many is gone");
    assert.equal(await page.$(".notice"), null);
    for (const count of [101, 101]) {
      await newGame(page, {});
      await enter(page, "11-15");
      await until("the plain games to go", async () => await names() === count);
    }
    await page.evaluate((games) => { for (const [key, value] of Object.entries(games)) localStorage.setItem(key, JSON.stringify(value)); }, Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`kelso.game.more${at}`, game(200 + at, { comment: "mine" })])));
    await newGame(page, {});
    await until("the question", async () => /more than 100.*Black 0/.test(await page.textContent(".notice").catch(() => "")));
    assert.match(await saved(page, "Save PDN"), /\[Black "Black 0"\][^]*mine/);
    assert(await page.evaluate(() => "kelso.game.0" in localStorage), "a saved game stays until it is deleted");
    await enter(page, "11-15");
    await newGame(page, {});
    await page.waitForSelector(".notice");
    await press(page, "Delete");
    assert(!await page.evaluate(() => "kelso.game.0" in localStorage));
    await page.context().close();
  },

  async "a review asks for the user's own mistakes only"() {
    const played = game(1, { moves: ["11-15", "23-19", "8-11", "22-17"], mode: "study" });
    const { nodes } = played.tree;
    played.tree.tags = {};
    for (const [at, glyph, better] of [[2, 4, "22-18"], [3, 2, "9-14"]]) {
      nodes[at][2].glyphs = [glyph];
      nodes[at - 1][2].order.push(nodes.push([at - 1, better, { order: [] }]) - 1);
    }
    const level = { kind: "level", level: 1 };
    for (const [white, ...asked] of [[level, "8-11?"], [PERSON, "23-19??", "8-11?"], [level, "23-19??"]]) {
      const hasOwn = asked.includes("8-11?");
      if (!hasOwn) delete nodes[3][2].glyphs;
      const page = await open({ script: stored({ "kelso.game.a": { ...played, players: { b: PERSON, w: white } } }) });
      await study(page, "review");
      await page.keyboard.press("Home");
      await until("the start", async () => !await current(page));
      const next = hasOwn && white !== PERSON ? "Your next mistake" : "Next mistake", solve = page.locator(".review button:has-text('Solve')");
      assert.equal(await solve.textContent(), asked[0] === "8-11?" ? "Solve 2. 8-11" : "Solve 1… 23-19");
      assert.equal(await page.textContent(".overview > .soft"), hasOwn ? "" : "No mistakes of yours, only White's.");
      assert.equal(/primary/.test(await page.getAttribute(buttonNamed(next), "class")), hasOwn);
      for (const wanted of asked) {
        await press(page, next);
        await pause(300);
        assert.equal(await current(page), wanted);
      }
      assert.equal(await solve.textContent(), asked.at(-1) === "8-11?" ? "Solve 2. 8-11" : "Solve 1… 23-19", "the mistake on the board");
      await solve.click();
      const names = white === PERSON ? "Person – Person" : "You – Kelso, level 1";
      await until("the names", async () => (await page.textContent("main")).includes(`Mistake ${asked.length} of ${asked.length} from ${names}:`));
      await page.context().close();
    }
  },

  async "a finished game is listed at once, and continuing it does not copy it"() {
    const page = await open({ width: 1920, height: 1080 });
    const listed = () => page.locator(".recent .kept-list li").count();
    await newGame(page, {});
    assert.equal(await listed(), 0);
    await enter(page, "11-15");
    await until("the game in progress", async () => /In progress/.test(await page.textContent(".recent .kept-list li")));
    await twice(page, "Resign");
    await until("the game in the list", async () => await listed() === 1);
    for (let times = 0; times < 2; times++) {
      await page.click(".recent .kept-list li button.link");
      await until("the finished game", async () => String(await moves(page)) === "11-15" && await page.isVisible(".end-card"));
      assert.equal(await listed(), 1);
      await newGame(page, {});
      await until("another game", async () => !(await moves(page)).length);
      assert.equal(await listed(), 1);
    }
    await page.context().close();
  },

  async "a game keeps its date and the user's side, and stays listed when it is resumed"() {
    const own = game(1, { players: { b: { kind: "level", level: 1 }, w: PERSON }, flipped: true });
    const page = await open({ width: 1920, height: 1080, script: stored({ "kelso.game.a": own }) });
    const inList = () => page.textContent(".recent .kept-list");
    await mode(page, "Play");
    await loadPdn(page, "1. 9-13 22-18 1-0");
    await mode(page, "Play");
    await page.click(".recent .kept-list li button.link");
    await until("the game in progress", async () => /^Black 1 – White 1In progressNov 14, 2023/.test(await inList()));
    assert.equal(await page.locator(".recent .kept-list li").count(), 1, "a game that was only read");
    assert.match(await page.textContent(".player-bar >> nth=1"), /White 1/);
    // A new game with the other side at the bottom leaves the stored one as it was.
    await newGame(page, {});
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("kelso.game.a")).flipped), false);
    await page.context().close();
  },

  async "Play goes on with its game, whatever Study opens"() {
    const page = await open();
    const bar = () => page.textContent(".player-bar >> nth=0");
    // A game without a move stays too, such as one from a position.
    await setUpFen(page, "B:WK29,K30:BK1,K2");
    const shown = await pieces(page), other = await bar();
    for (const read of ["1. 9-13 22-18 *", "1. 11-15 23-19 1-0"]) {
      await loadPdn(page, read);
      await mode(page, "Play");
      await until("the game of Play", async () => await pieces(page) === shown);
      assert.equal(await bar(), other);
    }
    await newGame(page, {});
    await enter(page, "11-15");
    for (const open of [() => loadPdn(page, "1. 9-13 22-18 1-0"), () => page.reload(), async () => {
      await press(page, "Set up");
      await press(page, "Clear");
      await page.fill("dialog textarea", "W:WK18:B1");
      await press(page, "Study it");
      await page.waitForSelector("dialog", { state: "detached" });
    }, async () => {
      await mode(page, "Puzzles");
      await page.waitForSelector("main.puzzles .movable");
      await press(page, "Analyse");
    }]) {
      await study(page);
      await open();
      await page.waitForSelector("main.study");
      await ready(page);
      await mode(page, "Play");
      await until("the game in progress", async () => String(await moves(page)) === "11-15");
    }
    // A tab that begins with a study has the game that was played last.
    await loadPdn(page, "1. 9-13 22-18 1-0");
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${page.url().split("#")[0]}#play`);
    await page.reload();
    await ready(page);
    await until("the game that was played last", async () => String(await moves(page)) === "11-15");
    await page.context().close();
  },

  async "a game that has ended keeps its end after another one was read"() {
    const own = game(1, { moves: ["14x23"], players: { b: PERSON, w: { kind: "level", level: 1 } }, current: 0, mode: "study" });
    const page = await open({ script: stored({ "kelso.game.a": { ...own, tree: { ...own.tree, start: "B:W18:B14", result: "0-1" } } }) });
    await loadPdn(page, "1. 9-13 22-18 1-0");
    await mode(page, "Play");
    await until("the end", async () => String(await moves(page)) === "14x23" && await page.isVisible(".end-card"));
    await page.keyboard.press("ArrowLeft");
    await until("the start", async () => /^Black to move/.test(await status(page)));
    assert.equal(await page.getAttribute(":has(> .label:text-is('Take back'))", "aria-disabled"), "true");
    assert(!await page.isVisible(":has(> .label:text-is('Play on'))"));
    await page.context().close();
  },

  async "a list has its rows in view, and they are high enough to touch"() {
    const kept = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`kelso.game.${at}`, game(at)]));
    for (const [width, height] of [[390, 844], [1280, 720]]) {
      const page = await open({ width, height, script: stored(kept) });
      const height36 = async (rows) => assert.deepEqual(await page.$$eval(rows, (all) => all.filter((row) => row.checkVisibility() && row.offsetHeight < 36).length), 0, `${rows} at ${width}`);
      const inView = (wanted) => page.$eval(wanted, (one) => {
        const { left, bottom, width } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(left + width / 2, bottom - 2));
      });
      await press(page, "Games");
      assert(await inView(".kept-games li:nth-child(3)"), `one's own games at ${width}`);
      assert.deepEqual(await page.$$eval(".kept-games li", (rows) => [...new Set(rows.map((row) => row.offsetHeight))].length), 1, "rows of one height");
      await height36(".kept-games li button");
      await page.keyboard.press("Escape");
      await readPdn(page, Array.from({ length: 25 }, (_, at) => `[Black "${at}"]\n[Date "2026.11.28"]\n1. 11-15 23-19 *\n`).join("\n"));
      await page.waitForSelector(".imported li.kept");
      assert(width < 800 || await inView("dialog .imported > details:last-child summary"), `the last row at ${width}`);
      assert(width > 800 || await page.$$eval(".imported li.kept", (rows) => rows.every((row) => row.offsetHeight >= 36)));
      await page.click(".imported li.kept button");
      await until("the game", async () => /^Loaded 0/.test(await said(page)));
      if (width < 800) {
        await study(page, "explorer");
        await page.waitForSelector(".explorer tbody button");
        await height36(".explorer li button");
        assert(await page.$$eval(".explorer tbody tr", (rows) => rows.every((row) => row.offsetHeight >= 30)), "rows of the explorer");
        assert(await page.$eval(".explorer table", (table) => table.getBoundingClientRect().right <= innerWidth), "the explorer is cut");
      }
      await page.context().close();
    }
  },

  async "ten thousand imported games stay after a reload, and are searched by name, opening and position"() {
    const page = await open();
    const openings = ["11-15 23-19 8-11 22-17", "11-15 22-18 15x22 25x18", "9-14 22-18 5-9 25-22"];
    const pdn = Array.from({ length: 9000 }, (_, at) => `[Event "Round ${at % 7}"]\n[Black "Ann ${at}"]\n[White "\u202eBob"]\n[Result "1-0"]\n\n${openings[at % 3]} 1-0\n`).join("\n");
    await press(page, "Games");
    await page.setInputFiles("dialog input[type=file]", { name: "all.pdn", mimeType: "text/plain", buffer: Buffer.from(pdn) });
    const count = (words) => until(words, async () => (await page.textContent(".imported [role=status]").catch(() => "")) === words, 60000);
    await count("9000 games");
    await page.reload();
    await ready(page);
    await press(page, "Games");
    await count("9000 games");
    const shown = () => page.$$eval(".imported li.kept", (rows) => [rows.length, rows[0].querySelector("bdi").textContent]);
    assert.deepEqual(await shown(), [100, "Ann 0"]);
    for (const rows of [200, 300]) {
      await page.$eval(".imported .kept-list", (list) => list.scrollTo(0, list.scrollHeight));
      await until("more rows", async () => (await shown())[0] === rows);
    }
    assert.match(await page.textContent(".imported li.kept:nth-child(250)"), /^250Ann 249/);
    await page.fill(".imported input", "ann 4021 round");
    await count("1 game");
    await page.click(".imported li.kept .soft >> nth=1");
    await until("the game", async () => /^Loaded Ann 4021/.test(await said(page)));
    await page.keyboard.press("ArrowRight");
    await until("its first move", async () => await current(page) === "11-15");
    await press(page, "Games");
    // The search is kept.
    await count("1 game");
    await page.fill(".imported input", "");
    await count("9000 games");
    await press(page, "With this position");
    await count("6000 games");
    await page.fill(".imported input", "cross");
    await count("No game matches this search.");
    await page.fill(".imported input", "single corner");
    await count("3000 games");
    // A deletion leaves the search, its switch and the rows in view.
    const list = ".imported .kept-list", top = () => page.$eval(list, ({ scrollTop }) => scrollTop);
    await page.$eval(list, (list) => list.scrollTo(0, list.scrollHeight));
    await until("more rows", async () => (await shown())[0] === 200);
    await page.locator(`${list} li:nth-child(150) button[aria-label^=Delete]`).scrollIntoViewIfNeeded();
    const before = await top();
    await page.click(`${list} li:nth-child(150) button[aria-label^=Delete]`);
    await page.click("dialog.question button.danger");
    await count("2999 games");
    assert.deepEqual([await page.inputValue(".imported input"), await page.getAttribute(buttonNamed("With this position"), "aria-pressed"), await top()], ["single corner", "true", before]);
    assert(await page.$eval(`${list} li:nth-child(150) button[aria-label^=Delete]`, (button) => button === document.activeElement), "the focus");
    await more(page);
    await press(page, "Delete all 8,999 games");
    await page.click("dialog:has(> .dialog-content:empty) button:text-is('Delete')");
    await until("an empty list", async () => !await page.$(".imported li"));
    await page.reload();
    await ready(page);
    await press(page, "Games");
    await pause(500);
    assert.equal(await page.$(".imported li"), null);
    await page.context().close();
  },

  async "the games have one size, one main action, one form of dates and even rows, and deleting all is out of the way"() {
    for (const [width, height] of [[390, 844], [1280, 720]]) {
      const page = await open({ width, height });
      const sizes = [], primary = () => page.$$eval("dialog:last-of-type .primary", (all) => String(all.filter((one) => one.checkVisibility()).map((one) => one.textContent)));
      const measure = async () => sizes.push(await page.$eval("dialog", ({ offsetWidth, offsetHeight }) => `${offsetWidth}x${offsetHeight}`));
      await press(page, "Games");
      assert.match(await page.textContent("dialog section"), /^Open a PDN file/);
      assert.equal(await primary(), "Open a file");
      await measure();
      assert(await page.$eval("dialog section .row", (row) => row.getBoundingClientRect().bottom > document.querySelector("dialog .actions").getBoundingClientRect().top - 40), "an empty half of a dialog");
      const names = `[Black "Kelso, level 10"]\n[White "Kelso, level 9"]\n[Event "The autumn tournament of a town"]\n`;
      await page.fill("dialog textarea", `${names}[Date "2024.01.10"]\n1. 11-15 1/2-1/2\n\n${names.replace("10", "4")}[Date "2024.05.??"]\n1. 9-13 *\n`);
      assert.equal(await primary(), "Import text");
      await press(page, "Import text");
      await page.waitForSelector(".imported li.kept");
      assert.deepEqual(await page.$$eval(".imported .kept button .soft", (all) => all.map((facts) => facts.firstChild.textContent)), ["Jan 10, 2024", "May 2024"]);
      assert.equal(await primary(), "Import");
      assert.equal(await page.textContent(".imported > .row:has([role=status])"), "2 gamesSave all", "the number twice");
      await page.hover(".imported li.kept button");
      assert.equal(await page.$eval(".imported li.kept button", (game) => getComputedStyle(game).textDecorationLine), "none");
      assert(!await page.isVisible(buttonNamed("Delete all 2 games")));
      await measure();
      // The row of the game on the board is like the others, and every name that fits stays on one line.
      await page.click(".imported li.kept button.link");
      await press(page, "Games");
      await page.waitForSelector(".imported li.kept[aria-current]");
      const even = await page.$$eval(".imported li.kept", (all) => new Set(all.map((row) => [row.clientHeight, row.lastChild.getBoundingClientRect().x].join())).size);
      assert.equal(even, 1, `rows at ${width}`);
      assert(await page.$$eval(".imported bdi", (all) => all.every((name) => name.offsetHeight < 25)), `a broken name at ${width}`);
      await page.keyboard.press("Escape");
      await newGame(page, {});
      await movePiece(page, 11, 15);
      await press(page, "Games");
      await page.check("dialog input[value=kept]");
      assert.match(await page.textContent(".kept-games li .soft"), /^[A-Z][a-z]+ \d+, \d{4}$/);
      await measure();
      await press(page, "Import");
      assert(await page.isVisible("dialog textarea") && await page.isHidden(".kept-games"), "nothing happens");
      await page.check("dialog input[value=imported]");
      assert(await page.isHidden("dialog textarea") && await page.isVisible(".imported li.kept"), "no way back to the list");
      assert.deepEqual(new Set(sizes).size, 1, `sizes ${sizes}`);
      assert(Number.parseInt(sizes[0]) <= 800, "a page for two rows");
      await page.context().close();
    }
  },

  async "the explorer has games on the first day"() {
    const page = await open();
    await study(page, "explorer");
    await until("bars", async () => (await page.$$(".explorer tbody .bar")).length >= 5);
    const said = (words) => until(words, async () => (await page.textContent(".explorer [role=status]")).startsWith(words));
    await said("120 games");
    const games = await page.$$eval(".explorer li", (all) => all.map((game) => game.textContent));
    assert.match(games[0], /^1Kelso, level 10 – Kelso, level 90-1.*28 moves.+Kelso's level games$/);
    assert.equal(await page.$eval(".explorer option[value='']", ({ text, disabled }) => disabled && text), "Imported games (none yet)");
    await accessible(page, "the explorer with its own games");
    // Off the book, the columns stay, and the moves without games are in one line, so that the games are in view.
    await page.setViewportSize({ width: 1280, height: 720 });
    const bar = () => page.$eval(".explorer tbody .bar", (bar) => String([bar.getBoundingClientRect().left, bar.offsetWidth]));
    const place = await bar();
    for (const [at, move] of ["9-13", "24-20"].entries()) {
      await page.click(`.explorer tbody button:text-is("${move}")`);
      await said(["27 games", "5 games"][at]);
    }
    assert.equal(await bar(), place, "the columns move");
    assert.match(await page.textContent(".explorer > p.soft"), /^No scores: not in the opening book/);
    assert.deepEqual([await page.locator(".explorer tbody tr").count(), await page.locator(".others button").count()], [5, 3]);
    const inView = (wanted) => page.$$eval(wanted, (all) => all.every((one) => {
      const { left, bottom } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + 9, bottom - 3));
    }));
    assert(await inView(".explorer li:nth-child(-n + 2)"), "the games are below the window");
    for (const [width, height] of [[1920, 1080], [390, 844]]) {
      await page.setViewportSize({ width, height });
      assert(await page.$$eval(".explorer li button .soft", (all) => all.every((facts) => facts.scrollHeight <= facts.clientHeight + 1)), `a game's opening is cut at ${width}`);
    }
    await page.click(".explorer th button");
    assert(await inView(".explorer li:first-child"), "the games on a phone");
    assert(await page.$$eval(".others button", (all) => all.every(({ offsetHeight }) => offsetHeight >= 40)), "low moves");
    const other = await page.textContent(".others button");
    await page.click(".others button");
    await until("the move", async () => await page.textContent(".moves [aria-current]") === other);
    await accessible(page, "the explorer off the book");
    await page.context().close();
  },

  async "a list is saved with its edits"() {
    const page = await open();
    const games = ["A", "B", "C"].map((name) => `[Event "Cup"]\n[Black "${name}"]\n\n1. 11-15 {as it was} 23-19 *\n`);
    await readPdn(page, games.join("\n"));
    await until("three games", async () => (await page.$$(".imported li.kept")).length === 3);
    await page.click(".imported li.kept button.link >> nth=1");
    await until("the game", async () => /^Loaded B/.test(await said(page)));
    await until("its place", async () => /Game 2 of 3/.test(await page.textContent(".moves-head")));
    await page.keyboard.press("End");
    await until("the last move", async () => await current(page) === "23-19");
    await enter(page, "8-11");
    await press(page, "Undo");
    await until("the game as it was", async () => (await moves(page)).length === 2);
    await enter(page, "9-14");
    await page.click("button[aria-label='Next game']");
    await until("the next game", async () => /^Loaded C/.test(await said(page)));
    await press(page, "Games");
    assert.equal(await saved(page, "Save all"), [games[0], `[Event "Cup"]\n[Black "B"]\n[Result "*"]\n\n1. 11-15 {as it was} 1... 23-19 2. 9-14 *\n`, games[2]].join("\n"));
    await page.keyboard.press("Escape");
    await page.click("button[aria-label='Previous game']");
    await until("the edited game", async () => (await moves(page)).includes("9-14"));
    await page.context().close();
  },

  async "an imported game stands once, with the user's changes, and only reading it stores nothing"() {
    const page = await open();
    await newGame(page, {});
    await enter(page, "11-15");
    const game = (name) => `[Black "${name}"]\n[White "Bob"]\n\n1. 9-13 22-18 *\n\n`;
    await readPdn(page, `${game("Ann")}${game("Cid")}${game("Eve")}${game("Cid")}`);
    const count = (words) => until(words, async () => (await page.textContent(".imported [role=status]").catch(() => "")) === words);
    await count("3 games");
    await page.click(".imported li.kept button.link >> nth=0");
    for (const name of ["Cid", "Eve"]) {
      await page.click("button[aria-label='Next game']");
      await until(name, async () => (await said(page)).startsWith(`Loaded ${name}`));
    }
    const names = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("kelso.game.")).length);
    assert.equal(await names(), 2, "the game that was played, and the one on the board");
    await page.keyboard.press("End");
    await until("the last move", async () => await current(page) === "22-18");
    await enter(page, "11-16");
    await page.reload();
    await ready(page);
    for (const again of [false, true]) {
      await press(page, "Games");
      await count("3 games");
      await page.check("dialog input[value=kept]");
      assert.match(await page.textContent(".kept-games .kept-list"), /^Person – PersonIn progress[^]*1 move11-15$/, "only the game that was played");
      await page.check("dialog input[value=imported]");
      await page.click(`.imported li.kept button.link >> nth=${again ? 2 : 0}`);
      await until("the game", async () => (await moves(page)).includes("11-16") === again);
    }
    assert.match(await page.textContent(".moves-head"), /Game 3 of 3/);
    // The explorer opens the same copy, at the position, and leaves the game on the board as it is.
    const explored = async (name) => {
      await study(page, "explorer");
      await page.click(`.explorer li:has-text("${name}") button`);
      await until(name, async () => (await said(page)).startsWith(`Loaded ${name}`) && await page.$eval(".explorer [role=status]", (words) => /^3 games/.test(words.textContent)));
      return moves(page);
    };
    await page.click(".moves .move >> nth=0");
    assert((await explored("Eve")).includes("11-16"), "the game on the board was loaded anew");
    assert(!(await explored("Ann")).includes("11-16"));
    assert((await explored("Eve")).includes("11-16"), "the user's changes are gone");
    assert.equal(await current(page), "9-13");
    // Of two copies, the latest is opened, and the other one is listed.
    await page.evaluate(() => {
      const [eve] = Object.values(localStorage).filter((words) => words.includes("Eve") && words.includes("11-16"));
      localStorage.setItem("kelso.game.other", JSON.stringify({ ...JSON.parse(eve.replaceAll("11-16", "11-15")), when: 1 }));
    });
    assert(!(await explored("Cid")).includes("11-16"));
    assert((await explored("Eve")).includes("11-16"), "an older copy");
    await press(page, "Games");
    await page.check("dialog input[value=kept]");
    assert.match(await page.textContent(".kept-games .kept-list"), /Eve – Bob/, "a copy out of reach");
    await page.keyboard.press("Escape");
    // A game that is played on from an imported one is a game of its own.
    await page.keyboard.press("End");
    await until("the end", async () => await current(page) !== "9-13");
    await press(page, "Play it out");
    await press(page, "Start game");
    await page.waitForSelector("dialog", { state: "detached" });
    await press(page, "Games");
    await page.check("dialog input[value=imported]");
    assert(!await page.$(".imported [aria-current]"), "a game that is played is no imported one");
    await page.context().close();
  },

  async "a single imported game stays in the list, and opens as a study after its end"() {
    const page = await open({ width: 390, height: 844 });
    await newGame(page, {});
    await movePiece(page, 11, 15);
    const result = `[Black "Ann"]\n[White "Bob"]\n[Result "0-1"]\n\n1. 9-13 22-18 0-1\n`;
    await loadPdn(page, result);
    await loadPdn(page, result.replace("Ann", "Eve"));
    await page.reload();
    await ready(page);
    await press(page, "Games");
    await page.waitForSelector(".imported li.kept:nth-child(2)");
    assert.match(await page.textContent(".imported .kept-list"), /Ann[^]*Eve/);
    await page.click(".imported li.kept button.link >> nth=0");
    await until("the game", async () => /^Loaded Ann/.test(await said(page)));
    await page.keyboard.press("End");
    await until("the last move", async () => await current(page) === "22-18");
    await annotate(page);
    await page.selectOption("label:has(span:text-is('Mark')) select", "1");
    // A position that is played next leaves the game a study.
    await setUpFen(page, "B:WK29,K30:BK1,K2");
    // Without the list of imported games, the game is one of the user's own.
    await page.evaluate(() => indexedDB.deleteDatabase("kelso"));
    await page.reload();
    await ready(page);
    await press(page, "Games");
    await page.click(".kept-games li:has-text('Ann') button.link");
    await page.waitForSelector("main.study");
    await until("the game", async () => (await moves(page)).length === 2);
    await page.evaluate(() => (location.hash = "#play"));
    await page.waitForSelector("main.play");
    await until("the game that was played", async () => !/22-18/.test(await moves(page)));
    await page.context().close();
  },

  async "an imported game with a result is played out from a position"() {
    const page = await open();
    await loadPdn(page, "1. 9-13 22-18 0-1");
    await page.keyboard.press("Home");
    await until("the start", async () => !await current(page));
    await press(page, "Play it out");
    await press(page, "Start game");
    await enter(page, "11-15");
    await page.context().close();
  },

  async "an import says what is new, and shows only its own errors"() {
    const page = await open();
    const game = (name, moves = "11-15 23-19") => `[Black "${name}"]\n\n1. ${moves} *\n\n`;
    const read = (pdn) => page.setInputFiles("dialog input[type=file]", { name: "a.pdn", mimeType: "text/plain", buffer: Buffer.from(pdn) });
    const says = (words) => until(words, async () => (await page.locator(".imported > .row > .soft").allTextContents()).join() === words);
    const numbers = () => page.$$eval(".imported li.kept > .soft", (all) => String(all.map((one) => one.textContent)));
    await press(page, "Games");
    await read(`${game("A")}${game("B", "11-15 2-31")}${game("A")}${game("C")}`);
    await says("Added 3 games; 1 you already had.");
    assert.equal(await page.textContent(".imported .faults summary"), "1 error");
    await read(`${game("C")}${game("D")}`);
    await says("Added 1 game; 1 you already had.");
    assert(!await page.$(".imported .faults"), "errors of the file before");
    assert.equal(await numbers(), "1,2,3,4");
    await page.click("li.kept:has-text('B') button[aria-label^=Delete]");
    await page.click("dialog.question button.danger");
    await until("three games", async () => await numbers() === "1,2,3");
    // A text with errors stays, and only its other games are kept.
    const text = `${game("E")}${game("F", "11-15 22-18 15x99")}`;
    await press(page, "Import");
    await page.fill("dialog textarea", text);
    await press(page, "Import text");
    await until("the error", async () => /^1 errorGame 2, line 7: .*15x99/.test(await page.textContent("section .faults").catch(() => "")));
    assert.equal(await page.inputValue("dialog textarea"), text);
    await page.fill("dialog textarea", "hello this is no pdn");
    await press(page, "Import text");
    await until("another error", async () => /hello/.test(await page.textContent("section .faults").catch(() => "")));
    assert(await page.isVisible("dialog textarea"));
    await page.keyboard.press("Escape");
    await page.reload();
    await ready(page);
    await press(page, "Games");
    await until("four games", async () => await numbers() === "1,2,3,4");
    assert(!await page.$(".faults"));
    await page.context().close();
  },

  async "text that was pasted is what Import reads"() {
    const page = await open();
    await press(page, "Games");
    assert.match(await page.getAttribute(buttonNamed("Open a file"), "class"), /primary/);
    await page.fill("dialog textarea", "1. 9-13 22-18 *");
    assert(!await page.isVisible(buttonNamed("Import")), "a button that hides the text");
    assert.doesNotMatch(await page.getAttribute(buttonNamed("Open a file"), "class") ?? "", /primary/);
    await page.click("dialog button.primary");
    await until("the game", async () => (await moves(page)).length === 2);
    await page.context().close();
  },

  async "positions, games and several files can be pasted and dropped anywhere"() {
    const page = await open();
    const send = (type, data) => page.evaluate(([type, { text, files }]) => {
      const transfer = new DataTransfer();
      for (const file of files ?? []) transfer.items.add(new File([file], "games.pdn"));
      if (text) transfer.setData("text/plain", text);
      const target = document.querySelector("dialog h2") ?? document.querySelector("h1");
      const options = { bubbles: true, cancelable: true };
      target.dispatchEvent(type === "paste" ? new ClipboardEvent("paste", { ...options, clipboardData: transfer }) : new DragEvent("drop", { ...options, dataTransfer: transfer }));
    }, [type, data]);
    await send("paste", { text: " W:WK30:B12\n" });
    await until("the position", async () => await pieces(page) === "12, black man;30, white king");
    assert.match(await page.evaluate(() => location.hash), /study/);
    await send("paste", { text: `[FEN "B:WK30:B12"]\n[SetUp "1"]\n1. 12-16 30-26 *` });
    await until("the game", async () => String(await moves(page)) === "12-16,30-26");
    await send("paste", { text: "B:W99:B1" });
    await until("the reason", async () => /1 to 32/.test(await page.textContent("dialog .fault").catch(() => "")));
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await send("drop", { files: [`[Black "A"]\n1. 11-15 *`, `[Black "B"]\n1. 9-13 *\n`] });
    await until("all games", async () => (await page.$$(".imported li.kept")).length === 3);
    await page.context().close();
  },
};
