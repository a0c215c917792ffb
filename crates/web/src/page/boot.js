// Runs before the first paint. The page arrives with the start position on its board; if a game is stored, the pieces stay
// hidden until that game is drawn.

try {
  if (Object.keys(localStorage).some((key) => key.startsWith("kelso.game."))) document.documentElement.classList.add("kept");
} catch {
  // Without storage no game can be stored.
}
