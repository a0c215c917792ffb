//! One game between two players.

use std::time::Duration;

use super::player::Player;
use common::chance::{IndexedRandom, Random};
use draughts::board::{Color, Game};
use draughts::referee::{Draws, Referee};
use engine::search::textbook::SearchCounts;

/// What a game took one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effort {
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
    pub(super) efforts: [Effort; 2],
}

/// Plays a game from a position. Players are given by colour.
pub(super) fn play(
    mut players: [&mut Player; 2],
    mut game: Game,
    draws: Draws,
    random: &mut Random,
) -> Played {
    for player in &mut players {
        player.new_game();
    }
    let mut referee = Referee::new(draws, None);
    let mut efforts = [Effort::default(); 2];
    loop {
        if let Some((result, _)) = referee.verdict(&game) {
            return Played { winner: result.winner(), efforts };
        }
        let side = game.position().side();
        let Some(choice) = players[side.index()].choose(&game, random) else {
            return Played { winner: Some(!side), efforts };
        };
        let effort = &mut efforts[side.index()];
        effort.moves += 1;
        effort.counts += choice.counts;
        effort.time += choice.time;
        game.play(choice.mv);
        referee.saw(choice.mv);
    }
}

/// A game after so many random moves, or fewer if it would be over or decided by then.
pub(super) fn opening(plies: usize, random: &mut Random) -> Game {
    let mut game = Game::default();
    for _ in 0..plies {
        let moves = game.position().moves();
        let Some(&mv) = moves.choose(random) else { break };
        if !game.position().after(mv).can_move() {
            break;
        }
        game.play(mv);
    }
    game
}
