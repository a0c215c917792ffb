//! One game of self-play and its samples.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::sample::{DECIDED, Label, Sample};
use common::chance::{self, IndexedRandom, Random, RngExt};
use common::stop::StopToken;
use draughts::board::{Color, Game, Move, Position};
use draughts::referee::{Draws, GameResult, Oracle, Reason, Referee};
use endgames::Databases;
use engine::Engine;
use engine::search::Limits;
use engine::search::ScoreKind;
use players::client::SearchResult;
use players::game::{self, EnginePlayer, GameEnd, Observer, Player, Turn};

/// The settings of self-play games.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlayRules {
    /// The seed of the random numbers.
    pub seed: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Number of branches: games played on from a position of the game after one or two random moves.
    pub branches: u32,
}

/// Number of random moves in an opening.
const RANDOM_PLIES: RangeInclusive<usize> = 5..=10;
/// The largest score after an opening.
const EVEN: i32 = 150;
/// The number of openings tried; after that any is used.
const TRIES: usize = 20;
/// A game is drawn after this many plies without progress while all scores stay below `QUIET_SCORE`.
const QUIET_PLIES: usize = 40;
const QUIET_SCORE: i32 = 60;
/// Long games are drawn.
const DRAWS: Draws = Draws { max_plies: Some(220), ..Draws::STANDARD };
/// Number of plies of random play that are labelled by the databases.
const KNOWN_PLIES: usize = 8;
/// Number of plies of random play to reach a position that the databases know.
const UNKNOWN_PLIES: usize = 16;

/// Plays a game and its branches, and returns their samples: positions in which the side to move has no capture. Games start from
/// `starts` in turn, with random moves. The same number, rules and engine give the same samples.
pub(super) fn play(
    engine: &mut Engine,
    rules: &SelfPlayRules,
    starts: &[Position],
    number: u64,
) -> Vec<Sample> {
    let mut random = chance::stream(&[rules.seed, number]);
    engine.new_game();
    let engine = &*engine;
    let mut samples = Vec::new();
    let turn = usize::try_from(number).unwrap_or(0) % starts.len().max(1);
    let start = starts.get(turn).copied().unwrap_or_else(Position::start);
    let start = opening(engine, rules.nodes, start, &mut random);
    let moves = play_on(engine, rules.nodes, start.clone(), &mut random, &mut samples);
    for _ in 0..rules.branches {
        let branch = branch(&start, &moves, &mut random);
        play_on(engine, rules.nodes, branch, &mut random, &mut samples);
    }
    samples
}

/// Records the moves of a game, and the scores of its quiet positions.
struct SampleObserver<'a> {
    referee: Referee<'a>,
    seen: Vec<(Position, ScoreKind)>,
    moves: Vec<Move>,
}

impl Observer for SampleObserver<'_> {
    fn verdict(&self, game: &Game) -> Option<GameEnd> {
        self.referee.verdict(game)
    }

    fn on_search(&mut self, state: &Game, found: &SearchResult) -> Option<GameEnd> {
        let (position, score) = (*state.position(), score_of(found));
        if !position.must_capture() {
            self.seen.push((position, score));
        }
        if !score.is_evaluation() {
            // The result is known, and both sides would reach it.
            let winner = if value(score) > 0 { position.side() } else { !position.side() };
            return Some((GameResult::won_by(winner), Reason::Resignation));
        }
        let quiet = state.quiet_plies() >= QUIET_PLIES && value(score).abs() <= QUIET_SCORE;
        quiet.then_some((GameResult::Draw, Reason::Agreement))
    }

    fn on_move(&mut self, _: Color, found: &SearchResult, _: Option<Duration>) {
        self.moves.push(found.mv);
        self.referee.record(found.mv);
    }
}

/// Plays a game to its end and adds its samples. Returns the moves.
fn play_on(
    engine: &Engine,
    nodes: u64,
    mut game: Game,
    random: &mut Random,
    samples: &mut Vec<Sample>,
) -> Vec<Move> {
    let referee = Referee::new(DRAWS, Some(engine.databases()));
    let mut observer = SampleObserver { referee, seen: Vec::new(), moves: Vec::new() };
    let mut players = [player(engine, nodes), player(engine, nodes)];
    let stop = StopToken::default();
    let end = game::play(players.each_mut(), &mut game, [None; 2], &mut observer, &stop);
    let result = end.map_or(GameResult::Draw, |(result, _)| result);
    let SampleObserver { seen, moves, .. } = observer;
    let played = seen.iter().enumerate().map(|(index, (position, score))| {
        Sample::new(position, stored(*score), label(result, position.side()), index)
    });
    samples.extend(played);
    walk(engine.databases(), *game.position(), seen.len(), random, samples);
    moves
}

/// Returns the game up to a random position, followed by another random move and half the time one more. The games that follow
/// show how mistakes are refuted, which games between equals rarely do and the leaves of a search often need.
fn branch(start: &Game, moves: &[Move], random: &mut Random) -> Game {
    let mut game = start.clone();
    // The smaller of two random numbers favours early positions, since late ones are much alike.
    let [one, other] = [(); 2].map(|()| random.random_range(0..=moves.len()));
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

/// Returns a game that begins with random moves after which neither side is far ahead.
fn opening(engine: &Engine, nodes: u64, start: Position, random: &mut Random) -> Game {
    let mut game = Game::new(start);
    for _ in 0..TRIES {
        game = Game::new(start);
        let plies = random.random_range(RANDOM_PLIES);
        for _ in 0..plies {
            let moves = game.position().moves();
            let Some(&mv) = moves.choose(random) else { break };
            game.play(mv);
        }
        let turn = Turn { state: &game, clocks: [None; 2], stop: &StopToken::default() };
        let even = |found: SearchResult| value(score_of(&found)).abs() <= EVEN;
        if game.outcome().is_none() && player(engine, nodes).choose_move(&turn).is_ok_and(even) {
            break;
        }
    }
    game
}

fn player(engine: &Engine, nodes: u64) -> EnginePlayer<'_> {
    EnginePlayer { engine, limits: Limits::nodes(nodes) }
}

/// The score of a search; a draw if it has none.
fn score_of(found: &SearchResult) -> ScoreKind {
    found.info.score.unwrap_or(ScoreKind::Cp(0))
}

pub(super) fn known(databases: &Databases, position: &Position) -> Option<Label> {
    databases.result(position).map(|result| label(result, position.side()))
}

/// The result from the point of view of a side.
fn label(result: GameResult, side: Color) -> Label {
    match result.winner() {
        None => Label::Draw,
        Some(winner) if winner == side => Label::Win,
        Some(_) => Label::Loss,
    }
}

/// Plays random moves into the positions that the databases know, and adds samples of them, since games end before them.
fn walk(
    databases: &Databases,
    mut position: Position,
    ply: usize,
    random: &mut Random,
    samples: &mut Vec<Sample>,
) {
    let (mut seen, mut step) = (0, 0);
    while seen < KNOWN_PLIES && step < KNOWN_PLIES + UNKNOWN_PLIES {
        let moves = position.moves();
        let Some(&mv) = moves.choose(random) else { break };
        let label = known(databases, &position);
        seen += usize::from(label.is_some());
        if let Some(label) = label
            && !mv.is_capture()
        {
            let score = match label {
                Label::Win => DECIDED,
                Label::Draw => 0,
                Label::Loss => -DECIDED,
            };
            samples.push(Sample::new(&position, score, label, ply + step));
        }
        step += 1;
        position = position.after(mv);
    }
}

fn value(score: ScoreKind) -> i32 {
    match score {
        ScoreKind::Cp(value) => value,
        ScoreKind::Win(_) => DECIDED.into(),
        ScoreKind::Loss(_) => -i32::from(DECIDED),
    }
}

fn stored(score: ScoreKind) -> i16 {
    let most = i32::from(DECIDED);
    i16::try_from(value(score).clamp(-most, most)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> Engine {
        Engine::with_table(1).unwrap()
    }

    const RULES: SelfPlayRules = SelfPlayRules { seed: 9, nodes: 80, branches: 0 };

    fn play(engine: &mut Engine, rules: &SelfPlayRules, number: u64) -> Vec<Sample> {
        super::play(engine, rules, &[Position::start()], number)
    }

    #[test]
    fn a_game_follows_from_its_number() {
        let (mut one, mut other) = (engine(), engine());
        let games: Vec<Vec<Sample>> = (0..4).map(|number| play(&mut one, &RULES, number)).collect();
        for number in [2, 0, 3, 1] {
            assert_eq!(play(&mut other, &RULES, number), games[usize::try_from(number).unwrap()]);
        }
        assert!(games.iter().all(|game| game.len() > 10));
        assert!(games[0] != games[1]);
        let other_seed = SelfPlayRules { seed: 10, ..RULES };
        assert!(play(&mut one, &other_seed, 0) != games[0]);
    }

    #[test]
    fn branches_follow_their_game_and_leave_it_after_a_random_move() {
        let rules = |branches| SelfPlayRules { branches, ..RULES };
        let mut engine = engine();
        let games = |branches, engine: &mut Engine| -> Vec<Vec<Sample>> {
            (0..6).map(|number| play(engine, &rules(branches), number)).collect()
        };
        let (alone, with_two) = (games(0, &mut engine), games(2, &mut engine));
        for (game, branched) in alone.iter().zip(&with_two) {
            let (same, more) = branched.split_at(game.len());
            assert_eq!(same, game);
            let begun = more.iter().filter(|sample| sample.ply == 0).count();
            assert!(begun <= 2, "{begun}");
            let seen: Vec<_> = game.iter().map(|sample| sample.key).collect();
            let new = more.iter().filter(|sample| !seen.contains(&sample.key)).count();
            assert!(2 * new >= more.len(), "{new} of {}", more.len());
        }
        let samples = |games: &[Vec<Sample>]| games.iter().map(Vec::len).sum::<usize>();
        assert!(3 * samples(&with_two) > 4 * samples(&alone));
    }

    #[test]
    fn samples_are_quiet_and_known_results_are_right() {
        let mut engine = engine();
        let (mut known_samples, mut labels) = (0, [0; 3]);
        for number in 0..20 {
            let samples = play(&mut engine, &RULES, number);
            for sample in &samples {
                let position = sample.position().unwrap();
                assert!(!position.must_capture(), "{position:?}");
                assert!(!position.moves().is_empty());
                if let Some(result) = known(engine.databases(), &position) {
                    assert_eq!(sample.label, result, "{position:?}");
                    assert_eq!(i32::from(sample.score), i32::from(DECIDED) * (result as i32 - 1));
                    known_samples += 1;
                }
                labels[sample.label as usize] += 1;
            }
            // All samples of a game have its result.
            let played: Vec<_> =
                samples.iter().filter(|sample| !engine.databases().covers(sample.pieces())).collect();
            let decided = played.iter().filter(|sample| sample.label != Label::Draw).count();
            assert!(decided == 0 || decided == played.len());
        }
        assert!(known_samples > 10, "{known_samples}");
        assert!(labels.iter().all(|&count| count > 20), "{labels:?}");
    }
}
