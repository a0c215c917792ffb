//! Descriptions of engines on the command line: `name=A cmd=./kelso option.Hash=64 tc=10+0.1`.

use std::collections::HashSet;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::limits::{TimeControl, limit_words};
use kelso_engine::search::{Limits, TimeLimit};
use kelso_process::{CommandLine, words};
use kelso_protocol::Dialect;
use kelso_syntax::{Quoted, WordError};
use kelso_text::keyvalue::KeyValue;
use kelso_text::time::{self, Bare, IN_SECONDS};
use thiserror::Error;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// Name in results.
    pub name: String,
    pub command: CommandLine,
    pub protocol: Dialect,
    /// The names and values of the engine's options, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// The time control, if the engine plays on a clock.
    pub time_control: Option<TimeControl>,
    /// The limits of each search apart from the time control.
    pub search_limits: Limits,
    /// How late a move may be before it counts as a fault.
    pub margin: Duration,
    /// Timeout for all answers, except for moves on a clock.
    pub timeout: Duration,
    /// Whether the engine ponders.
    pub ponder: bool,
    /// Whether the engine is restarted for each game.
    pub restart: bool,
}

impl EngineSpec {
    /// Creates a description without limits, options or a name.
    pub fn new(command: CommandLine, protocol: Dialect) -> Self {
        Self {
            name: String::new(),
            command,
            protocol,
            options: Vec::new(),
            time_control: None,
            search_limits: Limits::default(),
            margin: Duration::from_millis(50),
            timeout: Duration::from_secs(60),
            ponder: false,
            restart: false,
        }
    }

    /// Returns whether a limit ends every search.
    fn is_limited(&self) -> bool {
        self.time_control.is_some() || self.search_limits.is_set()
    }

    /// Formats the limits as in a description.
    pub fn limits(&self) -> String {
        let control = self.time_control.map(|control| format!("tc={control}"));
        let others = limit_words(&self.search_limits);
        control.into_iter().chain(Some(others).filter(|text| !text.is_empty())).collect::<Vec<_>>().join(" ")
    }

    /// Returns all settings that affect play, except for the program. Results with different settings are not
    /// combined.
    pub fn settings(&self) -> String {
        let mut parts = vec![self.limits()];
        parts.extend(self.options.iter().map(|(name, value)| format!("option.{name}={value}")));
        if self.ponder {
            parts.push("ponder=on".to_owned());
        }
        parts.join(" ")
    }
}

/// Maximum margin. A larger one was probably meant to be in milliseconds.
pub const MAX_MARGIN: Duration = Duration::from_secs(10);

/// An invalid description of an engine.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// A word is unknown or has an invalid value, or the quotes are unbalanced.
    #[error("invalid engine description: {0}")]
    Word(WordError),
    /// An engine has neither a clock nor a limit for each move.
    #[error("invalid engine description {}: missing limit (tc=, movetime=, nodes= or depth=)", Quoted(.0))]
    NoLimit(String),
    /// Two engines have the same name.
    #[error("two engines are called {}; give each its own name (name=...)", Quoted(.0))]
    SameName(String),
}

/// This program, which runs every engine that is described without a program.
#[derive(Clone, Debug)]
pub struct OwnProgram {
    pub path: PathBuf,
    /// The argument with which it plays random moves.
    pub random: &'static str,
}

/// An engine's description while its words are read.
struct Draft {
    random: &'static str,
    spec: EngineSpec,
    program: Program,
}

/// The program of an engine, which several words describe.
enum Program {
    Own,
    Random,
    Level(u32),
    Command(String),
}

/// A word that describes an engine.
struct EngineWord {
    /// The beginning of the word.
    key: &'static str,
    /// The form of the rest.
    form: &'static str,
    help: &'static str,
    read: ReadWord,
}

/// Adds what a word says to an engine.
type ReadWord = fn(&mut Draft, &KeyValue<'_>) -> Result<(), WordError>;

const fn word(key: &'static str, form: &'static str, help: &'static str, read: ReadWord) -> EngineWord {
    EngineWord { key, form, help, read }
}

/// The words that describe an engine, in the order in which help lists them.
const WORDS: &[EngineWord] = &[
    word("name=", "NAME", "the name in results", |draft, pair| {
        let is_wrong = |name: &str| name.is_empty() || name.contains(|c: char| c.is_control() || c == '"');
        draft.spec.name =
            pair.read("a name without quotes", |name| (!is_wrong(name)).then(|| name.to_owned()))?;
        Ok(())
    }),
    word("cmd=", "PROGRAM", "the program [default: this program]", |draft, pair| {
        draft.program = Program::Command(pair.value.to_owned());
        Ok(())
    }),
    word("random", "", "instead of a program: any legal move", |draft, _| {
        draft.program = Program::Random;
        Ok(())
    }),
    word("level=", "N", "instead of a program: a level of this program, from 1 to 10", |draft, pair| {
        draft.program = Program::Level(pair.parsed("a level such as 3")?);
        Ok(())
    }),
    word(
        "args=",
        "WORDS",
        "arguments of the program, in quotes if there are several; can be repeated",
        |draft, pair| {
            let arguments = pair.read("arguments with balanced quotes", |text| words(text).ok())?;
            draft.spec.command.arguments.extend(arguments.into_iter().map(Into::into));
            Ok(())
        },
    ),
    word("arg=", "WORD", "one argument of the program; can be repeated", |draft, pair| {
        draft.spec.command.arguments.push(pair.value.into());
        Ok(())
    }),
    word("dir=", "DIR", "the working directory", |draft, pair| {
        draft.spec.command.directory = Some(pair.value.into());
        Ok(())
    }),
    word("proto=", "PROTOCOL", "the protocol, native or hub", |draft, pair| {
        draft.spec.protocol = pair.parsed(Dialect::names())?;
        Ok(())
    }),
    word(
        "option.",
        "NAME=VALUE",
        "an option; the match does not start if the engine rejects it",
        |draft, pair| {
            let option = pair.value.split_once('=').filter(|(name, _)| !name.is_empty());
            let (name, value) = option.ok_or_else(|| pair.wrong("option.NAME=VALUE"))?;
            let options = &mut draft.spec.options;
            options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            options.push((name.to_owned(), value.to_owned()));
            Ok(())
        },
    ),
    word(
        "tc=",
        "[N/]TIME[+TIME]",
        "a clock: time for every N moves or for the game, and increment per move",
        |draft, pair| {
            let control = pair.value.parse().map_err(|error: WordError| pair.wrong(error.expected));
            draft.spec.time_control = Some(control?);
            Ok(())
        },
    ),
    word("movetime=", "TIME", "time per move", |draft, pair| {
        draft.spec.search_limits.time = Some(TimeLimit::Exact(seconds(pair)?));
        Ok(())
    }),
    word("nodes=", "N", "nodes per move", |draft, pair| {
        let nodes: NonZeroU64 = pair.parsed("a whole number, at least 1")?;
        draft.spec.search_limits.nodes = Some(nodes.get());
        Ok(())
    }),
    word("depth=", "N", "plies per move", |draft, pair| {
        let depth: NonZeroUsize = pair.parsed("a depth in plies")?;
        draft.spec.search_limits.depth = Some(depth.get());
        Ok(())
    }),
    word("margin=", "TIME", "tolerance for late replies (50ms)", |draft, pair| {
        let margin = seconds(pair).ok().filter(|&margin| margin <= MAX_MARGIN);
        draft.spec.margin = margin
            .ok_or_else(|| pair.wrong(format_args!("{IN_SECONDS}, at most {}s", MAX_MARGIN.as_secs())))?;
        Ok(())
    }),
    word(
        "timeout=",
        "TIME",
        "time without a reply after which an engine counts as hung (60s)",
        |draft, pair| {
            draft.spec.timeout = seconds(pair)?;
            Ok(())
        },
    ),
    word("ponder=", "on|off", "ponder during the opponent's time", |draft, pair| {
        draft.spec.ponder = pair.switch()?;
        Ok(())
    }),
    word("restart=", "on|off", "restart the engine for each game", |draft, pair| {
        draft.spec.restart = pair.switch()?;
        Ok(())
    }),
];

fn seconds(pair: &KeyValue<'_>) -> Result<Duration, WordError> {
    pair.read(IN_SECONDS, |text| time::parse(text, Bare::Seconds))
}

/// Describes the words in a line each.
pub fn words_help() -> String {
    let line =
        |EngineWord { key, form, help, .. }: &EngineWord| format!("  {:22}{help}\n", [*key, form].concat());
    WORDS.iter().map(line).collect()
}

/// Parses the engines of a match. `defaults` apply to every engine.
pub fn parse_engines(
    texts: &[String],
    defaults: &[String],
    own: &OwnProgram,
) -> Result<Vec<EngineSpec>, SpecError> {
    let mut engines: Vec<EngineSpec> = Vec::with_capacity(texts.len());
    for text in texts {
        let mut draft = Draft::new(own);
        draft.read(defaults)?;
        let engine = draft.described(text)?;
        if engines.iter().any(|other| other.name == engine.name) {
            return Err(SpecError::SameName(engine.name));
        }
        engines.push(engine);
    }
    Ok(engines)
}

/// Parses an engine with default limits.
pub fn parse_engine(text: &str, limits: &Limits, own: &OwnProgram) -> Result<EngineSpec, SpecError> {
    let mut draft = Draft::new(own);
    draft.spec.search_limits.clone_from(limits);
    draft.described(text)
}

impl Draft {
    fn new(own: &OwnProgram) -> Self {
        let spec = EngineSpec::new(CommandLine::new(&own.path), Dialect::default());
        Self { random: own.random, spec, program: Program::Own }
    }

    /// Adds a description to the defaults. Limits in the description replace all default limits.
    fn described(mut self, text: &str) -> Result<EngineSpec, SpecError> {
        let time_control = self.spec.time_control.take();
        let search_limits = std::mem::take(&mut self.spec.search_limits);
        self.read(&[text])?;
        let Self { random, mut spec, program } = self;
        if !spec.is_limited() {
            spec.time_control = time_control;
            spec.search_limits = search_limits;
        }
        let name = set_program(&mut spec, program, random);
        if !spec.is_limited() {
            return Err(SpecError::NoLimit(text.to_owned()));
        }
        if spec.name.is_empty() {
            spec.name = name;
        }
        Ok(spec)
    }

    /// Parses words. Each key may be given only once, except for arguments.
    fn read(&mut self, texts: &[impl AsRef<str>]) -> Result<(), SpecError> {
        let mut seen = HashSet::new();
        let parts = texts.iter().map(|text| words(text.as_ref())).collect::<Result<Vec<_>, _>>();
        for word in parts.map_err(SpecError::Word)?.iter().flatten() {
            let key = self.read_word(word).map_err(SpecError::Word)?;
            let subject = match key {
                "args=" | "arg=" => continue,
                "random" | "level=" | "cmd=" => "of random, level= and cmd=".to_owned(),
                // Option names are not case-sensitive.
                _ => word.split_inclusive('=').next().unwrap_or(key).to_lowercase(),
            };
            let expected = format!("only one {subject}");
            if !seen.insert(subject) {
                return Err(SpecError::Word(WordError::invalid("setting", word, expected)));
            }
        }
        Ok(())
    }

    /// Parses a word, and returns its key.
    fn read_word(&mut self, word: &str) -> Result<&'static str, WordError> {
        let entry = WORDS.iter().find_map(|&EngineWord { key, form, read, .. }| {
            let value = word.strip_prefix(key)?;
            let is_word = value.is_empty() || !form.is_empty();
            is_word.then_some((key, read, KeyValue { word, key, value }))
        });
        if let Some((key, read, pair)) = entry {
            read(self, &pair)?;
            return Ok(key);
        }
        let expected = if word.contains('=') {
            let words: Vec<_> = WORDS.iter().map(|word| [word.key, word.form].concat()).collect();
            format!("one of {}", words.join(", "))
        } else {
            "random or KEY=VALUE; a program with arguments is written cmd=python3 args=mine.py".to_owned()
        };
        Err(WordError::invalid("setting", word, expected))
    }
}

/// Completes the command line of an engine. Returns its default name.
fn set_program(spec: &mut EngineSpec, program: Program, random: &str) -> String {
    match program {
        Program::Own => "kelso".to_owned(),
        Program::Random => {
            // The random player needs no limit, since it does not search.
            if !spec.is_limited() {
                spec.search_limits.nodes = Some(1);
            }
            spec.command.arguments.insert(0, random.into());
            "random".to_owned()
        }
        Program::Level(level) => {
            spec.options.insert(0, ("Level".to_owned(), level.to_string()));
            format!("level-{level}")
        }
        Program::Command(program) => {
            let name =
                Path::new(&program).file_stem().unwrap_or(program.as_ref()).to_string_lossy().into_owned();
            spec.command.program = program.into();
            name
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str], each: &[&str]) -> Result<Vec<EngineSpec>, SpecError> {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let own = &OwnProgram { path: "kelso".into(), random: "random-engine" };
        parse_engines(&owned(texts), &owned(each), own)
    }

    #[test]
    fn engine_specs_are_parsed_completely() {
        let text = "name='A 1' cmd=./a args='-x \"b c\"' arg='d e' dir=/d proto=hub option.Hash=64 \
                    option.Style='two words' tc=40/60+0.5 margin=0.02 ponder=on restart=on timeout=5";
        let engine = &parse(&[text], &[]).unwrap()[0];
        assert_eq!(engine.name, "A 1");
        assert_eq!(engine.command.arguments, ["-x", "b c", "d e"]);
        assert_eq!(engine.protocol, Dialect::Hub);
        assert_eq!(engine.settings(), "tc=40/60+0.5 option.Hash=64 option.Style=two words ponder=on");
        assert_eq!(engine.margin, Duration::from_millis(20));
        assert!(engine.ponder && engine.restart);
        assert_eq!((engine.command.program.to_str(), engine.timeout), (Some("./a"), Duration::from_secs(5)));
        assert_eq!(engine.command.directory, Some("/d".into()));
    }

    #[test]
    fn engines_override_the_defaults() {
        let engines = parse(
            &["cmd=a", "cmd=b movetime=1 option.Hash=2", "cmd=c margin=9ms", "random", "level=3", "name=d"],
            &["tc=60 option.Hash=1 margin=20ms", "timeout=7"],
        )
        .unwrap();
        let shown: Vec<_> = engines.iter().map(|e| format!("{}: {}", e.name, e.settings())).collect();
        assert_eq!(
            shown,
            [
                "a: tc=60 option.Hash=1",
                "b: movetime=1 option.Hash=2",
                "c: tc=60 option.Hash=1",
                "random: tc=60 option.Hash=1",
                "level-3: tc=60 option.Level=3 option.Hash=1",
                "d: tc=60 option.Hash=1"
            ]
        );
        assert_eq!(engines[3].command, CommandLine::new("kelso").with_arguments(["random-engine"]));
        assert_eq!(engines[5].command, CommandLine::new("kelso"));
        assert_eq!(engines[1].margin, Duration::from_millis(20));
        assert_eq!(engines[2].margin, Duration::from_millis(9));
        assert_eq!(engines[2].timeout, Duration::from_secs(7));
    }

    #[test]
    fn times_have_units_and_random_needs_no_limit() {
        let engines = parse(&["cmd=a movetime=50ms margin=0.2s timeout=1m", "random"], &[]).unwrap();
        assert_eq!(engines[0].settings(), "movetime=0.05");
        assert_eq!(engines[0].margin, Duration::from_millis(200));
        assert_eq!(engines[0].timeout, Duration::from_secs(60));
        assert_eq!(engines[1].settings(), "nodes=1");
        let both = &parse(&["tc=1+0.1 movetime=2 nodes=3 depth=4"], &[]).unwrap()[0];
        assert_eq!(both.limits(), "tc=1+0.1 movetime=2 nodes=3 depth=4");
        assert!(both.is_limited() && !EngineSpec::new(CommandLine::new("a"), Dialect::Hub).is_limited());
        // An engine may override a default.
        assert_eq!(parse(&["cmd=a nodes=2"], &["nodes=1"]).unwrap()[0].settings(), "nodes=2");
        assert!(matches!(parse(&["cmd=a"], &["nodes=1", "nodes=2"]), Err(SpecError::Word(_))));
    }

    #[test]
    fn limits_are_formatted_as_they_are_read() {
        for text in ["movetime=0.5", "nodes=1000", "depth=20", "tc=3/1+2 movetime=0.05 nodes=7 depth=9"] {
            assert_eq!(parse(&[text], &[]).unwrap()[0].limits(), text);
        }
    }

    #[test]
    fn invalid_engine_specs_are_reported() {
        for text in ["tc=1 margin=10", "name='A b' nodes=1", "level=3 depth=4", "option.A= nodes=1"] {
            assert!(parse(&[text], &[]).is_ok(), "{text}");
        }
        for (text, part) in [
            ("tc=1 margin=10.001", "at most 10s"),
            ("name= nodes=1", "a name without quotes"),
            ("name='a\"b' nodes=1", "a name without quotes"),
            ("name='a\nb' nodes=1", "a name without quotes"),
            ("level=x nodes=1", "a level such as 3"),
            ("cmd=a tc=x", "tc=x"),
            ("cmd=a nodes=0", "nodes=0"),
            ("cmd=a", "limit"),
            ("cmd=a bogus=1", "bogus=1"),
            ("cmd=a ponder=maybe", "ponder=maybe"),
            ("cmd=a 'open", "quote"),
            ("cmd=a proto=uci tc=1", "native or hub"),
            ("cmd=a option.=1", "option.=1"),
            ("cmd=a nodes=1 nodes=2", "nodes=2"),
            ("random cmd=a", "only one of random, level= and cmd="),
            ("cmd=a option.Hash=1 nodes=1 option.hash=2", "only one option.hash="),
            ("cmd=a movetime=5x", "a time such as 0.5s or 50ms (a bare number is in seconds)"),
            ("cmd=a margin=x", "a bare number is in seconds"),
            ("cmd=a margin=50", "(a bare number is in seconds), at most 10s"),
        ] {
            let error = parse(&[text], &[]).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let error = parse(&["cmd=x/a tc=1", "cmd=y/a tc=1"], &[]).unwrap_err().to_string();
        assert!(error.starts_with("two engines are called \"a\""), "{error}");
    }
}
