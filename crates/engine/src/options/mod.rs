//! The options, all declared in one table. The table generates their values ([`Options`]), changes to them
//! ([`Setting`]), and their declarations for protocols and CheckerBoard ([`OPTIONS`]); `protocol.md`
//! is checked against it. To add an option, add a line to the table and use the new field; a search gets its
//! options from `SearchOptions`.

mod declaration;
mod value;

pub(crate) use declaration::Effect;
pub use declaration::{Declaration, OptionError, OptionKind, Resource};

use std::path::PathBuf;
use std::time::Duration;

use self::Effect::{ClearTable, ReopenDatabases};
use self::OptionKind::{Button, Check, Combo, Path, Spin, Text, Words};
use self::Resource::{File, Memory, Threads};
use self::value::OptionValue;
use crate::eval::EvaluationKind;
use crate::level::Level;
use crate::search::{MARGINS, SearchOptions, SearchParams};
use kelso_draughts::referee::DrawRules;
use kelso_endgames::{self, MAX_PIECES};

/// The maximum number of lines of a search.
pub const MAX_LINES: usize = 256;

/// Expands each line to a field of [`Options`], a variant of [`Setting`] and a [`Declaration`]. A line is:
///
/// `Variant field: type = default, name: "Name", kind: kind, help: "description in one sentence";`
///
/// Before the help, it may have `uses: resource,` and `effects: [effect, ...],`.
macro_rules! options {
    ($(
        $variant:ident $field:ident: $type:ty = $default:expr,
        name: $name:literal, kind: $kind:expr,
        $(uses: $resource:expr,)?
        $(effects: [$($effect:expr),*],)?
        help: $help:literal;
    )*) => {
        /// All options with their values.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Options {
            $(#[doc = $help] pub $field: $type,)*
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        /// An option with a validated value.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Setting {
            $(#[doc = $help] $variant($type),)*
        }

        /// All options, in the order in which they are listed.
        pub static OPTIONS: &[Declaration] = &[
            $(Declaration {
                name: $name,
                kind: $kind,
                // The first element: the resource, if the line has one.
                uses: [$(Some($resource),)? None][0],
                help: $help,
                read: |text, kind| <$type>::read(text, kind).map(Setting::$variant),
                show: |options| options.$field.show(),
            },)*
        ];

        impl Options {
            /// Sets an option.
            pub fn set(&mut self, setting: Setting) {
                match setting {
                    $(Setting::$variant(value) => self.$field = value,)*
                }
            }
        }

        impl Setting {
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)*
                }
            }

            #[must_use]
            pub fn value(&self) -> String {
                match self {
                    $(Self::$variant(value) => value.show(),)*
                }
            }

            pub(super) const fn effects(&self) -> &'static [Effect] {
                match self {
                    $(Self::$variant(_) => &[$($($effect),*)?],)*
                }
            }
        }
    };
}

options! {
    Hash hash: usize = 64, name: "Hash", kind: Spin { min: 1, max: 1 << 20 }, uses: Memory,
        help: "size of the transposition table in MiB";
    ClearHash clear_hash: () = (), name: "Clear Hash", kind: Button, effects: [ClearTable],
        help: "clear the transposition table";
    Threads threads: usize = 1, name: "Threads", kind: Spin { min: 1, max: 256 }, uses: Threads,
        help: "number of search threads (full strength only)";
    MultiPv multi_pv: usize = 1, name: "MultiPV", kind: Spin { min: 1, max: MAX_LINES as u64 },
        help: "number of best moves to report";
    ShowWdl show_wdl: bool = false, name: "UCI_ShowWDL", kind: Check,
        help: "report the chances of a win, a draw and a loss after each score";
    // This option has no effect; `go ponder` starts pondering.
    Ponder ponder: bool = false, name: "Ponder", kind: Check,
        help: "set by GUIs; no effect";
    MoveOverhead move_overhead: Duration = Duration::from_millis(10),
        name: "Move Overhead", kind: Spin { min: 0, max: 5000 },
        help: "milliseconds of a clock reserved per move for communication delay";
    // The scores in the table are from the previous evaluation.
    Evaluation evaluation: EvaluationKind = EvaluationKind::Network,
        name: "Evaluation", kind: Combo { choices: &EvaluationKind::NAMES }, effects: [ClearTable],
        help: "evaluation function";
    EvalFile eval_file: Option<PathBuf> = None, name: "EvalFile", kind: Path, uses: File, effects: [ClearTable],
        help: "weights file of the network; empty for the built-in network";
    Weights weights: Option<PathBuf> = None, name: "Weights", kind: Path, uses: File, effects: [ClearTable],
        help: "weights file of the handcrafted evaluation; empty for the built-in weights";
    Margins margins: SearchParams = SearchParams::default(),
        name: "Margins", kind: Words { words: MARGINS }, effects: [ClearTable],
        help: "search parameters as NAME=VALUE words; empty for the defaults";
    Level level: Option<Level> = None,
        name: "Level", kind: Spin { min: 0, max: Level::HIGHEST as u64 }, effects: [ClearTable, ReopenDatabases],
        help: "playing strength: 1 (weakest) to 10; 0 is full strength";
    // The scores in the table depend on the draws ahead.
    DrawRule draws: DrawRules = DrawRules::STANDARD,
        name: "DrawRule", kind: Text { expected: DrawRules::EXPECTED }, effects: [ClearTable],
        help: "draw rule of the game";
    Book book: bool = false, name: "Book", kind: Check,
        help: "play opening-book moves (not at levels 1 to 10, in analysis or while pondering)";
    BookFile book_file: Option<PathBuf> = None, name: "BookFile", kind: Path, uses: File,
        help: "opening book file; empty for the built-in book";
    BookVariety book_variety: u8 = 0, name: "BookVariety", kind: Spin { min: 0, max: 100 },
        help: "how much worse a book move may be than the best one, in hundredths of a man; worse moves are played less often";
    BookSeed book_seed: u64 = 0, name: "BookSeed", kind: Spin { min: 0, max: 1 << 31 },
        help: "seed for the choice among book moves; 0 is random";
    EgdbPath egdb_path: Option<PathBuf> = None, name: "EgdbPath", kind: Path, uses: File, effects: [ReopenDatabases],
        help: "directory of endgame databases; default: the user's data directory";
    EgdbPieces egdb_pieces: u32 = MAX_PIECES,
        name: "EgdbPieces", kind: Spin { min: 0, max: MAX_PIECES as u64 }, effects: [ReopenDatabases],
        help: "maximum number of pieces to look up; 0 turns databases off";
    EgdbCache egdb_cache: usize = kelso_endgames::DatabaseOptions::CACHE,
        name: "EgdbCache", kind: Spin { min: 1, max: 1 << 16 }, uses: Memory, effects: [ReopenDatabases],
        help: "size of the endgame database cache in MiB";
}

impl Options {
    pub(super) const fn is_full_strength(&self) -> bool {
        self.level.is_none()
    }

    pub(super) fn for_search(&self) -> SearchOptions {
        SearchOptions {
            // More threads would search deeper than the level allows.
            threads: if self.is_full_strength() { self.threads } else { 1 },
            multi_pv: self.multi_pv,
            show_wdl: self.show_wdl,
            move_overhead: self.move_overhead,
            draws: self.draws,
            max_error: self.level.map_or(0, Level::max_error),
            params: self.margins.clone(),
        }
    }
}

impl Declaration {
    /// Returns the option with a given name, ignoring case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

impl Setting {
    /// Parses the name of an option, ignoring case, and its value.
    ///
    /// # Errors
    ///
    /// If the option is unknown or its value invalid.
    pub fn parse(name: &str, value: Option<&str>) -> Result<Self, OptionError> {
        Declaration::find(name).ok_or_else(|| OptionError::Unknown { name: name.into() })?.setting(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_defaults_are_valid() {
        for option in OPTIONS {
            let value = option.default();
            let value = (option.kind != Button).then_some(value.as_str());
            let setting = Setting::parse(option.name, value).unwrap();
            assert_eq!(setting.name(), option.name);
            let mut options = Options::default();
            options.set(setting);
            assert_eq!(options, Options::default(), "{}", option.name);
        }
    }

    #[test]
    fn the_protocol_document_has_a_row_for_each_option() {
        let document = include_str!("../../../../protocol.md");
        for option in OPTIONS {
            let (kind, values) = match &option.kind {
                Spin { min, max } => ("spin", format!("{min} to {max} |")),
                Combo { choices } => ("combo", format!("{} |", choices.join(", "))),
                Check => ("check", "true, false |".into()),
                Path | Text { .. } => ("string", "a ".into()),
                Button => ("button", "|".into()),
                Words { .. } => ("string", "`NAME=VALUE` words |".into()),
            };
            let default = match option.default() {
                empty if empty.is_empty() && option.kind == Button => String::new(),
                empty if empty.is_empty() => " `<empty>`".into(),
                value => format!(" {value}"),
            };
            let row = format!("\n| `{}` | {kind} |{default} | {values}", option.name);
            assert!(document.contains(&row), "protocol.md has no row {row:?}");
            // The last cell begins with the help text of the option.
            let line = document[document.find(&row).unwrap() + 1..].lines().next().unwrap();
            let cell = line.split('|').nth_back(1).unwrap().trim();
            let more = cell.strip_prefix(option.help).expect(cell);
            assert!(more.is_empty() || more.starts_with(". "), "{cell}");
        }
    }

    #[test]
    fn evaluations_are_found_by_their_names_whatever_their_case() {
        for kind in EvaluationKind::ALL {
            let name = kind.name().to_uppercase();
            assert_eq!(Setting::parse("Evaluation", Some(&name)), Ok(Setting::Evaluation(kind)));
        }
    }

    #[test]
    fn errors_name_the_option_and_the_value() {
        for (name, value, expected) in [
            ("Hash", Some("0"), "a whole number from 1 to 1048576"),
            ("Hash", Some("x"), "a whole number from 1 to 1048576"),
            ("Hash", None, "a whole number from 1 to 1048576"),
            ("Clear Hash", Some("1"), "no value"),
            ("Threads", Some("0"), "a whole number from 1 to 256"),
            ("MultiPV", Some("257"), "a whole number from 1 to 256"),
            ("Ponder", Some("yes"), "one of true, false"),
            ("EgdbPath", None, "a path"),
            ("Evaluation", Some("x"), "one of network, classic, material"),
            ("Margins", Some("x"), &format!("words with names and values of {}", MARGINS[0].name)),
            ("Margins", Some("x=1"), &format!("words with names and values of {}", MARGINS[0].name)),
            ("Margins", Some("lmr_base=9 RFP_margin=4"), "expected rfp_margin from 5 to 3000"),
        ] {
            let error = Setting::parse(&name.to_lowercase(), value).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            let OptionError::Value { option, value: found, .. } = error else { panic!("{error}") };
            assert_eq!((option, found.as_deref()), (name, value));
        }
        let error = Setting::parse("Speed", Some("1")).unwrap_err();
        assert_eq!(error, OptionError::Unknown { name: "Speed".into() });
        assert!(OPTIONS.iter().all(|option| error.to_string().contains(option.name)), "{error}");
    }
}
