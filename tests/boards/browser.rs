//! Tests in Chromium of the board of `kelso serve`, and of the static site with the built-in engine. A test
//! is skipped if Chromium, Node.js, or a folder with playwright-core and axe-core is missing; `.ci/run`
//! creates the folder. The static files also need the engine as WebAssembly, which `.ci/run` builds if it
//! can.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::helpers::tools::skip;
use crate::helpers::{Folder, Variable};

/// Returns the `node_modules` folder with playwright-core and axe-core.
fn modules() -> Option<PathBuf> {
    let named = Variable::BrowserModules.read()?;
    ["playwright-core", "axe-core"].iter().all(|name| named.join(name).is_dir()).then_some(named)
}

fn chromium() -> Option<PathBuf> {
    let known =
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].map(PathBuf::from);
    Variable::Chromium.read().into_iter().chain(known).find(|path| path.is_file())
}

/// Runs checks on the board of a program or of a folder: all whose names contain some words, those of the
/// `library`, or the `core`.
fn check(board: &Path, names: &str) {
    let (Some(modules), Some(chromium)) = (modules(), chromium()) else {
        let variable = Variable::BrowserModules.name();
        return skip(&format!("chromium (with playwright-core and axe-core in {variable})"));
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/board.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(board).arg(modules).args(["", names]);
    node.env(Variable::Chromium.name(), chromium);
    finish(node);
}

/// Runs a command that must succeed.
fn finish(mut node: Command) {
    match node.output() {
        Err(_) => skip("node"),
        Ok(output) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            print!("{}", text(&output.stdout));
            assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        }
    }
}

#[test]
fn the_board_works_in_firefox() {
    let modules = Variable::BrowserModules.read().filter(|path| path.join("puppeteer-core").is_dir());
    let known = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].map(PathBuf::from);
    let (Some(modules), Some(firefox)) = (modules, known.into_iter().find(|path| path.is_file())) else {
        return skip("firefox (with puppeteer-core in the folder of the browser's modules)");
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/firefox.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(env!("CARGO_BIN_EXE_kelso")).arg(modules).arg(firefox);
    finish(node);
}

#[test]
fn a_site_is_made_from_the_module_next_to_the_program() {
    let folder = Folder::new();
    let program = folder.path(&format!("kelso{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(env!("CARGO_BIN_EXE_kelso"), &program).unwrap();
    let make = || Command::new(&program).arg("site").arg(folder.path("site")).output().unwrap();
    let error = String::from_utf8(make().stderr).unwrap();
    assert!(
        error.starts_with("error: cannot read \"") && error.ends_with("or name it with --module\n"),
        "{error}"
    );
    let module = b"\0asm\x01\0\0\0\0\x03\x01ab";
    for incomplete in [b"", b"text", &module[..4], &module[..9], &module[..12]] as [&[u8]; 5] {
        std::fs::write(folder.path("kelso.wasm"), incomplete).unwrap();
        let error = String::from_utf8(make().stderr).unwrap();
        assert!(error.ends_with("is not a complete WebAssembly module\n"), "{incomplete:?}: {error}");
    }
    std::fs::write(folder.path("kelso.wasm"), module).unwrap();
    assert!(make().status.success());
    assert!(folder.path("site").join("index.html").is_file());
}

#[test]
fn the_library_keeps_games_in_browsers() {
    check(Path::new(env!("CARGO_BIN_EXE_kelso")), "library");
}

#[test]
fn each_mode_of_the_board_works_in_a_browser() {
    check(Path::new(env!("CARGO_BIN_EXE_kelso")), "core");
}

/// Run them with `cargo test --release --test all -- --ignored the_board_works` after changes of the page.
/// These checks run one after another, since two concurrent browsers would slow each other down.
#[test]
#[ignore = "takes five minutes of processor time"]
fn the_board_works_in_a_browser_with_and_without_a_server() {
    check(Path::new(env!("CARGO_BIN_EXE_kelso")), "");
    let Some(module) = Variable::WebModule.read() else {
        return skip(&format!("webassembly ({})", Variable::WebModule.name()));
    };
    let folder = Folder::new();
    let site = folder.path("site");
    let make = || {
        Command::new(env!("CARGO_BIN_EXE_kelso")).arg("site").arg(&site).arg("--module").arg(&module).output()
    };
    assert!(make().unwrap().status.success());
    let again = String::from_utf8(make().unwrap().stderr).unwrap();
    assert!(again.starts_with("error: cannot create \"") && again.contains("exists"), "{again}");
    check(&site, "");
}
