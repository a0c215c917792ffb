//! One game between two players of the laboratory.

use std::cell::RefCell;
use std::time::Duration;

use super::player::LabPlayer;
use crate::textbook::SearchCounts;
use common::chance::{IndexedRandom, Random};
use common::stop::StopToken;
use draughts::board::{Color, Game, Position};
use draughts::referee::{Draws, Referee};
use players::client::{PlayerError, SearchResult};
use players::game::{self, Player, Turn};

/// The costs of a game for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Costs {
    pub(super) moves: u64,
    pub(super) counts: SearchCounts,
    pub(super) time: Duration,
}

/// A game that is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    /// The winner; none of a drawn game.
    pub(super) winner: Option<Color>,
    /// By colour.
    pub(super) costs: [Costs; 2],
}

/// A player in a game, whose chance both players share.
struct MeasuredPlayer<'a> {
    player: &'a mut LabPlayer,
    random: &'a RefCell<Random>,
    costs: Costs,
}

impl Player for MeasuredPlayer<'_> {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        let choice = self.player.choose(turn.state, &mut self.random.borrow_mut());
        let choice = choice.ok_or_else(PlayerError::no_move)?;
        self.costs.moves += 1;
        self.costs.counts += choice.counts;
        self.costs.time += choice.time;
        Ok(SearchResult::of(choice.mv))
    }
}

/// Plays a game from a position. Players are given by colour.
pub(super) fn play(players: [&mut LabPlayer; 2], mut state: Game, draws: Draws, random: Random) -> Played {
    let random = RefCell::new(random);
    let [mut black, mut white] = players.map(|player| {
        player.new_game();
        MeasuredPlayer { player, random: &random, costs: Costs::default() }
    });
    let mut referee = Referee::new(draws, None);
    let stop = StopToken::default();
    let end = game::play([&mut black, &mut white], &mut state, [None; 2], &mut referee, &stop);
    let winner = match end {
        Ok((result, _)) => result.winner(),
        Err((side, _)) => Some(!side),
    };
    Played { winner, costs: [black.costs, white.costs] }
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
