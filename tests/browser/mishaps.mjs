// Regressions: each of these checks has failed once.

import { strict as assert } from "node:assert";
import { COLOURS, accessible, analyse, analysisOptions, annotate, buttonNamed, cell, center, copyPdn, current, enter, faults, isStatic, labelled, loadPdn, mode, movePiece, moves, newGame, open, pause, press, ready, restart, reviewed, server, status, stored, study, threads, twice, until } from "./harness.mjs";

const GAME = "1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 0-1";
const PERSON = { kind: "person" };

/** Chooses a mark for the move on the board. */
const markWith = (page, id) => page.selectOption("label:has(span:text-is('Mark')) select", id);

export const mishaps = {
  async "the arrow keys step after a move with the mouse"() {
    const page = await open();
    await newGame(page, {});
    for (const square of [11, 15]) await page.mouse.click(...await center(page, square));
    await until("the move", async () => await current(page) === "11-15");
    await page.keyboard.press("ArrowLeft");
    await until("the start", async () => await current(page) === "");
    await page.keyboard.press("ArrowRight");
    await until("the move", async () => await current(page) === "11-15");
    await page.context().close();
  },

  async "steps do not break a review"() {
    const page = await open();
    await loadPdn(page, GAME);
    await study(page, "review");
    await press(page, "Analyse game");
    for (let time = 0; time < 6; time++) {
      await page.keyboard.press("ArrowRight");
      await pause(40);
    }
    await reviewed(page);
    await page.context().close();
  },

  async "an engine that is no longer offered is named"() {
    const game = { tree: { start: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", nodes: [[-1, "", {}]] }, players: { b: { kind: "engine", engine: "gone" }, w: PERSON }, pace: { kind: "move", value: 1 }, tip: 0, when: 1 };
    const page = await open({ script: stored({ "kelso.game.a": game, "kelso.settings": { players: game.players } }), quiet: true });
    await until("the reason", async () => /gone.*not available on this server/.test(await page.textContent(".problem").catch(() => "")));
    await press(page, "Change players");
    await page.keyboard.press("Escape");
    await press(page, "New game");
    assert.equal(await page.$eval(labelled("Black (moves first)"), (list) => list.value), "person");
    await press(page, "Start game");
    await until("a game between persons", async () => /Black to move/.test(await status(page)));
    await page.context().close();
  },

  async "hovered controls have enough contrast"() {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open({ colorScheme });
      await loadPdn(page, GAME);
      await page.keyboard.press("ArrowRight");
      for (const what of [".moves [aria-current]", ".modes a >> nth=0", "#tab-explorer", ".steps button >> nth=2", "header .tools button >> nth=0"]) {
        await page.hover(what);
        await accessible(page, `${what} under the mouse in the ${colorScheme} theme`, COLOURS);
      }
      await page.context().close();
    }
  },

  async "a mark leaves the others, and a comment that is being typed survives a reload"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 $14 $1 23-19 *");
    await page.keyboard.press("ArrowRight");
    await until("the first move", async () => await current(page) === "11-15!");
    await study(page);
    await annotate(page);
    await markWith(page, "2");
    await until("the mark", async () => await current(page) === "11-15?");
    assert.match(await copyPdn(page), /11-15 \$2 \$14/);
    await press(page, "Delete move");
    await until("an empty game", async () => !(await moves(page)).length);
    await enter(page, "9-13");
    for (let time = 0; time < 3; time++) await press(page, "Undo");
    await until("the game as it was", async () => (await moves(page)).join(" ") === "11-15! 23-19");
    await page.fill("label:has(span:text-is('Comment')) textarea", "still being typed");
    await page.reload();
    await ready(page);
    assert.match(await copyPdn(page), /still being typed/);
    await page.context().close();
  },

  async "damaged stored values do not stop the page"() {
    const nonsense = { players: { b: 5 }, pace: "slow", puzzles: [], grade: 9, tab: {}, lines: "many", threads: -1, theme: 3, flipped: "yes" };
    for (const game of [{}, { tree: { start: "B", nodes: [[0, 1]] } }, { tree: 7, players: null }]) {
      const page = await open({ script: stored({ "kelso.game.a": game, "kelso.settings": nonsense }) });
      await until("word of it", async () => /damaged/.test(await page.textContent(".problem").catch(() => "")));
      await mode(page, "Puzzles");
      await page.waitForSelector("main.puzzles .movable");
      await mode(page, "Play");
      await page.context().close();
    }
  },

  async "take back stops at the ballot, and the wheel makes one step per notch"() {
    const page = await open();
    await newGame(page, { start: "three" });
    await until("the ballot", async () => (await moves(page)).length === 3);
    assert.equal(await page.getAttribute(":has(> .label:text-is('Take back'))", "aria-disabled"), "true");
    await page.mouse.move(...await center(page, 18));
    for (let event = 0; event < 24; event++) await page.mouse.wheel(0, -5);
    const at = () => page.$$eval(".moves .move", (all) => all.findIndex((move) => move.hasAttribute("aria-current")));
    await until("a step", async () => await at() === 1);
    await pause(200);
    assert.equal(await at(), 1, "one step for a swipe of one notch");
    assert.equal((await moves(page)).length, 3);
    await page.context().close();
  },

  async "moves after the end of a loaded game follow its result"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 22-18 2. 15x22 25x18 0-1");
    await page.keyboard.press("End");
    await enter(page, "12-16");
    await until("the result before the move", async () => /25x18.*0-1.*12-16$/s.test(await page.textContent(".moves")));
    await page.context().close();
  },

  async "the analysis of a study ends with it"() {
    const page = await open();
    await newGame(page, { white: "level:1" });
    await analyse(page);
    await page.waitForSelector(".over .arrow");
    await mode(page, "Play");
    await until("no arrow", async () => !await page.$(".over .arrow"));
    assert(await page.$eval(".eval-bar", (bar) => bar.hidden));
    await page.context().close();
  },

  async "Back closes a dialog before it leaves the mode"() {
    const page = await open();
    await mode(page, "Study");
    for (const name of ["Settings", "Set up"]) {
      await page.click(`button[aria-label="${name}"], button:has(> .label:text-is("${name}")):visible`);
      await page.waitForSelector("dialog[open]");
      await page.goBack();
      await page.waitForSelector("dialog", { state: "detached" });
      assert.equal(await page.evaluate(() => location.hash), "#study");
    }
    // After a dialog that is closed in another way, which may change the mode, Back leaves the mode.
    await page.click("button[aria-label=Settings]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await page.goBack();
    await page.waitForSelector("main.play");
    // Forward passes over the entry of a closed dialog, and Back leaves a mode that a button has entered.
    await mode(page, "Study");
    await page.click("button[aria-label=Settings]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await mode(page, "Puzzles");
    await page.waitForSelector("main.puzzles");
    for (const name of ["study", "play"]) {
      await page.goBack();
      await page.waitForSelector(`main.${name}`);
    }
    for (const name of ["study", "puzzles"]) {
      await page.goForward();
      await page.waitForSelector(`main.${name}`);
    }
    await page.waitForSelector(".movable");
    await press(page, "Analyse");
    await page.waitForSelector("main.study");
    await page.goBack();
    await page.waitForSelector("main.puzzles");
    await mode(page, "Study");
    await press(page, "Play it out");
    await press(page, "Start game");
    await page.waitForSelector("dialog", { state: "detached" });
    await until("the mode", async () => await page.evaluate(() => location.hash) === "#play" && await page.$("main.play"));
    await pause(300);
    assert(await page.$("main.play"));
    await page.context().close();
  },

  async "a game is printed by the browser's own command"() {
    const page = await open();
    await newGame(page, {});
    await enter(page, "11-15", "23-19");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert(await page.isVisible(".sheet") && !await page.isVisible("#page"));
    assert.match(await page.textContent(".sheet"), /11-15.*23-19/s);
    await page.context().close();
  },

  async "a notice leaves the status line in view"() {
    const page = await open({ script: "Storage.prototype.setItem = () => { throw new DOMException('', 'SecurityError'); };", quiet: true });
    await page.route("**/library", (route) => route.fulfill({ status: 507, body: "the disk is full" }));
    await enter(page, "11-15");
    await until("the notice", async () => /not saved: the disk is full/.test(await page.textContent(".notice").catch(() => "")));
    assert(await page.$eval("#status", (line) => {
      const { left, top, width, height } = line.getBoundingClientRect();
      return line.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }));
    await page.context().close();
  },

  async "a hint ends with its mode, and moves taken back are not part of a resigned game"() {
    const page = await open();
    await newGame(page, {});
    await press(page, "Hint");
    await until("the hint", async () => await page.$(".over .arrow"));
    await mode(page, "Study");
    await until("no arrow", async () => !await page.$(".over .arrow"));
    await mode(page, "Play");
    await enter(page, "11-15", "22-18");
    await press(page, "Take back");
    await until("the turn", async () => /White to move/.test(await status(page)));
    assert.equal(await page.locator(".move.undone").count(), 1);
    await twice(page, "Resign");
    await until("the end", async () => /resigned/.test(await status(page)));
    assert.match(await copyPdn(page), /\n1\. 11-15 1-0\n$/);
    await page.context().close();
  },

  async "two lines to the same square have two scores"() {
    const page = await open();
    await newGame(page, {});
    await analyse(page);
    await analysisOptions(page);
    await page.selectOption(".options label:has(span:text-is('Lines')) select", "5");
    await until("five labels", async () => await page.locator(".arrow-score").count() === 5);
    const places = await page.$$eval(".arrow-label", (all) => all.map((label) => `${label.getAttribute("x")},${label.getAttribute("y")}`));
    assert.equal(new Set(places).size, 5);
    await press(page, "Threat");
    await until("a pressed switch", async () => await page.getAttribute(".options button:text-is('Threat')", "aria-pressed") === "true");
    await page.context().close();
  },

  async "settings are kept, and the theme can be chosen"() {
    const page = await open({ height: 720 });
    await page.click("button[aria-label=Settings]");
    assert(await page.$eval(".dialog-content", (content) => content.scrollHeight <= content.clientHeight), "settings that do not fit");
    for (const [name, value] of [["Theme", "dark"], ["Animation", "none"]]) await page.selectOption(labelled(name), value);
    for (const name of ["Wood", "Plain"]) await page.click(`dialog .chips label:has-text("${name}")`);
    await page.uncheck("label:has-text('Keyboard shortcuts') input");
    // A number out of range becomes the nearest one that is allowed.
    await page.fill("dialog input[type=number] >> nth=0", "999");
    await page.press("dialog input[type=number] >> nth=0", "Enter");
    assert.equal(await page.inputValue("dialog input[type=number] >> nth=0"), await page.getAttribute("dialog input[type=number] >> nth=0", "max"));
    assert.match(await page.textContent("dialog .fault"), /^Threads must be between 1 and \d+\.$/);
    await accessible(page, "the settings in the dark theme");
    await press(page, "Done");
    await page.reload();
    await ready(page);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    assert((await page.$$(".board use[href='#plain-black-man']")).length === 12);
    const first = await page.getAttribute(".cells button", "aria-label");
    await page.keyboard.press("f");
    assert.equal(await page.getAttribute(".cells button", "aria-label"), first, "a shortcut that is off");
    await page.context().close();
  },

  async "an engine that is silent is named, in a game and in an analysis"() {
    const page = await open();
    const problem = (words) => until(words, async () => (await page.textContent(".problem").catch(() => "")).startsWith(words), 60000);
    await newGame(page, { black: "engine:deaf", pace: "move", number: 0.1 });
    await problem("deaf has not moved in time");
    await press(page, "Change players");
    await page.keyboard.press("Escape");
    await newGame(page, {});
    await mode(page, "Study");
    await analysisOptions(page);
    for (const name of ["deaf", "stuck"]) {
      await page.selectOption("label:has(span:text-is('Engine')) select", name);
      if (name === "deaf") await press(page, "Engine");
      await problem(`${name} is not responding`);
    }
    await press(page, "Analyse with Kelso");
    await page.waitForSelector(".lines li");
    assert.equal(await page.$(".problem"), null);
    await page.context().close();
  },

  async "a review leaves the user's marks"() {
    const page = await open();
    await loadPdn(page, GAME.replace("16-19", "16-19 $5"));
    await study(page, "review");
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
    await until("a position of the game", async () => await current(page) === "15x22");
    await press(page, "Analyse game");
    await reviewed(page);
    assert.match(await current(page), /^15x22/, "the place in the game");
    assert.match(await copyPdn(page), /16-19 \$5 \{/);
    await until("the blunder", async () => /Black.*\?\u20091.*White/.test(await page.textContent(".sums")));
    await page.context().close();
  },

  async "a draw and a resignation while a response is pending"() {
    const page = await open();
    await newGame(page, {});
    for (const name of ["Offer draw", "Resign"]) {
      const squares = name === "Resign" ? [22, 18] : [11, 15];
      await movePiece(page, squares[0]);
      await page.evaluate(([square, name]) => {
        document.querySelector(`[role=gridcell][aria-label^="${square},"]`).click();
        [...document.querySelectorAll(".actions-row button")].find((button) => button.textContent === name).click();
      }, [squares[1], name]);
      await until("the move", async () => (await moves(page)).includes(squares.join("-")));
    }
    await until("Black's turn", async () => /Black to move/.test(await status(page)));
    await page.context().close();
  },

  async "with clocks, a move at an earlier position asks first, and the result covers nothing"() {
    const page = await open();
    await newGame(page, { pace: "clock" });
    await enter(page, "11-15", "22-18");
    await page.click(".moves .move >> nth=0");
    await until("the first move", async () => await current(page) === "11-15");
    await movePiece(page, 23, 19);
    await page.waitForSelector(".notice");
    await press(page, "Close");
    assert.deepEqual(await moves(page), ["11-15", "22-18"]);
    await page.waitForSelector(".notice", { state: "detached" });
    await movePiece(page, 23, 19);
    await page.click(".notice button:text-is('Take back')");
    await until("the other move", async () => await current(page) === "23-19");
    await twice(page, "Resign");
    await until("the end", async () => /resigned/.test(await status(page)));
    const covered = await page.evaluate(() => [...document.querySelectorAll(".cells button, .player-clock")].filter((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }).length);
    assert.equal(covered, 0, "squares and clocks that are covered");
    await page.context().close();
  },

  async "the focus stays where a button was disabled or hidden"() {
    const page = await open();
    await loadPdn(page, GAME);
    const focused = () => page.evaluate(() => document.activeElement.ariaLabel || document.activeElement.textContent);
    await page.focus("button[aria-label='Step forward']");
    for (let ply = 0; ply < 10; ply++) await page.keyboard.press("Enter");
    await until("the end", async () => await current(page) === "23x16");
    assert.equal(await focused(), "Step forward");
    await study(page, "review");
    await page.focus(buttonNamed("Analyse game"));
    await page.keyboard.press("Enter");
    assert.equal(await focused(), "Stop");
    await reviewed(page);
    assert.match(await focused(), /Analyse again|Next mistake/);
    await page.context().close();
  },

  async "puzzles that are not loaded yet have no buttons"() {
    // A service worker would answer from its cache without waiting.
    const page = await open({ script: "delete Navigator.prototype.serviceWorker" });
    let send;
    const wanted = new Promise((resolve) => { send = resolve; });
    await page.context().route("**/problems.txt", async (route) => {
      await wanted;
      await route.continue();
    });
    await mode(page, "Puzzles");
    await until("word of it", async () => /Loading/.test(await page.textContent(".words")));
    assert.equal(await page.locator(".puzzle-panel button:visible").count(), 0);
    for (const key of ["h", "a", "x", "f", "ArrowLeft", "End"]) await page.keyboard.press(key);
    await page.click(cell(22));
    send();
    await page.waitForSelector(".movable");
    await page.context().close();
  },

  async "clock times in a comment are shown with the move"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 {[%clk 0:04:58]} 22-18 {[%clk 0:05:01] bold} *");
    assert.deepEqual(await page.$$eval(".moves .move", (all) => all.map(({ dataset }) => dataset.note)), ["4:58", "5:01"]);
    assert.equal(await page.textContent(".moves .comment"), "bold");
    assert.match(await copyPdn(page), /22-18 \{\[%clk 0:05:01\] bold\}/);
    await page.context().close();
  },

  async "quick new games leave no engine behind"() {
    const page = await open();
    await newGame(page, {});
    const count = () => isStatic ? page.workers().length : threads();
    const before = count();
    for (let time = 0; time < 12; time++) {
      await page.evaluate(async () => {
        const { bundled } = await import(document.querySelector("script[type=module]").src);
        const { "games.js": games, "tree.js": { START, Tree } } = bundled;
        games.begin({ tree: new Tree(START), players: { b: { kind: "level", level: 2 }, w: { kind: "level", level: 2 } }, pace: { kind: "move", value: 5 } });
        await new Promise((resolve) => setTimeout(resolve, 30));
      });
    }
    await newGame(page, {});
    await until("the end of their engines", () => count() <= before);
    await page.context().close();
  },

  async "without a connection the explorer and the ballots say so"() {
    const page = await open();
    await loadPdn(page, GAME);
    await study(page, "explorer");
    await page.waitForSelector(".explorer tbody tr");
    const before = faults.length;
    server.stop();
    await until("the reason", async () => /Lost the connection to Kelso/.test(await page.textContent(".figures > p")));
    // Play waits for its game.
    await page.click(".modes a:text-is('Play')");
    await restart();
    await page.waitForSelector("main.play");
    server.stop();
    await until("word of it", async () => /^Lost the connection/.test(await status(page)));
    await press(page, "New game");
    await page.selectOption(labelled("Opening"), "three");
    await until("the reason", async () => /Not connected/.test(await page.textContent("dialog .fault:not(:empty)").catch(() => "")));
    await page.keyboard.press("Escape");
    await restart();
    await mode(page, "Study");
    await page.waitForSelector(".explorer tbody tr");
    // The browser itself logs that it could not connect.
    faults.splice(before);
    await page.context().close();
  },
};
