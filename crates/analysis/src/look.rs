//! Looks at every position of a game, from the last back to the first: what the search finds in a position is still in the table when
//! it comes to the one before, so that later moves help to judge earlier ones.

use super::judge::{Judge, JudgeError, Opinion, Share};
use super::outlook::{Source, Standing, Value};
use draughts::board::{Move, MoveList, Position};
use draughts::notation::pdn::PdnGame;
use engine::search::ScoreKind;
use players::state::GameState;

/// What there is to know of a position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Look {
    /// The position.
    pub position: Position,
    /// How the side to move stands, as the databases know.
    pub known: Option<Standing>,
    /// What the judge thinks.
    pub opinion: Opinion,
    /// How many moves there are.
    pub choices: usize,
    /// The only move that keeps how the side stands, and who says so.
    pub alone: Option<(Move, Source)>,
}

impl Look {
    /// What the position is worth to the side to move.
    #[must_use]
    pub const fn value(&self) -> Value {
        Value { score: self.opinion.score, known: self.known }
    }

    /// The best move.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.opinion.line.first().copied()
    }
}

/// Losses of fewer expected points are looked at no deeper.
pub(super) const NOTICED: f64 = 0.1;

/// Looks at the positions of a game: one more than it has moves, the first at the beginning. `done` is called after each.
///
/// # Errors
///
/// When work is being stopped, or the judge misbehaves.
pub fn look(game: &PdnGame, judge: &mut Judge<'_>, done: &mut dyn FnMut()) -> Result<Vec<Look>, JudgeError> {
    judge.new_game()?;
    let mut looks: Vec<Look> = Vec::with_capacity(game.plies.len() + 1);
    for ply in (0..=game.plies.len()).rev() {
        let course = course(game, ply);
        let played = game.plies.get(ply).map(|ply| ply.mv);
        let found = match looks.last_mut() {
            Some(next) => before(&course, played, next, judge)?,
            None => last(&course, judge)?,
        };
        looks.push(found);
        done();
    }
    looks.reverse();
    Ok(looks)
}

fn course(game: &PdnGame, plies: usize) -> GameState {
    let mut course = GameState::new(game.start);
    game.moves().take(plies).for_each(|mv| course.play(mv));
    course
}

/// The last position.
fn last(course: &GameState, judge: &mut Judge<'_>) -> Result<Look, JudgeError> {
    let position = *course.position();
    let moves = position.moves();
    let opinion = if moves.is_empty() {
        Opinion { score: Some(ScoreKind::Loss(Some(0))), depth: Some(0), ..Opinion::default() }
    } else {
        judge.consider(course, Vec::new(), Share::Whole)?
    };
    Ok(Look { position, known: judge.known(&position), opinion, choices: moves.len(), alone: None })
}

/// A position, given the one after it.
fn before(
    course: &GameState,
    played: Option<Move>,
    next: &mut Look,
    judge: &mut Judge<'_>,
) -> Result<Look, JudgeError> {
    let position = *course.position();
    let moves = position.moves();
    let mut look = Look {
        position,
        known: judge.known(&position),
        opinion: Opinion::default(),
        choices: moves.len(),
        alone: None,
    };
    if let (&[only], Some(_)) = (&moves[..], played) {
        look.opinion = forced(only, next);
        return Ok(look);
    }
    // What the databases know needs no second search, and others than Kelso leave no move out.
    let share = if look.known.is_none() && judge.is_selective() { Share::Position } else { Share::Whole };
    look.opinion = judge.consider(course, Vec::new(), share)?;
    if look.known.is_some() {
        look.alone = alone_known(&position, &moves, judge);
    } else if judge.is_selective() {
        look.alone = alone_searched(course, &moves, played, &look, next, judge)?;
    }
    if let Some(played) = played {
        confirm(course, played, &mut look, next, judge)?;
    }
    Ok(look)
}

/// What is thought of a position with one move: the same as of the next.
fn forced(only: Move, next: &Look) -> Opinion {
    let Opinion { depth, line, deep, .. } = &next.opinion;
    Opinion {
        score: next.value().before().score,
        depth: depth.map(|depth| depth.saturating_add(1)),
        line: [only].into_iter().chain(line.iter().copied()).collect(),
        deep: *deep,
    }
}

/// The only move that wins, or draws where none wins, as the databases know.
fn alone_known(position: &Position, moves: &MoveList, judge: &Judge<'_>) -> Option<(Move, Source)> {
    let value = |&mv: &Move| Some((judge.known(&position.after(mv))?.reversed(), mv));
    let values = moves.iter().map(value).collect::<Option<Vec<_>>>()?;
    let (best, mv) = values.iter().max_by_key(|(standing, _)| *standing).copied()?;
    let alone = values.iter().filter(|(standing, _)| *standing == best).count() == 1;
    (alone && best > Standing::Lost).then_some((mv, Source::Database))
}

/// The same as far as searches can tell: all other moves together are searched, and once more if none of them seems to be as good.
fn alone_searched(
    course: &GameState,
    moves: &MoveList,
    played: Option<Move>,
    look: &Look,
    next: &Look,
    judge: &mut Judge<'_>,
) -> Result<Option<(Move, Source)>, JudgeError> {
    let (Some(best), Some((standing, _))) = (look.best(), look.value().standing()) else { return Ok(None) };
    let worse = |value: Value| value.standing().is_some_and(|(other, _)| other < standing);
    let as_good = played.is_some_and(|mv| mv != best) && !worse(next.value().before());
    if standing == Standing::Lost || moves.len() < 2 || as_good {
        return Ok(None);
    }
    for share in [Share::Others, Share::Whole] {
        let others = moves.iter().copied().filter(|&mv| mv != best).collect();
        let opinion = judge.consider(course, others, share)?;
        if !worse(Value { score: opinion.score, known: None }) {
            return Ok(None);
        }
    }
    Ok(Some((best, Source::Search)))
}

/// Where a move seems to lose something, both positions are searched deeper, unless the databases know.
fn confirm(
    course: &GameState,
    played: Move,
    look: &mut Look,
    next: &mut Look,
    judge: &mut Judge<'_>,
) -> Result<(), JudgeError> {
    let certain = look.known.is_some() && next.known.is_some();
    if certain || look.best() == Some(played) || loss(look, next) < NOTICED {
        return Ok(());
    }
    // The later one first, for the table.
    if next.known.is_none() && next.choices > 1 && !next.opinion.deep {
        let mut after = course.clone();
        after.play(played);
        next.opinion = judge.consider(&after, Vec::new(), Share::Deep)?;
    }
    if loss(look, next) >= NOTICED && look.known.is_none() {
        look.opinion = judge.consider(course, Vec::new(), Share::Deep)?;
        let best = look.best();
        look.alone = look.alone.filter(|(mv, _)| Some(*mv) == best);
    }
    Ok(())
}

/// Expected points that are lost from a position to the next, for the side that has moved.
pub(super) fn loss(look: &Look, next: &Look) -> f64 {
    let (before, after) = (look.value(), next.value().before());
    let points = |value: Value| match (before.known, after.known) {
        (Some(_), Some(_)) => value.points(),
        // A judge's scores are held against his own.
        _ => value.score.map(super::outlook::points).or_else(|| value.points()),
    };
    match (points(before), points(after)) {
        (Some(before), Some(after)) => (before - after).max(0.0),
        _ => 0.0,
    }
}
