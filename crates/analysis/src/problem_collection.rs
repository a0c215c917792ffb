//! Problems from many games, each as a game.

use std::collections::HashSet;
use std::fmt;

use super::annotate::line;
use super::problem::{GRADES, Problem};
use super::record::GameAnalysis;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::fen;
use kelso_draughts::record::GameRecord;
use kelso_draughts::result::GameResult;
use kelso_proof::Goal;
use kelso_text::plural::counted;

/// Problems from many games, without repetitions. Positions that differ only by an exchange of colours count
/// as the same.
#[derive(Debug, Default)]
pub struct ProblemCollection {
    seen: HashSet<u64>,
    games: Vec<GameRecord>,
    grades: [u64; GRADES],
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
        let tags: [(&str, &str); 8] = [
            ("Event", &format!("Problem {number}: {} to move {task}", side.title())),
            ("Site", &from.place),
            ("Round", &format!("{}.{}", from.game, self.ply + 1)),
            ("Black", from.player(Color::Black)),
            ("White", from.player(Color::White)),
            ("Grade", &self.grade.to_string()),
            ("Nodes", &self.nodes.map_or_else(String::new, |nodes| nodes.to_string())),
            ("Proof", &self.proof),
        ];
        for (name, value) in tags {
            if !value.is_empty() {
                game.tags.set(name, value);
            }
        }
        game.plies = line(position, &self.solution);
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::VerdictSource;

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
}
