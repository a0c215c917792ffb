//! Properties of the textbook searchers that hold in every position.

use crate::shared::random::{self, Random};
use kelso_draughts::board::{Move, Position, perft};
use kelso_engine::search::{Control, Limits};
use kelso_laboratory::evaluation::Evaluation;
use kelso_laboratory::evaluations::peterson::{V1, V2, V3};
use kelso_laboratory::textbook::{
    Config, Method, NoMoves, SearchCounts, Textbook, TextbookResult, Transpositions,
};
use kelso_laboratory::value::{Value, loss_in};

fn run(
    config: Config,
    evaluation: &dyn Evaluation,
    root: &Position,
    depth: usize,
) -> (TextbookResult, SearchCounts) {
    run_with(&mut Transpositions::for_depth(6), config, evaluation, root, depth)
}

fn run_with(
    memory: &mut Transpositions,
    config: Config,
    evaluation: &dyn Evaluation,
    root: &Position,
    depth: usize,
) -> (TextbookResult, SearchCounts) {
    memory.clear();
    let (control, limits) = (Control::new(), Limits::default());
    let mut search = Textbook::new(config, evaluation, memory, &control, &limits);
    let found = search.search(root, depth);
    (found, search.counts)
}

const NEGAMAX: Config = Config {
    method: Method::Negamax,
    table: false,
    quiescence: false,
    deepening: false,
    ordering: false,
    no_moves: NoMoves::Loss,
};
const ALPHABETA: Config = Config { method: Method::AlphaBeta, ..NEGAMAX };

/// Calls `each` with random positions, each with one of the evaluations.
fn positions(seed: u64, count: usize, mut each: impl FnMut(&Position, &dyn Evaluation)) {
    let mut random = Random::new(seed);
    let mut count_so_far = 0;
    while count_so_far < count {
        let (start, plies) = match random.below(2) {
            0 => (Position::start(), 100),
            _ => (random::position(&mut random), 8),
        };
        let mut chosen = Random::new(count_so_far as u64);
        random::walk(&mut random, start, plies, |position| {
            // Successive positions of a game are similar.
            if chosen.one_in(4) && count_so_far < count {
                let evaluations: [&dyn Evaluation; 3] = [&V1, &V2, &V3];
                each(position, evaluations[count_so_far % 3]);
                count_so_far += 1;
            }
        });
    }
}

/// Returns the value of a move by plain negamax.
fn move_value(config: Config, evaluation: &dyn Evaluation, root: &Position, mv: Move, depth: usize) -> Value {
    let limits = Limits { search_moves: vec![mv], ..Limits::default() };
    let (control, mut memory) = (Control::new(), Transpositions::for_depth(6));
    let mut search = Textbook::new(config, evaluation, &mut memory, &control, &limits);
    search.search(root, depth).value
}

#[test]
fn plain_negamax_explores_every_position_below_the_start() {
    let evaluation = &V1;
    let start = Position::start();
    let mut sum = 0;
    for depth in 1..=6 {
        sum += perft(&start, u32::try_from(depth).unwrap());
        let (_, counts) = run(NEGAMAX, evaluation, &start, depth);
        assert_eq!((counts.explored, counts.deepest, counts.cuts), (sum, depth, 0));
    }
    assert_eq!(sum, 45_956);
}

#[test]
fn all_searchers_agree_on_the_value() {
    let mut fewer = 0;
    for quiescence in [false, true] {
        let mut memory = Transpositions::for_depth(6);
        positions(11, 1000, |position, evaluation| {
            let depth = if position.piece_count() > 16 { 4 } else { 3 };
            let plain = Config { quiescence, ..NEGAMAX };
            let (reference, all) = run(plain, evaluation, position, depth);
            let alphabeta = Config { quiescence, ..ALPHABETA };
            let (found, counts) = run(alphabeta, evaluation, position, depth);
            assert_eq!(found, reference, "{position:?}");
            assert!(counts.explored <= all.explored);
            fewer += usize::from(counts.explored < all.explored);
            let deepening = Config { deepening: true, ..alphabeta };
            let (found, _) = run(deepening, evaluation, position, depth);
            // The search ends early if the tree is complete at a smaller depth.
            assert_eq!(found.value, reference.value, "{position:?}");
            let mtdf = Config { method: Method::Mtdf, ..alphabeta };
            let (found, _) = run(mtdf, evaluation, position, depth);
            assert_eq!(found.value, reference.value, "{position:?}");
            if let Some(mv) = found.best {
                assert_eq!(
                    move_value(plain, evaluation, position, mv, depth),
                    reference.value,
                    "{position:?}"
                );
            }
            let bns = Config { method: Method::Bns, ..alphabeta };
            let (found, _) = run_with(&mut memory, bns, evaluation, position, depth);
            assert!(found.value <= reference.value, "{position:?}");
            assert!(!found.exact || found.value == reference.value, "{position:?}");
            assert_eq!(found.best.is_some(), position.can_move());
            if let Some(mv) = found.best {
                assert_eq!(
                    move_value(plain, evaluation, position, mv, depth),
                    reference.value,
                    "{position:?}"
                );
            }
        });
    }
    assert!(fewer > 1000, "alpha-beta saves something: {fewer}");
}

#[test]
fn a_table_changes_no_value_without_transpositions() {
    // This close to the start, only captures can reach the same position at different depths.
    let mut random = Random::new(5);
    let (mut hits, mut saved) = (0, 0);
    for _ in 0..60 {
        let mut last = Position::start();
        random::walk(&mut random, Position::start(), 6, |position| last = *position);
        let evaluation = &V2;
        let (plain, all) = run(ALPHABETA, evaluation, &last, 6);
        for ordering in [false, true] {
            let config = Config { table: true, ordering, ..ALPHABETA };
            let (found, counts) = run(config, evaluation, &last, 6);
            assert_eq!(found.value, plain.value, "{last:?}");
            hits += counts.table_exact + counts.table_cuts;
            saved += all.explored.saturating_sub(counts.explored);
        }
    }
    assert!(hits > 0 && saved > 0);
}

#[test]
fn quiescence_search_continues_while_a_capture_is_due() {
    let evaluation = &V1;
    let parse = |text| kelso_draughts::notation::fen::parse(text).unwrap();
    let deepest =
        |text, quiescence| run(Config { quiescence, ..NEGAMAX }, evaluation, &parse(text), 1).1.deepest;
    // 11x18 22x15, and no capture follows.
    assert_eq!(deepest("B:W15,22,25:B11,1", false), 1);
    assert_eq!(deepest("B:W15,22,25:B11,1", true), 2);
    // 11x18 22x15 10x19.
    assert_eq!(deepest("B:W15,22,25:B6,10,11", true), 3);
    // The last move is a capture, but no further one is possible.
    assert_eq!(deepest("B:W15,32:B11,1", true), 1);
    assert_eq!(deepest("B:W21-32:B1-12", true), 1);
}

#[test]
fn a_side_without_moves_has_lost_or_is_judged_as_the_configuration_says() {
    let evaluation = &V1;
    let blocked = kelso_draughts::notation::fen::parse("B:W9,14:B5").unwrap();
    let (found, _) = run(NEGAMAX, evaluation, &blocked, 4);
    assert_eq!((found.best, found.value), (None, loss_in(0)));
    let (found, _) = run(Config { no_moves: NoMoves::Evaluation, ..ALPHABETA }, evaluation, &blocked, 4);
    assert_eq!((found.best, found.value), (None, -1));
}

#[test]
fn a_stopped_search_answers_with_a_legal_move() {
    let evaluation = &V3;
    for method in [Method::Negamax, Method::AlphaBeta, Method::Mtdf, Method::Bns] {
        for deepening in [false, true] {
            let config = Config { method, deepening, table: true, ..NEGAMAX };
            let (control, limits) = (Control::new(), Limits::nodes(1));
            let mut memory = Transpositions::for_depth(6);
            let start = Position::start();
            let mut search = Textbook::new(config, evaluation, &mut memory, &control, &limits);
            let found = search.search(&start, 60);
            assert!(found.best.is_some_and(|mv| start.moves().contains(&mv)));
        }
    }
}

#[test]
fn a_search_is_the_same_every_time() {
    let mut memory = Transpositions::for_depth(6);
    positions(3, 100, |position, evaluation| {
        for method in [Method::AlphaBeta, Method::Mtdf, Method::Bns] {
            let config = Config { method, table: true, quiescence: true, ordering: true, ..NEGAMAX };
            let once = run_with(&mut memory, config, evaluation, position, 5);
            assert_eq!(once, run(config, evaluation, position, 5));
        }
    });
}
