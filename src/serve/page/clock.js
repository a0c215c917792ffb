// The clocks of both sides. They run while the page is open; when it is not, they stand still, and the page says so.

export class Clock {
  /** Milliseconds for the game, and what each move adds. */
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

  /** What is kept: clocks that don't run, as they are now. */
  toJSON() {
    return { base: this.base, left: this.reading(), increment: this.increment };
  }

  /** What a side has left now. */
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

  /** What both sides have left now, for those who take back. */
  reading() {
    return { b: this.now("b"), w: this.now("w") };
  }

  /** Sets the clocks to what they were, or to the full time. */
  reset(reading = { b: this.base, w: this.base }) {
    this.halt();
    this.left = { ...reading };
  }

  /** A side has moved. */
  press(side) {
    this.halt();
    this.left[side] += this.increment;
  }

  /** The words of `go` for these clocks. */
  words() {
    const ms = (side) => Math.round(this.now(side));
    return `btime ${ms("b")} wtime ${ms("w")} binc ${this.increment} winc ${this.increment}`;
  }
}

/** Minutes and seconds; tenths when they run out. */
export function shown(ms) {
  const seconds = ms / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
