//! The tree of the search that plays, told in the words of the textbook.

use super::{MOST_MOVES, TreeError};
use crate::board::{Game, Move, Position};
use crate::egdb::Databases;
use crate::eval::Evaluate;
use crate::search::textbook::{Found, Observe, Value, Why, Window};
use crate::search::{Control, End, Event, Limits, Options, Score, Table, Task, Verdict, Watch, watched};

/// A size that depends on nothing, since the tree depends on it.
const TABLE_MEBIBYTES: usize = 16;

/// Searches a position to a depth, as the first of a game, with the databases that are compiled in.
pub(super) fn watch<O: Observe>(
    root: &Position,
    evaluation: &dyn Evaluate,
    depth: usize,
    observer: &mut O,
) -> Result<Found, TreeError> {
    let table = Table::new(TABLE_MEBIBYTES).map_err(|_| TreeError::NoMemory)?;
    let (game, databases, control) = (Game::new(*root), Databases::compiled_in(), Control::new(false));
    let limits = Limits { nodes: Some(MOST_MOVES), ..Limits::depth(depth) };
    let task = Task {
        game: &game,
        limits: &limits,
        table: &table,
        databases: &databases,
        control: &control,
        options: &Options::default(),
    };
    let mut last = (Score::DRAW, 0);
    let mut tell = |event| {
        if let Event::Line(report) = event {
            last = (report.score, report.depth);
        }
    };
    let answer = watched(&task, &evaluation, Interpreter { observer, open: Vec::new() }, &mut tell);
    if answer.nodes >= MOST_MOVES {
        return Err(TreeError::TooLarge);
    }
    let (score, depth) = last;
    Ok(Found { best: answer.best, value: value(score), exact: true, depth })
}

/// Tells an observer of the textbook what it hears.
struct Interpreter<'a, O: Observe> {
    observer: &'a mut O,
    open: Vec<Open>,
}

/// A node that has been entered and not been left.
struct Open {
    depth: i32,
    beta: Score,
    end: Option<End>,
    has_moves: bool,
}

impl<O: Observe> Watch for Interpreter<'_, O> {
    fn enter(&mut self, mv: Option<Move>, ply: usize, depth: i32, (alpha, beta): (Score, Score)) {
        if let Some(above) = self.open.last_mut() {
            above.has_moves = true;
            // Only a look whether to give the node up has ended.
            above.end = None;
        }
        self.open.push(Open { depth, beta, end: None, has_moves: false });
        let window = Window { alpha: value(alpha), beta: value(beta) };
        self.observer.enter(mv, ply, usize::try_from(depth).unwrap_or(0), window);
    }

    fn raise(&mut self, ply: usize, mv: Move) {
        self.observer.raise(ply, mv);
    }

    fn end(&mut self, end: End) {
        if let Some(open) = self.open.last_mut() {
            open.end = Some(end);
        }
    }

    fn leave(&mut self, score: Score) {
        let Some(open) = self.open.pop() else { return };
        let why = match open.end {
            Some(End::Draw) => Why::Draw,
            Some(End::Bounds) => Why::Bounds,
            Some(End::Database) => Why::Database,
            Some(End::Table) => Why::Table,
            Some(End::GivenUp) => Why::GivenUp,
            Some(End::Depth) if open.depth < 0 => Why::Quiescence,
            Some(End::Depth) => Why::Depth,
            None if !open.has_moves => Why::Stuck,
            None if score >= open.beta => Why::Cut,
            None => Why::Searched,
        };
        self.observer.leave(value(score), why);
    }
}

/// A score as a value.
fn value(score: Score) -> Value {
    match score.verdict() {
        _ if score == Score::LOWEST => Value::LOWEST,
        _ if score == Score::INFINITE => Value::HIGHEST,
        Verdict::Open(value) => Value::of(value),
        Verdict::Win(plies) => -Value::loss_in(plies),
        Verdict::Loss(plies) => Value::loss_in(plies),
    }
}
