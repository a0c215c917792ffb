//! Rules of grammars, written with nom, and their errors.

use nom::character::complete::digit1;
use nom::combinator::{all_consuming, cut, map_opt, peek};
use nom::error::{ContextError, ErrorKind, FromExternalError, ParseError, context};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::{SyntaxError, SyntaxFault};

/// The result of applying a grammar rule.
pub type Parsed<'a, T> = IResult<&'a str, T, Expected<'a>>;

/// A nom error: the rest of the input where a rule failed, and what the rule expected.
///
/// Among alternatives, the error furthest into the text takes precedence; among nested contexts, the
/// innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected<'a> {
    rest: &'a str,
    what: Option<&'static str>,
    end: bool,
}

impl Expected<'_> {
    /// Converts the error to a position in the text.
    #[must_use]
    pub fn fault(&self, text: &str) -> SyntaxFault {
        let expected = self.what.unwrap_or(if self.end { "end of input" } else { "something else" });
        SyntaxFault { at: text.len().saturating_sub(self.rest.len()), expected }
    }
}

impl<'a> ParseError<&'a str> for Expected<'a> {
    fn from_error_kind(rest: &'a str, kind: ErrorKind) -> Self {
        Self { rest, what: None, end: kind == ErrorKind::Eof }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    fn or(self, other: Self) -> Self {
        if other.rest.len() < self.rest.len() || self.what.is_none() { other } else { self }
    }
}

impl<'a> ContextError<&'a str> for Expected<'a> {
    fn add_context(_: &'a str, context: &'static str, other: Self) -> Self {
        Self { what: other.what.or(Some(context)), ..other }
    }
}

impl<'a, E> FromExternalError<&'a str, E> for Expected<'a> {
    fn from_external_error(rest: &'a str, _: ErrorKind, _: E) -> Self {
        Self { rest, what: None, end: false }
    }
}

/// Parses a whole text with a rule. Errors call the text a `what`.
///
/// # Errors
///
/// If the text does not follow the grammar.
pub fn whole<'a, T>(
    what: &'static str,
    rule: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
    text: &'a str,
) -> Result<T, SyntaxError> {
    let fault = match all_consuming(rule).parse(text) {
        Ok((_, value)) => return Ok(value),
        Err(nom::Err::Error(e) | nom::Err::Failure(e)) => e.fault(text),
        Err(nom::Err::Incomplete(_)) => SyntaxFault { at: text.len(), expected: "more text" },
    };
    Err(fault.error(what, text))
}

/// The rule for a whole number. An error says if it is too large.
///
/// # Errors
///
/// If the text does not begin with such a number.
pub fn whole_number(input: &str) -> Parsed<'_, u64> {
    let number = map_opt(digit1, |digits: &str| digits.parse().ok());
    preceded(peek(digit1), context("a number up to 18446744073709551615", cut(number))).parse(input)
}

/// The rule for the number of something. After digits that are not its number, no alternatives are tried.
pub fn number<'a, T>(
    expected: &'static str,
    of_number: impl Fn(u8) -> Option<T>,
) -> impl Parser<&'a str, Output = T, Error = Expected<'a>> {
    let number = map_opt(digit1, move |digits: &str| digits.parse().ok().and_then(&of_number));
    context(expected, preceded(peek(digit1), cut(number)))
}
