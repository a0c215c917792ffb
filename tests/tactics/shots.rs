//! Shots: positions of games in which a combination wins, that a search which prunes misses. A search without pruning finds them, as
//! the same engine does with margins so wide that no node is far enough outside its window.
//!
//! They show what matches against oneself can't: a blindness that both sides share.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use kelso::board::{Game, Move, Position};
use kelso::engine::{Engine, Setting};
use kelso::notation::{fen, movetext};
use kelso::search::{Bound, Control, Event, Limits, Margins, Report, ScoreKind};

use super::find::{is_candidate, material};
use super::{NODES, engine};
use crate::reference::random::Random;

/// How many are looked for.
const COUNT: usize = 200;
/// Nodes for a move of the games.
const PLAY: u64 = 2_000;
/// Nodes without pruning for a first look at a position: three in four of the shots that 100,000 find show at once.
const LOOK: u64 = 20_000;
/// Nodes without pruning within which a move must be seen to win, and the others seen not to.
const PROOF: u64 = 1_000_000;
/// Nodes without pruning that confirm it, from the position after that move.
const CONFIRM: u64 = 6_000_000;
/// What a search without pruning must find to call a position won, and what the other moves must stay below it, in
/// hundredths of a man.
const WON: i32 = 100;
const APART: i32 = 80;
/// Values from here on are results that are proved, or that databases know.
const KNOWN: i32 = 15_001;
/// Positions with fewer pieces are for databases.
const FEWEST: u32 = 8;

/// How many of odd and of even games 200,000 nodes solve.
const SEEN: [usize; 2] = [10, 9];

/// The lines above the shots.
const HEAD: &str = "\
# Shots: positions of games in which one move wins, and the search that plays chooses another. Only a search without
# pruning sees it, and sees it soon.
#
# The games are Kelso's against itself at 2,000 nodes a move, with six moves at random to begin with and one in eight
# after that; of each the first shot that comes up. In each position nothing can be captured, four moves or more can be
# chosen, neither side is more than a man ahead, and eight pieces or more are left. The engine is asked with the
# databases that are compiled in, a table of 64 MiB and the margins that its section names; it chooses another move after
# 4 million nodes, and after 400,000. Without pruning (surplus, futility, verify-above and verify-under of 3000) it finds
# the move within 20,000 nodes, and within 1 million it sees that the move wins material that is still won where its line
# ends at rest, or the game, and that all other moves are at least 0.8 men worse. After the move another 6 million
# nodes without pruning confirm the win: at least a man, and still better than the other moves.
#
# Each line is a position, the move, what it wins by the line that was found (a king counts 1.5 men), and the number of
# the game. Margins may be tuned on shots of odd games, never on those of even ones.
#
# Found by `cargo test --release tactics::shots::find_shots -- --ignored --nocapture`, which goes on where the file ends,
# keeps what it has after every 16 games, and finds the same shots as long as the search is the same.
";

/// A position and the only move that wins.
struct Shot {
    position: Position,
    best: Move,
    /// What it wins.
    won: String,
    game: u64,
}

/// The margins with which nothing is pruned.
fn unpruned() -> Margins {
    Margins::parse("surplus=3000 futility=3000 verify-above=3000 verify-under=3000").unwrap()
}

/// What a search has found.
struct Found {
    best: Move,
    /// In hundredths of a man; known results are far beyond what evaluations come to.
    value: i32,
    line: Vec<Move>,
}

/// The engine that plays, and the same without pruning, for a look and for a proof.
struct Judge {
    playing: Engine,
    scout: Engine,
    seeing: Engine,
}

fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> Option<Found> {
    engine.new_game();
    let mut found = None;
    let mut hear = |event| {
        if let Event::Line(Report { bound: Bound::Exact | Bound::Lower, score, line, .. }) = event
            && let Some(&best) = line.first()
        {
            let value = match score.kind() {
                ScoreKind::Win(_) => KNOWN + 1,
                ScoreKind::Loss(_) => -KNOWN - 1,
                ScoreKind::Open(value) => value,
            };
            found = Some(Found { best, value, line });
        }
    };
    engine.search(&Game::new(*position), limits, &Control::new(false), &mut hear);
    found
}

/// What a line wins for the side that begins it, in halves of a man, with the captures after it.
fn gain(position: &Position, line: &[Move]) -> i32 {
    let end = line.iter().fold(*position, |position, &mv| position.after(mv));
    let balance = |position: &Position| material(position, 0, -20_000, 20_000);
    let sign = if end.side() == position.side() { 1 } else { -1 };
    sign * balance(&end) - balance(position)
}

impl Judge {
    fn new() -> Self {
        let unpruned = |mebibytes| {
            let mut engine = engine(mebibytes);
            engine.apply(Setting::Margins(unpruned())).unwrap();
            engine
        };
        Self { playing: engine(64), scout: unpruned(4), seeing: unpruned(64) }
    }

    /// Whether a position is a shot.
    fn judge(&mut self, position: &Position, game: u64) -> Option<Shot> {
        let look = search(&mut self.scout, position, &Limits::nodes(LOOK))?;
        if look.value < WON {
            return None;
        }
        // What is found at once needs no second look.
        for nodes in [LOOK, NODES / 10, NODES] {
            if search(&mut self.playing, position, &Limits::nodes(nodes))?.best == look.best {
                return None;
            }
        }
        let proof = search(&mut self.seeing, position, &Limits::nodes(PROOF))?;
        let gain = gain(position, &proof.line);
        if proof.best != look.best || proof.value < WON || gain < 2 && proof.value < KNOWN {
            return None;
        }
        let others: Vec<Move> = position.moves().into_iter().filter(|&mv| mv != proof.best).collect();
        let limits = Limits { search_moves: others, ..Limits::nodes(PROOF) };
        let other = search(&mut self.seeing, position, &limits)?.value;
        let after = position.after(proof.best);
        let confirmed = -search(&mut self.seeing, &after, &Limits::nodes(CONFIRM))?.value;
        let least = if confirmed < KNOWN { WON.max(other + APART) } else { WON.max(other + 1) };
        let won = if proof.value < KNOWN { men(gain) } else { "the game".to_owned() };
        (confirmed >= least).then_some(Shot { position: *position, best: proof.best, won, game })
    }
}

/// Halves of a man in words.
fn men(halves: i32) -> String {
    let half = if halves % 2 == 0 { "" } else { ".5" };
    format!("{}{half} men", halves / 2)
}

/// A game by its number, between two copies of the engine of which each plays at random now and then; the first shot
/// that comes up in it.
fn shot_of_game(number: u64, judge: &mut Judge, player: &mut Engine) -> Option<Shot> {
    let mut random = Random::new(number);
    let mut game = Game::default();
    player.new_game();
    for ply in 0..120 {
        let position = *game.position();
        let moves = position.moves();
        if moves.is_empty() || position.piece_count() < FEWEST {
            return None;
        }
        if ply >= 6
            && is_candidate(&position)
            && let Some(shot) = judge.judge(&position, number)
        {
            return Some(shot);
        }
        let chance = ply < 6 || random.one_in(8);
        let answer =
            || player.search(&game, &Limits::nodes(PLAY), &Control::new(false), &mut |_| {}).best.unwrap();
        let mv = if chance { random.pick(&moves) } else { answer() };
        game.play(mv);
    }
    None
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shots.txt")
}

fn format(shot: &Shot) -> String {
    let (position, best) = (fen::format(&shot.position), movetext::format(&shot.position, shot.best));
    format!("{position}; {best}; {}; game {}", shot.won, shot.game)
}

fn shots() -> Vec<Shot> {
    let text = std::fs::read_to_string(file()).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let parts: Vec<&str> = line.split("; ").collect();
        let [position, best, won, game] = parts[..] else { panic!("not a shot: {line}") };
        let position = fen::parse(position).unwrap();
        let best = movetext::parse(&position, best).unwrap();
        let game = game.strip_prefix("game ").unwrap().parse().unwrap();
        Shot { position, best, won: won.into(), game }
    };
    lines.map(read).collect()
}

/// Games looked at side by side, whose shots are kept together.
const BLOCK: u64 = 16;

#[test]
#[ignore = "takes hours"]
fn find_shots() {
    let mut text = std::fs::read_to_string(file()).unwrap_or_else(|_| HEAD.to_owned());
    let known = if file().exists() { shots() } else { Vec::new() };
    let (mut first, mut found) = (known.last().map_or(0, |shot| shot.game) + 1, known.len());
    writeln!(text, "\n# {}", Margins::default()).unwrap();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    while found < COUNT {
        let (next, block) = (AtomicU64::new(first), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let (mut judge, mut player) = (Judge::new(), engine(4));
                    let take =
                        || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|game| *game < first + BLOCK);
                    while let Some(game) = take() {
                        block.lock().unwrap().extend(shot_of_game(game, &mut judge, &mut player));
                    }
                });
            }
        });
        // In the order of games, whatever the number of threads.
        let mut block = block.into_inner().unwrap();
        block.sort_by_key(|shot| shot.game);
        for shot in &block {
            writeln!(text, "{}", format(shot)).unwrap();
        }
        std::fs::write(file(), &text).unwrap();
        found += block.len();
        println!("{found} of {COUNT} in {} games", first + BLOCK - 1);
        first += BLOCK;
    }
}

/// How many shots of odd games, which margins may be tuned on, and of even ones are solved, of how many.
fn solved(limits: &Limits) -> [(usize, usize); 2] {
    let (shots, next) = (shots(), AtomicUsize::new(0));
    let counts = Mutex::new([(0, 0); 2]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut engine = engine(16);
                while let Some(shot) = shots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    engine.new_game();
                    let game = Game::new(shot.position);
                    let answer = engine.search(&game, limits, &Control::new(false), &mut |_| {});
                    let (solved, all) = &mut counts.lock().unwrap()[usize::from(shot.game % 2 == 0)];
                    *solved += usize::from(answer.best == Some(shot.best));
                    *all += 1;
                }
            });
        }
    });
    counts.into_inner().unwrap()
}

/// What is seen today stays seen; more is better, and to be written here.
#[test]
fn shots_that_are_seen_stay_seen() {
    let [(tuned, _), (held_out, _)] = solved(&Limits::nodes(200_000));
    assert!(tuned >= SEEN[0] && held_out >= SEEN[1], "{tuned} and {held_out} instead of {SEEN:?}");
}

#[test]
fn shots_are_quiet_choices() {
    let shots = shots();
    for (index, shot) in shots.iter().enumerate() {
        let text = format(shot);
        assert!(is_candidate(&shot.position) && shot.position.piece_count() >= FEWEST, "{text}");
        assert!(shots[..index].iter().all(|other| other.position != shot.position), "{text}");
    }
    assert!(shots.is_sorted_by_key(|shot| shot.game));
}

/// How many are solved: `cargo test --release tactics::shots::count_shots -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn count_shots() {
    for nodes in [200_000, 1_000_000, NODES] {
        let [(tuned, odd), (held_out, even)] = solved(&Limits::nodes(nodes));
        println!("{nodes} nodes: {tuned} of {odd} of odd games, {held_out} of {even} of even games");
    }
}
