//! The report of a run.

use std::io::{self, Write};

use super::runner::{CaseFailure, CaseRun, FailureReason};
use super::source::Case;

const MAX_SHOWN: usize = 200;
const MAX_STDERR_LINES: usize = 20;

/// Writes the result of a transcript, with the context of any failure.
pub fn write(out: &mut impl Write, case: &Case, run: &CaseRun) -> io::Result<()> {
    let seconds = run.elapsed.as_secs_f64();
    let Some(failure) = &run.failure else {
        let word = if run.is_changed() { "changed" } else { "ok" };
        return writeln!(out, "{word:<7} {} ({seconds:.3} s)", case.name);
    };
    writeln!(out, "FAILED  {}:{}: {} ({seconds:.3} s)", case.file, failure.line, failure.reason)?;
    out.write_all(context(failure).as_bytes())
}

/// Formats the context of a failure: the last lines, the expected and the actual line, and stderr.
fn context(failure: &CaseFailure) -> String {
    let mut text: String = failure.log.iter().map(|line| indented(line)).collect();
    if let FailureReason::Unexpected { line, expected } = &failure.reason {
        let expected = shown(expected.as_deref().unwrap_or("the end of the output"));
        text += &["    expected: ", &expected, "\n         got: < ", &shown(line), "\n"].concat();
    }
    let lines: Vec<&str> = failure.stderr.lines().collect();
    let last_lines = &lines[lines.len().saturating_sub(MAX_STDERR_LINES)..];
    if !last_lines.is_empty() {
        text += "    stderr ends with:\n";
        text.extend(last_lines.iter().map(|line| indented(line)));
    }
    text
}

fn indented(line: &str) -> String {
    format!("        {}\n", shown(line))
}

/// Shortens a line and replaces control characters.
fn shown(line: &str) -> String {
    let text: String = line.chars().take(MAX_SHOWN).collect();
    let text = text.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}");
    match line.chars().count().saturating_sub(MAX_SHOWN) {
        0 => text,
        left => format!("{text}... and {left} more characters"),
    }
}
