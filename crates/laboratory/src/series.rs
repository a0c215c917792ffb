//! Series of games between two players.

use std::cell::RefCell;
use std::time::Duration;

use super::{LabPlayer, PlayerSpec};
use crate::textbook::SearchCounts;
use common::chance::{self, IndexedRandom, Random};
use common::stop::StopToken;
use draughts::board::{Color, Game, Position};
use draughts::referee::{Draws, Referee};
use engine::SettingError;
use players::client::{PlayerError, SearchResult};
use players::game::{self, Player, Turn};

/// A series of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// The players; the first one has Black unless colours are exchanged.
    pub players: [PlayerSpec; 2],
    /// The number of games.
    pub games: u32,
    /// The seed of random numbers.
    pub seed: u64,
    /// The rule by which games are drawn.
    pub draw: Draws,
    /// Random moves at the start of each game.
    pub opening_plies: usize,
    /// True if each opening is played twice, the second time with exchanged colours.
    pub exchange: bool,
}

/// The record of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// Games won.
    pub wins: u32,
    /// Moves made on the board.
    pub moves: u64,
    /// The sums of the counts of its searches, and the deepest ply of all games.
    pub counts: SearchCounts,
    /// The sum over games of the deepest ply in each.
    pub depths: u64,
    /// Processor time spent on its moves.
    pub time: Duration,
}

/// The result of a series, as far as it has been played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesScore {
    /// Games played.
    pub games: u32,
    /// Games drawn.
    pub draws: u32,
    /// The first player and the second.
    pub sides: [Side; 2],
}

/// The random streams of openings and of moves.
const OPENING: u64 = 0;
const PLAY: u64 = 1;

impl Series {
    /// Returns a series from the start in which the first player always has Black, as in Peterson's study.
    pub const fn new(players: [PlayerSpec; 2], games: u32, seed: u64) -> Self {
        Self { players, games, seed, draw: Draws::PAPER, opening_plies: 0, exchange: false }
    }

    /// Plays the games. After each, `on_game` gets the score, and returns false to stop.
    pub fn run(&self, on_game: &mut dyn FnMut(&SeriesScore) -> bool) -> Result<SeriesScore, SettingError> {
        let mut players = self.players()?;
        let mut score = SeriesScore::default();
        for number in 0..self.games {
            self.play(number, &mut players, &mut score);
            if !on_game(&score) {
                break;
            }
        }
        Ok(score)
    }

    /// Returns both players with empty tables.
    pub(super) fn players(&self) -> Result<[LabPlayer; 2], SettingError> {
        let [first, second] = self.players;
        Ok([LabPlayer::new(first)?, LabPlayer::new(second)?])
    }

    /// Plays the game of a number, and adds it to a score.
    pub(super) fn play(&self, number: u32, players: &mut [LabPlayer; 2], score: &mut SeriesScore) {
        let exchanged = self.exchange && number % 2 == 1;
        let opening_number = if self.exchange { number / 2 } else { number };
        let start =
            opening(self.opening_plies, &mut chance::stream(&[self.seed, OPENING, opening_number.into()]));
        let random = chance::stream(&[self.seed, PLAY, number.into()]);
        let ([first, second], [one, other]) = (players, &mut score.sides);
        let mut seats = [(first, one), (second, other)];
        if exchanged {
            seats.reverse();
        }
        score.games += 1;
        score.draws += u32::from(play(seats, start, self.draw, random).is_none());
    }
}

/// A player in a game, whose chance both players share.
struct MeasuredPlayer<'a> {
    player: &'a mut LabPlayer,
    random: &'a RefCell<Random>,
    side: &'a mut Side,
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
fn play(
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
fn opening(plies: usize, random: &mut Random) -> Game {
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

/// Returns the processor time of this thread, so that other programs on the machine do not count.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the time since the first call, where the system does not report processor time.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    impl SeriesScore {
        /// Returns the same without times, which differ from run to run.
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
        series.run(&mut |_| true).unwrap().timeless()
    }

    #[test]
    fn the_same_seed_gives_the_same_counts() {
        for players in [
            ("searcher=ab tt=on q=on depth=4 eval=v3", "random"),
            ("searcher=mtdf depth=3 eval=v2", "searcher=bns depth=3 eval=v2"),
            ("searcher=tournament depth=3", "random"),
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
    fn a_search_beats_chance_from_either_side() {
        let score = run(&series("searcher=ab depth=4 eval=v1", "random", 10));
        assert!(score.sides[0].wins >= 8, "{score:?}");
        let score = run(&series("random", "searcher=ab depth=4 eval=v1", 10));
        assert!(score.sides[1].wins >= 8, "{score:?}");
        let wins = score.sides[0].wins + score.sides[1].wins;
        assert_eq!(wins + score.draws, score.games);
    }

    #[test]
    fn a_game_can_be_played_again_alone() {
        // A longer series begins with the shorter one, and each game adds what it would alone.
        let mut sums = Vec::new();
        let long = series("searcher=ab tt=on depth=4 eval=v1", "random", 5);
        long.run(&mut |score| {
            sums.push(score.timeless());
            true
        })
        .unwrap();
        for (index, &sum) in sums.iter().enumerate() {
            let short = Series { games: u32::try_from(index + 1).unwrap(), ..long };
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
        assert_eq!(score.games, 12);
    }

    #[test]
    fn a_series_ends_when_it_is_told_to() {
        let series = series("random", "random", 1000);
        let score = series.run(&mut |score| score.games < 3).unwrap();
        assert_eq!(score.games, 3);
    }
}
