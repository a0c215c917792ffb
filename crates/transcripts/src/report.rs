//! Reports as text and as JUnit XML.

use std::io::{self, Write};

use super::runner::{CaseFailure, FailureReason, Run};
use super::source::Case;
use text::markup::escaped;

const MAX_SHOWN: usize = 200;
const MAX_STDERR_LINES: usize = 20;

/// Writes the result of a transcript, with the context of any failure.
pub fn write(out: &mut impl Write, case: &Case, run: &Run) -> io::Result<()> {
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
    let indented = |line: &str| format!("        {}\n", shown(line));
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

/// Shortens a line and replaces control characters.
fn shown(line: &str) -> String {
    let printable = |c: char| if c.is_control() && c != '\t' { char::REPLACEMENT_CHARACTER } else { c };
    let text: String = line.chars().take(MAX_SHOWN).map(printable).collect();
    match line.chars().count().saturating_sub(MAX_SHOWN) {
        0 => text,
        left => format!("{text}... and {left} more characters"),
    }
}

/// Formats the results of all runs as JUnit XML, for build servers.
pub fn junit<'a>(runs: impl IntoIterator<Item = (&'a Case, &'a Run)>) -> String {
    let mut cases = String::new();
    let (mut tests, mut failures, mut seconds) = (0, 0, 0.0);
    for (case, run) in runs {
        tests += 1;
        failures += usize::from(run.failure.is_some());
        seconds += run.elapsed.as_secs_f64();
        cases += &test_case(case, run);
    }
    let totals = format!(
        "name=\"kelso replay\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{seconds:.3}\""
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {totals}>\n<testsuite {totals} skipped=\"0\">\n\
         {cases}</testsuite>\n</testsuites>\n"
    )
}

fn test_case(case: &Case, run: &Run) -> String {
    let (file, name) = (escaped(&case.file), escaped(&case.name));
    let seconds = run.elapsed.as_secs_f64();
    let start = format!("<testcase classname=\"{file}\" name=\"{name}\" time=\"{seconds:.3}\"");
    let Some(failure) = &run.failure else { return start + "/>\n" };
    let (line, reason) = (failure.line, escaped(&failure.reason.to_string()));
    let context = escaped(&context(failure));
    format!("{start}>\n<failure message=\"{file}:{line}: {reason}\">{context}</failure>\n</testcase>\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::super::runner::{CaseFailure, FailureReason};
    use super::super::source::Document;
    use super::*;

    #[test]
    fn a_report_has_a_case_for_each_run() {
        let path = std::env::temp_dir().join(format!("kelso-junit-{}.txt", std::process::id()));
        std::fs::write(&path, "> a\n").unwrap();
        let document = Document::read(Path::new(&path)).unwrap();
        std::fs::remove_file(&path).unwrap();
        let case = &document.cases[0];
        let run = |failure| Run { elapsed: Duration::from_millis(1500), failure, differences: vec![] };
        let failure = CaseFailure {
            line: 7,
            reason: FailureReason::Unexpected { line: "<\u{1b}>".into(), expected: None },
            log: vec!["> \"x\"".into()],
            stderr: "a & b".into(),
        };
        let (good, bad) = (run(None), run(Some(failure)));
        let xml = junit([(case, &good), (case, &bad)]);
        let document = roxmltree::Document::parse(&xml).unwrap();
        let suite = document.root_element().first_element_child().unwrap();
        assert_eq!((suite.attribute("tests"), suite.attribute("failures")), (Some("2"), Some("1")));
        assert_eq!(suite.attribute("time"), Some("3.000"));
        let cases: Vec<_> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
        assert_eq!(cases.len(), 2);
        let failure = cases[1].first_element_child().unwrap();
        assert!(failure.attribute("message").unwrap().ends_with(":7: unexpected line at the end"));
        assert!(failure.text().unwrap().contains("got: < <\u{fffd}>\n"), "{:?}", failure.text());
    }
}
