//! `kelso train terms`: weights of the hand-made evaluation from what was played.

use anyhow::anyhow;
use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::value_parser;

use super::super::shared::Overwrite;
use super::input::TrainingInput;
use super::{Outcome, bar, interrupt, stopped, threads};
use common::count::counted;
use common::file;
use training::terms::{Regression, RegressionOptions};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    data: TrainingInput,
    /// Write the weights to FILE
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Strength of the ridge that holds weights near 0, as a number of positions
    #[arg(long, default_value_t = 10.0, value_parser = positive)]
    ridge: f64,
    /// The most Newton steps
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(1..=1000))]
    steps: u32,
    /// Scale of the evaluation: hundredths of a man that make the odds e to 1 [default: the scale of the scores]
    #[arg(long, value_parser = positive)]
    scale: Option<f64>,
    /// Leave out a term, or all terms with a prefix such as king-; repeatable
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Number of threads [default: one for each processor core]
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && *number <= 1e6);
    number.ok_or("expected a number above 0 and up to 1000000".to_owned())
}

/// Fits, and writes the weights.
pub(super) fn run(args: &Args) -> Outcome {
    args.overwrite.outputs().reads(args.data.files()?).writes_file("--out", &args.out).check()?;
    let interrupt = interrupt::listen();
    let going = || !interrupt.is_stopped();
    let Some(set) = args.data.read(&interrupt)? else { return Ok(stopped()) };
    let options = RegressionOptions {
        blend: args.data.blend,
        ridge: args.ridge,
        steps: args.steps,
        scale: args.scale,
        without: args.without.clone(),
        threads: threads(args.threads),
    };
    let mut out = stdout().lock();
    let mut regression = Regression::new(&set, &options)
        .map_err(|name| anyhow!("--without {name}: expected a term of the evaluation classic"))?;
    writeln!(out, "{}, {} held out", counted(set.train.len() as u64, "position"), set.held_out.len())?;
    writeln!(out, "scale of scores {:.0}", regression.scores())?;
    let bar = bar(set.train.len() as u64, "{msg} {pos}/{len} positions {wide_bar} {per_sec}");
    let watch = |done: usize| {
        bar.set_position(done as u64);
        going()
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
    let mut text = format!("{first}\n");
    // Writing to a string can't fail.
    let _ = writeln!(
        text,
        "# Fitted to {} positions with blend {}, ridge {}.",
        set.train.len(),
        args.data.blend,
        args.ridge
    );
    let _ = writeln!(text, "# step {last}");
    text.push_str(rest);
    file::write(&args.out, text.as_bytes())?;
    writeln!(out, "{}", args.out.display())?;
    Ok(ExitCode::SUCCESS)
}
