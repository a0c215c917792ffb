// Games to step through. A game: [number, black, white, result, ended, opening, start, plies]; an empty start
// stands for the starting position. A ply: [move, note, score, marked, better move if any]. A move: its text,
// and the squares that it captures, each after a slash. A score: from White's point of view, in hundredths of
// a man.
const START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12";
const [NUMBER, BLACK, WHITE, RESULT, ENDED, OPENING, FEN, PLIES] = Array(8).keys();
const PAGE = 100;
const data = JSON.parse(document.getElementById("games").textContent);
const element = (id) => document.getElementById(id);
// The text for the filter is built on first use.
let texts = null;
let shown = data,
  page = 0,
  game = null,
  positions = [],
  ply = 0,
  flipped = false;

function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function readMove(text) {
  const [move, ...captured] = text.split("/");
  return { text: move, captured: captured.map(Number) };
}

function choose(chosen) {
  game = chosen;
  ply = 0;
  positions = [readFen(game[FEN] || START)];
  for (const [text] of game[PLIES]) positions.push(play(positions[positions.length - 1], readMove(text)));
  element("players").textContent =
    `${game[BLACK]} (black) – ${game[WHITE]} (white)  ${game[RESULT]}${game[ENDED] ? `, ${game[ENDED]}` : ""}`;
  drawMoves();
  step(0);
}

function drawMoves() {
  const parts = [];
  let number = 1;
  game[PLIES].forEach(([text, , , marked], index) => {
    const black = positions[index].side === "b";
    if (black || index === 0) parts.push(`${number}${black ? "." : "..."} `);
    if (!black) number++;
    const button = make("button", {
      type: "button",
      textContent: readMove(text).text,
      className: marked ? "marked" : "",
    });
    button.onclick = () => step(index + 1 - ply);
    parts.push(button, " ");
  });
  element("moves").replaceChildren(...parts, game[RESULT]);
}

function drawCourse() {
  const points = game[PLIES].map(([, , score], index) => (score === null ? null : [index + 1, lead(score)])).filter(
    Boolean,
  );
  element("score-chart").style.display = points.length ? "" : "none";
  element("score-chart").innerHTML = scoreChart(points, game[PLIES].length, ply);
}

function step(by) {
  if (!game) return;
  ply = Math.max(0, Math.min(ply + by, positions.length - 1));
  // The better move, if the next move is an error.
  const better = game[PLIES][ply]?.[4];
  drawBoard(element("board"), positions[ply], { flipped, arrows: better ? [ends(better)] : [] });
  const note = ply ? game[PLIES][ply - 1][1] : game[OPENING];
  element("note").textContent = note || "\u00a0";
  drawCourse();
  const moves = element("moves");
  moves.querySelector(".on")?.classList.remove("on");
  const on = moves.querySelectorAll("button")[ply - 1];
  if (on) {
    on.classList.add("on");
    moves.scrollTop = on.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  } else {
    moves.scrollTop = 0;
  }
}

function drawList() {
  const pages = Math.max(1, Math.ceil(shown.length / PAGE));
  page = Math.max(0, Math.min(page, pages - 1));
  const rows = shown.slice(page * PAGE, (page + 1) * PAGE).map((entry) => {
    const button = make("button", { type: "button", textContent: entry[NUMBER] });
    button.setAttribute(
      "aria-label",
      `game ${entry[NUMBER]}, ${entry[BLACK]} against ${entry[WHITE]}, ${entry[RESULT]}`,
    );
    const cells = [button, entry[BLACK], entry[WHITE], entry[RESULT], entry[ENDED], String(entry[PLIES].length)];
    const row = make("tr", { className: entry === game ? "on" : "" }, ...cells.map((cell) => make("td", {}, cell)));
    row.onclick = () => {
      element("rows").querySelector(".on")?.classList.remove("on");
      row.classList.add("on");
      choose(entry);
    };
    return row;
  });
  element("rows").replaceChildren(...rows);
  element("count").textContent =
    `${shown.length} ${shown.length === 1 ? "game" : "games"}${pages > 1 ? `, page ${page + 1} of ${pages}` : ""}`;
}

element("filter").oninput = (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  texts ??= new Map(data.map((entry) => [entry, entry.slice(0, 6).join(" ").toLowerCase()]));
  shown = data.filter((entry) => words.every((word) => texts.get(entry).includes(word)));
  page = 0;
  drawList();
};
element("first").onclick = () => step(-1e9);
element("back").onclick = () => step(-1);
element("next").onclick = () => step(1);
element("last").onclick = () => step(1e9);
// Goes to the position after the next or previous marked move.
function toMarked(by) {
  const marks = game ? game[PLIES].flatMap(([, , , marked], index) => (marked ? [index + 1] : [])) : [];
  const to = by > 0 ? marks.find((at) => at > ply) : marks.findLast((at) => at < ply);
  if (to) step(to - ply);
}
const marked = data.some((entry) => entry[PLIES].some(([, , , marked]) => marked));
for (const [id, by] of [
  ["worse", -1],
  ["error", 1],
]) {
  element(id).hidden = !marked;
  element(id).onclick = () => toMarked(by);
}
element("flip").onclick = () => {
  flipped = !flipped;
  step(0);
};
element("before").onclick = () => {
  page--;
  drawList();
};
element("after").onclick = () => {
  page++;
  drawList();
};
element("score-chart").onclick = (event) => {
  step(scoreChartPosition(element("score-chart"), event.clientX, game[PLIES].length) - ply);
};
document.onkeydown = (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.altKey || event.metaKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
  if (by) {
    step(by);
    event.preventDefault();
  }
  if (marked && (event.key === "n" || event.key === "p")) toMarked(event.key === "n" ? 1 : -1);
};
if (data.length) choose(data[0]);
drawList();
