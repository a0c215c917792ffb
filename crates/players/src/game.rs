//! Players, and the one loop that lets two of them play a game.
//!
//! The order of a ply: is the game over; the search; its clock; the move; thinking on the opponent's time.

use std::time::Duration;

use super::client::{NoAnswer, SearchResult};
use super::limits::Remaining;
use super::state::GameState;
use common::stop::StopToken;
use draughts::board::{Color, Game, Move};
use draughts::referee::{GameResult, Reason, Referee};
use engine::Engine;
use engine::search::{Control, Event, Limits};

/// Black's and White's clocks, where they have one.
pub type Clocks = [Option<Remaining>; 2];

/// What a player is asked to move in.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game.
    pub state: &'a GameState,
    /// The clocks.
    pub clocks: Clocks,
    /// Stops the search.
    pub stop: &'a StopToken,
}

/// Chooses moves: a search in this process, an engine as a child process, chance. A new game is announced by whoever
/// begins it, since a player may go on from a position of the game before.
pub trait Player {
    /// Chooses a move in a position that has one.
    ///
    /// # Errors
    ///
    /// When the player misbehaves or was stopped.
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, NoAnswer>;

    /// Begins to think on the opponent's time about the reply that the player expects, if it does so.
    ///
    /// # Errors
    ///
    /// When the player misbehaves.
    fn ponder(&mut self, _turn: &Turn<'_>, _reply: Move) -> Result<(), NoAnswer> {
        Ok(())
    }
}

/// How a game ended, and why.
pub type GameEnd = (GameResult, Reason);

/// Follows a game and says when it is over.
pub trait Observer {
    /// How the game has ended, if it has.
    fn verdict(&self, game: &Game) -> Option<GameEnd>;

    /// Sees a search before its move is made, and may end the game instead.
    fn on_search(&mut self, _state: &GameState, _found: &SearchResult) -> Option<GameEnd> {
        None
    }

    /// Sees the move that a side has made, and the time that is left on its clock.
    fn on_move(&mut self, side: Color, found: &SearchResult, left: Option<Duration>);
}

/// By the rules alone.
impl Observer for Referee<'_> {
    fn verdict(&self, game: &Game) -> Option<GameEnd> {
        Self::verdict(self, game)
    }

    fn on_move(&mut self, _: Color, found: &SearchResult, _: Option<Duration>) {
        self.record(found.mv);
    }
}

/// Plays a game to its end. Players are given by colour.
///
/// # Errors
///
/// The side whose player gave no move, and why.
pub fn play<P: Player + ?Sized>(
    players: [&mut P; 2],
    state: &mut GameState,
    mut clocks: Clocks,
    observer: &mut impl Observer,
    stop: &StopToken,
) -> Result<GameEnd, (Color, NoAnswer)> {
    let [black, white] = players;
    loop {
        if let Some(end) = observer.verdict(state.game()) {
            return Ok(end);
        }
        let side = state.position().side();
        let player = if side == Color::Black { &mut *black } else { &mut *white };
        let failed = |failure| (side, failure);
        let found = player.choose_move(&Turn { state, clocks, stop }).map_err(failed)?;
        if let Some(end) = observer.on_search(state, &found) {
            return Ok(end);
        }
        let left = clocks.get_mut(side.index()).and_then(Option::as_mut).map(|clock| {
            clock.spend(found.time);
            clock.left()
        });
        state.play(found.mv);
        observer.on_move(side, &found, left);
        if let Some(reply) = found.ponder {
            player.ponder(&Turn { state, clocks, stop }, reply).map_err(failed)?;
        }
    }
}

/// The engine of this process, with limits for each move.
#[derive(Debug)]
pub struct EnginePlayer<'a> {
    /// The engine.
    pub engine: &'a Engine,
    /// The limits.
    pub limits: Limits,
}

impl Player for EnginePlayer<'_> {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, NoAnswer> {
        let control = Control::under(turn.stop);
        let mut report = None;
        let answer = self.engine.search(turn.state.game(), &self.limits, &control, &mut |event| {
            if let Event::Line(line) = event {
                report = Some(line);
            }
        });
        let mv = answer.best.ok_or_else(NoAnswer::no_move)?;
        let mut found =
            SearchResult { ponder: answer.ponder, time: control.elapsed(), ..SearchResult::of(mv) };
        found.info.nodes = Some(answer.nodes);
        if let Some(report) = report {
            found.info.score = Some(report.score.kind());
            found.info.depth = u32::try_from(report.depth).ok();
            found.line = report.line;
        }
        Ok(found)
    }
}
