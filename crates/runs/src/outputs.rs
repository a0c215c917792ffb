//! The output files of a command.
//!
//! A command lists the files that it reads and writes before it begins. The command is rejected if it would
//! replace an existing file without `--overwrite`, write to one of its inputs, or write two outputs to one
//! file. Files are compared by identity, so links and different spellings of a path make no difference. It is
//! also rejected if an input cannot be opened, since an incomplete result would replace a complete one.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write, stderr, stdout};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::file::{self, AtomicFile, WriteError};

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
    /// An input cannot be opened.
    #[error("cannot read \"{}\": {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
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
    /// A file or standard output cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// An output as named by the user: the option and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputPath {
    /// The option, such as `--json`.
    pub option: String,
    path: PathBuf,
    is_stdout: bool,
}

impl OutputPath {
    /// Creates an output to a file.
    pub fn file(option: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self { option: option.into(), path: path.into(), is_stdout: false }
    }

    /// Creates an output to a file, or to standard output if the path is `-`.
    pub fn or_stdout(option: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { option: option.into(), is_stdout: path.as_os_str() == "-", path }
    }

    /// Returns another file for the same option: its path with an extension appended.
    #[must_use]
    pub fn extended(&self, extension: impl AsRef<OsStr>) -> Self {
        Self::file(&self.option, file::extended(&self.path, extension))
    }

    /// Returns the path, unless it is standard output.
    pub fn as_file(&self) -> Option<&Path> {
        if self.is_stdout { None } else { Some(&self.path) }
    }
}

impl Deref for OutputPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for OutputPath {
    fn as_ref(&self) -> &Path {
        self
    }
}

/// The files that a command reads and writes. All are listed first, then
/// [checked](Self::check); only then are the outputs written.
#[derive(Debug)]
pub struct Outputs {
    overwrite: bool,
    inputs: Vec<PathBuf>,
    /// Existing files that may also be inputs.
    possible: Vec<PathBuf>,
    files: Vec<Output>,
}

#[derive(Debug)]
struct Output {
    path: OutputPath,
    /// Whether existing files may be replaced.
    replace: bool,
    resumable: bool,
}

impl Outputs {
    /// Starts a list. Existing files may be replaced only with `overwrite`.
    pub const fn new(overwrite: bool) -> Self {
        Self { overwrite, inputs: Vec::new(), possible: Vec::new(), files: Vec::new() }
    }

    /// Lists input files.
    #[must_use]
    pub fn reads(mut self, paths: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        self.inputs.extend(paths.into_iter().map(|path| path.as_ref().to_owned()));
        self
    }

    /// Lists words that may name input files, such as the values of options.
    #[must_use]
    pub fn may_read(mut self, words: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        self.possible.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
        self
    }

    /// Lists outputs.
    #[must_use]
    pub fn writes<'a>(mut self, paths: impl IntoIterator<Item = &'a OutputPath>) -> Self {
        let replace = self.overwrite;
        let new = paths.into_iter().map(|path| Output { path: path.clone(), replace, resumable: false });
        self.files.extend(new);
        self
    }

    /// Lists the files of a resumable run, starting with the file that it resumes from. With `resume`, all of
    /// them may be replaced if the first exists.
    #[must_use]
    pub fn keeps(mut self, resume: bool, paths: impl IntoIterator<Item = OutputPath>) -> Self {
        let mut resumes = None;
        for path in paths {
            let resumes = *resumes.get_or_insert(resume && path.exists());
            self.files.push(Output { path, replace: resumes || self.overwrite, resumable: !resume });
        }
        self
    }

    /// Lists a file that the run uses itself, which must not be an output.
    #[must_use]
    pub fn reserves(mut self, path: OutputPath) -> Self {
        self.files.push(Output { path, replace: true, resumable: false });
        self
    }

    /// Checks the list, that every output can be written and, if an output is a file, that every input can be
    /// opened.
    ///
    /// # Errors
    ///
    /// If the list is rejected, or a file cannot be opened or written. In that case, no file has been changed.
    pub fn check(self) -> Result<Self, OutputError> {
        let inputs: Vec<_> =
            self.inputs.iter().chain(&self.possible).filter_map(|path| Identity::existing(path)).collect();
        for (index, file) in self.files.iter().enumerate() {
            let (earlier, _) = self.files.split_at(index);
            file.check_against(earlier, &inputs)?;
        }
        if self.files.iter().any(|file| file.path.as_file().is_some()) {
            self.inputs.iter().try_for_each(|path| {
                can_open(path).map_err(|error| OutputError::Unreadable { path: path.clone(), error })
            })?;
        }
        self.files.iter().filter_map(|file| file.path.as_file()).try_for_each(file::check)?;
        Ok(self)
    }

    /// Returns the stream for text that users read: standard output, or standard error if an output goes to
    /// standard output.
    pub fn shown(&self) -> Box<dyn Write> {
        let stdout_taken = self.files.iter().any(|file| file.path.is_stdout);
        if stdout_taken { Box::new(stderr().lock()) } else { Box::new(stdout().lock()) }
    }

    /// Checks again, after the work, that an output does not replace a file that it may not replace.
    ///
    /// # Errors
    ///
    /// If such a file has appeared.
    pub fn check_again(&self, path: &OutputPath) -> Result<(), OutputError> {
        let is_new = |file: &Output| file.path == *path && !file.replace;
        match path.as_file() {
            Some(file) if self.files.iter().any(is_new) && would_be_replaced(file) => {
                Err(OutputError::Exists { path: file.to_owned(), resumable: false })
            }
            _ => Ok(()),
        }
    }

    /// Opens an output to write it incrementally. `None` stands for standard output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, or would replace a file that has appeared.
    pub fn open(&self, path: Option<&OutputPath>) -> Result<AtomicFile, OutputError> {
        let Some(path) = path else { return Ok(AtomicFile::stdout()) };
        self.check_again(path)?;
        Ok(path.as_file().map_or_else(|| Ok(AtomicFile::stdout()), AtomicFile::create)?)
    }

    /// Writes a whole output, if there is a path.
    ///
    /// # Errors
    ///
    /// If the output cannot be written. An existing file is then unchanged.
    pub fn write(&self, path: Option<&OutputPath>, text: impl FnOnce() -> String) -> Result<(), OutputError> {
        if path.is_none() {
            return Ok(());
        }
        let mut out = self.open(path)?;
        out.write_with(|out| out.write_all(text().as_bytes()))?;
        Ok(out.commit()?)
    }
}

impl Output {
    fn check_against(&self, earlier: &[Self], inputs: &[Identity]) -> Result<(), OutputError> {
        let (path, option) = (|| self.path.to_path_buf(), || self.path.option.clone());
        let (identity, is_stdout) = (self.identity(), self.path.is_stdout);
        let same = |other: &&Self| {
            (is_stdout && other.path.is_stdout) || (identity.is_some() && identity == other.identity())
        };
        if let Some(Self { path: other, .. }) = earlier.iter().find(same) {
            if other.option == self.path.option {
                return Err(OutputError::Repeated { path: path() });
            }
            return Err(OutputError::Twice { options: [other.option.clone(), option()], path: path() });
        }
        if identity.as_ref().is_some_and(|identity| inputs.contains(identity)) {
            return Err(OutputError::Input { option: option(), path: path() });
        }
        if identity.is_some() && identity == Identity::existing(Path::new("/dev/stdout")) {
            return Err(OutputError::Redirected { option: option(), path: path() });
        }
        if !is_stdout && !self.replace && would_be_replaced(&self.path) {
            return Err(OutputError::Exists { path: path(), resumable: self.resumable });
        }
        Ok(())
    }

    /// Returns the identity of the file, or `None` for standard output, devices and invalid paths.
    fn identity(&self) -> Option<Identity> {
        self.path.as_file().and_then(Identity::of)
    }
}

/// Opens a file or a directory. Devices and pipes are not opened, since that could block, or end a pipe.
fn can_open(path: &Path) -> io::Result<()> {
    let there = fs::metadata(path)?;
    if there.is_dir() {
        fs::read_dir(path).map(drop)
    } else if there.is_file() {
        File::open(path).map(drop)
    } else {
        Ok(())
    }
}

/// Returns whether writing would replace an existing file. Devices and pipes are not replaced, and
/// directories are rejected elsewhere.
fn would_be_replaced(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(there) => there.is_file(),
        // A broken link would itself be replaced.
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
    /// Identifies a file. Returns `None` for devices and invalid paths.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;

    fn json(path: &Path) -> OutputPath {
        OutputPath::or_stdout("--json", path)
    }

    fn out(path: &Path) -> OutputPath {
        OutputPath::file("--out", path)
    }

    #[test]
    fn an_existing_file_is_replaced_only_with_overwrite() {
        let folder = Folder::new();
        let path = json(&folder.path("a"));
        assert!(Outputs::new(false).writes([&path]).check().is_ok());
        assert!(folder.names().is_empty(), "checking leaves nothing");
        fs::write(&path, "mine").unwrap();
        let refused = Outputs::new(false).writes([&path]).check().unwrap_err();
        assert!(matches!(refused, OutputError::Exists { resumable: false, .. }));
        assert!(refused.to_string().contains("--overwrite"));
        let outputs = Outputs::new(true).writes([&path]).check().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        outputs.write(Some(&path), || "new".to_owned()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn a_file_that_appears_during_the_work_is_not_replaced() {
        let folder = Folder::new();
        let path = json(&folder.path("a"));
        let outputs = Outputs::new(false).writes([&path]).check().unwrap();
        let mut file = outputs.open(Some(&path)).unwrap();
        fs::write(&path, "mine").unwrap();
        let refused = outputs.write(Some(&path), || "new".to_owned()).unwrap_err();
        assert!(matches!(refused, OutputError::Exists { .. }));
        file.write_all(b"new").unwrap();
        assert!(matches!(file.commit(), Err(WriteError::File { .. })));
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), folder.names().len()), ("mine", 1));
    }

    #[test]
    fn resume_requires_an_existing_run() {
        let folder = Folder::new();
        let paths = [".jsonl", ".pdn"].map(|end| out(&folder.path("a")).extended(end));
        fs::write(&paths[1], "games").unwrap();
        let refused = Outputs::new(false).keeps(true, paths.clone()).check().unwrap_err();
        assert!(matches!(refused, OutputError::Exists { resumable: false, path } if path == *paths[1]));
        fs::write(&paths[0], "state").unwrap();
        assert!(Outputs::new(false).keeps(true, paths.clone()).check().is_ok());
        let refused = Outputs::new(false).keeps(false, paths.clone()).check().unwrap_err();
        assert!(matches!(refused, OutputError::Exists { resumable: true, .. }));
        assert!(Outputs::new(true).keeps(false, paths.clone()).check().is_ok());
    }

    #[test]
    fn inputs_are_opened_before_an_output_is_written() {
        let folder = Folder::new();
        let [old, missing] = ["old", "missing"].map(|name| folder.path(name));
        fs::write(&old, "mine").unwrap();
        let outputs = || Outputs::new(true).reads([&missing]);
        let refused = outputs().writes([&out(&old)]).check().unwrap_err();
        assert!(refused.to_string().starts_with(&format!("cannot read \"{}\": ", missing.display())));
        assert!(outputs().check().is_ok() && outputs().writes([&json(Path::new("-"))]).check().is_ok());
        assert!(Outputs::new(true).may_read([&missing]).writes([&out(&old)]).check().is_ok());
        assert!(Outputs::new(true).reads([folder.path("")]).writes([&out(&old)]).check().is_ok());
    }

    #[test]
    fn different_paths_to_a_file_are_recognised() {
        let folder = Folder::new();
        let (path, other) = (json(&folder.path("a")), out(&folder.path(".").join("a")));
        let twice = || Outputs::new(true).writes([&path, &other]).check();
        assert!(matches!(twice(), Err(OutputError::Twice { options, .. }) if options == ["--json", "--out"]));
        fs::write(&path, "mine").unwrap();
        assert!(matches!(twice(), Err(OutputError::Twice { .. })));
        let input = Outputs::new(true).reads([&path]).writes([&other]).check();
        assert!(matches!(input, Err(OutputError::Input { option, .. }) if option == "--out"));
        let both = ["--json", "--html"].map(|option| OutputPath::or_stdout(option, "-"));
        assert!(matches!(Outputs::new(false).writes(&both).check(), Err(OutputError::Twice { .. })));
        // If standard output is not allowed, `-` is rejected.
        let file = Outputs::new(false).writes([&out(Path::new("-"))]).check();
        assert!(file.unwrap_err().to_string().contains("./-"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_resolved() {
        use std::os::unix::fs::symlink;

        let folder = Folder::new();
        let [file, soft, hard, nowhere] = ["a", "soft", "hard", "nowhere"].map(|name| folder.path(name));
        fs::write(&file, "mine").unwrap();
        symlink(&file, &soft).unwrap();
        fs::hard_link(&file, &hard).unwrap();
        symlink(folder.path("none"), &nowhere).unwrap();
        for link in [&soft, &hard] {
            let input = Outputs::new(true).reads([&file]).writes([&out(link)]).check();
            assert!(matches!(input, Err(OutputError::Input { .. })), "{link:?}");
        }
        let kept = Outputs::new(false).writes([&out(&nowhere)]).check();
        assert!(matches!(kept, Err(OutputError::Exists { .. })));
        let null = json(Path::new("/dev/null"));
        assert!(Outputs::new(false).reads([&null]).writes([&null]).check().is_ok());
    }
}
