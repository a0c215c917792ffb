// The clocks of both sides. They run only while the page is open.

export class Clock {
  /** Takes the milliseconds for the game, and the increment per move. */
  constructor(base, increment) {
    this.base = base;
    this.left = { b: base, w: base };
    this.increment = increment;
    this.running = null;
    this.since = 0;
  }

  static revive(data) {
    return Object.assign(new Clock(0, 0), data, { running: null });
  }

  /** Returns the current state of the clocks, stopped, to be stored. */
  toJSON() {
    return { base: this.base, left: this.reading(), increment: this.increment };
  }

  /** Returns the milliseconds that a side has left. */
  now(side) {
    const spent = this.running === side ? performance.now() - this.since : 0;
    return Math.max(0, this.left[side] - spent);
  }

  start(side) {
    if (this.running === side) return;
    this.halt();
    this.running = side;
    this.since = performance.now();
  }

  halt() {
    if (this.running) this.left[this.running] = this.now(this.running);
    this.running = null;
  }

  reading() {
    return { b: this.now("b"), w: this.now("w") };
  }

  /** Sets the clocks to an earlier reading, or to the full time. */
  reset(reading = { b: this.base, w: this.base }) {
    this.halt();
    this.left = { ...reading };
  }

  /** Stops the clock of a side that has moved. */
  press(side) {
    const isRunning = this.running === side;
    this.halt();
    if (isRunning) this.left[side] += this.increment;
  }

  /** Returns the clocks as parameters of `go`. */
  words() {
    const ms = (side) => Math.round(this.now(side));
    return `btime ${ms("b")} wtime ${ms("w")} binc ${this.increment} winc ${this.increment}`;
  }
}

/** Formats milliseconds as minutes and seconds, and with tenths in the last ten seconds. */
export function shown(ms) {
  const seconds = ms / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
