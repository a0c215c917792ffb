//! The board as a static website with the engine built in: what `kelso serve` serves, with a different
//! `transport.js` to connect the page to the engine.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::json;

use super::assets::{self, File};
use kelso_engine::EmbeddedData;

/// Files that only the static site has.
const STATIC: [File; 4] = [
    ("worker.js", include_bytes!("../page/static/worker.js")),
    ("icon-192.png", include_bytes!("../page/static/icon-192.png")),
    ("icon-512.png", include_bytes!("../page/static/icon-512.png")),
    ("icon-maskable.png", include_bytes!("../page/static/icon-maskable.png")),
];
/// The service worker. It must not be in the folder of the other files, since it serves only its own folder
/// and those below.
const OFFLINE: &str = include_str!("../page/static/offline.js");
/// Additions to the head of the server's page, whose security headers a static host does not send.
const HEAD: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' \
'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
<link rel=\"manifest\" href=\"manifest.webmanifest\">\n\
<link rel=\"preload\" as=\"fetch\" crossorigin href=\"page/kelso.wasm\">\n";

/// Writes the files of the page into an empty folder. `module` is the engine as WebAssembly.
pub fn write(folder: &Path, module: &[u8]) -> io::Result<()> {
    let EmbeddedData { databases, book } = EmbeddedData::default();
    let databases = databases.concat();
    let (name, script) = assets::script(include_str!("../page/static/transport.js"));
    let mut files: Vec<File> = assets::files().chain(STATIC).collect();
    files.push((name, script.as_bytes()));
    files.extend([("kelso.wasm", module), ("kelso.book", book), ("kelso.egdb", &databases)]);
    let inner = assets::folder(files.iter().copied());
    fs::create_dir(folder.join(&inner))?;
    for (name, bytes) in &files {
        fs::write(folder.join(&inner).join(name), bytes)?;
    }
    fs::write(folder.join("index.html"), assets::index(&inner, HEAD))?;
    let manifest = json!({
        "name": "Kelso", "description": "A board and an engine for English draughts", "start_url": ".", "display": "standalone",
        "background_color": "#eeede9", "theme_color": "#1f6f54",
        "icons": [
            { "src": format!("{inner}/icon-192.png"), "sizes": "192x192", "type": "image/png" },
            { "src": format!("{inner}/icon-512.png"), "sizes": "512x512", "type": "image/png" },
            { "src": format!("{inner}/icon-maskable.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable" },
            { "src": format!("{inner}/icon.svg"), "sizes": "any", "type": "image/svg+xml" },
        ],
    });
    fs::write(folder.join("manifest.webmanifest"), manifest.to_string())?;
    let mut names = vec!["./".to_owned(), "manifest.webmanifest".to_owned()];
    names.extend(files.iter().map(|(name, _)| format!("{inner}/{name}")));
    let offline = OFFLINE
        .replace("\"VERSION\"", &json!(inner).to_string())
        .replace("FILES = []", &format!("FILES = {}", json!(names)));
    fs::write(folder.join("offline.js"), offline)
}
