//! Hub's parameters: the engine's options, under names without spaces, and two parameters specific to Hub.

use super::grammar::{self, HubLine};
use super::{Detector, Hub};
use crate::{Command, CommandError};
use kelso_engine::{Declaration, OPTIONS, OptionError, OptionKind};
use kelso_syntax::WordError;

const VARIANTS: &[&str] = &["english"];

impl Hub {
    /// Parses a `set-param` line. Returns a command if it sets an option of the engine.
    pub(super) fn set_parameter(&mut self, line: &HubLine<'_>) -> Result<Option<Command>, CommandError> {
        let (name, value) = grammar::assignment(line)?;
        if name.eq_ignore_ascii_case("variant") {
            choose("variant", VARIANTS.iter().map(|&variant| (variant, ())), value)?;
            return Ok(None);
        }
        if name.eq_ignore_ascii_case("orientation") {
            self.orientation = Detector::new(choose("orientation", Detector::VALUES, value)?);
            return Ok(None);
        }
        let option = OPTIONS.iter().find(|option| parameter_name(option.name).eq_ignore_ascii_case(name));
        let option =
            option.ok_or_else(|| WordError::unknown("parameter", name, format!("one of {}", names())))?;
        let set = |value: Option<&str>| Command::Set {
            name: option.name.to_owned(),
            value: value.map(str::to_owned),
        };
        if option.kind != OptionKind::Button {
            return Ok(Some(set(value)));
        }
        // A button has no value.
        let pressed = choose(option.name, [("true", true), ("false", false)], value.or(Some("true")))?;
        Ok(pressed.then(|| set(None)))
    }
}

fn choose<T>(
    option: &'static str,
    choices: impl IntoIterator<Item = (&'static str, T)> + Clone,
    value: Option<&str>,
) -> Result<T, CommandError> {
    let chosen =
        choices.clone().into_iter().find(|(word, _)| value.is_some_and(|v| v.eq_ignore_ascii_case(word)));
    chosen.map(|(_, choice)| choice).ok_or_else(|| {
        let words: Vec<_> = choices.into_iter().map(|(word, _)| word).collect();
        let expected = format!("one of {}", words.join(", "));
        CommandError::Option(OptionError::Value { option, value: value.map(Into::into), expected })
    })
}

pub(super) fn declarations() -> String {
    let orientations: Vec<_> = Detector::VALUES.iter().map(|&(word, _)| word).collect();
    let variants = enumeration("variant", VARIANTS[0], VARIANTS);
    let options: String = OPTIONS.iter().map(declaration).collect();
    variants + &enumeration("orientation", "auto", &orientations) + &options
}

fn declaration(option: &Declaration) -> String {
    let name = parameter_name(option.name);
    let default = option.default();
    match &option.kind {
        OptionKind::Spin { min, max } => {
            format!("param name={name} value={default} type=int min={min} max={max}\n")
        }
        OptionKind::Combo { choices } => enumeration(&name, &default, choices),
        OptionKind::Check => format!("param name={name} value={default} type=bool\n"),
        // Hub has no type for buttons; setting one to true presses it.
        OptionKind::Button => format!("param name={name} value=false type=bool\n"),
        // Texts, paths and words: for the last two, an empty value stands for the default.
        _ => format!("param name={name} value=\"{default}\" type=string\n"),
    }
}

fn enumeration(name: &str, value: &str, values: &[&str]) -> String {
    format!("param name={name} value={value} type=enum values=\"{}\"\n", values.join(" "))
}

/// Returns the name of an option's parameter. Clients send names without quotes, so names have no spaces.
fn parameter_name(option: &str) -> String {
    option.to_lowercase().replace(' ', "-")
}

fn names() -> String {
    let mut names = vec!["variant".to_owned(), "orientation".to_owned()];
    names.extend(OPTIONS.iter().map(|option| parameter_name(option.name)));
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::Orientation;
    use super::*;

    #[test]
    fn parameters_are_declared_by_their_type() {
        let lines = declarations();
        for line in [
            "param name=variant value=english type=enum values=\"english\"",
            "param name=orientation value=auto type=enum values=\"auto normal turned\"",
            "param name=hash value=64 type=int min=1 max=1048576",
            "param name=clear-hash value=false type=bool",
            "param name=ponder value=false type=bool",
            "param name=egdbpath value=\"\" type=string",
        ] {
            assert!(lines.lines().any(|other| other == line), "{line} in {lines}");
        }
        assert_eq!(lines.lines().count(), 2 + OPTIONS.len());
    }

    #[test]
    fn parameters_are_set_by_their_name() {
        let mut hub = Hub::default();
        let mut set = |words: &str| hub.set_parameter(&HubLine::split(&format!("set-param {words}")));
        let option = |name: &str, value| Some(Command::Set { name: name.to_owned(), value });
        assert_eq!(set("name=HASH value=16").unwrap(), option("Hash", Some("16".to_owned())));
        assert_eq!(set("name=Variant value=English").unwrap(), None);
        assert_eq!(set("name=clear-hash value=False").unwrap(), None);
        for words in ["name=clear-hash", "name=clear-hash value=true"] {
            assert_eq!(set(words).unwrap(), option("Clear Hash", None), "{words}");
        }
        assert_eq!(set("name=orientation value=TURNED").unwrap(), None);
        assert_eq!(hub.orientation, Detector::new(Some(Orientation::Turned)));
    }
}
