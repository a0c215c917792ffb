// Playing: by pointer and keyboard, against engines, with clocks.

import { readFileSync, readdirSync } from "node:fs";
import { strict as assert } from "node:assert";
import { anyMove, bothPlayers, buttonNamed, cell, center, copyPdn, current, drag, enter, fenIn, labelled, mode, movePiece, moves, named, newGame, open, otherClock, pause, pieces, press, ready, server, setUpFen, status, twice, until } from "./harness.mjs";

export const playing = {
  async "a whole game against level 1, by clicking"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    for (let move = 0; move < 250; move++) {
      await until("a turn", async () => (await named(page, ["must capture", "can move"])).length || /wins|Drawn/.test(await status(page)));
      if (!await anyMove(page, move * 7)) break;
    }
    assert.match(await status(page), /wins|Drawn/);
    for (const [width, height] of [[1280, 720], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await page.waitForSelector(".end-card");
      await until(`the result below the moves at ${width}`, () => page.$eval(".moves", (list) => list.scrollHeight > list.clientHeight && list.querySelector(".result").getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom));
    }
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
    await until("the last move of the engine", () => page.evaluate(() => window.heard.length === 8));
    const heard = (await page.evaluate(() => window.heard)).sort((a, b) => a - b);
    console.log(`figure: targets ${shown.toFixed(1)} ms after the click; the engine's move ${heard[heard.length >> 1].toFixed(1)} ms after bestmove (medians)`);
    await page.context().close();
  },

  async "a game with the keyboard only"() {
    const page = await open();
    const tabTo = async (what, test) => {
      for (let count = 0; !await page.evaluate(test); count++) {
        assert(count < 40, `${what} can't be reached by Tab`);
        await page.keyboard.press("Tab");
      }
    };
    await tabTo("New game", () => document.activeElement.textContent === "New game");
    await page.keyboard.press("Enter");
    await tabTo("More", () => document.activeElement.matches("dialog summary"));
    await page.keyboard.press("Enter");
    await tabTo("the choice of both players", () => document.activeElement.matches("dialog .check input"));
    await page.keyboard.press("Space");
    await tabTo("White's player", () => document.activeElement.matches("dialog select") && document.activeElement.closest("label").textContent.startsWith("White"));
    // Level 1 follows "person" and "full strength" in the list.
    for (const key of ["Home", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await tabTo("Start game", () => document.activeElement.textContent === "Start game");
    await page.keyboard.press("Enter");
    await until("a game against level 1", async () => /Kelso, level 1$/.test(await page.textContent(".player-name")));
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
    for (let move = 0; move < 15; move++) {
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
    await until("thirty plies", async () => (await moves(page)).length === 30 || /wins|Drawn/.test(await status(page)));
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
    // The arrow of a capture passes over its squares: 6, 15 and 22.
    await press(page, "Hint");
    await page.waitForSelector("polygon.arrow");
    const corners = (await page.getAttribute("polygon.arrow", "points")).split(" ").map((point) => point.split(",").map(Number));
    assert.equal(corners.length, 9, "an arrow that is not bent");
    await page.click(cell(6));
    assert.deepEqual((await named(page, ["move here"])).sort((a, b) => a - b), [13, 15]);
    await page.click(cell(15));
    await until("the capture", async () => (await moves(page))[0] === "6x15x22");
    // A capture with two ways: the piece stands where it has landed, and only what both ways take is marked.
    await setUpFen(page, "B:W15,22,23,32:B11,1");
    await page.click(cell(11));
    assert.deepEqual((await named(page, ["move here"])).sort((a, b) => a - b), [18, 25, 27]);
    const shown = () => page.evaluate(() => {
      const middle = (one) => [one.left + one.width / 2, one.top + one.height / 2].map(Math.round).join(),
        at = (wanted) => [...document.querySelectorAll(wanted)].map((one) => middle(one.getBoundingClientRect()));
      return { taken: at(".over .taken"), picked: at(".over .picked"), men: at(".board use[href$='black-man']") };
    });
    const placeOf = async (square) => (await center(square)).map(Math.round).join();
    assert.deepEqual((await shown()).taken, [await placeOf(15)]);
    await page.click(cell(18));
    assert.equal(await status(page), "Continue the capture to 25 or 27.");
    const { picked, men } = await shown();
    assert.deepEqual(picked, [await placeOf(18)]);
    assert(men.includes(picked[0]) && men.length === 2, "the man in the middle of its capture");
    await page.click(cell(18));
    await until("the man to return", async () => (await shown()).men.includes(await placeOf(11)) && /ringed/.test(await status(page)));
    await page.click(cell(11));
    await page.click(cell(27));
    await until("a capture by its last square", async () => /^11x(18x)?27$/.test((await moves(page))[0]));
    await setUpFen(page, "B:W9,10,17,18,32:B6,12");
    await page.fill(".move-input", "12-16");
    await page.press(".move-input", "Enter");
    await until("the reason", async () => /You must capture/.test(await status(page)));
    await page.fill(".move-input", "6x15");
    await page.press(".move-input", "Enter");
    await until("the whole capture", async () => (await moves(page))[0] === "6x15x22");
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

  async "a premove is played after the engine's move if it is legal then"() {
    const page = await open();
    // A position that the opening book does not have, so that the engine thinks.
    await setUpFen(page, "B:W21-25,27-32:B1-9,11,12");
    await newGame(page, { white: "engine:kelso", pace: "move", number: 60, start: "here" });
    await movePiece(page, 9, 13);
    await until("the engine's thinking", async () => (await named(page, ["can premove"])).length > 0);
    await drag(page, 11, 15);
    await page.waitForSelector("polygon.premove");
    await page.click(cell(18));
    assert.equal(await page.$("polygon.premove"), null, "a click elsewhere gives it up");
    // One of these moves is legal after any move of the engine.
    for (const square of [12, 16]) await page.click(cell(square));
    await page.waitForSelector("polygon.premove");
    await press(page, "Move now");
    await until("both moves", async () => (await moves(page)).length >= 3 || /You must capture|not legal/.test(await status(page)));
    if ((await moves(page)).length >= 3) assert.equal((await moves(page))[2], "12-16");
    assert.equal(await page.$("polygon.premove"), null);
    await page.click("button[aria-label=Settings]");
    await page.uncheck("label:has-text('Premoves') input");
    await page.keyboard.press("Escape");
    await until("the engine's thinking, or a turn", async () => (await named(page, ["can move", "must capture"])).length || /thinking/.test(await status(page)));
    assert.equal((await named(page, ["can premove"])).length, 0);
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
    await until("the position before", async () => (await page.textContent(".moves [aria-current]")) === "11-15" && (await named(page, ["can move"])).includes(22));
    await play(22, 18);
    await until("a variation", async () => /22-18\(1…23-18\)/.test((await list()).replaceAll(" ", "")));
    await page.click(".variation .move");
    await until("the variation", async () => (await page.textContent(".moves [aria-current]")) === "23-18");
    await page.keyboard.press("Home");
    await until("the start", async () => !await page.$(".moves [aria-current]"));
    await page.context().close();
  },

  async "a game goes on while an earlier position is shown, and one that only Kelso has begun is not kept"() {
    const page = await open();
    const games = () => page.evaluate(async () => (await (await fetch("library", { method: "POST", body: JSON.stringify({ do: "list", limit: 9 }) })).json()).count);
    for (let count = 0; count < 2; count++) {
      await newGame(page, { black: "level:1", pace: "clock" });
      await until("Kelso's move", async () => (await moves(page)).length === 1 && (await named(page, ["can move"])).length > 0);
    }
    assert.equal(await games(), 0);
    for (const count of [3, 5]) {
      await anyMove(page, 0);
      await until("Kelso's answer", async () => (await moves(page)).length === count && (await named(page, ["can move", "must capture"])).length > 0);
    }
    await until("the game", async () => await games() === 1);
    const played = await moves(page), place = () => page.$eval(buttonNamed("Resign"), (button) => button.getBoundingClientRect().x), resign = await place();
    await page.keyboard.press("Home");
    await until("word of the game", async () => await status(page) === "At the start; in the game, White is to move.");
    assert.match(await page.textContent(".player-bar.to-move"), /^White/, "the clock that runs");
    assert.equal(await place(), resign);
    // On a phone, nothing moves and no words wrap.
    await page.setViewportSize({ width: 390, height: 844 });
    const heights = () => page.$$eval("#status, .play-panel .moves, .actions-row", (all) => String(all.map((one) => Math.round(one.getBoundingClientRect().height)))),
      away = await heights();
    const lines = () => page.$$eval("#status, .actions-row button:not([hidden]) .label", (all) => all.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getClientRects().length;
    }));
    assert.deepEqual(new Set(await lines()), new Set([1]), "words in two lines");
    await page.keyboard.press("End");
    await until("the game", async () => await current(page) === played[4]);
    assert.equal(await heights(), away);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.keyboard.press("Home");
    await until("the start again", async () => /^At the start/.test(await status(page)));
    assert.equal(await page.getAttribute(buttonNamed("Take back"), "aria-disabled"), "true", "moves taken back from a position that is not shown");
    await press(page, "To the game");
    await until("the position of the game", async () => await current(page) === played[4]);
    await page.click(`.moves .move >> nth=1`);
    await until("word of the game", async () => /^At move 1; in the game/.test(await status(page)));
    await press(page, "Play here");
    assert(await page.isVisible(buttonNamed("Drop 2 moves?")), "moves dropped without a question");
    assert.deepEqual(await moves(page), played);
    await press(page, "Drop 2 moves?");
    await until("Kelso's move from there", async () => /^Black.*thinking|White to move: your turn|Your turn/.test(await status(page)));
    await page.context().close();
  },

  async "an engine that is killed is reported and restarted"() {
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
    assert.match(await page.textContent(".problem"), /^The engine other has exited: signal: 9 \(SIGKILL\)/);
    await press(page, "Restart");
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
    await page.selectOption(labelled("Opening"), "three");
    // A ballot is found by its number, its name or its moves.
    const ballot = "dialog label:has(span:text-is('Ballot')) input";
    const offered = () => page.$$eval("#ballots option", (all) => all.map(({ value }) => value));
    await until("the ballots", async () => (await offered()).length > 100);
    assert.match((await offered()).find((one) => one.startsWith("100. ")), /^100\. [A-Z][a-z]+.*: \d+-\d+ \d+-\d+ \d+-\d+$/);
    // The ballot that the words find is named below them.
    const found = () => page.textContent("dialog .contents [role=status]");
    await page.fill(ballot, "KELSO");
    assert.match(await found(), /^\d+\. .*Kelso.*: 10-15 \d+-\d+ \d+-\d+$/);
    await page.fill(ballot, "9-9");
    assert.equal(await found(), "No ballot has this number, name or moves.");
    await press(page, "Start game");
    assert.equal(await page.getAttribute(ballot, "aria-invalid"), "true");
    await page.fill(ballot, "");
    assert.equal(await page.getAttribute(ballot, "aria-invalid") + await found(), "null");
    // What is wrong elsewhere is not said any more after a change.
    await otherClock(page);
    await page.fill("dialog label:has(span:text-is('Minutes')) input", "0");
    await press(page, "Start game");
    await until("the reason", async () => /^Minutes must be/.test(await page.textContent("dialog .actions .fault")));
    await page.check("dialog .chips input[value='']");
    assert.equal(await page.textContent("dialog .actions .fault"), "");
    await page.selectOption(labelled("Opening"), "eleven");
    await until("the men that are missing", async () => /^1\. without 11 and 28: 8-11 24-19$/.test((await offered())[0]));
    await page.selectOption(labelled("Opening"), "three");
    await until("the ballots", async () => /^1\. [A-Z]/.test((await offered())[0]));
    await page.fill(ballot, "100");
    await bothPlayers(page);
    await page.selectOption(labelled("White"), "level:2");
    await page.selectOption(labelled("Engine's thinking"), "depth");
    await page.fill("dialog input[type=number]", "4");
    await press(page, "Start game");
    await until("the ballot and a move of the level", async () => (await moves(page)).length === 4);
    assert.match(await page.textContent(".player-bar.to-move, .player-bar"), /level 2|Black/);
    await newGame(page, { black: "level:1", white: "engine:kelso", pace: "move", number: 0.4, start: "start" });
    await until("moves of both", async () => (await moves(page)).length > 1);
    await press(page, "Pause");
    const paused = (await moves(page)).length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal((await moves(page)).length, paused, "engines that wait");
    await press(page, "Play on");
    await until("a move more", async () => (await moves(page)).length > paused);
    await newGame(page, { white: "engine:kelso", pace: "move", number: 20, start: "start" });
    await page.click(cell(11));
    await page.click(cell(15));
    await until("a move of the book, at once", async () => (await moves(page)).length === 2, 15000);
    await until("word of it", async () => /your turn\..* \d+-\d+ is from the opening book\.$/.test(await status(page)));
    await page.context().close();
  },

  async "players change in mid-game, openings have names, and sounds are off"() {
    const page = await open();
    await newGame(page, {});
    await enter(page, "11-15");
    await until("the first moves", async () => await page.textContent(".opening") === "Go as you please");
    await enter(page, "23-18", "8-11");
    await until("the name of the opening", async () => /Cross/.test(await page.textContent(".opening")));
    await page.click(".player-bar:has-text('White') button");
    await page.selectOption(labelled("White"), "level:1");
    await press(page, "Use");
    await until("a move of the engine", async () => (await moves(page)).length === 4);
    assert.match(await page.textContent("main"), /White: Kelso, level 1/);
    await page.click(".player-bar:has-text('White') button");
    await press(page, "Swap sides");
    await until("a move with the other colour", async () => (await moves(page)).length === 5);
    assert.match(await page.textContent("main"), /Black: Kelso, level 1/);
    const sound = "label:has-text('Sounds') input";
    await page.click("button[aria-label=Settings]");
    assert.equal(await page.isChecked(sound), false);
    await page.check(sound);
    await page.reload();
    await ready(page);
    await page.click("button[aria-label=Settings]");
    assert.equal(await page.isChecked(sound), true);
    await page.context().close();
  },

  async "a phone shows the level next to the clock, and a game without moves is not analysed"() {
    const page = await open({ width: 390, height: 844 });
    await newGame(page, { white: "level:10", pace: "clock" });
    assert(await page.$$eval(".player-name span", (names) => names.every((name) => name.scrollWidth <= name.clientWidth)), "a name that is cut");
    await twice(page, "Resign");
    await page.waitForSelector(".end-card");
    assert(!await page.isVisible(buttonNamed("Analyse game")));
    await press(page, "Export");
    assert.match(await page.textContent("dialog:last-of-type h2"), /^Export .+ – Kelso, level 10$/);
    await page.context().close();
  },

  async "two people have names, the board turns after each move, and a resignation is confirmed in place"() {
    const page = await open();
    await press(page, "New game");
    await page.check("dialog input[value=person]");
    assert(!await page.isVisible("dialog input[type=range]"), "the strength of a person");
    await page.fill("dialog [aria-label='Name of Black']", "Ann");
    await page.fill("dialog [aria-label='Name of White']", "Bob");
    await page.check("dialog .pair .check input");
    await press(page, "Start game");
    await until("Black at the bottom", async () => /White: Bob[^]*Black: Ann/.test(await page.textContent("main .table")));
    await enter(page, "11-15");
    await until("White at the bottom", async () => /Black: Ann[^]*White: Bob/.test(await page.textContent("main .table")));
    await press(page, "Resign");
    assert.equal(await page.locator("dialog").count(), 0);
    await movePiece(page, 22, 18);
    await until("the name of the button", () => page.isVisible(buttonNamed("Resign")));
    await twice(page, "Resign");
    await until("the end", async () => /White wins: Black resigned/.test(await status(page)));
    assert.match(await copyPdn(page), /\[Black "Ann"\]\n\[White "Bob"\]/);
    await page.context().close();
  },

  async "draws, resignation, hints and clocks"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    await press(page, "Hint");
    await until("a hint", async () => /^Hint: \d+-\d+$/.test(await status(page)));
    await page.fill(".move-input", "1-32");
    await page.press(".move-input", "Enter");
    await until("a refusal", async () => await page.getAttribute(".move-input", "aria-invalid") === "true");
    await press(page, "Hint");
    await until("a hint without a refusal", async () => /^Hint/.test(await status(page)) && await page.getAttribute(".move-input", "aria-invalid") === "false");
    assert.equal(await page.inputValue(".move-input"), "");
    await press(page, "Resign");
    assert(await page.isVisible(buttonNamed("Resign?")), "a question to the only person");
    await page.keyboard.press("Escape");
    assert(await page.isVisible(buttonNamed("Resign")), "a question after Escape");
    await press(page, "Resign");
    await twice(page, "Offer draw");
    await until("a refusal", async () => await status(page) === "Draw declined.");
    assert.match(await page.getAttribute("#status", "title"), /at most 16 pieces/);
    await setUpFen(page, "B:WK29,K30:BK1,K2");
    await twice(page, "Offer draw");
    await until("a draw that databases know", async () => /Drawn by agreement/.test(await status(page)));
    await newGame(page, {});
    await twice(page, "Resign");
    await until("the end", async () => /White wins: Black resigned/.test(await status(page)));
    await until("the end of the game", () => page.isHidden(buttonNamed("Resign")));
    await press(page, "New game");
    await otherClock(page);
    await page.fill("dialog label:has(span:text-is('Minutes')) input", "0");
    await press(page, "Start game");
    await until("a reason", async () => /Minutes must be between 0.1 and 600/.test(await page.textContent("dialog .fault")));
    await page.fill("dialog label:has(span:text-is('Minutes')) input", "5");
    await press(page, "Start game");
    // The first move of each side costs no time.
    await pause(1200);
    assert.equal(await page.textContent(".to-move .player-clock"), "5:00");
    await enter(page, "11-15", "22-18");
    await until("a clock", async () => /[45]:\d\d/.test(await page.textContent(".to-move .player-clock")) && await page.textContent(".to-move .player-clock") !== "5:00");
    const address = page.url();
    await page.goto("about:blank");
    await page.goto(address);
    await until("word of the pause", async () => /clocks were stopped while the page was closed/.test(await status(page)));
    await press(page, "New game");
    await otherClock(page);
    await page.fill("dialog label:has(span:text-is('Minutes')) input", "0.1");
    await press(page, "Start game");
    await enter(page, "11-15", "22-18");
    const isLost = async () => /White wins: Black ran out of time/.test(await status(page));
    await until("the end of the time", isLost);
    // Nothing has interrupted a game that has ended.
    await page.goto("about:blank");
    await page.goto(address);
    await until("the same end", isLost);
    await page.context().close();
  },

  async "an engine's illegal move is rejected, and the engine can be restarted"() {
    const page = await open();
    await newGame(page, { white: "engine:cheat" });
    await enter(page, "11-15").catch(() => {});
    await page.waitForSelector(".problem");
    assert.match(await page.textContent(".problem"), /cheat.*1-32/);
    assert.deepEqual(await moves(page), ["11-15"]);
    assert.match(await page.textContent(".player-bar.failed"), /cheat.*failed/);
    await press(page, "Restart");
    await page.waitForSelector(".problem");
    await newGame(page, {});
    assert.equal(await page.$(".problem"), null, "the problem of another game");
    await page.context().close();
  },

  async "a dropped piece stays, and a man is crowned when it arrives"() {
    const page = await open({ motion: "no-preference" });
    await newGame(page, {});
    await drag(page, 11, 15);
    const sliding = () => page.evaluate(() => document.getAnimations().filter((animation) => animation.effect.getKeyframes?.().some(({ translate }) => translate && translate !== "none")).length);
    assert.equal(await sliding(), 0, "the piece slides after it was dropped");
    await until("the move", async () => (await moves(page))[0] === "11-15");
    await setUpFen(page, "W:W6:B28");
    const kings = () => page.$$eval(".board use", (all) => all.filter((use) => use.getAttribute("href") === "#white-king").length);
    await page.evaluate(() => {
      window.crowns = [];
      new MutationObserver(() => window.crowns.push(document.querySelectorAll(".board use[href='#white-king']").length > 0 && document.getAnimations().some(({ playState, effect }) => playState === "running" && effect.getKeyframes?.().some(({ translate }) => translate)))).observe(document.querySelector(".board"), { subtree: true, childList: true, attributes: true });
    });
    await page.click(cell(6));
    await page.click(cell(1));
    await until("the crown", async () => await kings() === 1);
    assert(!(await page.evaluate(() => window.crowns)).includes(true), "a man wears its crown on the way");
    await page.context().close();
  },

  async "a capture can be dropped on any square of its path"() {
    const page = await open();
    await newGame(page, {});
    await setUpFen(page, "B:W6,15,24:B1,12");
    await drag(page, 1, 19);
    await until("the capture that passes over the square", async () => /^1x(10x19x)?28$/.test((await moves(page))[0]));
    await page.context().close();
  },

  async "no button moves unexpectedly"() {
    for (const [width, height] of [[1280, 800], [360, 740]]) {
      const page = await open({ width, height });
      // A position that the opening book does not have, so that the engine thinks.
      await setUpFen(page, "B:W21-25,27-32:B1-9,11,12");
      await newGame(page, { white: "engine:kelso", pace: "move", number: 1.5, start: "here" });
      await page.evaluate(() => scrollTo(0, 0));
      const places = () => page.$$eval("#page button:not(.move, .lines button, [role]), #page input, #page select, .cells", (all) => all.filter(({ offsetWidth }) => offsetWidth).map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return `${element.classList.contains("action") ? "action" : element.textContent || element.ariaLabel || element.className}: ${[x, y + scrollY, width, height].map(Math.round)}`;
      }));
      const before = await places();
      const same = async (when) => assert.deepEqual(await places(), before, `${when} at ${width}x${height}`);
      await page.click(cell(9));
      await page.click(cell(13));
      await until("the engine's thinking", async () => /thinking/.test(await status(page)));
      await same("while the engine thinks");
      await until("the engine's move", async () => (await moves(page)).length === 2);
      await same("after the engine's move");
      await twice(page, "Offer draw");
      await until("the refusal", async () => /declined/.test(await status(page)));
      await same("with a long message");
      await page.context().close();
    }
  },

  async "a position that was set up stays after Cancel, and a refused move goes with the next one"() {
    const page = await open();
    await mode(page, "Study");
    await press(page, "Set up");
    await page.fill("dialog textarea", "B:WK32:B1,2");
    await until("a legal position", async () => /can be played/.test(await page.textContent("dialog")));
    await press(page, "Play it");
    await page.waitForSelector("dialog input[type=range]");
    await press(page, "Cancel");
    await until("the position", async () => await fenIn(page).catch(() => "") === "B:WK32:B1,2");
    await press(page, "Cancel");
    await newGame(page, {});
    await page.fill(".move-input", "1-32");
    await page.press(".move-input", "Enter");
    await until("a refusal", async () => /1-32/.test(await status(page)));
    // The field is marked, and the next text replaces the refused one.
    const refused = () => page.getAttribute(".move-input:visible", "aria-invalid");
    assert.equal(await refused(), "true");
    assert.equal(await page.$eval(".move-input", (input) => input.selectionEnd - input.selectionStart), 4);
    await page.keyboard.type("1");
    assert.equal(`${await refused()} ${await page.inputValue(".move-input")}`, "false 1");
    await page.fill(".move-input", "1-32");
    await page.press(".move-input", "Enter");
    await movePiece(page, 11, 15);
    await until("an empty field", async () => !await page.inputValue(".move-input"));
    await page.context().close();
  },

  async "a game that has ended offers a rematch"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    await twice(page, "Resign");
    await until("the end", async () => /^White wins: Black resigned/.test(await status(page)));
    await press(page, "Rematch");
    await until("the engine's move with the other colour", async () => /Black: Kelso, level 1/.test(await page.textContent("main")) && (await moves(page)).length === 1);
    assert(await page.isHidden(buttonNamed("Rematch")));
    assert(await page.isDisabled(buttonNamed("Take back")), "no move of one's own to take back");
    await page.click(cell(1));
    await until("why nothing happens", async () => await status(page) === "That piece cannot move.");
    await newGame(page, {});
    await setUpFen(page, "B:W10:B6");
    await page.click(cell(6));
    await page.click(cell(15));
    await until("the end", async () => /Black wins: White has lost all its pieces/.test(await status(page)));
    await page.reload();
    await ready(page);
    assert(await page.isVisible(buttonNamed("Rematch")));
    await newGame(page, {});
    await enter(page, "11-15");
    await newGame(page, { white: "level:1", start: "continued" });
    await until("the answer of the new player", async () => (await moves(page)).length === 2 && (await moves(page))[0] === "11-15");
    await page.context().close();
  },
};
