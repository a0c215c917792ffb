//! The files of the page, which are in the program: there is nothing to install, and no file of the machine is served.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::diagram;

/// A file of the page.
#[derive(Clone, Debug)]
pub(super) struct Asset {
    path: &'static str,
    pub(super) content_type: &'static str,
    pub(super) bytes: Cow<'static, [u8]>,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const fn asset(path: &'static str, content_type: &'static str, text: &'static str) -> Asset {
    Asset { path, content_type, bytes: Cow::Borrowed(text.as_bytes()) }
}

/// Files that lie beside this one in `page/`.
macro_rules! own {
    ($content_type:expr, $($name:literal),+) => {
        [$(asset(concat!("/page/", $name), $content_type, include_str!(concat!("page/", $name)))),+]
    };
}

const INDEX: &str = include_str!("page/index.html");

/// All of them. The style of boards, the pieces and the script that draws them are those of every picture of a board.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let mut assets = vec![
        asset("/page/style.css", CSS, diagram::STYLE),
        asset("/page/diagram.js", SCRIPT, diagram::SCRIPT),
    ];
    assets.extend(own!(CSS, "page.css"));
    assets.extend(own!(SVG, "icon.svg"));
    assets.extend(own!(
        SCRIPT,
        "analysis.js",
        "announcer.js",
        "board.js",
        "chart.js",
        "clock.js",
        "dialog.js",
        "dom.js",
        "engine.js",
        "library.js",
        "main.js",
        "movelist.js",
        "newgame.js",
        "pdn.js",
        "players.js",
        "play.js",
        "rules.js",
        "score.js",
        "seat.js",
        "setup.js",
        "store.js",
        "text.js",
        "tree.js",
        "why.js"
    ));
    // The browser fetches all scripts at once, rather than each when another has named it.
    let scripts = assets.iter().filter(|asset| asset.content_type == SCRIPT);
    let links = scripts
        .map(|asset| format!("<link rel=\"modulepreload\" href=\"{}\">\n", asset.path))
        .collect::<Vec<_>>();
    let index =
        INDEX.replace("<!-- scripts -->\n", &links.concat()).replace("<!-- pieces -->", diagram::PIECES);
    assets.push(Asset { path: "/", content_type: HTML, bytes: Cow::Owned(index.into_bytes()) });
    assets
});

/// The file that an address names.
pub(super) fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

impl Asset {
    /// What tells its contents from any other version's.
    pub(super) fn tag(&self) -> String {
        format!("\"{:08x}-{:x}\"", crc32fast::hash(&self.bytes), self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_loads_nothing_from_elsewhere() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(bytes <= 200 << 10, "{bytes} bytes");
        for Asset { path, bytes, .. } in ASSETS.iter() {
            let text = String::from_utf8_lossy(bytes);
            let elsewhere = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!elsewhere.contains("http://") && !elsewhere.contains("https://"), "{path}");
        }
    }

    #[test]
    fn what_a_script_or_the_page_names_is_there_and_nothing_else() {
        let mut named = vec!["/".to_owned()];
        for asset in ASSETS.iter() {
            let text = String::from_utf8_lossy(&asset.bytes);
            for (before, folder) in [("from \"./", "/page/"), ("=\"/page/", "/page/")] {
                let found = text.split(before).skip(1).filter_map(|rest| rest.split('"').next());
                named.extend(found.map(|name| format!("{folder}{name}")));
            }
        }
        for name in &named {
            assert!(find(name).is_some(), "{name}");
        }
        assert!(ASSETS.iter().all(|asset| named.iter().any(|name| name == asset.path)));
    }

    #[test]
    fn the_page_itself_has_no_text_but_its_name() {
        let body = INDEX.split("<body>").nth(1).unwrap();
        assert!(body.contains("<!-- pieces -->") && INDEX.contains("<!-- scripts -->\n"));
    }
}
