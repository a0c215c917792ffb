//! The temporary files and unfinished folders of this process.

use std::collections::BTreeSet;
use std::fs;
use std::mem;
use std::path::PathBuf;
use std::sync::Mutex;

use kelso_runtime::sync::lock;

pub(crate) static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes them all, since the process is about to end. The lock is kept, so that no thread can create
/// another until then.
pub(crate) fn remove_all() {
    let temporaries = lock(&TEMPORARIES);
    for path in &*temporaries {
        drop(fs::remove_file(path).or_else(|_| fs::remove_dir_all(path)));
    }
    mem::forget(temporaries);
}
