//! Problems from games: positions in which the analysis has found an only move, with a solution and a grade.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::find::{MAX_WIN_PLIES, ProblemProver, Proof, ShallowSearch, WHOLE_NODES};
use crate::analyser::{AnalyserError, engine};
use crate::annotate::line;
use crate::positions::PositionAnalysis;
use crate::record::GameAnalysis;
use crate::value::VerdictSource;
use draughts::board::{Color, Game, Move, Position};
use draughts::notation::{fen, movetext};
use draughts::record::GameRecord;
use draughts::result::{GameResult, Wdl};
use endgames::Databases;
use engine::search::{Control, Limits, SearchEvent};
use engine::{Engine, Setting};
use proof::{ExhaustiveSearch, Goal};
use text::plural::counted;

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

/// Node limit of the search that grades a problem.
const GRADING_NODES: u64 = 1_000_000;
/// Maximum number of nodes for each grade except the last.
const GRADE_NODES: [u64; 4] = [100, 1_000, 10_000, 100_000];
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
    pub fn new(textbook: Engine) -> Result<Self, AnalyserError> {
        let grader = engine(&vec![Setting::Hash(16)].into())?;
        Ok(Self { shallow: ShallowSearch::new(textbook, EASY_DEPTH), grader })
    }

    /// Returns the problems among the positions of a game.
    pub fn problems(&mut self, positions: &[PositionAnalysis], databases: &Databases) -> Vec<Problem> {
        let problem = |(ply, analysis)| self.problem(ply, analysis, databases);
        positions.iter().enumerate().filter_map(problem).collect()
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
        let grade_of =
            |nodes: u64| GRADE_NODES.iter().position(|&max| nodes <= max).unwrap_or(GRADE_NODES.len());
        let grade = nodes.map_or(GRADE_NODES.len(), grade_of) + 1;
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
            self.grader.apply(Setting::EgdbPieces(pieces)).ok()?;
        }
        let mut since = None;
        let control = Control::new(false);
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
    let prover = ExhaustiveSearch::new(databases, position.side(), proof.goal(), WHOLE_NODES);
    let mut prover = prover.up_to(pieces);
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
    let (mut line, mut position) = (vec![mv], position.after(mv));
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

/// Returns a line that holds a draw, according to the databases. The other side plays moves with a single
/// answer. If there is none, the line ends as soon as no capture is possible.
fn holding(position: &Position, best: Move, databases: &Databases) -> Vec<Move> {
    let (mut line, mut position) = (vec![best], position.after(best));
    let draws = |position: &Position| -> Vec<Move> {
        let moves = position.moves();
        let drawn = |mv: &Move| databases.probe(&position.after(*mv)) == Some(Wdl::Draw);
        moves.into_iter().filter(drawn).collect()
    };
    while line.len() < MAX_HOLDING_PLIES {
        let only_move = position.moves().into_iter().find_map(|mv| {
            let after = position.after(mv);
            let task = after.moves().len() > 1 && databases.probe(&after) == Some(Wdl::Draw);
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

/// Problems from many games, without repetitions. Positions that differ only by an exchange of colours count
/// as the same.
#[derive(Debug, Default)]
pub struct ProblemCollection {
    seen: HashSet<u64>,
    games: Vec<GameRecord>,
    grades: [u64; GRADE_NODES.len() + 1],
    /// Number of repeated problems.
    again: u64,
}

impl ProblemCollection {
    /// Adds the new problems of a game.
    pub fn add(&mut self, record: &GameAnalysis) {
        for problem in &record.problems {
            let Ok(position) = fen::parse(&problem.fen) else { continue };
            if !self.seen.insert(position.key().min(position.flipped().key())) {
                self.again += 1;
                continue;
            }
            let grade = usize::from(problem.grade).wrapping_sub(1);
            if let Some(count) = self.grades.get_mut(grade) {
                *count += 1;
            }
            let number = self.games.len() + 1;
            self.games.push(problem.game(&position, number, record));
        }
    }

    /// Formats all problems as games: the position, and its solution as moves.
    pub fn pdn(&self) -> String {
        let texts: Vec<String> = self.games.iter().map(|game| format!("{game}\n")).collect();
        texts.concat()
    }
}

impl fmt::Display for ProblemCollection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grades: Vec<String> = self.grades.iter().map(ToString::to_string).collect();
        let count = counted(self.games.len() as u64, "problem");
        write!(f, "{count}, by grade (1 to 5): {}; {} repeated", grades.join(", "), self.again)
    }
}

impl Problem {
    /// Formats the problem as a game: its position, its solution as moves, and its grade and proof as tags.
    fn game(&self, position: &Position, number: usize, from: &GameAnalysis) -> GameRecord {
        let mut game = GameRecord::new(*position);
        let side = position.side();
        let (task, result) = match self.goal {
            Goal::Win => ("wins", GameResult::won_by(side)),
            Goal::Hold => ("draws", GameResult::Draw),
        };
        game.result = Some(result);
        let mut tag = |name: &str, value: &str| {
            if !value.is_empty() {
                game.tags.set(name, value);
            }
        };
        tag("Event", &format!("Problem {number}: {} to move {task}", side.title()));
        tag("Site", &from.place);
        tag("Round", &format!("{}.{}", from.game, self.ply + 1));
        tag("Black", from.player(Color::Black));
        tag("White", from.player(Color::White));
        tag("Grade", &self.grade.to_string());
        tag("Nodes", &self.nodes.map(|nodes| nodes.to_string()).unwrap_or_default());
        tag("Proof", &self.proof);
        game.plies = line(position, &self.solution);
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(fen: &str, solution: &str, grade: u8) -> Problem {
        let (fen, solution) = (fen.to_owned(), solution.to_owned());
        let (proof, by) = ("won in 12 plies".to_owned(), VerdictSource::Database);
        Problem { fen, goal: Goal::Win, solution, proof, by, nodes: Some(150), grade, ply: 4 }
    }

    fn analysis(problems: Vec<Problem>) -> GameAnalysis {
        let (record, place) = (GameRecord::new(Position::start()), "a.pdn:1".to_owned());
        let (opening, plies) = (String::new(), Vec::new());
        GameAnalysis { game: 7, place, record, opening, plies, decided: None, problems }
    }

    #[test]
    fn a_problem_counts_once_for_both_colours() {
        let mut collection = ProblemCollection::default();
        let first = problem("W:WK1,K12:B7,10,11", "1-6", 2);
        let turned = problem("B:W22,23,26:BK21,K32", "32-27", 2);
        collection.add(&analysis(vec![first.clone(), turned]));
        collection.add(&analysis(vec![problem("W:W6,K10:BK1", "6-2", 5), first]));
        assert_eq!(collection.to_string(), "2 problems, by grade (1 to 5): 0, 1, 0, 0, 1; 2 repeated");
        let pdn = collection.pdn();
        for (part, count) in [
            ("[Event \"Problem 1: White to move wins\"]", 1),
            ("[Site \"a.pdn:1\"]\n[Round \"7.5\"]", 2),
            ("[Grade \"5\"]\n[Nodes \"150\"]\n[Proof \"won in 12 plies\"]", 1),
            ("[FEN \"W:WK1,K12:B7,10,11\"]\n\n1... 1-6 0-1", 1),
        ] {
            assert_eq!(pdn.matches(part).count(), count, "{part} in {pdn}");
        }
    }

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
