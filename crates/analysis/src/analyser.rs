//! The engine that analyses positions: Kelso's search in this process, or any engine as a child process.
//! Kelso's endgame databases are used in both cases, and their results take precedence over scores.

use std::time::Duration;

use super::passes::Passes;
use super::value::PositionValue;
use kelso_draughts::board::{Game, Move};
use kelso_draughts::record::SearchInfo;
use kelso_draughts::referee::DrawRules;
use kelso_draughts::score::ReportedScore;
use kelso_draughts::win_rates::WinRates;
use kelso_endgames::Databases;
use kelso_engine::search::{Control, Limits, TimeLimit};
use kelso_engine::{Engine, EngineSettings, Setting, SettingError};
use kelso_players::client::{EngineClient, OnStatus};
use kelso_players::player::PlayerError;
use kelso_players::spec::EngineSpec;
use kelso_runtime::stop::StopToken;
use kelso_syntax::{Quoted, WordError};

/// The share of the limit that a search may use. The first two searches of a position (`Position` and
/// `Others`) together use the whole limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchShare {
    /// Three quarters, for the position.
    Position,
    /// One quarter, for all moves except the best.
    Others,
    /// The whole limit, if only one search is made.
    Whole,
    /// Four times the limit, or four plies more, to confirm an error.
    Deep,
}

/// The result of a search, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assessment {
    /// The score of the best move.
    pub score: Option<ReportedScore>,
    pub depth: Option<u32>,
    /// The best move and its continuation.
    pub line: Vec<Move>,
    /// The chances of a win, a draw and a loss, with the option `UCI_ShowWDL`.
    pub win_rates: Option<WinRates>,
    /// Whether the search was [`SearchShare::Deep`].
    pub deep: bool,
}

impl Assessment {
    /// Converts the assessment of the position after `mv` to an assessment of the position before it.
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        Self {
            score: PositionValue { score: self.score, known: None }.for_parent().score,
            depth: self.depth.map(|depth| depth.saturating_add(1)),
            line: [mv].into_iter().chain(self.line.iter().copied()).collect(),
            win_rates: self.win_rates.map(WinRates::reversed),
            deep: self.deep,
        }
    }
}

/// Statistics of the work done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchStatistics {
    pub searches: u64,
    pub nodes: u64,
}

/// An error during an analysis.
#[derive(Debug, thiserror::Error)]
pub enum AnalyserError {
    /// The run is being stopped.
    #[error("stopped")]
    Stopped,
    /// An option is rejected.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A tag of the game is invalid.
    #[error(transparent)]
    Tag(#[from] WordError),
    /// The external engine failed.
    #[error("cannot analyse with engine {}: {detail}", Quoted(name))]
    Engine {
        name: String,
        /// A description of the failure.
        detail: String,
    },
}

/// An engine and its limit. Each thread has its own, so that the result for a game does not depend on other
/// games.
pub struct Analyser<'a> {
    /// Kelso, which also looks up endings for an external engine.
    pub engine: Engine,
    external: Option<EngineClient>,
    /// The passes of each analysis.
    pub(super) passes: Passes,
    /// The limits of the current pass.
    limits: Limits,
    stop: StopToken,
    on_status: &'a OnStatus<'a>,
    /// Statistics of the work done so far.
    pub statistics: SearchStatistics,
}

impl<'a> Analyser<'a> {
    /// Creates an analyser that uses Kelso's search or an external engine. The settings apply only to Kelso,
    /// but its endgame databases are used in both cases.
    pub fn new(
        external: Option<&EngineSpec>,
        settings: &EngineSettings,
        passes: Passes,
        stop: &StopToken,
        on_status: &'a OnStatus<'a>,
    ) -> Result<Self, AnalyserError> {
        let mut settings = settings.clone();
        // With an external engine, Kelso only looks up endings, which needs no hash table.
        settings.options.extend(external.map(|_| Setting::Hash(1)));
        let engine = engine(settings)?;
        let external = external.map(|spec| {
            // There is no clock, so late answers are tolerated.
            let spec = EngineSpec { margin: MAX_LATENESS, ..spec.clone() };
            EngineClient::start(&spec, None, stop, on_status).map_err(|error| failed(&spec.name, error))
        });
        let external = external.transpose()?;
        let statistics = SearchStatistics::default();
        let limits = passes.first.clone();
        Ok(Self { engine, external, passes, limits, stop: stop.clone(), on_status, statistics })
    }

    /// Returns the name reported by the external engine, or `None` for Kelso.
    pub fn identity(&self) -> Option<&str> {
        self.external.as_ref().map(|client| client.identity().name.as_str())
    }

    /// Sets the limits of the following searches.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Returns whether searches can be restricted to certain moves.
    pub(super) const fn is_selective(&self) -> bool {
        self.external.is_none()
    }

    /// The endgame databases.
    pub fn databases(&self) -> &Databases {
        self.engine.databases()
    }

    /// Clears all search results of the previous game.
    pub(super) fn new_game(&mut self) -> Result<(), AnalyserError> {
        match &mut self.external {
            None => self.engine.new_game(),
            Some(client) => client
                .new_game(SEED, DrawRules::STANDARD, &self.stop, self.on_status)
                .map_err(|error| failed(client.name(), error.await_stop_after_crash(&self.stop)))?,
        }
        Ok(())
    }

    /// Searches a position, restricted to `moves` unless that is empty.
    pub(super) fn assess(
        &mut self,
        game: &Game,
        moves: Vec<Move>,
        share: SearchShare,
    ) -> Result<Assessment, AnalyserError> {
        if self.stop.is_stopped() {
            return Err(AnalyserError::Stopped);
        }
        if !game.position().can_move() {
            let score = Some(ReportedScore::Loss(Some(0)));
            let deep = share == SearchShare::Deep;
            return Ok(Assessment { score, depth: Some(0), deep, ..Assessment::default() });
        }
        let limits = share.limits(&self.limits);
        let (mut assessment, nodes) = match &mut self.external {
            None => self.search(game, &Limits { search_moves: moves, ..limits }),
            Some(client) => search_externally(client, game, limits, &self.stop)?,
        };
        assessment.deep = share == SearchShare::Deep;
        self.statistics.searches += 1;
        self.statistics.nodes += nodes;
        // The result of a stopped search is incomplete.
        if self.stop.is_stopped() { Err(AnalyserError::Stopped) } else { Ok(assessment) }
    }

    fn search(&self, game: &Game, limits: &Limits) -> (Assessment, u64) {
        let control = Control::stopped_by(&self.stop);
        let answer = self.engine.search(game, limits, &control, &mut |_| {});
        let SearchInfo { score, depth, .. } = answer.info();
        let line = answer.line();
        let win_rates = answer.win_rates;
        (Assessment { score, depth, line, win_rates, deep: false }, answer.nodes)
    }

    /// Quits the external engine.
    pub fn quit(self) {
        if let Some(client) = self.external {
            client.quit();
        }
    }
}

fn search_externally(
    client: &mut EngineClient,
    game: &Game,
    limits: Limits,
    stop: &StopToken,
) -> Result<(Assessment, u64), AnalyserError> {
    let found = client
        .search(game, &limits.into(), stop)
        .map_err(|error| failed(client.name(), error.await_stop_after_crash(stop)))?;
    let assessment = Assessment {
        score: found.info.score,
        depth: found.info.depth,
        line: match &found.line[..] {
            [_] => [found.mv].into_iter().chain(found.ponder).collect(),
            _ => found.line,
        },
        win_rates: None,
        deep: false,
    };
    Ok((assessment, found.info.nodes.unwrap_or(0)))
}

const MAX_LATENESS: Duration = Duration::from_secs(10);
/// The seed of an external engine, the same for each game.
const SEED: u64 = 1;

/// Creates a Kelso engine for analysis, without a time reserve or an opening book, whose moves have no
/// scores.
pub fn engine(mut settings: EngineSettings) -> Result<Engine, AnalyserError> {
    settings.options.push(Setting::Book(false));
    Ok(Engine::new(settings.with_default(Setting::MoveOverhead(Duration::ZERO)))?)
}

fn failed(name: &str, error: PlayerError) -> AnalyserError {
    match error {
        PlayerError::Stopped => AnalyserError::Stopped,
        PlayerError::Fault(fault) => AnalyserError::Engine { name: name.to_owned(), detail: fault.detail },
    }
}

impl SearchShare {
    /// Returns the limits for this share.
    fn limits(self, limits: &Limits) -> Limits {
        let Limits { depth, nodes, .. } = *limits;
        let nodes = nodes.map(|nodes| match self {
            Self::Position => (nodes - nodes / 4).max(1),
            Self::Others => (nodes / 4).max(1),
            Self::Whole => nodes,
            Self::Deep => nodes.saturating_mul(4),
        });
        let time = limits.exact_time().map(|time| match self {
            Self::Position => time * 3 / 4,
            Self::Others => time / 4,
            Self::Whole => time,
            Self::Deep => time.saturating_mul(4),
        });
        let extra_depth = if self == Self::Deep { 4 } else { 0 };
        Limits {
            depth: depth.map(|depth| depth.saturating_add(extra_depth)),
            nodes,
            time: time.map(TimeLimit::Exact),
            ..limits.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_shares_sum_to_the_limit() {
        for nodes in [1, 2, 3, 1000, 1001] {
            let parts = [SearchShare::Position, SearchShare::Others]
                .map(|share| share.limits(&Limits::nodes(nodes)).nodes.unwrap());
            assert!(parts.iter().all(|&part| part > 0));
            assert!(nodes < 4 || parts.iter().sum::<u64>() == nodes);
        }
        assert_eq!(SearchShare::Deep.limits(&Limits::depth(9)), Limits::depth(13));
    }

    #[test]
    fn an_analysis_does_not_use_the_book() {
        let settings = [Setting::Book(true)].into();
        let stop = StopToken::default();
        let on_status = |_: &str| {};
        let passes = Passes::single(Limits::depth(4));
        let mut analyser = Analyser::new(None, &settings, passes, &stop, &on_status).unwrap();
        let start = analyser.assess(&Game::default(), Vec::new(), SearchShare::Whole).unwrap();
        assert!(start.score.is_some());
    }

    #[test]
    fn a_stopped_analysis_is_an_error() {
        let stop = StopToken::default();
        stop.stop();
        let on_status = |_: &str| {};
        let passes = Passes::single(Limits::depth(60));
        let mut analyser =
            Analyser::new(None, &EngineSettings::default(), passes, &stop, &on_status).unwrap();
        let game = Game::default();
        assert!(matches!(
            analyser.assess(&game, Vec::new(), SearchShare::Whole),
            Err(AnalyserError::Stopped)
        ));
    }
}
