//! Makes the uneven openings of matches: positions from the engine's own games in which one side is better by
//! so much that engines of equal strength draw about half of the games.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use kelso_batch::pool::{InOrder, divide};
use kelso_draughts::ballot::Deck;
use kelso_draughts::board::relative::Key;
use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::referee::{DrawRules, Referee};
use kelso_draughts::result::Wdl;
use kelso_engine::search::{Bound, Control, Limits, LineReport, Score, SearchEvent};
use kelso_engine::{Engine, Setting};
use kelso_players::player::{self, EnginePlayer};
use kelso_random::{IndexedRandom, RngExt};
use kelso_runtime::stop::StopToken;

use crate::progress::Progress;
use crate::shared::shots::threads;
use crate::write;

#[derive(Args)]
pub struct Arguments {
    /// Smallest number of pieces
    #[arg(long, value_name = "N", default_value_t = 18)]
    least: u32,
    /// Largest number of pieces
    #[arg(long, value_name = "N", default_value_t = 22)]
    most: u32,
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 2000)]
    count: usize,
    /// Seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Number of random moves at the start of a game.
const RANDOM_PLIES: RangeInclusive<usize> = 5..=10;
/// Nodes for each later move. One in `SLIPS` is random, since games of equal players rarely become uneven.
const NODES: u64 = 1000;
const SLIPS: u32 = 8;
/// The chance of a win, in thousandths, that the better side must have in a search of `JUDGE_NODES` nodes.
const CHANCES: RangeInclusive<u32> = 450..=750;
const JUDGE_NODES: u64 = 20_000;
/// Nodes for each move of the games that an opening is tried in. The better side must win some, but not all.
const TRIALS: [u64; 4] = [2000, 3000, 4000, 5000];
/// The minimum number of squares in which an opening must differ from all others.
const DIFFERENT_SQUARES: u32 = 6;
/// Draw rules that end the games early.
const DRAWS: DrawRules = DrawRules { no_progress_plies: 50, ..DrawRules::STANDARD };
const MAX_PLIES: u32 = 220;

impl Arguments {
    pub fn run(&self) -> Result<()> {
        ensure!(self.least <= self.most, "the smallest number of pieces is larger than the largest");
        let ballots = Deck::ElevenMan.in_play();
        let starts: Vec<Position> = ballots.flat_map(|ballot| [Position::start(), ballot.end()]).collect();
        let engines =
            (0..threads()).map(|_| Ok(Engine::new([Setting::Hash(4)])?)).collect::<Result<Vec<_>>>()?;
        let (mut order, mut progress) = (InOrder::default(), Progress::new("openings", self.count));
        let mut openings: Vec<Key> = Vec::new();
        let find = |engine: &mut Engine, number: usize| (number, self.find(engine, &starts, number));
        divide(engines, 0.., find, |found| {
            let Some((number, key)) = found else { return anyhow::Ok(true) };
            for key in order.add(number, key).flatten() {
                let is_new = openings.iter().all(|other| differences(key, *other) >= DIFFERENT_SQUARES);
                if is_new && openings.len() < self.count {
                    openings.push(key);
                    progress.add(1);
                }
            }
            Ok(openings.len() < self.count)
        })?;
        let Self { least, most, count, seed, .. } = self;
        let mut text =
            format!("# measure openings --least {least} --most {most} --count {count} --seed {seed}\n");
        for Key { own, enemy, .. } in openings {
            writeln!(text, "{own:08x} {enemy:08x}")?;
        }
        write(&self.out, &text)
    }

    /// Plays a game with slips, and returns one of its positions, if it is a good opening.
    fn find(&self, engine: &mut Engine, starts: &[Position], number: usize) -> Option<Key> {
        let mut random = kelso_random::stream(&[self.seed, number as u64]);
        engine.new_game();
        let mut game = Game::new(*starts.get(number % starts.len())?);
        let random_plies = random.random_range(RANDOM_PLIES);
        let mut candidates = Vec::new();
        for ply in 0.. {
            let position = *game.position();
            let pieces = position.piece_count();
            if game.end().is_some() || pieces < self.least {
                break;
            }
            let is_early = ply < random_plies;
            let found = if is_early { Some((0, None)) } else { search(engine, &position, NODES) };
            let Some((cp, best)) = found else { break };
            let is_quiet = !position.must_capture() && !position.is_threatened();
            let has_kings = Color::BOTH.iter().any(|&side| !position.kings(side).is_empty());
            if !is_early && pieces <= self.most && is_quiet && !has_kings && is_uneven(cp, &position) {
                candidates.push(position);
            }
            let slips = is_early || random.random_ratio(1, SLIPS);
            let mv = if slips { position.moves().choose(&mut random).copied() } else { best };
            game.play(mv?);
        }
        let position = *candidates.choose(&mut random)?;
        engine.new_game();
        let (cp, _) = search(engine, &position, JUDGE_NODES)?;
        let better = if cp > 0 { position.side() } else { !position.side() };
        (is_uneven(cp, &position) && is_open(engine, &position, better)).then(|| Key::of(&position))
    }
}

/// Returns the score and the best move of a search, unless the result is known.
fn search(engine: &Engine, position: &Position, nodes: u64) -> Option<(i32, Option<Move>)> {
    let mut cp = None;
    let answer = engine.search(&Game::new(*position), &Limits::nodes(nodes), &Control::new(), &mut |event| {
        if let SearchEvent::Line(LineReport { bound: Bound::Exact, rank: 1, score, .. }) = event {
            cp = score.is_evaluation().then(|| score.value());
        }
    });
    Some((cp?, answer.best))
}

fn is_uneven(cp: i32, position: &Position) -> bool {
    let [win, _, loss] = Score::evaluation(cp).win_rates(false, position).thousandths();
    CHANCES.contains(&win.max(loss))
}

/// Returns whether the better side wins some trial games and does not win others.
fn is_open(engine: &mut Engine, position: &Position, better: Color) -> bool {
    let mut wins = TRIALS.iter().map(|&nodes| {
        engine.new_game();
        let engine = &*engine;
        let player = || EnginePlayer { engine, limits: Limits::nodes(nodes) };
        let mut referee = Referee::new(DRAWS, Some(engine.databases())).limited_to(Some(MAX_PLIES));
        let (mut players, mut game) = ([player(), player()], Game::new(*position));
        let end = player::play(players.each_mut(), &mut game, [None; 2], &mut referee, &StopToken::default());
        end.is_ok_and(|end| end.result.wdl(better) == Wdl::Win)
    });
    let first = wins.next();
    wins.any(|won| Some(won) != first)
}

/// Returns the number of squares in which two openings differ.
const fn differences(one: Key, two: Key) -> u32 {
    ((one.own ^ two.own) | (one.enemy ^ two.enemy)).count_ones()
}
