// The types that the modules of the page share, for `tsc --checkJs`.

export type Side = "b" | "w";

/** Milliseconds that both sides have left. */
export type ClockReading = Record<Side, number>;

/** A score for the side to move. A stored score names that side. */
export interface Score {
  kind: "cp" | "win" | "loss";
  value: number | null;
  side?: Side;
}

/** A position of a game, with the move that leads to it. */
export interface TreeNode {
  id: number;
  parent: number;
  move: string;
  children: number[];
  fen?: string;
  /** A comment before the move, and one after it. */
  before?: string;
  comment?: string;
  glyphs?: number[];
  /** The glyph that a review has given, and the verdict in words. */
  verdict?: number;
  /** Whether a second pass of a review has given the same glyph. */
  checked?: boolean;
  words?: string;
  /** The depth of the score, and the nodes per position of the review. */
  depth?: number;
  nodes?: number;
  /** The accuracy of the move in percent, if it counts. */
  accuracy?: number;
  /** Whether a review has added the move. */
  engine?: boolean;
  /** The move that a review has found instead. */
  better?: string;
  score?: Score;
  /** The best move of an engine's score. */
  best?: string;
  /** The scores of an engine's lines by their first moves, with the move after; those of its latest search are listed. */
  lines?: Record<string, { kind: Score["kind"]; value: number | null; depth: number; next?: string }>;
  listed?: string[];
  /** Whether a review has given a score, and what has given the present one if that is not the review. */
  reviewed?: boolean;
  by?: "book" | "engine";
  /** Whether an engine has played the move from its opening book. */
  book?: boolean;
  squares?: number[];
  clock?: ClockReading;
  /** The user's arrows and circles: [from, to], equal for a circle. */
  arrows?: [number, number][];
  order?: number[];
}

export interface Player {
  kind: "person" | "level" | "study" | "engine";
  /** The name of one of two people. */
  name?: string;
  level?: number;
  engine?: string;
  evaluation?: string;
  searcher?: string;
}

/** A limit for engines, or clocks. */
export interface Pace {
  kind: "move" | "clock" | "depth" | "nodes";
  value?: number;
  base?: number;
  increment?: number;
}

export interface Puzzle {
  fen: string;
  goal: "win" | "draw" | "gain" | "better";
  solution: string[];
  gain?: number;
  grade?: number;
  rating?: number;
  nodes?: number;
  level?: number;
  source?: string;
  own?: boolean;
  /** The number of its first move. */
  number?: number;
  /** The node of a mistake in its game, the scores with and without it, the move before it, and the names of the game's players. */
  id?: number;
  why?: string;
  last?: string;
  names?: Record<Side, string>;
  /** The main lines after its positions, once they have been searched. */
  following?: Record<string, string[]>;
}
