//! Endings, played out: known wins are won and known draws are held.

use std::time::{Duration, Instant};

use draughts::board::{Color, Game, Kind, Piece, Position, Setup, Square};
use draughts::notation::fen;
use endgames::{Databases, Sources, Wld};
use engine::search::{Control, Limits};
use engine::{Engine, Setting};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::support::number;

/// A position with at most so many pieces, by chance.
fn chance(random: &mut SmallRng, pieces: u32) -> Position {
    loop {
        let side = if random.random() { Color::Black } else { Color::White };
        let mut setup = Setup::empty(side);
        for number in 0..pieces {
            let color = if number * 2 < pieces { Color::Black } else { Color::White };
            let kind = if random.random() { Kind::King } else { Kind::Man };
            let square = Square::from_index(random.random_range(0..32)).unwrap();
            setup.put(square, Piece { color, kind });
        }
        if let Ok(position) = Position::try_from(setup) {
            return position;
        }
    }
}

/// A position with so many pieces and a given result for its side to move, by chance.
fn position(random: &mut SmallRng, databases: &Databases, pieces: u32, result: Wld) -> Position {
    loop {
        let position = chance(random, pieces);
        if position.piece_count() == pieces
            && !position.must_capture()
            && databases.probe(&position) == Some(result)
        {
            return position;
        }
    }
}

fn engine() -> Engine {
    let mut engine = Engine::with_table(8).unwrap();
    engine.apply(Setting::MoveOverhead(Duration::ZERO)).unwrap();
    engine
}

fn reply(engine: &Engine, game: &Game, limits: &Limits) -> draughts::board::Move {
    engine.search(game, limits, &Control::new(false), &mut |_| {}).best.unwrap()
}

/// From won positions of so many pieces, both sides perfect: how often the win takes exactly the shortest time.
fn shortest_wins(engine: &Engine, games: usize, pieces: u32) -> usize {
    let mut random = SmallRng::seed_from_u64(4);
    let mut exact = 0;
    for _ in 0..games {
        let start = position(&mut random, engine.databases(), pieces, Wld::Win);
        let (_, plies) = engine.databases().distance(&start).unwrap();
        let mut game = Game::new(start);
        let mut played = 0;
        while game.position().can_move() && played <= plies {
            let mv = if played % 2 == 0 {
                reply(engine, &game, &Limits::nodes(200))
            } else {
                // The best defence by the distances themselves, not by our search.
                let moves = game.position().moves();
                let delay = |mv: &draughts::board::Move| {
                    engine.databases().distance(&game.position().after(*mv)).unwrap().1
                };
                *moves.iter().max_by_key(|mv| delay(mv)).unwrap()
            };
            game.play(mv);
            played += 1;
        }
        exact += usize::from(played == plies && !game.position().can_move());
    }
    exact
}

#[test]
fn won_endings_of_four_pieces_are_won_the_shortest_way() {
    assert_eq!(shortest_wins(&engine(), 100, 4), 100);
}

#[test]
#[ignore = "takes a while"]
fn a_thousand_won_endings_of_four_pieces_are_won_the_shortest_way() {
    assert_eq!(shortest_wins(&engine(), 1000, 4), 1000);
}

#[test]
#[ignore = "needs distances of five pieces in the folder that KELSO_EGDB names"]
fn won_endings_of_five_pieces_are_won_the_shortest_way() {
    let folder = std::env::var_os("KELSO_EGDB").expect("KELSO_EGDB names a folder");
    let mut engine = engine();
    engine.apply(Setting::EgdbPath(Some(folder.into()))).unwrap();
    assert_eq!(shortest_wins(&engine, 300, 5), 300);
}

/// From drawn positions against moves by chance and against perfect ones: how many are lost.
fn lost_draws(games: usize) -> usize {
    let mut random = SmallRng::seed_from_u64(5);
    let engine = engine();
    let mut lost = 0;
    for number in 0..games {
        let pieces = 4 + u32::from(number % 2 == 0);
        let start = position(&mut random, engine.databases(), pieces, Wld::Draw);
        let mut game = Game::new(start);
        for ply in 0..60 {
            if !game.position().can_move() {
                // The side to move has lost; ours moves at even plies.
                lost += usize::from(ply % 2 == 0);
                break;
            }
            let moves = game.position().moves();
            let mv = if ply % 2 == 0 {
                reply(&engine, &game, &Limits::nodes(500))
            } else if number % 4 < 2 {
                *moves.choose(&mut random).unwrap()
            } else {
                reply(&engine, &game, &Limits::nodes(300))
            };
            game.play(mv);
        }
    }
    lost
}

#[test]
fn drawn_endings_are_held() {
    assert_eq!(lost_draws(100), 0);
}

#[test]
#[ignore = "takes a while"]
fn a_thousand_drawn_endings_are_held() {
    assert_eq!(lost_draws(1000), 0);
}

/// Won endings, played out between engines with databases.
struct Series {
    winner: Engine,
    loser: Engine,
    /// Turns of so many pieces.
    pieces: Vec<u32>,
    /// Numbers of the endings: each is the same in every series of the same turns.
    numbers: std::ops::Range<u64>,
    limits: Limits,
}

/// What came of them.
#[derive(Default)]
struct Outcomes {
    won: u64,
    /// The databases know a move that wins, and another was played.
    let_go: u64,
    /// The most plies in a row without a capture or a man's move, and the plies of the longest game, of those won.
    quiet: usize,
    longest: usize,
}

impl Series {
    /// `KELSO_GAMES` endings from `KELSO_FIRST` on, `KELSO_MS` milliseconds a move, of which the arguments are the first
    /// and last where they aren't set; with the databases of the folder that `KELSO_EGDB` names, or of the user's.
    fn of(pieces: Vec<u32>, games: u64, milliseconds: u64) -> Self {
        let first = number("KELSO_FIRST", 0);
        let engine = || {
            let mut engine = engine();
            if let Some(folder) = std::env::var_os("KELSO_EGDB") {
                engine.apply(Setting::EgdbPath(Some(folder.into()))).unwrap();
            }
            engine
        };
        Self {
            winner: engine(),
            loser: engine(),
            pieces,
            numbers: first..first + number("KELSO_GAMES", games),
            limits: Limits::move_time(Duration::from_millis(number("KELSO_MS", milliseconds))),
        }
    }

    fn start(&self, number: u64) -> Position {
        let mut random = SmallRng::seed_from_u64(number);
        let turn = usize::try_from(number).unwrap() % self.pieces.len();
        position(&mut random, self.winner.databases(), self.pieces[turn], Wld::Win)
    }

    /// Plays all of them.
    fn play(&self) -> Outcomes {
        let mut outcomes = Outcomes::default();
        let begun = Instant::now();
        for number in self.numbers.clone() {
            self.play_one(number, &mut outcomes);
            let played = number + 1 - self.numbers.start;
            if played.is_multiple_of(20) || number + 1 == self.numbers.end {
                let Outcomes { won, let_go, quiet, longest } = outcomes;
                println!(
                    "{won} of {played} won, {let_go} let go, at most {quiet} quiet plies, {longest} in all; {:.0?}",
                    begun.elapsed()
                );
            }
        }
        outcomes
    }

    fn play_one(&self, number: u64, outcomes: &mut Outcomes) {
        let start = self.start(number);
        let databases = self.winner.databases();
        let mut game = Game::new(start);
        let (mut plies, mut most) = (0, 0);
        let mut held = true;
        while game.outcome().is_none() {
            let ours = plies % 2 == 0;
            let before = *game.position();
            let mv = reply(if ours { &self.winner } else { &self.loser }, &game, &self.limits);
            game.play(mv);
            most = game.quiet_plies().max(most);
            plies += 1;
            if ours && databases.probe(game.position()) != Some(Wld::Loss) {
                println!("let go: {} by {mv:?} in {}", fen::format(&start), fen::format(&before));
                held = false;
                break;
            }
        }
        if !held {
            outcomes.let_go += 1;
        } else if game.position().can_move() {
            println!("not won, {:?} after {plies} plies: {}", game.outcome(), fen::format(&start));
        } else {
            outcomes.won += 1;
            outcomes.quiet = outcomes.quiet.max(most);
            outcomes.longest = outcomes.longest.max(plies);
        }
    }
}

/// `cargo test --release endings::won_endings_of_five -- --ignored --nocapture`; with `KELSO_GAMES=1000` for the figure
/// in `docs/figures.md`, with six pieces where the user's data folder has them.
#[test]
#[ignore = "fifty milliseconds a move"]
fn won_endings_of_five_and_six_pieces_are_won_in_time() {
    let mut series = Series::of(vec![5, 6], 100, 50);
    let most = series.winner.databases().max_pieces();
    series.pieces = vec![5, most.min(6)];
    let games = series.numbers.end - series.numbers.start;
    let Outcomes { won, let_go, .. } = series.play();
    assert!(won * 100 >= games * 99 && let_go == 0, "{won} of {games}, {let_go} let go");
}

/// `KELSO_EGDB=FOLDER cargo test --release endings::won_endings_of_seven -- --ignored --nocapture`; a series that was
/// stopped goes on with `KELSO_FIRST`.
#[test]
#[ignore = "a hundred milliseconds a move, and needs databases of seven pieces in the folder that KELSO_EGDB names"]
fn won_endings_of_seven_pieces_are_won_in_time() {
    let series = Series::of(vec![7], 100, 100);
    assert!(series.winner.databases().covers(7));
    let games = series.numbers.end - series.numbers.start;
    let Outcomes { won, let_go, .. } = series.play();
    assert!(won == games && let_go == 0, "{won} of {games}, {let_go} let go");
}

/// The same of eight pieces, as far as the folder has their slices.
#[test]
#[ignore = "a hundred milliseconds a move, and needs some databases of eight pieces in the folder that KELSO_EGDB names"]
fn won_endings_of_eight_pieces_are_won_in_time() {
    let series = Series::of(vec![8], 100, 100);
    assert!(series.winner.databases().covers(8));
    let games = series.numbers.end - series.numbers.start;
    let Outcomes { won, let_go, .. } = series.play();
    // The rule may end a game that is not let go.
    assert!(won * 100 >= games * 99 && let_go == 0, "{won} of {games}, {let_go} let go");
}

/// What looking a position up takes, of six pieces in the folder that `KELSO_EGDB` names: the first time, when its block
/// has been decoded, and when only its group is in the system's memory.
#[test]
#[ignore = "needs databases of six pieces, and shows times"]
fn looking_up_is_timed() {
    const COUNT: u32 = 2000;
    let folder = std::env::var_os("KELSO_EGDB").expect("KELSO_EGDB names a folder");
    let open = |cache| {
        let folder = Some(folder.clone().into());
        Databases::open(&Sources { folder, cache, ..Sources::default() })
    };
    let began = Instant::now();
    let databases = open(256);
    println!("opened in {:.2} ms", began.elapsed().as_secs_f64() * 1e3);
    assert!(databases.covers(6), "{:?}", databases.take_problems());
    let mut random = SmallRng::seed_from_u64(6);
    let positions: Vec<Position> = std::iter::repeat_with(|| chance(&mut random, 6))
        .filter(|position| position.piece_count() == 6 && !position.must_capture())
        .take(COUNT as usize)
        .collect();
    let time = |what: &str, databases: &Databases| {
        let began = Instant::now();
        let known = positions.iter().filter(|position| databases.probe_quiet(position).is_some()).count();
        println!("{what}: {:.2} µs", began.elapsed().as_secs_f64() * 1e6 / f64::from(COUNT));
        assert_eq!(known, positions.len());
    };
    time("the first time", &databases);
    time("hot", &databases);
    let small = open(1);
    time("files opened", &small);
    time("read by the system before", &small);
}

/// Two threads that look up in one cache, of blocks that are there and of more than fit, against one thread.
#[test]
#[ignore = "needs databases of seven pieces in the folder that KELSO_EGDB names, and two quiet cores; shows times"]
fn two_threads_look_up_without_waiting_for_each_other() {
    const COUNT: usize = 20_000;
    let folder = std::env::var_os("KELSO_EGDB").expect("KELSO_EGDB names a folder");
    let positions = |seed| -> Vec<Position> {
        let mut random = SmallRng::seed_from_u64(seed);
        std::iter::repeat_with(|| chance(&mut random, 7))
            .filter(|position| position.piece_count() == 7 && !position.must_capture())
            .take(COUNT)
            .collect()
    };
    let sets = [positions(7), positions(8)];
    // Microseconds that a thread takes for a look-up, with so many of them at work.
    let time = |databases: &Databases, threads: usize, rounds: usize| {
        let began = Instant::now();
        std::thread::scope(|scope| {
            for set in &sets[..threads] {
                scope.spawn(move || {
                    for _ in 0..rounds {
                        assert!(set.iter().all(|position| databases.probe_quiet(position).is_some()));
                    }
                });
            }
        });
        #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
        let count = (COUNT * rounds) as f64;
        began.elapsed().as_secs_f64() * 1e6 / count
    };
    for (what, cache, rounds) in [("at hand", 1024, 20), ("decoded anew", 1, 1)] {
        let folder = Some(folder.clone().into());
        let databases = Databases::open(&Sources { folder, cache, ..Sources::default() });
        assert!(databases.covers(7));
        time(&databases, 2, 1);
        let [one, two] = [1, 2].map(|threads| time(&databases, threads, rounds));
        println!("{what}: {one:.2} µs with one thread, {two:.2} µs with two");
    }
}
