//! The problems of `tests/data/tactics.txt`, and the engine that solves them.

use std::ops::RangeInclusive;
use std::time::Duration;

use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_engine::search::{Control, Limits};
use kelso_engine::{Engine, Setting};

pub const FILE: &str = "tactics.txt";

/// A position in which only one move is right, and the proof.
pub struct Problem {
    pub position: Position,
    pub best: Move,
    pub proof: String,
    /// The engine cannot solve the problem yet.
    pub todo: bool,
}

/// A class of problems with the same number of pieces.
pub struct Class {
    pub title: &'static str,
    pub pieces: RangeInclusive<u32>,
    pub seed: u64,
    pub count: usize,
    /// The depth up to which a textbook search must miss the move.
    pub missed: usize,
}

pub const CLASSES: [Class; 4] = [
    Class { title: "Endings of five pieces", pieces: 5..=5, seed: 5, count: 4, missed: 8 },
    Class { title: "Endings of six pieces", pieces: 6..=6, seed: 6, count: 30, missed: 8 },
    Class { title: "Seven to ten pieces", pieces: 7..=10, seed: 7, count: 18, missed: 8 },
    Class {
        title: "Combinations with twelve to sixteen pieces",
        pieces: 12..=16,
        seed: 12,
        count: 12,
        missed: 4,
    },
];

/// Returns the problems in the data file.
pub fn problems() -> Vec<Problem> {
    let read = |line: String| {
        let parts: Vec<&str> = line.split("; ").collect();
        let (position, best, proof, todo) = match parts[..] {
            [position, best, proof] => (position, best, proof, false),
            [position, best, proof, "todo"] => (position, best, proof, true),
            _ => panic!("invalid problem: {line:?}"),
        };
        let position = fen::parse(position).unwrap();
        let best = movetext::parse(&position, best).unwrap();
        Problem { position, best, proof: proof.into(), todo }
    };
    super::lines(FILE).into_iter().map(read).collect()
}

/// Formats a problem as a line of the data file.
pub fn format(problem: &Problem) -> String {
    let Problem { position, best, proof, todo } = problem;
    let mark = if *todo { "; todo" } else { "" };
    format!("{}; {}; {proof}{mark}", fen::format(position), movetext::format(position, *best))
}

/// Returns an engine with only the compiled-in databases.
pub fn engine(mebibytes: usize) -> Engine {
    Engine::new([Setting::Hash(mebibytes), Setting::MoveOverhead(Duration::ZERO)]).unwrap()
}

/// Returns the engine's move in a position, after clearing the table.
pub fn answer(engine: &mut Engine, position: &Position, limits: &Limits) -> Move {
    engine.new_game();
    engine.search(&Game::new(*position), limits, &Control::new(), &mut |_| {}).best.unwrap()
}

/// Returns the balance of material in half men after `depth` plies of best play and the captures that follow.
pub fn material(position: &Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if !position.can_move() {
        return -10_000;
    }
    if !position.must_capture() && depth == 0 {
        let count = |color| {
            let (men, kings) = (position.men(color).len(), position.kings(color).len());
            2 * men.cast_signed() + 3 * kings.cast_signed()
        };
        return count(position.side()) - count(!position.side());
    }
    for mv in position.moves() {
        let value = -material(&position.after(mv), depth.saturating_sub(1), -beta, -alpha);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Returns the balance of material after the possible captures.
pub fn balance(position: &Position) -> i32 {
    material(position, 0, -20_000, 20_000)
}

/// Returns whether a position has a choice of quiet moves and neither side is far ahead.
pub fn is_candidate(position: &Position) -> bool {
    !position.must_capture() && position.moves().len() >= 4 && balance(position).abs() <= 2
}
