//! Legal moves, compared with the slow reference in a hundred thousand positions.

use std::collections::BTreeSet;

use crate::shared::random::{self, Random, numbers};
use crate::shared::rules::{Board, Turn};
use kelso_draughts::board::{Move, MoveList, Position, Setup, Square, divide};

/// A move as the reference describes it.
fn result(mv: Move) -> (u8, u8, Vec<u8>) {
    (mv.from().number(), mv.to().number(), numbers(mv.captured()))
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items
}

/// Counts of rare cases, to check that the tested positions include them.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    captures: usize,
    longest: usize,
    most_moves: usize,
    equal_paths: usize,
    round_trips: usize,
    crownings_by_capture: usize,
    lost: usize,
}

fn compare(position: &Position, seen: &mut Seen) {
    let board = Board::new(&Setup::from(position));
    let turns = board.turns();
    let moves = position.moves();

    let expected: BTreeSet<_> = turns.iter().map(Turn::result).collect();
    assert_eq!(sorted(moves.iter().copied().map(result)), Vec::from_iter(expected), "moves of {position:?}");

    let mut paths = Vec::new();
    divide(position, 1, &mut || true, &mut |branch| {
        paths.push((branch.mv.from().number(), branch.path.iter().map(|square| square.number()).collect()));
    });
    let expected_paths = sorted(turns.iter().map(|turn| (turn.from, turn.path.clone())));
    assert_eq!(sorted(paths), expected_paths, "paths of {position:?}");

    let captures = board.captures();
    let mut listed = MoveList::new();
    position.list_captures(&mut listed);
    assert_eq!(position.can_move(), !turns.is_empty(), "can_move of {position:?}");
    assert_eq!(position.must_capture(), !captures.is_empty(), "must_capture of {position:?}");
    assert_eq!(
        sorted(listed.iter().copied().map(result)),
        Vec::from_iter(captures.iter().map(Turn::result).collect::<BTreeSet<_>>()),
        "captures of {position:?}"
    );
    let mut waited = board.setup();
    waited.side = !waited.side;
    let threatened = !Board::new(&waited).captures().is_empty();
    assert_eq!(position.is_threatened(), threatened, "is_threatened of {position:?}");

    for &mv in &moves {
        let same: Vec<&Turn> = turns.iter().filter(|turn| turn.result() == result(mv)).collect();
        let next = position.after(mv);
        assert_eq!(Setup::from(&next), board.after(same[0]).setup(), "after {mv:?} in {position:?}");
        assert_eq!(
            sorted(position.paths(mv).iter().map(|path| path.iter().map(|s| s.number()).collect::<Vec<_>>())),
            sorted(same.iter().map(|turn| turn.path.clone())),
            "paths of {mv:?} in {position:?}"
        );
        let before = position.piece_at(mv.from());
        assert_eq!(mv.is_crowning(), before != next.piece_at(mv.to()), "crowning of {mv:?} in {position:?}");
        seen.equal_paths += usize::from(same.len() > 1);
        seen.round_trips += usize::from(mv.from() == mv.to());
        seen.crownings_by_capture += usize::from(mv.is_capture() && mv.is_crowning());
        seen.longest = seen.longest.max(same[0].captured.len());
    }
    seen.positions += 1;
    seen.captures += captures.len();
    seen.most_moves = seen.most_moves.max(moves.len());
    seen.lost += usize::from(moves.is_empty());
}

#[test]
fn positions_of_random_games_have_the_moves_of_the_reference() {
    let mut random = Random::new(1);
    let mut seen = Seen::default();
    while seen.positions < 50_000 {
        random::walk(&mut random, Position::start(), 150, |position| compare(position, &mut seen));
    }
    assert!(seen.lost > 0 && seen.crownings_by_capture > 0 && seen.longest >= 4, "{seen:?}");
}

#[test]
fn random_setups_have_the_moves_of_the_reference() {
    let mut random = Random::new(2);
    let mut seen = Seen::default();
    while seen.positions < 50_000 {
        let position = random::position(&mut random);
        random::walk(&mut random, position, 4, |position| compare(position, &mut seen));
    }
    assert!(seen.equal_paths > 100 && seen.round_trips > 100 && seen.longest >= 9, "{seen:?}");
    assert!(seen.lost > 100 && seen.crownings_by_capture > 100 && seen.most_moves > 20, "{seen:?}");
}

#[test]
#[ignore = "a soak of a few minutes"]
fn ten_million_positions_have_the_moves_of_the_reference() {
    let mut random = Random::new(3);
    let mut seen = Seen::default();
    while seen.positions < 10_000_000 {
        let start = if random.one_in(2) { Position::start() } else { random::position(&mut random) };
        random::walk(&mut random, start, 20, |position| compare(position, &mut seen));
    }
    println!("{seen:?}");
}

#[test]
fn every_square_survives_a_round_trip_through_the_reference() {
    let mut setup = Setup::empty(kelso_draughts::board::Color::Black);
    for square in Square::all() {
        let piece = kelso_draughts::board::Piece {
            color: kelso_draughts::board::Color::Black,
            kind: kelso_draughts::board::PieceKind::King,
        };
        setup.put(square, piece);
        assert_eq!(Board::new(&setup).setup(), setup);
    }
}
