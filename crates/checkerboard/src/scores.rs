//! `allscores`: a score for every move.

use super::status::value;
use draughts::board::{Game, Move};
use draughts::notation::movetext;
use engine::Engine;
use engine::search::{Bound, Control, Event, Limits, MAX_PLY, Score};

/// Searches each move to increasing depths until it is stopped, and calls `report` with the scores of all after each depth,
/// the best move first. Returns the best move; the first depth is always completed.
pub(super) fn search(
    engine: &Engine,
    game: &Game,
    control: &Control,
    report: &mut dyn FnMut(Move, Score, String),
) -> Option<Move> {
    let position = game.position();
    let mut best_move = None;
    for depth in 1..MAX_PLY {
        let searched =
            position.moves().into_iter().map(|mv| Some((score(engine, game, mv, depth, control)?, mv)));
        let Some(mut scored) = searched.collect::<Option<Vec<_>>>() else { break };
        scored.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        let &(best_score, best) = scored.first()?;
        let side = position.side();
        let shown = |&(score, mv): &(Score, Move)| {
            format!("{} {}", movetext::format(position, mv), value(score, side))
        };
        let list: Vec<_> = scored.iter().map(shown).collect();
        let seconds = control.elapsed().as_secs_f64();
        report(best, best_score, format!("{} depth {depth} time {seconds:.2} s", list.join(", ")));
        best_move = Some(best);
    }
    best_move
}

/// Returns the score of a move at a depth, unless the search was stopped.
fn score(engine: &Engine, game: &Game, mv: Move, depth: usize, control: &Control) -> Option<Score> {
    let limits = Limits { search_moves: vec![mv], ..Limits::depth(depth) };
    let mut found = None;
    engine.search(game, &limits, control, &mut |event| match event {
        Event::Line(line) if line.depth == depth && line.bound == Bound::Exact => {
            found = Some(line.score);
        }
        _ => {}
    });
    found
}
