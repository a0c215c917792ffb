//! One game between two players of the laboratory.

use std::cell::RefCell;

use super::player::LabPlayer;
use super::series::Side;
use super::stopwatch::thread_time;
use crate::textbook::SearchCounts;
use common::chance::{IndexedRandom, Random};
use common::stop::StopToken;
use draughts::board::{Color, Game, Position};
use draughts::referee::{Draws, Referee};
use players::client::{PlayerError, SearchResult};
use players::game::{self, Player, Turn};

/// A player in a game, whose chance both players share.
struct MeasuredPlayer<'a> {
    player: &'a mut LabPlayer,
    random: &'a RefCell<Random>,
    side: &'a mut Side,
    /// The counts of this game.
    counts: SearchCounts,
}

impl Player for MeasuredPlayer<'_> {
    fn choose_move(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        let began = thread_time();
        let mv = self.player.choose(turn.state, &mut self.random.borrow_mut(), &mut self.counts);
        let mv = mv.ok_or_else(PlayerError::no_move)?;
        self.side.moves += 1;
        self.side.time += thread_time().saturating_sub(began);
        Ok(SearchResult::of(mv))
    }
}

/// Plays a game from a position, adds it to the records of both players, and returns the winner. Players and their records
/// are given by colour.
pub(super) fn play(
    players: [(&mut LabPlayer, &mut Side); 2],
    mut state: Game,
    draws: Draws,
    random: Random,
) -> Option<Color> {
    let random = RefCell::new(random);
    let mut players = players.map(|(player, side)| {
        player.new_game();
        MeasuredPlayer { player, random: &random, side, counts: SearchCounts::default() }
    });
    let mut referee = Referee::new(draws, None);
    let end = game::play(players.each_mut(), &mut state, [None; 2], &mut referee, &StopToken::default());
    let winner = match end {
        Ok((result, _)) => result.winner(),
        Err((side, _)) => Some(!side),
    };
    for (color, MeasuredPlayer { side, counts, .. }) in [Color::Black, Color::White].into_iter().zip(players)
    {
        side.wins += u32::from(winner == Some(color));
        side.depths += counts.deepest as u64;
        side.counts += counts;
    }
    winner
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
