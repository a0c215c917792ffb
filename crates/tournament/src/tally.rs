//! Counts of finished games, on which all reports are based. Also detects repeated games, which have the same
//! moves.
//!
//! Deterministic engines play the same game again from the same opening. A repeated game is not a new
//! observation, so estimates and tests count it only once.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use serde::Serialize;

use super::match_game::{MatchGame, Termination};
use kelso_draughts::board::Color;
use kelso_draughts::record::{Ply, moves_key};
use kelso_draughts::result::WdlCounts;
use kelso_reports::statistics::{Interval, Pairs, ratings, real};

/// The numbers of occurrences of values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram(BTreeMap<u64, u64>);

impl Histogram {
    fn add(&mut self, number: Option<u64>) {
        if let Some(number) = number {
            *self.0.entry(number).or_default() += 1;
        }
    }

    pub fn median(&self) -> Option<f64> {
        let count: u64 = self.0.values().sum();
        Some(f64::midpoint(self.nth(count.checked_sub(1)? / 2)?, self.nth(count / 2)?))
    }

    /// Returns the value with an index in the order of the values.
    fn nth(&self, mut index: u64) -> Option<f64> {
        for (&value, &count) in &self.0 {
            match index.checked_sub(count) {
                Some(rest) => index = rest,
                None => return Some(real(value)),
            }
        }
        None
    }
}

/// Sums over an engine's moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveTotals {
    pub moves: u64,
    /// Times of the moves that had an alternative, in microseconds.
    pub micros: Histogram,
    /// Depths of the moves that had an alternative.
    pub depths: Histogram,
    /// The longest time of a move, in microseconds.
    longest_micros: Option<u64>,
    /// Total nodes of the moves with a known time.
    timed_nodes: u64,
    /// Total time of the moves with a known node count, in microseconds.
    node_micros: u64,
}

impl MoveTotals {
    fn add(&mut self, ply: &Ply, is_forced: bool) {
        let micros = ply.search.time.and_then(|time| u64::try_from(time.as_micros()).ok());
        self.moves += 1;
        self.longest_micros = self.longest_micros.max(micros);
        if !is_forced {
            self.micros.add(micros);
            self.depths.add(ply.search.depth.map(u64::from));
        }
        if let Some(nodes) = ply.search.nodes
            && let Some(micros) = micros
        {
            self.timed_nodes = self.timed_nodes.saturating_add(nodes);
            self.node_micros = self.node_micros.saturating_add(micros);
        }
    }

    pub fn averages(&self) -> MoveAverages {
        MoveAverages {
            moves: self.moves,
            seconds: self.micros.median().map(|micros| micros / 1e6),
            longest: self.longest_micros.map(|micros| real(micros) / 1e6),
            depth: self.depths.median(),
            speed: (self.node_micros > 0).then(|| real(self.timed_nodes) / real(self.node_micros) * 1e6),
        }
    }
}

/// Averages over an engine's moves, as far as they are known.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MoveAverages {
    pub moves: u64,
    /// Median time in seconds of the moves that had an alternative.
    pub seconds: Option<f64>,
    /// The longest time of a move in seconds.
    pub longest: Option<f64>,
    /// Median depth of the moves that had an alternative.
    pub depth: Option<f64>,
    /// Nodes per second.
    pub speed: Option<f64>,
}

impl MoveAverages {
    /// Returns whether no time, depth or speed was reported.
    pub(super) fn are_unknown(&self) -> bool {
        [self.seconds, self.depth, self.speed].iter().all(Option::is_none)
    }
}

/// The results of an engine.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    pub name: String,
    /// Results with Black and with White.
    pub by_color: [WdlCounts; 2],
    /// Results without repeated games.
    pub distinct: WdlCounts,
    /// Pairs of games against all others, without pairs that have a repeated game.
    pub pairs: Pairs,
    pub totals: MoveTotals,
    /// Number of games lost by each kind of fault.
    pub faults: BTreeMap<Termination, u64>,
}

impl Standing {
    pub fn wdl(&self) -> WdlCounts {
        let [mut all, white] = self.by_color;
        all += white;
        all
    }
}

/// The results between two engines, from the point of view of the first.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    pub wdl: WdlCounts,
    /// Results by game, without repeated games.
    pub distinct: WdlCounts,
    /// Results by pair of games, without pairs that have a repeated game.
    pub pairs: Pairs,
}

impl Meeting {
    fn reversed(&self) -> Self {
        let Self { wdl, distinct, pairs } = self;
        Self { wdl: wdl.reversed(), distinct: distinct.reversed(), pairs: pairs.reversed() }
    }
}

/// The key of a pair of games: a hash of its match, and its number in that match.
pub type PairKey = (u64, u32);

/// The counts of a match.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// The results of each engine, in order.
    pub(super) standings: Vec<Standing>,
    meetings: BTreeMap<(usize, usize), Meeting>,
    /// Pairs with only one finished game so far. Maps the key and the engines to the half points of the first
    /// engine, or to `None` for a repeated game.
    half: HashMap<(PairKey, usize, usize), Option<u8>>,
    /// The number of the first game with a content, by its hash.
    first: HashMap<u64, u32>,
    pub(super) repeats: u64,
    /// Number of games for each reason why games ended.
    pub(super) reasons: BTreeMap<Termination, u64>,
    /// The results from Black's point of view.
    pub(super) black: WdlCounts,
    pub(super) plies: u64,
}

impl Tally {
    pub fn new(names: impl IntoIterator<Item: Into<String>>) -> Self {
        let mut tally = Self::default();
        for name in names {
            tally.standings.push(Standing { name: name.into(), ..Standing::default() });
        }
        tally
    }

    /// Adds a game between two engines, given by index, Black first. Two games with the same key and engines
    /// form a pair; a game without a key belongs to none. Returns the number of the earlier game that this
    /// game repeats.
    ///
    /// Two games are the same if the same players played the same moves with the same colours and result, no
    /// matter how many of the moves belong to the opening. A game without moves repeats none.
    pub fn add(&mut self, game: &MatchGame, players: [usize; 2], key: Option<PairKey>) -> Option<u32> {
        let end = (game.result.word(), game.termination.word());
        let content = hash(&(players, moves_key(&game.start, &game.plies), end));
        let repeated = match self.first.entry(content) {
            Entry::Occupied(first) => (!game.plies.is_empty()).then_some(*first.get()),
            Entry::Vacant(entry) => {
                entry.insert(game.number);
                None
            }
        };
        let is_new = repeated.is_none();
        self.repeats += u64::from(!is_new);
        let forced: Vec<bool> = game.positions().map(|position| position.moves().len() == 1).collect();
        for (side, index) in Color::BOTH.into_iter().zip(players) {
            let standing = &mut self.standings[index];
            standing.by_color[side.index()].count(game.result.wdl(side));
            if is_new {
                standing.distinct.count(game.result.wdl(side));
            }
            if game.at_fault() == Some(side) {
                *standing.faults.entry(game.termination).or_default() += 1;
            }
            let moves = game.moves().zip(&forced).filter(|((mover, _), _)| *mover == side);
            moves.for_each(|((_, ply), &is_forced)| standing.totals.add(ply, is_forced));
        }
        *self.reasons.entry(game.termination).or_default() += 1;
        self.black.count(game.result.wdl(Color::Black));
        self.plies += game.plies.len() as u64;
        self.meet(game, players, key, is_new);
        repeated
    }

    fn meet(&mut self, game: &MatchGame, players: [usize; 2], key: Option<PairKey>, is_new: bool) {
        let [black, white] = players;
        if black == white {
            return;
        }
        let first = black.min(white);
        let second = black.max(white);
        let side = if black == first { Color::Black } else { Color::White };
        let value = game.result.wdl(side);
        let meeting = self.meetings.entry((first, second)).or_default();
        meeting.wdl.count(value);
        if is_new {
            meeting.distinct.count(value);
        }
        let Some(key) = key else { return };
        let observed = is_new.then_some(value.half_points());
        let Some(other) = self.half.remove(&(key, first, second)) else {
            self.half.insert((key, first, second), observed);
            return;
        };
        // A pair with a repeated game is not an observation.
        let Some(sum) = observed.zip(other).map(|(one, two)| one + two) else { return };
        meeting.pairs.add_half_points(sum);
        for (index, sum) in [(first, sum), (second, 4 - sum)] {
            self.standings[index].pairs.add_half_points(sum);
        }
    }

    /// Returns the results between two engines, given by index, from the point of view of the first.
    pub fn meeting(&self, first: usize, second: usize) -> Meeting {
        let meeting = self.meetings.get(&(first.min(second), first.max(second))).cloned().unwrap_or_default();
        if first <= second { meeting } else { meeting.reversed() }
    }

    /// Returns whether all engines have played the same number of games against each other.
    pub fn is_balanced(&self) -> bool {
        let pairs = self.standings.len() * self.standings.len().saturating_sub(1) / 2;
        let mut totals = self.meetings.values().map(|meeting| meeting.wdl.total());
        let first = totals.next();
        self.meetings.len() == pairs && totals.all(|total| Some(total) == first)
    }

    pub const fn games(&self) -> u64 {
        self.black.total()
    }

    /// Returns the ratings of all players with their intervals, in order. Repeated games are excluded.
    pub fn ratings(&self) -> Vec<Interval> {
        let meetings =
            self.meetings.iter().map(|(&(first, second), meeting)| (first, second, meeting.distinct));
        ratings(self.standings.len(), &meetings.collect::<Vec<_>>())
    }
}

#[cfg(test)]
impl Tally {
    /// Adds a game, whose players are found by their names.
    pub(super) fn add_named(&mut self, game: &MatchGame, key: Option<PairKey>) -> Option<u32> {
        let players = game.players.each_ref().map(|name| {
            self.standings.iter().position(|standing| standing.name == *name).unwrap_or_else(|| {
                self.standings.push(Standing { name: name.clone(), ..Standing::default() });
                self.standings.len() - 1
            })
        });
        self.add(game, players, key)
    }
}

pub(super) fn hash(value: &impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_game::tests::record;
    use kelso_draughts::notation::fen;
    use kelso_draughts::record::SearchInfo;
    use kelso_draughts::result::{EndReason, GameResult};
    use kelso_players::player::FaultKind;
    use std::time::Duration;

    const REPETITION: Termination = Termination::Regular(EndReason::Repetition);
    const TIME: Termination = Termination::Fault(FaultKind::Time);

    /// Exchanges the players.
    fn swapped(mut game: MatchGame) -> MatchGame {
        game.players.reverse();
        game
    }

    /// Removes the last move.
    fn shortened(mut game: MatchGame) -> MatchGame {
        game.plies.pop();
        game
    }

    /// Returns a game that A loses with Black, and one that it draws with White.
    fn two_games() -> [MatchGame; 2] {
        let draw = MatchGame { result: GameResult::Draw, termination: REPETITION, ..swapped(record()) };
        [record(), draw]
    }

    #[test]
    fn pairs_are_put_together_in_any_order() {
        let mut tally = Tally::new(["A", "B"]);
        let [first, second] = two_games();
        tally.add_named(&shortened(second.clone()), Some((0, 2)));
        tally.add_named(&first, Some((0, 3)));
        assert_eq!(tally.meeting(0, 1).pairs, Pairs::default());
        tally.add_named(&second, Some((0, 3)));
        tally.add_named(&first, None);
        assert_eq!(tally.meeting(0, 1).pairs, Pairs([0, 1, 0, 0, 0]));
        assert_eq!(tally.meeting(1, 0).pairs, Pairs([0, 0, 0, 1, 0]));
        let pairs: Vec<_> = tally.standings.iter().map(|standing| standing.pairs).collect();
        assert_eq!(pairs, [Pairs([0, 1, 0, 0, 0]), Pairs([0, 0, 0, 1, 0])]);
    }

    #[test]
    fn games_are_counted_by_result_colour_and_reason() {
        let mut tally = Tally::new(["A", "B"]);
        let [first, second] = two_games();
        for game in [&first, &shortened(second.clone()), &second, &first] {
            tally.add_named(game, None);
        }
        assert_eq!(tally.games(), 4);
        assert_eq!(tally.plies, 19);
        assert_eq!(tally.black, WdlCounts::new(0, 2, 2));
        assert_eq!(tally.repeats, 1);
        let meeting = tally.meeting(0, 1);
        assert_eq!(meeting.wdl, WdlCounts::new(0, 2, 2));
        assert_eq!(meeting.distinct, WdlCounts::new(0, 2, 1));
        let reasons: Vec<_> = tally.reasons.iter().map(|(&reason, &count)| (reason, count)).collect();
        assert_eq!(reasons, [(REPETITION, 2), (TIME, 2)]);
        let [a, b] = &tally.standings[..] else { panic!("{:?}", tally.standings) };
        assert_eq!(a.wdl(), WdlCounts::new(0, 2, 2));
        assert_eq!(a.by_color, [WdlCounts::new(0, 0, 2), WdlCounts::new(0, 2, 0)]);
        assert_eq!(a.faults[&TIME], 2);
        // The opening has three plies, so the first move by an engine is White's.
        assert_eq!(b.totals.depths, Histogram([(14, 2)].into()));
    }

    #[test]
    fn games_without_moves_repeat_none() {
        let mut tally = Tally::new(["A", "B"]);
        let [mut game, _] = two_games();
        game.plies.clear();
        tally.add_named(&game, None);
        tally.add_named(&game, None);
        assert_eq!((tally.games(), tally.repeats), (2, 0));
    }

    #[test]
    fn a_pair_with_a_repeated_game_does_not_count() {
        let mut tally = Tally::new(["A", "B"]);
        let [first, second] = two_games();
        tally.add_named(&first, None);
        tally.add_named(&second, None);
        for (number, game) in [(9, &first), (10, &second)] {
            let mut fresh = first.clone();
            fresh.start = fen::parse(&format!("W:W{number}:B1")).unwrap();
            fresh.plies.clear();
            tally.add_named(game, Some((0, number)));
            tally.add_named(&fresh, Some((0, number)));
        }
        assert_eq!(tally.meeting(0, 1).pairs.count(), 0);
        assert_eq!(tally.games(), 6);
        assert_eq!(tally.repeats, 2);
    }

    #[test]
    fn unlisted_engines_are_added_to_the_tally() {
        let mut game = record();
        game.plies[4].search.depth = Some(3);
        let mut tally = Tally::new(["B"]);
        tally.add_named(&game, None);
        let [b, a] = &tally.standings[..] else { panic!("{:?}", tally.standings) };
        assert_eq!((b.name.as_str(), a.name.as_str()), ("B", "A"));
        assert_eq!(b.wdl(), WdlCounts::new(1, 0, 0));
        assert_eq!((b.totals.micros.median(), b.totals.depths.median()), (Some(103_000.0), Some(14.0)));
        // 120,034 nodes in 0.103 s.
        assert!((b.totals.averages().speed.unwrap() - 1_165_378.6).abs() < 0.1, "{:?}", b.totals);
        // A's move has no time.
        assert_eq!(
            (a.totals.moves, a.totals.averages().speed, a.totals.depths.median()),
            (1, None, Some(3.0))
        );
    }

    #[test]
    fn averages_include_only_moves_with_data() {
        let mut totals = MoveTotals::default();
        let averages = totals.averages();
        assert!(averages.are_unknown() && averages.moves == 0);
        let ply = record().plies[3].clone();
        // Half a second for 1000 nodes, a second and a half for 5000, and a move without nodes.
        for (millis, nodes, depth) in
            [(500, Some(1000), Some(4)), (1500, Some(5000), None), (4000, None, Some(7))]
        {
            let search = SearchInfo { time: Some(Duration::from_millis(millis)), nodes, depth, ..ply.search };
            totals.add(&Ply { search, ..ply.clone() }, false);
        }
        let forced = SearchInfo { depth: Some(99), ..SearchInfo::default() };
        totals.add(&Ply { search: forced, ..ply.clone() }, true);
        totals.add(&Ply { search: SearchInfo::default(), ..ply }, false);
        let averages = totals.averages();
        assert_eq!(
            averages,
            MoveAverages {
                moves: 5,
                seconds: Some(1.5),
                longest: Some(4.0),
                depth: Some(5.5),
                speed: Some(3000.0)
            }
        );
        assert!(!averages.are_unknown());
        assert!(!MoveAverages { seconds: None, speed: None, ..averages }.are_unknown());
    }

    #[test]
    fn ratings_follow_from_distinct_games() {
        let mut tally = Tally::new(["A", "B"]);
        let games: Vec<_> = (1..4)
            .map(|plies| {
                let mut game = record();
                game.plies.truncate(plies);
                game
            })
            .collect();
        // A loses, and wins twice with White.
        tally.add_named(&games[0], None);
        tally.add_named(&swapped(games[1].clone()), None);
        let level = tally.ratings();
        assert!(level.len() == 2 && level.iter().all(|rating| rating.value.abs() < 1e-6), "{level:?}");
        tally.add_named(&swapped(games[2].clone()), None);
        let ratings = tally.ratings();
        let [first, second] = [ratings[0].value, ratings[1].value];
        assert!(first > 10.0 && (first + second).abs() < 1e-6, "{ratings:?}");
        tally.add_named(&swapped(games[2].clone()), None);
        assert_eq!(tally.ratings(), ratings);
    }

    #[test]
    fn the_same_moves_by_the_same_players_are_the_same_game() {
        let mut tally = Tally::new(["A", "B"]);
        let first = record();
        assert_eq!(tally.add_named(&first, None), None);
        // Times, the place in the schedule and the length of the opening make no difference.
        let mut again = MatchGame { number: 70, pair: 35, round: 9, opening_plies: 2, ..first.clone() };
        again.opening = "x".to_owned();
        again.plies[3].search.nodes = Some(1);
        assert_eq!(tally.add_named(&again, None), Some(first.number));
        for other in [
            swapped(first.clone()),
            MatchGame { result: GameResult::Draw, ..first.clone() },
            MatchGame { termination: REPETITION, ..first.clone() },
            shortened(first.clone()),
        ] {
            assert_eq!(tally.add_named(&other, None), None, "{other:?}");
        }
    }
}
