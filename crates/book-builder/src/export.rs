//! Export of books as a game with variations.

use std::collections::HashSet;

use kelso_draughts::board::Position;
use kelso_draughts::board::relative::Key;
use kelso_draughts::record::{GameRecord, MAX_NESTING, Ply, Variation};
use kelso_engine::book::{Book, ScoreDrop};

/// Exports a book as a game that starts from `start`: best play for `plies` plies, with other moves that lose
/// at most `drop` as variations. Each position is shown once. Returns `None` if the position is not in the
/// book.
pub fn game(entries: &Book, start: &Position, drop: ScoreDrop, plies: usize) -> Option<GameRecord> {
    let mut printed = HashSet::new();
    let plies = line(entries, *start, drop, plies, 0, &mut printed);
    if plies.is_empty() {
        return None;
    }
    let mut game = GameRecord::new(*start);
    game.tags.set("Event", "Opening book");
    game.plies = plies;
    Some(game)
}

fn line(
    book: &Book,
    mut position: Position,
    drop: ScoreDrop,
    max: usize,
    nesting: usize,
    shown: &mut HashSet<Key>,
) -> Vec<Ply> {
    let mut plies: Vec<Ply> = Vec::new();
    while plies.len() < max && shown.insert(Key::of(&position)) {
        let Some(entry) = book.look_up(&position) else { break };
        let mut moves = entry.moves.iter();
        let Some(best) = moves.next() else { break };
        let mut ply = Ply::new(best.mv);
        ply.comment = format!("{} depth {}", entry.score, entry.depth);
        if nesting < MAX_NESTING {
            let valued =
                moves.map_while(|alternative| Some((alternative, entry.score.less(alternative.drop)?)));
            for (alternative, score) in valued.take_while(|(alternative, _)| alternative.drop <= drop) {
                let mut first = Ply::new(alternative.mv);
                first.comment = score.to_string();
                let left = max - plies.len() - 1;
                let after = line(book, position.after(alternative.mv), drop, left, nesting + 1, shown);
                ply.variations.push(Variation {
                    comment: String::new(),
                    plies: std::iter::once(first).chain(after).collect(),
                });
            }
        }
        position = position.after(best.mv);
        plies.push(ply);
    }
    plies
}
