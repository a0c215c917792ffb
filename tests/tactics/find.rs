//! Where the problems are looked for: endings by chance, and positions of games between players who see little. What a problem
//! is, and how it is proved, is the library's. The same problems are found in every run. Whether the engine solves them does not matter; it is only asked, with larger databases and far
//! more time, for second solutions that are too long to be proved.

use std::ops::RangeInclusive;
use std::path::Path;

use analysis::problem::{self, ProofLimits, ProvedMove, ShallowSearch};
use draughts::board::{Color, Game, Kind, Move, MoveList, Piece, Position, Setup, Square};
use endgames::Databases;
use engine::search::{Control, Event, Limits, Score};
use engine::{Engine, Setting};

use crate::reference::random::Random;

/// A problem with its proof.
pub struct Problem {
    pub position: Position,
    pub best: Move,
    pub proof: String,
}

impl Problem {
    fn new(position: Position, (best, proof): ProvedMove) -> Self {
        Self { position, best, proof: proof.to_string() }
    }
}

/// Problems with so many pieces.
pub struct Class {
    pub title: &'static str,
    pub pieces: RangeInclusive<u32>,
    seed: u64,
    count: usize,
    /// How deep a textbook search must miss the move.
    missed: usize,
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

impl Class {
    /// The class's problems, with the databases of six pieces and the folder that they are in.
    pub fn find(&self, databases: &Databases, folder: &Path) -> Vec<Problem> {
        let mut random = Random::new(self.seed);
        let (shallow, mut critic) = (ShallowSearch::new(self.missed).unwrap(), Critic::new(folder));
        let mut found = Vec::new();
        let pieces = *self.pieces.end();
        if pieces <= 6 {
            while found.len() < self.count {
                let position = ending(&mut random, pieces);
                found.extend(
                    problem::ending(&position, databases, &shallow, &ProofLimits::THOROUGH)
                        .map(|found| Problem::new(position, found)),
                );
            }
        }
        while found.len() < self.count {
            let before = found.len();
            // One of a game, so that no two are much alike.
            game(&mut random, |position| {
                let problem = match position.piece_count() {
                    count if !self.pieces.contains(&count) => None,
                    ..=10 => {
                        let likes = &mut |position: &Position, moves| critic.likes(position, moves);
                        problem::middle(position, databases, &shallow, &ProofLimits::THOROUGH, likes)
                            .map(|found| Problem::new(*position, found))
                    }
                    _ => combination(position, &shallow),
                };
                let none = problem.is_none();
                found.extend(problem);
                none
            });
            if found.len() > before {
                println!("{}: {} of {}", self.title, found.len(), self.count);
            }
        }
        found
    }
}

/// Nodes for a second solution, and what is as good as one, in hundredths of a man.
const CRITICISM: u64 = 20_000_000;
const AS_GOOD: i32 = 300;

/// What material is to be had, in halves of a man, by a search of so many plies and the captures after them.
pub fn material(position: &Position, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if !position.can_move() {
        return -10_000;
    }
    let quiet = !position.must_capture();
    if quiet && depth == 0 {
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

/// The engine with the databases that the proofs have, to look for second solutions.
struct Critic(Engine);

impl Critic {
    fn new(folder: &Path) -> Self {
        let mut engine = Engine::with_table(256).unwrap();
        engine.apply(Setting::EgdbPath(Some(folder.into()))).unwrap();
        Self(engine)
    }

    /// Whether one of these moves wins, or may well win, as far as the engine can see.
    fn likes(&mut self, position: &Position, moves: Vec<Move>) -> bool {
        self.0.new_game();
        let limits = Limits { search_moves: moves, ..Limits::nodes(CRITICISM) };
        let mut score = None;
        let mut hear = |event| {
            if let Event::Line(report) = event {
                score = Some(report.score);
            }
        };
        self.0.search(&Game::new(*position), &limits, &Control::new(false), &mut hear);
        score.unwrap() >= Score::evaluation(AS_GOOD)
    }
}

/// A position worth a look: a choice of quiet moves, and neither side far ahead.
pub fn is_candidate(position: &Position) -> bool {
    !position.must_capture()
        && position.moves().len() >= 4
        && material(position, 0, -20_000, 20_000).abs() <= 2
}

/// An ending by chance.
fn ending(random: &mut Random, pieces: u32) -> Position {
    let squares: Vec<Square> = Square::all().collect();
    loop {
        let mut setup = Setup::empty(random.pick(&Color::BOTH));
        for number in 0..pieces {
            let color = if number % 2 == 0 { Color::Black } else { Color::White };
            let kind = if random.one_in(3) { Kind::King } else { Kind::Man };
            let square = random.pick(&squares);
            setup.put(square, Piece { color, kind });
        }
        if let Ok(position) = Position::try_from(setup)
            && position.piece_count() == pieces
            && is_candidate(&position)
        {
            return position;
        }
    }
}

/// A combination among many pieces: one move wins two men. That all others lose two is no problem here: who loses none
/// within some plies may lose more soon after.
fn combination(position: &Position, shallow: &ShallowSearch) -> Option<Problem> {
    let balance = material(position, 0, -20_000, 20_000);
    let gains = |mv: Move, plies: u32, least: i32| {
        let least = balance + least;
        -material(&position.after(mv), plies - 1, -least, 1 - least) >= least
    };
    let moves = position.moves();
    let wins = |plies| -> MoveList {
        let winning = moves.iter().copied().filter(|&mv| gains(mv, plies, 4));
        winning.take(2).collect()
    };
    let (plies, winning) =
        [5, 7, 9].into_iter().map(|plies| (plies, wins(plies))).find(|(_, winning)| !winning.is_empty())?;
    let &[best] = &winning[..] else { return None };
    if plies == 5 || shallow.finds(position, best) {
        return None;
    }
    let kept = [plies + 2, plies + 4].iter().all(|&plies| gains(best, plies, 4));
    let only_move = moves.iter().all(|&mv| mv == best || !gains(mv, plies + 4, 2));
    let beyond = plies + 4;
    let proof =
        format!("material: wins two men within {plies} plies, no other move wins one within {beyond}");
    (kept && only_move).then_some(Problem { position: *position, best, proof })
}

/// A game between two players who look two plies ahead for material, and now and then not at all. Tells each position
/// that is worth a look until it is told to end.
fn game(random: &mut Random, mut each: impl FnMut(&Position) -> bool) {
    let mut position = Position::start();
    for ply in 0..120 {
        let moves = position.moves();
        if moves.is_empty() || position.piece_count() < 7 {
            return;
        }
        if is_candidate(&position) && !each(&position) {
            return;
        }
        let mv = if ply < 6 || random.one_in(6) {
            random.pick(&moves)
        } else {
            let value = |mv: &Move| -material(&position.after(*mv), 1, -20_000, 20_000);
            let best = moves.iter().map(value).max();
            let equals: MoveList = moves.iter().filter(|&mv| Some(value(mv)) == best).copied().collect();
            random.pick(&equals)
        };
        position = position.after(mv);
    }
}
