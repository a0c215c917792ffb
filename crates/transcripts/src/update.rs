//! Updating a transcript with the actual output of an engine.
//!
//! Only expectations that were not met change. The old expectations and the new output are aligned so that as little as
//! possible is rewritten; comments, directives and all lines to send stay.

use std::collections::BTreeMap;

use super::align::{Step, align};
use super::item::{Expectation, Item};
use super::runner::{Difference, Run};
use super::script::Transcript;
use super::volatile::{expectation_of, merged};

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
    fn replace(&mut self, index: usize, text: Option<String>) {
        self.replaced.insert(index, text);
    }

    fn insert(&mut self, after: Option<usize>, text: String) {
        self.inserted.entry(after).or_default().push(text);
    }

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
                changes.replace(index, Some(new.to_string()));
            }
            (Step::Remove, Some(index)) => changes.replace(index, None),
            (Step::Insert, _) => changes.insert(after, expectation_of(text).to_string()),
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
}
