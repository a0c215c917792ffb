//! The board of `kelso serve` in Chromium. Passed over, with a word, where there is no Chromium, no node, or no folder with
//! playwright-core and axe-core, which `KELSO_BROWSER_MODULES` names; `.ci/run` makes one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder `node_modules` with playwright-core and axe-core.
fn modules() -> Option<PathBuf> {
    let named = std::env::var_os("KELSO_BROWSER_MODULES").map(PathBuf::from)?;
    ["playwright-core", "axe-core"].iter().all(|name| named.join(name).is_dir()).then_some(named)
}

fn chromium() -> Option<PathBuf> {
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    std::env::var_os("KELSO_CHROMIUM").map(PathBuf::from).into_iter().chain(known).find(|path| path.is_file())
}

#[test]
fn the_board_works_in_a_browser() {
    let (Some(modules), Some(chromium)) = (modules(), chromium()) else {
        println!("passed over: no Chromium, or no KELSO_BROWSER_MODULES with playwright-core and axe-core");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/board.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(env!("CARGO_BIN_EXE_kelso")).arg(modules).env("KELSO_CHROMIUM", chromium);
    match node.output() {
        Err(error) => println!("passed over: no node ({error})"),
        Ok(output) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            print!("{}", text(&output.stdout));
            assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        }
    }
}
