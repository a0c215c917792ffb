//! Descriptions of engines on the command line: `name=A cmd=./kelso option.Hash=64 tc=10+0.1`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::limits::{TimeControl, limit_words, set_limit};
use super::log::EngineLog;
use kelso_draughts::referee::DrawRules;
use kelso_engine::search::Limits;
use kelso_process::{CommandLine, words};
use kelso_protocol::Dialect;
use kelso_text::keyvalue::KeyValue;
use kelso_text::syntax::{Quoted, WordError};
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
    /// The draw rules of its games, which an engine with an option `DrawRule` obeys.
    pub draws: DrawRules,
    /// Whether the engine is restarted for each game.
    pub restart: bool,
    /// The log of the lines to and from the engine.
    pub log: Option<EngineLog>,
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
            draws: DrawRules::STANDARD,
            restart: false,
            log: None,
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

const WORDS: &str = "random, level=N, name=, cmd=, args=, arg=, dir=, proto=PROTOCOL, option.NAME=, tc=[MOVES/]TIME[+TIME], \
                     movetime=TIME, nodes=N, depth=N, margin=TIME, timeout=TIME, ponder=on|off or restart=on|off";

/// The program of an engine, collected from several words.
enum Program {
    Own,
    Random,
    Level(u32),
    Command(String),
}

/// Parses the engines of a match. `defaults` apply to every engine; `own` is this program, which also runs
/// the built-in engines and every engine without a program.
pub fn parse_engines(
    texts: &[String],
    defaults: &[String],
    own: &PathBuf,
) -> Result<Vec<EngineSpec>, SpecError> {
    let mut engines: Vec<EngineSpec> = Vec::with_capacity(texts.len());
    for text in texts {
        let mut engine = EngineSpec::new(CommandLine::new(own), Dialect::default());
        let mut program = Program::Own;
        read(defaults, &mut engine, &mut program)?;
        let engine = described(text, engine, program)?;
        if engines.iter().any(|other| other.name == engine.name) {
            return Err(SpecError::SameName(engine.name));
        }
        engines.push(engine);
    }
    Ok(engines)
}

/// Parses an engine with default limits.
pub fn parse_engine(text: &str, limits: &Limits, own: &PathBuf) -> Result<EngineSpec, SpecError> {
    let mut engine = EngineSpec::new(CommandLine::new(own), Dialect::default());
    engine.search_limits.clone_from(limits);
    described(text, engine, Program::Own)
}

/// Adds a description to the defaults of an engine. Limits in the description replace all default limits.
fn described(text: &str, mut engine: EngineSpec, mut program: Program) -> Result<EngineSpec, SpecError> {
    let time_control = engine.time_control.take();
    let search_limits = std::mem::take(&mut engine.search_limits);
    read(&[text], &mut engine, &mut program)?;
    if !engine.is_limited() {
        engine.time_control = time_control;
        engine.search_limits = search_limits;
    }
    let name = set_program(&mut engine, program);
    if !engine.is_limited() {
        return Err(SpecError::NoLimit(text.to_owned()));
    }
    if engine.name.is_empty() {
        engine.name = name;
    }
    Ok(engine)
}

/// Parses words. Each key may be given only once.
fn read(texts: &[impl AsRef<str>], spec: &mut EngineSpec, program: &mut Program) -> Result<(), SpecError> {
    let mut seen = HashSet::new();
    let parts = texts.iter().map(|text| words(text.as_ref())).collect::<Result<Vec<_>, _>>();
    for word in parts.map_err(SpecError::Word)?.iter().flatten() {
        let key = word.split_once('=').map_or(word.as_str(), |(key, _)| key);
        let subject = match key {
            // Arguments may be repeated.
            "args" | "arg" => None,
            "random" | "level" | "cmd" => Some("of random, level= and cmd=".to_owned()),
            // Option names are not case-sensitive.
            _ => Some(format!("{}=", key.to_lowercase())),
        };
        if let Some(subject) = subject.filter(|subject| !seen.insert(subject.clone())) {
            let expected = format!("only one {subject}");
            return Err(SpecError::Word(WordError::invalid("setting", word, expected)));
        }
        read_word(word, spec, program).map_err(SpecError::Word)?;
    }
    Ok(())
}

fn read_word(word: &str, spec: &mut EngineSpec, program: &mut Program) -> Result<(), WordError> {
    if word == "random" {
        *program = Program::Random;
        return Ok(());
    }
    if !word.contains('=') {
        let expected = "random or KEY=VALUE; a program with arguments is written cmd=python3 args=mine.py";
        return Err(WordError::invalid("setting", word, expected));
    }
    let pair = KeyValue::split(word, WORDS)?;
    let KeyValue { key, value, .. } = pair;
    match key {
        "level" => *program = Program::Level(pair.parsed("a level such as 3")?),
        "name" => {
            if value.is_empty() || value.contains(|c: char| c.is_control() || c == '"') {
                return Err(pair.wrong("a name without quotes"));
            }
            value.clone_into(&mut spec.name);
        }
        "cmd" => *program = Program::Command(value.to_owned()),
        "args" => {
            let arguments = pair.read("arguments with balanced quotes", |text| words(text).ok())?;
            spec.command.arguments.extend(arguments.into_iter().map(Into::into));
        }
        "arg" => spec.command.arguments.push(value.into()),
        "dir" => spec.command.directory = Some(value.into()),
        "proto" => spec.protocol = pair.parsed(Dialect::names())?,
        "tc" => {
            let control = TimeControl::parse(value);
            spec.time_control = Some(control.map_err(|expected| pair.wrong(expected))?);
        }
        "movetime" | "nodes" | "depth" => {
            set_limit(&mut spec.search_limits, &pair)?;
        }
        "margin" => {
            let expected = format!("{IN_SECONDS}, at most {}s", MAX_MARGIN.as_secs());
            spec.margin = pair.read(expected, |text| {
                time::parse(text, Bare::Seconds).filter(|&margin| margin <= MAX_MARGIN)
            })?;
        }
        "timeout" => {
            spec.timeout = pair.read(IN_SECONDS, |text| time::parse(text, Bare::Seconds))?;
        }
        "ponder" => spec.ponder = pair.switch()?,
        "restart" => spec.restart = pair.switch()?,
        _ => {
            let name = key.strip_prefix("option.").filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| pair.wrong(WORDS))?;
            spec.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
            spec.options.push((name.to_owned(), value.to_owned()));
        }
    }
    Ok(())
}

/// Completes the command line of an engine. Returns its default name.
fn set_program(spec: &mut EngineSpec, program: Program) -> String {
    match program {
        Program::Own => "kelso".to_owned(),
        Program::Random => {
            // The random player needs no limit, since it does not search.
            if !spec.is_limited() {
                spec.search_limits.nodes = Some(1);
            }
            spec.command.arguments.insert(0, "random-engine".into());
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
        parse_engines(&owned(texts), &owned(each), &PathBuf::from("kelso"))
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
        assert_eq!(engine.command.directory, Some(PathBuf::from("/d")));
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
