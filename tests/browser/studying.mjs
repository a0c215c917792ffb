// Studying: analysis, positions, games as PDN, and stored games.

import { readFileSync, readdirSync } from "node:fs";
import { strict as assert } from "node:assert";
import { accessible, analyse, analysisOptions, annotate, anyMove, browser, buttonNamed, cell, center, closeDialogs, copied, copyPdn, current, enter, faults, fenIn, isStatic, labelled, listed, ROWS, loadPdn, mode, more, movePiece, moves, named, newGame, open, openExports, pause, pieces, press, ready, restart, reviewed, said, server, setUpFen, stored, status, study, threads, until } from "./harness.mjs";

/** A game from a drawn position that White loses by the first move. */
const LOSING_GAME = '[FEN "W:W19,20:B12,K14"]\n[SetUp "1"]\n\n1. 19-16 12x19 *\n';
/** A game that Black, a player of random moves, lost against level 3. */
const RANDOM_GAME = `1. 9-13 24-20 2. 10-14 22-18 3. 5-9 25-22 4. 1-5 22-17 5. 13x22 26x1 6. 7-10 1-6 7. 11-15 18x11 8. 8x15 6x13
9. 15-19 23x16 10. 12x19 27-24 11. 2-7 24x6 12. 3-8 6-2 13. 7-11 2-6 14. 11-16 20x11 15. 8x15 32-27 16. 15-19 27-23
17. 19x26 30x23 18. 5-9 6-10 19. 9-14 10x17 20. 4-8 17-22 21. 8-12 23-19 22. 12-16 19x12 0-1`;

/** A game between levels 2 and 4 with many mistakes of both. */
const LEVEL_GAME = `1. 11-15 24-19 2. 15x24 27x20 3. 10-14 22-17 4. 7-10 23-19 5. 9-13 32-27 6. 13x22 25x9 7. 6x13 27-23 8. 2-7
29-25 9. 10-14 19-16 10. 12x19 23x16 11. 8-12 16-11 12. 7x16 20x11 13. 1-6 25-22 14. 6-10 22-18 15. 14x23
26x19 16. 10-14 28-24 17. 3-8 31-26 18. 8x15 19x10 19. 14-18 10-7 20. 4-8 24-19 21. 8-11 7-3 22. 18-23 3-7 23.
11-16 7-11 24. 16-20 19-15 25. 23-27 15-10 26. 20-24 26-22 27. 27-31 10-7 28. 24-27 7-3 29. 5-9 3-8 30. 9-14
11-15 31. 14-18 30-25 32. 27-32 15-19 33. 32-27 22x15 34. 27-23 19x26 35. 31x29 15-11 36. 29-25 11-7 37. 25-29
8-4 38. 29-25 4-8 39. 25-29 8-4 40. 29-25 4-8 1/2-1/2`;

/** A game of sixty plies. */
const LONG_GAME = `[Event "Sixty plies"]
1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25 4. 11-16 18-14 5. 10x17 21x14 6. 9x18 23x14 7. 16-20 24-19 8. 4-8
26-22 9. 6-10 30-26 10. 10x17 22x13 11. 8-11 26-22 12. 20-24 27x20 13. 11-16 20x11 14. 7x23 22-18 15. 12-16
28-24 16. 16-20 24-19 17. 20-24 25-21 18. 24-28 21-17 19. 2-6 19-16 20. 6-10 16-12 21. 1-6 18-14 22. 3-7 12-8
23. 10-15 8-3 24. 6-10 3-8 25. 15-18 13-9 26. 10-15 9-6 27. 7-11 6-2 28. 23-26 31x22 29. 18x25 2-7 30. 11-16
8-11 *
`;

export const studying = {
  async "positions are set up, legal and illegal"() {
    const page = await open();
    // Play between people: an engine would move as soon as the position is shown.
    await newGame(page, {});
    await mode(page, "Study");
    await press(page, "Set up");
    const ids = await page.$$eval("[id]", (all) => all.map(({ id }) => id));
    assert.deepEqual(ids, [...new Set(ids)], "ids that occur twice");
    await press(page, "Clear");
    await until("what to do", async () => (await page.textContent("dialog .state")) === "The board is empty. Place some pieces.");
    await page.click("dialog label:has-text('white king') input");
    await page.click(`dialog ${cell(30)}`);
    await page.click("dialog label:has-text('black man') input");
    await page.click(`dialog ${cell(12)}`);
    await until("a legal position", async () => await fenIn(page) === "B:WK30:B12");
    await page.click("dialog label:has-text('white man') input");
    await page.click(`dialog ${cell(1)}`);
    await until("a reason", async () => /crowned|man/.test(await page.textContent("dialog .fault")));
    await page.click(`dialog ${cell(1)}`);
    await until("a legal position", async () => /can be played/.test(await page.textContent("dialog")));
    await page.fill("dialog textarea", "B:W18,19,K20,21,22,23,24,25,26,27,28,99:B1,2,3,4,5,6,7,8,9,10,11,12");
    await until("the faulty part", async () => await page.textContent("dialog .fault") === '"99" at character 38: expected a square from 1 to 32.');
    await page.fill("dialog textarea", "B:W18,18:B1");
    await until("a reason", async () => await page.textContent("dialog .fault") === "Square 18 is listed twice.");
    assert.equal(await page.getAttribute("dialog textarea", "aria-invalid"), "true");
    assert.equal(await page.getAttribute(`dialog ${buttonNamed("Copy FEN")}`, "aria-disabled"), "true", "a FEN without a position is copied");
    const [field, fault] = await page.$$eval("dialog :is(textarea, .fault)", (all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
    assert(fault[0] >= field[1] && fault[0] < field[1] + 20, "the reason below the field");
    for (const over of ["B:W:B1,18", "W:W:B1,18"]) {
      await page.fill("dialog textarea", over);
      await until("the end of the game", async () => await page.textContent("dialog .state") === "Game over");
      assert.equal(await page.getAttribute(`dialog ${buttonNamed("Play it")}`, "aria-disabled"), "true");
    }
    await page.fill("dialog textarea", "W:WK30:B12");
    await until("a legal position", async () => /can be played/.test(await page.textContent("dialog")));
    await press(page, "Play it");
    await page.waitForSelector(labelled("Opening"));
    assert.equal(await page.$eval(labelled("Opening"), (list) => list.selectedOptions[0].text), "Position set up");
    await press(page, "Start game");
    await until("the position", async () => (await pieces(page)) === "12, black man;30, white king");
    assert.equal(await page.$(".badge"), null, "database results are hidden in a game");
    await analyse(page);
    await page.waitForSelector(".badge");
    await until("the databases' word", async () => /(database)/.test(await page.textContent(".verdict")));
    await page.context().close();
  },

  async "pieces are set up by dragging"() {
    const page = await open();
    await newGame(page, {});
    await setUpFen(page, "B:WK30:B12");
    await mode(page, "Study");
    await press(page, "Set up");
    const at = async (square) => {
      const box = await page.locator(`dialog ${cell(square)}`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const drag = async (from, to) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      await page.mouse.up();
    };
    const fen = (words) => until(words, async () => await fenIn(page) === words);
    await drag(await at(12), await at(16));
    await fen("B:WK30:B16");
    const label = await page.locator("dialog label:has-text('white man')").boundingBox();
    await drag([label.x + label.width / 2, label.y + label.height / 2], await at(31));
    await fen("B:WK30,31:B16");
    await drag(await at(31), [5, 5]);
    await fen("B:WK30:B16");
    const [x, y] = await at(16);
    await drag([x, y], [x, y - (await page.locator("dialog .cells").boundingBox()).height / 8]);
    await fen("B:WK30:B16");
    await press(page, "Start position");
    await until("the start", async () => /12$/.test(await fenIn(page)));
    await press(page, "Copy FEN");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await fenIn(page));
    await page.context().close();
  },

  async "a position is saved as a picture"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 22-18 2. 15x22 25x18 *");
    await openExports(page);
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Save SVG")]);
    assert.equal(download.suggestedFilename(), "kelso-position.svg");
    const svg = readFileSync(await download.path(), "utf8");
    const picture = await (await browser.newContext()).newPage();
    await picture.setContent(`<img alt="" src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">`);
    await until("the picture", () => picture.evaluate(() => document.querySelector("img").naturalWidth === 640));
    assert.equal(svg.match(/<use /g).length, 24);
    await picture.context().close();
    await page.context().close();
  },

  async "a thousand games are read, and an error is reported with its line"() {
    const page = await open();
    const games = Array.from({ length: 1000 }, (_, index) => `[Event "Cup ${index}"]\n[Black "A${index}"]\n[White "B"]\n[Result "1-0"]\n1. 11-15 ${index === 150 ? "23-17" : "23-19"} 2. 8-11 1-0\n`).join("\n");
    await mode(page, "Library");
    await press(page, "Import");
    const began = performance.now();
    await page.setInputFiles("dialog input[type=file]", { name: "cup.pdn", mimeType: "text/plain", buffer: Buffer.from(games) });
    await listed(page, "1,000 games");
    console.log(`figure: 1,000 games are listed after ${Math.round(performance.now() - began)} ms`);
    // The errors stay, and lead to their games. The text after an error is a comment.
    await page.waitForSelector(".games .faults[open]");
    assert.match(await page.textContent(".games .import"), /^cup\.pdn · .* · Added 1,?000 games\.1 errorGame 151, line 905: illegal move "23-17"/);
    await page.click(".games .import > button");
    assert(!await page.isVisible(".games .import"), "a note that cannot be closed");
    for (const part of ["summary:text-is('Imports')", ".faults summary", ".faults button"]) await page.click(`.filters ${part}`);
    await until("the part of the broken game that can be read", async () => String(await moves(page)) === "11-15");
    assert.match(await page.textContent(".study-panel .moves"), /23-17 2\. 8-11 1-0/);
    await mode(page, "Library");
    await page.fill(".filters input[type=search]", "a299 cup");
    await listed(page, "1 game");
    assert.equal((await page.$$(ROWS)).length, 1);
    await page.click(`${ROWS} button`);
    await until("the game", async () => (await moves(page)).join(" ") === "11-15 23-19 8-11");
    assert.match(await copyPdn(page), /\[Event "Cup 299"\]\n[^]*\[Result "1-0"\]\n[^]*1\. 11-15 23-19 2\. 8-11 1-0\n/);
    await page.context().close();
  },

  async "analysis that is switched often leaves no search running"() {
    const page = await open();
    await newGame(page, {});
    const before = threads();
    for (let time = 0; time < 50; time++) await analyse(page);
    await until("the end of all searches", () => threads() <= before);
    await analyse(page);
    await analysisOptions(page);
    await page.selectOption(".analysis select >> nth=0", "5");
    await until("five lines", async () => (await page.$$(".lines li")).length === 5);
    assert.match(await page.textContent(".facts"), /depth \d+/);
    await analyse(page);
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
    server.stop();
    await until("word of it", async () => /Lost the connection to Kelso/.test(await status(page)));
    await restart();
    await until("the connection", async () => /to move/.test(await status(page)));
    assert.deepEqual(await moves(page), game);
    // The browser itself logs that it could not connect.
    faults.splice(before);
    await anyMove(page, 1);
    await until("a move", async () => (await moves(page)).length === 2);
    await page.context().close();
  },

  async "work for one game never affects the next"() {
    const page = await open();
    await newGame(page, {});
    await enter(page, "11-15", "23-19", "8-11");
    await analyse(page);
    await page.waitForSelector(".lines li");
    const alive = async (when) => {
      await mode(page, "Study");
      await page.waitForSelector(".lines li");
      assert((await named(page, ["can move", "must capture"])).length > 0, `pieces can be moved ${when}`);
      assert.deepEqual(faults, [], when);
    };
    await newGame(page, {});
    await alive("in a new game");
    await mode(page, "Play");
    await enter(page, "9-13", "22-18");
    await setUpFen(page, "W:W21,22,25,K13:B9,10,K30");
    await alive("in a position that was set up");
    await loadPdn(page, "1. 11-15 23-19 2. 8-11 22-17 *");
    await alive("in a game that was loaded");
    // A review and a hint are still running when the next game begins.
    await study(page, "review");
    await press(page, "Analyse game");
    await mode(page, "Play");
    await press(page, "Hint");
    await newGame(page, {});
    await pause(1300);
    assert.doesNotMatch(await status(page), /Hint|Analysed/);
    assert.equal(await page.$(".over .arrow"), null, "a hint for another game");
    assert.equal(await page.$(".moves .comment"), null, "an analysis of another game");
    await page.context().close();
  },

  async "the move list follows the game"() {
    for (const [width, height] of [[1366, 650], [360, 740]]) {
      const page = await open({ width, height });
      await loadPdn(page, LONG_GAME);
      const hidden = await page.evaluate(() => {
        const found = [];
        for (let step = 1; step <= 60; step++) {
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
          const box = document.querySelector(".moves").getBoundingClientRect(), move = document.querySelector(".moves [aria-current]").getBoundingClientRect();
          if (move.top < box.top - 1 || move.bottom > box.bottom + 1 || scrollY) found.push([step, move.top - box.top, box.bottom - move.bottom, scrollY]);
        }
        return found;
      });
      assert.deepEqual(hidden, [], `steps at which the current move is outside the list, or the page scrolls by itself, at ${width}x${height}`);
      assert.equal((await moves(page))[59], await current(page));
      await page.context().close();
    }
  },

  async "a move tried in a loaded game is a variation"() {
    const page = await open();
    const game = `[Event "Cup"]\n[Black "A"]\n[White "B"]\n[Result "1-0"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n`;
    await loadPdn(page, game);
    assert.equal(await copyPdn(page), game);
    await page.keyboard.press("ArrowRight");
    await until("the first move", async () => await current(page) === "11-15");
    await enter(page, "22-18", "15x22");
    const tried = await copyPdn(page);
    assert.match(tried, /1\. 11-15 23-19 \(1\.\.\. 22-18 2\. 15x22\) 2\. 8-11 22-17 1-0\n$/);
    assert(tried.startsWith(game.split("\n\n")[0]), tried);
    assert.equal(await page.textContent(".moves .result"), "1-0");
    await press(page, "Main line");
    await until("the other main line", async () => (await moves(page)).slice(0, 3).join(" ") === "11-15 22-18 23-19");
    await until("the tried move to lead", () => page.isHidden(buttonNamed("Main line")));
    await page.context().close();
  },

  async "games are written as they were read"() {
    const page = await open();
    const folders = ["../data/pdn/", "../../examples/"].map((folder) => new URL(folder, import.meta.url));
    const files = folders.flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith(".pdn")).map((name) => readFileSync(new URL(name, folder), "utf8")));
    const many = Array.from({ length: 1500 }, (_, index) => `[Event "Round ${index}"]\n[Black "A"]\n\n{Before [the] game} 1. 11-15 $1 {a comment of ${"some ".repeat(index % 40)}words} 23-19\n({It opens (with) words} 1... 22-18 2. 15x22 (2. 15x22 {inside}) 25x18) 2. 8-11 {last} *\n`).join("\n");
    const differences = await page.evaluate(async (texts) => {
      const { bundled: { "pdn.js": { read, write }, "transport.js": { readGames } } } = await import(document.querySelector("script[type=module]").src);
      const parse = async (text) => (await readGames(text)).games;
      const plain = ({ number, source, ...game }) => JSON.stringify(game);
      const found = [];
      let count = 0;
      for (const text of texts) {
        const games = (await parse(text)).filter(({ fault }) => !fault);
        const trees = games.map(read);
        trees.forEach((tree, index) => {
          count++;
          if (!text.includes(write(tree, {}).trim()) && !text.includes("\r")) found.push(["source", games[index].source, write(tree, {})]);
          tree.source = undefined;
        });
        const again = await parse(trees.map((tree) => write(tree, {})).join("\n"));
        // The tree cannot represent a variation without moves.
        const whole = (game) => !/"comment":"[^"]+","plies":\[\]/.test(JSON.stringify(game));
        games.forEach((game, index) => whole(game) && plain(game) !== plain(again[index] ?? {}) && found.push(["edited", plain(game), plain(again[index] ?? {})]));
      }
      return { count, found: found.slice(0, 3) };
    }, [...files, many]);
    assert.deepEqual(differences.found, []);
    assert(differences.count > 1500, `${differences.count} games`);
    const bare = "1. 11-15 {first} 23-19 ({better} 1... 22-18) *\n";
    await loadPdn(page, bare);
    assert.equal(await copyPdn(page), bare);
    await enter(page, "9-13").catch(() => {});
    assert.doesNotMatch(await copyPdn(page), /Person|Date/);
    await page.context().close();
  },

  async "the scores that an engine had while it played are not shown as analysis"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    for (let move = 0; move < 3; move++) {
      await until("a turn", async () => (await named(page, ["must capture", "can move"])).length);
      await anyMove(page, move);
    }
    await until("the last answer", async () => (await moves(page)).length === 6);
    await mode(page, "Study");
    await page.waitForSelector(".study-panel .move");
    assert.deepEqual(await page.$$eval(".study-panel .move", (all) => all.map(({ dataset }) => dataset.note ?? "").filter((note) => /[+−-]?\d+\.\d\d/.test(note))), []);
    await page.context().close();
  },

  async "a study says that it has paused a game with clocks, and names no person"() {
    const page = await open();
    await newGame(page, { pace: "clock" });
    await movePiece(page, 11, 15);
    // The name of a player leads to the tags.
    await mode(page, "Study");
    await page.click(".player-name");
    assert.equal(await page.getAttribute("#tab-tags", "aria-selected"), "true");
    await until("word of the clocks", async () => /^White to move. Your game is paused; its clocks have stopped.$/.test(await status(page)));
    assert.deepEqual(await page.$$eval(".tag-fields input", (all) => all.slice(0, 2).map(({ value }) => value)), ["", ""]);
    await mode(page, "Play");
    await until("the turn", async () => /^White to move$/.test(await status(page)));
    await page.context().close();
  },

  async "the options of the analysis close with the game"() {
    const page = await open();
    await loadPdn(page, LONG_GAME);
    await analysisOptions(page);
    assert(await page.isVisible(".options"));
    await loadPdn(page, LOSING_GAME);
    assert(!await page.isVisible(".options"));
    assert.equal(await page.getAttribute(".analysis button[aria-label='Analysis settings']", "aria-expanded"), "false");
    await page.context().close();
  },

  async "the chart is empty for moves without scores"() {
    const page = await open();
    await loadPdn(page, LONG_GAME);
    await study(page, "review");
    assert.equal(await page.$(".score-chart .black-side, .score-chart .white-side"), null);
    assert.doesNotMatch(await page.getAttribute(".chart-slider", "aria-valuetext"), /\?|Go to/, "named for a screen reader");
    await analyse(page);
    await until("a score", async () => /depth/.test(await page.textContent(".facts")));
    assert(await page.isHidden(".chart-box"), "a chart of one score");
    await page.context().close();
  },

  async "games are dropped and pasted, and the list stays"() {
    const page = await open();
    const two = `[Event "Cup"]\n[Black "Ann"]\n[White "Bob"]\n1. 11-15 *\n\n[Event "Cup"]\n[Black "Cid"]\n[White "Dan"]\n1. 9-13 *\n`;
    const send = (type, data) => page.evaluate(([type, { text, file }]) => {
      const transfer = new DataTransfer();
      if (file) transfer.items.add(new File([file], "games.pdn"));
      else transfer.setData("text/plain", text);
      const target = document.querySelector("dialog h2") ?? document.querySelector("h1");
      const options = { bubbles: true, cancelable: true };
      target.dispatchEvent(type === "paste" ? new ClipboardEvent("paste", { ...options, clipboardData: transfer }) : new DragEvent("drop", { ...options, dataTransfer: transfer }));
    }, [type, data]);
    for (const [type, data, open] of [["drop", { file: two }, true], ["drop", { text: two }, true], ["paste", { text: two }, true], ["paste", { text: two }, false], ["drop", { text: two }, false]]) {
      await mode(page, "Library");
      if (open) await press(page, "Import");
      await send(type, data);
      await listed(page, "2 games");
      await until(`two games after ${type}`, async () => (await page.$$(ROWS)).length === 2);
      await page.click(".choice input >> nth=0");
      await press(page, "Delete");
      await until("no game", async () => (await page.$$(ROWS)).length === 0);
    }
    await send("paste", { text: two });
    await listed(page, "2 games");
    await page.click(`${ROWS} button >> nth=0`);
    await until("the game", async () => /^Loaded Ann – Bob, Cup/.test(await said(page)));
    await until("the first game of the list", () => page.isHidden("button[aria-label='Previous game']"));
    await page.click("button[aria-label='Next game']");
    await until("the other game", async () => /^Loaded Cid – Dan, Cup/.test(await said(page)));
    await mode(page, "Library");
    await until("the game on the board", async () => /Cid/.test(await page.textContent(`${ROWS}[aria-current]`).catch(() => "")));
    await page.context().close();
  },

  async "connection errors are named"() {
    const page = await open({ clipboard: null });
    await newGame(page, {});
    await enter(page, "11-15");
    // Over plain HTTP, browsers give pages no access to the clipboard.
    await openExports(page);
    await press(page, "Copy PDN");
    await page.waitForSelector("dialog button:text-is('Copied.'), dialog button:text-is('Press Ctrl+C to copy')");
    assert.match(await page.inputValue("dialog .exports textarea"), /1\. 11-15 \*/);
    await closeDialogs(page);
    const before = faults.length;
    const other = await page.context().newPage();
    await other.goto(`${server.url}engines`);
    await other.evaluate(() => Promise.all(Array.from({ length: 40 }, () => new Promise((resolve) => {
      const socket = new WebSocket(`ws://${location.host}/session`);
      (window.sockets ??= []).push(socket);
      socket.onopen = socket.onerror = resolve;
    }))));
    const third = await page.context().newPage();
    await third.goto(server.url);
    await until("the reason", async () => /in too many tabs/.test(await third.textContent("#status").catch(() => "")));
    await third.close();
    await other.close();
    server.stop();
    await until("the lost connection", async () => /Lost the connection to Kelso/.test(await status(page)));
    await press(page, "New game");
    await press(page, "Start game");
    await until("the reason", async () => /Not connected/.test(await page.textContent("dialog .fault")));
    await page.keyboard.press("Escape");
    await restart();
    await until("the connection", async () => /to move/.test(await status(page)));
    assert.deepEqual(await moves(page), ["11-15"]);
    faults.splice(before);
    await page.context().close();
  },

  async "the moves of a line show their positions, and clicking one adds the line up to it"() {
    const page = await open();
    await newGame(page, {});
    await analyse(page);
    await page.waitForSelector(".lines .line-move >> nth=3");
    await page.hover(".lines .line-move >> nth=2");
    await page.waitForSelector(".preview:visible use");
    const held = await page.$$eval(".lines .line-move", (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(await page.$$eval(".lines .line-move", (all) => all.slice(0, 4).map((move) => getComputedStyle(move, "::before").content)), ['"1."', "none", '"2."', "none"]);
    const shown = (await page.$$(".preview use")).length;
    assert(shown > 20 && shown <= 24, `${shown} pieces`);
    const depth = async () => Number(/depth (\d+)/.exec(await page.textContent(".facts"))?.[1]), before = await depth();
    await until("a deeper search", async () => await depth() >= before + 2, 60000);
    assert.deepEqual(await page.$$eval(".lines .line-move", (all) => all.map(({ textContent }) => textContent)), held, "lines under the pointer stay");
    await page.click(".lines .line-move >> nth=2");
    await until("three moves", async () => String(await moves(page)) === String(held.slice(0, 3)) && await current(page) === held[2]);
    await page.context().close();
  },

  async "each line has an arrow with its score, and a second engine searches too"() {
    const page = await open();
    await newGame(page, {});
    await analyse(page);
    await analysisOptions(page);
    await page.selectOption("label:has(span:text-is('Lines')) select", "3");
    await until("three lines", async () => (await page.$$(".study-panel .lines li")).length === 3);
    await until("their scores", async () => {
      const [scores, labels] = await page.evaluate(() => [".lines li:not([data-by]) .line-score", ".arrow-score"].map((name) => [...document.querySelectorAll(name)].map(({ textContent }) => textContent)));
      return labels.length === 3 && String(labels) === String(scores);
    });
    const overlaps = await page.$$eval(".arrow-label", (all) => all.map((one) => one.getBoundingClientRect()).filter((one, at, boxes) => boxes.some((other, index) => index < at && other.left < one.right - 1 && one.left < other.right - 1 && other.top < one.bottom - 1 && one.top < other.bottom - 1)).length);
    assert.equal(overlaps, 0, "a score over another one");
    assert.equal(await page.locator(".over polygon.arrow").count(), 3);
    await page.selectOption("label:has(span:text-is('Second engine')) select", isStatic ? "kelso" : "other");
    await page.waitForSelector(".lines li[data-by] .line-move");
    assert.match(await page.getAttribute(".lines li[data-by]", "data-by"), isStatic ? /^Kelso · depth/ : /^other · depth/);
    await page.waitForSelector(".lines li:not([data-by]) .line-move");
    await accessible(page, "two engines");
    await press(page, "Threat");
    await until("the threat", async () => /^White threatens \d+-\d+$/.test(await status(page)));
    await analyse(page);
    await until("no lines", async () => (await page.$$(".lines li")).length === 0);
    await page.context().close();
  },

  async "moves are edited, and edits can be undone"() {
    const page = await open();
    const game = `[Event "Cup"]\n[Result "1-0"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n`;
    await loadPdn(page, game);
    await page.keyboard.press("ArrowRight");
    await until("the first move", async () => await current(page) === "11-15");
    await annotate(page);
    const glyph = (id) => page.selectOption(`label:has(span:text-is("Mark")) select`, id);
    await glyph("5");
    await page.fill(`label:has(span:text-is("Comment")) textarea`, "a fair start");
    await page.keyboard.press("Tab");
    await enter(page, "22-18");
    assert.match(await copyPdn(page), /1\. 11-15 \$5 \{a fair start\} 1\.\.\. 23-19 \(1\.\.\. 22-18\) 2\. 8-11 22-17 1-0\n$/);
    await press(page, "Delete move");
    await until("the position before", async () => /^11-15/.test(await current(page)));
    assert.match(await copyPdn(page), /1\.\.\. 23-19 2\. 8-11 22-17 1-0\n$/);
    for (let time = 0; time < 4; time++) await press(page, "Undo");
    await until("the moves without marks", async () => await current(page) === "11-15");
    await until("nothing to undo", async () => await page.getAttribute(buttonNamed("Undo"), "aria-disabled") === "true");
    assert.equal(await copyPdn(page), game);
    for (const count of [1, 0]) {
      await page.mouse.move(...await center(page, 18));
      await page.mouse.down({ button: "right" });
      await page.mouse.move(...await center(page, 15));
      await page.mouse.up({ button: "right" });
      assert.equal(await page.locator(".arrow.sketch").count(), count, "arrows of the user");
    }
    await analyse(page);
    await page.waitForSelector(".lines .line-move >> nth=5");
    const before = await moves(page);
    assert(!await page.isVisible(".line-score"), "the score of the only line twice");
    await page.click(".lines .line-move");
    await until("the first move of the engine's line", async () => String(await moves(page)) !== String(before) || /23-19/.test(await current(page)));
    assert((await moves(page)).length <= before.length + 1, "more than one move of the line");
    await page.mouse.move(...await center(page, 18));
    await page.mouse.wheel(0, -100);
    await until("the position before", async () => /^11-15/.test(await current(page)));
    await page.context().close();
  },

  async "a tap on a line plays its first move"() {
    const page = await open({ width: 390, height: 844, touch: true });
    await newGame(page, {});
    await analyse(page);
    for (const [count, wanted] of [[1, ".line-move >> nth=1"], [2, ".line-move >> nth=3"]]) {
      await page.waitForSelector(".lines .line-move >> nth=5");
      await page.tap(`.lines ${wanted}`);
      await until("the move", async () => (await moves(page)).length >= count);
      await until("its lines", async () => /^(Black|White) to move/.test(await status(page)));
      assert.equal((await moves(page)).length, count, wanted);
      assert(!await page.isVisible(".preview"), "a small board that a finger opened");
    }
    await page.context().close();
  },

  async "all scores are White's, and only proven results are wins"() {
    const page = await open();
    await loadPdn(page, LEVEL_GAME);
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    const number = (words) => Number.parseFloat(words.replace("−", "-"));
    const sentences = await page.$$eval(".moves > .move", (all) => all.flatMap(({ dataset, nextElementSibling: next, ariaLabel }, at) => next?.matches(".comment") ? [[ariaLabel, dataset.note, all[at - 1].dataset.note, next.textContent]] : []));
    // A mistake has the words of `kelso analyse`, and the score falls for the side that has made it.
    assert(sentences.length > 4 && sentences.every(([, , , words]) => /^(Blunder: this (loses|only draws),|(Mistake|Inaccuracy):) \d+[-x]/.test(words)), JSON.stringify(sentences));
    for (const [name, note, before] of sentences) {
      const [worse, better] = [note, before].map(number);
      if (!Number.isNaN(worse + better)) assert(name.includes("White") ? better >= worse : better <= worse, `${name}: ${before} and then ${note}`);
    }
    const seen = async () => page.evaluate(() => ({
      turn: document.querySelector("#status").textContent, score: document.querySelector(".score").textContent, line: document.querySelector(".line-score")?.textContent,
      bar: Number.parseFloat(getComputedStyle(document.querySelector(".eval-bar")).getPropertyValue("--white")), verdict: document.querySelector(".verdict").textContent,
      chart: document.querySelector(".chart-slider")?.getAttribute("aria-valuetext"),
    }));
    await page.click(".moves > .move:has-text('1-6')");
    await until("a large estimate in words", async () => (await page.textContent(".verdict")) === "White is winning");
    await page.click(".moves > .move:has-text('22-18')");
    // Without an engine, the head has the score of the review.
    await until("the review's score", async () => /^Review depth \d+$/.test(await page.textContent(".facts")));
    assert.equal(await page.textContent(".score"), await page.getAttribute(".moves > [aria-current]", "data-note"));
    await analyse(page);
    await until("the engine's score", async () => /depth/.test(await page.textContent(".facts")));
    await until("a score", async () => (await seen()).score);
    for (const key of ["", "ArrowLeft"]) {
      if (key) await page.keyboard.press(key);
      await until("scores of one position", async () => { const { score, line } = await seen(); return score && score === line; });
      const { turn, score, bar, verdict, chart } = await seen();
      assert(number(score) > 0.5 && bar > 50, `${turn}: ${score}, bar ${bar}`);
      assert.match(verdict, /^White/);
      assert.match(chart, /White (is|has)/);
      assert.doesNotMatch(verdict, /wins/, "an estimate");
    }
    // The chart names its areas. A sign would contradict the curve, which rises when White gains.
    assert.deepEqual(await page.$$eval(".axis span", (all) => all.map(({ textContent }) => textContent)), ["Black", "White"]);
    await newGame(page, {});
    await setUpFen(page, "W:W19,20:B12,K14");
    await enter(page, "19-16", "12x19");
    await mode(page, "Study");
    await until("a proven result", async () => /^Black wins/.test((await seen()).verdict));
    assert.match((await seen()).line, /^Black (wins|in \d+)$/);
    await page.context().close();
  },

  async "a review moves nothing, keeps its parts and what was better in view, and says each thing once"() {
    for (const [width, height] of [[390, 844], [1280, 720]]) {
      const page = await open({ width, height, touch: width < 400 });
      await loadPdn(page, LEVEL_GAME);
      await study(page, "review");
      const places = () => page.$$eval(".tabs, .review .row, .moves-box, .moves", (all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      const before = await places(), columns = () => page.$eval(".moves", (list) => getComputedStyle(list).gridTemplateColumns), columned = await columns();
      await press(page, "Analyse game");
      assert.deepEqual(await places(), before, `the start of an analysis at ${width}`);
      await reviewed(page);
      assert.deepEqual(await places(), before, `the end of an analysis at ${width}`);
      assert.equal(await columns(), columned);
      const chart = await page.$eval(".chart-box", (box) => box.clientHeight);
      assert(chart >= 60, `a chart of ${chart} pixels at ${width}`);
      assert(await page.locator(".dots i").count() > 8, "many mistakes");
      const [rows, swing] = await page.evaluate(() => {
        const [move, chip] = [".moves > .move", ".mistakes li"].map((one) => document.querySelector(one)), { left, right, top, bottom } = chip.getBoundingClientRect();
        const isWhole = [[left + 2, top + 2], [right - 2, bottom - 2]].every(([x, y]) => chip.contains(document.elementFromPoint(x, y)));
        return [move.parentElement.clientHeight / move.offsetHeight, isWhole && chip.textContent];
      });
      assert(rows >= 5, `${rows} rows of moves at ${width}`);
      assert.match(swing, /^\d+[.…] \d+-\d+[?!]+[+−]?\d\.\d\d → [+−]?\d\.\d\d/, `a chip with its swing at ${width}`);
      for (let step = 0; step < 6; step++) {
        if (step) await press(page, "Next mistake");
        await pause(150);
        const { hidden, rows, sentences } = await page.evaluate(() => {
          const inView = (element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return [top + 2, (top + bottom) / 2, bottom - 2].every((y) => element.contains(document.elementFromPoint((left + right) / 2, y)));
          };
          const shown = [...document.querySelectorAll(".chart-box, .sums strong, .review .row button, .moves [aria-current], .moves [aria-current] + .comment, .moves [aria-current] + .comment + .variation > .ply:first-child")].filter((one) => one.checkVisibility());
          return {
            hidden: shown.filter((one) => !inView(one)).map((one) => one.outerHTML.slice(0, 80)),
            rows: [inView, () => true].map((isCounted) => new Set([...document.querySelectorAll(".moves [aria-current] + .comment + .variation > .ply")].filter(isCounted).map((one) => one.offsetTop)).size),
            sentences: [...document.querySelectorAll("main :not(.mistakes *)")].filter((one) => !one.childElementCount && /^(Blunder|Mistake|Inaccuracy): /.test(one.textContent) && one.checkVisibility() && inView(one)).map((one) => one.textContent),
          };
        });
        assert.deepEqual(hidden, [], `out of view after ${step} steps at ${width}`);
        // A line may be short.
        if (step && width < 800) assert(rows[0] >= Math.min(rows[1], 2), "rows of a better line on a phone");
        assert((sentences.length > 0 || !step) && new Set(sentences).size === sentences.length, `${sentences.join("; ")} at ${width}`);
        assert.equal(await page.$eval(".scroller", ({ scrollTop }) => scrollTop), 0);
      }
      if (width > 800) assert(await page.$eval(".moves", (list) => list.clientHeight) >= 200, "the moves of a review");
      else {
        // The engine's line moves no control, at a mistake or elsewhere.
        await press(page, "Engine");
        await until("the engine", async () => /^depth/.test(await page.textContent(".facts")));
        const rowAt = await page.locator(".review .row").boundingBox();
        for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]) {
          await page.keyboard.press(key);
          await pause(300);
          assert.deepEqual(await page.locator(".review .row").boundingBox(), rowAt, "the buttons of a review");
        }
        await press(page, "Engine");
        await page.setViewportSize({ width: 375, height: 667 });
        const [lines, bottom] = await page.evaluate(() => {
          const range = document.createRange();
          range.selectNodeContents([...document.querySelectorAll(".review button")].find((one) => /Retry/.test(one.textContent)));
          document.querySelector(".scroller").scrollTop = 1e6;
          return [range.getClientRects().length, document.querySelector(".moves [aria-current] + .comment").getBoundingClientRect().bottom - document.querySelector(".steps").getBoundingClientRect().top];
        });
        assert(lines === 1 && bottom <= 0, `a button of ${lines} lines, and a sentence ${bottom} pixels below the moves of a low phone`);
      }
      await page.keyboard.press("End");
      await until("the end of the game", async () => /^Drawn/.test(await status(page)) && await page.isVisible("#status"));
      assert.deepEqual(await page.$$eval("button", (all) => all.filter((one) => one.checkVisibility() && /^Analyse /.test(one.textContent)).map((one) => one.textContent)), ["Analyse again"]);
      await page.context().close();
    }
  },

  async "the engine's score is shown in words and at the edge of the board"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 *");
    await page.keyboard.press("End");
    await analyse(page);
    await page.waitForSelector(".lines li");
    await until("the words", async () => /^(About equal|(Black|White) (is slightly better|is better|is likely to win|is winning))$/.test(await page.textContent(".verdict")));
    const edge = await page.$eval(".eval-bar", (bar) => Number.parseFloat(bar.style.getPropertyValue("--white")));
    assert(edge > 0 && edge < 100, `${edge}% at the edge of the board`);
    await accessible(page, "an engine's score");
    await page.setViewportSize({ width: 390, height: 844 });
    const [part, whole] = await page.$eval(".eval-bar", (bar) => [bar.firstChild.clientWidth, bar.clientWidth]);
    assert(part > 0 && part < whole, `White's part of the bar on a phone: ${part} of ${whole}`);
    await page.context().close();
  },

  async "a review marks mistakes and shows what is better"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 {oh} 24x15 5. 10x19 23x16 *");
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    assert(await page.$eval(".score-chart .score", (line) => line.points.length) > 8, "scores of all moves");
    // The answers are not shown before they are asked for.
    assert.equal(await current(page), "");
    await press(page, "Next mistake");
    await until("the first mistake", async () => /^16-19\?/.test(await current(page)));
    assert(await page.isVisible(buttonNamed("Retry 4. 16-19")), "the mistake on the board");
    assert.match(await page.textContent(".mistakes [aria-current] button"), /^4\. 16-19\?/);
    assert(await page.isVisible(".mistakes [aria-current] button"), "a list of mistakes");
    const comment = () => page.textContent(".moves [aria-current] + .comment"), arrows = () => page.locator(".over polygon.arrow").count();
    await until("its comment", async () => /^(Blunder: this loses, \d+-\d+ draws|Mistake: \d+-\d+ is better); oh$/.test(await comment()));
    assert.equal(await page.locator(".over polygon.better").count(), 1, "an arrow for what was better");
    // The engine's arrows would be those of the other side.
    await press(page, "Engine");
    await page.waitForSelector(".lines li");
    assert.equal(await arrows(), 1, "arrows of two positions");
    await press(page, "Engine");
    assert.equal(await page.locator(".must:visible").count(), 0, "White must capture");
    // On a phone too, the review has the moves, and the better ones can be tapped.
    await page.setViewportSize({ width: 390, height: 844 });
    const graph = () => page.evaluate(() => [document.querySelector(".score-chart .score").points.length, document.querySelectorAll(".dots i").length, document.querySelector(".sums").textContent, document.querySelector(".chart-slider").value].join());
    const ofGame = async (ply) => (await graph()).replace(/\d+$/, ply), whole = await ofGame(6);
    const [better, answer] = await page.$$eval(".variation .move", (all) => all.map(({ textContent }) => textContent));
    await page.click(".variation .move >> nth=1");
    await until("a better move on the board", async () => await current(page) === answer);
    assert.equal(await graph(), whole, "the graph and the accuracy of the game, in a variation of several moves");
    assert(await page.isVisible(buttonNamed("Retry 4. 16-19")), "the mistake that the variation replaces");
    await page.click(".variation .move >> nth=0");
    await until("the better move", async () => await current(page) === better);
    await page.keyboard.press("ArrowLeft");
    await until("an arrow for the better move", async () => await arrows() === 1);
    assert.match(await status(page), /^Black to move\. (About equal|\w+ (is slightly better|is better)) \([+−]?\d\.\d\d\)$/, "the review's score on a phone");
    assert(await page.isVisible(buttonNamed("Retry 4. 16-19")), "the mistake after the board");
    await press(page, "Next mistake");
    await until("the mistake", async () => /^16-19\?/.test(await current(page)));
    const first = await current(page),
      isLast = async () => !/primary/.test(await page.getAttribute(buttonNamed("Next mistake"), "class"));
    for (let step = 0; step < 9 && !await isLast(); step++) {
      await press(page, "Next mistake");
      await pause(300);
    }
    assert(await isLast(), "no mistake is left");
    // After the last mistake comes the first.
    if (await current(page) !== first) await press(page, "Next mistake");
    await until("the first mistake", async () => await current(page) === first);
    await study(page);
    const inList = ([list, move]) => list.top <= move.top && move.bottom <= list.bottom;
    await until("the move in view", async () => inList(await page.$$eval(".moves, .moves [aria-current]", (all) => all.map((one) => one.getBoundingClientRect().toJSON()))));
    assert(await page.$eval(".moves > .move[data-note]", (move) => getComputedStyle(move, "::after").content !== "none"), "scores on a phone");
    // A wide page lists the mistakes.
    await page.setViewportSize({ width: 1600, height: 900 });
    await study(page, "review");
    await page.click(".mistakes button >> nth=0");
    await until("the first mistake again", async () => /^16-19\?/.test(await current(page)));
    assert.match(await page.textContent(".mistakes [aria-current]"), /^4\. 16-19\?+[+−]\d\.\d\d → .+(Blunder|Mistake): .*; oh$/);
    await page.setViewportSize({ width: 1280, height: 900 });
    assert(await page.$$eval(".variation .move", (all) => all.length) > 3, "a better line");
    await study(page);
    await press(page, "Undo");
    await until("the game as it was", async () => !(await moves(page)).some((move) => move.includes("?")) && !await page.$(".variation"));
    await page.context().close();
  },

  async "a second pass settles the marks of a review, which are exported and read again"() {
    const page = await open();
    // Few positions, since each is searched deeply.
    await loadPdn(page, '[FEN "B:W18,21,23,24,25,26,27,28,30,31,32:B1,2,3,4,5,6,7,8,9,10,16"]\n[SetUp "1"]\n\n1. 16-19 24x15 *');
    await study(page, "review");
    await page.$eval("progress", (bar) => {
      window.values = [];
      new MutationObserver(() => window.values.push(bar.value)).observe(bar, { attributes: true, attributeFilter: ["value"] });
    });
    await press(page, "Analyse game");
    await until("a deeper pass", async () => /^Checking: \d+%$/.test(await page.textContent(".overview > .soft")), 60000);
    // What may change looks different from what is settled.
    const looks = () => page.$$eval(":is(.moves, .over, .dots) .by-review", (all) => String([...new Set(all.map((one) => getComputedStyle(one).opacity))]));
    assert.equal(await looks(), "0.5", "marks that are not checked");
    const look = () => page.$eval(".moves > .comment.by-review:not(.checked)", (comment) => getComputedStyle(comment, "::after").content);
    assert.match(await look(), /first look/);
    assert.match(await page.textContent(".mistakes li"), / \(first look\)$/);
    assert(!await page.isVisible(".review button:has-text('Retry')"), "a mistake that may not be one is trained");
    await until("the end", () => page.isVisible(buttonNamed("Analyse again")), 120000);
    assert.match(await said(page), /^Analysed: \d moves? to look at$/);
    assert.equal(await looks(), "1", "marks that are checked");
    assert(await page.isVisible(".review button:has-text('Retry')"), "a mistake to train");
    assert.doesNotMatch(await page.textContent(".mistakes"), /first look/);
    const values = await page.evaluate(() => window.values);
    assert(values.length > 4 && String(values) === String(values.toSorted((a, b) => a - b)), `a bar at ${values}`);
    const words = () => page.$$eval(".moves > .comment", (all) => all.map(({ textContent }) => textContent)), found = await words();
    assert(found.length >= 1 && found.every((words) => /^(Blunder: this (loses|only draws),|(Mistake|Inaccuracy):) \d+[-x]\d+/.test(words)), JSON.stringify(found));
    const pdn = await copyPdn(page);
    assert.match(pdn, isStatic ? /\[Analysis "nodes=1000000"\]/ : /\[Analysis "nodes=4000000"\]/);
    assert.match(pdn, /16-19 \$\d \{score=-\d+ depth=\d+; \w/);
    const marks = await moves(page);
    await loadPdn(page, pdn);
    await until("the same review", async () => String(await moves(page)) === String(marks) && String(await words()) === String(found));
    assert(await page.$eval(".moves > .move[data-note]", ({ dataset }) => /^[+−]?\d\.\d\d$/.test(dataset.note)), "scores");
    await page.context().close();
  },

  async "a review says in words that a move loses"() {
    const page = await open();
    await loadPdn(page, "1. 9-13 21-17 0-1");
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page, ".chart-box:not([hidden])");
    // It was lost in a position that is not lost.
    await until("the result", async () => await page.textContent(".overview > .soft") === "No mistakes found.");
    assert(!await page.isVisible(".sums"), "an accuracy of moves of the ballot");
    await loadPdn(page, LOSING_GAME);
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    await until("the comparison", async () => /^Blunder: this loses, 19-15/.test(await page.textContent(".moves .comment")));
    // A game that was lost without a losing move names the move from which it slid.
    await loadPdn(page, "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 25-22 4. 9-13 17-14 5. 10x17 21x14 6. 15-18 0-1");
    await until("the game that slid", async () => (await moves(page)).at(-1) === "15-18");
    await study(page, "review");
    await page.evaluate(async () => {
      const { bundled: { "state.js": { state, update } } } = await import(document.querySelector("script[type=module]").src);
      state.game.tree.nodes.forEach((node, at) => Object.assign(node, { reviewed: true, score: { kind: "cp", value: [0, 20, 70, 40, 50, 90, 120, 150, 200, 240, 250, 260][at], side: "w" } }));
      update({ game: state.game });
    });
    await until("the move from which it slid", async () => await page.textContent(".overview > .soft") === "No single move lost it: the game slid from move 3.");
    await page.evaluate(async () => {
      const { bundled: { "state.js": { state, update } } } = await import(document.querySelector("script[type=module]").src);
      Object.assign(state.game.tree.node(5), { verdict: 6, words: "inaccuracy: 8-12 is better" });
      update({ game: state.game });
    });
    await until("its mark", async () => await page.textContent(".mistakes .glyph") === "?!");
    assert.equal(await page.textContent(".overview > .soft"), "", "a move is marked that the sentence calls none");
    // A recorded result that the databases refute is called so.
    await loadPdn(page, '[FEN "B:W32:BK22,K23"]\n\n1. 22-26 0-1');
    await until("the ending", async () => String(await moves(page)) === "22-26");
    await page.keyboard.press("End");
    await until("the doubt", async () => await status(page) === "Recorded as won by White, but Black wins at the end: check Tags.");
    await page.keyboard.press("Home");
    await until("the start", async () => await status(page) === "Black to move");
    // The last position is not one that is won in a number of moves.
    await loadPdn(page, '[FEN "B:W15,25:B11"]\n\n1. 11x18 25-22 2. 18x25 1-0');
    await study(page, "review");
    await press(page, "Analyse game");
    await until("the review", () => page.isVisible(buttonNamed("Analyse again")));
    await page.keyboard.press("End");
    await until("the end", async () => await status(page) === "Black wins: White has lost all its pieces.");
    await until("its verdict", async () => await page.textContent(".verdict") === "Game over");
    assert(!await page.isVisible(".score") && !/\d/.test(await page.getAttribute(".moves > [aria-current]", "data-note")), "a score after the end");
    await page.context().close();
  },

  async "tabs leave the arrow keys to the moves, and clocks are those of the move shown"() {
    const persons = { b: { kind: "person" }, w: { kind: "person" } };
    const page = await open({ script: stored({ "kelso.settings": { players: persons, pace: { kind: "clock", base: 300000, increment: 60000 } } }) });
    // A side's clock starts with its first move, so the increment comes with its second one.
    await enter(page, "11-15", "22-18", "15x22", "25x18");
    for (const tab of ["explorer", "review"]) {
      await study(page, tab);
      await page.keyboard.press("Home");
      await until("the start", async () => !await current(page));
      await until("the clocks at the start", async () => String(await page.$$eval(".player-clock", (clocks) => clocks.map((clock) => clock.textContent))) === "5:00,5:00");
      for (const move of ["11-15", "22-18", "15x22"]) {
        await page.keyboard.press("ArrowRight");
        await until(move, async () => await current(page) === move);
      }
      await until("the clocks after it", async () => /^5:00,5:[45]\d$/.test(String(await page.$$eval(".player-clock", (clocks) => clocks.map((clock) => clock.textContent)))));
      assert.equal(await page.getAttribute(`#tab-${tab}`, "aria-selected"), "true");
      assert.equal(await page.$(".modes a:focus, [role=tab]:focus"), null);
    }
    await loadPdn(page, "1. 11-15 23-19 *");
    await until("whose turn it is", async () => /^Black to move/.test(await status(page)));
    await page.context().close();
  },

  async "a player of random moves is neither accurate nor without blunders"() {
    const page = await open();
    await loadPdn(page, RANDOM_GAME);
    await study(page, "review");
    await press(page, "Analyse game");
    await reviewed(page);
    const [black, white] = await page.$$eval(".sums p", (sides) => sides.map((side) => side.textContent.match(/\d+/g).map(Number)));
    assert(black[0] < 75 && white[0] > black[0] + 10, `accuracies ${black[0]} and ${white[0]}`);
    assert.match(await page.getAttribute(".sums .glyph", "aria-label"), /^\d+ blunders?$/);
    assert(black[1] >= 1, `${black[1]} blunders`);
    await page.context().close();
  },

  async "a game that is opened and a position that was set up begin with the moves"() {
    const page = await open({ width: 390, height: 844 });
    // The game of Play is seen from the other side.
    await page.keyboard.press("f");
    for (const tab of ["explorer", "review"]) {
      await study(page, tab);
      if (tab === "explorer") {
        await loadPdn(page, LONG_GAME);
        assert.match(await page.getAttribute(".cells button", "aria-label"), /^32,/, "the view of another game");
      }
      else {
        await press(page, "Set up");
        await press(page, "Study it");
        await page.waitForSelector("dialog", { state: "detached" });
      }
      await until(`the moves after ${tab}`, async () => await page.getAttribute("#tab-moves", "aria-selected") === "true");
    }
    await page.context().close();
  },

  async "the moves of a study follow the analysis, and the opening stays"() {
    const page = await open();
    await loadPdn(page, RANDOM_GAME.replace(/[1-9]\d*[-x][1-9]\d*/g, "$& $4"));
    // The lines of an analysis take room from the moves.
    await page.keyboard.press("End");
    await analyse(page);
    await pause(300);
    assert(await page.$$eval(".moves, .moves [aria-current]", ([list, move]) => move.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom), "the last move is below its list");
    await analyse(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await study(page);
    await page.keyboard.press("Home");
    await until("the opening to which the game leads", async () => /ballot \d+\)$/.test(await page.textContent(".study-panel .opening")));
    await page.keyboard.press("End");
    await until("the whole name of the opening", () => page.$eval(".study-panel .opening", (name) => /ballot \d+\)$/.test(name.textContent) && name.checkVisibility() && name.scrollWidth <= name.clientWidth));
    await until("the result below the opening", () => page.$$eval(".study-panel :is(.opening, .moves, .result)", ([opening, list, result]) =>
      opening.textContent && result.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom - 12));
    await page.context().close();
  },

  async "a review shows its progress, and cancelling it stops the work"() {
    // Requests beyond the limit are refused, which the browser logs.
    const page = await open({ quiet: true });
    await loadPdn(page, LONG_GAME);
    await study(page, "review");
    await press(page, "Analyse game");
    await until("progress", () => page.$eval("progress", ({ value, max, hidden }) => !hidden && value > 0 && max === 1));
    const workers = page.workers().length;
    await press(page, "Stop");
    await until("the button", () => page.isVisible(buttonNamed("Analyse game")));
    if (isStatic) await until("the end of its worker", () => page.workers().length === workers - 1);
    // The server runs at most four reviews. When they have ended, four can run again. Without a server, the next one runs to its end.
    await until("other reviews", () => page.evaluate(async ([count, nodes]) => {
      const { bundled: { "transport.js": { review } } } = await import(document.querySelector("script[type=module]").src);
      const stop = new AbortController();
      let passes = 0;
      const received = (event) => {
        passes += Number(event.moves?.length === 2 && event.nodes === nodes);
        if (passes === count) stop.abort();
      };
      await Promise.all(Array.from({ length: count }, () => review("1. 11-15 22-18 *", { after: 0, received, signal: stop.signal }).catch(() => {})));
      return stop.signal.aborted;
    }, isStatic ? [1, 1e6] : [4, 50000]));
    await page.context().close();
  },

  async "arrows stay with their move, in PDN and in a link with variations"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 {first} 23-19 (1... 22-18 {[%circles 14] aside}) 2. 8-11 *");
    await page.keyboard.press("ArrowRight");
    await until("the first move", async () => await current(page) === "11-15");
    const draw = async (from, to) => {
      await page.mouse.move(...await center(page, from));
      await page.mouse.down({ button: "right" });
      await page.mouse.move(...await center(page, to));
      await page.mouse.up({ button: "right" });
    };
    await draw(18, 15);
    await draw(22, 22);
    const drawn = () => page.locator(".over .sketch").count();
    assert.equal(await drawn(), 2);
    await page.keyboard.press("ArrowRight");
    await until("the next move", async () => await current(page) === "23-19" && await drawn() === 0);
    await page.keyboard.press("ArrowLeft");
    await until("the arrows", async () => await drawn() === 2);
    assert.equal((await copyPdn(page)).split("\n\n")[1].replaceAll("\n", " ").trim(), "1. 11-15 {[%arrows 18-15] [%circles 22] first} 1... 23-19 (1... 22-18 {[%circles 14] aside}) 2. 8-11 *");
    assert.equal(await page.textContent(".moves .comment"), "first");
    const link = await copied(page, "Copy link");
    assert.match(link, /#game=[\w-]+&moves=11-15$/);
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await until("the game", async () => String(await moves(other)) === "11-15,23-19,22-18,8-11" && await current(other) === "11-15");
    assert.equal(await other.locator(".over .sketch").count(), 2);
    await other.click(".variation .move");
    await until("the circle", async () => await current(other) === "22-18" && await other.locator(".over circle.sketch").count() === 1);
    await other.goto("about:blank");
    await other.goto(`${page.url().split("#")[0]}#game=nonsense`);
    await until("the reason", async () => /Cannot open this link: part of the address is missing or damaged/.test(await other.textContent(".notice").catch(() => "")));
    await other.context().close();
    await page.context().close();
  },

  async "a game is printed with diagrams"() {
    const page = await open({ script: "window.print = () => { window.printed = true; };" });
    await loadPdn(page, "[Black \"Ann\"]\n[White \"Bob\"]\n\n1. 11-15 23-19 {a note} 2. 8-11 22-17 $2 3. 11-16 *");
    await openExports(page);
    await press(page, "Print");
    await until("the sheet", () => page.evaluate(() => window.printed === true));
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".sheet figure").count(), 3);
    assert(await page.isVisible(".sheet") && !await page.isVisible("#page"));
    assert.match(await page.textContent(".sheet"), /Ann – Bob.*11-15.*a note/s);
    await page.context().close();
  },

  async "a position can be played out against a level"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 22-18 *");
    await page.keyboard.press("ArrowRight");
    await until("the first move", async () => await current(page) === "11-15");
    await press(page, "Play it out");
    assert.equal(await page.$eval(labelled("Opening"), (list) => list.selectedOptions[0].text), "Current position and moves");
    await more(page);
    await page.selectOption(labelled("Engine's thinking"), "depth");
    await page.fill("dialog input[type=number]", "2");
    await press(page, "Start game");
    await until("the position", async () => /White to move/.test(await status(page)) && String(await moves(page)) === "11-15,22-18");
    await enter(page, "23-19");
    await until("the answer of the level", async () => (await moves(page)).length >= 4);
    assert.match(await page.textContent("main"), /Black: Kelso, level 3/);
    await page.context().close();
  },

  async "a position that is set up is turned and exchanged, and a faulty FEN empties nothing"() {
    const page = await open();
    await mode(page, "Study");
    await press(page, "Set up");
    const field = "dialog textarea", fen = () => page.inputValue(field);
    await page.fill(field, "W:W18,K30:B7");
    await until("a legal position", async () => /can be played/.test(await page.textContent("dialog")));
    for (const [name, expected] of [["Rotate", "W:WK3,15:B26"], ["Mirror", "W:WK2,14:B27"], ["Exchange colours", "B:W6:B19,K31"]]) {
      await press(page, name);
      assert.equal(await fen(), expected, name);
    }
    await press(page, "Clear");
    await page.click("dialog button:text-is('Undo')");
    assert.equal(await fen(), "B:W6:B19,K31");
    await page.fill(field, "W:W18,xx:B1");
    await until("the fault", async () => /"xx" at character 7/.test(await page.textContent("dialog")));
    await press(page, "Exchange colours");
    assert.equal(await fen(), "W:WK2,14:B27");
    await page.context().close();
  },

  async "a link shows its position"() {
    const page = await open();
    await newGame(page, {});
    await enter(page, "11-15", "23-19");
    const link = await copied(page, "Copy link");
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await until("the moves", async () => String(await moves(other)) === "11-15,23-19");
    // The address stays, also after a reload, which keeps what was changed.
    assert.match(await other.evaluate(() => location.hash), /moves=11-15,23-19/);
    await enter(other, "8-11");
    await other.reload();
    await until("the moves", async () => String(await moves(other)) === "11-15,23-19,8-11");
    await other.goto(`${page.url().split("#")[0]}#fen=W:WK30:B12`);
    await until("the position", async () => await pieces(other) === "12, black man;30, white king");
    await other.goto(`${page.url().split("#")[0]}#moves=11-15,1-32`);
    await until("the reason", async () => /Cannot open this link.*1-32/.test(await other.textContent(".notice").catch(() => "")));
    await other.context().close();
    const third = await (await browser.newContext()).newPage();
    await third.goto(`${page.url().split("#")[0]}#moves=11-15,1-32`);
    await until("the reason", async () => /Cannot open this link.*1-32/.test(await third.textContent(".notice").catch(() => "")));
    await third.context().close();
    await page.context().close();
  },
};
