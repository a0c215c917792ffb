//! Where reports go besides the screen: tried before the work whose results they are, and written whole afterwards.

use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};

use super::Failure;
use common::file;

/// The name of standard output.
const STDOUT: &str = "-";

/// Where the reports of a command go.
#[derive(Debug)]
pub(super) struct Places {
    /// Whether one of them has standard output for itself.
    stdout_taken: bool,
}

impl Places {
    /// Tries all of them, so that a bad name doesn't cost the work. One may be `-`, which is standard output.
    pub(super) fn check<'a>(paths: impl IntoIterator<Item = &'a Option<PathBuf>>) -> Result<Self, Failure> {
        let mut stdout_taken = false;
        for path in paths.into_iter().flatten() {
            if path.as_os_str() != STDOUT {
                file::check(path).map_err(|error| Failure::of(&error))?;
            } else if std::mem::replace(&mut stdout_taken, true) {
                return Err(Failure("\"-\" is standard output, expected it for one report only".to_owned()));
            }
        }
        Ok(Self { stdout_taken })
    }

    /// Where text for people goes: to standard output, or where a report goes there, to standard error.
    pub(super) fn shown(&self) -> Box<dyn Write> {
        if self.stdout_taken { Box::new(stderr().lock()) } else { Box::new(stdout().lock()) }
    }

    /// Writes a report, if it was asked for.
    pub(super) fn write(&self, path: Option<&Path>, text: impl FnOnce() -> String) -> Result<(), Failure> {
        match path {
            None => Ok(()),
            Some(path) if self.stdout_taken && path.as_os_str() == STDOUT => {
                let mut out = stdout().lock();
                Ok(out.write_all(text().as_bytes()).and_then(|()| out.flush())?)
            }
            Some(path) => file::write(path, text().as_bytes()).map_err(|error| Failure::of(&error)),
        }
    }
}
