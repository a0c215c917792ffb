//! Problems with proved answers, and how many of them the engine solves.

mod find;
mod shots;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use draughts::board::{Game, Move, Position};
use draughts::notation::{fen, movetext};
use endgames::{Databases, Sources, Wld};
use engine::search::{Control, Limits};
use engine::{Engine, Setting};

use find::CLASSES;

/// What a problem may take: less than a second, and the same on every machine.
const NODES: u64 = 4_000_000;

/// The lines above the problems.
const HEAD: &str = "\
# Problems in which one move is right: it alone wins, draws, or does not lose. No position has a
# capture at hand, and textbook searches of 2 and 4 plies (`ab-tt-q` with evaluation v3) choose another move; with fewer
# than twelve pieces those of 6 and 8 plies too.
#
# Each line is a position, the move, and how that is proved; a fourth part, `todo`, says that the engine does not solve
# it yet. \"database\": by the endgame databases of as many pieces. \"search\": by a search of every move of both sides
# that ends at databases of six pieces, or where a side can't move, and counts quiet plies, since captures are
# compulsory; a move that holds does not lose against any play. Of moves that are neither proved to win nor proved not
# to, it is only known that they don't win within sixteen quiet plies more, and that the engine, with databases of six
# pieces and 20 million nodes, does not see one of them win or come out three men ahead. Databases and search know no draws
# by repetition or by a count of moves. \"material\": by a search of every move of both sides to those depths,
# in which lines end without a capture at hand, a man counts 1 and a king 1.5; what is won is still won two and four
# plies deeper.
#
# Made by `KELSO_EGDB=folder cargo test --release tactics::find_problems -- --ignored`, which takes databases of six
# pieces (`kelso egdb build --pieces 6 --dir folder`), keeps the marks, and makes the same file every time.
";

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tactics.txt")
}

/// A line of the file.
struct Problem {
    position: Position,
    best: Move,
    proof: String,
    todo: bool,
}

fn problems() -> Vec<Problem> {
    let text = std::fs::read_to_string(file()).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &str| {
        let parts: Vec<&str> = line.split("; ").collect();
        let (position, best, proof, todo) = match parts[..] {
            [position, best, proof] => (position, best, proof, false),
            [position, best, proof, "todo"] => (position, best, proof, true),
            _ => panic!("not a problem: {line}"),
        };
        let position = fen::parse(position).unwrap();
        let best = movetext::parse(&position, best).unwrap();
        Problem { position, best, proof: proof.into(), todo }
    };
    lines.map(read).collect()
}

/// The databases of six pieces, and the folder that they are in, which `KELSO_EGDB` names.
fn databases() -> (Databases, PathBuf) {
    let folder =
        std::env::var_os("KELSO_EGDB").expect("KELSO_EGDB names a folder with databases of six pieces");
    let folder = PathBuf::from(folder);
    let databases = Databases::open(&Sources { folder: Some(folder.clone()), ..Sources::default() });
    let problems = databases.take_problems();
    assert!(problems.is_empty() && databases.covers(6), "{problems:?}");
    (databases, folder)
}

#[test]
#[ignore = "takes minutes and databases of six pieces"]
fn find_problems() {
    let (databases, folder) = databases();
    let found = std::thread::scope(|scope| {
        let classes = CLASSES.each_ref().map(|class| scope.spawn(|| class.find(&databases, &folder)));
        classes.map(|class| class.join().unwrap())
    });
    let marked: Vec<Problem> = if file().exists() { problems() } else { Vec::new() };
    let mut text = String::from(HEAD);
    for (class, found) in CLASSES.iter().zip(found) {
        write!(text, "\n# {}\n", class.title).unwrap();
        for problem in found {
            let (position, best) = (problem.position, movetext::format(&problem.position, problem.best));
            let todo = marked.iter().any(|old| old.todo && old.position == position);
            let mark = if todo { "; todo" } else { "" };
            writeln!(text, "{}; {best}; {}{mark}", fen::format(&position), problem.proof).unwrap();
        }
    }
    std::fs::write(file(), text).unwrap();
}

/// The engine with what is compiled in, and nothing else.
fn engine(mebibytes: usize) -> Engine {
    let mut engine = Engine::with_table(mebibytes).unwrap();
    engine.apply(Setting::EgdbPieces(5)).unwrap();
    engine.apply(Setting::MoveOverhead(Duration::ZERO)).unwrap();
    engine
}

/// What the engine would play.
fn answer(engine: &mut Engine, problem: &Problem, limits: &Limits) -> Move {
    engine.new_game();
    engine.search(&Game::new(problem.position), limits, &Control::new(false), &mut |_| {}).best.unwrap()
}

fn show(problem: &Problem, answer: Move) -> String {
    let text = |mv| movetext::format(&problem.position, mv);
    format!("{}: {} instead of {}", fen::format(&problem.position), text(answer), text(problem.best))
}

/// The problems with so many pieces are solved, as far as they are not marked.
fn assert_solved(pieces: std::ops::RangeInclusive<u32>) {
    let mut engine = engine(64);
    let mut missed = Vec::new();
    for problem in problems() {
        if !problem.todo && pieces.contains(&problem.position.piece_count()) {
            let answer = answer(&mut engine, &problem, &Limits::nodes(NODES));
            missed.extend((answer != problem.best).then(|| show(&problem, answer)));
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn tactics_of_endings() {
    assert_solved(2..=6);
}

#[test]
fn tactics_of_many_pieces() {
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
                Wld::Loss => 2,
                Wld::Draw => 1,
                Wld::Win => 0,
            };
            let others = position.moves().into_iter().filter(|mv| mv != best);
            assert!(others.into_iter().all(|mv| value(mv) < value(*best)), "{}", fen::format(position));
            known += 1;
        }
    }
    assert!(known > 0);
}

/// A table of what is solved in a second each: `cargo test --release tactics::in_a_second -- --ignored --nocapture`.
#[test]
#[ignore = "takes a second for each problem"]
fn in_a_second() {
    let mut engine = engine(64);
    let (mut solved, mut all) = ([0; CLASSES.len()], [0; CLASSES.len()]);
    for problem in problems() {
        let pieces = problem.position.piece_count();
        let class = CLASSES.iter().position(|class| class.pieces.contains(&pieces)).unwrap();
        let began = Instant::now();
        let answer = answer(&mut engine, &problem, &Limits::move_time(Duration::from_secs(1)));
        let time = began.elapsed();
        let right = answer == problem.best;
        solved[class] += usize::from(right);
        all[class] += 1;
        println!(
            "{:6} {:4} ms {:9} {}{}; {}",
            if right { "solved" } else { "missed" },
            time.as_millis(),
            movetext::format(&problem.position, answer),
            fen::format(&problem.position),
            if problem.todo { "; todo" } else { "" },
            problem.proof
        );
    }
    for (class, (solved, all)) in CLASSES.iter().zip(solved.iter().zip(all)) {
        println!("{}: {solved} of {all}", class.title);
    }
    println!("Solved: {} of {}", solved.iter().sum::<usize>(), all.iter().sum::<usize>());
}
