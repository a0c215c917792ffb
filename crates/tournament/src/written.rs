//! The JSON form of a game in a match checkpoint, with positions and moves as text. Reading plays the moves, since a damaged line
//! may still be valid JSON.

use serde::{Deserialize, Serialize};

use super::record::{GameRecord, PlyRecord};
use draughts::board::{Move, Position};
use draughts::notation::{fen, movetext};
use draughts::referee::{GameResult, Reason};
use players::ScoreKind;

/// A move of an engine.
#[derive(Serialize, Deserialize)]
struct WrittenPly {
    #[serde(rename = "m")]
    text: String,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    score: Option<ScoreKind>,
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    micros: Option<u64>,
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
}

/// A game.
#[derive(Serialize, Deserialize)]
pub(super) struct WrittenGame {
    game: u32,
    pair: u32,
    round: u32,
    black: String,
    white: String,
    opening: String,
    fen: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    book: Vec<String>,
    plies: Vec<WrittenPly>,
    result: GameResult,
    reason: Reason,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    stderr: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repeats: Option<u32>,
}

impl From<GameRecord> for WrittenGame {
    fn from(record: GameRecord) -> Self {
        let mut position = record.start;
        let mut text = |mv: Move| {
            let text = movetext::format(&position, mv);
            position = position.after(mv);
            text
        };
        let book = record.book.into_iter().map(&mut text).collect();
        let plies = record.plies.into_iter().map(|ply| {
            let PlyRecord { mv, score, depth, nodes, micros, clock } = ply;
            WrittenPly { text: text(mv), score, depth, nodes, micros, clock }
        });
        Self {
            game: record.game,
            pair: record.pair,
            round: record.round,
            black: record.black,
            white: record.white,
            opening: record.opening,
            fen: fen::format(&record.start),
            book,
            plies: plies.collect(),
            result: record.result,
            reason: record.reason,
            detail: record.detail,
            stderr: record.stderr,
            repeats: record.repeats,
        }
    }
}

impl TryFrom<WrittenGame> for GameRecord {
    type Error = String;

    fn try_from(written: WrittenGame) -> Result<Self, String> {
        let number = u64::from(written.game) + 1;
        let start = fen::parse(&written.fen).map_err(|error| format!("game {number}: {error}"))?;
        let mut position: Position = start;
        let mut count = 0;
        let mut read = |text: &str| {
            count += 1;
            let mv = movetext::parse(&position, text)
                .map_err(|error| format!("game {number}: move {count}: {error}"))?;
            position = position.after(mv);
            Ok(mv)
        };
        let book = written.book.iter().map(|text| read(text)).collect::<Result<_, String>>()?;
        let plies = written.plies.into_iter().map(|ply| {
            let WrittenPly { text, score, depth, nodes, micros, clock } = ply;
            Ok(PlyRecord { mv: read(&text)?, score, depth, nodes, micros, clock })
        });
        let plies = plies.collect::<Result<_, String>>()?;
        Ok(Self {
            game: written.game,
            pair: written.pair,
            round: written.round,
            black: written.black,
            white: written.white,
            opening: written.opening,
            start,
            book,
            plies,
            result: written.result,
            reason: written.reason,
            detail: written.detail,
            stderr: written.stderr,
            repeats: written.repeats,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::record::GameRecord;
    use crate::record::tests::record;

    fn read(line: &str) -> Result<GameRecord, String> {
        serde_json::from_str(line).map_err(|error| error.to_string())
    }

    #[test]
    fn a_game_comes_back_as_it_was_written() {
        let line = serde_json::to_string(&record()).unwrap();
        assert!(line.contains(r#""book":["9-13","21-17","5-9"],"plies":[{"m":"23-18","s":"#), "{line}");
        assert_eq!(read(&line), Ok(record()));
    }

    #[test]
    fn a_changed_line_is_refused() {
        let line = serde_json::to_string(&record()).unwrap();
        let error = read(&line.replace("B:W21,", "B:W33,")).unwrap_err();
        assert!(error.starts_with("game 5: invalid FEN \"B:W33,"), "{error}");
        let error = read(&line.replace("9-14", "9-15")).unwrap_err();
        assert!(error.starts_with("game 5: move 5: illegal move \"9-15\""), "{error}");
    }
}
