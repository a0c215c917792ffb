//! What is said about runs, as text.

use std::io::{self, Write};

use super::failure::CaseFailure;
use super::runner::Run;
use super::source::Case;

/// As much of a line as is shown.
const SHOWN: usize = 200;
/// As many lines of stderr as are shown.
const ERRORS_SHOWN: usize = 20;

/// Writes a line for a transcript, and for one that failed what was expected, what came, and what led to it. One that
/// differed in a run for an update is called changed.
///
/// # Errors
///
/// When it can't be written.
pub fn write(out: &mut impl Write, case: &Case, run: &Run) -> io::Result<()> {
    let seconds = run.elapsed.as_secs_f64();
    let Some(failure) = &run.failure else {
        let word = if run.is_changed() { "changed" } else { "ok" };
        return writeln!(out, "{word:<7} {} ({seconds:.3} s)", case.name);
    };
    writeln!(out, "FAILED  {}:{}: {} ({seconds:.3} s)", case.file, failure.line, failure.reason)?;
    write_context(out, failure)
}

/// Writes what led to a failure.
///
/// # Errors
///
/// When it can't be written.
pub fn write_context(out: &mut impl Write, failure: &CaseFailure) -> io::Result<()> {
    for line in &failure.log {
        writeln!(out, "        {}", shown(line))?;
    }
    if let Some((expected, actual)) = failure.reason.difference() {
        writeln!(out, "    expected: {}", shown(expected))?;
        writeln!(out, "         got: < {}", shown(actual))?;
    }
    let lines: Vec<&str> = failure.errors.lines().collect();
    let shown_lines = lines.get(lines.len().saturating_sub(ERRORS_SHOWN)..).unwrap_or_default();
    if !shown_lines.is_empty() {
        writeln!(out, "    stderr ends with:")?;
        for line in shown_lines {
            writeln!(out, "        {}", shown(line))?;
        }
    }
    Ok(())
}

/// A line of output as it can be shown: cut if it is long, and without what would disturb a terminal.
fn shown(line: &str) -> String {
    let plain = |c: char| if c.is_control() && c != '\t' { char::REPLACEMENT_CHARACTER } else { c };
    let text: String = line.chars().take(SHOWN).map(plain).collect();
    match line.chars().count().saturating_sub(SHOWN) {
        0 => text,
        left => format!("{text}... and {left} more characters"),
    }
}

/// How many transcripts passed and failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CaseCount {
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
}

impl CaseCount {
    /// Counts a run.
    pub const fn count(&mut self, run: &Run) {
        if run.failure.is_none() {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }
}

impl std::fmt::Display for CaseCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}
