//! `kelso lab`: series of games between any two configurations, and the published experiments.

use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;

use clap::{Subcommand, value_parser};

use super::Outcome;
use super::interrupt;
use super::progress::bar;
use super::shared::Overwrite;
use draughts::referee::Draws;
use engine::SettingError;
use laboratory::chart::{self, Point};
use laboratory::experiments::{Experiment, ProfileReport, Profiles, Trial, alex, table1, table2, table3};
use laboratory::{PlayerSpec, Report, Series, Source};

/// Play series of games in this process and count what the searches do
///
/// A player is described by KEY=VALUE words: searcher, eval, depth, time (ms a move), nodes, and for textbook searchers the
/// switches tt, q, id, order (on or off) and stuck (loss or eval). "random" plays any legal move. A range of depths
/// (depth=3..8) makes a series for each depth.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    published: Option<Published>,
    #[command(flatten)]
    own: Own,
}

/// A published experiment.
#[derive(Subcommand, Debug)]
enum Published {
    /// Peterson's Table 1: every feature and evaluation against random moves
    Table1 {
        /// Games for each row
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=MAX_GAMES))]
        games: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Peterson's Table 2: the share of its time that each part of the engine takes
    Table2 {
        /// Games for each row
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=MAX_GAMES))]
        games: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Peterson's Table 3: one engine against another
    Table3 {
        /// Games for each pairing, besides the one from the start
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=MAX_GAMES))]
        games: u32,
        #[command(flatten)]
        common: Common,
    },
    /// Alex's comparisons: time by depth, and evaluations against each other
    Alex {
        /// Games for each row
        #[arg(long, default_value_t = 20, value_parser = value_parser!(u32).range(1..=MAX_GAMES))]
        games: u32,
        /// The deepest alpha-beta search
        #[arg(long, default_value_t = 9, value_parser = value_parser!(u8).range(1..=20))]
        depth: u8,
        /// The deepest plain minimax search
        #[arg(long, default_value_t = 8, value_parser = value_parser!(u8).range(1..=12))]
        minimax: u8,
        #[command(flatten)]
        common: Common,
    },
}

const MAX_GAMES: i64 = 1_000_000;

/// A series of one's own.
#[derive(clap::Args, Debug)]
struct Own {
    /// The first player, who has Black
    #[arg(long, value_name = "PLAYER", default_value = "searcher=ab tt=on depth=6 eval=v1")]
    p1: String,
    /// The second player
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    p2: String,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=MAX_GAMES))]
    games: u32,
    /// When a game is drawn: "paper" (40 plies without a capture or crowning), "plies N" (without a capture), or "rules"
    #[arg(long, num_args = 1..=2, default_value = "paper", value_name = "RULE")]
    draw: Vec<String>,
    /// Random moves at the start of each game
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = value_parser!(u8).range(0..=40))]
    opening: u8,
    /// Play each opening twice, the second time with colours exchanged
    #[arg(long)]
    exchange: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args, Debug)]
struct Common {
    /// Seed of the random numbers: the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the rows as comma-separated values too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the rows as JSON too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw a chart too: time per move and score by depth, or the shares of table 2
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// Plays, and prints the table.
///
/// # Errors
///
/// When a player is invalid, a file cannot be written, or a table cannot be allocated.
pub fn run(args: &Args) -> Outcome {
    let depth = usize::from;
    match &args.published {
        None => perform(&args.own.experiment()?, &args.own.common),
        Some(Published::Table1 { games, common }) => perform(&table1(*games, common.seed), common),
        Some(Published::Table2 { games, common }) => profile(&table2(*games, common.seed), common),
        Some(Published::Table3 { games, common }) => perform(&table3(*games, common.seed), common),
        Some(Published::Alex { games, depth: most, minimax, common }) => {
            perform(&alex(*games, common.seed, depth(*most), depth(*minimax)), common)
        }
    }
}

impl Own {
    fn experiment(&self) -> anyhow::Result<Experiment> {
        let player =
            |name: &str, text: &str| PlayerSpec::parse_all(text).with_context(|| format!("--{name}"));
        let (first, second) = (player("p1", &self.p1)?, player("p2", &self.p2)?);
        let draw = Draws::parse(&self.draw.join(" ")).context("--draw")?;
        let mut trials = Vec::new();
        for &one in &first {
            for &other in &second {
                trials.push(Trial {
                    label: format!("{one} - {other}"),
                    series: Series {
                        draw,
                        opening_plies: self.opening.into(),
                        exchange: self.exchange,
                        ..Series::new([one, other], self.games, self.common.seed)
                    },
                    published: None,
                });
            }
        }
        let games = self.games;
        Ok(Experiment { title: format!("{games} games a series, averages per game"), trials, notes: "" })
    }
}

fn perform(experiment: &Experiment, common: &Common) -> Outcome {
    let forms = Forms { table: Report::table, csv: Report::csv, json: Report::json, svg: picture };
    run_and_write(common, experiment.games(), experiment.notes, &forms, |on_game| experiment.run(on_game))
}

fn profile(experiment: &Profiles, common: &Common) -> Outcome {
    let forms = Forms {
        table: ProfileReport::table,
        csv: ProfileReport::csv,
        json: ProfileReport::json,
        svg: ProfileReport::chart,
    };
    run_and_write(common, experiment.games(), Profiles::NOTES, &forms, |on_game| experiment.run(on_game))
}

/// A report as text.
struct Forms<R> {
    table: fn(&R) -> String,
    csv: fn(&R) -> String,
    json: fn(&R) -> String,
    svg: fn(&R) -> String,
}

/// Runs an experiment of so many games, prints its table and notes, and writes the files that are asked for.
fn run_and_write<R>(
    common: &Common,
    games: u64,
    notes: &str,
    forms: &Forms<R>,
    run: impl FnOnce(&mut dyn FnMut(&str) -> bool) -> Result<R, SettingError>,
) -> Outcome {
    let reports = [
        ("--csv", &common.csv, forms.csv),
        ("--json", &common.json, forms.json),
        ("--svg", &common.svg, forms.svg),
    ];
    let outputs = reports
        .iter()
        .fold(common.overwrite.outputs(), |outputs, (option, path, _)| outputs.writes(option, path.as_ref()));
    let outputs = outputs.check()?;
    // What has been played is shown after an interrupt too.
    let interrupt = interrupt::listen();
    let bar = bar(games, "{pos}/{len} games {wide_bar} {eta} {msg}");
    let report = run(&mut |label| {
        if bar.message() != label {
            bar.set_message(label.to_owned());
        }
        bar.inc(1);
        !interrupt.is_stopped()
    })?;
    bar.finish_and_clear();
    let mut out = outputs.shown();
    write!(out, "{}", (forms.table)(&report))?;
    if !notes.is_empty() {
        write!(out, "\n{notes}")?;
    }
    out.flush()?;
    for (_, path, text) in reports {
        outputs.write(path.as_deref(), || text(&report))?;
    }
    Ok(interrupt::status(&interrupt))
}

/// A chart of our rows: a curve for each player and opponent, apart from the depth of either. Of a player against
/// itself one curve is enough; of one whose depth stays the same while its opponent's changes there is none.
fn picture(report: &Report) -> String {
    let mut points: Vec<Point> = Vec::new();
    let mut constant: Vec<String> = Vec::new();
    for row in report.rows.iter().filter(|row| row.source == Source::Ours) {
        let specs = (PlayerSpec::parse(&row.player), PlayerSpec::parse(&row.opponent));
        let (Ok(player), Ok(opponent)) = specs else { continue };
        let Some(depth) = player.depth else { continue };
        let curve = format!("{} against {}", player.family(), opponent.family());
        let known = points.iter().any(|point| (&point.curve, point.depth) == (&curve, depth));
        if known && player != opponent {
            constant.push(curve);
        } else if !known {
            let figures = &row.figures;
            points.push(Point { curve, depth, time: figures.move_ms, score: figures.score() });
        }
    }
    points.retain(|point| !constant.contains(&point.curve));
    chart::draw(&report.title, &points)
}
