//! Code shared by the tests and `tests/measure`: random positions, a second implementation of the rules, and
//! readers of the test data.
#![allow(dead_code, reason = "the tests and the measuring program use different parts")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

pub mod damage;
pub mod endings;
pub mod problems;
pub mod random;
pub mod rules;
pub mod shots;

use std::path::{Path, PathBuf};

/// Returns the path of a test data file.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Returns the lines of a data file, without comments and blank lines.
fn lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(data(name)).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}
