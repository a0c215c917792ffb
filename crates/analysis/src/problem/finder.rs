//! Problems from games: positions in which the analysis has found an only move, with a solution and a grade.

use serde::{Deserialize, Serialize};

use super::proof::{MAX_WIN_PLIES, MoveSearch, ProblemProver, Proof, ShallowSearch, WHOLE_NODES};
use crate::analyser::{AnalyserError, engine};
use crate::positions::PositionAnalysis;
use crate::value::VerdictSource;
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::result::Wdl;
use kelso_endgames::Databases;
use kelso_engine::search::{Control, Limits, SearchEvent};
use kelso_engine::{Engine, Setting};
use kelso_proof::{ExhaustiveSearch, Goal, Leaves};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Problem {
    pub fen: String,
    /// The goal of the side to move.
    pub goal: Goal,
    /// A line that leads to a quiet position. Only its first move is unique.
    pub solution: String,
    pub proof: String,
    /// The source of the proof: the databases or a search.
    pub by: VerdictSource,
    /// Number of nodes after which the engine settled on the solution's first move, or `None` if it did not
    /// find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The difficulty, from 1 to 5.
    pub grade: u8,
    /// The number of plies before the problem.
    pub ply: usize,
}

/// Number of grades.
pub const GRADES: usize = 5;
/// Node limit of the search that grades a problem.
const GRADING_NODES: u64 = 1_000_000;
/// Maximum number of nodes for each grade except the last.
const GRADE_NODES: [u64; GRADES - 1] = [100, 1_000, 10_000, 100_000];
/// The minimum number of legal moves of a problem.
const MIN_LEGAL_MOVES: usize = 3;
/// A problem is too easy if a search to this depth finds the move.
const EASY_DEPTH: usize = 2;
/// The maximum length of a solution that holds a draw, in plies.
const MAX_HOLDING_PLIES: usize = 20;

/// Finds problems.
#[derive(Debug)]
pub struct Finder {
    shallow: ShallowSearch,
    grader: Engine,
}

impl Finder {
    /// Creates a finder. `textbook` searches a few plies: a move that it finds is too easy.
    pub fn new(textbook: MoveSearch) -> Result<Self, AnalyserError> {
        let grader = engine([Setting::Hash(16)].into())?;
        Ok(Self { shallow: ShallowSearch::new(textbook, EASY_DEPTH), grader })
    }

    /// Returns the problems among the positions of a game.
    pub fn problems(&mut self, positions: &[PositionAnalysis], databases: &Databases) -> Vec<Problem> {
        let plies = positions.iter().enumerate();
        plies.filter_map(|(ply, analysis)| self.problem(ply, analysis, databases)).collect()
    }

    fn problem(&mut self, ply: usize, analysis: &PositionAnalysis, databases: &Databases) -> Option<Problem> {
        let position = &analysis.position;
        analysis.only_move?;
        if position.must_capture() || analysis.choices < MIN_LEGAL_MOVES {
            return None;
        }
        let prover = ProblemProver { databases, shallow: &self.shallow };
        let (best, proof) = if databases.covers(position.piece_count()) {
            prover.ending(position)?
        } else {
            prover.middle(position)?
        };
        let solution = solution(position, best, proof, databases)?;
        let nodes = self.nodes(position, best);
        let grade = 1 + GRADE_NODES
            .iter()
            .position(|&max| nodes.is_some_and(|nodes| nodes <= max))
            .unwrap_or(GRADE_NODES.len());
        Some(Problem {
            fen: fen::format(position),
            goal: proof.goal(),
            solution: movetext::format_line(position, &solution),
            by: match proof {
                Proof::Database(..) => VerdictSource::Database,
                Proof::Win(_) | Proof::Hold(_) => VerdictSource::Search,
            },
            proof: proof.to_string(),
            nodes,
            grade: u8::try_from(grade).unwrap_or(u8::MAX),
            ply,
        })
    }

    /// Returns the number of nodes after which the engine settles on a move, using only databases with fewer
    /// pieces.
    fn nodes(&mut self, position: &Position, best: Move) -> Option<u64> {
        self.grader.new_game();
        let pieces = position.piece_count().saturating_sub(1).min(5);
        if self.grader.options().egdb_pieces != pieces {
            // Setting this option cannot fail.
            let _ = self.grader.apply(Setting::EgdbPieces(pieces));
        }
        let mut since = None;
        let control = Control::new();
        let answer = self.grader.search(
            &Game::new(*position),
            &Limits::nodes(GRADING_NODES),
            &control,
            &mut |event| {
                let SearchEvent::Line(report) = event else { return };
                if report.line.first() == Some(&best) {
                    since.get_or_insert(report.nodes);
                } else {
                    since = None;
                }
            },
        );
        since.filter(|_| answer.best == Some(best))
    }
}

/// Returns a solution that ends in a quiet position.
fn solution(position: &Position, best: Move, proof: Proof, databases: &Databases) -> Option<Vec<Move>> {
    let pieces = match proof {
        Proof::Database(Goal::Hold, _) => return Some(holding(position, best, databases)),
        Proof::Database(Goal::Win, _) => position.piece_count() - 1,
        Proof::Win(_) | Proof::Hold(_) => databases.max_pieces(),
    };
    let leaves = Leaves::up_to(databases, pieces);
    let mut prover = ExhaustiveSearch::new(leaves, position.side(), proof.goal(), WHOLE_NODES);
    if matches!(proof, Proof::Hold(_))
        && !matches!(prover.plies(&position.after(best), MAX_WIN_PLIES), Ok(Some(_)))
    {
        return settled(position, best);
    }
    prover.line(position, best, MAX_WIN_PLIES).ok()
}

/// Returns a move and the captures that follow it, if the side to move never has to choose between captures.
fn settled(position: &Position, mv: Move) -> Option<Vec<Move>> {
    let solver = position.side();
    let mut line = vec![mv];
    let mut position = position.after(mv);
    while position.must_capture() {
        let captures = position.moves();
        if position.side() == solver && captures.len() > 1 {
            return None;
        }
        let &capture = captures.first()?;
        line.push(capture);
        position = position.after(capture);
    }
    Some(line)
}

fn drawing_moves(position: &Position, databases: &Databases) -> Vec<Move> {
    let moves = position.moves().into_iter();
    moves.filter(|&mv| databases.probe(&position.after(mv)) == Some(Wdl::Draw)).collect()
}

/// Returns a line that holds a draw, according to the databases. The other side plays moves with a single
/// answer. If there is none, the line ends as soon as no capture is possible.
fn holding(position: &Position, best: Move, databases: &Databases) -> Vec<Move> {
    let mut line = vec![best];
    let mut position = position.after(best);
    while line.len() < MAX_HOLDING_PLIES {
        let only_move = position.moves().into_iter().find_map(|mv| {
            let after = position.after(mv);
            let task = after.moves().len() > 1 && databases.probe(&after) == Some(Wdl::Draw);
            match drawing_moves(&after, databases)[..] {
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
                let Some(&mv) = drawing_moves(&position, databases).first() else { break };
                line.push(mv);
                position = position.after(mv);
            }
            None => break,
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_captures_is_the_solution_if_the_solver_has_no_choice() {
        for (text, expected) in [
            ("W:W23,26,30:B14", Some("23-18 14x23 26x19")),
            ("W:W23,26,27,30,32:B14", None),
            ("W:W23,27:B3", Some("23-18")),
        ] {
            let position = fen::parse(text).unwrap();
            let mv = movetext::parse(&position, "23-18").unwrap();
            let line = settled(&position, mv).map(|line| movetext::format_line(&position, &line));
            assert_eq!(line.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn solutions_are_legal_and_end_without_a_capture() {
        let databases = Databases::compiled_in();
        for (text, best, proof) in [
            ("W:WK1,K12:B7,10,11", "1-6", Proof::Database(Goal::Win, 12)),
            ("W:WK15,K18:BK1,K5", "15-11", Proof::Database(Goal::Hold, 0)),
        ] {
            let position = fen::parse(text).unwrap();
            let best = movetext::parse(&position, best).unwrap();
            let line = solution(&position, best, proof, &databases).unwrap();
            assert!(line[0] == best && line.len() <= MAX_WIN_PLIES as usize + MAX_HOLDING_PLIES, "{text}");
            let mut last = position;
            for mv in line {
                assert!(last.moves().contains(&mv), "{text}");
                last = last.after(mv);
            }
            assert!(!last.must_capture(), "{text}");
            let expected = match proof.goal() {
                Goal::Win if last.side() == position.side() => Wdl::Win,
                Goal::Win => Wdl::Loss,
                Goal::Hold => Wdl::Draw,
            };
            assert_eq!(databases.probe(&last), Some(expected), "{text}");
        }
    }
}
