//! What several integration tests need.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use common::checkpoint;
pub use common::testing::Folder;
use tournament::header::Header;
use tournament::record::GameRecord;

pub mod console;
pub mod engine;
pub mod library;

/// The whole number that a variable of the environment sets, to make a long test shorter or longer.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{variable} is a whole number, not {text:?}"))
    })
}

/// The games of a match, from its state.
pub fn games(state: &Path) -> Vec<GameRecord> {
    let mut games = Vec::new();
    checkpoint::read::<Header>(state, false, &mut |game| games.push(game)).unwrap();
    games
}

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

/// The mock engine as a part of a command line.
pub fn mock_command(actions: &str) -> String {
    format!("{} {actions}", players::process::quoted(mock_engine().to_str().unwrap()))
}

/// The `kelso` program.
pub fn kelso() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kelso"))
}

/// What a program printed and its exit status.
pub fn result(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// Whether all that was said is notes, and how far something is, as `3/10 games`: on a busy machine anything may take
/// the two seconds after which that is told.
pub fn only_progress(errors: &str) -> bool {
    let is_share = |word: &str| {
        word.split_once('/')
            .is_some_and(|(done, all)| done.parse::<u64>().is_ok() && all.parse::<u64>().is_ok())
    };
    errors.lines().all(|line| line.starts_with("note: ") || line.split_whitespace().any(is_share))
}
