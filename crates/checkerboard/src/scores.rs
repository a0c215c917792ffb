//! `allscores`: a score for every move and not only for the best, for those who study a position.

use super::status::value;
use draughts::board::{Game, Move};
use draughts::notation::movetext;
use engine::Engine;
use engine::search::{Bound, Control, Event, Limits, MAX_PLY, Score};

/// Searches each move by itself, to one depth after the other until it is stopped, and tells the scores of all after
/// each, the best move first. The first depth is always completed.
pub(super) fn search(
    engine: &Engine,
    game: &Game,
    control: &Control,
    tell: &mut dyn FnMut(Move, Score, String),
) {
    let position = game.position();
    for depth in 1..MAX_PLY {
        let mut scored = Vec::new();
        for mv in position.moves() {
            let Some(score) = score(engine, game, mv, depth, control) else { return };
            scored.push((score, mv));
        }
        scored.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
        let Some(&(best_score, best)) = scored.first() else { return };
        let list: Vec<_> = scored
            .iter()
            .map(|&(score, mv)| {
                format!("{} {}", movetext::format(position, mv), value(score, position.side()))
            })
            .collect();
        let seconds = control.elapsed().as_secs_f64();
        tell(best, best_score, format!("{} depth {depth} time {seconds:.2} s", list.join(", ")));
    }
}

/// The score of one move at a depth, unless the search was stopped before.
fn score(engine: &Engine, game: &Game, mv: Move, depth: usize, control: &Control) -> Option<Score> {
    let limits = Limits { search_moves: vec![mv], ..Limits::depth(depth) };
    let mut found = None;
    engine.search(game, &limits, control, &mut |event| match event {
        Event::Line(report) if report.depth == depth && report.bound == Bound::Exact => {
            found = Some(report.score);
        }
        _ => {}
    });
    found
}
