//! Atomic writing of files.
//!
//! A file is written under a temporary name in the same directory, synced to disk, and then renamed. Readers
//! see either the old file or the new file, even after a full disk, a kill or a power cut. A killed run may
//! leave a temporary file, whose name ends in `.tmp`; the next run that writes the same file removes it.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::{RunError, cannot_write, failed};
use super::signal;
use super::temporaries::TEMPORARIES;
use kelso_runtime::sync::lock;

/// Writes a whole file atomically. An existing file is replaced, with its permissions kept.
///
/// # Errors
///
/// If the file cannot be written. An existing file is then unchanged.
///
/// ```
/// use kelso_batch::file;
///
/// let error = file::write("no/such/folder/a.txt".as_ref(), b"text").unwrap_err();
/// assert!(error.to_string().starts_with("cannot write \"no/such/folder/a.txt\": "));
/// ```
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let mut file = OutputFile::create(path)?;
    file.write_with(|out| out.write_all(bytes))?;
    file.commit()
}

/// Appends an extension. `with_extension` would instead replace the `.1` in a name like `cup.1`.
pub fn extended(name: &Path, extension: impl AsRef<OsStr>) -> PathBuf {
    let mut path = name.as_os_str().to_owned();
    path.push(extension);
    path.into()
}

pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a file can be written, to be called before the work on its contents begins. While the returned
/// file exists, other runs are refused.
///
/// # Errors
///
/// If the file cannot be written, or another run is writing it.
pub fn reserve(path: &Path) -> Result<Option<OutputFile>, RunError> {
    // Do not open a pipe here: closing it would end its reader's input.
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return Ok(None);
    }
    let file = OutputFile::create(path)?;
    // Search for other runs only now, since they search for this file.
    if file.temporary.as_ref().is_some_and(|temporary| remove_leftovers(&temporary.target)) {
        return Err(RunError::Busy(path.to_owned()));
    }
    Ok(Some(file))
}

/// A file that gets its name when it is committed, and is otherwise removed. Standard output, devices and
/// pipes cannot be replaced, so they are written directly.
#[derive(Debug)]
pub struct OutputFile {
    /// The path as given, for errors, and the file; `None` for standard output.
    file: Option<(PathBuf, BufWriter<File>)>,
    /// The temporary name, or `None` if the output is written directly.
    temporary: Option<Temporary>,
}

/// The temporary name of a file until it is committed.
#[derive(Debug)]
struct Temporary {
    name: PathBuf,
    /// The file at the path, with links resolved.
    target: PathBuf,
    /// No file had this name when the run began.
    is_new: bool,
}

impl OutputFile {
    /// Begins a file. Fails if a directory or permission is missing, before hours of work.
    pub fn create(path: &Path) -> Result<Self, RunError> {
        let (temporary, file) = open(path).map_err(cannot_write(path))?;
        Ok(Self { file: Some((path.to_owned(), BufWriter::new(file))), temporary })
    }

    /// Opens a committed file, to which text is then appended directly.
    pub fn append(path: &Path) -> Result<Self, RunError> {
        let file = File::options().append(true).open(path).map_err(cannot_write(path))?;
        Ok(Self { file: Some((path.to_owned(), BufWriter::new(file))), temporary: None })
    }

    /// Opens a file to which lines are then appended directly, after a line break if its last line is
    /// incomplete.
    pub fn append_lines(path: &Path) -> Result<Self, RunError> {
        let mut file = Self::append(path)?;
        if fs::metadata(path).is_ok_and(|there| there.is_file() && there.len() > 0) {
            let mut last = [0];
            let mut old = File::open(path).map_err(failed("read", path))?;
            old.seek(SeekFrom::End(-1))
                .and_then(|_| old.read_exact(&mut last))
                .map_err(failed("read", path))?;
            if last != *b"\n" {
                file.write_with(|out| out.write_all(b"\n"))?;
            }
        }
        Ok(file)
    }

    /// Returns standard output.
    pub const fn stdout() -> Self {
        Self { file: None, temporary: None }
    }

    /// Returns whether the output is standard output, a device or a pipe, and cannot be taken back.
    pub const fn is_written_directly(&self) -> bool {
        self.temporary.is_none()
    }

    /// Appends the text that a function writes.
    pub fn write_with(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), RunError> {
        let written = write(self);
        written.map_err(|error| match &self.file {
            Some((path, _)) => cannot_write(path)(error),
            None => RunError::Stdout(error),
        })
    }

    /// Returns the temporary name of the file, for a library that opens files itself; `None` if the output is
    /// written directly.
    pub fn temporary(&self) -> io::Result<Option<&Path>> {
        // There, a lock excludes other parts of the program.
        if cfg!(windows)
            && let Some((_, file)) = &self.file
        {
            file.get_ref().unlock()?;
        }
        Ok(self.temporary.as_ref().map(|temporary| &*temporary.name))
    }

    /// Renames the file to its final name, replacing the file that had that name when writing began.
    ///
    /// # Errors
    ///
    /// If the system reports an error, or another file of that name has appeared. In that case, existing
    /// files are unchanged.
    pub fn commit(mut self) -> Result<(), RunError> {
        self.write_with(|out| out.flush())?;
        match (self.temporary, self.file) {
            (Some(temporary), Some((path, out))) => {
                temporary.commit(out.into_parts().0).map_err(cannot_write(&path))
            }
            _ => Ok(()),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some((_, file)) => file.write(bytes),
            None => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Some((_, file)) => file.flush(),
            None => io::stdout().flush(),
        }
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.as_mut().map_or(Err(io::ErrorKind::NotSeekable.into()), |(_, file)| file.seek(to))
    }
}

/// Opens a device directly, or a temporary file in place of any other file.
fn open(path: &Path) -> io::Result<(Option<Temporary>, File)> {
    if path.as_os_str() == "-" {
        return Err(io::Error::other(
            "standard output is not supported here; for a file named \"-\", use ./-",
        ));
    }
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let Some(old) = old else {
        let (temporary, file) = Temporary::create(path.to_owned(), true)?;
        return Ok((Some(temporary), file));
    };
    if old.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !old.is_file() {
        // A pipe is opened once it has a reader.
        return Ok((None, signal::waiting(|| File::options().write(true).open(path))?));
    }
    if old.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let (temporary, file) = Temporary::create(fs::canonicalize(path)?, false)?;
    // Ignore failures: wrong permissions are better than no file.
    drop(file.set_permissions(old.permissions()));
    Ok((Some(temporary), file))
}

impl Temporary {
    fn create(target: PathBuf, is_new: bool) -> io::Result<(Self, File)> {
        remove_leftovers(&target);
        let (name, file) = create_temporary(&target)?;
        Ok((Self { name, target, is_new }, file))
    }

    fn commit(self, file: File) -> io::Result<()> {
        sync_one(&file)?;
        // Windows cannot rename an open file. Elsewhere, hold the lock until the rename is done.
        let _locked = cfg!(unix).then_some(file);
        if self.is_new && !self.target.is_symlink() {
            name_new(&self.name, &self.target)?;
        } else {
            fs::rename(&self.name, &self.target)?;
        }
        sync_folder(&self.target)
    }
}

/// Renames a finished file to its final name, unless that name is taken.
fn name_new(temporary: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, target) {
        Ok(()) => Ok(()),
        // Some file systems have no hard links.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !target.exists() => {
            fs::rename(temporary, target)
        }
        Err(_) => Err(io::Error::new(io::ErrorKind::AlreadyExists, "another program has created this file")),
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // This fails after a commit, when the temporary file no longer exists.
        drop(fs::remove_file(&self.name));
        lock(&TEMPORARIES).remove(&self.name);
    }
}

/// A new folder, which is removed with its files unless it is committed.
#[derive(Debug)]
pub struct NewFolder(PathBuf);

impl NewFolder {
    /// Creates the folder.
    ///
    /// # Errors
    ///
    /// If it exists or cannot be created.
    pub fn create(path: &Path) -> Result<Self, RunError> {
        let mut temporaries = lock(&TEMPORARIES);
        fs::create_dir(path).map_err(failed("create", path))?;
        temporaries.insert(path.to_owned());
        Ok(Self(path.to_owned()))
    }

    /// Keeps the folder.
    pub fn commit(self) {
        lock(&TEMPORARIES).remove(&self.0);
    }
}

impl Deref for NewFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if lock(&TEMPORARIES).remove(&self.0) {
            drop(fs::remove_dir_all(&self.0));
        }
    }
}

/// Creates a file in the same directory, under a name that no other process or thread uses. The lock
/// distinguishes it from leftovers of a killed run.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    loop {
        let mut name = name.to_owned();
        name.push(format!(".{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        let temporary = path.with_file_name(name);
        let mut temporaries = lock(&TEMPORARIES);
        match File::create_new(&temporary) {
            // A process with the same ID in another container or on another machine may have left this file.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => {
                let file = created?;
                // On systems without locks, leftovers are not removed. Between the two calls, another process
                // may have mistaken the file for a leftover.
                let is_locked = file.try_lock();
                if matches!(is_locked, Err(TryLockError::WouldBlock)) || !temporary.exists() {
                    continue;
                }
                temporaries.insert(temporary.clone());
                return Ok((temporary, file));
            }
        }
    }
}

/// Removes the temporary files that killed runs have left for a file. Returns whether another run is writing
/// the file.
fn remove_leftovers(target: &Path) -> bool {
    let Some(name) = target.file_name() else { return false };
    let Ok(entries) = fs::read_dir(folder(target)) else { return false };
    let mut is_busy = false;
    for entry in entries.filter_map(Result::ok) {
        if is_temporary_of(&entry.file_name(), name) {
            is_busy |= !remove_unused(&target.with_file_name(entry.file_name()));
        }
    }
    is_busy
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Recognises the name of a temporary file for a target: `NAME.PROCESS-COUNT.tmp`.
fn is_temporary_of(name: &OsStr, target: &OsStr) -> bool {
    let numbers = name.to_str().zip(target.to_str()).and_then(|(name, target)| {
        name.strip_prefix(target)?.strip_prefix('.')?.strip_suffix(".tmp")?.split_once('-')
    });
    numbers.is_some_and(|(process, count)| is_number(process) && is_number(count))
}

/// Removes a temporary file that no run is writing, if the file system has locks. The file is locked during
/// removal, so that a process that has just created it notices. Returns `false` if another process is writing
/// it.
fn remove_unused(path: &Path) -> bool {
    // On some systems, locks do not exclude threads of the same process.
    let temporaries = lock(&TEMPORARIES);
    if temporaries.contains(path) {
        return true;
    }
    let Ok(file) = File::open(path) else { return true };
    match file.try_lock() {
        Ok(()) => drop(fs::remove_file(path)),
        Err(TryLockError::WouldBlock) => return false,
        Err(TryLockError::Error(_)) => {}
    }
    true
}

/// Syncs a file that is not replaced as a whole, and its directory entry, to disk.
pub fn sync(file: &File, path: &Path) -> io::Result<()> {
    sync_one(file)?;
    sync_folder(path)
}

/// Syncs a file or folder to disk. Tests record which.
fn sync_one(file: &File) -> io::Result<()> {
    #[cfg(all(test, unix))]
    tests::record(file);
    file.sync_all()
}

/// Syncs the directory entry to disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    // It is not an error if the directory cannot be read or synced: the file exists.
    let Ok(folder) = File::open(folder(path)) else { return Ok(()) };
    match sync_one(&folder) {
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Other systems cannot sync directories.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature as on Unix")]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Folder;

    #[cfg(unix)]
    std::thread_local! {
        /// The inodes of synced files and folders.
        static SYNCED: std::cell::RefCell<Vec<u64>> = const { std::cell::RefCell::new(Vec::new()) };
    }

    #[cfg(unix)]
    pub(super) fn record(file: &File) {
        use std::os::unix::fs::MetadataExt;
        let inode = file.metadata().unwrap().ino();
        SYNCED.with_borrow_mut(|synced| synced.push(inode));
    }

    #[cfg(unix)]
    #[test]
    fn files_and_folders_are_synced() {
        use std::os::unix::fs::MetadataExt;

        let folder = Folder::new();
        let path = folder.path("a");
        let inode = |path: &Path| fs::metadata(path).unwrap().ino();
        for contents in [b"new", b"old"] {
            write(&path, contents).unwrap();
            assert_eq!(SYNCED.take(), [inode(&path), inode(folder.as_ref())]);
        }
        sync(&File::open(&path).unwrap(), &path).unwrap();
        assert_eq!(SYNCED.take(), [inode(&path), inode(folder.as_ref())]);
    }

    #[test]
    fn a_file_is_written_completely_or_not_at_all() {
        let folder = Folder::new();
        let path = folder.path("a");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"ne").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(folder.names(), ["a"]);
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        write(&folder.path("b"), b"other").unwrap();
        assert_eq!(folder.names(), ["a", "b"]);
    }

    #[test]
    fn a_new_folder_is_kept_only_if_it_is_committed() {
        let folder = Folder::new();
        let path = folder.path("new");
        for is_kept in [false, true] {
            let new = NewFolder::create(&path).unwrap();
            write(&new.join("a"), b"text").unwrap();
            if is_kept {
                new.commit();
            } else {
                drop(new);
            }
            assert_eq!(path.exists(), is_kept);
        }
        assert!(NewFolder::create(&path).is_err());
        assert_eq!(fs::read(path.join("a")).unwrap(), b"text");
    }

    #[test]
    fn check_detects_unwritable_paths() {
        let folder = Folder::new();
        for path in [folder.path("missing/a"), folder.path("."), PathBuf::from("/"), PathBuf::new()] {
            let error = reserve(&path).unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot write \"{}\": ", path.display())), "{error}");
        }
        let path = folder.path("locked");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(write(&path, b"new").is_err() && reserve(&path).is_err());
        assert_eq!(folder.names(), ["locked"]);
    }

    #[test]
    fn a_new_name_is_given_only_if_it_is_free() {
        let folder = Folder::new();
        let [old, new] = ["old", "new"].map(|name| folder.write(name, name));
        let kind = |from: &str, to: &Path| name_new(&folder.path(from), to).unwrap_err().kind();
        assert_eq!(kind("new", &old), io::ErrorKind::AlreadyExists);
        assert_eq!(kind("missing", &old), io::ErrorKind::AlreadyExists);
        assert_eq!(kind("missing", &folder.path("free")), io::ErrorKind::NotFound);
        name_new(&new, &folder.path("free")).unwrap();
        assert_eq!((folder.read("free").as_str(), folder.read("old").as_str()), ("new", "old"));
    }

    #[test]
    fn only_leftovers_for_the_same_file_are_removed() {
        let folder = Folder::new();
        for name in ["a.12-3.tmp", "a.x-3.tmp", "a.12-3", "b.12-3.tmp", "a.tmp"] {
            fs::write(folder.path(name), "text").unwrap();
        }
        let file = OutputFile::create(&folder.path("a")).unwrap();
        let reserved = reserve(&folder.path("a")).unwrap();
        assert_eq!(folder.names().len(), 6, "one is gone, and two are being written: {:?}", folder.names());
        assert!(!folder.path("a.12-3.tmp").exists());
        drop((file, reserved));
        assert_eq!(folder.names(), ["a.12-3", "a.tmp", "a.x-3.tmp", "b.12-3.tmp"]);
    }

    #[test]
    fn writing_removes_what_a_killed_run_has_left() {
        let folder = Folder::new();
        fs::write(folder.path("a.12-3.tmp"), "text").unwrap();
        fs::write(folder.path("a.12-4.tmp"), "text").unwrap();
        let written_elsewhere = File::open(folder.path("a.12-4.tmp")).unwrap();
        written_elsewhere.lock().unwrap();
        write(&folder.path("a"), b"new").unwrap();
        assert_eq!(folder.names(), ["a", "a.12-4.tmp"]);
        assert!(matches!(reserve(&folder.path("a")), Err(RunError::Busy(path)) if path == folder.path("a")));
        drop(written_elsewhere);
        drop(reserve(&folder.path("a")).unwrap());
        assert_eq!(folder.names(), ["a"]);
    }

    #[test]
    fn concurrent_writers_do_not_mix() {
        let folder = Folder::new();
        let path = folder.path("a");
        for there_was_one in [false, true] {
            let [mut first, mut second] = std::array::from_fn(|_| OutputFile::create(&path).unwrap());
            first.write_all(b"first").unwrap();
            second.write_all(b"2").unwrap();
            second.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"2");
            // A file that did not exist at the beginning is not replaced.
            assert_eq!(first.commit().is_ok(), there_was_one);
            assert_eq!(fs::read(&path).unwrap(), if there_was_one { &b"first"[..] } else { b"2" });
            assert_eq!(folder.names(), ["a"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_are_preserved() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = Folder::new();
        let (file, link) = (folder.path("a"), folder.path("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(folder.names(), ["a", "link"]);
        write(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        use kelso_runtime::files::{open_regular, read_regular};

        let folder = Folder::new();
        let [file, link, fifo] = ["a", "link", "fifo"].map(|name| folder.path(name));
        fs::write(&file, "text").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        assert_eq!(read_regular(&link, 3).unwrap(), b"tex");
        // Opening it would wait for a reader.
        assert!(reserve(&fifo).unwrap().is_none());
        for (path, kind) in [
            (fifo, io::ErrorKind::InvalidInput),
            ("/dev/zero".into(), io::ErrorKind::InvalidInput),
            (folder.path("."), io::ErrorKind::IsADirectory),
            (folder.path("b"), io::ErrorKind::NotFound),
        ] {
            assert_eq!(open_regular(&path).unwrap_err().kind(), kind, "{}", path.display());
        }
    }

    /// `/dev/full` behaves like a full disk.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported_with_the_name_of_the_file() {
        let error = write(Path::new("/dev/full"), b"text").unwrap_err();
        assert!(error.to_string().starts_with("cannot write \"/dev/full\": No space left"), "{error}");
    }
}
