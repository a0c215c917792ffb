//! Files that one run at a time may write.
//!
//! A lock is the system's: it goes with the process that holds it, however that ends. Where the system has no locks, as in some
//! folders of other machines, nobody is kept out. The standard library has such locks too, but only from Rust 1.89 on.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Opens a file for reading and writing, or makes it, and holds it until it is closed. None if another run holds it.
///
/// # Errors
///
/// When the system refuses.
#[cfg(unix)]
pub fn open(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};

    let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    let held = flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(rustix::io::Errno::WOULDBLOCK);
    Ok((!held).then_some(file))
}

/// Opens a file for reading and writing, or makes it, and holds it until it is closed: others may read it meanwhile, but not
/// write it. None if another run holds it.
///
/// # Errors
///
/// When the system refuses.
#[cfg(windows)]
pub fn open(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).share_mode(FILE_SHARE_READ);
    match options.open(path) {
        Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Opens a file for reading and writing, or makes it.
///
/// # Errors
///
/// When the system refuses.
#[cfg(not(any(unix, windows)))]
pub fn open(path: &Path) -> io::Result<Option<File>> {
    File::options().read(true).write(true).create(true).truncate(false).open(path).map(Some)
}

/// Whether a file is still the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let place = |metadata: io::Result<fs::Metadata>| metadata.ok().map(|file| (file.dev(), file.ino()));
    let held = place(file.metadata());
    held.is_some() && held == place(fs::metadata(path))
}

/// Elsewhere nobody can remove a file that is open.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// An empty file that stands for others, which can't be held themselves because new ones take their places. After a kill it is
/// still there, but nobody's.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

/// More in a row can't be chance.
const TRIES: u32 = 1000;

impl Lock {
    /// Takes a lock; none if another run holds it.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
        let mut tries = 1;
        loop {
            let Some(file) = open(path)? else { return Ok(None) };
            // Whoever held it may have removed it in between, and a third may hold a new one. On a disk that numbers its files
            // anew at each look this can't be told.
            if is_at(&file, path) || tries == TRIES {
                return Ok(Some(Self { path: path.to_owned(), _file: file }));
            }
            tries += 1;
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is held, so that it is never another's. One that stays is in nobody's way.
        drop(fs::remove_file(&self.path));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;
    use crate::testing::Folder;

    #[test]
    fn a_lock_is_one_runs_until_it_ends() {
        let folder = Folder::new("lock-one");
        let path = folder.path("a.lock");
        // One that a kill left.
        fs::write(&path, "").unwrap();
        let first = Lock::take(&path).unwrap().unwrap();
        if cfg!(any(unix, windows)) {
            assert!(Lock::take(&path).unwrap().is_none());
        }
        assert!(Lock::take(&folder.path("b.lock")).unwrap().is_some());
        drop(first);
        drop(Lock::take(&path).unwrap().unwrap());
        #[cfg(unix)]
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
        assert!(Lock::take(&folder.path("missing/a.lock")).is_err());
    }

    /// Removing a file that others are about to take must not let in two of them.
    #[cfg(unix)]
    #[test]
    fn no_two_hold_a_lock_that_comes_and_goes() {
        let folder = Folder::new("lock-many");
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
