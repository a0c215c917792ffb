//! The errors of runs.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

/// The reason why a file of a command cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// A file cannot be read or written, or a folder cannot be created.
    #[error("cannot {action} \"{}\": {error}", path.display())]
    Io {
        /// The action that failed.
        action: &'static str,
        path: PathBuf,
        /// The error from the system.
        error: io::Error,
    },
    /// A file already exists.
    #[error("\"{}\" already exists", path.display())]
    Exists {
        path: PathBuf,
        /// The command can resume the run.
        resumable: bool,
    },
    /// An output is one of the inputs.
    #[error("{option} would overwrite the input \"{}\"; choose another name", path.display())]
    Input {
        /// The option that names the output.
        option: String,
        path: PathBuf,
    },
    /// Two outputs are the same file.
    #[error("{} and {} would both write to \"{}\"; choose another name", options[0], options[1], path.display())]
    Twice {
        /// The options that name the file.
        options: [String; 2],
        path: PathBuf,
    },
    /// One option names a file twice.
    #[error("\"{}\" is given twice; name it once", path.display())]
    Repeated { path: PathBuf },
    /// An output is the file to which standard output is redirected.
    #[error("{option} would replace \"{}\", to which standard output goes; use {option} -", path.display())]
    Redirected {
        /// The option that names the output.
        option: String,
        path: PathBuf,
    },
    /// Another run is writing the file.
    #[error("\"{}\" is being written by another run", .0.display())]
    Busy(PathBuf),
    /// The file is of another kind.
    #[error("\"{}\" is not {kind}: {reason}", path.display())]
    Foreign {
        path: PathBuf,
        /// The expected kind of file with its article, such as "a match checkpoint".
        kind: String,
        reason: String,
    },
    /// A part of the file cannot be read.
    #[error("\"{}\" is damaged: {fault}{salvage}", path.display())]
    Damaged {
        path: PathBuf,
        /// The first damaged part and what is wrong with it, such as "line 3: wrong checksum".
        fault: String,
        salvage: Salvage,
    },
    /// The file belongs to a run with other settings.
    #[error("\"{}\" belongs to another {job}: {difference}", path.display())]
    OtherRun {
        path: PathBuf,
        /// The kind of run, such as "match".
        job: &'static str,
        /// A description of the changed setting.
        difference: String,
    },
    /// A program that affects the results has changed.
    #[error("cannot resume \"{}\": {difference}", path.display())]
    ChangedProgram {
        path: PathBuf,
        /// A description of the changed program.
        difference: String,
    },
}

/// The part of a damaged file that can be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Salvage {
    /// With [`ResumePolicy::salvage`](crate::checkpoint::ResumePolicy::salvage), the other lines.
    Lines,
    /// With that policy, the lines before the damaged one, on which all later ones depend.
    Start,
    /// Nothing, unless the user does by hand what these words say.
    Manual(&'static str),
}

impl Display for Salvage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Self::Manual(words) = self { write!(f, "; {words}") } else { Ok(()) }
    }
}

/// Returns a function that wraps a system error of an action that is not a write.
pub fn failed(action: &'static str, path: &Path) -> impl Fn(io::Error) -> RunError {
    move |error| RunError::Io { action, path: path.to_owned(), error }
}

/// Returns a function that wraps a system error of a write.
pub fn cannot_write(path: &Path) -> impl Fn(io::Error) -> RunError {
    failed("write", path)
}

/// Describes a setting that has changed.
pub fn changed<T: Serialize + PartialEq>(name: &str, old: &T, now: &T) -> Option<String> {
    (old != now).then(|| format!("{name} was {} and is now {}", json(old), json(now)))
}

#[expect(clippy::expect_used, reason = "settings are numbers, words and lists of them")]
pub(crate) fn json(setting: &impl Serialize) -> Value {
    serde_json::to_value(setting).expect("a setting can be written as JSON")
}
