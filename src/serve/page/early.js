// Runs before the first paint. The page comes with a board on which a first game begins; where a game is kept, the pieces
// wait for that one.

try {
  if (Object.keys(localStorage).some((key) => key.startsWith("kelso.game."))) document.documentElement.classList.add("kept");
} catch {
  // A browser that keeps nothing has no game.
}
