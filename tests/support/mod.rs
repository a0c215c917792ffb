//! What several integration tests need.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The program of `examples/mock_engine.rs`. `cargo test` builds it along with the tests, but `cargo test --test NAME`
/// does not, so it is built here if it is missing.
pub fn mock_engine() -> PathBuf {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.ancestors().nth(2).unwrap();
        let path = profile.join("examples").join(format!("mock_engine{}", std::env::consts::EXE_SUFFIX));
        if !path.is_file() {
            let mut build = Command::new(env!("CARGO"));
            build
                .args(["build", "--quiet", "--example", "mock_engine"])
                .current_dir(env!("CARGO_MANIFEST_DIR"));
            if !cfg!(debug_assertions) {
                build.arg("--release");
            }
            assert!(build.status().unwrap().success());
        }
        path
    });
    assert!(path.is_file(), "no {}", path.display());
    path.clone()
}
