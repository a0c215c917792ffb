//! Whether lines, as they come, are those expected.
//!
//! Where `< ...` or `<* pattern` leaves open how many lines it takes, all ways to read the output are followed at once:
//! a line that looks like the next expected one may still be one of those passed over.

use super::item::Expectation;

/// Follows output through a list of expectations.
#[derive(Clone, Debug)]
pub struct Sequence<'a> {
    expectations: Vec<&'a Expectation>,
    /// By index, whether that expectation may be the next to match; one more for the end of the list.
    live: Vec<bool>,
}

impl<'a> Sequence<'a> {
    /// Before any output.
    #[must_use]
    pub fn new(expectations: Vec<&'a Expectation>) -> Self {
        let mut live = vec![false; expectations.len() + 1];
        live[0] = true;
        let mut sequence = Self { expectations, live };
        sequence.pass_over();
        sequence
    }

    /// What may be repeated need not come at all.
    fn pass_over(&mut self) {
        for (index, expectation) in self.expectations.iter().enumerate() {
            self.live[index + 1] |= self.live[index] && expectation.repeated;
        }
    }

    /// Takes a line. If none is expected that it matches, nothing changes and the answer is no.
    pub fn accept(&mut self, line: &str) -> bool {
        let mut next = vec![false; self.live.len()];
        for (index, expectation) in self.expectations.iter().enumerate() {
            if self.live[index] && expectation.pattern.matches(line) {
                next[if expectation.repeated { index } else { index + 1 }] = true;
            }
        }
        if !next.contains(&true) {
            return false;
        }
        self.live = next;
        self.pass_over();
        true
    }

    /// How many expectations are met in the most advanced reading.
    #[must_use]
    pub fn progress(&self) -> usize {
        self.live.iter().rposition(|&live| live).unwrap_or_default()
    }

    /// Whether nothing more has to come.
    #[must_use]
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

    /// What was met when the list was complete or a line was refused, and how many lines that took.
    fn follow(expected: &[&str], lines: &[&str]) -> (usize, usize) {
        let expected = expectations(expected);
        let mut sequence = Sequence::new(expected.iter().collect());
        let taken = lines.iter().take_while(|line| !sequence.is_complete() && sequence.accept(line)).count();
        (sequence.progress(), taken)
    }

    #[test]
    fn without_repetition_every_line_counts() {
        assert_eq!(follow(&["a", "b"], &["a", "b", "c"]), (2, 2));
        assert_eq!(follow(&["a", "b"], &["a", "c", "b"]), (1, 1));
        assert_eq!(follow(&[], &["a"]), (0, 0));
    }

    #[test]
    fn repetition_ends_as_soon_as_it_can() {
        assert_eq!(follow(&["...", "b"], &["a", "a", "b", "b"]), (2, 3));
        assert_eq!(follow(&["...", "b"], &["b"]), (2, 1));
        assert_eq!(follow(&["a", "..."], &["a", "b"]), (2, 1));
        assert_eq!(follow(&["* i[n]", "b"], &["i1", "i2", "x", "b"]), (1, 2));
        assert_eq!(follow(&["* i[n]", "b"], &["b"]), (2, 1));
    }

    #[test]
    fn what_looks_like_the_next_line_may_still_be_passed_over() {
        assert_eq!(follow(&["...", "a", "b"], &["a", "x", "a", "a", "b"]), (3, 5));
        assert_eq!(follow(&["...", "a", "...", "a", "b"], &["a", "a", "b"]), (5, 3));
        assert_eq!(follow(&["...", "a", "...", "a", "b"], &["a", "b"]), (3, 2));
    }
}
