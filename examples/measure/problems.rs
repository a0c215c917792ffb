//! Problems in which only one move is right, with proofs: random endings, and positions from games between weak
//! players. The library defines and proves problems, and every run finds the same problems. The engine, with
//! larger databases and far more time, serves only to find second solutions that are too long to prove.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use analysis::problem::{ProblemProver, ProofLimits, ProvedMove, ShallowSearch};
use anyhow::{Result, anyhow};
use clap::Subcommand;
use draughts::board::{Color, Game, Move, MoveList, Piece, PieceKind, Position, Setup, Square};
use draughts::notation::movetext;
use endgames::{DatabasePaths, Databases as Opened};
use engine::search::{Control, Limits, Score, SearchEvent};
use engine::{Engine, Setting};
use laboratory::textbook_engine;

use crate::shared::data;
use crate::shared::problems::{
    CLASSES, Class, FILE, Problem, answer, balance, engine, format, is_candidate, material, problems,
};
use crate::shared::random::Random;
use crate::{Databases, duration, write};

/// The heading of the file.
const HEAD: &str = "\
# Problems with exactly one right move: the only one that wins, draws, or does not lose. No position has a capture,
# and textbook searches of 2 and 4 plies (`ab-tt-q` with evaluation v3) choose another move; with fewer than twelve
# pieces, those of 6 and 8 plies do too.
#
# Each line is a position, the move, and its proof; a fourth part, `todo`, marks problems that the engine does not solve
# yet. \"database\": by endgame databases of as many pieces. \"search\": by a search of all moves of both sides that ends
# at databases of six pieces, or where a side has no move. It counts quiet plies, since captures are compulsory. A move
# that holds does not lose. If nothing is proved for a move, it does not win within sixteen more quiet plies, and the
# engine, with databases of six pieces and 20 million nodes, finds neither a win nor a lead of three men for it.
# Databases and searches ignore draws by repetition or by the draw rule. \"material\": by a search of all moves of both
# sides to these depths, whose lines end in positions without captures; a man counts 1 and a king 1.5. The gain remains
# two and four plies deeper.
#
# Created by `cargo run --release --example measure -- problems find --databases DIR` from databases of six pieces
# (`kelso egdb build --pieces 6 --egdb DIR`). It keeps the marks, and always creates the same file.
";

#[derive(Subcommand)]
pub enum Command {
    /// Create the file of problems (minutes, with databases of six pieces)
    Find {
        #[command(flatten)]
        databases: Databases,
        /// File to write
        #[arg(long, value_name = "FILE", default_value_os_t = data(FILE))]
        out: PathBuf,
    },
    /// Count the problems that the engine solves
    Solve {
        /// Time for each problem
        #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
        time: Duration,
    },
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Find { databases, out } => find(&databases, &out),
            Self::Solve { time } => {
                solve(time);
                Ok(())
            }
        }
    }
}

fn find(databases: &Databases, out: &Path) -> Result<()> {
    let opened = databases.open(6, DatabasePaths::default().cache)?;
    let found = std::thread::scope(|scope| {
        let threads =
            CLASSES.each_ref().map(|class| scope.spawn(|| search(class, &opened, &databases.folder)));
        threads.map(|thread| thread.join().map_err(|_| anyhow!("a search for problems panicked")).flatten())
    });
    let old = if data(FILE).exists() { problems() } else { Vec::new() };
    let mut text = String::from(HEAD);
    for (class, found) in CLASSES.iter().zip(found) {
        write!(text, "\n# {}\n", class.title)?;
        for problem in found? {
            let todo = old.iter().any(|old| old.todo && old.position == problem.position);
            writeln!(text, "{}", format(&Problem { todo, ..problem }))?;
        }
    }
    write(out, &text)
}

fn solve(time: Duration) {
    let mut engine = engine(64);
    let (mut solved, mut all) = ([0; CLASSES.len()], [0; CLASSES.len()]);
    for problem in problems() {
        let pieces = problem.position.piece_count();
        let class = CLASSES.iter().position(|class| class.pieces.contains(&pieces)).unwrap_or(0);
        let began = Instant::now();
        let answer = answer(&mut engine, &problem.position, &Limits::move_time(time));
        let took = began.elapsed();
        let right = answer == problem.best;
        solved[class] += usize::from(right);
        all[class] += 1;
        println!(
            "{:6} {:4} ms {:9} {}",
            if right { "solved" } else { "missed" },
            took.as_millis(),
            movetext::format(&problem.position, answer),
            format(&problem)
        );
    }
    for (class, (solved, all)) in CLASSES.iter().zip(solved.iter().zip(all)) {
        println!("{}: {solved} of {all}", class.title);
    }
    println!("solved: {} of {}", solved.iter().sum::<usize>(), all.iter().sum::<usize>());
}

fn proved(position: &Position, (best, proof): ProvedMove) -> Problem {
    Problem { position: *position, best, proof: proof.to_string(), todo: false }
}

/// Finds the problems of a class.
fn search(class: &Class, databases: &Opened, folder: &Path) -> Result<Vec<Problem>> {
    let mut random = Random::new(class.seed);
    let (shallow, mut critic) = (ShallowSearch::new(textbook_engine()?, class.missed), Critic::new(folder)?);
    let prover = ProblemProver { databases, shallow: &shallow, limits: ProofLimits::THOROUGH };
    let mut found = Vec::new();
    let pieces = *class.pieces.end();
    if pieces <= 6 {
        while found.len() < class.count {
            let position = ending(&mut random, pieces);
            found.extend(prover.ending(&position).map(|found| proved(&position, found)));
        }
    }
    while found.len() < class.count {
        let before = found.len();
        // Take one problem per game, for variety.
        game(&mut random, |position| {
            let problem = match position.piece_count() {
                count if !class.pieces.contains(&count) => None,
                ..=10 => {
                    let likes = &mut |position: &Position, moves| critic.likes(position, moves);
                    prover.middle(position, likes).map(|found| proved(position, found))
                }
                _ => combination(position, &shallow),
            };
            let none = problem.is_none();
            found.extend(problem);
            none
        });
        if found.len() > before {
            eprintln!("{}: {} of {}", class.title, found.len(), class.count);
        }
    }
    Ok(found)
}

/// Node limit for finding a second solution, and the minimum score of a second solution, in hundredths of a
/// man.
const CRITICISM: u64 = 20_000_000;
const AS_GOOD: i32 = 300;

/// An engine that looks for second solutions, with the same databases as the proofs.
struct Critic(Engine);

impl Critic {
    fn new(folder: &Path) -> Result<Self> {
        let mut engine = Engine::with_table(256)?;
        engine.apply(Setting::EgdbPath(Some(folder.into())))?;
        Ok(Self(engine))
    }

    /// Returns whether one of these moves wins, or probably wins, according to the engine.
    fn likes(&mut self, position: &Position, moves: Vec<Move>) -> bool {
        self.0.new_game();
        let limits = Limits { search_moves: moves, ..Limits::nodes(CRITICISM) };
        let mut score = None;
        let mut hear = |event| {
            if let SearchEvent::Line(report) = event {
                score = Some(report.score);
            }
        };
        self.0.search(&Game::new(*position), &limits, &Control::new(false), &mut hear);
        score.is_some_and(|score| score >= Score::evaluation(AS_GOOD))
    }
}

fn ending(random: &mut Random, pieces: u32) -> Position {
    let squares: Vec<Square> = Square::all().collect();
    loop {
        let mut setup = Setup::empty(random.pick(&Color::BOTH));
        for number in 0..pieces {
            let color = if number % 2 == 0 { Color::Black } else { Color::White };
            let kind = if random.one_in(3) { PieceKind::King } else { PieceKind::Man };
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

/// Returns a problem with many pieces in which one move wins two men. Positions in which all other moves lose two are
/// skipped: a move that loses none within some plies may lose more soon after.
fn combination(position: &Position, shallow: &ShallowSearch) -> Option<Problem> {
    let balance = balance(position);
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
    (kept && only_move).then_some(Problem { position: *position, best, proof, todo: false })
}

/// Plays a game between two players who look two plies ahead for material, and sometimes play at random.
/// Calls `each` with each candidate until it returns `false`.
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
