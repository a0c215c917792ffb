// The script that draws boards and charts; it is served with the page.

export interface BoardPosition {
  side: "b" | "w";
  /** The pieces by square, from 1; an empty string if there is none. */
  squares: string[];
  from?: number;
  to?: number;
}

export const PIECES: Record<string, [string, string]>;
export function readFen(fen: string): BoardPosition;
export function ends(move: string): [number, number];
export function play(position: BoardPosition, move: { text: string; captured: number[] }): BoardPosition;
export function place(square: number, flipped: boolean): [number, number];
export function arrow(squares: number[], flipped: boolean): string;
export function squaresMarkup(marked: number[], options?: { flipped?: boolean; numbers?: boolean }): string;
export function boardMarkup(position: BoardPosition, options?: { flipped?: boolean; numbers?: boolean; arrows?: [number, number][] }): string;
export function lead(centimen: number): number;
export function scoreChart(points: [number, number][], last: number, now: number): string;
export function scoreChartPosition(element: Element, clientX: number, last: number): number;
