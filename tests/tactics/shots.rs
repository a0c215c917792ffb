//! Shots: positions in which a combination wins and nothing else does, that a search which prunes misses. A search without
//! pruning finds them, as the same engine does with margins so wide that no node is far enough outside its window.
//!
//! They show what matches against oneself can't: a blindness that both sides share.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use draughts::board::{Game, Move, Position};
use draughts::notation::{fen, movetext};
use engine::search::{Bound, Control, Event, Limits, Margins, Report, ScoreKind};
use engine::{Engine, Setting};
use training::{Played, Reader};

use super::find::{is_candidate, material};
use super::{NODES, engine};
use crate::support::number;

/// How many are looked for.
const COUNT: usize = 200;
/// Margins so narrow that a search misses combinations.
const BLIND: &str = "rfp_margin=5 futility_margin=50 probcut_margin=40 probcut_reduction=400";
/// Nodes for a first look, by which most combinations are seen.
const LOOK: u64 = 20_000;
/// Nodes of which the search that plays makes less than a tenth of a second, and misses the shot.
const MISS: u64 = 400_000;
/// Nodes without pruning within which a move must be seen to win, and the others seen not to.
const PROOF: u64 = 250_000;
/// Nodes without pruning that confirm it, from the position after that move.
const CONFIRM: u64 = 6_000_000;
/// What a search without pruning must find to call a position won, and what all other moves must stay below, for that
/// search and for the one that plays, in hundredths of a man.
const WON: i32 = 100;
const OPEN: i32 = 60;
/// Values from here on are results that are proved, or that databases know.
const KNOWN: i32 = 15_001;
/// The most offers of a combination.
const OFFERS: u32 = 5;
/// Games whose shots are kept together.
const BLOCK: usize = 4096;

/// How many of odd and of even numbers 200,000 nodes solve.
const SEEN: [usize; 2] = [35, 38];

/// A position and the only move that wins.
struct Shot {
    position: Position,
    best: Move,
    /// What it wins.
    won: String,
    number: u64,
}

/// The margins with which nothing is pruned.
fn unpruned() -> Margins {
    Margins::parse("rfp_margin=3000 futility_margin=3000 probcut_margin=3000").unwrap()
}

/// What a search has found.
struct Found {
    best: Move,
    /// In hundredths of a man; known results are far beyond what evaluations come to.
    value: i32,
    line: Vec<Move>,
}

/// A search that is blind, and one that sees.
struct Judge {
    blind: Engine,
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
                ScoreKind::Win(Some(_)) => KNOWN + 1,
                ScoreKind::Loss(Some(_)) => -KNOWN - 1,
                _ => score.value(),
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
        let with = |margins| {
            let mut engine = engine(64);
            engine.apply(Setting::Margins(margins)).unwrap();
            engine
        };
        Self { blind: with(Margins::parse(BLIND).unwrap()), seeing: with(unpruned()) }
    }

    /// What the blind search would play, if it sees no win.
    fn overlooks(&mut self, position: &Position, nodes: u64) -> Option<Move> {
        let found = search(&mut self.blind, position, &Limits::nodes(nodes))?;
        (found.value <= OPEN).then_some(found.best)
    }

    /// A position if it is a shot.
    fn judge(&mut self, position: &Position, number: u64) -> Option<Shot> {
        if !is_combination(position) {
            return None;
        }
        self.overlooks(position, LOOK)?;
        let proof = search(&mut self.seeing, position, &Limits::nodes(PROOF))?;
        if proof.value < WON || self.overlooks(position, MISS)? == proof.best {
            return None;
        }
        let others: Vec<Move> = position.moves().into_iter().filter(|&mv| mv != proof.best).collect();
        let limits = Limits { search_moves: others, ..Limits::nodes(PROOF) };
        for engine in [&mut self.seeing, &mut self.blind] {
            if search(engine, position, &limits)?.value > OPEN {
                return None;
            }
        }
        let after = position.after(proof.best);
        let confirmed = -search(&mut self.seeing, &after, &Limits::nodes(CONFIRM))?.value;
        let won = if proof.value < KNOWN { men(gain(position, &proof.line)) } else { "the game".to_owned() };
        (confirmed >= WON).then_some(Shot { position: *position, best: proof.best, won, number })
    }
}

/// Whether two offers or more, each of which forces a capture, win a man, and one does not.
fn is_combination(position: &Position) -> bool {
    let least = material(position, 0, -20_000, 20_000) + 2;
    !forces(position, 1, least) && forces(position, OFFERS, least)
}

/// Whether the side to move can come to so much by so many offers.
fn forces(position: &Position, offers: u32, least: i32) -> bool {
    let moves = position.moves();
    if position.must_capture() {
        return moves.iter().any(|&mv| is_forced(&position.after(mv), offers, least));
    }
    offers > 0
        && moves.iter().any(|&mv| {
            let next = position.after(mv);
            next.must_capture() && is_forced(&next, offers - 1, least)
        })
}

/// The same when the other side is to move: whatever it captures, and at rest no move gives it anything back.
fn is_forced(position: &Position, offers: u32, least: i32) -> bool {
    if position.must_capture() {
        position.moves().iter().all(|&mv| forces(&position.after(mv), offers, least))
    } else {
        -material(position, 1, -20_000, 20_000) >= least
    }
}

/// The shots of a game whose first position has this number.
fn shots_of(game: &Played, first: u64, judge: &mut Judge) -> Vec<Shot> {
    let numbered = (first..).zip(&game.samples);
    let open = numbered.filter(|(_, sample)| (-400..=OPEN).contains(&i32::from(sample.score)));
    let worth_a_look = open.filter_map(|(number, sample)| Some((number, sample.position()?)));
    worth_a_look
        .filter(|(_, position)| is_candidate(position))
        .filter_map(|(number, position)| judge.judge(&position, number))
        .collect()
}

/// Halves of a man in words.
fn men(halves: i32) -> String {
    let half = if halves % 2 == 0 { "" } else { ".5" };
    format!("{}{half} men", halves / 2)
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shots.txt")
}

fn format(shot: &Shot) -> String {
    let (position, best) = (fen::format(&shot.position), movetext::format(&shot.position, shot.best));
    format!("{position}; {best}; {}; number {}", shot.won, shot.number)
}

fn shots() -> Vec<Shot> {
    let text = std::fs::read_to_string(file()).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let parts: Vec<&str> = line.split("; ").collect();
        let [position, best, won, number] = parts[..] else { panic!("not a shot: {line}") };
        let position = fen::parse(position).unwrap();
        let best = movetext::parse(&position, best).unwrap();
        let number = number.strip_prefix("number ").unwrap().parse().unwrap();
        Shot { position, best, won: won.into(), number }
    };
    lines.map(read).collect()
}

/// The next games, each with the number of its first position.
fn next_games(reader: &mut Reader, number: &mut u64) -> Vec<(u64, Played)> {
    let mut games = Vec::new();
    while games.len() < BLOCK
        && let Some(game) = reader.next_game().unwrap()
    {
        let first = *number;
        *number += game.samples.len() as u64;
        games.push((first, game));
    }
    games
}

#[test]
#[ignore = "takes hours"]
fn find_shots() {
    let mut text = std::fs::read_to_string(file()).unwrap();
    let known = shots();
    let (last, mut found) = (known.last().map_or(0, |shot| shot.number), known.len());
    let path = std::env::var("KELSO_POSITIONS").expect("KELSO_POSITIONS names a file of positions");
    let first = number("KELSO_FIRST", 1);
    let (mut reader, mut number) = (Reader::open(Path::new(&path)).unwrap(), first);
    let section = format!("# {BLIND}, numbers from {first}");
    if !text.lines().any(|line| line == section) {
        writeln!(text, "\n{section}").unwrap();
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    while found < COUNT {
        let games = next_games(&mut reader, &mut number);
        if games.is_empty() {
            break;
        }
        let (next, block) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut judge = Judge::new();
                    while let Some((first, game)) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if first + game.samples.len() as u64 > last + 1 {
                            block.lock().unwrap().extend(shots_of(game, *first, &mut judge));
                        }
                    }
                });
            }
        });
        // In the order of their numbers, whatever the number of threads.
        let mut block = block.into_inner().unwrap();
        block.retain(|shot| shot.number > last);
        block.sort_by_key(|shot| shot.number);
        for shot in &block {
            writeln!(text, "{}", format(shot)).unwrap();
        }
        std::fs::write(file(), &text).unwrap();
        found += block.len();
        println!("{found} of {COUNT}, {} positions", number - first);
    }
}

/// How many shots of odd numbers, which margins may be tuned on, and of even ones are solved, of how many.
fn solved(margins: &Margins, limits: &Limits) -> [(usize, usize); 2] {
    let (shots, next) = (shots(), AtomicUsize::new(0));
    let counts = Mutex::new([(0, 0); 2]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut engine = engine(16);
                engine.apply(Setting::Margins(margins.clone())).unwrap();
                while let Some(shot) = shots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    engine.new_game();
                    let game = Game::new(shot.position);
                    let answer = engine.search(&game, limits, &Control::new(false), &mut |_| {});
                    let (solved, all) = &mut counts.lock().unwrap()[usize::from(shot.number % 2 == 0)];
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
    let [(tuned, _), (held_out, _)] = solved(&Margins::default(), &Limits::nodes(200_000));
    assert!(tuned >= SEEN[0] && held_out >= SEEN[1], "{tuned} and {held_out} instead of {SEEN:?}");
}

#[test]
fn shots_are_quiet_choices() {
    let shots = shots();
    for (index, shot) in shots.iter().enumerate() {
        let text = format(shot);
        assert!(is_candidate(&shot.position) && is_combination(&shot.position), "{text}");
        assert!(shots[..index].iter().all(|other| other.position != shot.position), "{text}");
    }
    assert!(shots.is_sorted_by_key(|shot| shot.number));
}

/// How many are solved: `cargo test --release tactics::shots::count_shots -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn count_shots() {
    let searches = [("as it plays", Margins::default()), (BLIND, Margins::parse(BLIND).unwrap())];
    for (name, margins) in searches {
        for nodes in [200_000, 1_000_000, NODES] {
            let [(tuned, odd), (held_out, even)] = solved(&margins, &Limits::nodes(nodes));
            println!(
                "{name}, {nodes} nodes: odd numbers {tuned} of {odd}, even numbers {held_out} of {even}"
            );
        }
    }
}
