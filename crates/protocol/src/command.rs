//! The commands and outputs of a session, independent of the protocol.

use std::time::Duration;

use kelso_draughts::ballot::{Ballot, Deck};
use kelso_draughts::board::{Branch, Color, Game, Move, Position, SetupError};
use kelso_draughts::notation::fen::PositionError;
use kelso_draughts::notation::movetext::MovesError;
use kelso_draughts::notation::{MoveError, MoveText};
use kelso_draughts::record::SearchInfo;
use kelso_endgames::DatabaseError;
use kelso_engine::eval::Explanation;
use kelso_engine::search::{Limits, SearchAnswer, SearchEvent, TimeLimit};
use kelso_engine::{BenchResult, DrawOfferAnswer, OptionError, Probe, SettingError};
use kelso_runtime::lines::MAX_LINE;
use kelso_syntax::{Quoted, SyntaxError, WordError};
use thiserror::Error;

/// A parsed command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Report the engine's name and its options.
    Identify,
    /// Report when all earlier commands are done, or immediately during a search.
    Ready,
    /// Answer immediately.
    Ping,
    /// Set an option of the engine.
    Set {
        name: String,
        value: Option<String>,
    },
    /// Begin another game.
    NewGame,
    /// Set the position, with the game that led to it.
    Position(Game),
    Go(GoParams),
    /// Count the leaves of the move tree.
    Perft(u32),
    Stop,
    /// Continue as a normal search: the expected move was played.
    PonderHit,
    /// List the legal moves.
    Moves,
    /// List the legal moves with every path that they can take.
    Paths,
    /// Look up the position and its moves in the endgame databases.
    Probe,
    /// Offer the other side a draw.
    Offer,
    /// List the ballots of a deck, or the ballot with the given number.
    Ballots(Deck, Option<u32>),
    Show,
    Evaluate,
    /// Run the benchmark, to the given depth if any.
    Bench(Option<usize>),
    Help,
    Quit,
}

/// A command for the engine apart from searches, with the position or the game that it needs.
#[derive(Clone, Debug)]
pub enum EngineCommand {
    Probe(Game),
    Evaluate(Position),
    Offer(Game),
    /// Run the benchmark, to the given depth if any.
    Bench(Option<usize>),
}

/// An output of a session.
#[derive(Debug)]
pub enum EngineOutput {
    /// The engine's name and its options.
    Identity,
    /// The answer to [`Command::Ready`].
    Ready,
    /// The answer to [`Command::Ping`].
    Pong,
    Error(CommandError),
    /// The progress of a search of a position.
    Search(Position, SearchEvent),
    /// A line, with what another engine has reported of it. Without a score, nothing is sent.
    Info(Position, SearchInfo, Vec<Move>),
    /// The end of a search of a position.
    Answer(Position, SearchAnswer),
    Moves(Position),
    /// The legal moves, with every path that they can take.
    Paths(Position),
    /// The database results of a position and its moves.
    Probe(Box<Probe>),
    Offer(DrawOfferAnswer),
    Ballots(Deck, Vec<&'static Ballot>),
    /// The position and the state of the game.
    Show(Game),
    /// The name of an evaluation, and its explained value.
    Evaluation(String, Box<Explanation>),
    /// The number of leaves after a move.
    PerftBranch(Branch),
    /// The end of a count, without leaves if it was stopped.
    PerftTotal {
        depth: u32,
        leaves: Option<u64>,
        time: Duration,
    },
    /// The result of a benchmark position.
    BenchLine(BenchResult),
    /// The end of the benchmark, without nodes if it was stopped.
    BenchTotal {
        nodes: Option<u64>,
        time: Duration,
    },
    /// The list of commands.
    Help,
}

/// The parameters of `go` as sent by a client. Before a search, the session resolves the moves, which may be
/// illegal, and selects the clock of the side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoParams {
    /// Number of iterations to complete.
    pub depth: Option<usize>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    /// The clocks, Black's first.
    pub clocks: [Option<Duration>; 2],
    /// The increments for a move, Black's first.
    pub increments: [Option<Duration>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    pub infinite: bool,
    /// Search while the other side thinks.
    pub ponder: bool,
    /// The moves to search, or all if empty.
    pub search_moves: Vec<MoveText>,
}

impl GoParams {
    /// Returns a side's clock, or the other side's if only that clock is set.
    pub fn clock(&self, color: Color) -> Option<Duration> {
        self.clocks[color.index()].or(self.clocks[(!color).index()])
    }

    /// Returns the time that a side gains with each move, which is zero if the command does not state it.
    pub fn increment(&self, color: Color) -> Duration {
        self.increments[color.index()].unwrap_or(Duration::ZERO)
    }

    /// Returns the time limit for a side's move.
    pub fn time(&self, color: Color) -> Option<Duration> {
        self.clock(color).into_iter().chain(self.move_time).min()
    }

    /// Returns the limits of a search of a position.
    ///
    /// # Errors
    ///
    /// If a move to search is illegal.
    pub fn limits(&self, position: &Position) -> Result<Limits, CommandError> {
        let remaining = self.clock(position.side());
        let clock = remaining.map(|remaining| TimeLimit::Clock {
            remaining,
            increment: self.increment(position.side()),
            moves_to_go: self.moves_to_go,
        });
        // A clock that may run out during the move needs the care of a clock.
        let exact = self.move_time.filter(|&time| remaining.is_none_or(|remaining| time < remaining));
        Ok(Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: exact.map(TimeLimit::Exact).or(clock),
            // Without any limit, a search runs until stopped, even if the result is known.
            infinite: self.infinite || self.is_unlimited() && !self.ponder,
            search_moves: move_list(&self.search_moves, |text| text.resolve(position))?,
        })
    }

    pub fn is_unlimited(&self) -> bool {
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.time(Color::Black).is_some();
        self.infinite || !has_limit
    }

    #[must_use]
    pub fn pondering(mut self) -> Self {
        self.ponder = true;
        self
    }
}

/// Limits without a clock and without moves, which a client sends separately.
impl From<Limits> for GoParams {
    fn from(limits: Limits) -> Self {
        let move_time = limits.exact_time();
        let Limits { depth, nodes, infinite, .. } = limits;
        Self { depth, nodes, move_time, infinite, ..Self::default() }
    }
}

/// The reason why a line is invalid or a command cannot be executed.
#[derive(Error, Debug)]
pub enum CommandError {
    /// The line does not follow the grammar.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The option or its value is invalid.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A move is invalid.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// A ponder hit without a ponder search.
    #[error("unexpected ponder hit: no search is pondering")]
    NotPondering,
    /// A line is longer than allowed.
    #[error("the line is too long: at most {MAX_LINE} bytes are allowed")]
    TooLong,
    /// A part of a command is given more than once.
    #[error("\"{name}\" is given twice in {}", Quoted(line))]
    Repeated { name: String, line: String },
    /// The first word of a line is not a command.
    #[error("unknown command {}", Quoted(.0))]
    Unknown(String),
    /// Limits of a search beside a command that has none.
    #[error("\"{name}\" cannot be combined with other limits in {}", Quoted(line))]
    WithLimits { name: String, line: String },
    /// The FEN is invalid.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The pieces do not form a legal position.
    #[error("illegal position {}: {reason}", Quoted(text))]
    Placement { text: String, reason: SetupError },
    /// A name is unknown.
    #[error(transparent)]
    Word(#[from] WordError),
    /// The deck has no such ballot.
    #[error("{0} ballot {1} is not in play", deck.name(), number)]
    Ballot { deck: Deck, number: u32 },
    /// Too many jobs are waiting. Contains their number and kind.
    #[error("{0} {1}; send \"stop\" first")]
    Busy(usize, &'static str),
    #[error("this engine does not have this command")]
    Unsupported,
    /// The engine rejects a setting.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Endgame databases cannot be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The command is not permitted. Contains the reason.
    #[error("{0}")]
    Refused(String),
    /// Another engine cannot execute the command. Contains its message.
    #[error("{0}")]
    Engine(String),
}

pub(super) fn move_list<M, T>(
    moves: impl IntoIterator<Item = M>,
    mut convert: impl FnMut(M) -> Result<T, MoveError>,
) -> Result<Vec<T>, CommandError> {
    let numbered = moves.into_iter().zip(1..);
    numbered.map(|(mv, number)| Ok(convert(mv).map_err(|error| MovesError { number, error })?)).collect()
}

pub(super) fn play<'a>(
    start: Position,
    moves: impl IntoIterator<Item = &'a str>,
    parse: impl Fn(&Position, &str) -> Result<Move, MoveError>,
) -> Result<Game, CommandError> {
    let mut game = Game::new(start);
    move_list(moves, |text| parse(game.position(), text).map(|mv| game.play(mv)))?;
    Ok(game)
}

/// Returns nodes per second, or 0 for a time that is shown as 0.
pub(super) fn per_second(nodes: u64, time: Duration) -> u64 {
    if time.as_millis() == 0 {
        return 0;
    }
    let nanos = time.as_nanos();
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_zero_has_no_speed() {
        assert_eq!(per_second(1_000_000, Duration::ZERO), 0);
        assert_eq!(per_second(1_000_000, Duration::from_micros(999)), 0);
        assert_eq!(per_second(3_000_000, Duration::from_millis(1500)), 2_000_000);
    }

    #[test]
    fn a_missing_clock_defaults_to_the_opponents() {
        let [own, other, exact] = [7, 9, 8].map(Duration::from_secs);
        let both = GoParams {
            clocks: [Some(own), Some(other)],
            increments: [Some(exact), None],
            ..GoParams::default()
        };
        assert_eq!(Color::BOTH.map(|side| both.clock(side)), [Some(own), Some(other)]);
        assert_eq!(Color::BOTH.map(|side| both.increment(side)), [exact, Duration::ZERO]);
        for clocks in [[Some(own), None], [None, Some(own)]] {
            let one = GoParams { clocks, ..GoParams::default() };
            assert_eq!(Color::BOTH.map(|side| one.clock(side)), [Some(own); 2]);
            assert!(!one.is_unlimited());
        }
        let limited = GoParams { move_time: Some(exact), ..both };
        assert_eq!(Color::BOTH.map(|side| limited.time(side)), [Some(own), Some(exact)]);
        assert_eq!(GoParams::default().time(Color::White), None);
    }

    #[test]
    fn a_search_without_limits_is_unlimited() {
        let infinite = Limits { infinite: true, ..Limits::depth(3) };
        for (limits, unlimited) in [
            (Limits::default(), true),
            (infinite, true),
            (Limits::depth(3), false),
            (Limits::nodes(3), false),
        ] {
            assert_eq!(GoParams::from(limits.clone()).is_unlimited(), unlimited, "{limits:?}");
        }
    }
}
