//! Patterns of lines: text with wildcards.

use std::fmt::{self, Write as _};

use regex_lite::{Regex, RegexBuilder};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// This text.
    Text(String),
    /// `[..]`: any text, or none.
    Any,
    /// `[n]`: an integer with an optional sign.
    Integer,
    /// `[real]`: an integer or a number with decimals.
    Real,
    /// `[move]`: a move, `11-15` or `22x15x8`.
    Move,
}

impl Part {
    /// The wildcards in text form.
    pub(super) const WILDCARDS: [(&'static str, Self); 4] =
        [("[..]", Self::Any), ("[n]", Self::Integer), ("[real]", Self::Real), ("[move]", Self::Move)];
    /// The text forms of characters that would otherwise be special.
    pub(super) const ESCAPES: [(&'static str, &'static str); 2] = [("[[]", "["), ("[.]", ".")];
    /// A whole line of it matches any number of lines.
    pub(super) const ELISION: &'static str = "...";

    fn regex(&self) -> String {
        const SQUARE: &str = "(?:[12][0-9]?|3[0-2]?|[4-9])";
        match self {
            Self::Text(text) => regex_lite::escape(text),
            Self::Any => ".*".to_owned(),
            Self::Integer => "[+-]?[0-9]+".to_owned(),
            Self::Real => r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?".to_owned(),
            Self::Move => format!("{SQUARE}(?:-{SQUARE}|(?:x{SQUARE})+)"),
        }
    }
}

/// Compiles parts to one regular expression, whatever their length.
fn compiled(parts: &[Part]) -> Option<Regex> {
    let text: String = parts.iter().map(Part::regex).collect();
    RegexBuilder::new(&format!("^{text}$")).dot_matches_new_line(true).size_limit(usize::MAX).build().ok()
}

/// A line with wildcards. White space at the end is ignored on both sides, since editors remove it.
///
/// Every text is a pattern: brackets around anything else are just text. Text that looks like a wildcard is written with
/// `[[]` for its bracket.
///
/// ```
/// use transcripts::Pattern;
/// let pattern = Pattern::parse("info depth [n] [..]pv [move]");
/// assert!(pattern.matches("info depth 7 score -12 pv 22x15x8"));
/// assert!(!pattern.matches("info depth 7 score -12 pv none"));
/// assert!(Pattern::literal("[n]").matches("[n]"));
/// assert_eq!(Pattern::literal("[n]").to_string(), "[[]n]");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    parts: Vec<Part>,
    /// Matches a line; none if the pattern is plain text.
    regex: Option<Regex>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Parses a pattern.
    pub fn parse(text: &str) -> Self {
        let (mut parts, mut rest) = (Vec::new(), text.trim_end());
        while let Some((before, special)) = rest.find('[').and_then(|at| rest.split_at_checked(at)) {
            parts.push(Part::Text(before.to_owned()));
            let escapes = Part::ESCAPES.map(|(written, meant)| (written, Part::Text(meant.to_owned())));
            let mut known = Part::WILDCARDS.into_iter().chain(escapes);
            let (written, part) = known
                .find(|(written, _)| special.starts_with(written))
                .unwrap_or_else(|| ("[", Part::Text("[".to_owned())));
            parts.push(part);
            rest = &special[written.len()..];
        }
        parts.push(Part::Text(rest.to_owned()));
        Self::from_parts(parts)
    }

    /// Returns the pattern that matches only a line.
    pub fn literal(line: &str) -> Self {
        Self::from_parts([Part::Text(line.trim_end().to_owned())])
    }

    /// Joins parts, and merges neighbours of the same kind.
    pub(super) fn from_parts(parts: impl IntoIterator<Item = Part>) -> Self {
        let mut joined: Vec<Part> = Vec::new();
        for part in parts {
            match (joined.last_mut(), part) {
                (_, Part::Text(text)) if text.is_empty() => {}
                (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
                (Some(Part::Any), Part::Any) => {}
                (_, part) => joined.push(part),
            }
        }
        let plain = joined.iter().all(|part| matches!(part, Part::Text(_)));
        let regex = if plain { None } else { compiled(&joined) };
        Self { parts: joined, regex }
    }

    /// Returns true if a whole line matches, except for white space at its end.
    pub fn matches(&self, line: &str) -> bool {
        let line = line.trim_end();
        match (&self.regex, self.parts.as_slice()) {
            (Some(regex), _) => regex.is_match(line),
            (None, [Part::Text(text)]) => text == line,
            (None, _) => line.is_empty(),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) if self.parts.len() == 1 && text == Part::ELISION => f.write_str("[.]..")?,
                Part::Text(text) => escape(text, f)?,
                wildcard => {
                    let known = Part::WILDCARDS.iter().find(|(_, part)| part == wildcard);
                    f.write_str(known.map_or("", |(text, _)| text))?;
                }
            }
        }
        Ok(())
    }
}

fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let special = |rest: &str| {
        Part::WILDCARDS.iter().any(|(text, _)| rest.starts_with(text))
            || Part::ESCAPES.iter().any(|(text, _)| rest.starts_with(text))
    };
    for (i, c) in text.char_indices() {
        if c == '[' && special(text.get(i..).unwrap_or_default()) {
            f.write_str("[[]")?;
        } else {
            f.write_char(c)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn brackets_that_mean_nothing_are_text() {
        for text in ["[]", "[", "]", "[Event \"x\"]", "[N]", "[..", "[[n"] {
            assert_eq!(Pattern::parse(text), Pattern::literal(text), "{text}");
            assert_eq!(Pattern::literal(text).to_string(), text);
        }
        for text in ["[[[[", "a[b[..][", "é[n"] {
            assert_eq!(Pattern::parse(text).to_string(), text);
        }
        assert_eq!(Pattern::parse("[[n][..]").parts, [Part::Text("[".into()), Part::Integer, Part::Any]);
    }

    #[test]
    fn three_dots_alone_are_escaped() {
        assert_eq!(Pattern::literal("...").to_string(), "[.]..");
        assert_eq!(Pattern::parse("[.].."), Pattern::literal("..."));
        assert_eq!(Pattern::literal("....").to_string(), "....");
    }

    fn part() -> impl Strategy<Value = Part> {
        prop_oneof![
            "[a\\[\\].n ]{1,8}".prop_map(Part::Text),
            Just(Part::Any),
            Just(Part::Integer),
            Just(Part::Real),
            Just(Part::Move),
        ]
    }

    proptest! {
        #[test]
        fn patterns_are_read_back(parts in prop::collection::vec(part(), 0..6)) {
            let mut parts = parts;
            if let Some(Part::Text(text)) = parts.last_mut() {
                text.push('!');
            }
            let pattern = Pattern::from_parts(parts);
            prop_assert_eq!(Pattern::parse(&pattern.to_string()), pattern);
        }

        #[test]
        fn any_text_is_a_literal(text in "[a\\[\\].nx é]{0,12}") {
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
    fn many_wildcards_cost_no_more_than_their_number() {
        let begun = Instant::now();
        let pattern = "[..]a".repeat(200) + "[n][real]b";
        assert!(!matches(&pattern, &"a".repeat(20_000)));
        assert!(!matches(&("[n]".repeat(50) + "x"), &"1".repeat(100_000)));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}
