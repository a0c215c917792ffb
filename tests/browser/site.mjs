// The board as static files with the built-in engine: the files that it loads, its engine, and offline use.

import { strict as assert } from "node:assert";
import { analyse, anyMove, browser, moves, named, newGame, open, processorTime, ready, serve, until } from "./harness.mjs";

const SIGNATURE = 10650210;
/** Maximum numbers of compressed bytes of the page, and of the engine with its network. */
const MOST_PAGE = 100_000, MOST_ENGINE = 760_000;

/** Opens the page on its own server, like a first-time visitor. */
async function visit({ throttling = 1 } = {}) {
  const host = await serve(0);
  const tab = await (await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true })).newPage();
  const measured = await processorTime(tab);
  if (throttling > 1) await (await tab.context().newCDPSession(tab)).send("Emulation.setCPUThrottlingRate", { rate: throttling });
  await tab.goto(host.url);
  await tab.waitForFunction(() => performance.getEntriesByName("moves").length, null, { timeout: 60000 });
  const playable = await tab.evaluate(() => performance.getEntriesByName("moves")[0].startTime);
  return { host, tab, playable, processor: 1000 * await measured() };
}

/** Sends lines to a new session. Resolves to the last line, and to its delay after `stop`, which is sent at depth `stopAt`. */
const session = (page, lines, last, stopAt) => page.evaluate(async ([lines, last, stopAt]) => {
  const { bundled: { "transport.js": transport } } = await import(document.querySelector("script[type=module]").src);
  await transport.data;
  return new Promise((resolve, reject) => {
    let stopped = 0;
    const session = new transport.Session("", {
      opened: () => {}, closed: ({ reason }) => reject(new Error(reason)),
      received: (line) => {
        if (stopAt && !stopped && line.startsWith(`info depth ${stopAt} `)) {
          stopped = performance.now();
          session.send("stop");
        }
        if (!line.startsWith(last)) return;
        session.close();
        resolve({ line, time: performance.now() - stopped });
      },
    });
    for (const line of lines) session.send(line);
  });
}, [lines, last, stopAt]);

export const site = {
  async "the static board loads little, and is playable at once"() {
    const median = (list) => Math.round(list.sort((a, b) => a - b)[list.length >> 1]);
    const times = { 1: [], 4: [], processor: [] };
    for (const throttling of [1, 1, 1, 4]) {
      const { host, tab, playable, processor } = await visit({ throttling });
      times[throttling].push(playable);
      if (throttling === 1) times.processor.push(processor);
      await tab.context().close();
      host.stop();
    }
    const { host, tab } = await visit();
    await until("the data", async () => Object.keys(host.sent).includes("kelso.egdb"));
    const size = (names) => names.reduce((sum, name) => sum + host.sent[name], 0);
    const later = ["kelso.book", "kelso.egdb"], sent = Object.keys(host.sent).filter((name) => name !== "offline.js");
    const engine = size(["kelso.wasm"]), page = size(sent.filter((name) => !later.includes(name))) - engine;
    console.log(`figure: compressed: page ${page} bytes, engine with network ${engine}, then book ${size(["kelso.book"])}, databases ${size(["kelso.egdb"])}`);
    console.log(`figure: playable ${median(times[1])} ms after a cold load, ${median(times[4])} ms with the processor slowed down four times; ${median(times.processor)} ms of processor time`);
    assert(page <= MOST_PAGE, `a page of ${page} bytes`);
    assert(engine <= MOST_ENGINE, `an engine of ${engine} bytes`);
    assert(median(times.processor) <= 300, `${times.processor} ms of processor time`);
    await tab.context().close();
    host.stop();
  },

  async "the board can be installed on a phone"() {
    const page = await open();
    const icons = await page.evaluate(async () => {
      const manifest = await (await fetch(document.querySelector("link[rel=manifest]").href)).json();
      const sizes = manifest.icons.filter(({ type }) => type === "image/png").map(async ({ src, purpose }) => {
        const picture = new Image();
        picture.src = src;
        await picture.decode();
        return `${picture.naturalWidth} ${purpose ?? "any"}`;
      });
      return Promise.all(sizes);
    });
    assert.deepEqual(icons, ["192 any", "512 any", "512 maskable"]);
    await page.context().close();
  },

  async "the built-in engine counts the same nodes"() {
    const page = await open();
    const { line, time } = await session(page, ["bench"], "Bench: ");
    assert.equal(line, `Bench: ${SIGNATURE}`);
    console.log(`figure: ${Math.round(SIGNATURE / time)} thousand nodes a second, with whatever else the machine does`);
    await page.context().close();
  },

  async "a search of the built-in engine stops at once, even if WebAssembly cannot be suspended"() {
    for (const suspends of [true, false]) {
      const page = await open({ script: suspends ? "" : "delete WebAssembly.Suspending;" });
      const { line, time } = await session(page, ["setoption name Hash value 32", "position startpos moves 11-15", "go infinite"], "bestmove", 10);
      assert.match(line, /^bestmove \d+-\d+/);
      console.log(`figure: ${suspends ? "suspended" : "replaced"} ${time.toFixed(1)} ms after stop`);
      await newGame(page, { black: "level:1", white: "person" });
      await until("the engine's move", async () => (await moves(page)).length === 1);
      await page.context().close();
    }
  },

  async "the static board works without a network"() {
    const { host, tab } = await visit();
    await tab.evaluate(() => navigator.serviceWorker.ready);
    host.stop();
    await tab.reload();
    await ready(tab);
    await newGame(tab, { white: "level:1" });
    await until("a turn", async () => (await named(tab, ["can move"])).length);
    await anyMove(tab, 0);
    await until("the engine's move", async () => (await moves(tab)).length === 2);
    await analyse(tab);
    await tab.waitForSelector(".lines li");
    await tab.context().close();
  },
};
