// Draws boards, and plays moves with their captures: {text, captured}, such as "22x8" and [18, 11]. A position is {squares,
// side, from, to}: squares[n] is "b", "B", "w", "W" or "" for n from 1 to 32, side is "b" or "w", and from and to are the start
// and end of the move that led to it.

/** Parses a FEN in the form that the engine writes. */
export function readFen(fen) {
  const squares = new Array(33).fill("");
  const [side, ...lists] = fen.split(":");
  for (const list of lists) {
    const color = list[0].toLowerCase();
    for (const entry of list.slice(1).split(",").filter(Boolean)) {
      const king = entry[0] === "K";
      squares[Number(king ? entry.slice(1) : entry)] = king ? color.toUpperCase() : color;
    }
  }
  return { squares, side: side.toLowerCase(), from: 0, to: 0 };
}

/** Returns the first and the last square of a move's text. */
export function ends(text) {
  const numbers = text.split(/[-x]/).map(Number);
  return [numbers[0], numbers[numbers.length - 1]];
}

/** Returns the position after a move. */
export function play(position, { text, captured }) {
  const [from, to] = ends(text);
  const squares = position.squares.slice();
  let piece = squares[from];
  squares[from] = "";
  for (const square of captured) squares[square] = "";
  if ((piece === "b" && to > 28) || (piece === "w" && to < 5)) piece = piece.toUpperCase();
  squares[to] = piece;
  return { squares, side: position.side === "b" ? "w" : "b", from, to };
}

/** Returns a square's column from the left and row from the top. */
export function place(square, flipped) {
  const seen = flipped ? 33 - square : square;
  const row = (seen - 1) >> 2;
  return [((seen - 1) % 4) * 2 + ((row + 1) % 2), row];
}

/** The drawing and the name of each piece. */
export const PIECES = {
  b: ["black-man", "black man"],
  B: ["black-king", "black king"],
  w: ["white-man", "white man"],
  W: ["white-king", "white king"],
};

/** Describes a position for screen readers. */
export function described(position) {
  const list = (letter) => {
    const on = position.squares.map((piece, square) => (piece === letter ? square : 0)).filter(Boolean);
    return on.length ? [`${PIECES[letter][1]} on ${on.join(", ")}`] : [];
  };
  return `${position.side === "b" ? "black" : "white"} to move; ${["b", "B", "w", "W"].flatMap(list).join("; ")}`;
}

/** Returns an arrow over squares as the points of a polygon, which bends at those between the first and the last one. */
export function arrow(squares, flipped) {
  const points = squares.map((square) => place(square, flipped).map((n) => n * 40 + 20));
  const legs = points.slice(1).map(([x, y], at) => {
    const [dx, dy] = [x - points[at][0], y - points[at][1]],
      length = Math.hypot(dx, dy) || 1;
    return [dx / length, dy / length];
  });
  const side = (aside) =>
    legs.map(([ux, uy], at) => {
      const [x, y] = points[at],
        [vx, vy] = legs[at - 1] ?? [ux, uy],
        width = aside / (1 + ux * vx + uy * vy);
      return [x - (uy + vy) * width, y + (ux + vx) * width];
    });
  const [x, y] = points[points.length - 1],
    [ux, uy] = legs[legs.length - 1],
    head = [
      [13, 2.5],
      [13, 8],
      [0, 0],
      [13, -8],
      [13, -2.5],
    ].map(([back, aside]) => [x - ux * back - uy * aside, y - uy * back + ux * aside]);
  return [...side(2.5), ...head, ...side(-2.5).reverse()].map((point) => point.map((n) => n.toFixed(1))).join(" ");
}

/**
 * Returns the squares of a board, with a move's squares marked: the layer under the pieces in an svg element with viewBox "0 0 320 320".
 */
export function squaresMarkup(marked, { flipped = false, numbers = true } = {}) {
  let svg = `<rect class="light" width="320" height="320"/>`;
  for (let square = 1; square <= 32; square++) {
    const [x, y] = place(square, flipped).map((n) => n * 40);
    svg += `<rect class="${marked.includes(square) ? "mark" : "dark"}" x="${x}" y="${y}" width="40" height="40"/>`;
    if (numbers) svg += `<text class="number" x="${x + 1}" y="${y + 7}">${square}</text>`;
  }
  return svg;
}

/** Returns a whole board, without the symbols of the pieces. */
export function boardMarkup(position, { flipped = false, numbers = true, arrows = [] } = {}) {
  let svg = squaresMarkup([position.from, position.to], { flipped, numbers });
  for (let square = 1; square <= 32; square++) {
    const [x, y] = place(square, flipped).map((n) => n * 40);
    const piece = PIECES[position.squares[square]];
    if (piece) svg += `<use href="#${piece[0]}" x="${x}" y="${y}" width="40" height="40"/>`;
  }
  for (const ends of arrows) svg += `<polygon class="arrow" points="${arrow(ends, flipped)}"/>`;
  return svg;
}

/** Draws a position in an svg element. */
export function drawBoard(element, position, options) {
  element.innerHTML = boardMarkup(position, options);
  element.setAttribute("aria-label", described(position));
}
