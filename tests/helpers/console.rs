//! Commands in documents, with their output: fenced blocks marked `console`.
//!
//! A line that begins with `$ ` is a command for `sh`, run in the project's folder with the program first on
//! the path; a backslash at its end continues it. The lines below it are its output, stdout and stderr
//! together, with the wildcards of transcripts and `...` for any number of lines. A command must exit with
//! status 0.

use std::path::Path;
use std::time::{Duration, Instant};

use kelso_process::{CommandLine, Event, Process};
use kelso_transcripts::markdown::blocks;
use kelso_transcripts::{Expectation, Pattern, Sequence};

use super::is_progress;

/// The time limit for a command.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command in a document with its expected output.
#[derive(Debug)]
pub struct Example {
    line: usize,
    command: String,
    output: Vec<Expectation>,
}

/// Returns all commands of a document.
pub fn examples(document: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for block in blocks(document).into_iter().filter(|block| block.language == "console") {
        let before = examples.len();
        let mut lines = (block.first_line..).zip(block.text.lines());
        while let Some((line, text)) = lines.next() {
            if let Some(command) = text.strip_prefix("$ ") {
                let mut command = command.to_owned();
                while command.ends_with('\\') {
                    command.pop();
                    let Some((_, more)) = lines.next() else { break };
                    command.push_str(more);
                }
                examples.push(Example { line, command, output: Vec::new() });
            } else {
                let expectation = match text {
                    "..." => Expectation::anything(),
                    text => Expectation::once(Pattern::parse(text)),
                };
                assert!(
                    examples.len() > before,
                    "line {line}: {text:?}, expected a command (\"$ ...\") first"
                );
                examples.last_mut().unwrap().output.push(expectation);
            }
        }
    }
    examples
}

impl Example {
    /// Runs the command. The error shows the difference from the document.
    pub fn check(&self, folder: &Path, program: &Path) -> Result<(), String> {
        let script = "exec 2>&1; PATH=\"$1:$PATH\"; export PATH; eval \"$2\"";
        let bin = program.parent().unwrap();
        let line = CommandLine::new("sh")
            .with_arguments(["-c", script, "sh"])
            .with_arguments([bin.as_os_str(), self.command.as_ref()]);
        let line = CommandLine { directory: Some(folder.to_path_buf()), ..line };
        let process = Process::spawn(&line).map_err(|error| error.to_string())?;
        process.close_stdin();
        let deadline = Instant::now() + PATIENCE;
        let mut printed = Vec::new();
        let end = loop {
            match process.recv_until(deadline) {
                Event::Line(line, _) => printed.push(line),
                event => break event,
            }
        };
        let fail = |what: &str| {
            Err(format!(
                "line {}: $ {}\n{what}\nit printed:\n{}\n",
                self.line,
                self.command,
                printed.join("\n")
            ))
        };
        if end != Event::Eof {
            return fail(&format!("{end:?}, expected an end within {} s", PATIENCE.as_secs()));
        }
        let mut sequence = Sequence::new(self.output.iter().collect());
        let awaited = |sequence: &Sequence<'_>| {
            self.output.get(sequence.progress()).map_or_else(|| "the end".to_owned(), ToString::to_string)
        };
        for line in &printed {
            // Only a slow machine prints progress.
            if !sequence.accept(line) && !is_progress(line) {
                return fail(&format!("expected: {}\n     got: < {line}", awaited(&sequence)));
            }
        }
        if !sequence.is_complete() {
            return fail(&format!("expected: {}\n     got: the end", awaited(&sequence)));
        }
        match process.wait_until(deadline) {
            Ok(Some(status)) if status.success() => Ok(()),
            other => fail(&format!("{other:?}, expected exit status 0")),
        }
    }
}
