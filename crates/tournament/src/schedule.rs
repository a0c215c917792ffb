//! The schedule of a match: the players, the order and the opening of each game.
//!
//! The schedule depends only on its settings: game `n` is the same on every machine and in every run, which
//! makes sharding, resuming and merging possible. The random numbers are the same with every version of every
//! dependency.

use serde::{Deserialize, Serialize};

use kelso_batch::shard::Shard;
use kelso_random::SliceRandom;
use thiserror::Error;

kelso_syntax::named! {
    /// The format of a tournament.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Format {
        /// Every engine plays every other engine.
        #[default]
        RoundRobin: "round-robin";
        /// The first engine plays all others.
        Gauntlet: "gauntlet";
    }
}

kelso_syntax::named! {
    /// The order of openings.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum OpeningOrder {
        /// In random order. Each opening is used once before any is repeated.
        #[default]
        Random: "random";
        /// As in the file.
        Sequential: "sequential";
    }
}

/// The settings of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    pub order: OpeningOrder,
    pub format: Format,
    /// Number of openings per pairing, each played with both colours.
    pub rounds: u32,
    pub seed: u64,
    /// The shard of the match to play: a part of its pairs.
    pub shard: Shard,
}

/// Maximum number of games of a match. Their openings must fit in memory.
pub const MAX_GAMES: u64 = 100_000_000;

/// One game of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fixture {
    /// Number in the whole schedule, from 0.
    pub game: u32,
    /// Number, from 0, of the pair: two games on one opening with colours exchanged.
    pub pair: u32,
    /// The round, from 0.
    pub round: u32,
    /// The engine that plays Black.
    pub black: u32,
    /// The engine that plays White.
    pub white: u32,
    pub opening: u32,
}

impl Fixture {
    /// Returns the engines that play Black and White.
    pub const fn players(&self) -> [usize; 2] {
        [self.black as usize, self.white as usize]
    }

    /// Returns whether this is the second game of its pair.
    pub const fn completes_pair(&self) -> bool {
        self.game % 2 == 1
    }

    /// Looks up what the game needs.
    pub(super) fn item<'a, T>(
        &self,
        item: &'static str,
        index: u32,
        items: &'a [T],
    ) -> Result<&'a T, ScheduleError> {
        items.get(index as usize).ok_or(ScheduleError::Missing { game: self.game, item, index })
    }
}

/// The reason why a match cannot be scheduled.
#[derive(Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScheduleError {
    /// There are fewer than two engines.
    #[error("a match needs at least two engines, got {0}")]
    TooFewEngines(u32),
    /// There are no rounds or no openings.
    #[error("a match needs at least one round and one opening")]
    NoGames,
    /// There are too many games.
    #[error("a match has at most {MAX_GAMES} games, got {0}")]
    TooManyGames(u64),
    /// A game needs an engine or an opening that the match does not have. All are counted from 0.
    #[error("game {} needs {item} {}, which the match does not have", u64::from(*game) + 1, u64::from(*index) + 1)]
    Missing { game: u32, item: &'static str, index: u32 },
}

/// All games of a match in order.
#[derive(Clone, Debug)]
pub struct Schedule {
    meetings: Vec<(u32, u32)>,
    /// The opening of each round.
    openings: Vec<u32>,
    shard: Shard,
    pairs: u32,
}

impl Schedule {
    pub fn new(plan: &Plan, engines: u32, openings: u32) -> Result<Self, ScheduleError> {
        if engines < 2 {
            return Err(ScheduleError::TooFewEngines(engines));
        }
        let meetings: Vec<_> = match plan.format {
            Format::RoundRobin => (0..engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect(),
            Format::Gauntlet => (1..engines).map(|b| (0, b)).collect(),
        };
        let pairs = meetings.len() as u64 * u64::from(plan.rounds);
        if pairs == 0 || openings == 0 {
            return Err(ScheduleError::NoGames);
        }
        let pairs = match u32::try_from(pairs) {
            Ok(count) if pairs * 2 <= MAX_GAMES => count,
            _ => return Err(ScheduleError::TooManyGames(pairs * 2)),
        };
        Ok(Self { meetings, openings: order(plan, openings), shard: plan.shard, pairs })
    }

    /// Returns the number of games in the shard.
    pub fn games(&self) -> u32 {
        let Shard { index, count } = self.shard;
        2 * ((self.pairs + count - index) / count)
    }

    /// Returns the games of the shard, in order.
    pub fn fixtures(&self) -> impl Iterator<Item = Fixture> + '_ {
        (0..self.pairs)
            .filter(|&pair| self.shard.has(pair))
            .flat_map(|pair| [2 * pair, 2 * pair + 1])
            .filter_map(|game| self.fixture(game))
    }

    pub fn fixture(&self, game: u32) -> Option<Fixture> {
        let pair = game / 2;
        let width = u32::try_from(self.meetings.len()).ok()?;
        let round = pair / width;
        let &(first, second) = self.meetings.get((pair % width) as usize)?;
        let &opening = self.openings.get(round as usize)?;
        let (black, white) = if game.is_multiple_of(2) { (first, second) } else { (second, first) };
        Some(Fixture { game, pair, round, black, white, opening })
    }
}

/// Returns the opening of each round. The list is shuffled again each time it is used up.
fn order(plan: &Plan, openings: u32) -> Vec<u32> {
    let mut random = kelso_random::stream(&[plan.seed]);
    let mut pass: Vec<u32> = (0..openings).collect();
    let mut openings = Vec::with_capacity(plan.rounds as usize);
    while openings.len() < plan.rounds as usize {
        if plan.order == OpeningOrder::Random {
            pass.shuffle(&mut random);
        }
        openings.extend(pass.iter().take(plan.rounds as usize - openings.len()));
    }
    openings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            order: OpeningOrder::Random,
            format: Format::RoundRobin,
            rounds: 10,
            seed: 7,
            shard: Shard::WHOLE,
        }
    }

    fn games(plan: &Plan) -> Vec<Fixture> {
        Schedule::new(plan, 3, 4).unwrap().fixtures().collect()
    }

    #[test]
    fn everyone_meets_everyone_with_both_colours_on_each_opening() {
        let games = games(&plan());
        assert_eq!(games.len(), 60);
        for pair in games.chunks(2) {
            assert_eq!((pair[0].black, pair[0].white), (pair[1].white, pair[1].black));
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(pair[0].pair, pair[1].pair);
        }
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            assert_eq!(games.iter().filter(|g| (g.black, g.white) == (a, b)).count(), 10);
        }
    }

    #[test]
    fn a_gauntlet_pairs_the_first_engine_with_all_others() {
        let games = games(&Plan { format: Format::Gauntlet, ..plan() });
        assert_eq!(games.len(), 40);
        assert!(games.iter().all(|g| g.black == 0 || g.white == 0));
    }

    #[test]
    fn each_opening_comes_once_before_any_comes_again() {
        let openings: Vec<_> = games(&plan()).chunks(6).map(|round| round[0].opening).collect();
        for pass in openings.chunks_exact(4) {
            let mut pass = pass.to_vec();
            pass.sort_unstable();
            assert_eq!(pass, [0, 1, 2, 3]);
        }
        let ordered: Vec<_> = games(&Plan { order: OpeningOrder::Sequential, ..plan() });
        assert_eq!(ordered.iter().step_by(6).map(|g| g.opening).collect::<Vec<_>>()[..5], [0, 1, 2, 3, 0]);
    }

    #[test]
    fn the_schedule_depends_only_on_the_seed() {
        assert_eq!(games(&plan()), games(&plan()));
        assert_ne!(games(&plan()), games(&Plan { seed: 8, ..plan() }));
    }

    #[test]
    fn shards_partition_the_schedule() {
        let whole = games(&plan());
        let mut parts = Vec::new();
        for index in 1..=7 {
            let plan = Plan { shard: Shard { index, count: 7 }, ..plan() };
            let part = games(&plan);
            assert_eq!(part.len(), Schedule::new(&plan, 3, 4).unwrap().games() as usize);
            parts.extend(part);
        }
        parts.sort_by_key(|g| g.game);
        assert_eq!(parts, whole);
    }

    #[test]
    fn names_equal_the_serialized_names() {
        let word = |name: &str| format!("\"{name}\"");
        assert_eq!(Format::ALL.map(Format::name), ["round-robin", "gauntlet"]);
        assert_eq!(OpeningOrder::ALL.map(OpeningOrder::name), ["random", "sequential"]);
        for format in Format::ALL {
            assert_eq!(serde_json::to_string(&format).unwrap(), word(format.name()));
        }
        for order in OpeningOrder::ALL {
            assert_eq!(serde_json::to_string(&order).unwrap(), word(order.name()));
        }
    }

    #[test]
    fn every_game_has_its_number_round_colours_and_opening() {
        let settings = Plan { order: OpeningOrder::Sequential, rounds: 2, ..plan() };
        let schedule = Schedule::new(&settings, 3, 4).unwrap();
        let known: Vec<_> = schedule.fixtures().collect();
        let expected = [
            (0, 0, 0, 0, 1, 0),
            (1, 0, 0, 1, 0, 0),
            (2, 1, 0, 0, 2, 0),
            (3, 1, 0, 2, 0, 0),
            (4, 2, 0, 1, 2, 0),
            (5, 2, 0, 2, 1, 0),
            (6, 3, 1, 0, 1, 1),
            (7, 3, 1, 1, 0, 1),
            (8, 4, 1, 0, 2, 1),
            (9, 4, 1, 2, 0, 1),
            (10, 5, 1, 1, 2, 1),
            (11, 5, 1, 2, 1, 1),
        ];
        let fixture =
            |(game, pair, round, black, white, opening)| Fixture { game, pair, round, black, white, opening };
        assert_eq!(known, expected.map(fixture));
        assert_eq!(
            (schedule.games(), schedule.fixture(11), schedule.fixture(12)),
            (12, Some(known[11]), None)
        );
        // Six pairs in four parts.
        for (index, pairs) in [(1, vec![0, 4]), (2, vec![1, 5]), (3, vec![2]), (4, vec![3])] {
            let part = Plan { shard: Shard { index, count: 4 }, ..settings };
            let part = Schedule::new(&part, 3, 4).unwrap();
            assert_eq!(part.games() as usize, 2 * pairs.len());
            assert_eq!(part.fixtures().map(|fixture| fixture.pair).step_by(2).collect::<Vec<_>>(), pairs);
        }
        let many = Plan { rounds: 50_000_001, ..settings };
        assert_eq!(Schedule::new(&many, 2, 1).unwrap_err(), ScheduleError::TooManyGames(100_000_002));
    }

    #[test]
    fn invalid_values_are_rejected() {
        for (rounds, engines, openings, part) in [
            (10, 1, 4, "two engines"),
            (0, 3, 4, "one round"),
            (10, 3, 0, "one opening"),
            (u32::MAX, 3, 4, "at most"),
        ] {
            let error = Schedule::new(&Plan { rounds, ..plan() }, engines, openings).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
