//! A log of the lines that engines read and write.

use std::fmt::Write as _;
use std::mem;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use kelso_batch::error::RunError;
use kelso_batch::file::OutputFile;
use kelso_runtime::sync::lock;

/// A log, shared by all engines.
#[derive(Clone, Debug)]
pub struct EngineLog(Arc<LogFile>);

#[derive(Debug)]
struct LogFile {
    began: Instant,
    out: Mutex<LogOutput>,
}

#[derive(Debug)]
enum LogOutput {
    /// The text so far, since no file is replaced before all engines have started.
    Waiting(String),
    Open(OutputFile),
    /// The first error.
    Failed(RunError),
}

/// Maximum length of the text that waits for the file, in bytes.
const MAX_WAITING: usize = 1 << 24;

impl Default for EngineLog {
    fn default() -> Self {
        let out = Mutex::new(LogOutput::Waiting(String::new()));
        Self(Arc::new(LogFile { began: Instant::now(), out }))
    }
}

impl EngineLog {
    /// Writes the lines so far, and all further lines, to a file.
    pub fn open(&self, file: OutputFile) {
        let waiting = mem::replace(&mut *lock(&self.0.out), LogOutput::Open(file));
        if let LogOutput::Waiting(text) = waiting {
            self.append(&text);
        }
    }

    /// Logs lines: the seconds since the log began, the engine and its process, `>` for lines to the engine
    /// and `<` for lines from it, and the line.
    pub(crate) fn write(&self, engine: &str, process: u32, arrow: char, at: Instant, lines: &str) {
        let seconds = at.saturating_duration_since(self.0.began).as_secs_f64();
        let mut text = String::new();
        for line in lines.split('\n') {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{seconds:.6} {engine} {process} {arrow} {line}");
        }
        self.append(&text);
    }

    fn append(&self, text: &str) {
        let mut out = lock(&self.0.out);
        match &mut *out {
            LogOutput::Waiting(waiting) if waiting.len() < MAX_WAITING => waiting.push_str(text),
            LogOutput::Open(file) => {
                // A kill must lose no line.
                let written =
                    file.write_with(|out| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
                if let Err(error) = written {
                    *out = LogOutput::Failed(error);
                }
            }
            LogOutput::Waiting(_) | LogOutput::Failed(_) => {}
        }
    }

    /// Ends the log.
    ///
    /// # Errors
    ///
    /// If a line could not be written.
    pub fn finish(self) -> Result<(), RunError> {
        match mem::replace(&mut *lock(&self.0.out), LogOutput::Waiting(String::new())) {
            LogOutput::Failed(error) => Err(error),
            LogOutput::Waiting(_) | LogOutput::Open(_) => Ok(()),
        }
    }
}
