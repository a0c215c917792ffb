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
    /// The text so far, since no file is replaced before all engines have started, and the number of lines for
    /// which it had no room.
    Waiting {
        text: String,
        lost: usize,
    },
    Open(OutputFile),
    /// The first error.
    Failed(RunError),
}

impl LogOutput {
    const EMPTY: Self = Self::Waiting { text: String::new(), lost: 0 };
}

/// Maximum length of the text that waits for the file, in bytes.
const MAX_WAITING: usize = 1 << 24;

impl Default for EngineLog {
    fn default() -> Self {
        let out = Mutex::new(LogOutput::EMPTY);
        Self(Arc::new(LogFile { began: Instant::now(), out }))
    }
}

impl EngineLog {
    /// Writes the lines so far, and all further lines, to a file.
    pub fn open(&self, file: OutputFile) {
        let waiting = mem::replace(&mut *lock(&self.0.out), LogOutput::Open(file));
        if let LogOutput::Waiting { text, lost } = waiting {
            self.append(&text);
            if lost > 0 {
                self.append(&format!("{lost} lines before the first game are missing\n"));
            }
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
            LogOutput::Waiting { text: waiting, .. } if waiting.len() < MAX_WAITING => waiting.push_str(text),
            LogOutput::Waiting { lost, .. } => *lost += text.lines().count(),
            LogOutput::Open(file) => {
                // A kill must lose no line.
                let written =
                    file.write_with(|out| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
                if let Err(error) = written {
                    *out = LogOutput::Failed(error);
                }
            }
            LogOutput::Failed(_) => {}
        }
    }

    /// Ends the log.
    ///
    /// # Errors
    ///
    /// If a line could not be written.
    pub fn finish(self) -> Result<(), RunError> {
        match mem::replace(&mut *lock(&self.0.out), LogOutput::EMPTY) {
            LogOutput::Failed(error) => Err(error),
            LogOutput::Waiting { .. } | LogOutput::Open(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;

    #[test]
    fn a_log_says_how_many_lines_did_not_fit_before_it_was_opened() {
        let folder = Folder::new();
        let log = EngineLog::default();
        let write = |line: &str| log.write("A", 7, '<', Instant::now(), line);
        write(&"x".repeat(MAX_WAITING));
        write("one\ntwo");
        write("three");
        std::fs::write(folder.path("log"), "").unwrap();
        log.open(OutputFile::append(&folder.path("log")).unwrap());
        write("four");
        let text = folder.read("log");
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines[0], "3 lines before the first game are missing");
        assert!(lines.len() == 2 && lines[1].ends_with(" A 7 < four"), "{lines:?}");
        log.finish().unwrap();
    }
}
