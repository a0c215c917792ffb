//! Patterns of lines: text with wildcards.

use std::fmt::{self, Write as _};

/// A part of a [`Pattern`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// This text.
    Text(String),
    /// `[..]`: any text, also none.
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
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern(Vec<Part>);

impl Pattern {
    /// Returns the pattern that matches only a line.
    #[must_use]
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
        Self(joined)
    }

    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.0
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.0 {
            match part {
                Part::Text(text) if self.0.len() == 1 && text == Part::ELISION => f.write_str("[.]..")?,
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn brackets_that_mean_nothing_are_text() {
        for text in ["[]", "[", "]", "[Event \"x\"]", "[N]", "[..", "[[n"] {
            assert_eq!(Pattern::parse(text), Pattern::literal(text), "{text}");
            assert_eq!(Pattern::literal(text).to_string(), text);
        }
        assert_eq!(Pattern::parse("[[n][..]").parts(), [Part::Text("[".into()), Part::Integer, Part::Any],);
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
}
