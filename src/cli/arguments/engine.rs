//! Engines, their settings and limits.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};

use crate::cli::values::{OptionValueParser, at_least, seconds, within};
use kelso_engine::search::{Limits, TimeLimit};
use kelso_engine::{Declaration, Engine, EngineSettings, EvaluationId, OptionKind, Setting};
use kelso_players::fingerprint;
use kelso_players::spec::{EngineSpec, OwnProgram, parse_engines};
use kelso_process::CommandLine;
use kelso_protocol::Dialect;
use kelso_syntax::WordError;
use kelso_text::keyvalue::KeyValue;

/// Search limits per move or position.
#[derive(clap::Args, Debug)]
pub(crate) struct LimitArgs {
    /// Time per position [default: 10s, unless --nodes is given]
    #[arg(long, value_name = "TIME", value_parser = seconds, group = "limit")]
    time: Option<Duration>,
    /// Nodes per position
    #[arg(long, value_name = "N", value_parser = at_least(1_u64), group = "limit")]
    nodes: Option<u64>,
}

impl LimitArgs {
    pub(crate) const fn is_given(&self) -> bool {
        self.time.is_some() || self.nodes.is_some()
    }

    /// Returns the limits, including `depth` if given, or the default time if there are none.
    pub(crate) fn limits(&self, depth: Option<usize>, default_time: Duration) -> Limits {
        let is_empty = !self.is_given() && depth.is_none();
        let time = if is_empty { Some(default_time) } else { self.time };
        Limits { depth, nodes: self.nodes, time: time.map(TimeLimit::Exact), ..Limits::default() }
    }
}

/// The number of threads.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Threads {
    /// Number of threads [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = within(1..=1024_u16))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The seed of the random numbers.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Seed {
    /// Random seed; the same seed gives the same choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0_u64))]
    pub(crate) seed: u64,
}

/// Other engines.
#[derive(clap::Args, Debug)]
pub(crate) struct Engines {
    /// Add an engine, in the syntax of `kelso match`, such as "name=other cmd=./other proto=hub"; can be
    /// repeated
    #[arg(long, value_name = "WORDS")]
    engine: Vec<String>,
}

impl Engines {
    /// Parses the descriptions, with defaults for each engine.
    pub(crate) fn parse(&self, defaults: &[String]) -> anyhow::Result<Vec<EngineSpec>> {
        Ok(parse_engines(&self.engine, defaults, &own_program()?)?)
    }
}

/// The engine of a session.
#[derive(clap::Args, Debug)]
pub(crate) struct EngineProcess {
    /// The engine's command line, split as in a shell [default: this program]
    #[arg(long, value_name = "COMMAND", value_parser = OptionValueParser(str::parse::<CommandLine>))]
    engine: Option<CommandLine>,
    /// Time to wait for the engine's output, such as 10s or 500ms; a bare number is in seconds
    #[arg(long, value_name = "TIME", default_value = "10", value_parser = seconds)]
    pub(crate) timeout: Duration,
}

impl EngineProcess {
    /// Returns the command line of the engine, or of this program.
    pub(crate) fn command_line(&self) -> anyhow::Result<CommandLine> {
        match &self.engine {
            Some(engine) => Ok(engine.clone()),
            None => Ok(CommandLine::new(own_path()?)),
        }
    }
}

/// Engine options.
#[derive(clap::Args, Debug)]
pub(crate) struct Settings {
    /// Set an engine option, such as EvalFile=FILE; can be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Settings {
    pub(crate) fn read(&self) -> anyhow::Result<EngineSettings> {
        let options = self.options.iter().map(|text| setting(text)).collect::<Result<_, _>>()?;
        Ok(EngineSettings { options, ..EngineSettings::installed() })
    }

    /// Returns the files and directories that the options name.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.options.iter().filter_map(|text| Some(option(text).ok()?.value.trim()))
    }

    /// Returns the options as text, without paths, which differ between machines.
    pub(crate) fn portable(&self) -> String {
        let plain: Vec<&str> =
            self.options.iter().map(String::as_str).filter(|text| !is_path(text)).collect();
        plain.join(" ")
    }
}

/// Returns whether an option given as `NAME=VALUE` is a path.
fn is_path(text: &str) -> bool {
    let declaration = option(text).ok().and_then(|pair| Declaration::find(pair.key.trim()));
    declaration.is_some_and(|declaration| declaration.kind == OptionKind::Path)
}

fn option(text: &str) -> Result<KeyValue<'_>, WordError> {
    KeyValue::split(text, "NAME=VALUE, such as Hash=16")
}

fn setting(text: &str) -> anyhow::Result<Setting> {
    let pair = option(text).map_err(|error| anyhow!("--option: {error}"))?;
    Setting::parse(pair.key.trim(), Some(pair.value.trim())).with_context(|| format!("--option {text}"))
}

fn own_path() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find the path of this program")
}

/// The hidden command that plays random moves.
pub(crate) const RANDOM_ENGINE: &str = "random-engine";

pub(crate) fn own_program() -> anyhow::Result<OwnProgram> {
    Ok(OwnProgram { path: own_path()?, random: RANDOM_ENGINE })
}

/// Returns the fingerprint of the running program, which differs between builds.
pub(crate) fn own_fingerprint() -> anyhow::Result<String> {
    Ok(fingerprint::of(&EngineSpec::new(CommandLine::new(own_path()?), Dialect::default()), "")?)
}

/// Returns the name of an engine's evaluation, with the checksum of its weights if it has any.
pub(crate) fn evaluation_name(engine: &Engine) -> String {
    let EvaluationId { name, checksum } = engine.evaluation_id();
    checksum.map_or(name.clone(), |checksum| format!("{name} {checksum:08x}"))
}
