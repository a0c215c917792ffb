//! Conversion of output to expectations that match the next run too.

use super::item::Expectation;
use super::pattern::{Part, Pattern};

/// Words before numbers that differ from run to run, in the native protocol (`time 12`) and in Hub (`time=0.01`).
const WORDS: [&str; 3] = ["time", "nps", "hashfull"];

/// Returns the expectation for a line of output: the line itself, except for the numbers after the words `time`, `nps` and
/// `hashfull` of an `info` line, which become wildcards.
pub fn expectation_of(line: &str) -> Expectation {
    let line = line.trim_end();
    if line.split_whitespace().next() != Some("info") {
        return Expectation::once(Pattern::literal(line));
    }
    let mut parts = Vec::new();
    let mut before = "";
    for (index, word) in line.split(' ').enumerate() {
        if index > 0 {
            parts.push(Part::Text(" ".to_owned()));
        }
        let wildcard =
            |part: Part, number: &str| Pattern::from_parts([part.clone()]).matches(number).then_some(part);
        match word.split_once('=') {
            Some((name, number)) if WORDS.contains(&name) => {
                parts.push(Part::Text(format!("{name}=")));
                parts.push(wildcard(Part::Real, number).unwrap_or_else(|| Part::Text(number.to_owned())));
            }
            _ if WORDS.contains(&before) => {
                parts.push(wildcard(Part::Integer, word).unwrap_or_else(|| Part::Text(word.to_owned())));
            }
            _ => parts.push(Part::Text(word.to_owned())),
        }
        before = word;
    }
    Expectation::once(Pattern::from_parts(parts))
}

/// Returns the expectation for a line that replaces an expected one, with the common parts of both as they were, including
/// wildcards.
pub(super) fn merged(expected: &Pattern, line: &str) -> Expectation {
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
    use proptest::prelude::*;

    use super::*;

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
