//! `kelso train fit` and `terms`: fitting a network, or the handcrafted evaluation.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};

use super::input::TrainingInput;
use super::judge::class_name;
use crate::cli::arguments::engine::{Seed, Threads};
use crate::cli::arguments::files::OutFile;
use crate::cli::outcome::{NOTHING_KEPT, Outcome, Status};
use crate::cli::progress::bar;
use crate::cli::values::{above_zero, output_file, share, within};
use kelso_batch::file;
use kelso_batch::outputs::OutputPath;
use kelso_engine::eval::network::{self, NetworkWeights};
use kelso_reports::table::Table;
use kelso_runtime::files;
use kelso_text::plural::{counted, grouped};
use kelso_training::fit::{self, Fit, FitOptions};
use kelso_training::terms::{Regression, RegressionOptions};

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso train fit games -o my.net --epochs 2"))]
pub struct NetworkArgs {
    #[command(flatten)]
    data: TrainingInput,
    #[command(flatten)]
    out: OutFile,
    /// Start from the network in FILE [default: small random weights]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Number of epochs
    #[arg(long, default_value_t = 12, value_parser = within(1..=10_000_u32))]
    epochs: u32,
    /// Initial learning rate
    #[arg(long, default_value_t = 0.001, value_parser = above_zero(1.0))]
    rate: f64,
    /// Number of positions per batch
    #[arg(long, default_value_t = 16384, value_parser = within(64..=1_usize << 24))]
    batch: usize,
    /// Weigh each class of pieces by its share of the positions to the power of -BALANCE
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    balance: f64,
    #[command(flatten)]
    seed: Seed,
    /// Write a chart of the losses by epoch to FILE
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    svg: Option<OutputPath>,
    /// Name of the weights
    #[arg(long, default_value = "unnamed", value_parser = name)]
    name: String,
    #[command(flatten)]
    threads: Threads,
}

fn name(text: &str) -> anyhow::Result<String> {
    let is_name = text.len() <= 32 && !text.chars().any(char::is_control);
    ensure!(is_name, "expected up to 32 bytes of text");
    Ok(text.to_owned())
}

impl NetworkArgs {
    fn options(&self, from: Option<NetworkWeights>) -> FitOptions {
        FitOptions {
            seed: self.seed.seed,
            epochs: self.epochs,
            learning_rate: self.rate,
            batch: self.batch,
            blend: self.data.blend,
            balance: self.balance,
            name: self.name.clone(),
            from,
            threads: self.threads.count(),
        }
    }

    fn draw(&self, fit: &Fit<'_>) -> anyhow::Result<()> {
        let Some(path) = &self.svg else { return Ok(()) };
        let svg = fit::draw(&format!("Losses of {}", self.name), &fit.epochs);
        Ok(file::write(path, svg.as_bytes())?)
    }
}

pub(super) fn read_weights(path: &Path) -> anyhow::Result<NetworkWeights> {
    let bytes = files::read_regular(path, network::SIZE as u64 + 1)
        .with_context(|| format!("cannot read \"{}\"", path.display()))?;
    NetworkWeights::from_bytes(&bytes)
        .with_context(|| format!("cannot read weights from \"{}\"", path.display()))
}

pub(super) fn network(args: &NetworkArgs) -> Outcome {
    let inputs = args.data.files()?.into_iter().chain(args.from.clone());
    let outputs = args.out.reading(inputs);
    let outputs = outputs.writes(&args.svg).check()?;
    let from = args.from.as_deref().map(read_weights).transpose()?;
    let (set, mut work) = args.data.read()?;
    if work.is_interrupted() {
        return Ok(work.end(NOTHING_KEPT));
    }
    let mut out = stdout().lock();
    let mut fit = Fit::new(&set, &args.options(from));
    let loss = fit::scale::loss(&set.train, fit.scale);
    writeln!(out, "{}, {} held out", counted(set.train.len() as u64, "position"), set.held_out.len())?;
    writeln!(out, "scale of scores {:.0}: loss {loss:.4}", fit.scale)?;
    work.bar = bar(set.train.len() as u64, "{msg} {pos}/{len} positions {wide_bar} {per_sec} {eta}");
    while !fit.is_done() {
        work.bar.reset();
        work.bar.set_message(format!("epoch {}", fit.epochs.len() + 1));
        let epoch = fit.epoch(&mut |done| work.show_progress(done as u64));
        let Some(epoch) = epoch else { return Ok(work.end(NOTHING_KEPT)) };
        work.print(&mut out, &format!("epoch {epoch}"))?;
        args.draw(&fit)?;
    }
    work.clear();
    let classes = fit.by_class();
    let rows: Vec<_> = classes.iter().enumerate().filter(|(_, losses)| losses.samples > 0).collect();
    let table = Table::of(&rows)
        .words("pieces", |&(class, _)| class_name(class))
        .number("held out", |(_, losses)| grouped(losses.samples))
        .number("loss", |(_, losses)| format!("{:.4}", losses.loss()))
        .number("entropy", |(_, losses)| format!("{:.4}", losses.entropy()))
        .number("excess", |(_, losses)| format!("{:.4}", losses.excess()));
    writeln!(out, "\n{}", table.build())?;
    outputs.write(Some(&args.out.out), || fit.weights().to_bytes())?;
    writeln!(out, "{}", args.out.out.display())?;
    Ok(Status::Success)
}

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso train terms games -o weights.txt"))]
pub struct TermsArgs {
    #[command(flatten)]
    data: TrainingInput,
    #[command(flatten)]
    out: OutFile,
    /// Omit a term, or all terms with a prefix such as king-; can be repeated
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    #[command(flatten)]
    threads: Threads,
}

/// Strength of the L2 penalty of terms, in positions.
const RIDGE: f64 = 10.0;
/// Maximum number of Newton steps; the fit usually ends before.
const MAX_STEPS: u32 = 20;

pub(super) fn terms(args: &TermsArgs) -> Outcome {
    let outputs = args.out.reading(args.data.files()?).check()?;
    let (set, mut work) = args.data.read()?;
    if work.is_interrupted() {
        return Ok(work.end(NOTHING_KEPT));
    }
    let options = RegressionOptions {
        blend: args.data.blend,
        ridge: RIDGE,
        steps: MAX_STEPS,
        without: args.without.clone(),
        threads: args.threads.count(),
    };
    let mut out = stdout().lock();
    let mut regression = Regression::new(&set, &options).map_err(|error| anyhow!("--without: {error}"))?;
    writeln!(out, "{}, {} held out", counted(set.train.len() as u64, "position"), set.held_out.len())?;
    writeln!(out, "scale of scores {:.0}", regression.scores)?;
    work.bar = bar(set.train.len() as u64, "{msg} {pos}/{len} positions {wide_bar} {per_sec}");
    let mut number = 0;
    let last = loop {
        work.bar.set_message(format!("step {number}"));
        let step = regression.step(&|done: usize| work.show_progress(done as u64));
        let Some(step) = step else { return Ok(work.end(NOTHING_KEPT)) };
        work.print(&mut out, &format!("step {step}"))?;
        if regression.is_done() {
            break step;
        }
        number += 1;
    };
    work.clear();
    let sheet = regression.weights().to_string();
    let (first, rest) = sheet.split_once('\n').unwrap_or((&sheet, ""));
    let text = format!(
        "{first}\n# Fitted to {} positions with blend {}, ridge {RIDGE}.\n# step {last}\n{rest}",
        set.train.len(),
        args.data.blend
    );
    outputs.write(Some(&args.out.out), || text)?;
    writeln!(out, "{}", args.out.out.display())?;
    Ok(Status::Success)
}
