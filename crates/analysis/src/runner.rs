//! Analysis of many games in parallel, each thread with its own engine.

use super::analyser::{Analyser, AnalyserError, SearchStatistics};
use super::annotate::Annotator;
use super::problem::Finder;
use super::record::{AnalysisHeader, GameAnalysis, PassProgress};
use kelso_batch::pool::{self, Queue};
use kelso_draughts::notation::pdn::PdnEntry;
use kelso_runtime::stop::StopToken;

/// A game to analyse.
#[derive(Debug)]
pub struct QueuedGame {
    /// Number of the game among all games, from 1.
    pub number: u64,
    /// File and line of the game.
    pub place: String,
    pub entry: PdnEntry,
}

/// Progress of a run.
#[derive(Debug)]
pub enum AnalysisProgress {
    /// A position has been analysed in the first pass.
    Position,
    /// Some positions have been analysed in a pass with more nodes.
    Deeper { nodes: u64, done: usize, of: usize },
    /// A game has been analysed.
    Game(Box<GameAnalysis>),
}

/// Analyses games in any order, with one thread per analyser, each with an optional problem finder.
/// `on_progress` receives each game as soon as it is finished. `stop` ends the run, which is not an error; an
/// error from `games` or `on_progress` also ends it.
pub fn run<E: From<AnalyserError> + Send>(
    analysers: Vec<(Analyser<'_>, Option<Finder>)>,
    games: impl Iterator<Item = Result<QueuedGame, E>> + Send,
    header: &AnalysisHeader,
    stop: &StopToken,
    mut on_progress: impl FnMut(AnalysisProgress) -> Result<(), E>,
) -> Result<SearchStatistics, E> {
    let queue = Queue::new(games);
    let mut failure = None;
    let analyse = |(mut analyser, mut finder): (Analyser<'_>, Option<Finder>), report: &dyn Fn(_)| {
        while let Some(game) = queue.next() {
            let report_progress = |progress| report(Ok(progress));
            let analysed = game
                .and_then(|game| Ok(work(&game, &mut analyser, finder.as_mut(), header, &report_progress)?));
            if let Err(error) = analysed {
                report(Err(error));
                break;
            }
        }
        let statistics = analyser.statistics;
        analyser.quit();
        statistics
    };
    let statistics = pool::run(
        analysers,
        analyse,
        || stop.stop(),
        |message| {
            match message {
                Some(Ok(progress)) => on_progress(progress)?,
                // Once the run is being stopped, every analyser ends with an error.
                Some(Err(error)) if !stop.is_stopped() => failure = Some(error),
                Some(Err(_)) | None => {}
            }
            Ok::<_, E>(failure.is_none() && !stop.is_stopped())
        },
    )?;
    match failure {
        Some(error) => Err(error),
        None => Ok(SearchStatistics {
            searches: statistics.iter().map(|own| own.searches).sum(),
            nodes: statistics.iter().map(|own| own.nodes).sum(),
        }),
    }
}

fn work(
    game: &QueuedGame,
    analyser: &mut Analyser<'_>,
    finder: Option<&mut Finder>,
    header: &AnalysisHeader,
    report: &dyn Fn(AnalysisProgress),
) -> Result<(), AnalyserError> {
    let QueuedGame { number, place, entry } = game;
    let mut tick = |progress: PassProgress<'_>| match progress {
        PassProgress::Position { pass: 1.., nodes: Some(nodes), done, of } => {
            report(AnalysisProgress::Deeper { nodes, done, of });
        }
        PassProgress::Position { .. } => report(AnalysisProgress::Position),
        PassProgress::Pass { .. } => {}
    };
    let (mut analysis, positions) = GameAnalysis::run(&entry.game, analyser, &mut tick)?;
    let AnalysisHeader { judge: engine, limits, brief, .. } = header;
    Annotator { engine, limits, brief: *brief }.annotate(&mut analysis, entry.error.as_ref());
    (analysis.game, analysis.place) = (*number, place.clone());
    if let Some(finder) = finder {
        analysis.problems = finder.problems(&positions, analyser.databases());
    }
    report(AnalysisProgress::Game(Box::new(analysis)));
    Ok(())
}
