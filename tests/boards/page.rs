//! Unit tests of the page's modules that need no browser. They are skipped if Node.js is not installed.

use std::path::Path;
use std::process::Command;

use crate::helpers::tools::skip;

#[test]
fn the_modules_of_the_page_pass_their_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    match Command::new("node").arg("--test").current_dir(folder).output() {
        Err(_) => skip("node"),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && text.contains("# pass "), "{text}");
        }
    }
}
