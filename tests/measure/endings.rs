//! Undecided endings of 8 to 12 pieces from the engine's own games: the time after which a search with larger
//! databases finds their result, or the depth that it reaches.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use kelso_draughts::board::{Game, Position};
use kelso_draughts::result::Wdl;
use kelso_engine::search::{Bound, Control, Limits, LineReport, Score, SearchEvent};
use kelso_engine::{Engine, Setting};

use crate::progress::Progress;
use crate::shared::endings::undecided;
use crate::{Databases, duration};

/// The searches to compare.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    databases: Databases,
    /// Maximum number of pieces of databases to compare
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(6..))]
    pieces: u32,
    /// Time per search; the reference results come from searches that are four times as long
    #[arg(long, value_name = "TIME", default_value = "300ms", value_parser = duration)]
    time: Duration,
    /// Stop after N endings
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    count: usize,
}

/// Returns an engine with databases of up to `pieces` pieces, from a folder if they are not built in.
fn engine(pieces: u32, folder: Option<&Path>) -> Result<Engine> {
    Ok(Engine::new([
        Setting::EgdbPieces(pieces),
        Setting::EgdbCache(256),
        Setting::MoveOverhead(Duration::ZERO),
        Setting::EgdbPath(folder.map(Path::to_owned)),
    ])?)
}

/// Returns the exact reports of a search with cleared tables.
fn search(engine: &mut Engine, position: Position, limits: &Limits) -> Vec<LineReport> {
    engine.new_game();
    let mut reports = Vec::new();
    engine.search(&Game::new(position), limits, &Control::new(), &mut |event| {
        if let SearchEvent::Line(report) = event
            && report.bound == Bound::Exact
        {
            reports.push(report);
        }
    });
    reports
}

/// Returns the result that a search reports, if it is known.
fn result(report: &LineReport) -> Option<Wdl> {
    match report.score {
        score if score == Score::DRAW => Some(Wdl::Draw),
        score if score.is_evaluation() => None,
        score => Some(if score > Score::DRAW { Wdl::Win } else { Wdl::Loss }),
    }
}

/// Returns the time after which all reports have this result.
fn since(reports: &[LineReport], expected: Wdl) -> Option<Duration> {
    let same = reports.iter().rev().take_while(|report| result(report) == Some(expected));
    same.last().map(|report| report.time)
}

/// The searches with databases of up to `pieces` pieces.
struct Candidate {
    pieces: u32,
    engine: Engine,
    solved: usize,
    /// Seconds until the result was reported, or the duration of the search if it was not.
    seconds: f64,
    /// The depth in endings with an unknown result.
    depth: usize,
    nodes: u64,
    searched: f64,
}

impl Candidate {
    fn new(pieces: u32, folder: &Path) -> Result<Self> {
        let engine = engine(pieces, Some(folder))?;
        Ok(Self { pieces, engine, solved: 0, seconds: 0.0, depth: 0, nodes: 0, searched: 0.0 })
    }

    fn add(&mut self, reports: &[LineReport], expected: Option<Wdl>, time: Duration) {
        if let Some(expected) = expected {
            let since = since(reports, expected);
            self.solved += usize::from(since.is_some());
            self.seconds += since.unwrap_or(time).as_secs_f64();
        } else if let Some(last) = reports.last() {
            self.depth += last.depth;
            self.nodes += last.nodes;
            self.searched += last.time.as_secs_f64();
        }
    }
}

/// Returns the second search's time to the last common depth, divided by the first search's.
fn time_ratio(one: &[LineReport], other: &[LineReport]) -> Option<f64> {
    let depth = one.last()?.depth.min(other.last()?.depth);
    let at = |reports: &[LineReport]| {
        Some(reports.iter().find(|report| report.depth == depth)?.time.as_secs_f64())
    };
    let (one, other) = (at(one)?, at(other)?);
    (one > 0.01).then_some(other / one)
}

impl Arguments {
    #[expect(clippy::cast_precision_loss, reason = "means for display")]
    pub fn run(self) -> Result<()> {
        let Self { databases, pieces: max, time, count } = self;
        databases.open(max, 1)?;
        let folder = &databases.folder;
        let mut candidates =
            (5..=max).map(|pieces| Candidate::new(pieces, folder)).collect::<Result<Vec<_>>>()?;
        let mut reference = engine(max, Some(folder))?;
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        // Logarithms of the time ratios of the last two candidates.
        let mut ratios = Vec::new();
        let endings: Vec<Position> = undecided().into_iter().take(count).collect();
        let mut progress = Progress::new("endings", endings.len());
        for (number, &position) in endings.iter().enumerate() {
            let long = search(&mut reference, position, &Limits::move_time(time * 4));
            let expected = long.last().and_then(result);
            match expected {
                Some(Wdl::Win) => wins += 1,
                Some(Wdl::Draw) => draws += 1,
                Some(Wdl::Loss) => losses += 1,
                None => {}
            }
            let mut runs = vec![Vec::new(); candidates.len()];
            // The candidates take turns at going first.
            for turn in 0..candidates.len() {
                let which = (number + turn) % candidates.len();
                let candidate = &mut candidates[which];
                runs[which] = search(&mut candidate.engine, position, &Limits::move_time(time));
                candidate.add(&runs[which], expected, time);
            }
            if expected.is_none()
                && let [.., one, other] = &runs[..]
            {
                ratios.extend(time_ratio(one, other).map(f64::ln));
            }
            progress.add(1);
        }
        let known = wins + draws + losses;
        let long = time * 4;
        println!("known after {long:?} with {max} pieces: {known}, {wins} won, {draws} drawn, {losses} lost");
        for Candidate { pieces, solved, seconds, depth, nodes, searched, .. } in candidates {
            let open = endings.len() - known;
            println!(
                "{pieces} pieces: {solved} known in {time:?}, after {:.0} ms in the mean of all {known}; in the other {open} \
                 depth {:.2} at {:.0} knodes/s",
                seconds * 1e3 / known as f64,
                depth as f64 / open as f64,
                nodes as f64 / searched / 1e3,
            );
        }
        let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
        let before = max - 1;
        println!(
            "time to the same depth with {max} by with {before}: {mean:.3} in the mean of {}",
            ratios.len()
        );
        Ok(())
    }
}
