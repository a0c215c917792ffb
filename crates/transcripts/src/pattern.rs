//! Patterns of lines: text with wildcards.

use std::fmt;

use regex_lite::{Regex, RegexBuilder};

/// A line consisting of this text stands for any number of lines.
pub(super) const ELISION: &str = "...";
/// Any text, or none.
pub(super) const ANY: &str = "[..]";
/// An integer with an optional sign.
pub(super) const INTEGER: &str = "[n]";
/// An integer or a number with decimals.
pub(super) const REAL: &str = "[real]";

/// The wildcards and escapes with their regular expressions; `S` stands for a square.
const SPECIAL: [(&str, &str); 6] = [
    (ANY, ".*"),
    (INTEGER, "[+-]?[0-9]+"),
    (REAL, r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"),
    ("[move]", "S(?:-S|(?:xS)+)"),
    ("[[]", r"\["),
    ("[.]", r"\."),
];
const SQUARE: &str = "(?:[12][0-9]?|3[0-2]?|[4-9])";

/// Returns the wildcard or escape with which the text starts, and its regular expression.
fn special(text: &str) -> Option<(&'static str, &'static str)> {
    SPECIAL.into_iter().find(|(written, _)| text.starts_with(written))
}

/// Escapes text so that, as part of a pattern, it matches only itself.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (index, c) in text.char_indices() {
        let is_special = c == '[' && special(&text[index..]).is_some();
        escaped.push_str(if is_special { "[[]" } else { &text[index..index + c.len_utf8()] });
    }
    escaped
}

/// A line with wildcards. White space at the end of both lines is ignored, since editors remove it.
///
/// Any text is a valid pattern: other brackets are plain text. `[[]` stands for `[` in text that would
/// otherwise be a wildcard.
///
/// ```
/// use kelso_transcripts::Pattern;
/// let pattern = Pattern::parse("info depth [n] [..]pv [move]");
/// assert!(pattern.matches("info depth 7 score -12 pv 22x15x8"));
/// assert!(!pattern.matches("info depth 7 score -12 pv none"));
/// assert!(Pattern::literal("[n]").matches("[n]"));
/// assert_eq!(Pattern::literal("[n]").to_string(), "[[]n]");
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    matcher: Matcher,
}

#[derive(Clone, Debug)]
enum Matcher {
    Line(String),
    Regex(Regex),
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl Pattern {
    pub fn parse(text: &str) -> Self {
        let text = text.trim_end();
        let mut regex = String::new();
        let mut rest = text;
        let mut is_literal = true;
        while let Some((before, bracket)) = rest.find('[').and_then(|at| rest.split_at_checked(at)) {
            let wildcard = special(bracket);
            is_literal &= wildcard.is_none();
            let (written, meaning) = wildcard.unwrap_or(("[", r"\["));
            regex += &(regex_lite::escape(before) + &meaning.replace('S', SQUARE));
            rest = &bracket[written.len()..];
        }
        regex += &regex_lite::escape(rest);
        if is_literal {
            return Self::literal(text);
        }
        // A pattern may have any length.
        let mut builder = RegexBuilder::new(&format!("^{regex}$"));
        let built = builder.dot_matches_new_line(true).size_limit(usize::MAX).build();
        let matcher = built.map_or_else(|_| Matcher::Line(text.to_owned()), Matcher::Regex);
        Self { text: text.to_owned(), matcher }
    }

    /// Returns the pattern that matches exactly this line.
    pub fn literal(line: &str) -> Self {
        let line = line.trim_end();
        let text = if line == ELISION { "[.]..".to_owned() } else { escaped(line) };
        Self { text, matcher: Matcher::Line(line.to_owned()) }
    }

    /// Returns whether a whole line matches, ignoring white space at its end.
    pub fn matches(&self, line: &str) -> bool {
        match &self.matcher {
            Matcher::Line(only) => only == line.trim_end(),
            Matcher::Regex(regex) => regex.is_match(line.trim_end()),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unknown_brackets_are_literal() {
        for text in ["[]", "[", "]", "[Event \"x\"]", "[N]", "[..", "[[n"] {
            assert_eq!(Pattern::parse(text), Pattern::literal(text), "{text}");
            assert_eq!(Pattern::literal(text).to_string(), text);
        }
        for text in ["[[[[", "a[b[..][", "é[n"] {
            assert_eq!(Pattern::parse(text).to_string(), text);
        }
        assert!(Pattern::parse("[[n][..]").matches("[7 x") && !Pattern::parse("[[n][..]").matches("[[7 x"));
    }

    #[test]
    fn three_dots_alone_are_escaped() {
        assert_eq!(Pattern::literal("...").to_string(), "[.]..");
        assert_eq!(Pattern::parse("[.].."), Pattern::literal("..."));
        assert_eq!(Pattern::literal("....").to_string(), "....");
    }

    proptest! {
        #[test]
        fn patterns_are_read_back(text in "([a\\[\\].n ]|\\[(n|real|move|\\.\\.|\\[)\\]){0,8}") {
            let pattern = Pattern::parse(&text);
            prop_assert_eq!(Pattern::parse(&pattern.to_string()), pattern);
        }

        #[test]
        fn escaped_text_matches_literally(text in "[a\\[\\].nx é]{0,12}") {
            let pattern = Pattern::literal(&text);
            prop_assert!(pattern.matches(&text));
            prop_assert_eq!(Pattern::parse(&pattern.to_string()), pattern);
        }
    }

    fn matches(pattern: &str, line: &str) -> bool {
        Pattern::parse(pattern).matches(line)
    }

    #[test]
    fn wildcards_match_their_kind() {
        for (wildcard, good, bad) in [
            ("[..]", &["", "a", "any text, é"][..], &[][..]),
            ("[n]", &["0", "-12", "+7", "007"], &["", "-", "1.5", "a", "1 ", "--1", "1-"]),
            ("[real]", &["0", "-1.5", "+3.25e-7", "1e9"], &["", ".", "1.", ".5", "1e", "1.e5", "1.5.5"]),
            (
                "[move]",
                &["11-15", "1-5", "32-27", "22x15", "22x15x8", "9x18x27x20x11"],
                &["", "11", "11-", "11x", "0-4", "33-29", "01-05", "11-15-19", "11-15x22", "11:15", "none"],
            ),
        ] {
            let framed = format!("a {wildcard}.");
            for text in good {
                assert!(matches(&framed, &format!("a {text}.")), "{wildcard} {text}");
            }
            for text in bad {
                assert!(!matches(&framed, &format!("a {text}.")), "{wildcard} {text}");
            }
        }
    }

    #[test]
    fn white_space_at_the_end_does_not_count() {
        assert!(matches("a  ", "a"));
        assert!(matches("a", "a \t"));
        assert!(!matches("a", " a"));
        assert!(matches("", "  "));
    }

    #[test]
    fn matching_time_is_linear_in_wildcards() {
        let begun = Instant::now();
        let pattern = "[..]a".repeat(200) + "[n][real]b";
        assert!(!matches(&pattern, &"a".repeat(20_000)));
        assert!(!matches(&("[n]".repeat(50) + "x"), &"1".repeat(100_000)));
        // Trying all ways to divide the text would take practically forever.
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    }
}
