//! Helpers for several integration tests.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

use kelso_batch::checkpoint;
pub use kelso_batch::testing::Folder;
use kelso_tournament::header::MatchHeader;
use kelso_tournament::match_game::MatchGame;

pub mod console;
pub mod engine;
pub mod library;
pub mod processes;
pub mod tools;

/// Environment variables that the tests read. If a variable is not set, the tests that need it are skipped.
#[derive(Clone, Copy, Debug)]
pub enum Variable {
    /// A Python with pydraughts.
    Python,
    /// A folder `node_modules` with playwright-core and axe-core.
    BrowserModules,
    /// The engine as WebAssembly.
    WebModule,
    /// The Chromium to use.
    Chromium,
    /// The tools that may be missing, separated by spaces. If any other tool is missing, tests fail instead
    /// of being skipped.
    MayMiss,
    /// If set, snapshots such as `tests/data/messages` are updated.
    Update,
}

impl Variable {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Python => "KELSO_PYTHON",
            Self::BrowserModules => "KELSO_BROWSER_MODULES",
            Self::WebModule => "KELSO_WEB_MODULE",
            Self::Chromium => "KELSO_CHROMIUM",
            Self::MayMiss => "KELSO_MAY_MISS",
            Self::Update => "KELSO_UPDATE",
        }
    }

    pub fn read(self) -> Option<PathBuf> {
        std::env::var_os(self.name()).map(PathBuf::from)
    }
}

pub fn games(state: &Path) -> Vec<MatchGame> {
    let mut games = Vec::new();
    checkpoint::read::<MatchHeader>(state, false, &mut |game| games.push(game)).unwrap();
    games
}

/// Returns the path of a program in `examples`. `cargo test` builds it along with the tests, but `cargo test
/// --test NAME` does not, so it is built here if missing.
pub fn example(name: &str) -> PathBuf {
    static BUILDING: Mutex<()> = Mutex::new(());
    let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let path = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !path.is_file() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--example", name]).current_dir(env!("CARGO_MANIFEST_DIR"));
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
    }
    assert!(path.is_file(), "{} is missing", path.display());
    path
}

pub fn mock_engine() -> PathBuf {
    example("mock_engine")
}

/// Returns a command line of the mock engine.
pub fn mock_command(actions: &str) -> String {
    format!("{} {actions}", kelso_process::quoted(mock_engine().to_str().unwrap()))
}

pub fn kelso() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kelso"))
}

/// Returns the output, errors and status of a program.
pub fn result(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// Returns whether all messages are notes or progress such as `3/10 games`, which appears after two seconds
/// on a busy machine.
pub fn only_progress(errors: &str) -> bool {
    errors.lines().all(|line| line.starts_with("note: ") || is_progress(line))
}

/// Returns whether a line shows progress, as `57/60 positions 14/s 0s` does.
pub fn is_progress(line: &str) -> bool {
    let is_share = |word: &str| {
        word.split_once('/')
            .is_some_and(|(done, all)| done.parse::<u64>().is_ok() && all.parse::<u64>().is_ok())
    };
    line.split_whitespace().any(is_share)
}
