//! Problems from games: positions in which an analysis has found an only move, with a solution and a grade, each once.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::find::{self, MOST, Proof, ProofLimits};
use super::proof::{Goal, Prover};
use super::shallow::ShallowSearch;
use crate::analyser::{AnalyserError, engine};
use crate::positions::PositionAnalysis;
use crate::record::GameAnalysis;
use crate::value::Source;
use common::count::counted;
use draughts::board::{Color, Game, Move, Position};
use draughts::notation::pdn::{PdnGame, PdnResult, Ply};
use draughts::notation::{MoveText, fen, movetext};
use endgames::{Databases, Wld};
use engine::search::{Control, Event, Limits};
use engine::{Engine, Setting};

/// A problem, as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// The position.
    pub fen: String,
    /// What the side to move is to do.
    pub goal: Goal,
    /// The moves to a quiet end, the first of which is alone right.
    pub solution: String,
    /// How that is known.
    pub proof: String,
    /// Who knows it.
    pub by: Source,
    /// Positions that the engine searched until it had found the move for good; none if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// From 1 to 5: how difficult it is.
    pub grade: u8,
    /// The ply of its game before which it stands, from 0.
    pub ply: usize,
}

/// What the engine may search to grade a problem.
const GRADING: u64 = 1_000_000;
/// Problems that take more nodes than these have the next grade.
const GRADES: [u64; 4] = [100, 1_000, 10_000, 100_000];
/// Fewer moves to choose from are no problem.
const FEWEST: usize = 3;
/// How far a shallow may look.
const STUDENT: usize = 2;
/// Moves of a solution that holds a draw.
const HOLDING: usize = 20;

/// Finds problems.
#[derive(Debug)]
pub struct Finder {
    shallow: ShallowSearch,
    grader: Engine,
}

impl Finder {
    /// A finder.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    pub fn new() -> Result<Self, AnalyserError> {
        let shallow = ShallowSearch::new(STUDENT).map_err(AnalyserError::Setting)?;
        let grader = engine(&vec![Setting::Hash(16)].into())?;
        Ok(Self { shallow, grader })
    }

    /// The problems among the positions of a game.
    pub fn problems(&mut self, looks: &[PositionAnalysis], databases: &Databases) -> Vec<Problem> {
        looks.iter().enumerate().filter_map(|(ply, look)| self.problem(ply, look, databases)).collect()
    }

    fn problem(&mut self, ply: usize, look: &PositionAnalysis, databases: &Databases) -> Option<Problem> {
        let position = &look.position;
        look.only_move?;
        if position.must_capture() || look.choices < FEWEST {
            return None;
        }
        let (best, proof) = if databases.covers(position.piece_count()) {
            find::ending(position, databases, &self.shallow, &ProofLimits::QUICK)?
        } else {
            find::middle(position, databases, &self.shallow, &ProofLimits::QUICK, &mut |_, _| true)?
        };
        let solution = solution(position, best, &proof, databases)?;
        let nodes = self.nodes(position, best);
        let within = |nodes: u64| GRADES.iter().position(|&most| nodes <= most).unwrap_or(GRADES.len());
        let grade = nodes.map_or(GRADES.len(), within) + 1;
        Some(Problem {
            fen: fen::format(position),
            goal: proof.goal(),
            solution: movetext::format_line(position, &solution),
            by: match proof {
                Proof::Database(..) => Source::Database,
                Proof::Win { .. } | Proof::Hold(_) => Source::Search,
            },
            proof: proof.to_string(),
            nodes,
            grade: u8::try_from(grade).unwrap_or(u8::MAX),
            ply,
        })
    }

    /// How many positions the engine searches until it has found a move for good. It knows endings of fewer pieces only.
    fn nodes(&mut self, position: &Position, best: Move) -> Option<u64> {
        self.grader.new_game();
        let pieces = position.piece_count().saturating_sub(1).min(5);
        if self.grader.options().egdb_pieces != pieces {
            self.grader.apply(Setting::EgdbPieces(pieces)).ok()?;
        }
        let mut since = None;
        let control = Control::new(false);
        let answer =
            self.grader.search(&Game::new(*position), &Limits::nodes(GRADING), &control, &mut |event| {
                let Event::Line(report) = event else { return };
                if report.line.first() == Some(&best) {
                    since.get_or_insert(report.nodes);
                } else {
                    since = None;
                }
            });
        since.filter(|_| answer.best == Some(best))
    }
}

/// A solution to a quiet end.
fn solution(position: &Position, best: Move, proof: &Proof, databases: &Databases) -> Option<Vec<Move>> {
    let side = position.side();
    match *proof {
        Proof::Database(Goal::Win, _) => {
            let fewer = position.piece_count() - 1;
            let mut prover = Prover::new(databases, side, Goal::Win, ProofLimits::QUICK.whole).up_to(fewer);
            prover.line(position, best, MOST).ok()
        }
        Proof::Database(Goal::Hold, _) => Some(holding(position, best, databases)),
        Proof::Win { .. } | Proof::Hold(_) => {
            let mut prover = Prover::new(databases, side, proof.goal(), ProofLimits::QUICK.whole);
            prover.line(position, best, MOST).ok()
        }
    }
}

/// A line that holds a draw which the databases know: the other side sets tasks as long as it can, and it ends where nothing is
/// to be captured.
fn holding(position: &Position, best: Move, databases: &Databases) -> Vec<Move> {
    let (mut line, mut position) = (vec![best], position.after(best));
    let draws = |position: &Position| -> Vec<Move> {
        let moves = position.moves();
        let drawn = |mv: &Move| databases.probe(&position.after(*mv)) == Some(Wld::Draw);
        moves.into_iter().filter(drawn).collect()
    };
    while line.len() < HOLDING {
        let only_move = position.moves().into_iter().find_map(|mv| {
            let after = position.after(mv);
            let task = after.moves().len() > 1 && databases.probe(&after) == Some(Wld::Draw);
            match draws(&after)[..] {
                [only] if task => Some((mv, only)),
                _ => None,
            }
        });
        match only_move {
            Some((mv, only)) => {
                line.extend([mv, only]);
                position = position.after(mv).after(only);
            }
            None if position.must_capture() => {
                let Some(&mv) = draws(&position).first() else { break };
                line.push(mv);
                position = position.after(mv);
            }
            None => break,
        }
    }
    line
}

/// Problems of many games, no two alike: positions with colours exchanged are the same.
#[derive(Debug, Default)]
pub struct Collection {
    seen: HashSet<u64>,
    games: Vec<PdnGame>,
    grades: [u64; GRADES.len() + 1],
    /// Those that were there already.
    again: u64,
}

impl Collection {
    /// Adds the problems of a game, but for those that are there already.
    pub fn add(&mut self, record: &GameAnalysis) {
        for problem in &record.problems {
            let Ok(position) = fen::parse(&problem.fen) else { continue };
            if !self.seen.insert(position.key().min(position.flipped().key())) {
                self.again += 1;
                continue;
            }
            if let Some(count) =
                usize::from(problem.grade).checked_sub(1).and_then(|at| self.grades.get_mut(at))
            {
                *count += 1;
            }
            let number = self.games.len() + 1;
            self.games.extend(problem.game(&position, number, record));
        }
    }

    /// All of them, as games that begin with the problem and go on with its solution.
    #[must_use]
    pub fn pdn(&self) -> String {
        let texts: Vec<String> = self.games.iter().map(|game| format!("{game}\n")).collect();
        texts.concat()
    }
}

/// How many there are.
impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grades: Vec<String> = self.grades.iter().map(ToString::to_string).collect();
        let count = counted(self.games.len() as u64, "problem");
        write!(f, "{count}, of grades 1 to 5: {}; {} had been found before", grades.join(", "), self.again)
    }
}

impl Problem {
    /// The problem as a game: its solution from its position, with what is known of it in tags.
    fn game(&self, position: &Position, number: usize, from: &GameAnalysis) -> Option<PdnGame> {
        let mut game = PdnGame::new(*position);
        let (side, won) = match position.side() {
            Color::Black => ("Black", PdnResult::BlackWins),
            Color::White => ("White", PdnResult::WhiteWins),
        };
        let task = match self.goal {
            Goal::Win => "wins",
            Goal::Hold => "draws",
        };
        game.result = if self.goal == Goal::Win { won } else { PdnResult::Draw };
        let mut tag = |name: &str, value: &str| {
            if !value.is_empty() {
                game.tags.set(name, value);
            }
        };
        tag("Event", &format!("Problem {number}: {side} to move {task}"));
        tag("Site", &from.place);
        tag("Round", &format!("{}.{}", from.game, self.ply + 1));
        tag("Black", &from.black);
        tag("White", &from.white);
        tag("Grade", &self.grade.to_string());
        tag("Nodes", &self.nodes.map(|nodes| nodes.to_string()).unwrap_or_default());
        tag("Proof", &self.proof);
        let mut now = *position;
        for word in self.solution.split(' ') {
            let mv = MoveText::parse(word).ok()?.resolve(&now).ok()?;
            game.plies.push(Ply::new(mv));
            now = now.after(mv);
        }
        Some(game)
    }
}
