//! `kelso train terms`: fits the weights of the hand-made evaluation.

use anyhow::anyhow;
use std::io::{Write, stdout};
use std::process::ExitCode;

use super::input::TrainingInput;
use super::{OutFile, Outcome, Threads, above_zero, bar, interrupt, stopped, within};
use common::count::counted;
use training::terms::{Regression, RegressionOptions};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    data: TrainingInput,
    #[command(flatten)]
    out: OutFile,
    /// Strength of the ridge that holds weights near 0, as a number of positions
    #[arg(long, default_value_t = 10.0, value_parser = above_zero(1e6))]
    ridge: f64,
    /// Maximum number of Newton steps
    #[arg(long, default_value_t = 20, value_parser = within(1..=1000_u32))]
    steps: u32,
    /// Scale of the evaluation: hundredths of a man that make the odds e to 1 [default: the scale of the scores]
    #[arg(long, value_parser = above_zero(1e6))]
    scale: Option<f64>,
    /// Leave out a term, or all terms with a prefix such as king-; repeatable
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    #[command(flatten)]
    threads: Threads,
}

/// Fits, and writes the weights.
pub(super) fn run(args: &Args) -> Outcome {
    let outputs = args.out.reading(args.data.files()?).check()?;
    let interrupt = interrupt::listen();
    let Some(set) = args.data.read(&interrupt)? else { return Ok(stopped()) };
    let options = RegressionOptions {
        blend: args.data.blend,
        ridge: args.ridge,
        steps: args.steps,
        scale: args.scale,
        without: args.without.clone(),
        threads: args.threads.count(),
    };
    let mut out = stdout().lock();
    let mut regression = Regression::new(&set, &options)
        .map_err(|name| anyhow!("--without {name}: expected a term of the evaluation classic"))?;
    writeln!(out, "{}, {} held out", counted(set.train.len() as u64, "position"), set.held_out.len())?;
    writeln!(out, "scale of scores {:.0}", regression.scores())?;
    let bar = bar(set.train.len() as u64, "{msg} {pos}/{len} positions {wide_bar} {per_sec}");
    let watch = |done: usize| {
        bar.set_position(done as u64);
        !interrupt.is_stopped()
    };
    let mut number = 0;
    let last = loop {
        bar.set_message(format!("step {number}"));
        let step = if number == 0 { regression.start(&watch) } else { regression.step(&watch) };
        let Some(step) = step else {
            bar.finish_and_clear();
            return Ok(stopped());
        };
        bar.suspend(|| writeln!(out, "step {step}").and_then(|()| out.flush()))?;
        if regression.is_done() {
            break step;
        }
        number += 1;
    };
    bar.finish_and_clear();
    let sheet = regression.weights().to_string();
    let (first, rest) = sheet.split_once('\n').unwrap_or((&sheet, ""));
    let text = format!(
        "{first}\n# Fitted to {} positions with blend {}, ridge {}.\n# step {last}\n{rest}",
        set.train.len(),
        args.data.blend,
        args.ridge
    );
    outputs.write(Some(&args.out.out), || text)?;
    writeln!(out, "{}", args.out.out.display())?;
    Ok(ExitCode::SUCCESS)
}
