/** A position: a FEN or the starting position, and moves from there, such as `11-15`, `22x15`, `1115` or `0914`. */
export interface Position {
  fen?: string;
  moves?: readonly string[];
}

/** The limits of a search. Without limits, it runs until `stop`. */
export interface Limits {
  /** The playing strength in this search: 1 (weakest) to 10, or 0 for full strength. By default, the option `Level`. */
  level?: number;
  depth?: number;
  nodes?: number;
  /** Milliseconds. */
  time?: number;
}

/** The value of a position for the side to move. */
export interface Score {
  /** `cp` is an evaluation. The others are known results: a `draw` is always known from a database. */
  kind: "cp" | "win" | "loss" | "draw";
  /** Hundredths of a man, or the number of plies to the end, or null if a database knows only the result. */
  value: number | null;
  /** The score is at least (`lower`) or at most (`upper`) this value; null if it is exact. */
  bound: "lower" | "upper" | null;
}

/** A line of play found by a search. */
export interface Info {
  depth: number;
  /** 1 for the best line, 2 for the next one if the option MultiPV is set. */
  rank: number;
  nodes: number;
  score: Score;
  /** The chances of the side to move in thousandths, if the option UCI_ShowWDL is set. */
  chances: { win: number; draw: number; loss: number } | null;
  moves: string[];
}

export interface Result {
  /** The best move, or null if there is no legal move. */
  best: string | null;
  /** The expected reply. */
  ponder: string | null;
  /** The last line of each rank. */
  lines: Info[];
}

export interface Options {
  /** The address of the files, by default that of this module. */
  base?: string | URL;
  /** False to do without the opening book and the endgame databases. */
  data?: boolean;
  /** The contents of `kelso.wasm`, instead of the file. */
  code?: BufferSource;
  /** The address of `worker.js`, if it is not next to the module. */
  worker?: string | URL;
}

/** Loads the engine. */
export function load(options?: Options): Promise<Engine>;

/** An engine in its own Worker. */
export class Engine {
  static load(options?: Options): Promise<Engine>;
  private constructor();
  /** Sends a line of the native protocol. */
  send(line: string): void;
  /** Calls `listener` with each line of the engine; returns a function that removes the listener. */
  onLine(listener: (line: string) => void): () => void;
  /** Sends a line, and resolves to the answer: all lines up to the first that begins with `last`. */
  ask(line: string, last: string): Promise<string[]>;
  /**
   * Returns the best move of a position, which may be a FEN, or null if there is none. Without limits, the engine thinks for at
   * most a second.
   */
  bestMove(position?: string | Position, limits?: Limits): Promise<string | null>;
  /**
   * Searches a position, and calls `onInfo` with each line of play. If `onInfo` throws, the search ends, and rejects with what was
   * thrown. Searches run one after another.
   */
  search(position?: Position, limits?: Limits, onInfo?: (info: Info) => void): Promise<Result>;
  /** Ends the running search, which resolves to the best move so far. */
  stop(): void;
  /** Shuts down the engine. A running search rejects. */
  close(): void;
}
