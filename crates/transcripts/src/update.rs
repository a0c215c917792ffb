//! Updating a transcript with the actual output of an engine.
//!
//! Only expectations that were not met change. The old expectations and the new output are aligned so that as little as
//! possible is rewritten, as in a comparison of two files; comments, directives and all lines to send stay.

use std::collections::BTreeMap;

use super::item::{Expectation, Item};
use super::pattern::{INTEGER, Pattern, REAL, escaped};
use super::runner::{Difference, Run};
use super::script::Transcript;

/// Returns the text of a transcript after a run for an update; none if nothing changes or the run failed.
pub fn updated(transcript: &Transcript, run: &Run) -> Option<String> {
    if !run.is_changed() {
        return None;
    }
    let mut changes = Changes::default();
    for difference in &run.differences {
        apply(transcript, difference, &mut changes);
    }
    Some(changes.apply(transcript))
}

/// Changes of lines, by index.
#[derive(Default)]
struct Changes {
    /// The new text of a line, or none if it is removed.
    replaced: BTreeMap<usize, Option<String>>,
    /// The new lines after a line, or before all.
    inserted: BTreeMap<Option<usize>, Vec<String>>,
}

impl Changes {
    fn apply(&self, transcript: &Transcript) -> String {
        let return_used = transcript.lines().iter().any(|line| line.text.ends_with('\r'));
        let end = |text: &str| if return_used { format!("{text}\r") } else { text.to_owned() };
        let inserted = |after| self.inserted.get(&after).into_iter().flatten().map(|text| end(text));
        let mut lines: Vec<String> = inserted(None).collect();
        for (index, line) in transcript.lines().iter().enumerate() {
            match self.replaced.get(&index) {
                None => lines.push(line.text.clone()),
                Some(None) => {}
                Some(Some(text)) => lines.push(end(text)),
            }
            lines.extend(inserted(Some(index)));
        }
        lines.join("\n")
    }
}

fn apply(transcript: &Transcript, difference: &Difference, changes: &mut Changes) {
    let lines = transcript.lines();
    let listed: Vec<(usize, &Expectation)> = difference
        .open
        .iter()
        .chain(&difference.expected)
        .filter_map(|&index| match &lines[index].item {
            Item::Expect(expectation) => Some((index, expectation)),
            _ => None,
        })
        .collect();
    let expectations: Vec<&Expectation> = listed.iter().map(|&(_, expectation)| expectation).collect();
    let (mut expectation, mut line, mut after) = (0, 0, difference.after);
    for step in align(&expectations, &difference.lines) {
        let index = listed.get(expectation).map(|&(index, _)| index);
        let text = difference.lines.get(line).map_or("", String::as_str);
        match (step, index) {
            (Step::Replace, Some(index)) => {
                let new = merged(&expectations[expectation].pattern, text);
                changes.replaced.insert(index, Some(new.to_string()));
            }
            (Step::Remove, Some(index)) => {
                changes.replaced.insert(index, None);
            }
            (Step::Insert, _) => {
                changes.inserted.entry(after).or_default().push(expectation_of(text).to_string());
            }
            _ => {}
        }
        if step.ends_expectation() {
            // New lines come after the last aligned line, but not before the difference.
            after = after.max(index);
            expectation += 1;
        }
        line += usize::from(step.ends_line());
    }
}

/// The maximum number of pairs of an expectation and a line.
const MAX_PAIRS: usize = 1 << 25;

/// A step of an alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// The line matches the expectation.
    Match,
    /// The line is one of those that a repeated expectation matches.
    Absorb,
    /// A repeated expectation matches no more lines.
    End,
    /// The line replaces the expectation.
    Replace,
    /// The expectation is removed.
    Remove,
    /// The line is added as an expectation.
    Insert,
}

impl Step {
    /// Returns true if it moves on to the next expectation.
    const fn ends_expectation(self) -> bool {
        !matches!(self, Self::Insert | Self::Absorb)
    }

    /// Returns true if it moves on to the next line.
    const fn ends_line(self) -> bool {
        !matches!(self, Self::Remove | Self::End)
    }

    /// Returns the cost; lines are alike if they have the same first word.
    const fn cost(self, alike: bool) -> u32 {
        match self {
            Self::Match | Self::Absorb | Self::End => 0,
            Self::Replace if alike => 2,
            Self::Insert => 3,
            Self::Replace => 4,
            Self::Remove => 5,
        }
    }
}

/// Returns the cheapest steps that change expectations into some that match the lines.
fn align(expectations: &[&Expectation], lines: &[String]) -> Vec<Step> {
    let (rows, columns) = (expectations.len() + 1, lines.len() + 1);
    if rows.saturating_mul(columns) > MAX_PAIRS {
        // Too much to align: everything is replaced, except for repeated expectations.
        let old = expectations.iter().map(|e| if e.repeated { Step::End } else { Step::Remove });
        return old.chain(lines.iter().map(|_| Step::Insert)).collect();
    }
    // For each pair, the cost and the first step of the cheapest way from there to the end: before the expectation has
    // absorbed lines, and after, when no line can be inserted.
    let mut best = vec![[(0, Step::Insert); 2]; rows * columns];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let (expectation, line) = (expectations.get(row), lines.get(column));
            let alike = expectation.zip(line).is_some_and(|(expectation, line)| alike(expectation, line));
            let steps = possible(expectation.copied(), line);
            for absorbing in [false, true] {
                let ways =
                    steps.into_iter().flatten().filter(|&step| !(absorbing && step == Step::Insert)).map(
                        |step| {
                            let row = row + usize::from(step.ends_expectation());
                            let column = column + usize::from(step.ends_line());
                            let then = best[row * columns + column][usize::from(step == Step::Absorb)];
                            (then.0 + step.cost(alike), step)
                        },
                    );
                if let Some(way) = ways.min_by_key(|&(cost, _)| cost) {
                    best[row * columns + column][usize::from(absorbing)] = way;
                }
            }
        }
    }
    let (mut row, mut column, mut absorbing) = (0, 0, false);
    let mut steps = Vec::new();
    while row + 1 < rows || column + 1 < columns {
        let step = best[row * columns + column][usize::from(absorbing)].1;
        steps.push(step);
        row += usize::from(step.ends_expectation());
        column += usize::from(step.ends_line());
        absorbing = step == Step::Absorb;
    }
    steps
}

/// Returns the possible steps, in the order of preference.
fn possible(expectation: Option<&Expectation>, line: Option<&String>) -> [Option<Step>; 3] {
    let first = match (expectation, line) {
        (Some(expectation), Some(line)) => match (expectation.repeated, expectation.pattern.matches(line)) {
            (true, true) => Some(Step::Absorb),
            (true, false) => None,
            (false, true) => Some(Step::Match),
            (false, false) => Some(Step::Replace),
        },
        _ => None,
    };
    let skip = expectation.map(|e| if e.repeated { Step::End } else { Step::Remove });
    [skip, first, line.map(|_| Step::Insert)]
}

fn alike(expectation: &Expectation, line: &str) -> bool {
    let text = expectation.pattern.to_string();
    text.split_whitespace().next() == line.split_whitespace().next()
}

/// Words before numbers that differ from run to run, in the native protocol (`time 12`) and in Hub (`time=0.01`).
const WORDS: [&str; 3] = ["time", "nps", "hashfull"];

/// Returns the expectation for a line of output: the line itself, except for the numbers after the words `time`, `nps` and
/// `hashfull` of an `info` line, which become wildcards.
pub fn expectation_of(line: &str) -> Expectation {
    let line = line.trim_end();
    if line.split_whitespace().next() != Some("info") {
        return Expectation::once(Pattern::literal(line));
    }
    let mut before = "";
    let written = line.split(' ').map(|word| {
        let wildcard = match word.split_once('=') {
            Some((name, number)) if WORDS.contains(&name) => Some((&word[..=name.len()], number, REAL)),
            _ => WORDS.contains(&before).then_some(("", word, INTEGER)),
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

/// Returns the expectation for a line that replaces an expected one, with the common parts of both as they were, including
/// wildcards.
fn merged(expected: &Pattern, line: &str) -> Expectation {
    let text = expected.to_string();
    let (old, new): (Vec<&str>, Vec<&str>) =
        (text.split(' ').collect(), line.trim_end().split(' ').collect());
    let fits = |(old, new): &(&&str, &&str)| Pattern::parse(old).matches(new);
    let ahead = old.iter().zip(&new).take_while(fits).count();
    let left = old.len().min(new.len()) - ahead;
    let behind = old.iter().rev().zip(new.iter().rev()).take(left).take_while(fits).count();
    let written = expectation_of(line).pattern.to_string();
    let fresh: Vec<&str> = written.split(' ').collect();
    // Compared word by word if both have as many words, otherwise only from both ends.
    let same = old.len() == new.len();
    let words: Vec<&str> = (0..new.len())
        .map(|index| {
            let kept = if index < ahead || same {
                old.get(index)
            } else if index >= new.len() - behind {
                old.get(index + old.len() - new.len())
            } else {
                None
            };
            let fresh = fresh.get(index).unwrap_or(&new[index]);
            kept.filter(|old| Pattern::parse(old).matches(new[index])).unwrap_or(fresh)
        })
        .copied()
        .collect();
    let merged = Pattern::parse(&words.join(" "));
    // A wildcard may have matched several words.
    if merged.matches(line) { Expectation::once(merged) } else { expectation_of(line) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::sequence::Sequence;
    use super::*;

    /// Returns the transcript after its only block was met by other lines.
    fn rewritten(text: &str, lines: &[&str]) -> String {
        let transcript = Transcript::parse(text, 1).unwrap();
        let expected: Vec<usize> = (0..transcript.lines().len())
            .filter(|&index| matches!(transcript.lines()[index].item, Item::Expect(_)))
            .collect();
        let steps = transcript.lines().iter().position(|line| matches!(line.item, Item::Send(_)));
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let difference = Difference { after: steps, expected, open: vec![], lines };
        let run = Run { elapsed: Duration::ZERO, failure: None, differences: vec![difference] };
        updated(&transcript, &run).unwrap()
    }

    #[test]
    fn only_what_differs_changes() {
        assert_eq!(
            rewritten("# c\n> go\n< a [n]\n# d\n< b\n< c [..]\n", &["a 5", "x", "c y"]),
            "# c\n> go\n< a [n]\n# d\n< x\n< c [..]\n"
        );
    }

    #[test]
    fn lines_come_and_go() {
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
            let items = transcript.lines().iter().map(|line| &line.item);
            let expectations = items.filter_map(|item| if let Item::Expect(e) = item { Some(e) } else { None });
            let mut sequence = Sequence::new(expectations.collect());
            prop_assert!(output.iter().all(|line| sequence.accept(line)) && sequence.is_complete(), "{}", transcript);
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
    fn wildcards_survive_where_they_still_hold() {
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
        fn an_expectation_meets_its_line(line in "(info )?([a\\[.\\]n1= ]|time|nps| [0-9]{1,3}){0,8}", old in "[a1n \\[.\\]]{0,8}") {
            let expectation = expectation_of(&line);
            prop_assert!(expectation.pattern.matches(&line), "{}", expectation);
            prop_assert_eq!(Pattern::parse(&expectation.pattern.to_string()), expectation.pattern);
            let merged = merged(&Pattern::parse(&old), &line);
            prop_assert!(merged.pattern.matches(&line), "{}", merged);
        }
    }
}
