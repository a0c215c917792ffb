//! `kelso train tune` and `margins`: tuning of the handcrafted evaluation, and of the search.

use std::io::{Write, stdout};
use std::path::PathBuf;

use super::Games;
use crate::cli::arguments::files::OutFile;
use crate::cli::outcome::{Outcome, RESUME, Status, say};
use crate::cli::progress::bar;
use crate::cli::values::{at_least, default, even, output_file, within};
use crate::cli::work::Work;
use kelso_engine::eval::TermWeights;
use kelso_runs::file;
use kelso_runs::outputs::{OutputPath, Outputs};
use kelso_text::plural::counted;
use kelso_training::Spsa;
use kelso_training::tune::{Generation, MutationState, MutationTournament};

#[derive(clap::Args, Debug)]
#[command(mut_arg("nodes", default("500")))]
#[command(after_help = examples!(
    "kelso train tune -o tuned.txt --generations 2 --challengers 4 --games 2 --closing 4"
))]
pub struct TuneArgs {
    #[command(flatten)]
    out: OutFile,
    /// Initial weights [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Number of generations, including earlier runs
    #[arg(long, default_value_t = 20, value_parser = within(1..=1_000_000_u64))]
    generations: u64,
    /// Challengers per generation
    #[arg(long, default_value_t = 50, value_parser = within(1..=10_000_usize))]
    challengers: usize,
    /// Games per challenger against the champion, half with each colour
    #[arg(long, default_value_t = 20, value_parser = even)]
    games: u32,
    /// Games of the final match against the initial weights
    #[arg(long, default_value_t = 400, value_name = "GAMES", value_parser = even)]
    closing: u32,
    #[command(flatten)]
    how: Games,
}

fn line(generation: &Generation) -> String {
    let Generation { number, best, score, is_champion } = generation;
    let won = score.wins;
    let drawn = score.draws;
    let lost = score.losses;
    let result = if *is_champion { "becomes the champion" } else { "the champion is unchanged" };
    format!("generation {number}: best challenger {best}, +{won} ={drawn} -{lost}; {result}")
}

fn resumable(state: &MutationState, work: &Work) -> Status {
    work.clear();
    say(&format!("{} finished", counted(state.generation, "generation")));
    work.end(RESUME)
}

/// Maximum change of a weight in a generation, as a fraction.
const MAX_CHANGE: f64 = 0.1;

impl TuneArgs {
    fn tournament(&self) -> anyhow::Result<MutationTournament> {
        let first = match &self.from {
            Some(path) => TermWeights::from_file(path)?,
            None => TermWeights::default(),
        };
        Ok(MutationTournament {
            first,
            seed: self.how.seed.seed,
            challengers: self.challengers,
            pairs: usize::try_from(self.games / 2).unwrap_or(1),
            nodes: self.how.search.nodes,
            reach: MAX_CHANGE,
            threads: self.how.search.threads.count(),
            settings: self.how.search.settings.read()?,
            file: self.out.out.to_path_buf(),
        })
    }
}

pub(super) fn tune(args: &TuneArgs) -> Outcome {
    // A run with a saved state is resumed, and may replace the weights that it has written.
    let kept = [args.out.out.extended(".state"), args.out.out.clone()];
    let outputs = args.out.overwrite.outputs().reads(args.how.search.settings.files());
    let _outputs = outputs.reads(&args.from).keeps(true, kept).check()?;
    let tournament = args.tournament()?;
    let (mut checkpoint, mut state) = tournament.resume()?;
    let work = Work::begin(bar(0, "{msg} {pos}/{len} pairs {wide_bar} {per_sec} {eta}"));
    let watch = |played: usize, of: usize| {
        work.bar.set_length(of as u64);
        work.reach(played as u64)
    };
    let mut out = stdout().lock();
    if state.generation > 0 {
        writeln!(out, "generations so far: {}", state.generation)?;
    }
    while state.generation < args.generations {
        work.bar.reset();
        work.bar.set_message(format!("generation {}", state.generation + 1));
        let generation = tournament.generation(&mut checkpoint, &mut state, &watch)?;
        let Some(generation) = generation else { return Ok(resumable(&state, &work)) };
        file::write(&args.out.out, tournament.champion(&state).to_string().as_bytes())?;
        work.print(&mut out, &line(&generation))?;
    }
    checkpoint.finish()?;
    work.bar.reset();
    work.bar.set_message("final match");
    let pairs = usize::try_from(args.closing / 2).unwrap_or(1);
    let closing = tournament.final_match(&state, pairs, &watch)?;
    let Some((score, estimate)) = closing else { return Ok(resumable(&state, &work)) };
    work.clear();
    let champion = tournament.champion(&state).to_string();
    file::write(&args.out.out, champion.as_bytes())?;
    write!(out, "{champion}")?;
    write!(out, "against the initial weights: +{} ={} -{}", score.wins, score.draws, score.losses)?;
    // If one side has won every game, the estimate has no bounds.
    if let Some(estimate) = estimate.filter(|estimate| estimate.elo.error().is_finite()) {
        write!(out, ", Elo {:+.0} ± {:.0}", estimate.elo.value, estimate.elo.error())?;
    }
    writeln!(out, "\n{}", args.out.out.display())?;
    Ok(Status::Success)
}

#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso train margins -o margins.txt --pairs 10 --nodes 200"))]
pub struct MarginsArgs {
    /// File for the results of all pairs
    #[arg(long, short, value_name = "FILE", value_parser = output_file())]
    out: OutputPath,
    /// Number of pairs of games
    #[arg(long, default_value_t = 20_000, value_parser = at_least(1_u64))]
    pairs: u64,
    #[command(flatten)]
    how: Games,
}

pub(super) fn margins(args: &MarginsArgs) -> Outcome {
    let _outputs = Outputs::new(true).reads(args.how.search.settings.files()).writes([&args.out]).check()?;
    let work = Work::begin(bar(args.pairs, "{pos}/{len} pairs {wide_bar} {per_sec} {eta} {msg}"));
    let tuning = Spsa {
        seed: args.how.seed.seed,
        pairs: args.pairs,
        nodes: args.how.search.nodes,
        threads: args.how.search.threads.count(),
        settings: args.how.search.settings.read()?,
        file: args.out.to_path_buf(),
    };
    let state = tuning.run(&|state| {
        if state.pairs() % 16 == 0 {
            work.bar.set_message(state.margins().to_string());
        }
        work.reach(state.pairs())
    });
    work.clear();
    let state = state?;
    writeln!(stdout(), "{}: {}", counted(state.pairs(), "pair"), state.margins())?;
    Ok(work.end(RESUME))
}
