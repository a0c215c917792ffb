// Draws the course of a game: the score after each position, White's part below and Black's above.

const WIDE = 600, HIGH = 120;

/** How far White is ahead, from -1 to 1, by hundredths of a man. The ends are for games that are decided. */
export function lead(centimen) {
  return 0.98 * Math.tanh(centimen / 220);
}

/**
 * What an svg element with viewBox "0 0 600 120" holds: points [position, lead], the last position, and the one that is
 * looked at. Each point stands for its position's width, so that a single one is seen, too.
 */
export function courseMarkup(points, last, now) {
  const x = (position) => (Math.max(0, Math.min(1, position / Math.max(1, last))) * WIDE).toFixed(1);
  const y = (lead) => (HIGH / 2 * (1 - lead)).toFixed(1);
  let drawn = "";
  if (points.length) {
    const [first, end] = [points[0], points[points.length - 1]];
    const line = [[first[0] - 0.5, first[1]], ...points, [end[0] + 0.5, end[1]]].map(([position, lead]) => `${x(position)},${y(lead)}`);
    drawn = `<polygon class="white-side" points="${x(first[0] - 0.5)},${HIGH} ${line.join(" ")} ${x(end[0] + 0.5)},${HIGH}"/><polyline class="score" points="${line.join(" ")}"/>`;
  }
  return `<rect class="black-side" width="${WIDE}" height="${HIGH}"/>${drawn}<path class="half" d="M0 ${HIGH / 2}H${WIDE}"/><path class="now" d="M${x(now)} 0V${HIGH}"/>`;
}

/** The position at a point of the window, over a picture of a course. */
export function courseAt(element, clientX, last) {
  const box = element.getBoundingClientRect();
  return Math.max(0, Math.min(last, Math.round((clientX - box.left) / box.width * last)));
}
