//! The output files of a command.
//!
//! A command lists the files that it reads and writes before it begins. The command is rejected if it would
//! replace an existing file without permission, write to one of its inputs (also if standard output goes
//! there), write two outputs to one file, or write a file that another run is writing. Files are compared by
//! identity, so links and different spellings of a path make no difference. No file is changed before its
//! contents are complete, except for a journal, which is opened when the work begins.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::ops::Deref;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::error::RunError;
use super::file::{self, OutputFile};
use kelso_runtime::sync::lock;

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
#[must_use = "outputs are reserved until they are dropped"]
pub struct Outputs {
    overwrite: bool,
    /// Whether the command resumes a run.
    resumes: bool,
    inputs: Vec<PathBuf>,
    files: Vec<Output>,
    /// The files that other runs must not write, by their paths, until they are opened.
    reserved: Mutex<HashMap<PathBuf, OutputFile>>,
}

#[derive(Debug)]
struct Output {
    path: OutputPath,
    role: Role,
}

/// The contents of a file that a command writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Results, which replace a file only with permission.
    Results,
    /// Results of a resumable run, which are also replaced if it is resumed.
    RunResults,
    /// The state of a resumable run, which its lock protects. It is also replaced if the run is resumed.
    RunState { may_resume: bool },
    /// A file of the run itself, which its lock protects.
    Internal,
}

impl Outputs {
    /// Starts a list. Existing files may be replaced only with `overwrite`.
    pub fn new(overwrite: bool) -> Self {
        Self { overwrite, resumes: false, inputs: Vec::new(), files: Vec::new(), reserved: Mutex::default() }
    }

    /// Lists input files, or words that may name them, such as the values of options.
    pub fn reads(mut self, paths: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        self.inputs.extend(paths.into_iter().map(|path| path.as_ref().to_owned()));
        self
    }

    /// Lists outputs.
    pub fn writes<'a>(mut self, paths: impl IntoIterator<Item = &'a OutputPath>) -> Self {
        self.add(paths.into_iter().cloned(), Role::Results);
        self
    }

    /// Lists the files of a resumable run, starting with the file that it resumes from. With `resume`, all of
    /// them may be replaced if the first exists.
    pub fn keeps(mut self, resume: bool, paths: impl IntoIterator<Item = OutputPath>) -> Self {
        for (index, path) in paths.into_iter().enumerate() {
            if index == 0 {
                self.resumes = resume && path.exists();
            }
            self.add([path], Role::RunState { may_resume: !resume });
        }
        self
    }

    /// Lists further files of a resumable run, which may be replaced if it is resumed.
    pub fn continues<'a>(mut self, paths: impl IntoIterator<Item = &'a OutputPath>) -> Self {
        self.add(paths.into_iter().cloned(), Role::RunResults);
        self
    }

    /// Lists a file that the run uses itself, which must not be an output.
    pub fn reserves(mut self, path: OutputPath) -> Self {
        self.add([path], Role::Internal);
        self
    }

    fn add(&mut self, paths: impl IntoIterator<Item = OutputPath>, role: Role) {
        self.files.extend(paths.into_iter().map(|path| Output { path, role }));
    }

    /// Returns whether an existing file may be replaced.
    const fn may_replace(&self, role: Role) -> bool {
        match role {
            Role::Results => self.overwrite,
            Role::RunResults | Role::RunState { .. } => self.overwrite || self.resumes,
            Role::Internal => true,
        }
    }

    /// Checks the list, and that every output can be written. Reserves the outputs until the list is dropped.
    ///
    /// # Errors
    ///
    /// If the list is rejected, or a file cannot be written or is being written by another run. In that case,
    /// no file has been changed.
    pub fn check(self) -> Result<Self, RunError> {
        let inputs = self.inputs.iter().filter(|path| path.exists());
        let inputs: HashSet<_> = inputs.filter_map(|path| FileIdentity::of(path)).collect();
        let redirected = FileIdentity::of(Path::new("/dev/stdout"));
        if let Some(path) =
            self.inputs.iter().find(|path| redirected.is_some() && FileIdentity::of(path) == redirected)
        {
            return Err(RunError::Input { option: "standard output".to_owned(), path: path.clone() });
        }
        let mut options = HashMap::new();
        for Output { path: output, role } in &self.files {
            let identity =
                if output.is_stdout { Some(FileIdentity::Stdout) } else { FileIdentity::of(output) };
            if let Some(identity) = identity {
                if inputs.contains(&identity) {
                    return Err(RunError::Input {
                        option: output.option.clone(),
                        path: output.to_path_buf(),
                    });
                }
                if Some(&identity) == redirected.as_ref() {
                    let option = output.option.clone();
                    return Err(RunError::Redirected { option, path: output.to_path_buf() });
                }
                if let Some(other) = options.insert(identity, &output.option) {
                    let path = output.to_path_buf();
                    return Err(if *other == output.option {
                        RunError::Repeated { path }
                    } else {
                        RunError::Twice { options: [other.clone(), output.option.clone()], path }
                    });
                }
            }
            if !output.is_stdout && !self.may_replace(*role) && would_be_replaced(output) {
                let resumable = *role == Role::RunState { may_resume: true };
                return Err(RunError::Exists { path: output.to_path_buf(), resumable });
            }
        }
        for output in &self.files {
            if let Some(path) = output.path.as_file()
                && let Some(file) = file::reserve(path)?
                && matches!(output.role, Role::Results | Role::RunResults)
            {
                lock(&self.reserved).insert(path.to_owned(), file);
            }
        }
        Ok(self)
    }

    /// Returns the stream for text that users read: standard output, or standard error if an output goes to
    /// standard output.
    pub fn shown(&self) -> Box<dyn Write> {
        let stdout_taken = self.files.iter().any(|file| file.path.is_stdout);
        if stdout_taken { Box::new(stderr().lock()) } else { Box::new(stdout().lock()) }
    }

    /// Opens an output to write it incrementally. `None` stands for standard output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, or would replace a file that has appeared.
    pub fn open(&self, path: Option<&OutputPath>) -> Result<OutputFile, RunError> {
        let Some(file) = path.and_then(OutputPath::as_file) else { return Ok(OutputFile::stdout()) };
        let is_new = self.files.iter().any(|output| *output.path == *file && !self.may_replace(output.role));
        if is_new && would_be_replaced(file) {
            return Err(RunError::Exists { path: file.to_owned(), resumable: false });
        }
        lock(&self.reserved).remove(file);
        OutputFile::create(file)
    }

    /// Opens an output to which lines are appended under its final name, so that a kill loses none. If the
    /// run is resumed, the lines follow the earlier ones; otherwise, an existing file is replaced now.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, or would replace a file that has appeared.
    pub fn journal(&self, path: &OutputPath) -> Result<OutputFile, RunError> {
        if !self.resumes || !path.exists() {
            self.open(Some(path))?.commit()?;
        }
        // Other runs must not write it either while it grows.
        if let Some(file) = file::reserve(path)? {
            lock(&self.reserved).insert(path.to_path_buf(), file);
        }
        OutputFile::append_lines(path)
    }

    /// Writes a whole output, if there is a path.
    ///
    /// # Errors
    ///
    /// If the output cannot be written. An existing file is then unchanged.
    pub fn write<C: AsRef<[u8]>>(
        &self,
        path: Option<&OutputPath>,
        contents: impl FnOnce() -> C,
    ) -> Result<(), RunError> {
        if path.is_none() {
            return Ok(());
        }
        let mut out = self.open(path)?;
        out.write_with(|out| out.write_all(contents().as_ref()))?;
        out.commit()
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
#[derive(PartialEq, Eq, Hash, Debug)]
enum FileIdentity {
    Stdout,
    /// An existing file, by device and number.
    #[cfg(unix)]
    Numbered(u64, u64),
    /// A file by its path, with links resolved.
    Named(PathBuf),
}

impl FileIdentity {
    /// Identifies a file, which need not exist. Returns `None` for devices, folders and invalid paths.
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok();
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return None;
        }
        #[cfg(unix)]
        if let Some(metadata) = metadata {
            return Some(Self::Numbered(metadata.dev(), metadata.ino()));
        }
        let path = match path.canonicalize() {
            Ok(path) => path,
            Err(_) => file::folder(path).canonicalize().ok()?.join(path.file_name()?),
        };
        let ignores_case = cfg!(any(windows, target_os = "macos"));
        Some(Self::Named(if ignores_case { path.to_string_lossy().to_lowercase().into() } else { path }))
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
        assert!(matches!(refused, RunError::Exists { resumable: false, .. }));
        assert!(refused.to_string().ends_with("already exists"));
        let outputs = Outputs::new(true).writes([&path]).check().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        outputs.write(Some(&path), || "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn a_file_that_appears_during_the_work_is_not_replaced() {
        let folder = Folder::new();
        let path = json(&folder.path("a"));
        let outputs = Outputs::new(false).writes([&path]).check().unwrap();
        let mut file = outputs.open(Some(&path)).unwrap();
        fs::write(&path, "mine").unwrap();
        let refused = outputs.write(Some(&path), || "new").unwrap_err();
        assert!(matches!(refused, RunError::Exists { .. }));
        file.write_all(b"new").unwrap();
        assert!(matches!(file.commit(), Err(RunError::Io { .. })));
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), folder.names().len()), ("mine", 1));
    }

    #[test]
    fn a_journal_continues_only_with_its_run() {
        let folder = Folder::new();
        let [state, log] = [".jsonl", ".log"].map(|end| out(&folder.path("a")).extended(end));
        let journal = |overwrite: bool, resume: bool| {
            let outputs = Outputs::new(overwrite).keeps(resume, [state.clone()]).continues([&log]).check()?;
            outputs.journal(&log)?.write_with(|out| out.write_all(b"line\nli"))
        };
        journal(false, true).unwrap();
        // Without the run that it belongs to, the journal is a file like any other.
        assert!(matches!(journal(false, true), Err(RunError::Exists { .. })));
        fs::write(&state, "state").unwrap();
        journal(false, true).unwrap();
        assert_eq!(folder.read("a.log"), "line\nli\nline\nli");
        journal(true, false).unwrap();
        assert_eq!(folder.read("a.log"), "line\nli");
    }

    #[test]
    fn resume_requires_an_existing_run() {
        let folder = Folder::new();
        let paths = [".jsonl", ".pdn"].map(|end| out(&folder.path("a")).extended(end));
        fs::write(&paths[1], "games").unwrap();
        let refused = Outputs::new(false).keeps(true, paths.clone()).check().unwrap_err();
        assert!(matches!(refused, RunError::Exists { resumable: false, path } if path == *paths[1]));
        fs::write(&paths[0], "state").unwrap();
        assert!(Outputs::new(false).keeps(true, paths.clone()).check().is_ok());
        let refused = Outputs::new(false).keeps(false, paths.clone()).check().unwrap_err();
        assert!(matches!(refused, RunError::Exists { resumable: true, .. }));
        assert!(Outputs::new(true).keeps(false, paths.clone()).check().is_ok());
    }

    #[test]
    fn different_paths_to_a_file_are_recognised() {
        let folder = Folder::new();
        let (path, other) = (json(&folder.path("a")), out(&folder.path(".").join("a")));
        let twice = || Outputs::new(true).writes([&path, &other]).check();
        assert!(matches!(twice(), Err(RunError::Twice { options, .. }) if options == ["--json", "--out"]));
        fs::write(&path, "mine").unwrap();
        assert!(matches!(twice(), Err(RunError::Twice { .. })));
        let input = Outputs::new(true).reads([&path]).writes([&other]).check();
        assert!(matches!(input, Err(RunError::Input { option, .. }) if option == "--out"));
        let both = ["--json", "--html"].map(|option| OutputPath::or_stdout(option, "-"));
        assert!(matches!(Outputs::new(false).writes(&both).check(), Err(RunError::Twice { .. })));
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
            assert!(matches!(input, Err(RunError::Input { .. })), "{link:?}");
        }
        let kept = Outputs::new(false).writes([&out(&nowhere)]).check();
        assert!(matches!(kept, Err(RunError::Exists { .. })));
        let null = json(Path::new("/dev/null"));
        assert!(Outputs::new(false).reads([&null]).writes([&null]).check().is_ok());
    }
}
