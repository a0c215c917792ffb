//! `kelso book build`.

use anyhow::{anyhow, bail};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::value_parser;

use super::super::interrupt;
use super::super::progress::bar;
use super::super::settings::Settings;
use super::super::shared::{Rerun, state_name};
use super::super::{Outcome, interrupted, own, say, seconds, threads};
use super::{room, write};
use common::checkpoint::CheckpointError;
use common::count::{counted, grouped};
use tournament::schedule::Shard;
use training::book::build::{self, BuildEnd, BuildLimits, Snapshot};
use training::book::header::{BuildHeader, BuildStep};
use training::book::prune::{self, PruneLimits};
use training::book::root::{self, RootSet};
use training::book::search::Searcher;
use training::book::tree::Tree;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Write the book to NAME.book, and what is needed to resume to NAME.jsonl
    #[arg(long, short, value_name = "NAME", default_value = "kelso", value_parser = state_name())]
    out: PathBuf,
    /// Sets of root positions, as a list: start, three-move, barred, eleven-man
    #[arg(long, value_name = "SETS", default_value = "start,three-move,barred")]
    roots: String,
    /// Nodes for each position
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = super::super::at_least_one::<u64>)]
    nodes: u64,
    /// Hundredths of a man that cost as much as a ply; a smaller number makes the book narrow and deep
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..=10_000))]
    width: u32,
    /// Stop after N positions
    #[arg(long, value_name = "N", value_parser = super::super::at_least_one::<u32>)]
    positions: Option<u32>,
    /// Write at most N bytes, with the positions of the lowest cost; NAME.jsonl keeps all
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(200..))]
    bytes: Option<u32>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<Duration>,
    /// Number of concurrent searches [default: one for each processor core]; with 1 the book is reproducible
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Use only the Ith of N parts of the roots; kelso book merge merges the parts
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    rerun: Rerun,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let settings = args.settings.read()?;
    let mut book = args.out.clone().into_os_string();
    book.push(".book");
    let book = PathBuf::from(book);
    args.rerun.outputs::<BuildHeader>(&args.out, &[&book])?.reads(args.settings.files()).check()?;
    let sets = RootSet::parse(&args.roots)?;
    let shard = |index: usize| index % args.shard.count as usize == args.shard.index as usize - 1;
    let roots: Vec<_> = root::keys(&sets)
        .into_iter()
        .enumerate()
        .filter(|&(index, _)| shard(index))
        .map(|(_, key)| key)
        .collect();
    let searchers: Vec<_> =
        (0..threads(args.threads)).map(|_| Searcher::new(&settings, args.nodes)).collect::<Result<_, _>>()?;
    let header = args.header(&searchers)?;
    let interrupt = interrupt::listen();
    let (mut tree, mut number, mut wrong) = (Tree::new(args.width), 0, None);
    let mut steps = args.rerun.open(&args.out, header, &mut |step: BuildStep| {
        number = step.number + 1;
        if let Err(reason) = step.apply(&mut tree) {
            wrong.get_or_insert((step.number, reason));
        }
    })?;
    if let Some((number, reason)) = wrong {
        let path = steps.state_path().display();
        bail!("{path}, step {number}: {reason} (the file is damaged; use --overwrite to start again)");
    }
    let limits =
        BuildLimits { positions: args.positions.map(|positions| positions as usize), time: args.time };
    let mut live = Live::new(args, &tree);
    let built = build::run(tree, number, &roots, searchers, limits, &interrupt, &mut |step, look| {
        steps.add(step)?;
        live.look(look);
        Ok::<_, CheckpointError>(())
    });
    live.bar.finish_and_clear();
    let (tree, ending) = built?;
    let (entries, text) = (tree.entries(), text(steps.header()));
    let (all, expanded) = (counted(tree.positions() as u64, "position"), grouped(entries.len() as u64));
    let kept = match args.bytes {
        None => entries,
        Some(bytes) => {
            let limits = PruneLimits { bytes: Some(room(&text, bytes)?), ..PruneLimits::default() };
            prune::prune(entries, &roots, args.width, limits).map_err(|(_, error)| error)?
        }
    };
    let written = write(&book, &text, &kept)?;
    let mut out = stdout().lock();
    write!(out, "{}: {all}, {expanded} of them with all moves, ", book.display())?;
    if kept.len() < tree.expanded() {
        write!(out, "{} of which are kept, ", grouped(kept.len() as u64))?;
    }
    writeln!(out, "{} bytes", grouped(written.size() as u64))?;
    if let Some(line) = standing(&Snapshot::of(&tree)) {
        writeln!(out, "{line}")?;
    }
    if ending == BuildEnd::Stopped {
        say("interrupted; to resume, repeat the command with --resume");
        return Ok(interrupted());
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn header(&self, searchers: &[Searcher]) -> anyhow::Result<BuildHeader> {
        let engine = searchers.first().map(Searcher::engine);
        let engine = engine.ok_or_else(|| anyhow!("no engine"))?;
        let databases = engine.databases().max_pieces();
        let weights = engine.weights_checksum().map(|sum| format!(" {sum:08x}")).unwrap_or_default();
        Ok(BuildHeader {
            judge: format!("{}{weights}", engine.evaluation_name()),
            program: own::fingerprint()?,
            nodes: self.nodes,
            width: self.width,
            options: self.settings.portable(),
            databases,
            roots: self.roots.clone(),
            shard: self.shard.to_string(),
        })
    }
}

/// The description of the book.
fn text(header: &BuildHeader) -> String {
    let BuildHeader { judge, nodes, width, roots, databases, .. } = header;
    let version = env!("CARGO_PKG_VERSION");
    format!("Kelso {version}, {judge}; {nodes} nodes, width {width}, endings of {databases}; from {roots}")
}

/// Describes the first root.
fn standing(snapshot: &Snapshot) -> Option<String> {
    let (score, depth, plies) = snapshot.first?;
    Some(format!("first root {score}, depth {depth}, {plies} plies of best play in the book"))
}

/// The line that shows how far it is.
struct Live {
    bar: indicatif::ProgressBar,
    next: Instant,
}

impl Live {
    /// How often values are shown.
    const PAUSE: Duration = Duration::from_millis(500);

    fn new(args: &Args, tree: &Tree) -> Self {
        let bar = match (args.quiet, args.positions) {
            (true, _) => indicatif::ProgressBar::hidden(),
            (_, Some(most)) => {
                bar(most.into(), "{pos}/{len} positions {wide_bar} {per_sec} {eta} left; {msg}")
            }
            _ => bar(0, "{pos} positions {per_sec} {elapsed}; {msg}"),
        };
        bar.set_position(tree.positions() as u64);
        bar.reset_eta();
        Self { bar, next: Instant::now() }
    }

    fn look(&mut self, look: &dyn Fn() -> Snapshot) {
        if Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + Self::PAUSE;
        let snapshot = look();
        self.bar.set_position(snapshot.positions as u64);
        self.bar.set_message(standing(&snapshot).unwrap_or_default());
    }
}
