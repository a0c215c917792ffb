//! `kelso analyse`: scores and verdicts for the moves of games.

mod input;
mod output;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::ProgressBar;

use self::input::{Input, InputSummary, SelectedGames};
use crate::cli::arguments::engine::{LimitArgs, Settings, evaluation_name, own_fingerprint, own_program};
use crate::cli::arguments::files::Reports;
use crate::cli::arguments::run::Run;
use crate::cli::outcome::{Outcome, RESUME, Status, say};
use crate::cli::progress::{Progress, expect_mean_speed};
use crate::cli::values::{default, output, within};
use crate::cli::work::Work;
use kelso_analysis::analyser::Analyser;
use kelso_analysis::passes::Passes;
use kelso_analysis::problem::Finder;
use kelso_analysis::record::{AnalysisHeader, GameAnalysis};
use kelso_analysis::runner::{self, AnalysisProgress};
use kelso_batch::checkpoint::Checkpoint;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_engine::search::{Limits, MAX_DEPTH};
use kelso_engine::{EngineSettings, Setting};
use kelso_laboratory::textbook::textbook_move;
use kelso_players::fingerprint;
use kelso_players::spec::{EngineSpec, parse_engine};
use kelso_text::plural::counted;

const GAMES: &str = "Games";
const SEARCH: &str = "Search";
const OUTPUT: &str = "Output";

/// Score every move of games and find the decisive errors
///
/// Every move gets a score, and every error a better line. Verdicts mark lost draws, missed wins, only moves,
/// and the first position known to the databases. Verdicts come from the databases, which are exact, or from
/// deep searches. Writes the annotated games to NAME.pdn and everything else to NAME.jsonl. If the
/// PDN of a game has an error, the moves before it are analysed, and the exit status is 1.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("out", default("analysis")),
    mut_arg("time", |time| time.help("Search time per move [default: several passes, as on the board; 1s with --engine]")),
    mut_arg("nodes", |nodes| nodes.help("Nodes per move; with one thread, results are reproducible")),
)]
#[command(after_help = examples!(
    "kelso analyse games.pdn",
    "kelso analyse games.pdn --player Tinsley --time 0.5s --html report.html",
    "kelso analyse collection/ --nodes 100000 --concurrency 4 --out collection --resume --problems problems.pdn"
))]
pub struct Args {
    #[command(flatten, next_help_heading = GAMES)]
    input: Input,
    #[command(flatten, next_help_heading = SEARCH)]
    limits: LimitArgs,
    /// Search depth per move, in plies
    #[arg(long, value_name = "N", value_parser = within(1..=MAX_DEPTH), group = "limit", help_heading = SEARCH)]
    depth: Option<usize>,
    /// Number of games to analyse concurrently
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1..=1024_u16), help_heading = SEARCH)]
    concurrency: u16,
    #[command(flatten, next_help_heading = SEARCH)]
    settings: Settings,
    /// Analyse with another engine, in the syntax of `kelso match`, such as "cmd=./other proto=hub"
    #[arg(long, value_name = "WORDS", help_heading = SEARCH)]
    engine: Option<String>,
    #[command(flatten, next_help_heading = OUTPUT)]
    run: Run,
    #[command(flatten, next_help_heading = OUTPUT)]
    reports: Reports,
    /// Also write problems as PDN: positions with a single winning or drawing move, with solutions
    #[arg(long, value_name = "FILE", value_parser = output(), help_heading = OUTPUT)]
    problems: Option<OutputPath>,
    /// Write comments only for moves with a verdict
    #[arg(long, help_heading = OUTPUT)]
    brief: bool,
}

pub fn run(args: &Args) -> Outcome {
    let settings = args.settings.read()?;
    let limits = args.limits.limits(args.depth, Duration::from_secs(1));
    let external = args.external_engine(&limits)?;
    let is_default = external.is_none() && !args.limits.is_given() && args.depth.is_none();
    let passes = if is_default { Passes::native() } else { Passes::single(limits) };
    let source = args.input.source()?;
    let outputs = args.outputs(&source, external.as_ref())?;
    let games = source.count()?;
    if games.games.is_empty() && args.input.selects() {
        bail!("no games to analyse; check --game and --player");
    }
    if games.games.is_empty() || games.incomplete > 0 && games.games.values().all(|&positions| positions == 0)
    {
        say("error: no moves can be read; nothing is written");
        return Ok(Status::Failure);
    }
    let mut work = Work::begin(ProgressBar::hidden());
    let progress = args.run.progress;
    let on_status = move |text: &str| progress.say(text);
    let threads = usize::from(args.concurrency).min(games.games.len());
    // Start the engines before writing anything, so that a failure leaves no files behind.
    let analysers: Vec<Analyser<'_>> = (0..threads)
        .map(|_| Analyser::new(external.as_ref(), &settings, passes.clone(), &work.stop, &on_status))
        .collect::<Result<_, _>>()?;
    let header = args.header(external.as_ref(), &analysers, &passes, &games)?;
    let mut left = games.games.clone();
    let mut store = args.run.open(header.clone(), &mut |game: GameAnalysis| {
        left.remove(&game.game);
        Ok(())
    })?;
    advise(&settings, progress);
    let mut games_bar = GamesBar::new(progress, &games.games, &left);
    work.bar = games_bar.bar.clone();
    let start_time = Instant::now();
    let statistics = runner::run(
        args.workers(analysers)?,
        source.games(|number| left.contains_key(&number)),
        &header,
        &work.stop,
        |progress| games_bar.advance(progress, &mut store),
    );
    work.clear();
    let statistics = statistics?;
    let store = store.finish()?;
    let is_complete = games_bar.unfinished == 0;
    output::write_reports(args, &outputs, &store, is_complete)?;
    let (searches, nodes) = (counted(statistics.searches, "search"), counted(statistics.nodes, "position"));
    progress.say(&format!("{searches}, {nodes}, {:.1} s", start_time.elapsed().as_secs_f64()));
    if !is_complete {
        progress.say(&format!("{} finished", games_bar.finished()));
        return Ok(work.end(RESUME));
    }
    Ok(if games.incomplete > 0 { Status::Failure } else { Status::Success })
}

/// Notes what would make the verdicts more certain.
fn advise(settings: &EngineSettings, progress: Progress) {
    if settings.options.iter().any(|setting| matches!(setting, Setting::Level(Some(_)))) {
        progress.say("note: a level turns off the endgame databases; verdicts come from searches only");
    } else if !progress.quiet {
        super::databases::tip();
    }
}

/// The progress of an analysis: positions, and finished games.
struct GamesBar {
    bar: ProgressBar,
    games: usize,
    unfinished: usize,
}

impl GamesBar {
    /// Creates the progress bar. `left` of the games in `all` remain.
    fn new(progress: Progress, all: &BTreeMap<u64, u64>, left: &BTreeMap<u64, u64>) -> Self {
        let [length, open] = [all, left].map(|games| games.values().sum::<u64>());
        let bar = progress.bar(length, "{pos}/{len} positions {wide_bar} {msg}, {eta} left");
        bar.set_position(length - open);
        expect_mean_speed(&bar);
        let games_bar = Self { bar, games: all.len(), unfinished: left.len() };
        games_bar.bar.set_message(games_bar.finished());
        games_bar
    }

    /// Shows the progress, and stores a finished game.
    fn advance(
        &mut self,
        progress: AnalysisProgress,
        store: &mut Checkpoint<AnalysisHeader>,
    ) -> anyhow::Result<()> {
        match progress {
            AnalysisProgress::Position => self.bar.inc(1),
            AnalysisProgress::Deeper { nodes, done, of } => {
                self.bar.set_message(format!(
                    "{}; {done} of {of} again with {}",
                    self.finished(),
                    counted(nodes, "node")
                ));
            }
            AnalysisProgress::Game(game) => {
                store.add(&game)?;
                self.unfinished -= 1;
                self.bar.set_message(self.finished());
            }
        }
        Ok(())
    }

    fn finished(&self) -> String {
        format!("{} of {}", self.games - self.unfinished, counted(self.games as u64, "game"))
    }
}

impl Args {
    fn outputs(&self, source: &SelectedGames<'_>, external: Option<&EngineSpec>) -> anyhow::Result<Outputs> {
        let outputs = self.run.outputs::<AnalysisHeader>(&[])?.writes(self.reports.paths());
        let outputs = outputs.writes(&self.problems).reads(self.settings.files()).reads(source.files());
        Ok(outputs.reads(external.into_iter().flat_map(fingerprint::files)).check()?)
    }

    fn external_engine(&self, limits: &Limits) -> anyhow::Result<Option<EngineSpec>> {
        let Some(words) = &self.engine else { return Ok(None) };
        let spec = parse_engine(words, limits, &own_program()?)?;
        if spec.time_control.is_some() || spec.search_limits != *limits {
            bail!("--engine {words:?} has a limit of its own; use --time, --nodes or --depth instead");
        }
        Ok(Some(spec))
    }

    /// Returns the analysers, each with its finder of problems if these are wanted.
    fn workers<'a>(
        &self,
        analysers: Vec<Analyser<'a>>,
    ) -> anyhow::Result<Vec<(Analyser<'a>, Option<Finder>)>> {
        let finder = || self.problems.as_ref().map(|_| Finder::new(textbook_move)).transpose();
        analysers.into_iter().map(|analyser| Ok((analyser, finder()?))).collect()
    }

    fn header(
        &self,
        external: Option<&EngineSpec>,
        analysers: &[Analyser<'_>],
        passes: &Passes,
        games: &InputSummary,
    ) -> anyhow::Result<AnalysisHeader> {
        for analyser in analysers {
            analyser.databases().require_all()?;
        }
        let first = analysers.first().context("an analysis needs a thread")?;
        let judge = match (external, first.identity()) {
            (Some(spec), Some(identity)) => fingerprint::of(spec, identity)?,
            _ => format!("Kelso {}, {}", env!("CARGO_PKG_VERSION"), evaluation_name(&first.engine)),
        };
        Ok(AnalysisHeader {
            judge,
            program: own_fingerprint()?,
            limits: passes.words(),
            options: external.map_or_else(|| self.settings.portable(), EngineSpec::settings),
            databases: first.databases().max_pieces(),
            input: games.fingerprint.clone(),
            games: self.input.selection(),
            problems: self.problems.is_some(),
            brief: self.brief,
        })
    }
}
