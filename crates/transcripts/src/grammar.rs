//! The grammar of a transcript's lines.

use std::time::Duration;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_till1, take_while1};
use nom::character::complete::{char, digit1, space0, space1};
use nom::combinator::{cut, eof, map, map_opt, map_res, not, opt, peek, recognize, rest, value, verify};
use nom::error::context;
use nom::multi::many0;
use nom::sequence::{delimited, preceded, terminated};

use super::item::{Directive, Expectation, Item, LONGEST_TIMEOUT, LONGEST_WAIT};
use super::pattern::{Part, Pattern};
use common::time::Bare;
use draughts::notation::syntax::{Mismatch, Parsed, whole};
use players::process::words;

/// Parses a line of a transcript.
pub(super) fn item(line: &str) -> Result<Item, Mismatch> {
    whole(any_item, line)
}

impl Pattern {
    /// Parses a pattern.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        pattern(text.trim_end())
    }
}

pub(super) fn pattern(text: &str) -> Pattern {
    // The rule accepts any text.
    whole(parts, text).map_or_else(|_| Pattern::literal(text), Pattern::from_parts)
}

fn any_item(line: &str) -> Parsed<'_, Item> {
    context(
        "a line that begins with \"#\", \">\", \"<\" or \"!\"",
        alt((
            value(Item::Blank, terminated(space0, eof)),
            value(Item::Comment, (char('#'), rest)),
            map(preceded(char('>'), cut(text)), |text| Item::Send(text.to_owned())),
            map(preceded(char('<'), cut(expectation)), Item::Expect),
            map(preceded(char('!'), cut(directive)), Item::Directive),
        )),
    )
    .parse(line)
}

/// Parses the rest after a mark: nothing, or a space and a text.
fn text(line: &str) -> Parsed<'_, &str> {
    context("a space after the mark", alt((eof, preceded(char(' '), rest)))).parse(line)
}

fn expectation(line: &str) -> Parsed<'_, Expectation> {
    let repeated = map(preceded(char('*'), text), |text| Expectation::repeated(Pattern::parse(text)));
    let once = map(text, |text| {
        if text.trim_end() == Part::ELISION {
            Expectation::anything()
        } else {
            Expectation::once(Pattern::parse(text))
        }
    });
    alt((repeated, once)).parse(line)
}

fn parts(text: &str) -> Parsed<'_, Vec<Part>> {
    let plain = map(take_till1(|c| c == '['), |text: &str| Part::Text(text.to_owned()));
    let bracket = value(Part::Text("[".to_owned()), char('['));
    many0(alt((plain, special, bracket))).parse(text)
}

fn special(text: &str) -> Parsed<'_, Part> {
    let escapes = Part::ESCAPES.map(|(written, meant)| (written, Part::Text(meant.to_owned())));
    let mut known = Part::WILDCARDS.into_iter().chain(escapes);
    match known.find(|(written, _)| text.starts_with(written)) {
        Some((written, part)) => value(part, tag(written)).parse(text),
        None => nom::combinator::fail().parse(text),
    }
}

fn directive(line: &str) -> Parsed<'_, Directive> {
    let known = context(
        "\"args\", \"timeout\", \"option\", \"wait\", \"close\", \"eof\" or \"exit\"",
        alt((
            preceded(word("args"), cut(arguments)),
            preceded(word("timeout"), cut(timeout)),
            preceded(word("option"), cut(option)),
            preceded(word("wait"), cut(wait)),
            value(Directive::Close, word("close")),
            value(Directive::Eof, word("eof")),
            preceded(word("exit"), cut(exit)),
        )),
    );
    delimited(context("a space after the mark", space1), known, (space0, context("the end of the line", eof)))
        .parse(line)
}

/// Parses the name of a directive and the space after it.
fn word<'a>(
    name: &'static str,
) -> impl Parser<&'a str, Output = (), Error = draughts::notation::syntax::Expected<'a>> {
    value((), (tag(name), alt((space1, peek(eof)))))
}

fn arguments(text: &str) -> Parsed<'_, Directive> {
    context("arguments with closed quotes", map_res(rest, |text| words(text).map(Directive::Args)))
        .parse(text)
}

fn timeout(text: &str) -> Parsed<'_, Directive> {
    let in_range = verify(time(Bare::Seconds), |time| !time.is_zero() && *time <= LONGEST_TIMEOUT);
    context("seconds, more than 0 and at most 86400", map(in_range, Directive::Timeout)).parse(text)
}

fn wait(text: &str) -> Parsed<'_, Directive> {
    let in_range = verify(time(Bare::Milliseconds), |time| *time <= LONGEST_WAIT);
    context("milliseconds, at most 3600000", map(in_range, Directive::Wait)).parse(text)
}

/// Parses a time, with or without a unit.
fn time<'a>(
    bare: Bare,
) -> impl Parser<&'a str, Output = Duration, Error = draughts::notation::syntax::Expected<'a>> {
    map_opt(take_till(char::is_whitespace), move |text| common::time::parse(text, bare).ok())
}

fn option(text: &str) -> Parsed<'_, Directive> {
    let quoted = |mark| delimited(char(mark), take_till(move |c| c == mark), char(mark));
    let bare = preceded(peek(not(char('"'))), take_while1(|c: char| !c.is_whitespace()));
    let name = verify(alt((quoted('"'), quoted('\''), bare)), |name: &str| !name.trim().is_empty());
    let value = opt(preceded(space1, verify(map(rest, str::trim), |text: &str| !text.is_empty())));
    let option = (context("an option's name", name), value);
    map(option, |(name, value): (&str, Option<&str>)| Directive::Option {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    })
    .parse(text)
}

fn exit(text: &str) -> Parsed<'_, Directive> {
    let status = map_opt(recognize((opt(char('-')), digit1)), |text: &str| text.parse().ok());
    context(
        "an exit status or \"any\"",
        alt((map(status, |status| Directive::Exit(Some(status))), value(Directive::Exit(None), tag("any")))),
    )
    .parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(line: &str) -> (usize, &'static str) {
        match item(line) {
            Ok(item) => panic!("{item:?}"),
            Err(Mismatch { at, expected }) => (at, expected),
        }
    }

    #[test]
    fn every_kind_of_line_is_read() {
        assert_eq!(item(" \t"), Ok(Item::Blank));
        assert_eq!(item("#!x"), Ok(Item::Comment));
        assert_eq!(item(">"), Ok(Item::Send(String::new())));
        assert_eq!(item(">   uci "), Ok(Item::Send("  uci ".into())));
        assert_eq!(item("<"), Ok(Item::Expect(Expectation::once(Pattern::literal("")))));
        assert_eq!(item("< ... "), Ok(Item::Expect(Expectation::anything())));
        assert_eq!(item("<* a[n]"), Ok(Item::Expect(Expectation::repeated(Pattern::parse("a[n]")))));
        let directive = |line| match item(line) {
            Ok(Item::Directive(directive)) => directive,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(directive("! timeout 0.25"), Directive::Timeout(Duration::from_millis(250)));
        assert_eq!(directive("!  wait 200 "), Directive::Wait(Duration::from_millis(200)));
        assert_eq!(directive("! timeout 250ms"), Directive::Timeout(Duration::from_millis(250)));
        assert_eq!(directive("! wait 0.2s"), Directive::Wait(Duration::from_millis(200)));
        assert_eq!(directive("! close"), Directive::Close);
        assert_eq!(directive("! eof"), Directive::Eof);
        assert_eq!(directive("! exit -1"), Directive::Exit(Some(-1)));
        assert_eq!(directive("! exit any"), Directive::Exit(None));
        assert_eq!(directive("! args"), Directive::Args(vec![]));
        assert_eq!(directive("! args bench 'a b'"), Directive::Args(vec!["bench".into(), "a b".into()]));
        let option = |name: &str, value: Option<&str>| Directive::Option {
            name: name.into(),
            value: value.map(str::to_owned),
        };
        assert_eq!(directive("! option Hash 16"), option("Hash", Some("16")));
        assert_eq!(directive("! option \"Move Overhead\"  a b "), option("Move Overhead", Some("a b")));
        assert_eq!(directive("! option 'Clear Hash'"), option("Clear Hash", None));
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        assert_eq!(expected("uci"), (0, "a line that begins with \"#\", \">\", \"<\" or \"!\""));
        assert_eq!(expected(" > uci").0, 0);
        assert_eq!(expected(">uci"), (1, "a space after the mark"));
        assert_eq!(expected("<*uciok"), (2, "a space after the mark"));
        assert_eq!(expected("!close"), (1, "a space after the mark"));
        assert_eq!(expected("! sleep 5").0, 2);
        assert_eq!(expected("! closed").0, 2);
        assert_eq!(expected("! close now"), (8, "the end of the line"));
        assert_eq!(expected("! timeout"), (9, "seconds, more than 0 and at most 86400"));
        assert_eq!(expected("! timeout 0"), (10, "seconds, more than 0 and at most 86400"));
        assert_eq!(expected("! timeout 1e9"), (10, "seconds, more than 0 and at most 86400"));
        assert_eq!(expected("! wait 99999999999999999999"), (7, "milliseconds, at most 3600000"));
        assert_eq!(expected("! exit now"), (7, "an exit status or \"any\""));
        assert_eq!(expected("! exit 99999999999"), (7, "an exit status or \"any\""));
        assert_eq!(expected("! args 'a"), (7, "arguments with closed quotes"));
        assert_eq!(expected("! option \"a"), (9, "an option's name"));
        assert_eq!(expected("! option"), (8, "an option's name"));
    }

    #[test]
    fn brackets_never_stop_a_pattern() {
        for text in ["[", "[[[[", "a[b[..][", "é[n"] {
            assert_eq!(pattern(text).to_string(), text);
        }
    }
}
