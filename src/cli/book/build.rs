//! `kelso book build`.

use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};

use super::{room, write};
use indicatif::ProgressBar;

use crate::cli::arguments::engine::{Settings, Threads, evaluation_name, own_fingerprint};
use crate::cli::arguments::run::Run;
use crate::cli::book::Roots;
use crate::cli::outcome::{Outcome, RESUME};
use crate::cli::values::{at_least, default, seconds};
use crate::cli::work::Work;
use kelso_batch::checkpoint::{Checkpoint, CheckpointHeader};
use kelso_book_builder::build::{self, BuildHeader, BuildStep};
use kelso_book_builder::search::BookSearcher;
use kelso_book_builder::tree::{self, BookJudgement, BookTree};
use kelso_draughts::board::relative::Key;
use kelso_text::plural::{counted, grouped};

#[derive(clap::Args, Debug)]
#[command(mut_arg("out", default("kelso")))]
#[command(after_help = examples!("kelso book build --nodes 1000 --positions 300 -o small"))]
pub struct Args {
    #[command(flatten)]
    run: Run,
    #[command(flatten)]
    roots: Roots,
    /// Nodes per position
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = at_least(1_u64))]
    nodes: u64,
    /// Stop after N positions
    #[arg(long, value_name = "N", value_parser = at_least(1_u32))]
    positions: Option<u32>,
    /// Maximum size of the book in bytes; the most important positions are kept (NAME.jsonl has all of them)
    #[arg(long, value_name = "N", value_parser = at_least(200_u32))]
    bytes: Option<u32>,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    settings: Settings,
}

pub(super) fn run(args: &Args) -> Outcome {
    let settings = args.settings.read()?;
    let book = args.run.out.extended(".book");
    let outputs = args.run.outputs::<BuildHeader>([&book])?.reads(args.settings.files()).check()?;
    let roots = build::root_keys(&args.roots.roots)?;
    let searchers: Vec<_> = (0..args.threads.count())
        .map(|_| BookSearcher::new(&settings, args.nodes))
        .collect::<Result<_, _>>()?;
    let (mut steps, number, tree) = args.open(args.header(&searchers)?)?;
    let max = args.positions.map(|positions| positions as usize);
    let work = Work::begin(args.bar(&tree));
    let began = Instant::now();
    let mut next = Instant::now();
    let built = build::run(tree, number, &roots, searchers, max, &work.stop, &mut |step, tree| {
        if let Some(step) = step {
            steps.add(step)?;
        }
        if Instant::now() >= next {
            next = Instant::now() + UPDATE_INTERVAL;
            work.bar.set_position(tree.positions() as u64);
            if let Some(standing) = roots.first().and_then(|&root| standing(tree, root)) {
                work.bar.set_message(standing);
            }
        }
        Ok::<_, anyhow::Error>(args.time.is_none_or(|time| began.elapsed() < time))
    });
    work.clear();
    let tree = built?;
    let entries = tree.entries();
    let text = text(steps.header());
    let all = counted(tree.positions() as u64, "position");
    let expanded = grouped(entries.len() as u64);
    let kept = match args.bytes {
        None => entries,
        Some(bytes) => tree::prune(entries, &roots, args.roots.width, room(&text, bytes)?),
    };
    steps.sync()?;
    let written = write(&outputs, &book, &text, &kept)?;
    let mut out = stdout().lock();
    write!(out, "{}: {all}, {expanded} of them with all moves, ", book.display())?;
    if kept.len() < tree.expanded {
        write!(out, "{} of which are kept, ", grouped(kept.len() as u64))?;
    }
    writeln!(out, "{} bytes", grouped(written.size() as u64))?;
    if let Some(text) = roots.first().and_then(|&root| standing(&tree, root)) {
        writeln!(out, "{text}")?;
    }
    Ok(work.end(RESUME))
}

/// Time between progress updates.
const UPDATE_INTERVAL: Duration = Duration::from_millis(500);

impl Args {
    /// Opens the steps of the build. Returns also the number of the next step, and the tree so far.
    fn open(&self, header: BuildHeader) -> anyhow::Result<(Checkpoint<BuildHeader>, u64, BookTree)> {
        let mut tree = BookTree::new(self.roots.width);
        let mut next = 0;
        let steps = self.run.open(header, &mut |step: BuildStep| {
            let number = step.number;
            next = number + 1;
            let Err(reason) = step.apply(&mut tree) else { return Ok(()) };
            let path = self.run.out.extended(BuildHeader::EXTENSION).display().to_string();
            bail!("{path}, step {number}: {reason} (the file is damaged; use --overwrite to start again)")
        })?;
        Ok((steps, next, tree))
    }

    fn bar(&self, tree: &BookTree) -> ProgressBar {
        let template = match self.positions {
            Some(_) => "{pos}/{len} positions {wide_bar} {per_sec} {eta} left; {msg}",
            None => "{pos} positions {per_sec} {elapsed}; {msg}",
        };
        let bar = self.run.progress.bar(self.positions.map(u64::from), template);
        bar.set_position(tree.positions() as u64);
        bar.reset_eta();
        bar
    }

    fn header(&self, searchers: &[BookSearcher]) -> anyhow::Result<BuildHeader> {
        let engine = searchers.first().map(|searcher| &searcher.engine);
        let engine = engine.ok_or_else(|| anyhow!("no engine"))?;
        Ok(BuildHeader {
            judge: evaluation_name(engine),
            program: own_fingerprint()?,
            nodes: self.nodes,
            width: self.roots.width,
            options: self.settings.portable(),
            databases: engine.databases().max_pieces(),
            roots: self.roots.roots.clone(),
        })
    }
}

fn text(header: &BuildHeader) -> String {
    let BuildHeader { judge, nodes, width, roots, databases, .. } = header;
    let version = env!("CARGO_PKG_VERSION");
    format!("Kelso {version}, {judge}; {nodes} nodes, width {width}, endings of {databases}; from {roots}")
}

/// Describes the first root.
fn standing(tree: &BookTree, root: Key) -> Option<String> {
    let BookJudgement { score, depth, .. } = tree.judgement(root)?;
    let plies = tree.best_line(root).len();
    Some(format!("first root {score}, depth {depth}, {plies} plies of best play in the book"))
}
