//! The options, declared once: this table feeds the handshake, the checks of `setoption`, `help`, and a test that holds
//! `protocol.md` against it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::evaluation::Evaluation;
use super::level::Level;
use super::searcher::Searcher;
use crate::egdb::{self, MOST_PIECES};
use crate::notation::syntax::Quoted;
use crate::search::{MARGINS, Margin, Margins};

/// How a path that nobody has set is shown, as UCI has it.
const NO_PATH: &str = "<empty>";

/// An option as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// What users call it.
    pub name: &'static str,
    /// Its type, default and range.
    pub kind: Kind,
    /// What it does, in one sentence.
    pub help: &'static str,
    id: Id,
}

/// The type of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Spin {
        /// At the start.
        default: u64,
        /// The smallest that is accepted.
        min: u64,
        /// The largest that is accepted.
        max: u64,
    },
    /// One of some words.
    Combo {
        /// At the start.
        default: &'static str,
        /// All of them.
        choices: &'static [&'static str],
    },
    /// Yes or no, `true` or `false`.
    Check {
        /// At the start.
        default: bool,
    },
    /// Any text.
    Text {
        /// At the start.
        default: &'static str,
    },
    /// `NAME=VALUE` words; without any, all is as at the start.
    Words {
        /// The names and what their values may be.
        words: &'static [Margin],
    },
    /// Something to do, without a value.
    Button,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    Hash,
    ClearHash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    Evaluation,
    EvalFile,
    Weights,
    Searcher,
    Margins,
    Level,
    EgdbPath,
    EgdbPieces,
    EgdbCache,
}

/// All options, in the order in which they are shown.
pub const OPTIONS: &[Declaration] = &[
    Declaration {
        id: Id::Hash,
        name: "Hash",
        kind: Kind::Spin { default: 64, min: 1, max: 1 << 20 },
        help: "size of the transposition table in MiB",
    },
    Declaration {
        id: Id::ClearHash,
        name: "Clear Hash",
        kind: Kind::Button,
        help: "forgets what earlier searches found",
    },
    Declaration {
        id: Id::Threads,
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: 256 },
        help: "threads that search, at full strength and with the tournament searcher",
    },
    Declaration {
        id: Id::MultiPv,
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: 256 },
        help: "how many of the best moves get a line, with the tournament searcher",
    },
    Declaration {
        id: Id::Ponder,
        name: "Ponder",
        kind: Kind::Check { default: false },
        help: "whether \"go ponder\" may come; it is obeyed either way",
    },
    Declaration {
        id: Id::MoveOverhead,
        name: "Move Overhead",
        kind: Kind::Spin { default: 10, min: 0, max: 5000 },
        help: "milliseconds of a clock that are kept for the way to the opponent and back",
    },
    Declaration {
        id: Id::Evaluation,
        name: "Evaluation",
        kind: Kind::Combo { default: Evaluation::DEFAULT.name(), choices: Evaluation::NAMES },
        help: "what judges positions at the end of a line",
    },
    Declaration {
        id: Id::EvalFile,
        name: "EvalFile",
        kind: Kind::Text { default: NO_PATH },
        help: "file of weights for the network; empty for those that are compiled in",
    },
    Declaration {
        id: Id::Weights,
        name: "Weights",
        kind: Kind::Text { default: NO_PATH },
        help: "file of weights for classic, v2, lam or presser; empty for the published ones",
    },
    Declaration {
        id: Id::Searcher,
        name: "Searcher",
        kind: Kind::Combo { default: Searcher::DEFAULT.name(), choices: Searcher::NAMES },
        help: "how the best move is found",
    },
    Declaration {
        id: Id::Margins,
        name: "Margins",
        kind: Kind::Words { words: &MARGINS },
        help: "numbers that the tournament searcher judges by, as NAME=VALUE words; empty for the tuned ones",
    },
    Declaration {
        id: Id::Level,
        name: "Level",
        kind: Kind::Spin { default: 0, min: 0, max: Level::HIGHEST as u64 },
        help: "0 is full strength; 1 to 10 look less far and misjudge what they see, 1 most",
    },
    Declaration {
        id: Id::EgdbPath,
        name: "EgdbPath",
        kind: Kind::Text { default: NO_PATH },
        help: "folder with endgame databases; without one the user's data folder, where egdb build puts them",
    },
    Declaration {
        id: Id::EgdbPieces,
        name: "EgdbPieces",
        kind: Kind::Spin { default: MOST_PIECES as u64, min: 0, max: MOST_PIECES as u64 },
        help: "positions with more pieces are not looked up in endgame databases",
    },
    Declaration {
        id: Id::EgdbCache,
        name: "EgdbCache",
        kind: Kind::Spin { default: egdb::Options::CACHE as u64, min: 1, max: 1 << 16 },
        help: "memory in MiB for what has been read from endgame databases",
    },
];

/// An option with a value that has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The table's size in MiB.
    Hash(usize),
    /// Forget what the table holds.
    ClearHash,
    /// How many threads search.
    Threads(usize),
    /// How many lines are told.
    MultiPv(usize),
    /// Whether searches in the other side's time are announced.
    Ponder(bool),
    /// What answering costs.
    MoveOverhead(Duration),
    /// What judges positions.
    Evaluation(Evaluation),
    /// The network's weights; none for those that are compiled in.
    EvalFile(Option<PathBuf>),
    /// The weights of a hand-made evaluation; none for the published ones.
    Weights(Option<PathBuf>),
    /// What searches.
    Searcher(Searcher),
    /// What the tournament searcher judges by.
    Margins(Margins),
    /// How strong to play; none for full strength.
    Level(Option<Level>),
    /// Where endgame databases are; none for the usual place.
    EgdbPath(Option<PathBuf>),
    /// The most pieces that are looked up.
    EgdbPieces(u32),
    /// Memory for decoded endings, in MiB.
    EgdbCache(usize),
}

/// Why an option can't be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no such option.
    Unknown {
        /// The name.
        name: String,
    },
    /// The value is not one of the option's.
    Value {
        /// The option.
        option: &'static str,
        /// The value.
        value: Option<String>,
        /// What it could have been.
        expected: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => {
                let names: Vec<_> = OPTIONS.iter().map(|option| option.name).collect();
                write!(f, "unknown option {}: expected one of {}", Quoted(name), names.join(", "))
            }
            Self::Value { option, value: Some(value), expected } => {
                write!(f, "bad value {} for option {option}: expected {expected}", Quoted(value))
            }
            Self::Value { option, value: None, expected } => {
                write!(f, "no value for option {option}: expected {expected}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl Setting {
    /// Checks a name and a value. Names don't depend on case.
    ///
    /// # Errors
    ///
    /// When there is no such option or the value is not one of its.
    pub fn new(name: &str, value: Option<&str>) -> Result<Self, OptionError> {
        let option = OPTIONS
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown { name: name.into() })?;
        option.setting(value).ok_or_else(|| OptionError::Value {
            option: option.name,
            value: value.map(Into::into),
            expected: option.kind.to_string(),
        })
    }
}

impl Declaration {
    fn setting(&self, value: Option<&str>) -> Option<Setting> {
        let number = || self.kind.number(value?);
        Some(match self.id {
            Id::Hash => Setting::Hash(usize::try_from(number()?).ok()?),
            Id::ClearHash => value.map_or(Some(Setting::ClearHash), |_| None)?,
            Id::Threads => Setting::Threads(usize::try_from(number()?).ok()?),
            Id::MultiPv => Setting::MultiPv(usize::try_from(number()?).ok()?),
            Id::Ponder => Setting::Ponder(value?.to_ascii_lowercase().parse().ok()?),
            Id::MoveOverhead => Setting::MoveOverhead(Duration::from_millis(number()?)),
            Id::Evaluation => Setting::Evaluation(Evaluation::by_name(value?)?),
            Id::Level => Setting::Level(Level::new(usize::try_from(number()?).ok()?)),
            Id::EgdbPath => Setting::EgdbPath(path(value?)),
            Id::Margins => {
                Setting::Margins(Margins::parse(value.filter(|&text| text != NO_PATH).unwrap_or_default())?)
            }
            Id::EvalFile => Setting::EvalFile(path(value?)),
            Id::Weights => Setting::Weights(path(value?)),
            Id::EgdbPieces => Setting::EgdbPieces(u32::try_from(number()?).ok()?),
            Id::EgdbCache => Setting::EgdbCache(usize::try_from(number()?).ok()?),
            Id::Searcher => Setting::Searcher(Searcher::by_name(value?)?),
        })
    }
}

/// The path that a value names, if it names one.
fn path(value: &str) -> Option<PathBuf> {
    (!value.is_empty() && value != NO_PATH).then(|| value.into())
}

impl Kind {
    fn number(self, text: &str) -> Option<u64> {
        match self {
            Self::Spin { min, max, .. } => text.parse().ok().filter(|value| (min..=max).contains(value)),
            _ => None,
        }
    }
}

/// What a value must be.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spin { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Self::Combo { choices, .. } => write!(f, "one of {}", choices.join(", ")),
            Self::Check { .. } => write!(f, "one of true, false"),
            Self::Text { .. } => write!(f, "a text"),
            Self::Words { words } => {
                write!(f, "NAME=VALUE words with names and values of")?;
                let mut comma = "";
                for Margin { name, range: (low, high), .. } in *words {
                    write!(f, "{comma} {name} ({low} to {high})")?;
                    comma = ",";
                }
                Ok(())
            }
            Self::Button => write!(f, "no value"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_of_its_option() {
        for option in OPTIONS {
            let value = match option.kind {
                Kind::Spin { default, .. } => Some(default.to_string()),
                Kind::Combo { default, .. } | Kind::Text { default } => Some(default.to_owned()),
                Kind::Words { .. } => Some(NO_PATH.to_owned()),
                Kind::Check { default } => Some(default.to_string()),
                Kind::Button => None,
            };
            assert!(Setting::new(option.name, value.as_deref()).is_ok(), "{}", option.name);
        }
    }

    #[test]
    fn bad_settings_say_what_was_expected() {
        for (name, value, message) in [
            ("Hash", Some("0"), "bad value \"0\" for option Hash: expected a whole number from 1 to 1048576"),
            ("hash", Some("x"), "bad value \"x\" for option Hash: expected a whole number from 1 to 1048576"),
            ("Hash", None, "no value for option Hash: expected a whole number from 1 to 1048576"),
            ("Clear Hash", Some("1"), "bad value \"1\" for option Clear Hash: expected no value"),
            (
                "Threads",
                Some("0"),
                "bad value \"0\" for option Threads: expected a whole number from 1 to 256",
            ),
            (
                "MultiPV",
                Some("257"),
                "bad value \"257\" for option MultiPV: expected a whole number from 1 to 256",
            ),
            ("Ponder", Some("yes"), "bad value \"yes\" for option Ponder: expected one of true, false"),
            (
                "Speed",
                Some("1"),
                "unknown option \"Speed\": expected one of Hash, Clear Hash, Threads, MultiPV, Ponder, Move Overhead, Evaluation, EvalFile, Weights, Searcher, Margins, Level, EgdbPath, EgdbPieces, EgdbCache",
            ),
        ] {
            assert_eq!(Setting::new(name, value).unwrap_err().to_string(), message);
        }
        let error = Setting::new("Evaluation", Some("x")).unwrap_err().to_string();
        let start = "bad value \"x\" for option Evaluation: expected one of network, classic, material, ";
        assert!(error.starts_with(start), "{error}");
    }
}
