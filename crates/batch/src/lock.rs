//! Lock files, which prevent two runs from writing the same files.
//!
//! The operating system releases a lock when its process exits, for whatever reason. Without file locks, as
//! on some network drives, every run gets the lock.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::error::{RunError, cannot_write};
use super::file;

/// Returns whether an open file is still the file at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let Ok(opened) = file.metadata() else { return false };
    let Ok(current) = fs::metadata(path) else { return false };
    opened.dev() == current.dev() && opened.ino() == current.ino()
}

/// On other systems, lock files are never removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// A locked, empty file next to the files that it protects. The protected files cannot be locked themselves,
/// since they are replaced. After a kill, the lock file still exists but is not locked.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

/// Maximum number of attempts if other runs keep removing the lock file.
const MAX_TRIES: u32 = 1000;

impl Lock {
    /// Takes the lock `NAME.lock` of a run that writes a file.
    ///
    /// # Errors
    ///
    /// If another run holds the lock, or the lock file cannot be created.
    pub fn of_run(name: &Path, written: &Path) -> Result<Self, RunError> {
        let lock = Self::take(&file::extended(name, ".lock")).map_err(cannot_write(written))?;
        lock.ok_or_else(|| RunError::Busy(written.to_owned()))
    }

    /// Takes a lock. Returns `None` if another run holds it.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let mut tries = 1;
        loop {
            let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                return Ok(None);
            }
            if file.metadata()?.len() > 0 {
                return Err(io::Error::other(format!("\"{}\" is not a lock file", path.display())));
            }
            // The run that held the lock may have removed the file in the meantime, and a third run may hold
            // a new lock file. On file systems without stable file numbers, this cannot be detected.
            if is_at(&file, path) || tries == MAX_TRIES {
                return Ok(Some(Self { path: path.to_owned(), _file: file }));
            }
            tries += 1;
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Remove the file while holding the lock, so that it cannot be another run's lock file. Only Unix
        // allows this.
        if cfg!(unix) {
            drop(fs::remove_file(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;
    use crate::testing::Folder;

    #[test]
    fn a_lock_excludes_other_runs() {
        let folder = Folder::new();
        let path = folder.path("a.lock");
        // Leave a file behind, as a killed run does.
        fs::write(&path, "").unwrap();
        let first = Lock::take(&path).unwrap().unwrap();
        assert!(Lock::take(&path).unwrap().is_none());
        assert!(Lock::take(&folder.path("b.lock")).unwrap().is_some());
        drop(first);
        drop(Lock::take(&path).unwrap().unwrap());
        #[cfg(unix)]
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        assert!(Lock::take(&folder.path("missing/a.lock")).is_err());
        // A user's file, such as `Cargo.lock` if the results are named `Cargo`.
        let theirs = folder.path("theirs.lock");
        fs::write(&theirs, "precious").unwrap();
        assert!(Lock::take(&theirs).is_err());
        assert_eq!(fs::read_to_string(&theirs).unwrap(), "precious");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_replaced_is_noticed() {
        let folder = Folder::new();
        let path = folder.path("a.lock");
        let first = File::create(&path).unwrap();
        assert!(is_at(&first, &path));
        fs::rename(&path, folder.path("b.lock")).unwrap();
        assert!(!is_at(&first, &path) && is_at(&first, &folder.path("b.lock")));
        drop(File::create(&path).unwrap());
        assert!(!is_at(&first, &path));
    }

    /// Removing a file that other threads are about to lock must not give two of them the lock.
    #[cfg(unix)]
    #[test]
    fn a_contended_lock_has_one_holder() {
        let folder = Folder::new();
        let path = folder.path("a.lock");
        let (inside, taken) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while taken.load(Ordering::SeqCst) < 300 {
                        let Some(lock) = Lock::take(&path).unwrap() else { continue };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        taken.fetch_add(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
