// What a move loses, and the accuracy of a side.

/** A score beyond this limit counts as this limit, in hundredths of a man, as in `review.rs`. */
const DECIDED = 800;
/** A move that loses this much has an accuracy of 37% (1/e). */
const SCALE = 100;

function limited({ kind, value }) {
  if (kind !== "cp") return kind === "win" ? DECIDED : -DECIDED;
  return Math.max(-DECIDED, Math.min(DECIDED, value));
}

/**
 * Returns how much a move loses in hundredths of a man, from the scores of the best and of the played move for the side that
 * moves. Moves in decided positions do not count: the result is undefined.
 */
export function lossOf(best, played) {
  const [before, after] = [best, played].map(limited);
  return before <= -DECIDED || after >= DECIDED ? undefined : Math.max(0, before - after);
}

/** Returns the accuracy of a side's reviewed moves on a line in percent, or null if there are none. */
export function accuracyOf(tree, line, color) {
  const own = line.slice(1).map((id) => tree.node(id));
  const losses = own
    .filter(({ parent, loss }) => loss !== undefined && tree.side(parent) === color)
    .map(({ loss }) => loss);
  const sum = losses.reduce((sum, loss) => sum + Math.exp(-loss / SCALE), 0);
  return losses.length ? (100 * sum) / losses.length : null;
}
