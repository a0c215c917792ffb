//! `kelso train fit`: fits the weights of a network.

use anyhow::Context;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::input::TrainingInput;
use super::{OutFile, Outcome, Seed, Threads, above_zero, bar, interrupt, stopped, within};
use common::count::counted;
use common::file;
use engine::eval::network::{self, Weights};
use training::fit::{self, Fit, FitOptions};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    data: TrainingInput,
    #[command(flatten)]
    out: OutFile,
    /// Start from the network in FILE [default: small random weights]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Number of epochs: how often each position is used
    #[arg(long, default_value_t = 12, value_parser = within(1..=10_000_u32))]
    epochs: u32,
    /// The learning rate at the start
    #[arg(long, default_value_t = 0.001, value_parser = above_zero(1.0))]
    rate: f64,
    /// Number of positions of a batch
    #[arg(long, default_value_t = 16384, value_parser = within(64..=1_u32 << 24))]
    batch: u32,
    #[command(flatten)]
    seed: Seed,
    /// Write a chart of the losses by epoch to FILE
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Name of the weights
    #[arg(long, default_value = "unnamed", value_parser = name)]
    name: String,
    #[command(flatten)]
    threads: Threads,
}

fn name(text: &str) -> Result<String, String> {
    let fits = text.len() <= 32 && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err("expected up to 32 bytes of text".to_owned()) }
}

impl Args {
    fn options(&self, from: Option<Weights>) -> FitOptions {
        FitOptions {
            seed: self.seed.seed,
            epochs: self.epochs,
            learning_rate: self.rate,
            batch: usize::try_from(self.batch).unwrap_or(1),
            blend: self.data.blend,
            name: self.name.clone(),
            from,
            threads: self.threads.count(),
        }
    }

    fn draw(&self, fit: &Fit<'_>) -> anyhow::Result<()> {
        let Some(path) = &self.svg else { return Ok(()) };
        let svg = fit::draw(&format!("Losses of {}", self.name), fit.epochs());
        Ok(file::write(path, svg.as_bytes())?)
    }
}

/// Reads the weights of a network.
pub(super) fn read_weights(path: &Path) -> anyhow::Result<Weights> {
    let bytes = file::read_regular(path, network::SIZE as u64 + 1)
        .with_context(|| format!("cannot read \"{}\"", path.display()))?;
    Weights::from_bytes(&bytes).with_context(|| format!("cannot read weights from \"{}\"", path.display()))
}

/// Fits, and writes the weights.
pub(super) fn run(args: &Args) -> Outcome {
    let inputs = args.data.files()?.into_iter().chain(args.from.clone());
    let outputs = args.out.reading(inputs);
    let outputs = outputs.writes_files("--svg", &args.svg).check()?;
    let from = args.from.as_deref().map(read_weights).transpose()?;
    let interrupt = interrupt::listen();
    let Some(set) = args.data.read(&interrupt)? else { return Ok(stopped()) };
    let mut out = stdout().lock();
    let mut fit = Fit::new(&set, &args.options(from));
    let loss = fit::scale::loss(&set.train, fit.scale());
    writeln!(out, "{}, {} held out", counted(set.train.len() as u64, "position"), set.held_out.len())?;
    writeln!(out, "scale of scores {:.0}: loss {loss:.4}", fit.scale())?;
    let bar = bar(set.train.len() as u64, "{msg} {pos}/{len} positions {wide_bar} {per_sec} {eta}");
    while !fit.is_done() {
        bar.reset();
        bar.set_message(format!("epoch {}", fit.epochs().len() + 1));
        let epoch = fit.epoch(&mut |done| {
            bar.set_position(done as u64);
            !interrupt.is_stopped()
        });
        let Some(epoch) = epoch else {
            bar.finish_and_clear();
            return Ok(stopped());
        };
        bar.suspend(|| writeln!(out, "epoch {epoch}").and_then(|()| out.flush()))?;
        args.draw(&fit)?;
    }
    bar.finish_and_clear();
    args.draw(&fit)?;
    outputs.check_again(&args.out.out)?;
    file::write(&args.out.out, &fit.weights().to_bytes())?;
    writeln!(out, "{}", args.out.out.display())?;
    Ok(ExitCode::SUCCESS)
}
