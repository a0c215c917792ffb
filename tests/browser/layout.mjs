// Loading, layout and accessibility.

import { strict as assert } from "node:assert";
import { accessible, analyse, analysisOptions, annotate, browser, buttonNamed, center, ROWS, loadPdn, mode, movePiece, moves, newGame, open, pictures, pieces, press, processorTime, readPdn, serve, setUpFen, showSolution, study, twice, until } from "./harness.mjs";

export const layout = {
  async "the page loads soon, and is small"() {
    const times = { listening: [], board: [], moves: [], processor: [] };
    for (let time = 0; time < 5; time++) {
      // A browser that is already running, like a user's, and a page that it has never loaded.
      const tab = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
      const measured = await processorTime(tab);
      const began = performance.now();
      const other = await serve(0);
      times.listening.push(performance.now() - began);
      await tab.goto(other.url);
      await tab.waitForFunction(() => ["first-contentful-paint", "moves"].every((name) => performance.getEntriesByName(name).length));
      const [board, moves] = await tab.evaluate(() => ["first-contentful-paint", "moves"].map((name) => performance.getEntriesByName(name)[0].startTime));
      times.board.push(board);
      times.moves.push(moves);
      times.processor.push(1000 * await measured());
      await tab.context().close();
      other.child.removeAllListeners("exit");
      other.child.kill();
    }
    const median = (list) => Math.round(list.sort((a, b) => a - b)[list.length >> 1]);
    const page = await open();
    const sizes = await page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.encodedBodySize, performance.getEntriesByType("navigation")[0].encodedBodySize));
    assert(sizes <= 100_000, `${sizes} bytes`);
    assert(median(times.processor) <= 300, `${times.processor} ms of processor time`);
    console.log(`figure: page ${sizes} bytes compressed; it listens ${median(times.listening)} ms after its start; then the board is on the screen after ${median(times.board)} ms, and can be played on after ${median(times.moves)} ms, ${median(times.processor)} ms of processor time (medians)`);
    await page.context().close();
  },

  async "narrow and wide pages fit, and both themes have enough contrast"() {
    for (const [colorScheme, width, height] of [["light", 360, 740], ["dark", 1280, 860]]) {
      const page = await open({ width, height, colorScheme });
      await setUpFen(page, "W:W21,22,25,K13:B9,10,K30");
      await analyse(page);
      await page.waitForSelector(".lines li");
      const inside = async (what) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${what} is wider than ${width} pixels`);
      await inside("the page");
      const picture = async (name) => pictures && page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png`, fullPage: width < 500 });
      await picture("board");
      await accessible(page, "the board");
      await analyse(page);
      for (const tab of ["explorer", "review", "tags"]) {
        await study(page, tab);
        await inside(tab);
        await accessible(page, tab);
      }
      for (const name of ["Play", "Puzzles", "Library"]) {
        await mode(page, name);
        if (name === "Puzzles") await page.waitForSelector("main.puzzles .movable");
        await inside(name);
        await picture(name.toLowerCase());
        await accessible(page, name);
      }
      for (const name of ["New game", "Set up", "Import", "Settings"]) {
        await mode(page, { "Set up": "Study", Import: "Library" }[name] ?? "Play");
        await page.click(`${buttonNamed(name)}:visible, button[aria-label="${name}"]`);
        await page.waitForSelector("dialog[open]");
        await inside(name);
        await picture(name.split(" ")[0].toLowerCase());
        await accessible(page, name);
        await page.keyboard.press("Escape");
        await page.waitForSelector("dialog", { state: "detached" });
      }
      await page.context().close();
    }
  },

  async "the moves and the steps of a study are in view, however much the analysis shows"() {
    const page = await open();
    await loadPdn(page, "1. 11-15 23-19 2. 8-11 22-17 3. 4-8 17-13 *");
    await analyse(page);
    await annotate(page);
    await page.waitForSelector(".lines li");
    const covered = (wanted) => page.evaluate((wanted) => wanted.filter((name) => {
      const element = [...document.querySelectorAll(name)].find((one) => one.checkVisibility());
      if (!element) return true;
      const { left, top, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }), wanted);
    const wanted = [".steps button:first-child", ".steps button:last-child", ".edit .move-input", ".edit select", ".edit .field.grow :is(input, textarea)", ".moves .move", ...["Delete", "Undo"].map((name) => `.edit button[title^="${name}"]`)];
    const setLines = (count) => page.selectOption(".options label:has(span:text-is('Lines')) select", count);
    await analysisOptions(page);
    for (const lines of ["1", "3", "5"]) {
      await setLines(lines);
      for (const second of ["", "kelso"]) {
        await page.selectOption(".options label:has(span:text-is('Second engine')) select", second);
        for (const settings of [true, false]) {
          if (await page.isVisible(".options") !== settings) await analysisOptions(page);
          for (const [width, height] of [[1280, 720], [1280, 800], [1366, 650], [1366, 768], [1024, 768], [1920, 1080]]) {
            await page.setViewportSize({ width, height });
            const at = `${width}x${height}, ${lines} lines, second engine "${second}", settings ${settings}`;
            const line = lines === "1" && !second ? [".lines"] : [];
            // The panel follows a new size of the window at the next frame.
            await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
            assert.deepEqual(await covered([...wanted, ...line]), [], at);
            assert(await page.$eval(".moves", (moves) => moves.clientHeight >= (innerWidth > 1600 ? 200 : 80)), `moves at ${at}`);
          }
        }
        if (!await page.isVisible(".options")) await analysisOptions(page);
      }
    }
    await page.context().close();
  },

  async "the engine's switch is in view after a game, and switching it moves the tabs only by its lines"() {
    for (const [width, height] of [[390, 844], [1280, 720]]) {
      const page = await open({ width, height, touch: width < 400 });
      await newGame(page, {});
      await twice(page, "Resign");
      await mode(page, "Study");
      const seen = () => page.$eval(".analysis-head > button:last-child", (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return [top + 4, top + height - 4].every((y) => [left + 4, left + width - 4].every((x) => one.contains(document.elementFromPoint(x, y))));
      });
      assert(await seen(), `the switch at ${width}`);
      await loadPdn(page, "1. 11-15 22-18 *");
      await page.keyboard.press("End");
      await analysisOptions(page);
      await page.selectOption(".options select >> nth=0", "3");
      await analysisOptions(page);
      const lineTops = [];
      for (const tab of ["moves", "explorer", "review", "tags"]) {
        await study(page, tab);
        const hole = await page.evaluate(() => document.querySelector(".tabs").getBoundingClientRect().top - document.querySelector(".analysis-head").getBoundingClientRect().bottom);
        assert(hole < 4, `${hole} free pixels above the tabs without an engine`);
        const places = () => page.$$eval(".tabs, .analysis-head > button:last-child", (all) => all.map((one) => one.getBoundingClientRect().top));
        const before = await places();
        await press(page, "Engine");
        await page.waitForSelector(".lines li", { state: "attached" });
        const moved = (await places()).map((top, at) => Math.abs(top - before[at]));
        // The switch comes first on the page. Next to the board, the lines are between it and the tabs.
        const lines = width < 400 ? 0 : await page.$eval(".lines-box", (box) => box.offsetHeight);
        assert(moved[0] < 1 && Math.abs(moved[1] - lines) < 1, `${tab} at ${width}: moved by ${moved} pixels`);
        const isShown = await page.evaluate(() => {
          const { left, top, height } = document.querySelector(".line-move").getBoundingClientRect();
          return Boolean(document.elementFromPoint(left + 4, top + height / 2)?.closest(".lines"));
        });
        // On a phone, the other tabs take the room of the lines.
        assert.equal(isShown, width > 400 || tab === "moves", `the engine's line in ${tab} at ${width}`);
        if (isShown) lineTops.push(await page.$eval(".lines", (lines) => Math.round(lines.getBoundingClientRect().top)));
        if (width < 400) await until("the duty to capture", async () => /must capture/.test(await page.textContent(".facts")));
        else assert.match(await page.textContent("#status"), /^Black to move/);
        await press(page, "Engine");
      }
      assert(new Set(lineTops).size === 1, `lines at ${lineTops} of ${width}`);
      await page.context().close();
    }
  },

  async "what a user needs next is in view"() {
    for (const [width, height] of [[360, 640], [390, 844], [1280, 720], [1366, 650]]) {
      const page = await open({ width, height });
      const inView = (wanted) => page.$eval(wanted, (element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height - 2));
      });
      await newGame(page, {});
      // A game whose moves have been taken back has none to analyse.
      await movePiece(page, 11, 15);
      await press(page, "Take back");
      await press(page, "Hint");
      await page.waitForSelector("polygon.arrow");
      const stepsAt = () => page.$eval(".play-panel .steps", (steps) => steps.getBoundingClientRect().bottom), before = await stepsAt();
      await twice(page, "Resign");
      await page.waitForSelector(".end-card");
      assert.equal(await page.locator("polygon.arrow").count(), 0, "a hint after the game");
      assert.equal(await page.$$eval(".end-card .primary", (all) => String(all.filter((one) => one.checkVisibility()).map((one) => one.textContent))), "Rematch", "what to do after a game without moves");
      // The last button is for phones.
      assert(await inView(`.end-card .row button:nth-last-child(${width < 800 ? 1 : 2})`), `the end of a game at ${width}`);
      assert(before <= height && Math.abs(await stepsAt() - before) < 1, `steps at ${before} and then at ${await stepsAt()} of ${height}`);
      assert.equal(await page.locator(buttonNamed("New game")).count(), 1, "two ways to a new game");
      assert.match(await page.textContent(".end-card"), /^White winsBlack resigned\./);
      assert(!await page.isVisible("#status"), "the reason twice");
      assert(!await page.isVisible(".moves .empty"), "a game that has ended asks for a move");
      if (width < 390) {
        await page.context().close();
        continue;
      }
      await mode(page, "Study");
      await annotate(page);
      assert(await inView(".edit textarea"), `the comment at ${width}`);
      assert.equal(await page.$eval(".edit textarea", (area) => getComputedStyle(area).fontFamily), await page.$eval("body", (body) => getComputedStyle(body).fontFamily));
      await press(page, "Set up");
      await page.waitForSelector("dialog .state:not(:empty)");
      assert(await inView("dialog .state"), `whether a position can be played at ${width}`);
      assert(await inView("dialog .setup textarea"), `the FEN at ${width}`);
      assert(await inView("dialog .setup > .stack > p:last-child"), `the help at ${width}`);
      await page.keyboard.press("Escape");
      await readPdn(page, "[Black \"A long name of a player\"]\n[White \"Another long name of one\"]\n[Event \"An event with a long name in a long town\"]\n[Result \"1-0\"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n".repeat(2));
      await page.waitForSelector(`${ROWS}:has-text("A long name")`);
      assert(await inView(`${ROWS} button`), `the names at ${width}`);
      await accessible(page, `the list of games at ${width}`);
      await mode(page, "Puzzles");
      await showSolution(page);
      await page.waitForSelector(`main.puzzles button.likely:has-text("Next")`);
      assert(await inView(".puzzle-panel .place:last-child button"), `the next puzzle at ${width}`);
      assert(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), `the puzzle at ${width}`);
      await press(page, "Next");
      await page.selectOption(".puzzle-panel select", "kingHunt");
      await showSolution(page);
      await page.waitForSelector(".proof button");
      for (const wanted of [".puzzle-head .soft", ".proof"]) assert(await inView(wanted), `${wanted} at ${width}`);
      assert.deepEqual(await page.$$eval("main.puzzles .player-name", (names) => names.map((name) => name.textContent.replace(/^\w+: /, ""))), ["Kelso", "You"]);
      await page.context().close();
    }
  },

  async "a study on a phone shows many moves, the opening and the controls"() {
    const page = await open({ width: 390, height: 844, touch: true });
    await loadPdn(page, "1. 11-15 22-18 2. 15x22 25x18 3. 8-11 29-25 4. 11-16 18-14 5. 10x17 21x14 6. 9x18 23x14 7. 16-20 24-19 8. 4-8 26-22 9. 6-10 30-26 *");
    await study(page);
    for (let ply = 0; ply < 12; ply++) {
      await page.keyboard.press("ArrowRight");
      await until("the opening", () => page.$eval(".study-panel .opening", (name) => /^Single Corner/.test(name.textContent) && name.contains(document.elementFromPoint(60, name.getBoundingClientRect().top + 9))));
    }
    for (const [analysed, least] of [[false, 18], [true, 16]]) {
      if (analysed) await analyse(page);
      const [moves, hidden] = await page.evaluate(() => {
        const covered = (one) => {
          const { left, top, bottom, width } = one.getBoundingClientRect();
          return ![top + 2, bottom - 6].every((y) => one.contains(document.elementFromPoint(left + width / 2, y)));
        };
        const list = document.querySelector(".moves").getBoundingClientRect();
        const shown = [...document.querySelectorAll(".moves .move")].filter((one) => one.getBoundingClientRect().bottom <= list.bottom && !covered(one));
        return [shown.length, [...document.querySelectorAll(".edit button")].filter((one) => one.checkVisibility() && covered(one)).map((one) => one.textContent)];
      });
      assert(moves >= least, `${moves} moves in view, analysis ${analysed}`);
      assert.deepEqual(hidden, [], `analysis ${analysed}`);
    }
    await page.waitForSelector(".lines .line-move >> nth=9");
    assert(!await page.isVisible(".edit"), "fields that take the room of the moves");
    assert(await page.$$eval(".lines .line-move", (moves) => moves.every((move) => move.offsetTop !== moves[0].offsetTop || move.getBoundingClientRect().right <= innerWidth)), "a move that is cut");
    await annotate(page);
    for (const lines of ["1", "3", ""]) {
      if (lines) {
        await analysisOptions(page);
        await page.selectOption(".options select >> nth=0", lines);
        await analysisOptions(page);
      } else await analyse(page);
      for (const wanted of [".tabs", ".analysis-head > button:last-child", ".edit textarea", ".edit select", buttonNamed("Delete move"), buttonNamed("Undo")]) {
        assert(await page.$eval(wanted, (one) => {
          const { left, top, width, height } = one.getBoundingClientRect();
          return [top + 3, top + height - 3].every((y) => one.contains(document.elementFromPoint(left + width / 2, y)));
        }), `${wanted} with ${lines || "no"} lines`);
      }
      const labels = await page.$$eval(".notes .field > span", (all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      assert.equal(labels[0], labels[1], "the labels of the mark and the comment");
    }
    await study(page, "tags");
    assert(await page.$eval(".tag-fields select", (list) => list.getBoundingClientRect().bottom <= document.querySelector(".steps").getBoundingClientRect().top), "the last tag");
    await page.context().close();
  },

  async "moves are in view next to the analysis and its options on a phone"() {
    const page = await open({ width: 390, height: 844, touch: true });
    await loadPdn(page, "1. 11-15 23-19 2. 8-11 22-17 *");
    await analyse(page);
    await page.waitForSelector(".lines li");
    await analysisOptions(page);
    for (const wanted of [".moves .move >> nth=0", ".lines li", ".options .toggle"]) {
      const { y, height } = await page.locator(wanted).first().boundingBox();
      assert(y >= 0 && y + height <= 844, wanted);
    }
    // The steps are at the bottom in every tab, and everything above them can scroll free of them.
    for (const [width, height] of [[390, 844], [360, 740]]) {
      await page.setViewportSize({ width, height });
      for (const tab of ["moves", "explorer", "review", "tags"]) {
        await study(page, tab);
        const at = `${tab} at ${width}`;
        assert.equal(await page.$eval(".steps", (steps) => Math.ceil(steps.getBoundingClientRect().bottom / 4)), height / 4, at);
        assert.deepEqual(await page.$$eval(":is(.tab-content, .edit) :is(button, input, select, textarea)", (all) => all.filter((one) => one.checkVisibility()).filter((one) => {
          one.scrollIntoView({ block: "nearest" });
          const { left, top, width, height } = one.getBoundingClientRect();
          return one.type !== "range" && !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }).map((one) => one.outerHTML)), [], at);
      }
    }
    await accessible(page, "the options of the analysis on a phone");
    await page.context().close();
  },

  async "controls are large enough to touch, and the header's words to read, on a phone"() {
    for (const [width, height] of [[390, 844], [375, 667]]) {
      const page = await open({ width, height, touch: true });
      const small = (within) => page.$$eval(`${within} :is(button, select, summary, .chips label, input[type=text], textarea)`, (all) => all.filter((one) => one.checkVisibility() && !one.matches(".cells *, .link, .player-name") && one.getBoundingClientRect().height < 44).map((one) => one.outerHTML.slice(0, 120)));
      const dialogs = { Play: ["New game", "Settings"], Study: ["Set up", ...(width === 390 ? ["Settings"] : [])], Puzzles: [], Library: ["Import"] };
      for (const [name, inMode] of Object.entries(dialogs)) {
        await mode(page, name);
        if (name === "Puzzles") await page.waitForSelector("main.puzzles .movable");
        assert(await page.$$eval("header a", (tabs) => tabs.every((tab) => parseFloat(getComputedStyle(tab).fontSize) >= 14 && tab.offsetHeight >= 43)), `the tabs at ${width}`);
        assert(await page.$eval("header", (header) => header.scrollWidth <= innerWidth), `the header of ${name} at ${width}`);
        assert.deepEqual(await small("header"), [], `${name} at ${width}`);
        if (name !== "Study") assert.deepEqual(await small("main"), [], `${name} at ${width}`);
        for (const dialog of inMode) {
          await press(page, dialog);
          await page.waitForSelector("dialog[open]");
          assert.deepEqual(await small("dialog"), [], `${dialog} at ${width}`);
          assert.equal(await page.evaluate(() => document.activeElement.tagName), "H2", dialog);
          await page.keyboard.press("Escape");
          await page.waitForSelector("dialog", { state: "detached" });
        }
      }
      // The last move is in view above the actions, and so is the solution of a puzzle below its words.
      const inView = (wanted) => page.$eval(wanted, (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      await newGame(page, {});
      await setUpFen(page, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
      for (const [from, to] of [[11, 15], [23, 19], [8, 11], [22, 17], [4, 8], [17, 13]]) await movePiece(page, from, to);
      await until("the last move", async () => /17-13/.test(await page.textContent(".moves [aria-current]").catch(() => "")));
      assert(await inView(".moves [aria-current]"), `the last move at ${width}`);
      await mode(page, "Puzzles");
      await page.waitForSelector("main.puzzles .movable");
      if (height >= 844) assert(await page.$eval(".history summary", (one) => one.getBoundingClientRect().bottom) <= await page.$eval(".puzzle-panel .actions-row", (row) => row.getBoundingClientRect().top), `the history at ${width}`);
      await showSolution(page);
      await until("the solution", async () => /^Rating: /.test(await page.textContent(".words")));
      await page.waitForSelector("main.puzzles .moves .move");
      for (const wanted of [".task", ".words", ".moves .move", ".puzzle-head .soft"]) assert(await inView(wanted), `${wanted} at ${width}`);
      await page.context().close();
    }
  },

  async "no piece lies over a square's number, and numbers have at least 12 pixels"() {
    const page = await open();
    for (const [width, height] of [[360, 740], [390, 844], [412, 915], [1280, 720], [1366, 650], [1920, 1080]]) {
      await page.setViewportSize({ width, height });
      const found = await page.evaluate(() => [...document.querySelectorAll(".board-box .number")].map((number) => {
        const { left, width, bottom } = number.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(number).fontSize) * number.getScreenCTM().d;
        // Digits stand on the base line, with a quarter of their size free below it.
        const base = bottom - size / 4;
        const overlaps = [...document.querySelectorAll(".board-box use")].filter((piece) => {
          const box = piece.getBoundingClientRect(), radius = box.width / 2;
          return Math.hypot(box.x + radius - left - width, box.y + radius - base) < radius + 0.5 && box.x < left + width && box.right > left && box.bottom > base;
        });
        return { number: number.textContent, size, overlaps: overlaps.length };
      }));
      assert.deepEqual(found.filter(({ size, overlaps }) => size < 11.95 || overlaps), [], `at ${width}x${height}`);
      const offset = await page.evaluate(() => {
        const middle = (element) => { const { x, y, width, height } = element.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
        const [x, y] = middle(document.querySelector(".board-box use")), cells = [...document.querySelectorAll(".cells button")].map(middle);
        return Math.min(...cells.map(([cx, cy]) => Math.hypot(cx - x, cy - y)));
      });
      assert(offset < 1, `a man is ${offset} pixels off the middle of its square at ${width}x${height}`);
    }
    await page.context().close();
  },

  async "the board has the same place in every mode"() {
    const page = await open();
    for (const [width, height] of [[390, 844], [1280, 720], [1280, 800], [1366, 650], [1920, 1080]]) {
      await page.setViewportSize({ width, height });
      const places = [];
      for (const name of ["Play", "Study", "Puzzles"]) {
        await mode(page, name);
        await page.waitForSelector(`main.${name.toLowerCase()} .board-box`);
        // The board may be replaced at any time, so find and measure it at once.
        places.push(await page.evaluate(() => {
          const box = document.querySelector(".board-box").getBoundingClientRect();
          return ["x", "y", "width"].map((side) => Math.round(box[side]));
        }));
      }
      assert.deepEqual([places[1], places[2]], [places[0], places[0]], `${width}x${height}`);
    }
    await page.context().close();
  },

  async "the board fits every window"() {
    const page = await open();
    await newGame(page, {});
    for (const [width, height] of [[320, 480], [360, 740], [412, 915], [600, 600], [640, 400], [740, 360], [768, 1024], [850, 700], [1024, 768], [1366, 650], [2560, 1440]]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      const at = `at ${width}x${height}`;
      const place = (name) => page.$eval(name, (element) => element.getBoundingClientRect().toJSON());
      const board = await place(".board-box"), list = await place(".moves");
      assert(board.left >= 0 && board.top >= 0 && board.right <= width && board.bottom <= height, `the board is cut ${at}: ${JSON.stringify(board)}`);
      assert(list.left >= board.right || list.top >= board.bottom, `the moves are neither beside nor below the board ${at}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `the page is too wide ${at}`);
      assert(board.width >= 0.8 * Math.min(width, height) || board.width >= 0.45 * width || board.width > 1000, `the board is small ${at}: ${board.width}`);
      if (height > 750) continue;
      await analyse(page);
      await page.waitForSelector(".lines li");
      const line = await place(".lines li");
      assert(line.top >= 0 && line.bottom <= height, `the analysis is out of view ${at}`);
      await analyse(page);
    }
    await page.context().close();
  },

  async "touch moves pieces and scrolls the page"() {
    const page = await open({ width: 360, height: 400, touch: true });
    await newGame(page, {});
    const devtools = await page.context().newCDPSession(page);
    const swipe = async (square, to) => {
      const [[x, y], [a, b]] = [await center(page, square), to];
      await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
      for (let step = 1; step <= 8; step++) await devtools.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: x + (a - x) * step / 8, y: y + (b - y) * step / 8 }] });
      await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    await swipe(11, await center(page, 15));
    await until("the move", async () => (await moves(page))[0] === "11-15");
    assert.equal(await page.evaluate(() => scrollY), 0);
    const [x, y] = await center(page, 18);
    await swipe(18, [x, y - 150]);
    await until("the scrolling", async () => await page.evaluate(() => scrollY) > 50);
    await page.context().close();
  },
};
