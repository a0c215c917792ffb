//! Endings, played out: known wins are won and known draws are held.

use std::time::{Duration, Instant};

use kelso::board::{Color, Game, Kind, NO_PROGRESS_PLIES, Piece, Position, Setup, Square};
use kelso::egdb::{Databases, Sources, Wld};
use kelso::engine::{Engine, Setting};
use kelso::search::{Control, Limits};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

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

fn reply(engine: &Engine, game: &Game, limits: &Limits) -> kelso::board::Move {
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
                let delay = |mv: &kelso::board::Move| {
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

/// `cargo test --release endings::won_endings_of_five -- --ignored --nocapture`; with `KELSO_GAMES=1000` for the figure
/// in `docs/figures.md`, with six pieces where the user's data folder has them.
#[test]
#[ignore = "fifty milliseconds a move"]
fn won_endings_of_five_and_six_pieces_are_won_in_time() {
    let games = std::env::var("KELSO_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let mut random = SmallRng::seed_from_u64(6);
    let (winner, loser) = (engine(), engine());
    let most = winner.databases().max_pieces();
    let limits = Limits::move_time(Duration::from_millis(50));
    let (mut won, mut let_go) = (0, 0);
    let begun = Instant::now();
    for number in 0..games {
        let pieces = if number % 2 == 0 { 5 } else { most.min(6) };
        let start = position(&mut random, winner.databases(), pieces, Wld::Win);
        let mut game = Game::new(start);
        let mut ours = true;
        while game.outcome().is_none() {
            let mv = reply(if ours { &winner } else { &loser }, &game, &limits);
            game.play(mv);
            if ours && winner.databases().probe(game.position()) != Some(Wld::Loss) {
                let_go += 1;
                println!("let go: {} after {mv:?}", kelso::notation::fen::format(&start));
                break;
            }
            ours = !ours;
        }
        let has_won = !game.position().can_move() && !ours;
        won += usize::from(has_won);
        if !has_won {
            println!("not won in {NO_PROGRESS_PLIES} plies: {}", kelso::notation::fen::format(&start));
        }
        if number % 20 == 19 {
            println!("{won} of {} won, {let_go} let go, {:?}", number + 1, begun.elapsed());
        }
    }
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
