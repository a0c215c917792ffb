//! Matches output against a list of expectations.
//!
//! Since `< ...` and `<* pattern` match any number of lines, all ways to match the output are tracked in
//! parallel: a line that matches the next expectation may also match a repeated expectation before it.

use super::item::Expectation;

/// Matches output against a list of expectations.
#[derive(Clone, Debug)]
pub struct Sequence<'a> {
    expectations: Vec<&'a Expectation>,
    /// Indices of the expectations that may match next, ascending and never empty. One past the last index
    /// stands for the end.
    live: Vec<usize>,
}

impl<'a> Sequence<'a> {
    /// Creates a sequence that has seen no output.
    pub fn new(expectations: Vec<&'a Expectation>) -> Self {
        let mut sequence = Self { expectations, live: Vec::new() };
        sequence.live = sequence.with_later([0]);
        sequence
    }

    /// Adds the indices that can be reached without further output, since repeated expectations may match no
    /// lines.
    fn with_later(&self, indices: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut all = Vec::new();
        for mut index in indices {
            while all.last().is_none_or(|&last| last < index) {
                all.push(index);
                index +=
                    usize::from(self.expectations.get(index).is_some_and(|expectation| expectation.repeated));
            }
        }
        all
    }

    /// Matches a line. Returns `false` and changes nothing if no expectation matches.
    pub fn accept(&mut self, line: &str) -> bool {
        let after = self.live.iter().filter_map(|&index| {
            let expectation = self.expectations.get(index)?;
            let next = if expectation.repeated { index } else { index + 1 };
            expectation.pattern.matches(line).then_some(next)
        });
        let after = self.with_later(after);
        if after.is_empty() {
            return false;
        }
        self.live = after;
        true
    }

    /// Returns the number of expectations met by the most advanced match.
    pub fn progress(&self) -> usize {
        self.live[self.live.len() - 1]
    }

    /// Returns whether all expectations are met.
    pub fn is_complete(&self) -> bool {
        self.progress() == self.expectations.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::Pattern;
    use super::*;

    fn expectations(lines: &[&str]) -> Vec<Expectation> {
        let read = |line: &&str| match line.strip_prefix("* ") {
            _ if *line == "..." => Expectation::anything(),
            Some(pattern) => Expectation::repeated(Pattern::parse(pattern)),
            None => Expectation::once(Pattern::parse(line)),
        };
        lines.iter().map(read).collect()
    }

    /// Returns the number of lines matched, and the progress at the end or at the first line that does not
    /// match.
    fn follow(expected: &[&str], lines: &[&str]) -> (usize, usize) {
        let expected = expectations(expected);
        let mut sequence = Sequence::new(expected.iter().collect());
        let taken = lines.iter().take_while(|line| !sequence.is_complete() && sequence.accept(line)).count();
        (sequence.progress(), taken)
    }

    #[test]
    fn without_repetition_lines_match_one_by_one() {
        assert_eq!(follow(&["a", "b"], &["a", "b", "c"]), (2, 2));
        assert_eq!(follow(&["a", "b"], &["a", "c", "b"]), (1, 1));
        assert_eq!(follow(&[], &["a"]), (0, 0));
    }

    #[test]
    fn repetition_ends_as_early_as_possible() {
        assert_eq!(follow(&["...", "b"], &["a", "a", "b", "b"]), (2, 3));
        assert_eq!(follow(&["...", "b"], &["b"]), (2, 1));
        assert_eq!(follow(&["a", "..."], &["a", "b"]), (2, 1));
        assert_eq!(follow(&["* i[n]", "b"], &["i1", "i2", "x", "b"]), (1, 2));
        assert_eq!(follow(&["* i[n]", "b"], &["b"]), (2, 1));
    }

    #[test]
    fn a_line_may_match_a_repeated_expectation_before_the_next() {
        assert_eq!(follow(&["...", "a", "b"], &["a", "x", "a", "a", "b"]), (3, 5));
        assert_eq!(follow(&["...", "a", "...", "a", "b"], &["a", "a", "b"]), (5, 3));
        assert_eq!(follow(&["...", "a", "...", "a", "b"], &["a", "b"]), (3, 2));
    }
}
