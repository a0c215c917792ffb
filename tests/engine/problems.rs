//! The engine solves the problems and shots of `tests/data`, and the contents of those files are correct.

use std::ops::RangeInclusive;

use kelso_draughts::board::Move;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::Wdl;
use kelso_endgames::Databases;
use kelso_engine::search::{Limits, SearchParams};

use crate::shared::problems::{CLASSES, Problem, answer, engine, is_candidate, problems};
use crate::shared::shots::{self, is_combination, shots, solved};

/// Nodes per problem: less than a second, and the same on every machine. Most problems need only the first
/// number.
const NODES: [u64; 2] = [250_000, 4_000_000];
/// Number of odd-numbered and even-numbered shots solved with 200,000 nodes.
const SEEN: [usize; 2] = [34, 40];

fn show(problem: &Problem, answer: Move) -> String {
    let text = |mv| movetext::format(&problem.position, mv);
    format!("{}: {} instead of {}", fen::format(&problem.position), text(answer), text(problem.best))
}

/// Asserts that the engine solves all unmarked problems with this number of pieces.
fn assert_solved(pieces: RangeInclusive<u32>) {
    let mut engine = engine(64);
    let mut missed = Vec::new();
    for problem in problems() {
        if !problem.todo && pieces.contains(&problem.position.piece_count()) {
            let mut answer_in = |nodes| answer(&mut engine, &problem.position, &Limits::nodes(nodes));
            if answer_in(NODES[0]) != problem.best {
                let answer = answer_in(NODES[1]);
                missed.extend((answer != problem.best).then(|| show(&problem, answer)));
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn problems_with_few_pieces_are_solved() {
    assert_solved(2..=6);
}

#[test]
fn problems_with_many_pieces_are_solved() {
    assert_solved(7..=24);
}

#[test]
fn every_class_has_its_problems() {
    let problems = problems();
    assert!(problems.len() >= 50);
    for class in CLASSES {
        let count = problems.iter().filter(|p| class.pieces.contains(&p.position.piece_count())).count();
        assert!(count >= 4, "{}: {count}", class.title);
    }
    for (index, problem) in problems.iter().enumerate() {
        let Problem { position, best, .. } = problem;
        assert!(position.moves().len() >= 4 && !best.is_capture(), "{}", fen::format(position));
        assert!(
            problems[..index].iter().all(|other| other.position != *position),
            "{}",
            fen::format(position)
        );
    }
    let (databases, mut known) = (Databases::compiled_in(), 0);
    for Problem { position, best, .. } in &problems {
        if databases.covers(position.piece_count()) {
            let value = |mv| match databases.probe(&position.after(mv)).unwrap() {
                Wdl::Loss => 2,
                Wdl::Draw => 1,
                Wdl::Win => 0,
            };
            let others = position.moves().into_iter().filter(|mv| mv != best);
            assert!(others.into_iter().all(|mv| value(mv) < value(*best)), "{}", fen::format(position));
            known += 1;
        }
    }
    assert!(known > 0);
}

/// If more shots are solved, update `SEEN`.
#[test]
fn as_many_shots_are_solved_as_before() {
    let [(tuned, _), (held_out, _)] = solved(&SearchParams::default(), &Limits::nodes(200_000));
    assert!(tuned >= SEEN[0] && held_out >= SEEN[1], "{tuned} and {held_out} instead of {SEEN:?}");
}

#[test]
fn every_shot_is_a_combination_with_a_choice_of_quiet_moves() {
    let shots = shots();
    for (index, shot) in shots.iter().enumerate() {
        let text = shots::format(shot);
        assert!(is_candidate(&shot.position) && is_combination(&shot.position), "{text}");
        assert!(shots[..index].iter().all(|other| other.position != shot.position), "{text}");
    }
    assert!(shots.is_sorted_by_key(|shot| shot.number));
}
