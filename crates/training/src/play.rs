//! Self-play on all cores. Games are appended to one file; each depends only on the seed and its number.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::engines::GamesError;
use super::file::{SampleHeader, StoredGames};
use super::record::{header_of, record, score_of};
use super::sample::TrainingSample;
use kelso_batch::error::failed;
use kelso_batch::shard::Shard;
use kelso_draughts::ballot::Deck;
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::referee::{DrawRules, Referee};
use kelso_draughts::result::{EndReason, GameEnd};
use kelso_draughts::score::ReportedScore;
use kelso_endgames::Databases;
use kelso_engine::eval;
use kelso_engine::search::Limits;
use kelso_engine::{Engine, EngineSettings, Setting};
use kelso_players::player::{self, EnginePlayer, Observer, Player, PlayerError, SearchResult, Turn};
use kelso_random::{IndexedRandom, Random, RngExt};
use kelso_runtime::stop::StopToken;

/// The settings of self-play.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The seed of the random numbers.
    pub seed: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Number of branches per game. A branch is another game that continues from one of its positions after
    /// one or two random moves.
    pub branches: u32,
    /// A game ends when this number of pieces is left, or is played to its end if this is `None`. Such games
    /// have no samples with so few pieces.
    pub stop_at: Option<u8>,
    /// Number of games in all shards.
    pub games: u64,
    /// The games of this process.
    pub shard: Shard,
    /// Number of concurrent games.
    pub threads: usize,
    pub settings: EngineSettings,
}

const RANDOM_PLIES: RangeInclusive<usize> = 5..=10;
/// Maximum absolute score after an opening.
const MAX_OPENING_SCORE: i32 = 150;
/// Number of openings to try before accepting an uneven one.
const MAX_OPENING_TRIES: usize = 20;
/// A game is drawn once this many plies have passed without progress and a search then gives a score within
/// `MAX_DRAWN_SCORE`. Earlier scores do not count.
const MAX_PLIES_WITHOUT_PROGRESS: usize = 40;
const MAX_DRAWN_SCORE: i32 = 60;
/// The number of plies after which a game is drawn.
const MAX_PLIES: u32 = 220;
/// Number of plies of random play that are labelled by the databases.
const KNOWN_PLIES: usize = 8;
/// Maximum number of plies of random play before the databases know the position.
const UNKNOWN_PLIES: usize = 16;
/// Size of the transposition table, small enough for a core's cache.
const TABLE_MEBIBYTES: usize = 1;
/// How many times the nodes of a move decide the result of a game that ends at a number of pieces.
const SETTLING_FACTOR: u64 = 20;
/// The score of that search from which on the game is won.
const WON_SCORE: i32 = 100;

impl SelfPlay {
    /// Returns the name of the file, without a directory.
    pub fn file_name(&self) -> PathBuf {
        format!("{}-{}-of-{}.pos", self.seed, self.shard.index, self.shard.count).into()
    }

    /// Returns the numbers of the games in this shard.
    fn numbers(&self) -> impl Iterator<Item = u64> {
        (0..self.games).filter(|&number| self.shard.has(number))
    }

    /// Returns the number of games in this shard.
    pub fn count(&self) -> u64 {
        let Shard { index, count } = self.shard;
        (self.games + u64::from(count - index)) / u64::from(count)
    }

    /// Plays until all games are in the file or `on_progress` returns `false`. Finished games are never lost.
    pub fn run(
        &self,
        folder: &Path,
        on_progress: &mut dyn FnMut(StoredGames) -> bool,
    ) -> Result<StoredGames, GamesError> {
        let engines: Vec<Engine> = (0..self.threads.max(1))
            .map(|_| Engine::checked(self.settings.clone().with_default(Setting::Hash(TABLE_MEBIBYTES))))
            .collect::<Result<_, _>>()?;
        std::fs::create_dir_all(folder).map_err(failed("create", folder))?;
        let head = SampleHeader {
            seed: self.seed,
            nodes: self.nodes,
            shard: Some(self.shard),
            branches: Some(self.branches),
            stop_at: self.stop_at,
            ..header_of(&engines[0])
        };
        let starts = starts();
        let path = folder.join(self.file_name());
        record(
            &path,
            &head,
            engines,
            self.numbers(),
            |engine, number| self.play(engine, &starts, number),
            on_progress,
        )
    }

    /// Plays a game and its branches. Returns samples of positions in which the side to move has no capture.
    /// Games start from `starts` in turn, with random moves. The same number, settings and engine give the
    /// same samples.
    fn play(
        &self,
        engine: &mut Engine,
        starts: &[Position],
        number: u64,
    ) -> Result<Vec<TrainingSample>, PlayerError> {
        let mut random = kelso_random::stream(&[self.seed, number]);
        engine.new_game();
        let engine = &*engine;
        let mut samples = Vec::new();
        #[expect(clippy::cast_possible_truncation, reason = "less than the number of positions")]
        let start = starts[(number % starts.len() as u64) as usize];
        let start = self.opening(engine, start, &mut random)?;
        let moves = self.play_on(engine, start.clone(), &mut random, &mut samples)?;
        for _ in 0..self.branches {
            let branch = branch(&start, &moves, &mut random);
            self.play_on(engine, branch, &mut random, &mut samples)?;
        }
        Ok(samples)
    }

    /// Returns a game of random moves after which neither side is far ahead.
    fn opening(&self, engine: &Engine, start: Position, random: &mut Random) -> Result<Game, PlayerError> {
        let mut game = Game::new(start);
        for _ in 0..MAX_OPENING_TRIES {
            game = Game::new(start);
            let plies = random.random_range(RANDOM_PLIES);
            for _ in 0..plies {
                let moves = game.position().moves();
                let Some(&mv) = moves.choose(random) else { break };
                game.play(mv);
            }
            let stop = StopToken::default();
            let turn = Turn::new(&game, [None; 2], &stop);
            if game.end().is_none()
                && score_of(&self.player(engine).choose_move(&turn)?).within(MAX_OPENING_SCORE)
            {
                break;
            }
        }
        Ok(game)
    }

    /// Plays a game to its end and adds its samples. Returns the moves.
    fn play_on(
        &self,
        engine: &Engine,
        mut game: Game,
        random: &mut Random,
        samples: &mut Vec<TrainingSample>,
    ) -> Result<Vec<Move>, PlayerError> {
        let (begun, databases) = (game.moves().len(), engine.databases());
        let referee =
            Referee::new(DrawRules::STANDARD, Some(databases)).limited_to(Some(MAX_PLIES)).after(&game);
        let mut observer = SampleObserver { referee, stop_at: self.stop_at, seen: Vec::new() };
        let mut players = [self.player(engine), self.player(engine)];
        let stop = StopToken::default();
        let end = player::play(players.each_mut(), &mut game, [None; 2], &mut observer, &stop);
        let mut result = end.map_err(|(_, error)| error)?.result;
        let is_stopped = observer.stops(&game);
        if is_stopped && game.position().can_move() && databases.probe(game.position()).is_none() {
            result = self.settle(engine, &game)?.result;
        }
        let seen = observer.seen;
        let played = seen.iter().enumerate().map(|(index, (position, score))| {
            TrainingSample::new(
                position,
                TrainingSample::score_of(*score),
                result.wdl(position.side()),
                index,
            )
        });
        samples.extend(played);
        if self.stop_at.is_none() {
            walk(databases, *game.position(), seen.len(), random, samples);
        }
        Ok(game.moves()[begun..].to_vec())
    }

    /// Returns the end of a game by a longer search.
    fn settle(&self, engine: &Engine, game: &Game) -> Result<GameEnd, PlayerError> {
        let limits = Limits::nodes(self.nodes.saturating_mul(SETTLING_FACTOR));
        let stop = StopToken::default();
        let turn = Turn::new(game, [None; 2], &stop);
        let score = score_of(&EnginePlayer { engine, limits }.choose_move(&turn)?);
        let side = game.position().side();
        Ok(if score.within(WON_SCORE - 1) {
            GameEnd::draw(EndReason::Agreement)
        } else {
            GameEnd::won_by(if score.at_least(1) { side } else { !side }, EndReason::Resignation)
        })
    }

    fn player<'a>(&self, engine: &'a Engine) -> EnginePlayer<'a> {
        EnginePlayer { engine, limits: Limits::nodes(self.nodes) }
    }
}

/// Returns the starting positions. Half of all games begin with the standard position, half with an
/// eleven-man ballot.
fn starts() -> Vec<Position> {
    Deck::ElevenMan.in_play().flat_map(|ballot| [Position::start(), ballot.end()]).collect()
}

/// Records the scores of the quiet positions of a game.
struct SampleObserver<'a> {
    referee: Referee<'a>,
    /// The number of pieces at which the game stops.
    stop_at: Option<u8>,
    seen: Vec<(Position, ReportedScore)>,
}

impl SampleObserver<'_> {
    fn stops(&self, game: &Game) -> bool {
        self.stop_at.is_some_and(|pieces| game.position().piece_count() <= pieces.into())
    }
}

impl Observer for SampleObserver<'_> {
    fn end(&self, game: &Game) -> Option<GameEnd> {
        self.referee.end(game).or_else(|| self.stops(game).then(|| GameEnd::draw(EndReason::Agreement)))
    }

    fn on_search(&mut self, game: &Game, found: &SearchResult) -> Option<GameEnd> {
        let (position, score) = (*game.position(), score_of(found));
        if !position.must_capture() {
            self.seen.push((position, score));
        }
        if !score.within(eval::LIMIT) {
            // The result is known, and further play would reach it.
            let winner = if score.at_least(1) { position.side() } else { !position.side() };
            return Some(GameEnd::won_by(winner, EndReason::Resignation));
        }
        let is_drawn = game.reversible_plies() >= MAX_PLIES_WITHOUT_PROGRESS && score.within(MAX_DRAWN_SCORE);
        is_drawn.then_some(GameEnd::draw(EndReason::Agreement))
    }
}

/// Returns the game up to a random position, followed by a different random move and, half the time, a second
/// random move. Such games show how mistakes are refuted. Games between equals rarely show this, but the
/// leaves of a search often require it.
fn branch(start: &Game, moves: &[Move], random: &mut Random) -> Game {
    let mut game = start.clone();
    // Take the smaller of two random numbers, which favours early positions: late ones are much alike.
    let [one, other] = std::array::from_fn(|_| random.random_range(0..=moves.len()));
    for (place, &played) in moves.iter().enumerate() {
        let others: Vec<Move> = game.position().moves().iter().copied().filter(|&mv| mv != played).collect();
        if place >= one.min(other)
            && let Some(&mv) = others.choose(random)
        {
            game.play(mv);
            break;
        }
        game.play(played);
    }
    let moves = game.position().moves();
    if random.random()
        && let Some(&mv) = moves.choose(random)
    {
        game.play(mv);
    }
    game
}

/// Plays random moves until the databases know the position, and adds samples from there on. Games do not
/// provide such samples, since they end before they reach these positions.
fn walk(
    databases: &Databases,
    mut position: Position,
    ply: usize,
    random: &mut Random,
    samples: &mut Vec<TrainingSample>,
) {
    let (mut seen, mut step) = (0, 0);
    while seen < KNOWN_PLIES && step < KNOWN_PLIES + UNKNOWN_PLIES {
        let moves = position.moves();
        let Some(&mv) = moves.choose(random) else { break };
        let value = databases.value(&position);
        seen += usize::from(value.is_some());
        if let Some(value) = value
            && !mv.is_capture()
        {
            let score = TrainingSample::score_of(value.into());
            samples.push(TrainingSample::new(&position, score, value.wdl, ply + step));
        }
        step += 1;
        position = position.after(mv);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::testing::read;
    use kelso_batch::testing::Folder;
    use kelso_draughts::notation::fen;
    use kelso_draughts::result::{KnownValue, Wdl};
    use kelso_engine::eval::EvaluationKind;

    fn plan(shard: Shard, threads: usize) -> SelfPlay {
        let material = Setting::Evaluation(EvaluationKind::Material);
        SelfPlay {
            seed: 3,
            nodes: 60,
            branches: 1,
            stop_at: None,
            games: 10,
            shard,
            threads,
            settings: [material].into(),
        }
    }

    #[test]
    fn games_are_the_same_however_they_are_played() {
        let folder = Folder::new();
        let run = |plan: &SelfPlay, name: &str| {
            let progress = plan.run(&folder.path(name), &mut |_| true).unwrap();
            assert_eq!(progress.games, plan.count());
            folder.path(name).join(plan.file_name())
        };
        let one = run(&plan(Shard::WHOLE, 1), "one");
        let whole = read(&one).unwrap();
        assert_eq!(whole.iter().map(|game| game.number).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        assert!(whole.iter().map(|game| game.samples.len()).sum::<usize>() > 200);
        let two = run(&plan(Shard::WHOLE, 2), "two");
        assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
        // The run is stopped after every second game, and once during a write.
        let (plan_three, mut runs) = (plan(Shard::WHOLE, 2), 0);
        let three = folder.path("three").join(plan_three.file_name());
        loop {
            let mut calls = 0..2;
            let progress = plan_three.run(&folder.path("three"), &mut |_| calls.next() == Some(0)).unwrap();
            runs += 1;
            if progress.games == plan_three.count() {
                break;
            }
            if runs == 2 {
                let bytes = fs::read(&three).unwrap();
                fs::write(&three, &bytes[..bytes.len() - 5]).unwrap();
            }
        }
        assert!(runs > 2, "{runs}");
        assert_eq!(fs::read(&one).unwrap(), fs::read(three).unwrap());

        let mut parts =
            [1, 2].map(|index| read(&run(&plan(Shard { index, count: 2 }, 1), "parts")).unwrap()).concat();
        parts.sort_by_key(|game| game.number);
        assert!(parts == whole);
    }

    #[test]
    fn more_games_make_a_run_longer() {
        let folder = Folder::new();
        let few = SelfPlay { games: 2, ..plan(Shard::WHOLE, 1) };
        few.run(&folder.path("a"), &mut |_| true).unwrap();
        let more = SelfPlay { games: 4, ..plan(Shard::WHOLE, 1) };
        let progress = more.run(&folder.path("a"), &mut |_| true).unwrap();
        assert_eq!((progress.games, more.count()), (4, 4));
        let error = SelfPlay { nodes: 61, ..more }.run(&folder.path("a"), &mut |_| true).unwrap_err();
        assert!(error.to_string().contains("another run: nodes was \"60\" and is now \"61\""), "{error}");
    }

    fn branching(branches: u32) -> SelfPlay {
        SelfPlay { seed: 9, nodes: 80, branches, ..plan(Shard::WHOLE, 1) }
    }

    fn play(engine: &mut Engine, plan: &SelfPlay, number: u64) -> Vec<TrainingSample> {
        plan.play(engine, &[Position::start()], number).unwrap()
    }

    #[test]
    fn a_game_follows_from_its_number() {
        let [mut one, mut other] = std::array::from_fn(|_| Engine::new([Setting::Hash(1)]).unwrap());
        let plan = branching(0);
        let games: Vec<Vec<TrainingSample>> = (0..4).map(|number| play(&mut one, &plan, number)).collect();
        for number in [2, 0, 3, 1] {
            assert_eq!(play(&mut other, &plan, number), games[usize::try_from(number).unwrap()]);
        }
        assert!(games.iter().all(|game| game.len() > 10));
        assert!(games[0] != games[1]);
        let other_seed = SelfPlay { seed: 10, ..plan };
        assert!(play(&mut one, &other_seed, 0) != games[0]);
    }

    #[test]
    fn branches_begin_with_a_random_move_of_their_game() {
        let mut engine = Engine::new([Setting::Hash(1)]).unwrap();
        let games = |branches, engine: &mut Engine| -> Vec<Vec<TrainingSample>> {
            (0..6).map(|number| play(engine, &branching(branches), number)).collect()
        };
        let (alone, with_two) = (games(0, &mut engine), games(2, &mut engine));
        for (game, branched) in alone.iter().zip(&with_two) {
            let (same, more) = branched.split_at(game.len());
            assert_eq!(same, game);
            let begun = more.iter().filter(|sample| sample.ply == 0).count();
            assert!(begun <= 2, "{begun}");
            let seen: Vec<_> = game.iter().map(TrainingSample::key).collect();
            let new = more.iter().filter(|sample| !seen.contains(&sample.key())).count();
            assert!(2 * new >= more.len(), "{new} of {}", more.len());
        }
        let samples = |games: &[Vec<TrainingSample>]| games.iter().map(Vec::len).sum::<usize>();
        assert!(3 * samples(&with_two) > 4 * samples(&alone));
    }

    #[test]
    fn games_stop_at_a_number_of_pieces() {
        let mut engine = Engine::new([Setting::Hash(1)]).unwrap();
        let stopping = SelfPlay { stop_at: Some(12), ..branching(0) };
        let mut labels = [0; 3];
        for number in 0..20 {
            let whole = play(&mut engine, &branching(0), number);
            let stopped = play(&mut engine, &stopping, number);
            assert!(stopped.iter().all(|sample| sample.pieces() > 12));
            if let Some(sample) = stopped.first() {
                labels[sample.label as usize] += 1;
            }
            // Until it stops, a game is the same.
            let before = whole.iter().take_while(|sample| sample.pieces() > 12);
            let before = before.map(|sample| (sample.key(), sample.score));
            assert!(before.eq(stopped.iter().map(|sample| (sample.key(), sample.score))), "{number}");
        }
        assert!(labels.iter().all(|&count| count > 0), "{labels:?}");
    }

    #[test]
    fn a_game_that_ends_at_its_number_of_pieces_is_not_settled() {
        let engine = Engine::new([Setting::Hash(1)]).unwrap();
        let stopping = SelfPlay { stop_at: Some(12), ..branching(0) };
        let blocked = fen::parse("B:W25,27,28,30,31:B21,24").unwrap();
        assert!(!blocked.can_move() && engine.databases().probe(&blocked).is_none());
        let (mut samples, mut random) = (Vec::new(), kelso_random::stream(&[1]));
        let moves = stopping.play_on(&engine, Game::new(blocked), &mut random, &mut samples).unwrap();
        assert!(moves.is_empty() && samples.is_empty());
    }

    #[test]
    fn samples_are_quiet_and_known_results_are_right() {
        let mut engine = Engine::new([Setting::Hash(1)]).unwrap();
        let (mut known_samples, mut labels) = (0, [0; 3]);
        for number in 0..20 {
            let samples = play(&mut engine, &branching(0), number);
            for sample in &samples {
                let position = sample.position();
                assert!(!position.must_capture(), "{position:?}");
                assert!(!position.moves().is_empty());
                if let Some(KnownValue { wdl, plies }) = engine.databases().value(&position) {
                    let seen = (sample.label, sample.score.signum(), sample.distance());
                    let distance = plies.map(|plies| i16::try_from(plies).unwrap());
                    let distance = distance.or((wdl != Wdl::Draw).then_some(0));
                    assert_eq!(seen, (wdl, wdl as i16 - 1, distance), "{position:?}");
                    known_samples += 1;
                }
                labels[sample.label as usize] += 1;
            }
            // All samples of a game are labelled with its result.
            let played: Vec<_> =
                samples.iter().filter(|sample| !engine.databases().covers(sample.pieces())).collect();
            let decided = played.iter().filter(|sample| sample.label != Wdl::Draw).count();
            assert!(decided == 0 || decided == played.len());
        }
        assert!(known_samples > 10, "{known_samples}");
        assert!(labels.iter().all(|&count| count > 20), "{labels:?}");
    }
}
