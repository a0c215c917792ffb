//! The settings file, which has a line `KEY VALUE` for each changed setting. It exists because the GUI does
//! not store settings.
//!
//! Several GUIs may use the file at the same time. To save a setting, the library locks the file, changes
//! only that setting, and replaces the whole file.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use kelso_batch::file;
use kelso_batch::lock::Lock;
use kelso_runtime::files;

use super::settings::{self, SettingKind, Values};

const FIRST_LINE: &str = "# Kelso's settings in CheckerBoard. Kelso overwrites this file.";
/// Maximum size of a settings file.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;
/// Number of attempts to lock the file, and the pause between them.
const MAX_ATTEMPTS: u32 = 100;
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// Returns the path of the user's file, or `None` without a home directory.
pub(super) fn default_file() -> Option<PathBuf> {
    files::data_folder().map(|folder| folder.join("checkerboard.txt"))
}

/// Reads the settings. A missing file counts as empty.
///
/// # Errors
///
/// If the file cannot be read or has an invalid line.
pub(super) fn read(path: &Path) -> Result<Values> {
    let ignored = |reason: &dyn Display| anyhow!("ignored the settings in \"{}\": {reason}", path.display());
    let bytes = match files::read_regular(path, MAX_SETTINGS_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Values::new()),
        read => read.map_err(|error| ignored(&error))?,
    };
    let text = String::from_utf8(bytes).map_err(|_| ignored(&"invalid UTF-8"))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines
        .map(|(at, line)| parse(line).map_err(|error| ignored(&format_args!("line {}: {error}", at + 1))))
        .collect()
}

fn parse(line: &str) -> Result<(&'static str, String)> {
    let (name, value) = line.split_once(' ').context("expected a name and a value")?;
    let (key, kind) = settings::find(name).context("unknown setting")?;
    Ok((key, settings::check(key, kind, value)?))
}

/// Saves the value of a setting. The other values are those in the file, or in `values` if the file is
/// damaged.
///
/// # Errors
///
/// If the file cannot be written.
pub(super) fn save(path: &Path, values: &Values, key: &'static str) -> Result<()> {
    let (Some((_, kind)), Some(value)) = (settings::find(key), values.get(key)) else { return Ok(()) };
    if matches!(kind, SettingKind::Fixed(_)) || !is_line(value) {
        return Ok(());
    }
    let write_error = |reason: &dyn Display| anyhow!("cannot write \"{}\": {reason}", path.display());
    let folder = path.parent().ok_or_else(|| write_error(&"no folder"))?;
    std::fs::create_dir_all(folder).map_err(|error| write_error(&error))?;
    let _lock = lock(path).map_err(|error| write_error(&error))?;
    let saved = match read(path) {
        Ok(saved) if saved.get(key) == Some(value) => return Ok(()),
        Ok(mut saved) => {
            saved.insert(key, value.clone());
            saved
        }
        Err(_) => values.clone(),
    };
    let mut lines = format!("{FIRST_LINE}\n");
    for (key, value) in saved.iter().filter(|(_, value)| is_line(value)) {
        lines = lines + key + " " + value + "\n";
    }
    Ok(file::write(path, lines.as_bytes())?)
}

/// Returns whether a value can be written on one line.
fn is_line(value: &str) -> bool {
    !value.contains(char::is_control)
}

/// Locks the file. Retrying is enough, since other processes hold the lock for a few milliseconds at most.
fn lock(path: &Path) -> Result<Lock> {
    for _ in 0..MAX_ATTEMPTS {
        match Lock::take(&file::extended(path, ".lock")) {
            Ok(Some(lock)) => return Ok(lock),
            Ok(None) => thread::sleep(RETRY_INTERVAL),
            Err(error) => return Err(error.into()),
        }
    }
    bail!("locked by another process")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;

    fn values(pairs: &[(&'static str, &str)]) -> Values {
        pairs.iter().map(|&(key, value)| (key, value.to_owned())).collect()
    }

    #[test]
    fn settings_are_read_as_they_were_saved() {
        let folder = Folder::new();
        let path = folder.path("kelso/checkerboard.txt");
        assert_eq!(read(&path).unwrap(), Values::new());
        let mut all = Values::new();
        for (key, value) in
            [("hashsize", "128"), ("dbpath", "C:\\ends  é"), ("bookfile", ""), ("hashsize", "64")]
        {
            all.insert(key, value.into());
            save(&path, &all, key).unwrap();
            assert_eq!(read(&path).unwrap(), all.clone());
        }
        let text = folder.read("kelso/checkerboard.txt");
        assert_eq!(text, format!("{FIRST_LINE}\nbookfile \ndbpath C:\\ends  é\nhashsize 64\n"));
        // These are not user settings.
        for (key, value) in [("gametype", "21"), ("dbpath", "a\nbook 0")] {
            save(&path, &values(&[(key, value)]), key).unwrap();
            assert_eq!(read(&path).unwrap(), all.clone());
        }
    }

    #[test]
    fn other_programs_settings_are_kept() {
        let folder = Folder::new();
        let path = folder.path("checkerboard.txt");
        save(&path, &values(&[("book", "1")]), "book").unwrap();
        // These values are older than the file.
        save(&path, &values(&[("hashsize", "32"), ("book", "3")]), "hashsize").unwrap();
        assert_eq!(read(&path).unwrap(), values(&[("book", "1"), ("hashsize", "32")]));
    }

    #[test]
    fn concurrent_saves_lose_nothing() {
        let folder = Folder::new();
        let path = folder.path("checkerboard.txt");
        let keys = ["hashsize", "searchthreads", "dbmbytes", "max_dbpieces"];
        thread::scope(|scope| {
            for key in keys {
                let path = &path;
                scope.spawn(move || {
                    for value in 1..=8_u32 {
                        save(path, &values(&[(key, &value.to_string())]), key).unwrap();
                        read(path).unwrap();
                    }
                });
            }
        });
        assert_eq!(read(&path).unwrap(), values(&keys.map(|key| (key, "8"))));
    }

    #[test]
    fn damaged_files_are_ignored_and_replaced() {
        let folder = Folder::new();
        for (text, reason) in [
            (&b"\xff\xfe\0"[..], "invalid UTF-8"),
            (b"hashsize 64\nhash", "line 2: expected a name and a value"),
            (b"hash 64\n", "line 1: unknown setting"),
            (b"book 1\n\nhashsize 64\n", "line 2: expected a name and a value"),
            (b"hashsize 6x\n", "line 1: invalid value \"6x\" for option Hash: "),
            (b"book 7\n", "line 1: invalid value \"7\" for book: expected a whole number up to 3"),
        ] {
            let path = folder.write("checkerboard.txt", text);
            let error = read(&path).unwrap_err().to_string();
            let expected = format!("ignored the settings in \"{}\": {reason}", path.display());
            assert!(error.starts_with(&expected), "{error}");
            let all = values(&[("book", "2"), ("solve", "0")]);
            save(&path, &all, "book").unwrap();
            assert_eq!(read(&path).unwrap(), all);
        }
        let error = read(folder.as_ref()).unwrap_err().to_string();
        assert!(error.ends_with(": is a directory"), "{error}");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error() {
        let folder = Folder::new();
        let file = folder.write("kelso", "");
        let error =
            save(&file.join("checkerboard.txt"), &values(&[("book", "2")]), "book").unwrap_err().to_string();
        assert!(error.starts_with("cannot write \""), "{error}");
        assert_eq!(folder.read("kelso"), "");
    }
}
