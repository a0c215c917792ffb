//! Divides slices among processes, on one machine or several, that build in the same folder.
//!
//! A process creates a claim file before it solves a slice, and renews it while it works. A claim that does not change for
//! a minute, by the clock of the waiting process, is stale and may be taken over. If two processes solve the same slice,
//! they write the same file: claims save work, and nothing depends on them.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often a claim is renewed.
pub(super) const RENEWAL: Duration = Duration::from_secs(5);
/// How long a claim may stay unchanged.
const STALE: Duration = Duration::from_secs(60);

/// The claims of one process.
pub(super) struct Claims {
    owner: String,
    state: Mutex<ClaimState>,
    stale: Duration,
}

#[derive(Default)]
struct ClaimState {
    own: Vec<PathBuf>,
    renewals: u64,
    /// The contents of others' claims, and since when.
    seen: HashMap<PathBuf, (Vec<u8>, Instant)>,
}

impl Claims {
    pub(super) fn new() -> Self {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let owner = format!("process {} since {time}", std::process::id());
        Self { owner, state: Mutex::default(), stale: STALE }
    }

    fn text(&self, renewals: u64) -> String {
        format!("{}, renewed {renewals} times\n", self.owner)
    }

    /// Tries to claim a path.
    pub(super) fn take(&self, path: &Path) -> io::Result<bool> {
        let path = claim_path(path);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(self.text(state.renewals).as_bytes())?;
                state.seen.remove(&path);
                state.own.push(path);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let now = fs::read(&path).unwrap_or_default();
                let seen = state.seen.entry(path.clone()).or_insert_with(|| (now.clone(), Instant::now()));
                if seen.0 != now {
                    *seen = (now, Instant::now());
                } else if seen.1.elapsed() >= self.stale {
                    // The next attempt may find it gone.
                    drop(fs::remove_file(&path));
                }
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Renews all claims.
    pub(super) fn renew(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.renewals += 1;
        let text = self.text(state.renewals);
        for path in &state.own {
            // A claim that cannot be renewed becomes stale, as it should.
            drop(fs::write(path, &text));
        }
    }

    /// Gives up a claim.
    pub(super) fn release(&self, path: &Path) {
        let path = claim_path(path);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = state.own.iter().position(|own| *own == path) {
            state.own.swap_remove(place);
            drop(fs::remove_file(&path));
        }
    }
}

fn claim_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".claim");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_one_processs_until_it_is_stale() {
        let folder = std::env::temp_dir().join(format!("kelso-claims-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("10v10.wld");
        let one = Claims::new();
        let mut two = Claims::new();
        two.stale = Duration::from_millis(50);
        assert!(one.take(&path).unwrap());
        assert!(!two.take(&path).unwrap());
        std::thread::sleep(two.stale);
        one.renew();
        assert!(!two.take(&path).unwrap(), "it has been renewed");
        std::thread::sleep(two.stale);
        assert!(!two.take(&path).unwrap(), "it is stale now and goes");
        assert!(two.take(&path).unwrap());
        two.release(&path);
        assert!(one.take(&path).unwrap());
        fs::remove_dir_all(&folder).unwrap();
    }
}
