// Connects the page to the program: sessions with engines, and requests. A module with the same exports can
// take its place, so that the rest of the page does not depend on a server.

import { text } from "./text.js";

/** The close code of a session whose engine exited on its own. */
const ENGINE_ENDED = 4001;

/** A session with an engine: lines of the native protocol over a WebSocket, one line in each frame. */
export class Session {
  /**
   * Connects to the engine with this name. An empty name stands for this program. `received` takes each line of the engine.
   * `closed` reports a session that ended on its own: {ended, reason, busy}, where `ended` means that the engine has exited, and
   * `busy` that the program is reachable but has no free session.
   */
  constructor(engine, { opened, received, closed }) {
    this.waiting = [];
    this.over = false;
    let connected = false;
    const query = engine ? `?engine=${encodeURIComponent(engine)}` : "";
    this.socket = new WebSocket(`${location.origin.replace("http", "ws")}/session${query}`);
    this.socket.onopen = () => {
      if (this.over) return this.socket.close();
      for (const line of this.waiting.splice(0)) this.socket.send(line);
      connected = true;
      opened();
    };
    this.socket.onmessage = (event) => received(event.data);
    this.socket.onclose = async ({ code, reason }) => {
      if (this.over) return;
      this.over = true;
      // The browser hides why a session was refused. If the server answers other requests, it has no free session.
      const offered = connected ? null : await engines().catch(() => null);
      if (engine && offered && !offered.some(({ name }) => name === engine))
        return closed({ ended: true, reason: text.notOffered, busy: false });
      closed({ ended: code === ENGINE_ENDED, reason, busy: Boolean(offered) });
    };
  }

  /** Sends a line, immediately or as soon as the session is open. */
  send(line) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(line);
    else if (!this.over) this.waiting.push(line);
  }

  close() {
    this.over = true;
    // Browsers report an error if a socket is closed while it connects, so it is closed once it is open.
    if (this.socket.readyState !== WebSocket.CONNECTING) this.socket.close();
  }
}

const fail = (words) => () => {
  throw new Error(words);
};

async function send(path, body, options) {
  const method = body === undefined ? "GET" : "POST",
    response = await fetch(path, { ...options, body, method }).catch(fail(text.offline));
  if (!response.ok) throw new Error((await response.text()).trim());
  return response;
}

const request = async (path, body, options) => (await send(path, body, options)).json();

export const engines = () => request("/engines");

export function library(asked) {
  const body = JSON.stringify(asked);
  // The browser delivers a small request even if the page is closed.
  return request("/library", body, { keepalive: new Blob([body]).size < 60000 });
}

/** Imports PDN into the library: {added, known, faults, collection}. */
export const importGames = (pdn, name = "") =>
  request(`/library/import?${new URLSearchParams({ name, now: String(Date.now()) })}`, pdn);

/** Returns the games of the library that a selection names as PDN. */
export const exportGames = async (selection) =>
  (await send("/library/export", JSON.stringify(selection))).text().catch(fail(text.incomplete));

/** Reads PDN, a text or its bytes: {games, faults, more, collection}. */
export const readGames = (pdn) => request("/games", pdn);

/** Explores the position after `moves` from `fen`, by the games of a `filter`, or of a collection as `games`. */
export const explore = (query) => request(`/explore?${new URLSearchParams(query)}`);

/**
 * Reviews the first game of a PDN text; `after` is the number of nodes of an earlier review, or 0. `received` takes the events of
 * the review one after another: {nodes, pass, share} or, at the end of a pass, {nodes, moves, last}. An aborted `signal` stops the work.
 */
export async function review(pdn, { after, received, signal }) {
  const { body } = await send(`/review?after=${after}`, pdn, { signal });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "",
    isWhole = false;
  for (let part; !(part = await reader.read().catch(() => ({ done: true }))).done;) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop();
    for (const event of lines.map((line) => JSON.parse(line))) {
      if (event.error) throw new Error(event.error);
      await received(event);
      isWhole = Boolean(event.last);
    }
  }
  if (!isWhole) throw new Error(text.offline);
}

/** Proves a position; returns its certificate and the number of positions in it, or the reason why there is no proof. */
export const prove = (fen) => request(`/proof?${new URLSearchParams({ fen })}`);
