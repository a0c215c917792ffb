//! Books for other programs: as a game with variations, and as JSON.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::verify::Fault;
use draughts::board::Position;
use draughts::notation::pdn::{MAX_NESTING, PdnGame, Ply, Variation};
use draughts::notation::{fen, movetext};
use engine::book::{Book, BookScore, Drop, Found, Key};

/// A worth as JSON: hundredths of a man, `"won"` or `"lost"`.
#[must_use]
pub fn worth(worth: BookScore) -> Value {
    if worth.is_known() { json!(worth.to_string()) } else { json!(worth.number()) }
}

/// What a book says of a position, as JSON.
#[must_use]
pub fn found(position: &Position, found: &Found) -> Value {
    let moves: Vec<Value> = found
        .moves
        .iter()
        .map(|known| {
            let below = found.worth.less(known.drop).map(worth);
            json!({ "move": movetext::format(position, known.mv), "drop": known.drop.0, "worth": below })
        })
        .collect();
    json!({ "fen": fen::format(position), "worth": worth(found.worth), "depth": found.depth, "moves": moves })
}

/// A whole book as JSON, an entry a line.
///
/// # Errors
///
/// When an entry can't be read.
pub fn json(book: &Book, line: &mut dyn FnMut(&Value)) -> Result<(), Fault> {
    for (index, entry) in book.entries().enumerate() {
        let wrong = |reason: &str| Fault { at: book.place(index), fen: None, reason: reason.to_owned() };
        let (key, _) = entry.map_err(|reason| wrong(&reason))?;
        let position = key.position().ok_or_else(|| wrong("no position"))?;
        let known = book.look_up(&position).ok_or_else(|| wrong("other moves than the position has"))?;
        line(&found(&position, &known));
    }
    Ok(())
}

/// What of a book becomes a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Moves that drop more are left out.
    pub drop: Drop,
    /// No more plies from the beginning.
    pub plies: usize,
}

/// A book from a position on as a game: best play, and other moves as variations. A position that was shown already is not
/// shown again. None if the book doesn't have it.
#[must_use]
pub fn game(entries: &Book, start: &Position, shape: Shape) -> Option<PdnGame> {
    let mut shown = HashSet::new();
    let plies = line(entries, *start, shape, 0, &mut shown);
    if plies.is_empty() {
        return None;
    }
    let mut game = PdnGame::new(*start);
    game.tags.set("Event", "Opening book");
    game.plies = plies;
    Some(game)
}

fn line(
    book: &Book,
    mut position: Position,
    shape: Shape,
    nesting: usize,
    shown: &mut HashSet<Key>,
) -> Vec<Ply> {
    let mut plies: Vec<Ply> = Vec::new();
    while plies.len() < shape.plies && shown.insert(Key::of(&position)) {
        let Some(found) = book.look_up(&position) else { break };
        let mut moves = found.moves.iter();
        let Some(best) = moves.next() else { break };
        let mut ply = Ply::new(best.mv);
        ply.comment = format!("{} depth {}", found.worth, found.depth);
        if nesting < MAX_NESTING {
            for other in moves.take_while(|other| other.drop <= shape.drop && !other.drop.is_most()) {
                let mut first = Ply::new(other.mv);
                first.comment =
                    found.worth.less(other.drop).map(|worth| worth.to_string()).unwrap_or_default();
                let left = Shape { plies: shape.plies.saturating_sub(plies.len() + 1), ..shape };
                let after = line(book, position.after(other.mv), left, nesting + 1, shown);
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
