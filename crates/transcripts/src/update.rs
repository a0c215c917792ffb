//! Updates a transcript with the actual output of an engine.
//!
//! Only unmet expectations change. The old expectations and the new output are aligned as in a diff, to
//! rewrite as little as possible. Comments, directives and lines to send are kept.

use super::item::Expectation;
use super::pattern::{INTEGER, Pattern, REAL, escaped};
use super::runner::{CaseRun, Difference};
use super::script::Transcript;
use kelso_protocol::Dialect;

/// A line of the new text (`None` if it was removed), and the lines added after it.
type Rewritten = (Option<String>, Vec<String>);

/// Returns the updated text of a transcript, or `None` if nothing changes or the run failed.
pub fn updated(transcript: &Transcript, run: &CaseRun) -> Option<String> {
    if !run.is_changed() {
        return None;
    }
    // The first entry holds the lines added at the start.
    let mut text: Vec<Rewritten> = vec![(None, Vec::new())];
    text.extend(transcript.lines.iter().map(|line| (Some(line.text.clone()), Vec::new())));
    for difference in &run.differences {
        apply(transcript, difference, &mut text);
    }
    let lines: Vec<_> = text.into_iter().flat_map(|(line, new)| line.into_iter().chain(new)).collect();
    Some(lines.join("\n"))
}

fn apply(transcript: &Transcript, difference: &Difference, text: &mut [Rewritten]) {
    let end = if transcript.lines.iter().any(|line| line.text.ends_with('\r')) { "\r" } else { "" };
    let lines = difference.open.iter().chain(&difference.expected);
    let (rows, expectations): (Vec<usize>, Vec<&Expectation>) =
        lines.filter_map(|&index| Some((index + 1, transcript.expectation(index)?))).unzip();
    let mut after = difference.after.map_or(0, |index| index + 1);
    for (step, row, column) in align(&expectations, &difference.lines) {
        let line = difference.lines.get(column).map_or("", String::as_str);
        if step == Step::Insert {
            text[after].1.push(format!("{}{end}", expectation_of(line)));
            continue;
        }
        let index = rows[row];
        // New lines are added after the last aligned line, but not before the difference.
        after = after.max(index);
        let Expectation { pattern, repeated } = expectations[row];
        if step == Step::Skip && !repeated {
            text[index].0 = None;
        } else if step == Step::Take && !pattern.matches(line) {
            text[index].0 = Some(format!("{}{end}", merged(pattern, line)));
        }
    }
}

/// Maximum size of an alignment, counted in (expectation, line) pairs.
const MAX_PAIRS: usize = 1 << 25;

/// A step of an alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// The expectation matches no further lines. It is removed unless it is repeated.
    Skip,
    /// The expectation is paired with the line, which replaces it if they do not match.
    Take,
    /// The line is added as an expectation.
    Insert,
}

impl Step {
    /// The steps in order of preference.
    const ALL: [Self; 3] = [Self::Skip, Self::Take, Self::Insert];

    /// Returns the row and the column after this step, and whether a repeated expectation has matched a line
    /// there, in which case no line can be inserted.
    fn end(self, expectations: &[&Expectation], row: usize, column: usize) -> (usize, usize, bool) {
        match self {
            Self::Skip => (row + 1, column, false),
            Self::Take if expectations[row].repeated => (row, column + 1, true),
            Self::Take => (row + 1, column + 1, false),
            Self::Insert => (row, column + 1, false),
        }
    }

    /// Returns the cost of this step at an expectation and a line, or `None` if the step is impossible.
    fn cost(self, expectation: Option<&Expectation>, line: Option<&String>) -> Option<u32> {
        match (self, expectation, line) {
            (Self::Skip, Some(expectation), _) => Some(if expectation.repeated { 0 } else { 5 }),
            (Self::Take, Some(expectation), Some(line)) if expectation.pattern.matches(line) => Some(0),
            (Self::Take, Some(expectation), Some(line)) if !expectation.repeated => {
                Some(if alike(expectation, line) { 2 } else { 4 })
            }
            (Self::Insert, _, Some(_)) => Some(3),
            _ => None,
        }
    }
}

/// Returns the cheapest steps that make the expectations match the lines, each with the indices of the next
/// expectation and the next line.
fn align(expectations: &[&Expectation], lines: &[String]) -> Vec<(Step, usize, usize)> {
    let rows = expectations.len() + 1;
    let columns = lines.len() + 1;
    if rows.saturating_mul(columns) > MAX_PAIRS {
        // Too large to align: replace everything except for repeated expectations.
        let old = (0..expectations.len()).map(|row| (Step::Skip, row, 0));
        return old
            .chain((0..lines.len()).map(|column| (Step::Insert, expectations.len(), column)))
            .collect();
    }
    // The cost and the first step of the cheapest path from each row and column to the end.
    let mut best = vec![[(0, Step::Insert); 2]; rows * columns];
    for (row, column) in (0..rows).rev().flat_map(|row| (0..columns).rev().map(move |column| (row, column))) {
        let costs = Step::ALL.map(|step| step.cost(expectations.get(row).copied(), lines.get(column)));
        for taking in [false, true] {
            let ways = Step::ALL.into_iter().zip(costs).filter(|(step, _)| !taking || *step != Step::Insert);
            let ways = ways.filter_map(|(step, cost)| {
                let cost = cost?;
                let (row, column, taking) = step.end(expectations, row, column);
                Some((best[row * columns + column][usize::from(taking)].0 + cost, step))
            });
            if let Some(way) = ways.min_by_key(|&(cost, _)| cost) {
                best[row * columns + column][usize::from(taking)] = way;
            }
        }
    }
    let mut row = 0;
    let mut column = 0;
    let mut taking = false;
    let mut steps = Vec::new();
    while row + 1 < rows || column + 1 < columns {
        let step = best[row * columns + column][usize::from(taking)].1;
        steps.push((step, row, column));
        (row, column, taking) = step.end(expectations, row, column);
    }
    steps
}

fn alike(expectation: &Expectation, line: &str) -> bool {
    let text = expectation.pattern.to_string();
    text.split_whitespace().next() == line.split_whitespace().next()
}

/// Returns whether a word precedes a number that differs from run to run, as in `time 12` and `time=0.01`.
fn is_measured(word: &str) -> bool {
    Dialect::ALL.iter().any(|dialect| dialect.client().measured_values().contains(&word))
}

/// Returns the expectation for a line of output: the line itself, with measured numbers of an `info` line,
/// such as the time, replaced by wildcards.
pub fn expectation_of(line: &str) -> Expectation {
    let line = line.trim_end();
    if line.split_whitespace().next() != Some("info") {
        return Expectation::once(Pattern::literal(line));
    }
    let mut before = "";
    let written = line.split(' ').map(|word| {
        let wildcard = match word.split_once('=') {
            Some((name, number)) if is_measured(name) => Some((&word[..=name.len()], number, REAL)),
            _ => is_measured(before).then_some(("", word, INTEGER)),
        };
        before = word;
        match wildcard {
            Some((name, number, wildcard)) if Pattern::parse(wildcard).matches(number) => {
                format!("{name}{wildcard}")
            }
            _ => escaped(word),
        }
    });
    Expectation::once(Pattern::parse(&written.collect::<Vec<_>>().join(" ")))
}

fn fits(expected: &str, word: &str) -> bool {
    Pattern::parse(expected).matches(word)
}

/// Returns the expectation for a line that replaces an expected line. Common parts are kept, including
/// wildcards.
fn merged(expected: &Pattern, line: &str) -> Expectation {
    let text = expected.to_string();
    let fresh = expectation_of(line).pattern.to_string();
    let [old, new, fresh] =
        [&text, line.trim_end(), &fresh].map(|text| text.split(' ').collect::<Vec<&str>>());
    let words: Vec<&str> = if old.len() == new.len() {
        let words = old.iter().zip(&new).zip(&fresh);
        words.map(|((old, new), fresh)| if fits(old, new) { *old } else { fresh }).collect()
    } else {
        // Compare only the common beginning and end.
        let ahead = old.iter().zip(&new).take_while(|(old, new)| fits(old, new)).count();
        let left = old.len().min(new.len()) - ahead;
        let ends = old.iter().rev().zip(new.iter().rev()).take(left);
        let common_end = ends.take_while(|(old, new)| fits(old, new)).count();
        [&old[..ahead], &fresh[ahead..new.len() - common_end], &old[old.len() - common_end..]].concat()
    };
    let merged = Pattern::parse(&words.join(" "));
    // Check the result, since a wildcard may have matched several words.
    if merged.matches(line) { Expectation::once(merged) } else { expectation_of(line) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::item::TranscriptItem;
    use super::super::sequence::Sequence;
    use super::*;

    /// Updates a transcript with a single block, given the actual output.
    fn rewritten(text: &str, lines: &[&str]) -> String {
        let transcript = Transcript::parse(text, 1).unwrap();
        let expected: Vec<usize> =
            (0..transcript.lines.len()).filter(|&index| transcript.expectation(index).is_some()).collect();
        let steps = transcript.lines.iter().position(|line| matches!(line.item, TranscriptItem::Send(_)));
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let difference = Difference { after: steps, expected, open: vec![], lines };
        let run = CaseRun { elapsed: Duration::ZERO, failure: None, differences: vec![difference] };
        updated(&transcript, &run).unwrap()
    }

    #[test]
    fn an_update_replaces_only_unmet_lines() {
        assert_eq!(
            rewritten("# c\n> go\n< a [n]\n# d\n< b\n< c [..]\n", &["a 5", "x", "c y"]),
            "# c\n> go\n< a [n]\n# d\n< x\n< c [..]\n"
        );
    }

    #[test]
    fn an_update_inserts_and_removes_lines() {
        assert_eq!(rewritten("> go\n< a\n< b\n# e\n\n", &["b"]), "> go\n< b\n# e\n\n");
        assert_eq!(rewritten("> go\n# d\n< b\n", &["a", "b", "c"]), "> go\n< a\n# d\n< b\n< c\n");
        assert_eq!(rewritten("> go", &["a", "info time 5"]), "> go\n< a\n< info time [n]");
        assert_eq!(rewritten("< b", &["a", "b"]), "< a\n< b");
        assert_eq!(rewritten("> go\r\n< b\r\n", &["a"]), "> go\r\n< a\r\n");
    }

    #[test]
    fn an_elision_stays_and_does_not_absorb_expected_lines() {
        assert_eq!(
            rewritten("> go\n< ...\n< bestmove 11-15\n", &["info 1", "info 2", "bestmove 12-16"]),
            "> go\n< ...\n< bestmove 12-16\n"
        );
        assert_eq!(rewritten("> go\n< ...\n< foo bar\n", &["x", "baz"]), "> go\n< ...\n< baz\n");
        assert_eq!(
            rewritten("> go\n<* info [..]\n< done\n", &["info 1", "oops", "done"]),
            "> go\n<* info [..]\n< oops\n< done\n"
        );
    }

    proptest! {
        #[test]
        fn an_updated_transcript_matches_its_output(
            block in prop::collection::vec("< (a|b|c|\\[n\\]|a \\[\\.\\.\\]|\\.\\.\\.)|<\\* (a|b)|#", 0..6),
            output in prop::collection::vec("a|b|a b|7|\\.\\.\\.|\\[n\\]", 0..6),
        ) {
            let text = std::iter::once("> go").chain(block.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
            let output: Vec<&str> = output.iter().map(String::as_str).collect();
            let transcript = Transcript::parse(&rewritten(&text, &output), 1).unwrap();
            let expectations = (0..transcript.lines.len()).filter_map(|index| transcript.expectation(index));
            let mut sequence = Sequence::new(expectations.collect());
            prop_assert!(output.iter().all(|line| sequence.accept(line)) && sequence.is_complete(), "{:?}", transcript);
        }
    }

    fn written(line: &str) -> String {
        expectation_of(line).to_string()
    }

    #[test]
    fn figures_that_change_become_wildcards() {
        assert_eq!(
            written("info depth 3 score -5 nodes 70 nps 1000 time 7 hashfull 0 pv 11-15"),
            "< info depth 3 score -5 nodes 70 nps [n] time [n] hashfull [n] pv 11-15"
        );
        assert_eq!(
            written("info depth=3 time=0.01 nps=3.5 pv=\"11-15 22-18\""),
            "< info depth=3 time=[real] nps=[real] pv=\"11-15 22-18\""
        );
        assert_eq!(written("time 5"), "< time 5");
        assert_eq!(written("info string time flies  time 5"), "< info string time flies  time [n]");
        assert_eq!(written("info [n]"), "< info [[]n]");
        assert_eq!(written("..."), "< [.]..");
        assert_eq!(written(""), "<");
    }

    #[test]
    fn an_update_keeps_matching_wildcards() {
        let update = |old: &str, line: &str| merged(&Pattern::parse(old), line).to_string();
        assert_eq!(update("bestmove [move] a", "bestmove 11-15 b"), "< bestmove [move] b");
        assert_eq!(
            update("info depth 1 nodes [n] pv 9-13", "info depth 1 nodes 7 pv 11-15"),
            "< info depth 1 nodes [n] pv 11-15"
        );
        assert_eq!(update("id [..] by [..]", "id Kelso 1.0 of by me"), "< id [..] 1.0 of by [..]");
        assert_eq!(update("a [..] c", "a b b d"), "< a [..] b d");
        assert_eq!(update("x", "y z"), "< y z");
    }

    proptest! {
        #[test]
        fn generated_expectations_match_their_line(line in "(info )?([a\\[.\\]n1= ]|time|nps| [0-9]{1,3}){0,8}", old in "[a1n \\[.\\]]{0,8}") {
            let expectation = expectation_of(&line);
            prop_assert!(expectation.pattern.matches(&line), "{}", expectation);
            prop_assert_eq!(Pattern::parse(&expectation.pattern.to_string()), expectation.pattern);
            let merged = merged(&Pattern::parse(&old), &line);
            prop_assert!(merged.pattern.matches(&line), "{}", merged);
        }
    }
}
