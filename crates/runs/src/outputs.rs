//! The output files of a command.
//!
//! A command declares the files that it reads and writes before it begins, and is refused if it would replace an existing file
//! without
//! `--overwrite`, write to one of its inputs, or write two outputs to one file. Files are compared by identity, so that
//! links and other spellings of a path make no difference.

use std::fs::{self, File};
use std::io::{self, Write, stderr, stdout};
use std::path::{Path, PathBuf};

use super::file::{self, Draft, WriteError};

/// The path that stands for standard output.
const STDOUT: &str = "-";

/// The reason why the outputs of a command were rejected or cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file already exists.
    #[error(
        "\"{}\" already exists; use {}--overwrite to replace it",
        path.display(),
        if *resumable { "--resume to continue it or " } else { "" }
    )]
    Exists {
        /// The file.
        path: PathBuf,
        /// Whether the command could resume it.
        resumable: bool,
    },
    /// An output is one of the files that are read.
    #[error("{option} would overwrite the input \"{}\"; choose another name", path.display())]
    Input {
        /// The option that names the output.
        option: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// Two outputs are the same file.
    #[error("{} and {} would both write to \"{}\"; choose another name", options[0], options[1], path.display())]
    Twice {
        /// The options that name it.
        options: [&'static str; 2],
        /// The file.
        path: PathBuf,
    },
    /// One option names a file twice.
    #[error("\"{}\" is given twice; name it once", path.display())]
    Repeated {
        /// The file.
        path: PathBuf,
    },
    /// An output is the file to which standard output is redirected.
    #[error("{option} would replace \"{}\", to which standard output goes; use {option} -", path.display())]
    Redirected {
        /// The option that names the output.
        option: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
}

/// The declared files that a command reads and writes.
#[derive(Debug)]
pub struct Outputs {
    overwrite: bool,
    inputs: Vec<Identity>,
    files: Vec<Output>,
}

#[derive(Debug)]
struct Output {
    option: &'static str,
    path: PathBuf,
    standard: bool,
    /// Whether existing files may be replaced.
    replace: bool,
    resumable: bool,
}

impl Outputs {
    /// Starts a declaration. Existing files may be replaced only with `overwrite`.
    pub const fn new(overwrite: bool) -> Self {
        Self { overwrite, inputs: Vec::new(), files: Vec::new() }
    }

    /// Declares files that are read. Paths that don't exist are ignored.
    #[must_use]
    pub fn reads(mut self, paths: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        self.inputs.extend(paths.into_iter().filter_map(|path| Identity::existing(path.as_ref())));
        self
    }

    /// Declares an output. `-` stands for standard output.
    #[must_use]
    pub fn writes(mut self, option: &'static str, path: Option<&PathBuf>) -> Self {
        if let Some(path) = path {
            let standard = path.as_os_str() == STDOUT;
            self.push(option, path, standard, self.overwrite, false);
        }
        self
    }

    /// Declares outputs that have to be files.
    #[must_use]
    pub fn writes_files(mut self, option: &'static str, paths: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        for path in paths {
            self.push(option, path.as_ref(), false, self.overwrite, false);
        }
        self
    }

    /// Declares the files that a resumable run keeps, the one that it resumes from first. With `resume` all of them may be
    /// replaced if the first exists.
    #[must_use]
    pub fn keeps<P: AsRef<Path>>(mut self, resume: bool, paths: impl IntoIterator<Item = P>) -> Self {
        let mut resumes = None;
        for path in paths {
            let path = path.as_ref();
            let resumes = *resumes.get_or_insert(resume && path.exists());
            self.push("--out", path, false, resumes || self.overwrite, !resume);
        }
        self
    }

    /// Declares a file that the run itself uses and that may not be an output.
    #[must_use]
    pub fn reserves(mut self, option: &'static str, path: &Path) -> Self {
        self.push(option, path, false, true, false);
        self
    }

    fn push(&mut self, option: &'static str, path: &Path, standard: bool, replace: bool, resumable: bool) {
        self.files.push(Output { option, path: path.to_owned(), standard, replace, resumable });
    }

    /// Checks the declaration, and that every file can be written.
    ///
    /// # Errors
    ///
    /// Returns an error if the declaration is refused, or a file cannot be written. No file has been changed then.
    pub fn check(self) -> Result<Checked, OutputError> {
        for (index, file) in self.files.iter().enumerate() {
            let earlier = self.files.get(..index).unwrap_or_default();
            file.check_against(earlier, &self.inputs)?;
        }
        for file in self.files.iter().filter(|file| !file.standard) {
            file::check(&file.path)?;
        }
        let stdout_taken = self.files.iter().any(|file| file.standard);
        let new = self.files.into_iter().filter(|file| !file.standard && !file.replace);
        Ok(Checked { stdout_taken, new: new.map(|file| file.path).collect() })
    }
}

impl Output {
    fn check_against(&self, earlier: &[Self], inputs: &[Identity]) -> Result<(), OutputError> {
        let path = || self.path.clone();
        let identity = self.identity();
        let same = |other: &&Self| {
            (self.standard && other.standard) || (identity.is_some() && identity == other.identity())
        };
        if let Some(other) = earlier.iter().find(same) {
            if other.option == self.option {
                return Err(OutputError::Repeated { path: path() });
            }
            return Err(OutputError::Twice { options: [other.option, self.option], path: path() });
        }
        if identity.as_ref().is_some_and(|identity| inputs.contains(identity)) {
            return Err(OutputError::Input { option: self.option, path: path() });
        }
        if identity.is_some() && identity == Identity::existing(Path::new("/dev/stdout")) {
            return Err(OutputError::Redirected { option: self.option, path: path() });
        }
        if !self.standard && !self.replace && would_be_replaced(&self.path) {
            return Err(OutputError::Exists { path: path(), resumable: self.resumable });
        }
        Ok(())
    }

    /// Returns `None` for standard output, devices and invalid paths.
    fn identity(&self) -> Option<Identity> {
        if self.standard { None } else { Identity::of(&self.path) }
    }
}

/// Returns whether writing would replace an existing file. Devices and pipes are not replaced, and directories are
/// rejected elsewhere.
fn would_be_replaced(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(there) => there.is_file(),
        // A broken link itself would be replaced.
        Err(_) => path.is_symlink(),
    }
}

/// The file that a path leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Identity {
    /// An existing file, by device and number.
    #[cfg(unix)]
    Numbered(u64, u64),
    /// A file by its directory, with links resolved, and its name.
    Named(PathBuf),
}

impl Identity {
    /// Returns `None` for devices and invalid paths.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(_) => Self::existing(path),
            Err(_) => Self::named(path),
        }
    }

    #[cfg(unix)]
    fn existing(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;

        let there = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Self::Numbered(there.dev(), there.ino()))
    }

    #[cfg(not(unix))]
    fn existing(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        path.canonicalize().ok().map(|path| Self::Named(folded(&path)))
    }

    /// Identifies a file that does not exist yet.
    fn named(path: &Path) -> Option<Self> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = path.file_name()?;
        Some(Self::Named(folded(&parent.canonicalize().ok()?.join(name))))
    }
}

/// Converts a path to lower case on systems that ignore case.
fn folded(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        path.to_string_lossy().to_lowercase().into()
    } else {
        path.to_owned()
    }
}

/// Outputs that a command may write.
#[derive(Debug)]
pub struct Checked {
    stdout_taken: bool,
    /// Files that must not replace existing ones.
    new: Vec<PathBuf>,
}

impl Checked {
    /// Returns the stream for text that users read: standard output, or standard error if an output goes to standard output.
    pub fn shown(&self) -> Box<dyn Write> {
        if self.stdout_taken { Box::new(stderr().lock()) } else { Box::new(stdout().lock()) }
    }

    /// Checks again, after the work, that an output does not replace a file without permission.
    ///
    /// # Errors
    ///
    /// Returns an error if such a file has appeared.
    pub fn check_again(&self, path: &Path) -> Result<(), OutputError> {
        let has_appeared = self.new.iter().any(|new| new == path) && would_be_replaced(path);
        if has_appeared {
            Err(OutputError::Exists { path: path.to_owned(), resumable: false })
        } else {
            Ok(())
        }
    }

    /// Writes a whole output, if there is a path.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written; an existing file is unchanged then.
    pub fn write(&self, path: Option<&Path>, text: impl FnOnce() -> String) -> Result<(), OutputError> {
        let Some(path) = path else { return Ok(()) };
        self.check_again(path)?;
        let mut out = Sink::open(Some(path))?;
        out.write(text().as_bytes())?;
        out.finish()
    }
}

/// An output that is written incrementally. A file appears when it is finished.
#[derive(Debug)]
pub enum Sink {
    /// Standard output.
    Standard(io::BufWriter<io::StdoutLock<'static>>),
    File(Draft, io::BufWriter<File>),
}

impl Sink {
    /// Opens a checked output: standard output without a path or for `-`.
    pub fn open(path: Option<&Path>) -> Result<Self, OutputError> {
        match path.filter(|path| path.as_os_str() != STDOUT) {
            None => Ok(Self::Standard(io::BufWriter::new(stdout().lock()))),
            Some(path) => {
                let (draft, file) = Draft::begin(path)?;
                Ok(Self::File(draft, io::BufWriter::new(file)))
            }
        }
    }

    /// Adds to the output.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.write_with(|out| out.write_all(bytes))
    }

    /// Adds the text that a function writes.
    pub fn write_with(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        match self {
            Self::Standard(out) => write(out).map_err(OutputError::Stdout),
            Self::File(draft, out) => write(out).map_err(|error| draft.error(error).into()),
        }
    }

    /// Finishes the output: a file appears under its name, empty if nothing was written.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written; an existing file is unchanged then.
    pub fn finish(self) -> Result<(), OutputError> {
        match self {
            Self::Standard(mut out) => out.flush().map_err(OutputError::Stdout),
            Self::File(draft, out) => {
                let file = out.into_inner().map_err(|error| draft.error(error.into_error()))?;
                Ok(draft.keep_as_begun(file)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;

    #[test]
    fn an_existing_file_is_replaced_only_with_overwrite() {
        let folder = Folder::new();
        let path = folder.path("a");
        assert!(Outputs::new(false).writes("--json", Some(&path)).check().is_ok());
        assert!(folder.names().is_empty(), "checking leaves nothing");
        fs::write(&path, "mine").unwrap();
        let refused = Outputs::new(false).writes("--json", Some(&path)).check().unwrap_err();
        assert!(matches!(refused, OutputError::Exists { resumable: false, .. }));
        assert!(refused.to_string().contains("--overwrite"));
        let outputs = Outputs::new(true).writes("--json", Some(&path)).check().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        outputs.write(Some(&path), || "new".to_owned()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn a_file_that_appears_during_the_work_is_not_replaced() {
        let folder = Folder::new();
        let path = folder.path("a");
        let outputs = Outputs::new(false).writes("--json", Some(&path)).check().unwrap();
        let mut sink = Sink::open(Some(&path)).unwrap();
        fs::write(&path, "mine").unwrap();
        let refused = outputs.write(Some(&path), || "new".to_owned()).unwrap_err();
        assert!(matches!(refused, OutputError::Exists { .. }));
        sink.write(b"new").unwrap();
        assert!(matches!(sink.finish(), Err(OutputError::Write(_))));
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), folder.names().len()), ("mine", 1));
    }

    #[test]
    fn what_a_run_keeps_is_resumed_only_where_there_is_something_to_resume() {
        let folder = Folder::new();
        let paths = [folder.path("a.jsonl"), folder.path("a.pdn")];
        fs::write(&paths[1], "games").unwrap();
        let refused = Outputs::new(false).keeps(true, &paths).check().unwrap_err();
        assert!(matches!(refused, OutputError::Exists { resumable: false, path } if path == paths[1]));
        fs::write(&paths[0], "state").unwrap();
        assert!(Outputs::new(false).keeps(true, &paths).check().is_ok());
        assert!(Outputs::new(false).keeps(false, &paths).check().is_err());
        assert!(Outputs::new(true).keeps(false, &paths).check().is_ok());
    }

    #[test]
    fn one_file_is_one_file_however_it_is_spelled() {
        let folder = Folder::new();
        let (path, other) = (folder.path("a"), folder.path(".").join("a"));
        let twice =
            || Outputs::new(true).writes("--json", Some(&path)).writes("--html", Some(&other)).check();
        assert!(matches!(twice(), Err(OutputError::Twice { options: ["--json", "--html"], .. })));
        fs::write(&path, "mine").unwrap();
        assert!(matches!(twice(), Err(OutputError::Twice { .. })));
        let input = Outputs::new(true).reads([&path]).writes_files("--out", [&other]).check();
        assert!(matches!(input, Err(OutputError::Input { option: "--out", .. })));
        let standard = PathBuf::from("-");
        let both = Outputs::new(false).writes("--json", Some(&standard)).writes("--html", Some(&standard));
        assert!(matches!(both.check(), Err(OutputError::Twice { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_the_files_that_they_lead_to() {
        use std::os::unix::fs::symlink;

        let folder = Folder::new();
        let [file, soft, hard, nowhere] = ["a", "soft", "hard", "nowhere"].map(|name| folder.path(name));
        fs::write(&file, "mine").unwrap();
        symlink(&file, &soft).unwrap();
        fs::hard_link(&file, &hard).unwrap();
        symlink(folder.path("none"), &nowhere).unwrap();
        for link in [&soft, &hard] {
            let input = Outputs::new(true).reads([&file]).writes_files("-o", [link]).check();
            assert!(matches!(input, Err(OutputError::Input { .. })), "{link:?}");
        }
        let kept = Outputs::new(false).writes_files("-o", [&nowhere]).check();
        assert!(matches!(kept, Err(OutputError::Exists { .. })));
        let null = PathBuf::from("/dev/null");
        assert!(Outputs::new(false).reads([&null]).writes("-o", Some(&null)).check().is_ok());
    }
}
