//! Recording: engines make the games of a file, on all cores.
//!
//! Games are written in numerical order, so the file is the same with any number of threads and after any
//! interruption.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::engines::GamesError;
use crate::file::{GameSamples, SampleHeader, SampleRun, StoredGames};
use crate::sample::TrainingSample;
use kelso_batch::pool::{InOrder, divide};
use kelso_draughts::score::ReportedScore;
use kelso_engine::{Engine, EvaluationId};
use kelso_players::player::{PlayerError, SearchResult};

const FLUSH_INTERVAL: Duration = Duration::from_secs(2);

/// Makes those of the numbered games that are not in the file yet, until all are done or `on_progress`
/// returns `false`. Finished games are never lost.
pub(crate) fn record(
    path: &Path,
    header: &SampleHeader,
    engines: Vec<Engine>,
    numbers: impl Iterator<Item = u64>,
    play: impl Fn(&mut Engine, u64) -> Result<Vec<TrainingSample>, PlayerError> + Sync,
    on_progress: &mut dyn FnMut(StoredGames) -> bool,
) -> Result<StoredGames, GamesError> {
    let mut file = SampleRun::resume(path, header)?;
    let missing: Vec<u64> = numbers.filter(|&number| Some(number) > file.stored.last).collect();
    let play = |engine: &mut Engine, (place, number): (usize, u64)| {
        let samples = play(engine, number)?;
        Ok::<_, PlayerError>((place, GameSamples { number, samples }))
    };
    let mut order = InOrder::default();
    let mut flushed = Instant::now();
    let mut running = true;
    divide(engines, missing.into_iter().enumerate(), play, |played| {
        // Unfinished games are dropped; a resumed run makes them again.
        let finished = played
            .filter(|_| running)
            .transpose()
            .map_err(GamesError::Player)?
            .map(|(place, game)| order.add(place, game));
        for game in finished.into_iter().flatten() {
            file.add(&game)?;
        }
        if flushed.elapsed() >= FLUSH_INTERVAL {
            file.flush()?;
            flushed = Instant::now();
        }
        running = running && on_progress(file.stored);
        Ok::<_, GamesError>(running)
    })?;
    file.sync()?;
    Ok(file.stored)
}

/// Returns the settings of an engine for a file; the rest has default values.
pub(crate) fn header_of(engine: &Engine) -> SampleHeader {
    let EvaluationId { name: evaluation, checksum: weights } = engine.evaluation_id();
    let databases = Some(engine.databases().max_pieces());
    SampleHeader { evaluation, databases, weights, ..SampleHeader::default() }
}

/// Returns the score of a search, or a draw if it has none.
pub(crate) fn score_of(found: &SearchResult) -> ReportedScore {
    found.info.score.unwrap_or(ReportedScore::Cp(0))
}
