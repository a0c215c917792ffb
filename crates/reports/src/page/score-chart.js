// Draws the score over a game: White's part below and Black's above.

const WIDE = 600,
  HIGH = 120;

/** Maps a score in hundredths of a man to White's lead, from -1 to 1. The extremes are for decided games. */
export function lead(centimen) {
  return 0.98 * Math.tanh(centimen / 220);
}

/** Maximum number of plies between two scores that a line connects: an engine scores only its own moves. */
const BRIDGED = 2;

/** Splits the points at positions without scores. */
function runs(points) {
  const found = [];
  for (const point of points) {
    const run = found[found.length - 1];
    if (run && point[0] - run[run.length - 1][0] <= BRIDGED) run.push(point);
    else found.push([point]);
  }
  return found;
}

/**
 * Returns the content of an svg element with viewBox "0 0 600 120". `points` are [position, lead], `last` is the last
 * position and `now` the current one. A single score is a dot. Positions without a score stay empty.
 */
export function scoreChart(points, last, now) {
  const x = (position) => (Math.max(0, Math.min(1, position / Math.max(1, last))) * WIDE).toFixed(1);
  const y = (lead) => ((HIGH / 2) * (1 - lead)).toFixed(1);
  let drawn = "";
  for (const run of runs(points)) {
    const [first, end] = [run[0], run[run.length - 1]];
    if (run.length === 1) {
      drawn += `<path class="score dot" d="M${x(first[0])} ${y(first[1])}h0"/>`;
      continue;
    }
    const line = [[first[0] - 0.5, first[1]], ...run, [end[0] + 0.5, end[1]]].map(
      ([position, lead]) => `${x(position)},${y(lead)}`,
    );
    const area = (side, edge) =>
      `<polygon class="${side}" points="${x(first[0] - 0.5)},${edge} ${line.join(" ")} ${x(end[0] + 0.5)},${edge}"/>`;
    drawn += `${area("black-side", 0)}${area("white-side", HIGH)}<polyline class="score" points="${line.join(" ")}"/>`;
  }
  return `${drawn}<path class="half" d="M0 ${HIGH / 2}H${WIDE}"/><path class="now" d="M${x(now)} 0V${HIGH}"/>`;
}

/** Returns the position under a point of the window. */
export function scoreChartPosition(element, clientX, last) {
  const box = element.getBoundingClientRect();
  return Math.max(0, Math.min(last, Math.round(((clientX - box.left) / box.width) * last)));
}
