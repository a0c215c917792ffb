//! `kelso train judge`: how well networks order positions whose results are known.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::fit::read_weights;
use super::input::{SampleInput, reading};
use super::{Searches, stopped};
use crate::cli::arguments::engine::own_fingerprint;
use crate::cli::arguments::run::Run;
use crate::cli::outcome::{Outcome, Status, interrupted_run, stop_on_signal};
use crate::cli::values::{at_least, default};
use draughts::result::Wdl;
use engine::eval::Evaluate;
use engine::eval::network::Network;
use training::data::SampleFiles;
use training::judge::{self, JudgeHeader, LabelledPosition};
use training::{TrainingSample, checked_engine};

#[derive(clap::Args, Debug)]
#[command(mut_arg("out", default("judge")))]
pub struct Args {
    #[command(flatten)]
    input: SampleInput,
    /// Network to test; can be repeated [default: the built-in network]
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Number of positions, divided evenly among the piece counts
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = at_least(1_u32))]
    positions: u32,
    #[command(flatten)]
    search: Searches,
    #[command(flatten)]
    run: Run,
}

/// Size of the search table in MiB, unless an option changes it.
const HASH: usize = 16;

pub(super) fn run(args: &Args) -> Outcome {
    let files = args.input.files_but(&[])?;
    let inputs = files.iter().chain(&args.weights).map(PathBuf::as_path);
    let inputs = inputs.chain(args.search.settings.files().map(Path::new));
    args.run.outputs::<JudgeHeader>(&[])?.reads(inputs).check()?;
    let read = |path: &PathBuf| anyhow::Ok(Network::new(read_weights(path)?));
    let networks = match args.weights.as_slice() {
        [] => vec![Network::compiled_in().clone()],
        paths => paths.iter().map(read).collect::<Result<_, _>>()?,
    };
    let interrupt = stop_on_signal();
    let source = SampleFiles::open(&files)?;
    let samples =
        reading(&source, &interrupt, |watch| judge::choose(&source, args.positions as usize, watch))?;
    let Some(samples) = samples else { return Ok(stopped()) };
    if samples.is_empty() {
        bail!("the files have no quiet positions of 7 to 12 pieces");
    }
    let settings = args.search.settings.read()?;
    let engines =
        (0..args.search.threads.count().min(samples.len())).map(|_| checked_engine(HASH, &settings));
    let engines: Vec<_> = engines.collect::<Result<_, _>>()?;
    let header = JudgeHeader {
        program: own_fingerprint()?,
        positions: judge::checksum(&samples),
        nodes: args.search.nodes,
        options: args.search.settings.portable(),
        databases: engines.first().map_or(0, |engine| engine.databases().max_pieces()),
    };
    let bar = args.run.progress.bar(samples.len() as u64, "{pos}/{len} positions {wide_bar} {per_sec} {eta}");
    let mut labels: BTreeMap<usize, Option<Wdl>> = BTreeMap::new();
    let add = |position: &LabelledPosition| {
        labels.extend(usize::try_from(position.number).map(|number| (number, position.label)));
    };
    let stopped = args.run.perform(header, samples.len(), &bar, add, |_, left, on_label| {
        judge::label(&samples, left, args.search.nodes, engines, &interrupt, on_label)
    })?;
    print(&samples, &labels, &networks)?;
    Ok(if stopped { interrupted_run(false) } else { Status::Success })
}

fn print(
    samples: &[TrainingSample],
    labels: &BTreeMap<usize, Option<Wdl>>,
    networks: &[Network],
) -> std::io::Result<()> {
    let label = |(number, sample): (usize, &TrainingSample)| Some((*sample, *labels.get(&number)?));
    let labelled: Vec<_> = samples.iter().enumerate().filter_map(label).collect();
    let named: Vec<(String, &dyn Evaluate)> =
        networks.iter().map(|network| (network.weights().name.clone(), network as &dyn Evaluate)).collect();
    write!(stdout().lock(), "{}", judge::table(&labelled, &named))
}
