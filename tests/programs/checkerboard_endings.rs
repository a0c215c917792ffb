//! Won endings, played as by CheckerBoard up to version 1.75g, which never sends the history of a game.

use std::ffi::c_int;

use kelso_checkerboard::CbMove;
use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::notation::fen;
use kelso_draughts::result::{GameEnd, KnownValue, Wdl};
use kelso_draughts::score::ReportedScore;
use kelso_engine::search::{Control, Limits, SearchEvent};
use kelso_random::{Random, SeedableRng};

use super::checkerboard::{cells, color, described};
use crate::helpers::library::{Call, Engine, alone};
use crate::shared::endings;

/// Seconds for each of the library's moves.
const SECONDS: f64 = 0.2;
/// Node limit of the searches for the defender's moves and for the choice of endings.
const NODES: u64 = 20_000;
/// Minimum number of plies of a hard win.
const FAR: u32 = 25;

/// Returns the library's move in a position. `is_first` marks the first move of a game.
fn attack(library: &Engine, position: &Position, is_first: bool) -> Move {
    let (mut board, mut mv) = (cells(position), CbMove::default());
    library.getmove(Call {
        board: Some(&mut board),
        color: color(position),
        max_time: SECONDS,
        text: None,
        play_now: None,
        info: 2 | c_int::from(is_first),
        more_info: 0,
        mv: Some(&mut mv),
    });
    described(position, &mv).unwrap_or_else(|| panic!("{mv:?} in {position:?}"))
}

/// Returns the quiet move that repeats a position most often without giving up a piece.
fn repeat(game: &Game) -> Option<Move> {
    let occurrences = |mv: &Move| {
        let mut after = game.clone();
        after.play(*mv);
        (!after.position().must_capture()).then(|| after.occurrences())
    };
    let moves = game.position().moves().into_iter();
    let again = moves.filter_map(|mv| Some((mv, occurrences(&mv).filter(|&times| times > 1)?)));
    again.max_by_key(|&(_, times)| times).map(|(mv, _)| mv)
}

/// Returns a move that repeats a position, or else the one that loses most slowly according to the databases
/// or a search.
fn defend(engine: &kelso_engine::Engine, game: &Game) -> Move {
    let position = game.position();
    let moves = position.moves();
    if let Some(mv) = repeat(game) {
        return mv;
    }
    let distance = |mv: &Move| engine.databases().distance(&position.after(*mv));
    let known: Option<Vec<_>> = moves.iter().map(|mv| Some((*mv, distance(mv)?))).collect();
    let slowest = known.and_then(|known| {
        // The result is for the attacking side.
        let value = |known: KnownValue| match (known.wdl, known.plies.map_or(0, i64::from)) {
            (Wdl::Win, plies) => plies,
            (Wdl::Draw, _) => 1000,
            (Wdl::Loss, plies) => 2000 - plies,
        };
        known.into_iter().max_by_key(|&(_, ending)| value(ending)).map(|(mv, _)| mv)
    });
    slowest.unwrap_or_else(|| endings::reply(engine, game, &Limits::nodes(NODES)))
}

/// Plays an ending. Returns how the game ended.
fn play(library: &Engine, engine: &kelso_engine::Engine, start: Position) -> GameEnd {
    let mut game = Game::new(start);
    for ply in 0.. {
        if let Some(outcome) = game.end() {
            return outcome;
        }
        let mv =
            if ply % 2 == 0 { attack(library, game.position(), ply == 0) } else { defend(engine, &game) };
        game.play(mv);
    }
    unreachable!("a game ends")
}

/// Returns whether the side to move wins, but a search of many nodes finds no win or only a distant one.
fn is_hard(engine: &kelso_engine::Engine, position: &Position) -> bool {
    let mut score = None;
    let on_event = &mut |event| {
        if let SearchEvent::Line(line) = event {
            score = Some(line.score.reported());
        }
    };
    engine.search(&Game::new(*position), &Limits::nodes(NODES), &Control::new(), on_event);
    match score {
        Some(ReportedScore::Win(Some(plies))) => plies >= FAR,
        Some(ReportedScore::Win(None)) => true,
        _ => false,
    }
}

/// Returns a random ending that is hard to win.
fn hard(random: &mut Random, engine: &kelso_engine::Engine, pieces: u32) -> Position {
    loop {
        let position = endings::quiet(random, pieces);
        let men = position.men(Color::Black).len() + position.men(Color::White).len();
        if men <= 1 && is_hard(engine, &position) {
            return position;
        }
    }
}

/// Plays won endings for each piece count, and one in which the engine once repeated its moves. Returns those
/// that the engine did not win.
fn not_won(each: [(u32, usize); 3]) -> Vec<String> {
    let library = Engine::load();
    assert_eq!(library.command(b"set hashsize 8").0, 1);
    let (engine, mut random) = (endings::engine(), Random::seed_from_u64(43));
    let mut starts = vec![fen::parse("W:WK2,K14,20:BK19,K32").unwrap()];
    for (pieces, count) in each {
        starts.extend((0..count).map(|_| hard(&mut random, &engine, pieces)));
    }
    let played = starts.into_iter().map(|start| (start, play(&library, &engine, start)));
    let lost = played.filter(|&(start, outcome)| outcome.result.winner() != Some(start.side()));
    lost.map(|(start, outcome)| format!("{} {outcome}", fen::format(&start))).collect()
}

#[test]
fn won_endings_are_won_without_a_history_from_the_gui() {
    let _alone = alone();
    assert_eq!(not_won([(4, 1), (5, 3), (6, 3)]), [""; 0]);
}

#[test]
#[ignore = "fifty endings take a minute"]
fn fifty_won_endings_are_won_without_a_history_from_the_gui() {
    let _alone = alone();
    assert_eq!(not_won([(4, 9), (5, 20), (6, 20)]), [""; 0]);
}
