//! Parsers of command-line values.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::anyhow;
use clap::builder::{
    PathBufValueParser, PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser,
};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

use kelso_batch::outputs::OutputPath;
use kelso_draughts::board::Position;
use kelso_draughts::notation::fen;
use kelso_syntax::Quoted;
use kelso_text::time::{self, Bare, IN_SECONDS};
use kelso_transcripts::MAX_TIMEOUT;

/// Returns a function that gives a shared argument a default in one command.
pub(crate) fn default(value: &'static str) -> impl FnOnce(Arg) -> Arg {
    move |arg| arg.required(false).default_value(value)
}

/// Parses a number that `fits` accepts; `expected` describes such numbers.
fn number<T: FromStr>(text: &str, fits: impl Fn(&T) -> bool, expected: impl Display) -> anyhow::Result<T> {
    text.parse().ok().filter(|number| fits(number)).ok_or_else(|| anyhow!("expected {expected}"))
}

/// Returns a parser of whole numbers in a range.
pub(crate) fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> anyhow::Result<T> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    move |text| number(text, |number| range.contains(number), &expected)
}

/// Returns a parser of whole numbers with a minimum.
pub(crate) fn at_least<T>(min: T) -> impl Fn(&str) -> anyhow::Result<T> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| number(text, |number| *number >= min, format_args!("a whole number, at least {min}"))
}

/// Parses a number from 0 to 1.
pub(crate) fn share(text: &str) -> anyhow::Result<f64> {
    number(text, |number| (0.0..=1.0).contains(number), "a number from 0 to 1")
}

/// Returns a parser of numbers above 0 up to a limit.
pub(crate) fn above_zero(max: f64) -> impl Fn(&str) -> anyhow::Result<f64> + Clone {
    move |text| {
        let expected = format_args!("a number above 0 and up to {max}");
        number(text, |number: &f64| *number > 0.0 && *number <= max, expected)
    }
}

/// Parses a time above zero; a bare number is in seconds.
pub(crate) fn seconds(text: &str) -> anyhow::Result<Duration> {
    time_above_zero(text, MAX_TIMEOUT, "24h")
}

/// Returns a parser of times above zero up to a number of seconds.
pub(crate) fn seconds_up_to(max: u64) -> impl Fn(&str) -> anyhow::Result<Duration> + Clone {
    move |text| time_above_zero(text, Duration::from_secs(max), &format!("{max}s"))
}

fn time_above_zero(text: &str, max: Duration, shown: &str) -> anyhow::Result<Duration> {
    let time = time::parse(text, Bare::Seconds).filter(|time| !time.is_zero() && *time <= max);
    time.ok_or_else(|| anyhow!("expected {IN_SECONDS}, above 0 and at most {shown}"))
}

/// Returns a parser of `startpos` or a FEN.
pub(crate) fn position() -> impl TypedValueParser<Value = Position> {
    OptionValueParser(|text: &str| if text == "startpos" { Ok(Position::start()) } else { fen::parse(text) })
}

/// Parses the path of an output file, and keeps the name of its option.
pub(crate) const fn output_file() -> impl TypedValueParser<Value = OutputPath> {
    OutputParser(OutputPath::file)
}

/// Parses the path of an output that can be `-` for standard output.
pub(crate) const fn output() -> impl TypedValueParser<Value = OutputPath> {
    OutputParser(OutputPath::or_stdout)
}

/// A parser of values whose errors name the value. The message has clap's form, which also names the value,
/// but only once.
#[derive(Clone)]
pub(crate) struct OptionValueParser<F>(pub(crate) F);

impl<T, E, F> TypedValueParser for OptionValueParser<F>
where
    T: Clone + Send + Sync + 'static,
    E: Display,
    F: Fn(&str) -> Result<T, E> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        (self.0)(&text).map_err(|error| {
            let mut message = error.to_string();
            if let Some(option) = arg.filter(|arg| !arg.is_positional()) {
                let fault = match message.split_once(&Quoted(&text).to_string()) {
                    Some((_, fault)) => fault.to_owned(),
                    None => format!(": {message}"),
                };
                message = format!("invalid value '{text}' for '{option}'{fault}");
            }
            message += "\n\nFor more information, try '--help'.\n";
            Error::raw(ErrorKind::ValueValidation, message)
        })
    }
}

#[derive(Clone)]
struct OutputParser(fn(String, PathBuf) -> OutputPath);

impl TypedValueParser for OutputParser {
    type Value = OutputPath;

    #[expect(clippy::expect_used, reason = "only values of external subcommands have no argument")]
    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<OutputPath, Error> {
        let path = PathBufValueParser::new().parse_ref(command, arg, value)?;
        Ok((self.0)(shown(arg.expect("a path is the value of an argument")), path))
    }
}

/// Returns the name of an option with its hyphens, or the name of an argument.
pub(crate) fn shown(arg: &Arg) -> String {
    if let Some(name) = arg.get_long() {
        return format!("--{name}");
    }
    arg.get_value_names()
        .and_then(|names| names.first())
        .map_or_else(|| arg.get_id().to_string(), ToString::to_string)
}

/// Parses a base name. The extension of one of its files is removed.
pub(crate) fn state_name() -> impl TypedValueParser<Value = OutputPath> {
    output_file().try_map(|name| {
        if name.as_os_str() == "-" {
            return Err("expected a base name, to which extensions are added".to_owned());
        }
        let is_file_of_run =
            name.extension().is_some_and(|end| end == "jsonl" || end == "pdn" || end == "book");
        Ok(if is_file_of_run { OutputPath::file(name.option.clone(), name.with_extension("")) } else { name })
    })
}

/// Returns a parser of the names of these values. `shown` returns a value's name, with help if there is any.
pub(crate) fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [T; N],
    shown: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.map(shown)).try_map(move |text| {
        values.into_iter().find(|&value| shown(value).matches(&text, false)).ok_or("unknown name")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_their_range() {
        for (text, value) in [("0", 0.0), ("0.25", 0.25), ("1", 1.0), ("1e-3", 0.001)] {
            assert_eq!(share(text).ok(), Some(value));
        }
        for text in ["", "1.1", "-0.1", "nan", "inf", "half"] {
            assert_eq!(share(text).unwrap_err().to_string(), "expected a number from 0 to 1", "{text}");
        }
        assert_eq!(within(40..=50)("40.5").unwrap_err().to_string(), "expected a whole number from 40 to 50");
        assert_eq!([at_least(1_u8)("1").is_ok(), at_least(1_u8)("0").is_ok()], [true, false]);
        assert_eq!([above_zero(1.0)("1").is_ok(), above_zero(1.0)("0").is_ok()], [true, false]);
    }
}
