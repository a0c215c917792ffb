//! Series of games between two players.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::player::LabPlayer;
use super::{PlayerKind, PlayerSpec};
use crate::textbook::SearchCounts;
use kelso_draughts::board::{Color, Game, Position};
use kelso_draughts::referee::{DrawRules, ProgressRule, Referee};
use kelso_draughts::result::{GameResult, WdlCounts};
use kelso_engine::SettingError;
use kelso_players::player::play;
use kelso_random::{IndexedRandom, Random};
use kelso_runtime::stop::StopToken;

/// A series of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The players. The first has Black unless colours are exchanged.
    pub players: [PlayerSpec; 2],
    pub games: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    pub draw: DrawRules,
    /// Number of random moves at the start of each game.
    pub opening_plies: usize,
    /// Whether each opening is played twice, the second time with colours exchanged.
    pub exchange: bool,
}

/// The record of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    pub moves: u64,
    /// Totals of the player's search counts, with the deepest ply of any game.
    pub counts: SearchCounts,
    /// Sum over all games of the deepest ply in each.
    pub depths: u64,
    /// Processor time spent on the player's moves.
    pub time: Duration,
}

/// The score of a series so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesScore {
    /// The results of the first player.
    pub results: WdlCounts,
    /// The records of the first and the second player.
    pub sides: [Side; 2],
}

/// The RNG streams for openings and for moves.
const OPENING: u64 = 0;
const PLAY: u64 = 1;

impl Series {
    /// Returns the largest depth of a textbook searcher that has no other limit.
    pub fn fixed_depth(&self) -> Option<usize> {
        let textbook = self.players.iter().filter(|player| matches!(player.kind, PlayerKind::Textbook(_)));
        let limits = textbook.map(|player| &player.limits);
        let unlimited = limits.filter(|limits| limits.time.is_none() && limits.nodes.is_none());
        unlimited.filter_map(|limits| limits.depth).max()
    }

    /// Returns a series from the starting position in which the first player always has Black, as in
    /// Peterson's study.
    pub const fn new(players: [PlayerSpec; 2], games: u32, seed: u64) -> Self {
        Self {
            players,
            games,
            seed,
            draw: DrawRules::of(ProgressRule::CaptureOrCrowning),
            opening_plies: 0,
            exchange: false,
        }
    }

    /// Plays the games until stopped, and calls `on_game` with the score after each.
    pub fn run(
        &self,
        stop: &StopToken,
        on_game: &mut dyn FnMut(&SeriesScore),
    ) -> Result<SeriesScore, SettingError> {
        let mut players = self.players()?;
        let mut score = SeriesScore::default();
        for number in 0..self.games {
            if !self.play(number, &mut players, &mut score, stop) {
                break;
            }
            on_game(&score);
        }
        Ok(score)
    }

    pub(super) fn players(&self) -> Result<[LabPlayer; 2], SettingError> {
        let [first, second] = self.players.clone();
        Ok([LabPlayer::new(first, self.draw)?, LabPlayer::new(second, self.draw)?])
    }

    /// Plays the game with a given number and adds it to a score. Returns whether the game was completed.
    pub(super) fn play(
        &self,
        number: u32,
        players: &mut [LabPlayer; 2],
        score: &mut SeriesScore,
        stop: &StopToken,
    ) -> bool {
        let exchanged = self.exchange && number % 2 == 1;
        let opening_number = if self.exchange { number / 2 } else { number };
        let mut game = opening(
            self.opening_plies,
            &mut kelso_random::stream(&[self.seed, OPENING, opening_number.into()]),
        );
        let random = Arc::new(Mutex::new(kelso_random::stream(&[self.seed, PLAY, number.into()])));
        for player in &mut *players {
            player.begin_game(&random);
        }
        let mut seats = players.each_mut();
        if exchanged {
            seats.reverse();
        }
        let mut referee = Referee::new(self.draw, None).after(&game);
        let end = play(seats, &mut game, [None; 2], &mut referee, stop);
        if stop.is_stopped() {
            return false;
        }
        let result = end.map_or_else(|(side, _)| GameResult::won_by(!side), |end| end.result);
        let first = if exchanged { Color::White } else { Color::Black };
        score.results.count(result.wdl(first));
        for (side, player) in score.sides.iter_mut().zip(players) {
            player.end_game();
            *side = player.record;
        }
        true
    }
}

/// Returns a game after `plies` random moves, or fewer if it would otherwise be over or decided.
fn opening(plies: usize, random: &mut Random) -> Game {
    let mut game = Game::new(Position::start());
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

#[cfg(test)]
mod tests {
    use super::*;

    impl SeriesScore {
        /// Returns the score without times, which differ from run to run.
        fn timeless(mut self) -> Self {
            for side in &mut self.sides {
                side.time = Duration::ZERO;
            }
            self
        }
    }

    fn series(first: &str, second: &str, games: u32) -> Series {
        let players = [first, second].map(|text| PlayerSpec::parse(text).unwrap());
        Series::new(players, games, 7)
    }

    fn run(series: &Series) -> SeriesScore {
        series.run(&StopToken::default(), &mut |_| {}).unwrap().timeless()
    }

    #[test]
    fn the_same_seed_gives_the_same_counts() {
        for players in [
            ("searcher=ab tt=on q=on depth=4 eval=v3", "random"),
            ("searcher=mtdf depth=3 eval=v2", "searcher=bns depth=3 eval=v2"),
            ("searcher=alphabeta depth=3", "random"),
            ("random", "random"),
        ] {
            let mut series = series(players.0, players.1, 6);
            let once = run(&series);
            assert_eq!(once, run(&series), "{players:?}");
            series.seed = 8;
            if players.1 == "random" {
                assert_ne!(once, run(&series), "{players:?}");
            }
        }
    }

    #[test]
    fn a_search_beats_random_moves_with_both_colours() {
        let score = run(&series("searcher=ab depth=4 eval=v1", "random", 10));
        assert!(score.results.wins >= 8, "{score:?}");
        let score = run(&series("random", "searcher=ab depth=4 eval=v1", 10));
        assert!(score.results.losses >= 8, "{score:?}");
        assert_eq!(score.results.total(), 10);
    }

    #[test]
    fn a_game_can_be_played_again_alone() {
        // A longer series begins with the games of a shorter one, and each game adds the same counts as on
        // its own.
        let mut sums = Vec::new();
        let long = series("searcher=ab tt=on depth=4 eval=v1", "random", 5);
        long.run(&StopToken::default(), &mut |score| sums.push(score.timeless())).unwrap();
        for (index, &sum) in sums.iter().enumerate() {
            let short = Series { games: u32::try_from(index + 1).unwrap(), ..long.clone() };
            assert_eq!(run(&short), sum);
        }
    }

    #[test]
    fn with_exchanged_colours_equal_players_get_equal_results() {
        let mut series = series("searcher=ab depth=3 eval=v2", "searcher=ab depth=3 eval=v2", 12);
        series.exchange = true;
        series.opening_plies = 6;
        let score = run(&series);
        assert_eq!(score.sides[0], score.sides[1]);
        assert_eq!((score.results.wins, score.results.total()), (score.results.losses, 12));
    }

    #[test]
    fn a_series_stops_on_request() {
        let series = series("random", "random", 1000);
        let stop = StopToken::default();
        let mut on_game = |score: &SeriesScore| {
            if score.results.total() == 3 {
                stop.stop();
            }
        };
        assert_eq!(series.run(&stop, &mut on_game).unwrap().results.total(), 3);
    }
}
