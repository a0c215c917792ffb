// A session of the engine, in a Worker of a browser or of Node.js. Messages to it: {module, suspends} first, then {line},
// {request, text} and, here or in the first message, {book, databases}. Messages from it: {ready}, {written} by the engine,
// {finished} after each line if the engine cannot be suspended, {answer} or {refused} after each request, {event} for
// each event of a review, and {failed} at the end.

"use strict";

const isNode = typeof process === "object";
const port = isNode ? process.getBuiltinModule("node:worker_threads").parentPort : self;
let engine = null, suspends = false;
/** Whether the engine is working, and whether a line has arrived meanwhile. */
let working = false, more = false;
/** Messages that arrived before the engine was ready. */
const early = [];
/** The partial answer to a request, and whether the request is for a review, which is answered by events. */
let answer = null, reviewing = false;
/** Ends the wait for a message. */
let wake = () => {};
const decoder = new TextDecoder(), encoder = new TextEncoder();
const channel = new MessageChannel();

/** Waits until the messages that have arrived are read. */
const turn = () => new Promise((resolve) => {
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(null);
});

const host = {
  now: () => performance.now(),
  random: Math.random,
  write(start, length) {
    const written = decoder.decode(new Uint8Array(engine.memory.buffer, start, length));
    if (answer === null) port.postMessage({ written });
    else {
      if (reviewing && answer) port.postMessage({ event: answer });
      answer = reviewing ? written : answer + written;
    }
  },
  // The engine calls this while it searches. Unless the engine can be suspended, no message is read before it has finished.
  pause: () => 0,
};

async function pause(wait) {
  await (wait ? new Promise((resolve) => { wake = resolve; }) : turn());
  return 1;
}

async function start({ module, ...data }) {
  suspends = data.suspends;
  if (suspends) host.pause = new WebAssembly.Suspending(pause);
  const { exports } = await WebAssembly.instantiate(module, { host });
  engine = { ...exports };
  if (suspends) for (const name of ["work", "review_game"]) engine[name] = WebAssembly.promising(exports[name]);
  if (!engine.start()) throw new Error("not enough memory for the engine");
  embed(data);
  port.postMessage({ ready: true });
  early.forEach(receive);
}

/** Copies text or data into the engine's buffer. */
function fill(bytes) {
  const start = engine.buffer(bytes.byteLength);
  new Uint8Array(engine.memory.buffer, start, bytes.byteLength).set(new Uint8Array(bytes));
}

/** Gives the engine its opening book and its endgame databases. */
function embed({ book, databases }) {
  for (const [name, bytes] of [["embed_book", book], ["embed_databases", databases]]) {
    if (!bytes) continue;
    fill(bytes);
    engine[name]();
  }
}

async function work() {
  more = true;
  if (working) return;
  working = true;
  while (more) {
    more = false;
    while (await engine.work());
  }
  working = false;
}

async function handle(message) {
  if (message.line !== undefined) {
    fill(encoder.encode(message.line));
    engine.line();
    wake();
    if (suspends) await work();
    else {
      while (engine.work());
      port.postMessage({ finished: true });
    }
  } else if (message.request) {
    answer = "";
    reviewing = message.request === "review_game";
    fill(message.text);
    const refused = await engine[message.request]() === 0;
    if (reviewing && !refused) port.postMessage({ event: answer });
    port.postMessage({ [refused ? "refused" : "answer"]: reviewing && !refused ? "" : answer });
  } else embed(message);
}

function receive(data) {
  if (!engine && !data.module) return early.push(data);
  const done = engine ? handle(data) : start(data);
  done.catch((error) => port.postMessage({ failed: String(error.message ?? error) }));
}

if (isNode) port.on("message", receive);
else port.onmessage = ({ data }) => receive(data);
