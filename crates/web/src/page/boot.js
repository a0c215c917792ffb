// Runs before the first paint. The page is served with the starting position on its board; if a game is
// stored, the pieces stay hidden until that game is drawn.

try {
  const root = document.documentElement;
  const { theme, board, numbers } = JSON.parse(localStorage.getItem("kelso.settings")) ?? {};
  for (const [name, value] of Object.entries({ theme, board, numbers }))
    if (value !== undefined) root.dataset[name] = String(value);
  if ("kelso.name" in sessionStorage || Object.keys(localStorage).some((key) => key.startsWith("kelso.game.")))
    root.classList.add("kept");
} catch {
  // Without storage, or with damaged settings, the page starts with its defaults.
}
