//! Programs that some tests need besides Rust. A test without its program is skipped and reports that.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Variable;

/// The file that lists the skipped tests of the last run. `.ci/run` shows it at the end.
const SKIPPED: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/skipped.txt");

/// Reports that a test is skipped, on the terminal and in the file [`SKIPPED`].
///
/// # Panics
///
/// Panics if `KELSO_MAY_MISS` is set (as by `.ci/run`) but does not name the tool.
pub fn skip(tool: &str) {
    static FILE: OnceLock<Mutex<File>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let file = OpenOptions::new().create(true).write(true).truncate(true).open(SKIPPED);
        Mutex::new(file.unwrap_or_else(|error| panic!("cannot write \"{SKIPPED}\": {error}")))
    });
    let thread = std::thread::current();
    let line = format!("skipped: {}: no {tool}\n", thread.name().unwrap_or("a test"));
    file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes()).unwrap();
    // Do not use `eprint!`, whose output the test runner shows only if the test fails.
    std::io::stderr().write_all(line.as_bytes()).unwrap();
    if let Some(optional) = Variable::MayMiss.read() {
        let optional = optional.to_string_lossy();
        let word = tool.split(' ').next();
        assert!(
            optional.split_whitespace().any(|name| Some(name) == word),
            "{}: {line}",
            Variable::MayMiss.name()
        );
    }
}

pub fn found(program: &Path) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}

/// Returns whether a program can be run. If not, reports that the test is skipped.
pub fn has(program: &str) -> bool {
    let found = found(Path::new(program));
    if !found {
        skip(program);
    }
    found
}

/// Returns the Python to use: the value of `KELSO_PYTHON`, or the Python on the path.
pub fn python() -> Option<PathBuf> {
    let known = ["python3", "python"].map(PathBuf::from);
    let python = Variable::Python.read().into_iter().chain(known).find(|path| found(path));
    if python.is_none() {
        skip("python3");
    }
    python
}
