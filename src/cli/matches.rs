//! `kelso match`: plays engines against each other.

use std::env;
use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;

use super::databases;
use crate::cli::arguments::engine::{Engines, Seed};
use crate::cli::arguments::files::Reports;
use crate::cli::arguments::position::DrawRule;
use crate::cli::arguments::run::{Run, ShardArg};
use crate::cli::outcome::{Outcome, RESUME, Status, resume_hint, say};
use crate::cli::progress::Progress;
use crate::cli::values::{OptionValueParser, at_least, default, named, output_file, within};
use crate::cli::work::Work;
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_draughts::referee::Oracle;
use kelso_endgames::{Databases, MAX_PIECES};
use kelso_players::fingerprint;
use kelso_players::spec::words_help;
use kelso_reports::statistics::sprt::{Decision, Sprt};
use kelso_tournament::adjudication::{Agreement, Resignation, Rules};
use kelso_tournament::header::MatchHeader;
use kelso_tournament::openings::OpeningChoice;
use kelso_tournament::play::{MatchEvent, MatchFiles, MatchSetup, PlayedMatch};
use kelso_tournament::report;
use kelso_tournament::runner::MatchEnd;
use kelso_tournament::schedule::{Format, OpeningOrder, Plan};

const ENGINES: &str = "Engines";
const ENGINE: &str = "Engine, such as \"name=A cmd=./kelso tc=10+0.1\" or \"random\"; repeat for each engine";
const SCHEDULE: &str = "Schedule";
const RULES: &str = "Rules of a game";
const OUTPUT: &str = "Output";

/// The environment variable that omits times, clocks and the date, so that identical runs write identical
/// files.
const UNTIMED: &str = "KELSO_UNTIMED";

/// Play engines against each other
#[derive(clap::Args, Debug)]
#[command(
    long_about = about(),
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
    /// Openings: two-move, three-move, eleven-man, uneven, uneven-late, go-as-you-please (or start), or a
    /// file of FENs or PDN games
    #[arg(long, value_name = "NAME|FILE", default_value = "three-move", help_heading = SCHEDULE)]
    openings: String,
    /// Begin with the Nth opening
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least(1_usize), help_heading = SCHEDULE)]
    first_opening: usize,
    /// Use at most the first N plies of each opening
    #[arg(long, value_name = "N", value_parser = at_least(0_usize), help_heading = SCHEDULE)]
    opening_plies: Option<usize>,
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
    #[arg(long, value_name = "SETTINGS", help_heading = SCHEDULE, value_parser = OptionValueParser(str::parse::<Sprt>))]
    sprt: Option<Sprt>,
    #[command(flatten, next_help_heading = RULES)]
    draw_rule: DrawRule,
    /// Adjudicate a draw when both scores stay level for several moves in a row, such as
    /// from=60,moves=8,score=5
    #[arg(long, value_name = "SETTINGS", help_heading = RULES, value_parser = OptionValueParser(str::parse::<Agreement>))]
    draw: Option<Agreement>,
    /// Resign for an engine whose score stays hopeless for several moves in a row, such as
    /// moves=4,score=500,both=on
    #[arg(long, value_name = "SETTINGS", help_heading = RULES, value_parser = OptionValueParser(str::parse::<Resignation>))]
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
    /// Name of the match in the games
    #[arg(long, value_name = "TEXT", default_value = "Match", help_heading = OUTPUT)]
    event: String,
    /// Place of the match in the games
    #[arg(long, value_name = "TEXT", help_heading = OUTPUT)]
    site: Option<String>,
    /// An engine that cannot be started loses its games, instead of ending the match before the first
    #[arg(long, help_heading = SCHEDULE)]
    forfeit: bool,
    /// Stop at the first fault of an engine
    #[arg(long, help_heading = SCHEDULE)]
    strict: bool,
    #[command(flatten, next_help_heading = OUTPUT)]
    reports: Reports,
}

fn about() -> String {
    format!(
        "\
Play engines against each other

Writes the games to NAME.pdn and everything else to NAME.jsonl.

Engines are described by words, each at most once:
{}A TIME is in seconds or has a unit: 50ms, 0.5s, 2m, 1h; the time of a clock can also be minutes:seconds. Every
engine but `random` needs one of tc, movetime, nodes and depth.

The exit status is 0, 1 if --strict stopped the match at a fault of an engine, 2 after an error, and 128
plus the number of the signal after an interrupt.",
        words_help()
    )
}

pub fn run(args: &Args) -> Outcome {
    let engines = args.engines.parse(&args.each)?;
    if args.sprt.is_some() && engines.len() != 2 {
        bail!("--sprt requires exactly two engines, got {}", engines.len());
    }
    let outputs = args.run.outputs::<MatchHeader>(&args.log)?.writes(args.reports.paths());
    let inputs = engines.iter().flat_map(fingerprint::files).chain([args.openings.clone().into()]);
    let outputs = outputs.reads(inputs).check()?;
    let choice = args.choice();
    let openings = choice.read(&mut |note| say(&format!("note: {note}")))?;
    let endgames = endgames(args.egdb.as_ref(), args.egdb_pieces)?;
    let progress = args.run.progress;
    let work = Work::begin(progress.bar(None, "{msg}"));
    let plan = Plan {
        order: args.order,
        format: args.format,
        rounds: args.rounds.unwrap_or_else(|| u32::try_from(openings.len()).unwrap_or(u32::MAX)),
        seed: args.seed.seed,
        shard: args.shard.shard,
    };
    let on_event = |event: MatchEvent<'_>| show(event, progress, &work);
    let setup = MatchSetup {
        event: args.event.clone(),
        site: args.site.clone(),
        engines,
        choice,
        openings,
        plan,
        rules: args.rules(endgames.as_ref().map(|&(_, pieces)| pieces)),
        sprt: args.sprt,
        oracle: endgames.as_ref().map(|(databases, _)| databases as &dyn Oracle),
        concurrency: args.concurrency.into(),
        strict: args.strict,
        forfeit: args.forfeit,
        timed: env::var_os(UNTIMED).is_none(),
        on_event: &on_event,
    };
    let files = MatchFiles {
        outputs: &outputs,
        name: &args.run.out,
        policy: args.run.policy(),
        log: args.log.as_ref(),
    };
    let played = setup.run(&files, &work.stop)?;
    let Some(played) = played else { return Ok(work.end(RESUME)) };
    let ended = args.conclude(&outputs, &played, &work)?;
    played.log?;
    Ok(ended)
}

/// Shows what happens in a match.
fn show(event: MatchEvent<'_>, progress: Progress, work: &Work) {
    match event {
        MatchEvent::Note(text) => work.say(&format!("note: {text}")),
        MatchEvent::Status(text) => work.say(text),
        MatchEvent::Fault(text) => work.bar.suspend(|| progress.say(&text)),
        // The last line is printed when the match has been played.
        MatchEvent::Progress(line) if progress.quiet || line.finished == line.all => {}
        MatchEvent::Progress(line) => work.bar.set_message(line.to_string()),
        MatchEvent::Played(line) => {
            work.clear();
            progress.say(&line.to_string());
        }
    }
}

impl Args {
    fn choice(&self) -> OpeningChoice {
        OpeningChoice { name: self.openings.clone(), first: self.first_opening, plies: self.opening_plies }
    }

    /// Returns the rules of the games. `database` is the maximum number of pieces at which databases decide.
    fn rules(&self, database: Option<u32>) -> Rules {
        let draws = self.draw_rule.draws;
        Rules { draws, max_plies: None, agreement: self.draw, resignation: self.resign, database }
    }

    fn conclude(&self, outputs: &Outputs, played: &PlayedMatch, work: &Work) -> Outcome {
        let PlayedMatch { report, store, end, .. } = played;
        let mut out = outputs.shown();
        write!(out, "{}", report::format(report))?;
        if *end == MatchEnd::Stopped {
            return Ok(work.end(RESUME));
        }
        outputs.write(self.reports.json.as_ref(), || report.json())?;
        if self.reports.html.is_some() {
            let games: Vec<_> = store.items()?.collect::<Result<_, _>>()?;
            outputs.write(self.reports.html.as_ref(), || report::page(report, &games))?;
        }
        match end {
            MatchEnd::Decided(decision) => {
                if let Some(Sprt { elo0, elo1, .. }) = self.sprt {
                    let elo = if *decision == Decision::H1 { elo1 } else { elo0 };
                    writeln!(out, "Stopped: {decision} (difference {elo})")?;
                }
            }
            MatchEnd::Strict(fault) => {
                let hint = resume_hint(self.reports.are_files());
                writeln!(out, "Stopped at the first fault, {fault}; {hint}")?;
                return Ok(Status::Failure);
            }
            MatchEnd::Complete | MatchEnd::Stopped => {}
        }
        Ok(Status::Success)
    }
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
