//! `kelso lab`: series of games between any two configurations, and the published experiments.

use std::io::Write;

use anyhow::Context;
use clap::Subcommand;

use crate::cli::arguments::engine::Seed;
use crate::cli::arguments::files::Overwrite;
use crate::cli::arguments::position::DrawRule;
use crate::cli::outcome::{INCOMPLETE, Outcome, say};
use crate::cli::progress::bar;
use crate::cli::session::run_player;
use crate::cli::values::{default, output, within};
use crate::cli::work::Work;
use kelso_batch::outputs::OutputPath;
use kelso_draughts::referee::DrawRules;
use kelso_laboratory::experiments::{Experiment, Trial, alex, table1, table2, table3};
use kelso_laboratory::{LabPlayer, PlayerSpec, Series};
use kelso_text::plural::counted;

/// Reproduce published experiments, or run new experiments
///
/// Without a command, plays a series of games between two players. A player is described by KEY=VALUE words:
/// searcher, eval, depth, time (per move, such as 0.5s or 50ms), nodes, and for textbook searchers the
/// switches tt, q, id, order (on or off) and stuck (loss or eval). "random" plays any legal move. A range of
/// depths (depth=3..8) makes a series for each depth.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, mut_arg("draws", default("paper")))]
#[command(after_help = examples!(
    "kelso lab --p1 \"searcher=ab depth=4 eval=v1\" --p2 random --games 20",
    "kelso lab --p1 \"searcher=ab depth=1..4 eval=v1\" --p2 \"searcher=ab depth=3 eval=v3\" --opening 6 --games 4 --svg depths.svg"
))]
pub struct Args {
    #[command(subcommand)]
    published: Option<PublishedExperiment>,
    #[command(flatten)]
    series: SeriesArgs,
}

#[derive(Subcommand, Debug)]
enum PublishedExperiment {
    /// Run a player as an engine that speaks the native protocol
    ///
    /// The limits of the player's description hold in addition to those of each search. In a match, for
    /// example, the words of the engine are: name=textbook args="lab engine searcher=ab-tt-q eval=v3".
    #[command(after_help = examples!("kelso lab engine searcher=ab-tt-q eval=v3"))]
    Engine {
        /// The player's description, as for --p1
        #[arg(required = true, value_name = "PLAYER")]
        player: Vec<String>,
    },
    /// Peterson's Table 1: every feature and evaluation, against random moves
    #[command(after_help = examples!("kelso lab table1 --games 5 --csv table1.csv"))]
    Table1(ReportArgs),
    /// Peterson's Table 2: the share of time spent in each part of the engine
    #[command(after_help = examples!("kelso lab table2 --games 5"))]
    Table2(ReportArgs),
    /// Peterson's Table 3: one engine against another
    #[command(after_help = examples!("kelso lab table3 --games 2"))]
    Table3(ReportArgs),
    /// Alex's comparisons: time by depth, and evaluations against each other
    #[command(mut_arg("games", default("20")))]
    #[command(after_help = examples!("kelso lab alex --depth 4 --games 2"))]
    Alex {
        /// Maximum depth of the alpha-beta searches; that of plain minimax is at most 8
        #[arg(long, default_value_t = 9, value_parser = within(1..=20_usize))]
        depth: usize,
        #[command(flatten)]
        report: ReportArgs,
    },
}

/// A series of games between two players.
#[derive(clap::Args, Debug)]
struct SeriesArgs {
    /// First player, who plays Black
    #[arg(long, value_name = "PLAYER", default_value = "searcher=ab tt=on depth=6 eval=v1")]
    p1: String,
    /// Second player
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    p2: String,
    #[command(flatten)]
    draw_rule: DrawRule,
    /// Number of random moves at the start of each game
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = within(0..=40_u8))]
    opening: u8,
    /// Play each opening twice, the second time with colours exchanged
    #[arg(long)]
    exchange: bool,
    #[command(flatten)]
    report: ReportArgs,
}

#[derive(clap::Args, Debug)]
struct ReportArgs {
    /// Games per series or row
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = within(1..=1_000_000_u32))]
    games: u32,
    #[command(flatten)]
    seed: Seed,
    /// Also write the rows as CSV
    #[arg(long, value_name = "FILE", value_parser = output())]
    csv: Option<OutputPath>,
    /// Also draw a chart of time per move and score by depth, or of the shares of table 2
    #[arg(long, value_name = "FILE", value_parser = output())]
    svg: Option<OutputPath>,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub fn run(args: &Args) -> Outcome {
    match &args.published {
        None => perform(&args.series.experiment()?, &args.series.report),
        Some(PublishedExperiment::Engine { player }) => run_engine(&player.join(" ")),
        Some(PublishedExperiment::Table1(report)) => perform(&table1(report.games, report.seed.seed), report),
        Some(PublishedExperiment::Table2(report)) => perform(&table2(report.games, report.seed.seed), report),
        Some(PublishedExperiment::Table3(report)) => perform(&table3(report.games, report.seed.seed), report),
        Some(PublishedExperiment::Alex { depth, report }) => {
            perform(&alex(report.games, report.seed.seed, *depth, (*depth).min(8)), report)
        }
    }
}

impl Args {
    /// Returns whether the command is a session of a protocol.
    pub(super) const fn is_session(&self) -> bool {
        matches!(self.published, Some(PublishedExperiment::Engine { .. }))
    }
}

fn run_engine(player: &str) -> Outcome {
    let player = LabPlayer::new(PlayerSpec::parse_open(player)?, DrawRules::STANDARD)?;
    run_player(player)
}

impl SeriesArgs {
    fn experiment(&self) -> anyhow::Result<Experiment> {
        let player =
            |name: &str, text: &str| PlayerSpec::parse_all(text).with_context(|| format!("--{name}"));
        let first = player("p1", &self.p1)?;
        let second = player("p2", &self.p2)?;
        let draw = self.draw_rule.draws;
        let mut trials = Vec::new();
        let games = self.report.games;
        let opening_plies = self.opening.into();
        let exchange = self.exchange;
        for one in &first {
            for other in &second {
                let series = Series::new([one.clone(), other.clone()], games, self.report.seed.seed);
                let series = Series { draw, opening_plies, exchange, ..series };
                trials.push(Trial {
                    label: format!("{} - {}", one.configuration(), other.configuration()),
                    series,
                    published: None,
                });
            }
        }
        let title = format!("{} per series, averages per game", counted(games.into(), "game"));
        Ok(Experiment { title, trials, profiled: false, notes: "" })
    }
}

/// Maximum depth at which a textbook search takes only seconds per move.
const SLOW_DEPTH: usize = 16;

/// Runs an experiment, prints its table and notes, and writes the requested files.
fn perform(experiment: &Experiment, report: &ReportArgs) -> Outcome {
    let ReportArgs { csv: to_csv, svg: to_svg, overwrite, .. } = report;
    let outputs = overwrite.outputs().writes(to_csv).writes(to_svg).check()?;
    if let Some(depth) = experiment.trials.iter().filter_map(|trial| trial.series.fixed_depth()).max()
        && depth > SLOW_DEPTH
    {
        say(&format!(
            "warning: a textbook search to depth {depth} may take hours per move; press Ctrl-C to stop and print a report"
        ));
    }
    // After an interrupt, the completed games are reported.
    let work = Work::begin(bar(experiment.games(), "{pos}/{len} games {wide_bar} {eta} {msg}"));
    let report = experiment.run(&work.stop, &mut |label| {
        if work.bar.message() != label {
            work.bar.set_message(label.to_owned());
        }
        work.bar.inc(1);
    })?;
    work.clear();
    let mut out = outputs.shown();
    write!(out, "{}\n{}", report.table(), report.legend())?;
    if !experiment.notes.is_empty() {
        write!(out, "\n{}", experiment.notes)?;
    }
    out.flush()?;
    if report.busy {
        say(
            "warning: other programs used a lot of processor time, so the shares are rough; repeat this on an idle machine",
        );
    }
    outputs.write(to_csv.as_ref(), || report.csv())?;
    outputs.write(to_svg.as_ref(), || report.chart())?;
    Ok(work.end(INCOMPLETE))
}
