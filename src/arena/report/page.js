"use strict";
// A game: [number, black, white, result, reason, opening, start, opening plies, moves, notes].
// A move: its text, and the squares that it captures, each after a slash.
const data = JSON.parse(document.getElementById("games").textContent);
const element = (id) => document.getElementById(id);
const PAGE = 100;
let shown = data, page = 0, game = null, ply = 0;

function start(fen) {
  const squares = new Array(33).fill("");
  const [side, ...lists] = fen.split(":");
  for (const list of lists) {
    const color = list[0].toLowerCase();
    for (const entry of list.slice(1).split(",").filter(Boolean)) {
      const king = entry[0] === "K";
      squares[Number(king ? entry.slice(1) : entry)] = king ? color.toUpperCase() : color;
    }
  }
  return { squares, black: side === "B" };
}

function play(position, move) {
  const [text, ...captured] = move.split("/");
  const ends = text.split(/[-x]/).map(Number);
  const from = ends[0], to = ends[ends.length - 1];
  const squares = position.squares.slice();
  let piece = squares[from];
  squares[from] = "";
  for (const square of captured) squares[Number(square)] = "";
  if (piece === "b" && to > 28 || piece === "w" && to < 5) piece = piece.toUpperCase();
  squares[to] = piece;
  return { squares, black: !position.black, from, to };
}

const positions = (game) => {
  const all = [start(game[6])];
  for (const move of game[8]) all.push(play(all[all.length - 1], move));
  return all;
};

function drawBoard(position) {
  let svg = "";
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const x = column * 40, y = row * 40, dark = (row + column) % 2 === 1;
      svg += `<rect class="${dark ? "d" : "l"}" x="${x}" y="${y}" width="40" height="40"/>`;
      if (!dark) continue;
      const square = row * 4 + (column >> 1) + 1;
      if (square === position.from || square === position.to) {
        svg += `<rect class="hit" x="${x}" y="${y}" width="40" height="40"/>`;
      }
      svg += `<text x="${x + 2}" y="${y + 9}">${square}</text>`;
      const piece = position.squares[square];
      if (!piece) continue;
      svg += `<circle class="${piece.toLowerCase()}" cx="${x + 20}" cy="${y + 20}" r="15"/>`;
      if (piece !== piece.toLowerCase()) svg += `<circle class="k" cx="${x + 20}" cy="${y + 20}" r="8"/>`;
    }
  }
  element("board").innerHTML = svg;
}

function drawGame() {
  const all = positions(game);
  ply = Math.max(0, Math.min(ply, all.length - 1));
  drawBoard(all[ply]);
  element("players").textContent = `${game[1]} (black) – ${game[2]} (white)  ${game[3]}, ${game[4]}`;
  element("note").textContent = ply ? game[9][ply - 1 - game[7]] || "opening" : game[5];
  const moves = element("moves");
  moves.textContent = "";
  let number = 1;
  game[8].forEach((move, index) => {
    const black = all[index].black;
    if (black || index === 0) moves.append(`${number}${black ? "." : "..."} `);
    if (!black) number++;
    const link = document.createElement("a");
    link.textContent = move.split("/")[0];
    link.className = index + 1 === ply ? "on" : "";
    link.onclick = () => { ply = index + 1; drawGame(); };
    moves.append(link, " ");
  });
  moves.append(game[3]);
  const on = moves.querySelector(".on");
  if (on) moves.scrollTop = on.offsetTop - moves.offsetTop - moves.clientHeight / 2;
}

function drawList() {
  const body = element("rows");
  body.textContent = "";
  const pages = Math.max(1, Math.ceil(shown.length / PAGE));
  page = Math.max(0, Math.min(page, pages - 1));
  for (const entry of shown.slice(page * PAGE, (page + 1) * PAGE)) {
    const row = body.insertRow();
    for (const text of [entry[0], entry[1], entry[2], entry[3], entry[4], entry[8].length]) row.insertCell().textContent = text;
    row.className = entry === game ? "on" : "";
    row.onclick = () => { game = entry; ply = 0; drawList(); drawGame(); };
  }
  element("count").textContent = `${shown.length} games, page ${page + 1} of ${pages}`;
}

element("filter").oninput = (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = data.filter((entry) => {
    const text = entry.slice(0, 6).join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  page = 0;
  drawList();
};
const step = (by) => { if (game) { ply += by; drawGame(); } };
element("first").onclick = () => step(-1e9);
element("back").onclick = () => step(-1);
element("next").onclick = () => step(1);
element("last").onclick = () => step(1e9);
element("before").onclick = () => { page--; drawList(); };
element("after").onclick = () => { page++; drawList(); };
document.onkeydown = (event) => {
  if (event.target.tagName === "INPUT") return;
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
  if (by) { step(by); event.preventDefault(); }
};
game = data[0] || null;
drawList();
if (game) drawGame();
