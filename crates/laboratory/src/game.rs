//! One game between two players of the laboratory.

use std::cell::RefCell;

use super::player::LabPlayer;
use super::series::Side;
use super::stopwatch::thread_time;
use common::chance::{IndexedRandom, Random};
use common::stop::StopToken;
use draughts::board::{Game, Position};
use draughts::referee::{Draws, Referee};
use players::client::{PlayerError, SearchResult};
use players::game::{self, Player, Turn};

/// A player in a game, whose chance both players share.
struct MeasuredPlayer<'a> {
    player: &'a mut LabPlayer,
    random: &'a RefCell<Random>,
    side: Side,
}

impl Player for MeasuredPlayer<'_> {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        let began = thread_time();
        let mv = self.player.choose(turn.state, &mut self.random.borrow_mut(), &mut self.side.counts);
        let mv = mv.ok_or_else(PlayerError::no_move)?;
        self.side.moves += 1;
        self.side.time += thread_time().saturating_sub(began);
        Ok(SearchResult::of(mv))
    }
}

/// Plays a game from a position and returns the records of both players. Players are given by colour.
pub(super) fn play(players: [&mut LabPlayer; 2], mut state: Game, draws: Draws, random: Random) -> [Side; 2] {
    let random = RefCell::new(random);
    let [mut black, mut white] = players.map(|player| {
        player.new_game();
        MeasuredPlayer { player, random: &random, side: Side::default() }
    });
    let mut referee = Referee::new(draws, None);
    let stop = StopToken::default();
    let end = game::play([&mut black, &mut white], &mut state, [None; 2], &mut referee, &stop);
    let winner = match end {
        Ok((result, _)) => result.winner(),
        Err((side, _)) => Some(!side),
    };
    let mut sides = [black.side, white.side];
    for side in &mut sides {
        side.depths = side.counts.deepest as u64;
    }
    if let Some(winner) = winner {
        sides[winner.index()].wins = 1;
    }
    sides
}

/// Returns a game after so many random moves, or fewer if it would be over or decided by then.
pub(super) fn opening(plies: usize, random: &mut Random) -> Game {
    let mut state = Game::new(Position::start());
    for _ in 0..plies {
        let moves = state.position().moves();
        let Some(&mv) = moves.choose(random) else { break };
        if !state.position().after(mv).can_move() {
            break;
        }
        state.play(mv);
    }
    state
}
