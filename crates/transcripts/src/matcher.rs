//! Matching of lines and patterns.
//!
//! All ways to match are followed at once, as the set of places in the line where the parts so far can end. So the work is
//! bounded by the length of the line times the number of parts.

use super::pattern::{Part, Pattern};

impl Pattern {
    /// Returns true if a whole line matches, except for white space at its end.
    #[must_use]
    pub fn matches(&self, line: &str) -> bool {
        let line = line.trim_end().as_bytes();
        // Most patterns are plain text.
        match self.parts() {
            [] => return line.is_empty(),
            [Part::Text(text)] => return text.as_bytes() == line,
            _ => {}
        }
        let mut places = vec![false; line.len() + 1];
        places[0] = true;
        for part in self.parts() {
            places = match part {
                Part::Text(text) => after_text(&places, line, text.as_bytes()),
                Part::Any => after_anything(&places),
                Part::Integer => after(&places, line, Integer::default()),
                Part::Real => after(&places, line, Real::default()),
                Part::Move => after(&places, line, Moves::default()),
            };
            if !places.contains(&true) {
                return false;
            }
        }
        places.last() == Some(&true)
    }
}

fn after_text(places: &[bool], line: &[u8], text: &[u8]) -> Vec<bool> {
    let mut ends = vec![false; places.len()];
    for (begin, _) in places.iter().enumerate().filter(|&(_, &reached)| reached) {
        let end = begin + text.len();
        if line.get(begin..end) == Some(text) {
            ends[end] = true;
        }
    }
    ends
}

fn after_anything(places: &[bool]) -> Vec<bool> {
    let mut reached = false;
    places
        .iter()
        .map(|&place| {
            reached |= place;
            reached
        })
        .collect()
}

/// Scans all words of a kind at once, wherever they begin.
trait Scanner {
    /// Scans a byte, with which a word may begin if `begins`. Returns true if a word may end after it.
    fn read(&mut self, byte: u8, begins: bool) -> bool;
}

fn after(places: &[bool], line: &[u8], mut scanner: impl Scanner) -> Vec<bool> {
    let ends = line.iter().zip(places).map(|(&byte, &begins)| scanner.read(byte, begins));
    std::iter::once(false).chain(ends).collect()
}

/// `[+-]? digit+`
#[derive(Default)]
struct Integer {
    sign: bool,
    digits: bool,
}

impl Scanner for Integer {
    fn read(&mut self, byte: u8, begins: bool) -> bool {
        *self = Self {
            sign: begins && matches!(byte, b'+' | b'-'),
            digits: byte.is_ascii_digit() && (begins || self.sign || self.digits),
        };
        self.digits
    }
}

/// `[+-]? digit+ ('.' digit+)? ([eE] [+-]? digit+)?`
#[derive(Default)]
struct Real {
    whole: Integer,
    point: bool,
    decimals: bool,
    e: bool,
    exponent: Integer,
}

impl Scanner for Real {
    fn read(&mut self, byte: u8, begins: bool) -> bool {
        let e = matches!(byte, b'e' | b'E') && (self.whole.digits || self.decimals);
        let decimals = byte.is_ascii_digit() && (self.point || self.decimals);
        let point = byte == b'.' && self.whole.digits;
        let exponent = self.exponent.read(byte, self.e);
        let whole = self.whole.read(byte, begins);
        (self.e, self.decimals, self.point) = (e, decimals, point);
        whole || decimals || exponent
    }
}

/// A number from 1 to 32.
#[derive(Default)]
struct Number {
    /// The last byte was 1 or 2, which any digit may follow.
    one_or_two: bool,
    /// The last byte was 3, which 0, 1 or 2 may follow.
    three: bool,
    complete: bool,
}

impl Scanner for Number {
    fn read(&mut self, byte: u8, begins: bool) -> bool {
        *self = Self {
            one_or_two: begins && matches!(byte, b'1' | b'2'),
            three: begins && byte == b'3',
            complete: begins && matches!(byte, b'4'..=b'9')
                || self.one_or_two && byte.is_ascii_digit()
                || self.three && matches!(byte, b'0'..=b'2'),
        };
        self.ends()
    }
}

impl Number {
    fn ends(&self) -> bool {
        self.one_or_two || self.three || self.complete
    }
}

/// `number '-' number | number ('x' number)+`
#[derive(Default)]
struct Moves {
    from: Number,
    dash: bool,
    to: Number,
    cross: bool,
    landing: Number,
}

impl Scanner for Moves {
    fn read(&mut self, byte: u8, begins: bool) -> bool {
        let dash = byte == b'-' && self.from.ends();
        let cross = byte == b'x' && (self.from.ends() || self.landing.ends());
        let to = self.to.read(byte, self.dash);
        let landing = self.landing.read(byte, self.cross);
        self.from.read(byte, begins);
        (self.dash, self.cross) = (dash, cross);
        to || landing
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

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

    /// Matches by backtracking, as the definition says.
    fn reference(parts: &[Part], line: &str) -> bool {
        let Some((part, rest)) = parts.split_first() else { return line.is_empty() };
        (0..=line.len())
            .filter(|&end| line.is_char_boundary(end))
            .any(|end| is_one(part, &line[..end]) && reference(rest, &line[end..]))
    }

    fn is_one(part: &Part, text: &str) -> bool {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let integer = |text: &str| digits(text.strip_prefix(['+', '-']).unwrap_or(text));
        let square = |text: &str| (1..=32).any(|n: u8| n.to_string() == text);
        match part {
            Part::Text(other) => text == other,
            Part::Any => true,
            Part::Integer => integer(text),
            Part::Real => {
                let (mantissa, exponent) = match text.split_once(['e', 'E']) {
                    Some((mantissa, exponent)) => (mantissa, Some(exponent)),
                    None => (text, None),
                };
                exponent.is_none_or(integer)
                    && match mantissa.split_once('.') {
                        Some((whole, decimals)) => integer(whole) && digits(decimals),
                        None => integer(mantissa),
                    }
            }
            Part::Move => {
                text.split_once('-').is_some_and(|(from, to)| square(from) && square(to))
                    || text.contains('x') && text.split('x').all(square)
            }
        }
    }

    /// Returns a part and a text that it matches.
    fn part() -> impl Strategy<Value = (Part, String)> {
        prop_oneof![
            "[1-3x.e-]{1,2}".prop_map(|text| (Part::Text(text.clone()), text)),
            "[1-3x.e-]{0,3}".prop_map(|text| (Part::Any, text)),
            "[+-]?[0-9]{1,3}".prop_map(|text| (Part::Integer, text)),
            "-?[0-9]{1,2}(\\.[0-9]{1,2})?(e-?[0-9])?".prop_map(|text| (Part::Real, text)),
            "[1-9](-[12][0-9]|(x3[0-2]|x[4-9]){1,3})".prop_map(|text| (Part::Move, text)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn the_matcher_agrees_with_the_definition(
            parts in prop::collection::vec(part(), 0..5),
            other in "[1-3x.e+-]{0,9}",
            cut in 0usize..12,
        ) {
            let (parts, texts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            let (pattern, line) = (Pattern::from_parts(parts), texts.concat());
            prop_assert!(pattern.matches(&line), "{} {}", pattern, line);
            let broken: String = line.chars().enumerate().filter(|&(i, _)| i != cut).map(|(_, c)| c).collect();
            for line in [broken, other] {
                prop_assert_eq!(pattern.matches(&line), reference(pattern.parts(), &line), "{} {}", pattern, line);
            }
        }
    }
}
