//! Groups of arguments that several commands share.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use indicatif::ProgressBar;

use super::{Status, at_least, bar, position, say, seconds, state_name, within};
use analysis::games::place::GameSource;
use draughts::board::{Move, Position};
use draughts::notation::movetext;
use engine::search::{Limits, TimeLimit};
use engine::{Engine, EngineSettings, OptionKind, Setting};
use laboratory::REGISTRY;
use players::fingerprint;
use players::spec::{EngineSpec, parse_engines};
use runs::checkpoint::{Checkpoint, CheckpointError, CheckpointHeader, Leniency, OpenMode};
use runs::outputs::Outputs;
use text::keyvalue::KeyValue;
use tournament::schedule::Shard as Part;

/// The limits of the search for a move or a position.
#[derive(clap::Args, Debug)]
pub(super) struct LimitArgs {
    /// Time per position [default: 10s, unless --nodes is given]
    #[arg(long, value_name = "TIME", value_parser = seconds, group = "limit")]
    time: Option<Duration>,
    /// Nodes per position
    #[arg(long, value_name = "N", value_parser = at_least(1_u64), group = "limit")]
    nodes: Option<u64>,
}

impl LimitArgs {
    /// Returns the limits with a depth, or with a time if nothing is given.
    pub(super) fn limits(&self, depth: Option<usize>, default_time: Duration) -> Limits {
        let is_empty = self.time.is_none() && self.nodes.is_none() && depth.is_none();
        let time = if is_empty { Some(default_time) } else { self.time };
        Limits { depth, nodes: self.nodes, time: time.map(TimeLimit::Exact), ..Limits::NONE }
    }
}

/// Permission to replace files.
#[derive(clap::Args, Debug)]
pub(super) struct Overwrite {
    /// Overwrite existing output files
    #[arg(long)]
    overwrite: bool,
}

impl Overwrite {
    pub(super) const fn outputs(&self) -> Outputs {
        Outputs::new(self.overwrite)
    }
}

/// The file that a command writes.
#[derive(clap::Args, Debug)]
pub(super) struct OutFile {
    /// Write the result to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: PathBuf,
    #[command(flatten)]
    pub(super) overwrite: Overwrite,
}

impl OutFile {
    /// Declares the file as the output of a command with these inputs.
    pub(super) fn reading<P: AsRef<Path>>(&self, inputs: impl IntoIterator<Item = P>) -> Outputs {
        self.overwrite.outputs().reads(inputs).writes_files("--out", [&self.out])
    }
}

/// The treatment of games in PDN.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// Treat men on their last row as kings instead of reporting an error
    #[arg(long)]
    pub(crate) crown: bool,
}

/// Files of games.
#[derive(clap::Args, Debug)]
pub(super) struct GameFiles {
    /// PDN files, directories (searched recursively), or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) reading: Reading,
}

impl GameFiles {
    /// Lists the files, with those of directories.
    pub(super) fn places(&self) -> anyhow::Result<Vec<GameSource>> {
        let places = GameSource::all(&self.files);
        if places.is_empty() {
            bail!("no PDN files found");
        }
        Ok(places)
    }
}

/// Reports besides the one on the screen.
#[derive(clap::Args, Debug)]
pub(super) struct Reports {
    /// Also write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Also write the report as an HTML page with the games
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
}

impl Reports {
    /// Returns whether any is written to a file.
    pub(super) fn are_files(&self) -> bool {
        [&self.json, &self.html].into_iter().flatten().any(|path| path.as_os_str() != "-")
    }

    pub(super) fn declare(&self, outputs: Outputs) -> Outputs {
        outputs.writes("--json", self.json.as_ref()).writes("--html", self.html.as_ref())
    }
}

/// The form of the output.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Json {
    /// Write JSON lines
    #[arg(long)]
    pub(super) json: bool,
}

/// Permission to use an imperfect state.
#[derive(clap::Args, Debug)]
pub(super) struct Lenient {
    /// Continue although the program or an engine has changed
    #[arg(long)]
    any_program: bool,
    /// Recover what is readable from a damaged file
    #[arg(long)]
    salvage: bool,
}

impl Lenient {
    pub(super) const fn leniency(&self) -> Leniency {
        Leniency { any_program: self.any_program, salvage: self.salvage }
    }
}

/// The files of a resumable run.
#[derive(clap::Args, Debug)]
#[command(mut_arg("overwrite", |arg| arg.help("Overwrite existing files; with --resume, only reports")))]
pub(super) struct Run {
    /// Base name of the output files
    #[arg(long, short, value_name = "NAME", value_parser = state_name())]
    pub(super) out: PathBuf,
    /// Resume an interrupted run, or start one
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    pub(super) lenient: Lenient,
}

impl Run {
    pub(super) const fn mode(&self) -> OpenMode {
        let Overwrite { overwrite } = self.overwrite;
        OpenMode { resume: self.resume, overwrite, leniency: self.lenient.leniency() }
    }

    /// Begins the declaration of the run's outputs. Other files that it resumes with the checkpoint follow in `more`.
    pub(super) fn outputs<H: CheckpointHeader>(&self, more: &[&Path]) -> Result<Outputs, CheckpointError> {
        self.mode().outputs::<H>(&self.out, more)
    }

    /// Resumes or creates the checkpoint. Calls `on_item` with every item that it already holds.
    pub(super) fn open<H: CheckpointHeader>(
        &self,
        header: H,
        on_item: &mut dyn FnMut(H::Item),
    ) -> anyhow::Result<Checkpoint<H>> {
        let (checkpoint, warnings) = Checkpoint::open(&self.out, header, self.mode(), on_item)?;
        for warning in warnings {
            say(&format!("note: {warning}"));
        }
        Ok(checkpoint)
    }

    /// Does the numbered jobs of a run that its checkpoint does not hold. `on_item` is called with every item, old or new. `work`
    /// gets the header and the numbers of the jobs, and returns true if it was interrupted, as this function does.
    pub(super) fn perform<H: CheckpointHeader + Clone>(
        &self,
        header: H,
        jobs: usize,
        bar: &ProgressBar,
        mut on_item: impl FnMut(&H::Item),
        work: impl FnOnce(&H, &[usize], OnItem<'_, H>) -> Result<bool, CheckpointError>,
    ) -> anyhow::Result<bool> {
        let mut left: BTreeSet<usize> = (0..jobs).collect();
        let mut checkpoint = self.open(header, &mut |item| {
            if usize::try_from(H::number(&item)).is_ok_and(|number| left.remove(&number)) {
                on_item(&item);
            }
        })?;
        let left: Vec<usize> = left.into_iter().collect();
        bar.set_position((jobs - left.len()) as u64);
        bar.reset_eta();
        let header = checkpoint.header().clone();
        let stopped = work(&header, &left, &mut |item| {
            checkpoint.add(&item)?;
            on_item(&item);
            bar.inc(1);
            Ok(())
        });
        bar.finish_and_clear();
        let stopped = stopped?;
        if !stopped {
            checkpoint.finish()?;
        }
        Ok(stopped)
    }
}

/// Receives a finished item of a run.
type OnItem<'a, H> = &'a mut dyn FnMut(<H as CheckpointHeader>::Item) -> Result<(), CheckpointError>;

/// Describes how to resume a run, which replaces reports in files.
pub(super) const fn resume_hint(has_reports: bool) -> &'static str {
    if has_reports {
        "to resume, repeat the command with --resume --overwrite"
    } else {
        "to resume, repeat the command with --resume"
    }
}

/// Remedy for an interrupted command that keeps its state without an option for it.
pub(super) const REPEAT: &str = "to resume, repeat the command";
/// An interrupted command whose files are written at the end leaves nothing.
pub(super) const NOTHING_KEPT: &str = "nothing is kept";
/// An interrupted command that reports the results so far.
pub(super) const INCOMPLETE: &str = "the results are incomplete, and cannot be resumed";

/// Reports that a command was interrupted and what becomes of its work, and returns the exit status.
pub(super) fn interrupted(work: &str) -> Status {
    say(&format!("interrupted; {work}"));
    Status::Interrupted
}

/// Reports that a run with `--resume` was interrupted, and returns the exit status.
pub(super) fn interrupted_run(has_reports: bool) -> Status {
    interrupted(resume_hint(has_reports))
}

/// Progress on standard error.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Progress {
    /// Do not show progress
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl Progress {
    pub(super) fn bar(self, length: u64, template: &str) -> ProgressBar {
        if self.quiet { ProgressBar::hidden() } else { bar(length, template) }
    }

    pub(super) fn say(self, line: &str) {
        if !self.quiet {
            say(line);
        }
    }
}

/// The number of threads.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Threads {
    /// Number of threads [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = within(1..=1024_u16))]
    threads: Option<u16>,
}

impl Threads {
    pub(super) fn count(self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The seed of the random numbers.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Seed {
    /// Random seed; the same seed gives the same choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(0_u64))]
    pub(super) seed: u64,
}

/// A part of the work.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Shard {
    /// Do part I of N
    #[arg(long, value_name = "I/N", default_value_t = Part::WHOLE)]
    pub(super) shard: Part,
}

impl Shard {
    /// Returns whether an item, counted from 0, is in this part.
    pub(super) fn holds(self, index: u64) -> bool {
        index % u64::from(self.shard.count.max(1)) == u64::from(self.shard.index) - 1
    }
}

/// The first position.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Start {
    /// Position as a FEN [default: the starting position]
    #[arg(long, value_name = "FEN", value_parser = position)]
    fen: Option<Position>,
}

impl Start {
    pub(super) fn position(self) -> Position {
        self.fen.unwrap_or_else(Position::start)
    }
}

/// The first position, with or without the option's name.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(mut_arg("fen", |fen| fen.help("The same as FEN").conflicts_with("position")))]
pub(super) struct StartOrFen {
    /// Position as a FEN [default: the starting position]
    #[arg(value_name = "FEN", value_parser = position)]
    position: Option<Position>,
    #[command(flatten)]
    start: Start,
}

impl StartOrFen {
    pub(super) fn position(self) -> Position {
        self.position.unwrap_or_else(|| self.start.position())
    }
}

/// Moves to play from a position.
#[derive(clap::Args, Debug)]
pub(super) struct Moves {
    /// Moves to play first, separated by spaces or commas, such as "11-15 23-18"
    #[arg(long = "moves", value_name = "MOVES")]
    texts: Vec<String>,
}

impl Moves {
    /// Plays the moves. Returns the position after them, and the last one.
    pub(super) fn play(&self, start: Position) -> anyhow::Result<(Position, Option<Move>)> {
        play_moves(start, &self.texts.join(" ")).map_err(anyhow::Error::msg)
    }
}

/// Plays moves with spaces or commas between them. Returns the position after them, and the last one.
pub(super) fn play_moves(start: Position, moves: &str) -> Result<(Position, Option<Move>), String> {
    let (mut position, mut last) = (start, None);
    let words = moves.split([' ', ',']).filter(|word| !word.is_empty());
    for (number, text) in (1..).zip(words) {
        let mv = movetext::parse(&position, text).map_err(|error| format!("move {number}: {error}"))?;
        position = position.after(mv);
        last = Some(mv);
    }
    Ok((position, last))
}

/// Positions to look up.
#[derive(clap::Args, Debug)]
pub(super) struct Positions {
    /// Positions as FEN, or startpos for the start of the game
    #[arg(required_unless_present = "fens", value_name = "FEN", value_parser = position)]
    arguments: Vec<Position>,
    /// The same as FEN; can be repeated
    #[arg(long = "fen", value_name = "FEN", value_parser = position)]
    fens: Vec<Position>,
    #[command(flatten)]
    moves: Moves,
}

impl Positions {
    pub(super) fn all(&self) -> anyhow::Result<Vec<Position>> {
        self.arguments.iter().chain(&self.fens).map(|&position| Ok(self.moves.play(position)?.0)).collect()
    }
}

/// Other engines.
#[derive(clap::Args, Debug)]
pub(super) struct Engines {
    /// Add an engine, described as for `kelso match`, such as "name=other cmd=./other proto=hub"; can be repeated
    #[arg(long, value_name = "WORDS")]
    engine: Vec<String>,
}

impl Engines {
    /// Parses the descriptions, with defaults for each.
    pub(super) fn parse(&self, defaults: &[String]) -> anyhow::Result<Vec<EngineSpec>> {
        Ok(parse_engines(&self.engine, defaults, &own_path()?)?)
    }
}

/// Engine options.
#[derive(clap::Args, Debug)]
pub(super) struct Settings {
    /// Set an engine option, such as EvalFile=FILE; can be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

impl Settings {
    pub(super) fn read(&self) -> anyhow::Result<EngineSettings> {
        let settings = self.options.iter().map(|text| setting(text)).collect::<Result<_, _>>()?;
        Ok(EngineSettings { registry: REGISTRY, settings, ..EngineSettings::default() })
    }

    /// Returns the files and directories that they name.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.options.iter().filter_map(|text| text.split_once('=').map(|(_, value)| value.trim()))
    }

    /// Returns the options as text, without paths, which differ between machines.
    pub(super) fn portable(&self) -> String {
        let is_path = |text: &str| {
            let name = text.split('=').next().unwrap_or_default();
            REGISTRY.option(name.trim()).is_some_and(|option| option.kind == OptionKind::Path)
        };
        let plain: Vec<&str> =
            self.options.iter().map(String::as_str).filter(|text| !is_path(text)).collect();
        plain.join(" ")
    }
}

fn setting(text: &str) -> anyhow::Result<Setting> {
    let pair =
        KeyValue::split(text, "NAME=VALUE, such as Hash=16").map_err(|error| anyhow!("--option: {error}"))?;
    REGISTRY.setting(pair.key.trim(), Some(pair.value.trim())).with_context(|| format!("--option {text}"))
}

/// The first positions of a book, and the order in which others follow.
#[derive(clap::Args, Debug)]
pub(super) struct Roots {
    /// Sets of root positions, as a list: start, three-move, barred, eleven-man
    #[arg(long, value_name = "SETS", default_value = "start,three-move,barred")]
    pub(super) roots: String,
    /// How many hundredths of a man weigh as much as one ply; smaller numbers make the book narrower and deeper
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = within(1..=10_000_u32))]
    pub(super) width: u32,
}

pub(super) fn own_path() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find the path of this program")
}

/// Returns the fingerprint of the running program, which differs between builds.
pub(super) fn own_fingerprint() -> anyhow::Result<String> {
    let own = parse_engines(&["nodes=1".to_owned()], &[], &own_path()?)?;
    Ok(own.first().map(|own| fingerprint::of(own, "")).unwrap_or_default())
}

/// Returns the name of an engine's evaluation, with the checksum of its weights if it has any.
pub(super) fn evaluation_name(engine: &Engine) -> String {
    let weights = engine.weights_checksum().map(|sum| format!(" {sum:08x}")).unwrap_or_default();
    format!("{}{weights}", engine.evaluation_name())
}

/// Formats a heading and the first of its items, one a line. `hint` follows the number of those left out.
pub(super) fn listing(heading: &str, items: &[impl Display], hint: &str) -> String {
    const SHOWN: usize = 20;
    let mut lines = vec![heading.to_owned()];
    lines.extend(items.iter().take(SHOWN).map(|item| format!("  {item}")));
    if items.len() > SHOWN {
        lines.push(format!("  and {} more{hint}", items.len() - SHOWN));
    }
    lines.join("\n")
}
