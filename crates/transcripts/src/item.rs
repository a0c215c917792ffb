//! The lines of a transcript and their grammar.

use std::fmt;
use std::time::Duration;

use super::pattern::{ANY, ELISION, Pattern};
use kelso_process::words;
use kelso_syntax::SyntaxFault;
use kelso_text::time::{self, Bare};

pub const MAX_TIMEOUT: Duration = Duration::from_secs(86_400);
/// Maximum duration of a `! wait`.
pub const MAX_WAIT: Duration = Duration::from_secs(3600);

/// A line of a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TranscriptItem {
    Blank,
    /// `# text`
    Comment,
    /// `> text`: a line to send.
    Send(String),
    /// `< pattern`, `<* pattern` or `< ...`: expected output. The last form stands for any number of
    /// arbitrary lines.
    Expect(Expectation),
    /// `! directive`
    Directive(Directive),
}

/// Expected output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    pub pattern: Pattern,
    /// If true, any number of matching lines may occur, instead of exactly one.
    pub repeated: bool,
}

/// An instruction to the runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    /// `! args ...`: the arguments of the engine, split as in a shell; must come first.
    Args(Vec<String>),
    /// `! timeout S`: the timeout of each subsequent expected line, in seconds.
    Timeout(Duration),
    /// `! option NAME VALUE`: sends `setoption name NAME value VALUE`.
    Option {
        /// The name, quoted in the file if it has spaces.
        name: String,
        /// The value, or `None` for a button.
        value: Option<String>,
    },
    /// `! wait MS`: waits this many milliseconds.
    Wait(Duration),
    /// `! close`: closes the engine's input.
    Close,
    /// `! eof`: expects the end of the output. The input is still open unless `! close` came before.
    Eof,
    /// `! exit N` or `! exit any`: the expected exit status, if it is not 0; `any` does not include a crash.
    Exit(Option<i32>),
}

impl TranscriptItem {
    /// Returns the line to send, if any.
    pub fn sent(&self) -> Option<String> {
        match self {
            Self::Send(line) => Some(line.clone()),
            Self::Directive(Directive::Option { name, value }) => {
                let value = value.as_ref().map(|value| format!(" value {value}")).unwrap_or_default();
                Some(format!("setoption name {name}{value}"))
            }
            _ => None,
        }
    }

    /// Returns whether the line is neither blank nor a comment.
    pub(super) fn is_step(&self) -> bool {
        !matches!(self, Self::Blank | Self::Comment)
    }
}

impl Expectation {
    /// Expects one line.
    pub const fn once(pattern: Pattern) -> Self {
        Self { pattern, repeated: false }
    }

    /// Expects any number of lines.
    pub const fn repeated(pattern: Pattern) -> Self {
        Self { pattern, repeated: true }
    }

    /// Expects any number of arbitrary lines.
    pub fn anything() -> Self {
        Self::repeated(Pattern::parse(ANY))
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.pattern.to_string();
        let mark = if self.repeated { "<*" } else { "<" };
        if *self == Self::anything() {
            write!(f, "< {ELISION}")
        } else if text.is_empty() {
            write!(f, "{mark}")
        } else {
            write!(f, "{mark} {text}")
        }
    }
}

/// Parses a line of a transcript.
pub(super) fn parse(line: &str) -> Result<TranscriptItem, SyntaxFault> {
    if line.trim_matches(SPACES).is_empty() {
        return Ok(TranscriptItem::Blank);
    }
    if let Some(rest) = line.strip_prefix("<*") {
        return text(rest, 2).map(|text| TranscriptItem::Expect(Expectation::repeated(Pattern::parse(text))));
    }
    match line.split_at_checked(1) {
        Some(("#", _)) => Ok(TranscriptItem::Comment),
        Some((">", rest)) => text(rest, 1).map(|text| TranscriptItem::Send(text.to_owned())),
        Some(("<", rest)) => text(rest, 1).map(|text| TranscriptItem::Expect(expectation(text))),
        Some(("!", _)) => directive(line).map(TranscriptItem::Directive),
        _ => Err(SyntaxFault { at: 0, expected: "a line that begins with \"#\", \">\", \"<\" or \"!\"" }),
    }
}

const SPACES: [char; 2] = [' ', '\t'];
const SPACE_EXPECTED: &str = "a space after the mark";

/// Parses the rest of a line after its first character: nothing, or a space and text.
fn text(rest: &str, at: usize) -> Result<&str, SyntaxFault> {
    let text = if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') };
    text.ok_or(SyntaxFault { at, expected: SPACE_EXPECTED })
}

fn expectation(text: &str) -> Expectation {
    if text.trim_end() == ELISION { Expectation::anything() } else { Expectation::once(Pattern::parse(text)) }
}

fn directive(line: &str) -> Result<Directive, SyntaxFault> {
    let body = line[1..].trim_start_matches(SPACES);
    if body.len() + 1 == line.len() {
        return Err(SyntaxFault { at: 1, expected: SPACE_EXPECTED });
    }
    let (name, value) = body.split_once(SPACES).unwrap_or((body, ""));
    let value = value.trim_start_matches(SPACES);
    let column = line.len() - value.len();
    let value = value.trim_end();
    let (directive, expected) = match name {
        "args" => (words(value).ok().map(Directive::Args), "arguments with balanced quotes"),
        "timeout" => {
            let timeout = time::parse(value, Bare::Seconds);
            let timeout = timeout.filter(|time| !time.is_zero() && *time <= MAX_TIMEOUT);
            (timeout.map(Directive::Timeout), "seconds, more than 0 and at most 86400")
        }
        "option" => (option(value), "an option's name"),
        "wait" => {
            let pause = time::parse(value, Bare::Milliseconds).filter(|time| *time <= MAX_WAIT);
            (pause.map(Directive::Wait), "milliseconds, at most 3600000")
        }
        "close" => (value.is_empty().then_some(Directive::Close), "the end of the line"),
        "eof" => (value.is_empty().then_some(Directive::Eof), "the end of the line"),
        "exit" if value == "any" => (Some(Directive::Exit(None)), ""),
        "exit" => {
            let status = value.parse().ok();
            (status.map(|status| Directive::Exit(Some(status))), "an exit status or \"any\"")
        }
        _ => {
            let expected = "\"args\", \"timeout\", \"option\", \"wait\", \"close\", \"eof\" or \"exit\"";
            return Err(SyntaxFault { at: line.len() - body.len(), expected });
        }
    };
    directive.ok_or(SyntaxFault { at: column, expected })
}

/// Parses a name, in quotes if it has spaces, and a value.
fn option(text: &str) -> Option<Directive> {
    let quote = text.chars().next().filter(|mark| ['"', '\''].contains(mark));
    let (name, value) = match quote {
        Some(mark) => text[1..].split_once(mark)?,
        None => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    };
    if name.trim().is_empty() || !value.is_empty() && !value.starts_with(char::is_whitespace) {
        return None;
    }
    let value = Some(value.trim()).filter(|value| !value.is_empty());
    Some(Directive::Option { name: name.to_owned(), value: value.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn expected(line: &str) -> (usize, &'static str) {
        match parse(line) {
            Ok(item) => panic!("{item:?}"),
            Err(SyntaxFault { at, expected }) => (at, expected),
        }
    }

    #[test]
    fn every_kind_of_line_is_read() {
        assert_eq!(parse(" \t"), Ok(TranscriptItem::Blank));
        assert_eq!(parse("#!x"), Ok(TranscriptItem::Comment));
        assert_eq!(parse(">"), Ok(TranscriptItem::Send(String::new())));
        assert_eq!(parse(">   uci "), Ok(TranscriptItem::Send("  uci ".into())));
        assert_eq!(parse("<"), Ok(TranscriptItem::Expect(Expectation::once(Pattern::literal("")))));
        assert_eq!(parse("< ... "), Ok(TranscriptItem::Expect(Expectation::anything())));
        assert_eq!(
            parse("<* a[n]"),
            Ok(TranscriptItem::Expect(Expectation::repeated(Pattern::parse("a[n]"))))
        );
        let directive = |line| match parse(line) {
            Ok(TranscriptItem::Directive(directive)) => directive,
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
        assert_eq!(expected("! args 'a"), (7, "arguments with balanced quotes"));
        assert_eq!(expected("! option \"a"), (9, "an option's name"));
        assert_eq!(expected("! option"), (8, "an option's name"));
    }

    proptest! {
        #[test]
        fn expectations_are_read_back(text in "[a-c\\[\\].n *<é]{0,8}", repeated: bool) {
            let expectation = Expectation { pattern: Pattern::parse(&text), repeated };
            prop_assert_eq!(parse(&expectation.to_string()), Ok(TranscriptItem::Expect(expectation)));
        }
    }
}
