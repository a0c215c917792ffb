//! Random endings and those of `tests/data/endings.txt`, and functions to play them out.

use std::time::Duration;

use kelso_draughts::board::{Color, Game, Move, Piece, PieceKind, Position, Setup, Square};
use kelso_draughts::notation::fen;
use kelso_draughts::result::Wdl;
use kelso_endgames::Databases;
use kelso_engine::search::{Control, Limits};
use kelso_engine::{Engine, Setting};
use kelso_random::{IndexedRandom, Random, RngExt, SeedableRng};

/// The data file, and the piece counts of its endings, which are equally frequent.
pub const FILE: &str = "endings.txt";
pub const PIECES: std::ops::RangeInclusive<u32> = 8..=12;
pub const EACH: usize = 40;

/// Returns the endings in the data file.
pub fn undecided() -> Vec<Position> {
    super::lines(FILE).iter().map(|line| fen::parse(line).unwrap()).collect()
}

/// Returns an engine with a hash table of 8 MiB that may use all of its time.
pub fn engine() -> Engine {
    Engine::new([Setting::Hash(8), Setting::MoveOverhead(Duration::ZERO)]).unwrap()
}

pub fn reply(engine: &Engine, game: &Game, limits: &Limits) -> Move {
    engine.search(game, limits, &Control::new(), &mut |_| {}).best.unwrap()
}

/// Returns a random position of `pieces` pieces without a capture.
pub fn quiet(random: &mut Random, pieces: u32) -> Position {
    loop {
        let side = if random.random() { Color::Black } else { Color::White };
        let mut setup = Setup::empty(side);
        for number in 0..pieces {
            let color = if number * 2 < pieces { Color::Black } else { Color::White };
            let kind = if random.random() { PieceKind::King } else { PieceKind::Man };
            let square = Square::all().nth(random.random_range(0..32)).unwrap();
            setup.put(square, Piece { color, kind });
        }
        if let Ok(position) = Position::try_from(setup)
            && position.piece_count() == pieces
            && !position.must_capture()
        {
            return position;
        }
    }
}

/// Returns a random position of `pieces` pieces with this result for the side to move.
pub fn with_result(random: &mut Random, databases: &Databases, pieces: u32, result: Wdl) -> Position {
    loop {
        let position = quiet(random, pieces);
        if databases.probe(&position) == Some(result) {
            return position;
        }
    }
}

/// Plays won endings against the best defence. Calls `each` with whether the ending was won in the minimum
/// number of plies.
pub fn shortest_wins(engine: &Engine, games: usize, pieces: u32, mut each: impl FnMut(bool)) {
    let mut random = Random::seed_from_u64(4);
    for _ in 0..games {
        let start = with_result(&mut random, engine.databases(), pieces, Wdl::Win);
        let distance = |position: &Position| engine.databases().distance(position).unwrap().plies;
        let plies = distance(&start).unwrap();
        let mut game = Game::new(start);
        let mut played = 0;
        while game.position().can_move() && played <= plies {
            let mv = if played % 2 == 0 {
                reply(engine, &game, &Limits::nodes(200))
            } else {
                // The best defence according to the distances, not according to our search.
                let moves = game.position().moves();
                let delay = |mv: &Move| distance(&game.position().after(*mv));
                *moves.iter().max_by_key(|mv| delay(mv)).unwrap()
            };
            game.play(mv);
            played += 1;
        }
        each(played == plies && !game.position().can_move());
    }
}

/// Plays drawn endings against random moves and against an engine. Calls `each` with whether the ending was
/// drawn.
pub fn draws(games: usize, mut each: impl FnMut(bool)) {
    let mut random = Random::seed_from_u64(5);
    let engine = engine();
    for number in 0..games {
        let pieces = 4 + u32::from(number % 2 == 0);
        let start = with_result(&mut random, engine.databases(), pieces, Wdl::Draw);
        let mut game = Game::new(start);
        let mut held = true;
        for ply in 0..60 {
            if !game.position().can_move() {
                // The side to move has lost. Our side moves at even plies.
                held = ply % 2 != 0;
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
        each(held);
    }
}
