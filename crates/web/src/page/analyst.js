// An engine that searches a position without a limit, until it receives another position.

import { Engine } from "./engine.js";
import { preferences } from "./preferences.js";
import { state } from "./state.js";

/** Milliseconds without a line after which an engine counts as silent. */
const PATIENCE = 10000;
/** Milliseconds before reconnecting after the connection was lost. */
const RETRY = 1000;

export class Analyst {
  /** `changed` reports a line, `cleared` that there are none, and `failed` why an engine has exited. */
  constructor({ changed, cleared, failed, silent, options }) {
    this.on = { changed, cleared, failed, silent, options };
    this.name = "kelso";
    /** The list from which the engine is chosen. */
    this.chooser = null;
    this.count = 1;
    this.active = false;
    this.job = null;
    /** The lines of the search, the best first. */
    this.lines = [];
  }

  start(job) {
    this.active = true;
    this.job = job;
    this.restart();
  }

  end() {
    this.active = false;
    clearTimeout(this.expecting);
    this.engine?.close();
    this.engine = null;
    this.running = null;
    this.clear();
  }

  restart() {
    this.engine?.close();
    this.expect();
    this.engine = new Engine(this.name, { closed: (how) => this.closed(how) });
    this.setUp();
  }

  /** Handles the exit of the engine. If only the connection is lost, tries again. */
  closed({ ended, reason }) {
    this.engine = null;
    this.running = null;
    clearTimeout(this.expecting);
    if (!this.active) return;
    if (!ended) return void setTimeout(() => this.active && !this.engine && this.restart(), RETRY);
    this.end();
    this.on.failed(this.name, reason);
  }

  /** Sets the options, and searches. Options that another program lacks are ignored. */
  async setUp() {
    const { engine } = this,
      { threads, memory } = preferences;
    const most = (name, value) => Math.min(value, state.declared[name]?.max ?? value);
    const options = {
      Hash: most("Hash", memory),
      Threads: most("Threads", threads),
      MultiPV: this.count,
      ...this.on.options?.(),
    };
    engine.stop();
    await engine.set(options).catch(() => {});
    if (engine === this.engine) this.analyse(this.job);
  }

  /** Reports the engine as silent unless it answers in time. */
  expect() {
    clearTimeout(this.expecting);
    this.expecting = setTimeout(() => this.on.silent(this.name), PATIENCE);
  }

  /** Analyses a position: {tree, node, position, side, over}. Without a job, pauses until there is one. */
  analyse(job) {
    this.job = job;
    this.running = null;
    if (!this.active || !this.engine) return;
    this.engine.stop();
    this.clear();
    clearTimeout(this.expecting);
    if (!job || job.over) return;
    this.expect();
    const running = { job };
    this.running = running;
    this.engine
      .search(job.position, "infinite", (info) => this.running === running && this.receive(info))
      .catch(() => {});
  }

  receive(info) {
    clearTimeout(this.expecting);
    if (info.rank > this.count) return;
    this.lines[info.rank - 1] = info;
    this.on.changed();
  }

  clear() {
    this.lines = [];
    this.on.cleared();
  }
}
