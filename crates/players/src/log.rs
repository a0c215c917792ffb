//! A log of the lines that engines read and write.

use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use kelso_runs::error::RunError;
use kelso_runs::file::OutputFile;
use kelso_runtime::sync::lock;

/// A log, shared by all engines.
#[derive(Clone, Debug)]
pub struct EngineLog(Arc<LogFile>);

#[derive(Debug)]
struct LogFile {
    began: Instant,
    /// The file, or the first error.
    out: Mutex<Result<OutputFile, RunError>>,
}

impl PartialEq for EngineLog {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for EngineLog {}

impl EngineLog {
    /// Begins a log.
    pub fn new(file: OutputFile) -> Self {
        Self(Arc::new(LogFile { began: Instant::now(), out: Mutex::new(Ok(file)) }))
    }

    /// Logs lines: the seconds since the log began, the engine and its process, `>` for lines to the engine and
    /// `<` for lines from it, and the line.
    pub(crate) fn write(&self, engine: &str, process: u32, arrow: char, at: Instant, lines: &str) {
        let seconds = at.saturating_duration_since(self.0.began).as_secs_f64();
        let mut text = String::new();
        for line in lines.split('\n') {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{seconds:.6} {engine} {process} {arrow} {line}");
        }
        let mut out = lock(&self.0.out);
        if let Ok(file) = &mut *out
            && let Err(error) = file.write_with(|out| out.write_all(text.as_bytes()))
        {
            *out = Err(error);
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    ///
    /// If a line could not be written.
    pub fn finish(self) -> Result<(), RunError> {
        let ended = Err(RunError::Stdout(io::ErrorKind::Other.into()));
        let out = std::mem::replace(&mut *lock(&self.0.out), ended);
        out?.commit()
    }
}
