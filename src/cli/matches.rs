//! `kelso match`: plays engines against each other.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;

use super::databases;
use crate::cli::arguments::engine::{Engines, Seed};
use crate::cli::arguments::files::Reports;
use crate::cli::arguments::position::DrawRule;
use crate::cli::arguments::run::{Run, ShardArg};
use crate::cli::outcome::{Outcome, Status, interrupted_run, resume_hint, say, stop_on_signal};
use crate::cli::progress::Progress;
use crate::cli::values::{Naming, at_least, default, named, output_file, within};
use kelso_draughts::record::GameRecord;
use kelso_draughts::referee::{DrawRules, Oracle};
use kelso_endgames::{Databases, MAX_PIECES};
use kelso_players::fingerprint;
use kelso_players::log::EngineLog;
use kelso_players::spec::EngineSpec;
use kelso_reports::statistics::sprt::{Decision, Sprt};
use kelso_runs::checkpoint::Checkpoint;
use kelso_runs::outputs::{OutputPath, Outputs};
use kelso_runtime::stop::StopToken;
use kelso_text::plural::counted;
use kelso_text::time;
use kelso_tournament::adjudication::{Agreement, Resignation, Rules};
use kelso_tournament::header::{Contender, MatchHeader};
use kelso_tournament::match_game::MatchGame;
use kelso_tournament::openings;
use kelso_tournament::report::{self, MatchReport, TestStatus};
use kelso_tournament::runner::{self, MatchEnd, StartedEngines};
use kelso_tournament::schedule::{Format, OpeningOrder, Plan, Schedule};
use kelso_tournament::settings::MatchSettings;
use kelso_tournament::tally::Tally;

const ENGINES: &str = "Engines";
const ENGINE: &str = "Engine, such as \"name=A cmd=./kelso tc=10+0.1\" or \"random\"; repeat for each engine";
const SCHEDULE: &str = "Schedule";
const RULES: &str = "Rules of a game";
const OUTPUT: &str = "Output";

/// The environment variable that omits times, clocks and the date, so that identical runs write identical files.
const UNTIMED: &str = "KELSO_UNTIMED";

/// Play engines against each other
///
/// Writes the games to NAME.pdn and everything else to NAME.jsonl.
///
/// Engines are described by words, each at most once:
///   name=NAME             the name in results
///   cmd=PROGRAM           the program [default: this program]; `random` (any legal move) and `level=N` (1 to 10) are
///                         built in and need no program
///   args="..." arg=...    program arguments, several or one at a time; can be repeated
///   dir=DIR               the working directory
///   proto=PROTOCOL        the protocol; `kelso check --help` lists them
///   option.NAME=VALUE     an option; the match does not start if the engine rejects it
///   tc=[N/]TIME[+TIME]    a clock: time for every N moves or for the game, and increment per move
///   movetime=TIME         time per move
///   nodes=N, depth=N      nodes or plies per move
///   margin=TIME           tolerance for late replies (50ms)
///   timeout=TIME          time without a reply after which an engine counts as hung (60s)
///   ponder=on|off         ponder during the opponent's time
///   restart=on|off        restart the engine for each game
/// A TIME is in seconds or has a unit: 50ms, 0.5s, 2m, 1h; the time of a clock can also be minutes:seconds. Every engine but
/// `random` needs one of tc, movetime, nodes and depth.
///
/// The exit status is 0, 1 if --strict stopped the match at a fault of an engine, 2 after an error, and 128 plus the
/// number of the signal after an interrupt.
#[derive(clap::Args, Debug)]
#[command(
    verbatim_doc_comment,
    mut_arg("out", default("match")),
    mut_arg("engine", |engine| engine.required(true).help(ENGINE)),
)]
#[command(after_help = examples!(
    "kelso match --engine level=3 --engine random --each nodes=1000 --rounds 10",
    "kelso match --engine \"name=new cmd=./new\" --engine \"name=old cmd=./old\" --each tc=10+0.1 --sprt elo0=0,elo1=5",
    "kelso match --engine \"name=new cmd=./new\" --engine \"name=old cmd=./old\" --each tc=10+0.1 --resume --html report.html"
))]
pub struct Args {
    #[command(flatten, next_help_heading = ENGINES)]
    engines: Engines,
    /// Defaults applied to every engine
    #[arg(long, value_name = "WORDS", help_heading = ENGINES)]
    each: Vec<String>,
    /// Tournament format
    #[arg(long, value_parser = named(Format::ALL, |format| format.name().into()), default_value = Format::default().name(), help_heading = SCHEDULE)]
    format: Format,
    /// Number of openings per pair of engines; each is played with both colours [default: all]
    #[arg(long, value_name = "N", value_parser = within(1..=u32::MAX), help_heading = SCHEDULE)]
    rounds: Option<u32>,
    /// Openings: two-move, three-move, eleven-man, uneven, uneven-late, go-as-you-please (or start), or a file of FENs or PDN games
    #[arg(long, value_name = "NAME|FILE", default_value = "three-move", help_heading = SCHEDULE)]
    openings: String,
    /// Order of the openings
    #[arg(long, value_parser = named(OpeningOrder::ALL, |order| order.name().into()), default_value = OpeningOrder::default().name(), help_heading = SCHEDULE)]
    order: OpeningOrder,
    #[command(flatten, next_help_heading = SCHEDULE)]
    seed: Seed,
    /// Number of games to run concurrently
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1..=1024_u16), help_heading = SCHEDULE)]
    concurrency: u16,
    #[command(flatten, next_help_heading = SCHEDULE)]
    shard: ShardArg,
    /// Stop when this SPRT is decided, such as elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic
    #[arg(long, value_name = "SETTINGS", help_heading = SCHEDULE, value_parser = Naming(str::parse::<Sprt>))]
    sprt: Option<Sprt>,
    #[command(flatten, next_help_heading = RULES)]
    draw_rule: DrawRule,
    /// Adjudicate a draw when both scores stay level for several moves in a row, such as from=60,moves=8,score=5
    #[arg(long, value_name = "SETTINGS", help_heading = RULES, value_parser = Naming(str::parse::<Agreement>))]
    draw: Option<Agreement>,
    /// Resign for an engine whose score stays hopeless for several moves in a row, such as moves=4,score=500,both=on
    #[arg(long, value_name = "SETTINGS", help_heading = RULES, value_parser = Naming(str::parse::<Resignation>))]
    resign: Option<Resignation>,
    /// Adjudicate games with at most N pieces using the endgame databases
    #[arg(long, value_name = "N", value_parser = at_least(2_u32), help_heading = RULES)]
    egdb_pieces: Option<u32>,
    /// Adjudicate games using the endgame databases in this directory
    #[arg(long, value_name = "DIR", help_heading = RULES)]
    egdb: Option<PathBuf>,
    #[command(flatten, next_help_heading = OUTPUT)]
    run: Run,
    /// Write every line to and from the engines to FILE, with its time; with --resume, FILE is continued
    #[arg(long, value_name = "FILE", value_parser = output_file(), help_heading = OUTPUT)]
    log: Option<OutputPath>,
    /// Stop at the first fault of an engine
    #[arg(long, help_heading = SCHEDULE)]
    strict: bool,
    #[command(flatten, next_help_heading = OUTPUT)]
    reports: Reports,
}

pub fn run(args: &Args) -> Outcome {
    let mut engines = args.engines.parse(&args.each)?;
    if args.sprt.is_some() && engines.len() != 2 {
        bail!("--sprt requires exactly two engines, got {}", engines.len());
    }
    let outputs = args.run.outputs::<MatchHeader>(&args.log)?.writes(args.reports.paths());
    let inputs = engines.iter().flat_map(fingerprint::files).chain([args.openings.clone().into()]);
    let outputs = outputs.reads(inputs).check()?;
    let log = EngineLog::default();
    for engine in &mut engines {
        engine.log = args.log.as_ref().map(|_| log.clone());
    }
    let ended = run_match(args, &engines, &outputs, &log)?;
    log.finish()?;
    Ok(ended)
}

impl Args {
    fn distinct_openings(&self) -> anyhow::Result<Vec<GameRecord>> {
        let all = openings::named(&self.openings, &mut |error| {
            say(&format!("note: skipped an opening: {error}"));
        })?;
        let count_before = all.len();
        let openings = openings::distinct(all);
        if openings.len() < count_before {
            say(&format!(
                "note: the {count_before} openings in {} lead to {}; each position is used as one opening",
                self.openings,
                counted(openings.len() as u64, "different position")
            ));
        }
        Ok(openings)
    }

    /// Returns the rules of the games. `database` is the maximum number of pieces at which databases decide.
    fn rules(&self, database: Option<u32>) -> Rules {
        let DrawRules { rule: draw_rule, no_progress_plies: draw_plies, .. } = self.draw_rule.draws;
        Rules { draw_rule, draw_plies, agreement: self.draw, resignation: self.resign, database }
    }
}

fn run_match(args: &Args, engines: &[EngineSpec], outputs: &Outputs, log: &EngineLog) -> Outcome {
    let openings = args.distinct_openings()?;
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let plan = Plan {
        order: args.order,
        format: args.format,
        rounds: args.rounds.unwrap_or_else(|| count(openings.len())),
        seed: args.seed.seed,
        shard: args.shard.shard,
    };
    let schedule = Schedule::new(&plan, count(engines.len()), count(openings.len()))?;
    let endgames = endgames(args.egdb.as_ref(), args.egdb_pieces)?;
    let interrupt = stop_on_signal();
    // Start the engines before writing anything: the files of a match that cannot begin would block the next
    // match.
    let started = StartedEngines::start(engines, &interrupt, &say)?;
    if interrupt.is_stopped() {
        return Ok(interrupted_run());
    }
    let timed = env::var_os(UNTIMED).is_none();
    let header = MatchHeader {
        event: "Match".to_owned(),
        date: timed.then(time::today),
        engines: contenders(engines, &started)?,
        openings: args.openings.clone(),
        plan,
        rules: args.rules(endgames.as_ref().map(|&(_, pieces)| pieces)),
        sprt: args.sprt,
    };
    let mut done = Vec::new();
    let mut store = args.run.open(header, &mut |game| done.push(game))?;
    if let Some(path) = &args.log {
        log.open(outputs.journal(path)?);
    }
    let header = store.header().clone();
    let settings = MatchSettings {
        engines,
        openings: &openings,
        schedule: &schedule,
        header: &header,
        oracle: endgames.as_ref().map(|(databases, _)| databases as &dyn Oracle),
        concurrency: args.concurrency.into(),
        strict: args.strict,
        timed,
        on_status: &say,
    };
    if let Some(game) = runner::foreign_game(&settings, &done) {
        let number = u64::from(game.number) + 1;
        bail!(
            "game {number} in \"{}\" does not fit the schedule of this match; check whether the openings have changed",
            store.state_path().display()
        );
    }
    let (games, ending) = play(&settings, args.run.progress, started, done, &interrupt, &mut store)?;
    store.rewrite(games.iter().map(Ok))?;
    conclude(&args.reports, outputs, &header, &games, &ending)
}

fn play(
    settings: &MatchSettings<'_>,
    progress: Progress,
    started: StartedEngines,
    done: Vec<MatchGame>,
    interrupt: &StopToken,
    store: &mut Checkpoint<MatchHeader>,
) -> anyhow::Result<(Vec<MatchGame>, MatchEnd)> {
    let seed = settings.header.plan.seed;
    let (all, resumed, began) = (settings.schedule.games().into(), done.len() as u64, Instant::now());
    let mut tally = tally(settings.engines.iter().map(|engine| engine.name.as_str()), &done, seed);
    let first_only = settings.engines.len() == 2 || settings.header.plan.format == Format::Gauntlet;
    let line = |tally: &Tally| {
        let test = settings.header.sprt.map(|sprt| TestStatus::on(sprt, tally));
        report::live(tally, all, resumed, first_only, test.as_ref(), began.elapsed())
    };
    let bar = progress.bar(all, "{msg}");
    let played = runner::run(settings, started, done, interrupt, |game| {
        tally.add(game, Some((seed, game.pair)));
        if game.at_fault().is_some() {
            let text = format!("game {}: {}: {}", game.number + 1, game.termination, game.detail);
            bar.suspend(|| progress.say(&text));
        }
        // The last line is printed below.
        if !progress.quiet && tally.games() < all {
            bar.set_message(line(&tally));
        }
        anyhow::Ok(store.add(game)?)
    });
    bar.finish_and_clear();
    if tally.games() > resumed {
        progress.say(&line(&tally));
    }
    played
}

fn tally<'a>(engines: impl Iterator<Item = &'a str>, games: &[MatchGame], seed: u64) -> Tally {
    let mut tally = Tally::new(engines);
    for game in games {
        tally.add(game, Some((seed, game.pair)));
    }
    tally
}

/// Opens the databases that adjudicate games, if requested. Returns them with the maximum number of pieces to
/// adjudicate.
fn endgames(folder: Option<&PathBuf>, pieces: Option<u32>) -> anyhow::Result<Option<(Databases, u32)>> {
    if folder.is_none() && pieces.is_none() {
        return Ok(None);
    }
    let databases = Databases::open(&databases::options(folder, pieces.unwrap_or(MAX_PIECES))?);
    databases.require_all()?;
    let max = databases.max_pieces();
    match pieces.unwrap_or(max) {
        pieces if (2..=max).contains(&pieces) => Ok(Some((databases, pieces))),
        pieces => bail!(
            "cannot adjudicate games with {pieces} pieces: the databases found cover at most {max} pieces"
        ),
    }
}

/// Describes the engines for the header of the match.
fn contenders(engines: &[EngineSpec], started: &StartedEngines) -> anyhow::Result<Vec<Contender>> {
    let contender = |(spec, index): (&EngineSpec, u32)| {
        let identity = started.identity(index).map_or("", |identity| identity.name.as_str());
        anyhow::Ok(Contender {
            name: spec.name.clone(),
            settings: spec.settings(),
            program: fingerprint::of(spec, identity)?,
        })
    };
    engines.iter().zip(0..).map(contender).collect()
}

fn conclude(
    reports: &Reports,
    outputs: &Outputs,
    header: &MatchHeader,
    games: &[MatchGame],
    ending: &MatchEnd,
) -> Outcome {
    let tally = tally(header.engines.iter().map(|engine| engine.name.as_str()), games, header.plan.seed);
    let report = MatchReport::new(&header.into(), &tally);
    let mut out = outputs.shown();
    write!(out, "{}", report::format(&report))?;
    if *ending != MatchEnd::Stopped {
        outputs.write(reports.json.as_ref(), || report.json())?;
        outputs.write(reports.html.as_ref(), || report::page(&report, games))?;
    }
    match ending {
        MatchEnd::Complete => Ok(Status::Success),
        MatchEnd::Decided(decision) => {
            if let Some(Sprt { elo0, elo1, .. }) = header.sprt {
                let elo = if *decision == Decision::H1 { elo1 } else { elo0 };
                writeln!(out, "Stopped: {decision} (difference {elo})")?;
            }
            Ok(Status::Success)
        }
        MatchEnd::Stopped => Ok(interrupted_run()),
        MatchEnd::Strict(fault) => {
            writeln!(out, "Stopped at the first fault, {fault}; {}", resume_hint(reports.are_files()))?;
            Ok(Status::Failure)
        }
    }
}
