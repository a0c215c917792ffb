//! The board of `kelso serve` in Chromium. The test is skipped with a message if there is no Chromium, no node, or no
//! folder with playwright-core and axe-core; `.ci/run` makes one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Variable;

/// Returns the folder `node_modules` with playwright-core and axe-core.
fn modules() -> Option<PathBuf> {
    let named = Variable::BrowserModules.read()?;
    ["playwright-core", "axe-core"].iter().all(|name| named.join(name).is_dir()).then_some(named)
}

fn chromium() -> Option<PathBuf> {
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    Variable::Chromium.read().into_iter().chain(known).find(|path| path.is_file())
}

#[test]
fn the_board_works_in_a_browser() {
    let (Some(modules), Some(chromium)) = (modules(), chromium()) else {
        let variable = Variable::BrowserModules.name();
        return println!("skipped: Chromium, or {variable} with playwright-core and axe-core, is missing");
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/board.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(env!("CARGO_BIN_EXE_kelso")).arg(modules);
    match node.env(Variable::Chromium.name(), chromium).output() {
        Err(error) => println!("skipped: cannot start node: {error}"),
        Ok(output) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            print!("{}", text(&output.stdout));
            assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        }
    }
}
