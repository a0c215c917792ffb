//! Conversion of PDN to JSON for the page.

use serde_json::{Value, json};

use kelso_draughts::board::Position;
use kelso_draughts::notation::pdn::{PdnEntry, PdnReader};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::{self, Ply, Variation};

/// The maximum number of games read from a PDN text.
const MAX_GAMES: usize = 10_000;

/// The games of a PDN text in the form of the page, each up to its first error, and the faults with their
/// positions.
#[derive(Debug, Default)]
struct GameList {
    games: Vec<Value>,
    faults: Vec<Value>,
    more: bool,
}

impl GameList {
    /// Adds a game, with its text, if there are not too many.
    fn add(&mut self, entry: &PdnEntry, text: &[u8]) {
        if entry.number > MAX_GAMES {
            self.more = true;
            return;
        }
        let game = &entry.game;
        if entry.has_game() {
            let tags: Vec<Value> = game.tags.iter().map(|(name, value)| json!([name, value])).collect();
            self.games.push(json!({
                "fault": entry.error.as_ref().map(|error| error.kind.to_string()),
                "tags": tags,
                "start": fen::format(&game.start),
                "result": game.result_text(),
                "comment": game.comment,
                "plies": main_line(&game.start, &game.plies),
                // Games in other encodings have no source, so the page formats them itself.
                "source": std::str::from_utf8(text).ok().map(|text| format!("{}\n", text.trim())),
            }));
        }
        self.faults.extend(entry.errors().map(|fault| {
            json!({
                "game": fault.game, "line": fault.line, "column": fault.column, "text": fault.kind.to_string(),
            })
        }));
    }
}

/// Returns the games of a PDN text.
pub fn read(text: &[u8]) -> Value {
    let GameList { games, faults, more } = list(text);
    json!({ "games": games, "faults": faults, "more": more })
}

/// Returns the first game of a PDN text.
pub fn first(text: &[u8]) -> Option<Value> {
    list(text).games.into_iter().next()
}

fn list(text: &[u8]) -> GameList {
    let mut list = GameList::default();
    let mut reader = PdnReader::new(text);
    while let Some(entry) = reader.next() {
        list.add(&entry, reader.text());
    }
    list
}

/// Returns the moves of a game: as one text if there is nothing else, since a large collection has millions
/// of moves.
fn main_line(start: &Position, plies: &[Ply]) -> Value {
    let moves = line(start, plies);
    let texts: Option<Vec<&str>> = moves.iter().map(Value::as_str).collect();
    texts
        .filter(|texts| !texts.is_empty())
        .map(|texts| texts.join(" "))
        .map_or(Value::Array(moves), Value::String)
}

/// Returns a line of moves, each with its comment and variations. A move without these is just a string. The
/// reader limits the nesting of variations.
fn line(start: &Position, plies: &[Ply]) -> Vec<Value> {
    record::positions(*start, plies).map(|(before, ply)| move_value(&before, ply)).collect()
}

fn move_value(before: &Position, ply: &Ply) -> Value {
    let mv = movetext::format(before, ply.mv);
    let comment = ply.full_comment();
    if ply.glyphs.is_empty() && comment.is_empty() && ply.variations.is_empty() {
        return Value::String(mv);
    }
    let mut entry = json!({ "move": mv });
    if !ply.glyphs.is_empty() {
        entry["glyphs"] = json!(ply.glyphs);
    }
    if !comment.is_empty() {
        entry["comment"] = json!(comment);
    }
    if !ply.variations.is_empty() {
        let variations = ply
            .variations
            .iter()
            .map(|Variation { comment, plies }| json!({ "comment": comment, "plies": line(before, plies) }));
        entry["variations"] = variations.collect();
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_reported_with_lines_and_other_games_are_read() {
        let text = b"[Event \"A\"]\n1. 11-15 {good} 23-19 (23-18 8-11) *\n\n[Event \"B\"]\n1. 11-17 *\n\n[Event \"C\"] 1. 9-13 *";
        let value = read(text);
        assert_eq!(value["games"].as_array().unwrap().len(), 3);
        assert_eq!(value["games"][0]["plies"][0], json!({ "move": "11-15", "comment": "good" }));
        assert_eq!(value["games"][0]["plies"][1]["variations"][0]["plies"][1], "8-11");
        assert!(value["games"][0]["fault"].is_null() && value["games"][1]["fault"].is_string());
        assert_eq!((&value["games"][1]["plies"], &value["games"][2]["plies"]), (&json!([]), &json!("9-13")));
        assert_eq!(value["games"][2]["tags"], json!([["Event", "C"]]));
        assert_eq!((&value["faults"][0]["game"], &value["faults"][0]["line"]), (&json!(2), &json!(5)));
        assert_eq!(value["games"][0]["source"], "[Event \"A\"]\n1. 11-15 {good} 23-19 (23-18 8-11) *\n");
        assert_eq!(read(b"")["games"], json!([]));
    }
}
