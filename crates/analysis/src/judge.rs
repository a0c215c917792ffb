//! Who judges positions: Kelso's search in this process, or any engine as a child process. What endgame databases know goes before
//! either.

use std::fmt;
use std::time::{Duration, Instant};

use super::outlook::Standing;
use common::stop::StopToken;
use draughts::board::{Move, Position};
use endgames::Databases;
use engine::search::ScoreKind;
use engine::search::{Bound, Control, Event, Limits, OutOfMemory, Report};
use engine::{Engine, EngineSettings, Options, Setting, SettingError};
use players::Go;
use players::client::{EngineClient, OnStatus, PlayerError};
use players::limits::Limits as EngineLimits;
use players::spec::EngineSpec;
use players::state::GameState;

/// What is allowed for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Time.
    Time(Duration),
    /// Positions.
    Nodes(u64),
    /// Plies.
    Depth(u32),
}

/// How much of it a search gets. What is looked at for a move at first adds up to the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// Three quarters: the position.
    Position,
    /// One quarter: all moves but the best, to see whether another does as well.
    Others,
    /// The whole, where everything hangs on one search.
    Whole,
    /// Four times as much, where a result seems to have changed; a depth is four plies more.
    Deep,
}

/// What came of a search, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opinion {
    /// The value of the best move.
    pub score: Option<ScoreKind>,
    /// How deep the search came.
    pub depth: Option<u32>,
    /// The best move and what follows it.
    pub line: Vec<Move>,
    /// Whether it was a deep search.
    pub deep: bool,
}

/// What searching took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Searches.
    pub searches: u64,
    /// Positions.
    pub nodes: u64,
    /// The time that all took.
    pub used: Duration,
    /// Searches that were over long before their limit of time, since there was nothing left to find.
    pub settled: u64,
    /// The limits of the others, where they are times.
    pub allowed: Duration,
    /// The time that these took.
    pub spent: Duration,
}

/// Who is asked.
#[derive(Clone, Debug)]
pub enum Voice {
    /// Kelso.
    Own,
    /// Another engine.
    Other(Box<EngineSpec>),
}

/// Why there is no judgement.
#[derive(Debug)]
pub enum JudgeError {
    /// Work is being stopped.
    Stopped,
    /// There is no memory for an engine.
    Memory(OutOfMemory),
    /// An option can't be set.
    Setting(SettingError),
    /// The other engine misbehaves.
    Engine {
        /// Its name.
        name: String,
        /// In full.
        detail: String,
    },
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => write!(f, "stopped"),
            Self::Memory(error) => error.fmt(f),
            Self::Setting(error) => error.fmt(f),
            Self::Engine { name, detail } => write!(f, "engine {name} cannot judge: {detail}"),
        }
    }
}

impl std::error::Error for JudgeError {}

/// A judge. Each thread has its own, so that what it finds in a game doesn't depend on other games.
pub struct Judge<'a> {
    engine: Engine,
    other: Option<(EngineClient, EngineSpec)>,
    limit: Limit,
    stop: StopToken,
    tell: &'a OnStatus,
    /// What has been done so far.
    pub effort: Effort,
}

impl<'a> Judge<'a> {
    /// A judge with a limit for each move. The settings are Kelso's, whose databases are asked whoever searches.
    ///
    /// # Errors
    ///
    /// When there is no memory, a setting can't be made, or the other engine can't be started.
    pub fn new(
        voice: &Voice,
        settings: &EngineSettings,
        limit: Limit,
        stop: &StopToken,
        tell: &'a OnStatus,
    ) -> Result<Self, JudgeError> {
        let mut engine = engine(settings)?;
        let other = match voice {
            Voice::Own => None,
            Voice::Other(spec) => {
                // It searches by itself, and the table would be of no use.
                engine.apply(Setting::Hash(1)).map_err(JudgeError::Setting)?;
                // An analysis is not a game: an answer may be late.
                let limits = EngineLimits { margin: LATENESS, ..spec.limits };
                let spec = EngineSpec { limits, ..(**spec).clone() };
                let player = EngineClient::start(&spec, stop, tell).map_err(|error| failed(&spec, error))?;
                Some((player, spec))
            }
        };
        Ok(Self { engine, other, limit, stop: stop.clone(), tell, effort: Effort::default() })
    }

    /// What the other engine calls itself; none if Kelso judges.
    #[must_use]
    pub fn identity(&self) -> Option<&str> {
        self.other.as_ref().map(|(player, _)| player.identity().name.as_str())
    }

    /// Whether some moves can be left out of a search.
    #[must_use]
    pub const fn is_selective(&self) -> bool {
        self.other.is_none()
    }

    /// The endgame databases.
    #[must_use]
    pub fn databases(&self) -> &Databases {
        self.engine.databases()
    }

    /// How the side to move stands, if the databases know.
    #[must_use]
    pub fn known(&self, position: &Position) -> Option<Standing> {
        if !position.can_move() {
            return Some(Standing::Lost);
        }
        self.databases().probe(position).map(Standing::from)
    }

    /// Forgets everything about the last game.
    ///
    /// # Errors
    ///
    /// When the other engine misbehaves.
    pub fn new_game(&mut self) -> Result<(), JudgeError> {
        match &mut self.other {
            None => self.engine.new_game(),
            Some((player, spec)) => player
                .new_game(1, &self.stop, self.tell)
                .map_err(|error| failed(spec, error.unless_stopped(&self.stop)))?,
        }
        Ok(())
    }

    /// Searches a position that has moves, among some of them only if any are named.
    ///
    /// # Errors
    ///
    /// When work is being stopped, or the other engine misbehaves.
    pub fn consider(
        &mut self,
        course: &GameState,
        among: Vec<Move>,
        share: Share,
    ) -> Result<Opinion, JudgeError> {
        if self.stop.is_stopped() {
            return Err(JudgeError::Stopped);
        }
        let limit = self.limit.share(share);
        let began = Instant::now();
        let (mut opinion, nodes) = match self.other {
            None => self.search(course, among, limit),
            Some(_) => self.ask(course, limit)?,
        };
        opinion.deep = share == Share::Deep;
        self.effort.searches += 1;
        self.effort.nodes += nodes;
        let used = began.elapsed();
        self.effort.used += used;
        if let Limit::Time(time) = limit {
            if used < time * 9 / 10 {
                self.effort.settled += 1;
            } else {
                self.effort.allowed += time;
                self.effort.spent += used;
            }
        }
        // A search that was stopped says less than one that was not.
        if self.stop.is_stopped() { Err(JudgeError::Stopped) } else { Ok(opinion) }
    }

    fn search(&self, course: &GameState, among: Vec<Move>, limit: Limit) -> (Opinion, u64) {
        let limits = match limit {
            Limit::Time(time) => Limits::move_time(time),
            Limit::Nodes(nodes) => Limits::nodes(nodes),
            Limit::Depth(depth) => Limits::depth(usize::try_from(depth).unwrap_or(usize::MAX)),
        };
        let limits = Limits { search_moves: among, ..limits };
        let control = Control::under(&self.stop);
        let mut lines: Vec<Report> = Vec::new();
        let answer = self.engine.search(course.game(), &limits, &control, &mut |event| {
            if let Event::Line(report) = event
                && report.rank == 1
            {
                // What an iteration has begun to find counts if the search ends with it.
                if report.bound == Bound::Exact {
                    lines.clear();
                }
                lines.push(report);
            }
        });
        let fits = |report: &&Report| report.line.first() == answer.best.as_ref();
        let told = lines.iter().rfind(fits).or(lines.first());
        let opinion = Opinion {
            score: told.map(|report| report.score.kind()),
            depth: told.and_then(|report| u32::try_from(report.depth).ok()),
            line: match told.filter(fits) {
                Some(report) => report.line.clone(),
                None => answer.best.into_iter().chain(answer.ponder).collect(),
            },
            deep: false,
        };
        (opinion, answer.nodes)
    }

    fn ask(&mut self, course: &GameState, limit: Limit) -> Result<(Opinion, u64), JudgeError> {
        let Some((player, spec)) = &mut self.other else { return Ok((Opinion::default(), 0)) };
        let go = match limit {
            Limit::Time(time) => Go { move_time: Some(time), ..Go::default() },
            Limit::Nodes(nodes) => Go { nodes: Some(nodes), ..Go::default() },
            Limit::Depth(depth) => Go { depth: usize::try_from(depth).ok(), ..Go::default() },
        };
        let thought = player
            .search(course, &go, &self.stop)
            .map_err(|error| failed(spec, error.unless_stopped(&self.stop)))?;
        let opinion = Opinion {
            score: thought.info.score,
            depth: thought.info.depth,
            line: match &thought.line[..] {
                [_] => [thought.mv].into_iter().chain(thought.ponder).collect(),
                _ => thought.line,
            },
            deep: false,
        };
        Ok((opinion, thought.info.nodes.unwrap_or(0)))
    }

    /// Ends the other engine in good order.
    pub fn dismiss(self) {
        if let Some((player, _)) = self.other {
            player.quit();
        }
    }
}

/// How late another engine may be.
const LATENESS: Duration = Duration::from_secs(10);

/// Kelso with settings, for analysis: nothing is kept of a limit of time.
///
/// # Errors
///
/// When there is no memory, or a setting can't be made.
pub fn engine(settings: &EngineSettings) -> Result<Engine, JudgeError> {
    let mut settings = settings.clone();
    settings.settings.insert(0, Setting::MoveOverhead(Duration::ZERO));
    settings.engine(Options::default().hash).map_err(JudgeError::Setting)
}

fn failed(spec: &EngineSpec, error: PlayerError) -> JudgeError {
    match error {
        PlayerError::Stopped => JudgeError::Stopped,
        PlayerError::Fault(fault) => JudgeError::Engine { name: spec.name.clone(), detail: fault.detail },
    }
}

impl Limit {
    fn share(self, share: Share) -> Self {
        match (self, share) {
            (_, Share::Whole) | (Self::Depth(_), Share::Position | Share::Others) => self,
            (Self::Depth(depth), Share::Deep) => Self::Depth(depth.saturating_add(4)),
            (Self::Time(time), Share::Position) => Self::Time(time * 3 / 4),
            (Self::Time(time), Share::Others) => Self::Time(time / 4),
            (Self::Time(time), Share::Deep) => Self::Time(time.saturating_mul(4)),
            (Self::Nodes(nodes), Share::Position) => Self::Nodes((nodes - nodes / 4).max(1)),
            (Self::Nodes(nodes), Share::Others) => Self::Nodes((nodes / 4).max(1)),
            (Self::Nodes(nodes), Share::Deep) => Self::Nodes(nodes.saturating_mul(4)),
        }
    }
}

/// As on the command line: `time=0.5`, `nodes=1000`, `depth=20`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "time={}", time.as_secs_f64()),
            Self::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Self::Depth(depth) => write!(f, "depth={depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_the_limit() {
        for nodes in [1, 2, 3, 1000, 1001] {
            let parts =
                [Share::Position, Share::Others].map(|share| match Limit::Nodes(nodes).share(share) {
                    Limit::Nodes(nodes) => nodes,
                    _ => 0,
                });
            assert!(parts.iter().all(|&part| part > 0));
            assert!(nodes < 4 || parts.iter().sum::<u64>() == nodes);
        }
        assert_eq!(Limit::Depth(9).share(Share::Deep), Limit::Depth(13));
    }

    #[test]
    fn a_judge_that_is_stopped_says_so() {
        let stop = StopToken::default();
        stop.stop();
        let tell = |_: &str| {};
        let mut judge =
            Judge::new(&Voice::Own, &EngineSettings::default(), Limit::Depth(60), &stop, &tell).unwrap();
        let course = GameState::new(Position::start());
        assert!(matches!(judge.consider(&course, Vec::new(), Share::Whole), Err(JudgeError::Stopped)));
    }
}
