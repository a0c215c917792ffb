// Many games: stored in the browser, and read from PDN.

import { readFileSync } from "node:fs";
import { strict as assert } from "node:assert";
import { ROWS, accessible, annotate, buttonNamed, current, enter, listed, loadPdn, mode, movePiece, moves, newGame, open, pause, pieces, press, readPdn, ready, said, setUpFen, status, stored, study, twice, until } from "./harness.mjs";

const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const PERSON = { kind: "person" };

/** Returns a stored game. */
function game(number, { comment, moves = ["11-15", "23-19"], ...more } = {}) {
  const nodes = [[-1, "", { order: moves.length ? [1] : [] }], ...moves.map((move, at) => [at, move, { order: at + 1 < moves.length ? [at + 2] : [], comment }])];
  return { tree: { start: START, nodes, tags: { Black: `Black ${number}`, White: `White ${number}` } }, players: { b: PERSON, w: PERSON }, pace: { kind: "move", value: 1 }, tip: moves.length, when: 1700000000000 + number * 1000, ...more };
}

/** Presses a button and returns the text of the file that is saved. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, name)]);
  return readFileSync(await download.path(), "utf8");
}

export const collecting = {
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
      const next = hasOwn && white !== PERSON ? "Your next mistake" : "Next mistake", solve = page.locator(".review button:has-text('Retry')");
      assert.equal(await solve.textContent(), asked[0] === "8-11?" ? "Retry 2. 8-11" : "Retry 1… 23-19");
      assert.equal(await page.textContent(".overview > .soft"), hasOwn ? "" : "No mistakes of yours, only White's.");
      assert.equal(/primary/.test(await page.getAttribute(buttonNamed(next), "class")), hasOwn);
      for (const wanted of asked) {
        await press(page, next);
        await pause(300);
        assert.equal(await current(page), wanted);
      }
      assert.equal(await solve.textContent(), asked.at(-1) === "8-11?" ? "Retry 2. 8-11" : "Retry 1… 23-19", "the mistake on the board");
      await solve.click();
      const names = white === PERSON ? "Person – Person" : "You – Kelso, level 1";
      await until("the names", async () => (await page.textContent("main")).includes(`Mistake ${asked.length} of ${asked.length} from ${names},`));
      await page.context().close();
    }
    // No mistakes are known before a review, and none of the other side's before there are some.
    for (const [fields, words] of [[{}, /^Marks mistakes at once,/], [{ reviewed: true }, /^No mistakes found\.$/]]) {
      const own = game(1, { mode: "study", players: { b: PERSON, w: level } });
      Object.assign(own.tree.nodes[1][2], fields);
      const page = await open({ script: stored({ "kelso.game.a": own }) });
      await study(page, "review");
      assert.match(await page.textContent(".overview > .soft"), words);
      await page.context().close();
    }
  },

  async "a finished game is listed at once, and continuing it does not copy it"() {
    const page = await open({ width: 1920, height: 1080 });
    const listed = () => page.locator(".recent ul li").count();
    await newGame(page, {});
    assert.equal(await listed(), 0);
    await enter(page, "11-15");
    await until("the game in progress", async () => /In progress/.test(await page.textContent(".recent ul li")));
    await twice(page, "Resign");
    await until("the game in the list", async () => await listed() === 1);
    for (let times = 0; times < 2; times++) {
      await page.click(".recent ul li button.link");
      await until("the finished game", async () => String(await moves(page)) === "11-15" && await page.isVisible(".end-card"));
      assert.equal(await listed(), 1);
      // A game that is left at an earlier move is not stored again as the next one.
      await page.click("[aria-label='Go to the start']");
      await newGame(page, {});
      await until("another game", async () => !(await moves(page)).length);
      assert.equal(await listed(), 1);
    }
    await mode(page, "Library");
    await page.click(".library tbody button");
    await until("the finished game in Study", async () => String(await moves(page)) === "11-15" && await page.$("main.study"));
    await page.context().close();
  },

  async "a game keeps its date and the user's side, and stays listed when it is resumed"() {
    const own = game(1, { players: { b: { kind: "level", level: 1 }, w: PERSON }, flipped: true });
    const page = await open({ width: 1920, height: 1080, script: stored({ "kelso.game.a": own }) });
    const inList = () => page.textContent(".recent ul");
    await mode(page, "Play");
    await loadPdn(page, "1. 9-13 22-18 1-0");
    await mode(page, "Play");
    await page.click(".recent ul li button.link");
    await until("the game in progress", async () => /^Black 1 – White 1In progressNov 14, 2023/.test(await inList()));
    assert.equal(await page.locator(".recent ul li").count(), 1, "a game that was only read");
    assert.match(await page.textContent(".player-bar >> nth=1"), /White 1/);
    // A new game with the other side at the bottom leaves the stored one as it was.
    await newGame(page, {});
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.equal(await page.evaluate(async () => (await (await fetch("library", { method: "POST", body: JSON.stringify({ do: "game", game: "a" }) })).json()).state.flipped), false);
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
      await page.keyboard.press("ArrowRight");
      await until("the first move", async () => read.includes(`1. ${await current(page)} `));
      await mode(page, "Play");
      await until("the game of Play", async () => await pieces(page) === shown);
      assert.equal(await bar(), other);
      // A glance at Play leaves the study as it was.
      await mode(page, "Study");
      await until("the place in the study", async () => read.includes(`1. ${await current(page)} `));
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
    const [address] = page.url().split("#");
    // The page is left first: its own way to Play would begin another game.
    await page.goto("about:blank");
    await page.goto(`${address}#play`);
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

  async "games are searched, sorted, chosen, moved, deleted, restored and saved as one file"() {
    const games = { "kelso.game.a": game(1), "kelso.game.b": game(2, { moves: ["9-13"] }), "kelso.game.c": game(3, { moves: ["11-15", "23-19", "8-11"] }), "kelso.game.d": game(4, { when: 1710000000000 }) };
    const page = await open({ script: stored(games) });
    const rows = () => page.$$eval(ROWS, (all) => all.map((row) => /Black (\d+)/.exec(row.textContent)[1]).join());
    const sorted = async (column, order) => {
      await page.click(`.library th.${column} button`);
      await until(`${order} by ${column}`, async () => await rows() === order);
    };
    await mode(page, "Library");
    await listed(page, "4 games");
    // The column of the order is in view.
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const [column, list] = await page.$eval(`.library ${width < 800 ? ".sorting select" : "th[aria-sort]"}`, (head) => [head, head.closest(".game-list")].map((one) => one.getBoundingClientRect().toJSON()));
      assert(column.width > 20 && column.right <= list.right, `the order at ${width}: ${column.right} > ${list.right}`);
      const names = await page.$$eval(".library tbody :is(.black, .white)", (cells) => cells.map((cell) => cell.clientWidth));
      assert(Math.min(...names) >= 100, `names of ${names} pixels at ${width}`);
      if (width > 800) continue;
      // On a phone, the games are below the conditions, which close with the number of games.
      await page.click(".filters .conditions summary");
      const [switches, closer] = await page.$eval(".conditions .on-phone", (closer) => [closer.previousElementSibling.getBoundingClientRect().bottom, closer.getBoundingClientRect().top]);
      assert(switches <= closer, `the button covers ${switches - closer} pixels of the conditions`);
      await page.selectOption(".filters [name=result]", "draw");
      await page.waitForSelector(buttonNamed("Show 0 games"));
      await press(page, "Clear the filters");
      await press(page, "Show 4 games");
      assert(!await page.isVisible(".filters [name=player]"), "conditions that stay open");
    }
    // The list keeps its place when a game is chosen, and a phone shows the number of a game after its event.
    await page.fill(".filters input[type=search]", "balck");
    await page.waitForSelector(".condition");
    for (const width of [390, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      const top = () => page.$eval(".library thead", (head) => head.getBoundingClientRect().top);
      let before;
      await until(`a list that stays at ${width}`, async () => before === (before = await top()));
      await page.check(`${ROWS} input >> nth=0`);
      assert.equal(await top(), before, `the list after a game was chosen at ${width}`);
      await page.uncheck(`${ROWS} input >> nth=0`);
      // In another order than that of the dates, a phone shows the year beside the event.
      const [shown, date] = await page.$$eval(`${ROWS}:has(.date:not(:empty)) :is(.event, .date)`, ([date, event]) => {
        event.closest(".game-list").dataset.sort = "added";
        return [event.innerText, date.textContent];
      });
      if (width === 390) assert.equal(shown.slice(0, 7), `${/\d{4}/.exec(date)} · `);
      const cut = await page.$eval(`${ROWS} .event`, (cell) => {
        cell.textContent = "London 1992, game 25";
        return ["added", "date"].filter((sort) => {
          cell.closest(".game-list").dataset.sort = sort;
          return cell.scrollWidth > cell.clientWidth;
        });
      });
      assert.deepEqual(cut, [], `an event cut at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await press(page, "Clear the search");
    await sorted("black", "1,2,3,4");
    await sorted("black", "4,3,2,1");
    assert.equal(await page.getAttribute(".library th.black", "aria-sort"), "descending");
    // Games of one length are sorted by date.
    await sorted("length", "3,4,1,2");
    await page.fill(".filters input[type=search]", "blakc 23-19");
    await listed(page, "No game matches.");
    await page.fill(".filters input[type=search]", "balck");
    await listed(page, "4 games");
    // The position on the board is that of one game.
    await page.check(".filters [name=fen]");
    await until("fewer games", async () => !/^4/.test(await page.textContent(".library [role=status]")));
    await page.uncheck(".filters [name=fen]");
    // A player without a name is the user.
    await page.selectOption(".filters [name=result]", "won");
    await until("the user's victories", async () => /You/.test(await page.textContent(".library .conditions-met")));
    assert.equal(await page.inputValue(".filters [name=player]"), "You");
    await press(page, "Clear the filters");
    // The library suggests names.
    await page.focus(".filters [name=player]");
    await page.keyboard.type("ck 3");
    await until("a name", async () => String(await page.$$eval("#known-player option", (all) => all.map(({ value }) => value))) === "Black 3");
    await page.fill(".filters [name=player]", "Black 3");
    await listed(page, "1 of 4 games");
    await page.selectOption(".filters [name=color]", "w");
    await listed(page, "No game matches.");
    await press(page, "Clear the filters");
    await listed(page, "4 games");
    assert.equal(await page.locator(".nothing button").count(), 0);
    await sorted("black", "1,2,3,4");
    await page.hover(`${ROWS} >> nth=1`);
    await until("the small board", async () => await page.locator(".filters .board use").count() === 24);
    assert.equal(await page.$$eval(ROWS, (rows) => String(rows.map((row) => row.matches(".previewed")))), "false,true,false,false", "the row of the small board");
    const choose = (number) => page.check(`${ROWS}:has-text("Black ${number}") input`);
    // Shift chooses the games from the one that was clicked before, or not.
    const range = (row) => page.locator(`${ROWS} >> nth=${row} >> input`).click({ modifiers: ["Shift"] });
    await choose(1);
    await range(2);
    await listed(page, "3 of 4 chosen");
    await range(0);
    await listed(page, "4 games");
    await choose(2);
    await choose(3);
    await listed(page, "2 of 4 chosen");
    await accessible(page, "chosen games");
    const file = await saved(page, "Export");
    assert.deepEqual([...file.matchAll(/\[Black "(.*)"\]/g)].map(([, name]) => name), ["Black 2", "Black 3"]);
    await page.selectOption(".games .row select", "+");
    await page.fill("dialog input", "Best");
    await page.keyboard.press("Enter");
    await until("the collection", async () => (await page.$$eval(".filters option", (all) => all.map(({ text }) => text))).includes("Best"));
    await page.locator("label:has(span:text-is('Collection')) select").selectOption("=Best");
    await listed(page, "2 games");
    await page.check(".library thead input");
    await listed(page, "2 of 2 chosen");
    await press(page, "Delete");
    await listed(page, "No game matches.");
    await press(page, "Undo");
    await listed(page, "2 games");
    await page.check(".library thead input");
    await press(page, "Delete");
    await page.locator("label:has(span:text-is('Collection')) select").selectOption("deleted");
    await listed(page, "2 games");
    await choose(2);
    await press(page, "Restore");
    // The conditions stay when the page is loaded again.
    await page.reload();
    await listed(page, "1 game");
    await page.click(".conditions-met >> text=Clear the filters");
    await listed(page, "3 games");
    // The game on the board can be deleted too, and a new one takes its place.
    await page.check(`${ROWS}[aria-current] input`);
    await press(page, "Delete");
    await listed(page, "2 games");
    await page.waitForSelector(buttonNamed("Undo"));
    await mode(page, "Play");
    await until("a new game", async () => !(await moves(page)).length);
    assert.equal(await page.locator(".notice").count(), 0, "an offer of the library in Play");
    // A window that becomes wider has the user's games too.
    await page.setViewportSize({ width: 1600, height: 900 });
    await page.waitForSelector(".recent li");
    await page.context().close();
  },

  async "many imported games are listed and searched by name, opening and position"() {
    const page = await open();
    const openings = ["11-15 23-19 8-11 22-17", "11-15 22-18 15x22 25x18", "9-14 22-18 5-9 25-22"];
    const pdn = Array.from({ length: 3000 }, (_, at) => `[Event "Round ${at % 7}"]\n[Black "Ann ${at}"]\n[White "\u202eBob"]\n[Result "1-0"]\n\n${openings[at % 3]} 1-0\n`).join("\n");
    await mode(page, "Library");
    await press(page, "Import");
    await page.setInputFiles("dialog input[type=file]", { name: "all.pdn", mimeType: "text/plain", buffer: Buffer.from(pdn) });
    await listed(page, "3,000 games");
    const shown = () => page.locator(ROWS).count();
    assert.equal(await shown(), 100);
    await until("marks of new games", async () => await page.locator(`${ROWS}.new`).count() === 100);
    for (const rows of [200, 300]) {
      await page.$eval(".game-list", (list) => list.scrollTo(0, list.scrollHeight));
      await until("more rows", async () => await shown() === rows);
    }
    assert.match(await page.textContent(`${ROWS}:nth-child(250)`), /^Ann 249/);
    // On a phone, the way back is in view, however many games are listed.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.check(`${ROWS} input >> nth=0`);
    await press(page, "Delete");
    await listed(page, "2,999 games");
    await page.waitForSelector(".notice");
    assert(await page.$eval(".notice", (notice) => notice.getBoundingClientRect().bottom <= innerHeight), "a notice out of view");
    await press(page, "Undo");
    await listed(page, "3,000 games");
    // The imports leave the games in view.
    await page.click(".filters summary:text-is('Imports')");
    const edges = await page.$$eval(".filters, .games .facing", (parts) => parts.map((part) => part.getBoundingClientRect()));
    assert(edges[0].bottom <= edges[1].top && edges[1].top < 600, "imports that hide the games");
    await page.click(".filters summary:text-is('Imports')");
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.click(".filters summary:text-is('Imports')");
    const isWhole = (report) => report.getBoundingClientRect().bottom <= innerHeight;
    await until("the imports in view", () => page.$eval(".filters .import", isWhole));
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.fill(".filters input[type=search]", "ann 2020 round");
    await listed(page, "1 game");
    await page.click(`${ROWS} button`);
    await until("the game", async () => /^Loaded Ann 2020/.test(await said(page)));
    await page.keyboard.press("ArrowRight");
    await until("its first move", async () => await current(page) === "11-15");
    await mode(page, "Library");
    // The search is kept.
    await listed(page, "1 game");
    await page.fill(".filters input[type=search]", "");
    await listed(page, "3,000 games");
    await page.check(".filters [name=fen]");
    await listed(page, "2,000 games");
    await page.fill(".filters [name=opening]", "cross");
    await listed(page, "No game matches.");
    await press(page, "Without “Opening: cross”: 2,000 games");
    await listed(page, "2,000 games");
    await page.fill(".filters [name=opening]", "single corner");
    await listed(page, "1,000 games");
    await page.context().close();
  },

  async "the explorer counts the games of the library, or those that come with the page"() {
    const page = await open();
    await study(page, "explorer");
    await until("bars", async () => (await page.$$(".explorer tbody .bar")).length >= 5);
    const games = () => page.textContent(".explorer th button");
    assert.equal(await games(), "120 games");
    assert.equal(await page.$eval(".explorer select", (list) => list.selectedOptions[0].text), "Kelso's levels");
    await accessible(page, "the explorer with its own games");
    await readPdn(page, ["11-15 23-19 8-11 22-17 1-0", "11-15 23-19 8-11 26-23 0-1", "9-13 22-18 11-15 18x11 1-0", "11-15 22-18 15x22 25x18 *"].map((moves, at) => `[Event "Cup"]\n[Black "${at > 1 ? "Eve" : "Ann"}"]\n[White "Bob"]\n1. ${moves}\n`).join("\n"));
    await listed(page, "4 games");
    await study(page, "explorer");
    await page.selectOption(".explorer select", "");
    await until("the imported games", async () => await games() === "4 games");
    const bar = page.locator(".explorer tbody tr:has(button:text-is('11-15')) .bar");
    assert.equal(await bar.getAttribute("aria-label"), "Black won 1, drawn 0, White won 1");
    assert.equal(await page.getAttribute(".explorer th .bar", "aria-label"), "Black won 2, drawn 0, White won 1");
    assert.equal(await bar.locator("i").allTextContents().then(String), "50,,50", "shares of the games that have ended");
    assert.match(await page.textContent(".figures > p"), /^1 of 4 games unfinished\. /);
    // The figures are those of the games that are searched.
    await mode(page, "Library");
    // Two fields filled without a pause, and what is no date.
    await page.fill(".filters [name=player]", "eve");
    await page.fill(".filters [name=from]", "abc");
    await page.fill(".filters [name=event]", "x");
    await page.fill(".filters [name=event]", "");
    await page.locator(".filters [name=event]").blur();
    await until("both conditions", async () => await page.inputValue(".filters [name=player]") === "eve");
    assert.equal(await page.getAttribute(".filters [name=from]", "aria-invalid"), "true");
    assert(!/abc/.test(await page.textContent(".conditions-met")));
    await page.fill(".filters [name=from]", "");
    await page.selectOption(".filters [name=color]", "b");
    await listed(page, "2 games");
    await study(page, "explorer");
    await until("Eve's games", async () => await games() === "2 games");
    assert.match(await page.textContent(".found"), /Player: eve/);
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.$eval(".found > select", (one) => one.clientWidth);
    assert(width > 80, `a choice of ${width} pixels on a phone`);
    // The conditions are set in the explorer too, in a dialog that Back closes.
    await page.click(".found button:text-is('Filters')");
    for (const width of [1280, 390]) await page.setViewportSize({ width, height: 844 });
    await page.selectOption("dialog [name=color]", "w");
    await accessible(page, "the filters of the explorer");
    await page.goBack();
    await until("no dialog", async () => await page.locator("dialog").count() === 0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await until("no game", async () => await page.textContent(".explorer .nothing") === "No games with this positionWithout “Player: eve as White”: 4 games");
    assert(await page.locator(".explorer tbody tr").count() > 0, "the moves");
    await page.click(".explorer .nothing button");
    await until("all games", async () => await games() === "4 games");
    await until("no offers", async () => await page.textContent(".explorer .nothing") === "");
    // The words of a search only find games, and the form is again that of the library.
    await mode(page, "Library");
    await page.fill(".filters [type=search]", "eve");
    await listed(page, "2 of 4 games");
    assert(await page.isVisible(".filters [name=player]"), "the conditions in the library");
    await study(page, "explorer");
    await until("the moves", async () => await page.locator(".explorer tbody tr").count() > 0);
    await page.waitForTimeout(300);
    assert.equal(await games(), "4 games");
    assert.equal(await page.locator(".found .condition").count(), 0);
    // The games with a position are listed in the library, and open there.
    await page.selectOption(".explorer select", "=Imported");
    await page.click(".explorer tbody button:text-is('9-13')");
    await until("the move", async () => String(await moves(page)) === "9-13");
    await until("one game", async () => await games() === "1 game");
    await page.click(".explorer th button");
    await listed(page, "1 game");
    await page.click(`${ROWS} button`);
    await until("the game", async () => (await moves(page)).length === 4);
    for (const width of [390, 800, 1024, 1280, 1366, 1600, 1680, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await study(page, "explorer");
      const [table, place] = await page.$eval(".explorer", (explorer) => [explorer.querySelector("table").getBoundingClientRect().right, explorer.getBoundingClientRect().right]);
      assert(table <= place + 1, `the table is cut at ${width}: ${table} > ${place}`);
    }
    // The user's own games come last.
    await newGame(page, {});
    await enter(page, "11-15", "23-19");
    await study(page, "explorer");
    await page.selectOption(".explorer select", "");
    await page.keyboard.press("Home");
    await until("all games", async () => {
      const listed = await page.$$eval(".figures .game-items li", (all) => all.map(({ textContent }) => textContent));
      return listed.length > 4 && listed.findIndex((words) => !/Bob/.test(words)) === 4;
    });
    await page.click(".explorer tbody button:text-is('11-15')");
    const row = (move) => page.locator(`.explorer tbody tr:has(button:text-is('${move}'))`);
    await until("a move without a result", async () => await row("22-18").count() === 1);
    assert.equal(await row("22-18").locator(".bar").count(), 0, "an empty bar");
    assert.equal(await row("23-19").locator(".bar").count(), 1);
    assert.equal(await page.locator(".explorer th .bar").count(), 0, "the bar of the only move twice");
    await page.context().close();
  },

  async "a list is saved with its edits, and each game stands once"() {
    const page = await open();
    const games = ["A", "B", "C"].map((name) => `[Event "Cup"]\n[Black "${name}"]\n\n1. 11-15 {as it was} 23-19 *\n`);
    await readPdn(page, [...games, games[0]].join("\n"));
    await listed(page, "3 games");
    assert.match(await page.textContent(".games .import"), /Added 3 games; 1 you already had\./);
    await page.click(`${ROWS} button >> nth=1`);
    await until("the game", async () => /^Loaded B/.test(await said(page)));
    await until("its place", async () => /2 of 3/.test(await page.textContent(".moves-head")));
    await page.keyboard.press("End");
    await until("the last move", async () => await current(page) === "23-19");
    await enter(page, "8-11");
    await press(page, "Undo");
    await until("the game as it was", async () => (await moves(page)).length === 2);
    await enter(page, "9-14");
    await page.click("button[aria-label='Next game']");
    await until("the next game", async () => /^Loaded C/.test(await said(page)));
    await mode(page, "Library");
    await listed(page, "3 games");
    assert.equal((await saved(page, "Export all")).trim(), [games[0], `[Event "Cup"]\n[Black "B"]\n[Result "*"]\n\n1. 11-15 {as it was} 1... 23-19 2. 9-14 *\n`, games[2]].join("\n").trim());
    await page.click(`${ROWS} button >> nth=1`);
    await until("the edited game", async () => (await moves(page)).includes("9-14"));
    // A game that is played on from an imported one is a game of its own.
    await page.keyboard.press("End");
    await press(page, "Play it out");
    await press(page, "Start game");
    await page.waitForSelector("dialog", { state: "detached" });
    await enter(page, "22-17");
    await mode(page, "Library");
    await listed(page, "4 games");
    await page.context().close();
  },

  async "what cannot be read stays in its field"() {
    const page = await open();
    await mode(page, "Library");
    await press(page, "Import");
    assert.match(await page.getAttribute(buttonNamed("Open a file"), "class"), /primary/);
    await page.fill("dialog textarea", "hello this is no pdn");
    assert.doesNotMatch(await page.getAttribute(buttonNamed("Open a file"), "class") ?? "", /primary/);
    await press(page, "Import text");
    await until("the error", async () => /^Game 1, line 1: .*hello/.test(await page.textContent("dialog .fault").catch(() => "")));
    assert.equal(await page.inputValue("dialog textarea"), "hello this is no pdn");
    await page.fill("dialog textarea", "1. 9-13 22-18 *");
    await page.click("dialog button.primary");
    await until("the game", async () => (await moves(page)).length === 2);
    // The moves before an error are kept.
    await readPdn(page, "1. 10-14 22-22 *");
    await until("what is kept", async () => /^Game 1, line 1: .*\. The moves before it are kept\.$/.test(await page.textContent(".games .faults li").catch(() => "")));
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
    await listed(page, "3 games");
    await page.context().close();
  },
};
