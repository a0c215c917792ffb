//! The record of a game: all data to replay, review and count it.
//!
//! In a checkpoint positions and moves are text. Reading plays the moves, since a damaged line may still be valid JSON.

use std::convert::Infallible;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use draughts::board::{Color, Move, Position};
use draughts::notation::{fen, movetext};
use draughts::result::{EndReason, GameResult};
use players::ScoreKind;

/// A move of an engine, with the data that it reported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "M: Text")]
pub struct PlyRecord<M = Move> {
    #[serde(rename = "m")]
    pub mv: M,
    /// The engine's score.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreKind>,
    /// The depth of the search.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time, in microseconds.
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub micros: Option<u64>,
    /// The remaining time after the move, in milliseconds.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
}

/// One game. With moves and position as text, it is the form of a line in a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "M: Text, P: Text")]
pub struct GameRecord<M = Move, P = Position> {
    /// Number in the schedule, from 0.
    pub game: u32,
    /// Pair, from 0.
    pub pair: u32,
    /// The round, from 0.
    pub round: u32,
    /// The name of Black.
    pub black: String,
    /// The name of White.
    pub white: String,
    /// The opening's name.
    pub opening: String,
    /// The position before the opening.
    #[serde(rename = "fen")]
    pub start: P,
    /// The moves of the opening.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub book: Vec<M>,
    /// The moves of the engines.
    pub plies: Vec<PlyRecord<M>>,
    pub result: GameResult,
    /// The reason of the end.
    pub reason: EndReason,
    /// Details of the reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The last lines that the engine at fault wrote to stderr.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The number of the earlier game that this one repeats, from 0; set at the end of a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u32>,
}

impl GameRecord {
    /// Returns the name of a side's player.
    pub fn player(&self, side: Color) -> &str {
        match side {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// Returns all moves, those of the opening first, with the data of the engines.
    pub fn all_moves(&self) -> impl Iterator<Item = (Move, Option<&PlyRecord>)> {
        let book = self.book.iter().map(|&mv| (mv, None));
        book.chain(self.plies.iter().map(|ply| (ply.mv, Some(ply))))
    }

    /// Returns the moves of the engines with their sides.
    pub fn moves(&self) -> impl Iterator<Item = (Color, &PlyRecord)> {
        let (first, book) = (self.start.side(), self.book.len());
        self.plies
            .iter()
            .enumerate()
            .map(move |(n, ply)| (if (n + book).is_multiple_of(2) { first } else { !first }, ply))
    }

    /// Describes how the game ended.
    pub fn ending(&self) -> String {
        match self.detail.as_str() {
            "" => self.reason.to_string(),
            detail => format!("{}: {detail}", self.reason),
        }
    }

    /// Returns the side that lost by a fault.
    pub fn at_fault(&self) -> Option<Color> {
        let winner = self.result.winner().filter(|_| self.reason.is_fault())?;
        Some(!winner)
    }
}

/// The type of moves and positions in JSON.
pub trait Text: Serialize + DeserializeOwned {}

impl Text for String {}

type WrittenGame = GameRecord<String, String>;

impl<M, P> GameRecord<M, P> {
    /// Converts the moves, in their order, with a new start.
    fn convert<N, Q, E>(
        self,
        start: Q,
        mut convert: impl FnMut(M) -> Result<N, E>,
    ) -> Result<GameRecord<N, Q>, E> {
        let book = self.book.into_iter().map(&mut convert).collect::<Result<_, E>>()?;
        let plies = self.plies.into_iter().map(|ply| {
            let PlyRecord { mv, score, depth, nodes, micros, clock } = ply;
            Ok(PlyRecord { mv: convert(mv)?, score, depth, nodes, micros, clock })
        });
        Ok(GameRecord {
            start,
            book,
            plies: plies.collect::<Result<_, E>>()?,
            game: self.game,
            pair: self.pair,
            round: self.round,
            black: self.black,
            white: self.white,
            opening: self.opening,
            result: self.result,
            reason: self.reason,
            detail: self.detail,
            stderr: self.stderr,
            repeats: self.repeats,
        })
    }
}

impl Serialize for GameRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut position = self.start;
        let text = |mv: Move| {
            let text = movetext::format(&position, mv);
            position = position.after(mv);
            Ok::<_, Infallible>(text)
        };
        match self.clone().convert(fen::format(&self.start), text) {
            Ok(written) => WrittenGame::serialize(&written, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for GameRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = WrittenGame::deserialize(deserializer)?;
        let number = u64::from(written.game) + 1;
        let start = fen::parse(&written.start)
            .map_err(|error| D::Error::custom(format_args!("game {number}: {error}")))?;
        let (mut position, mut count) = (start, 0);
        written.convert(start, |text| {
            count += 1;
            let mv = movetext::parse(&position, &text)
                .map_err(|error| D::Error::custom(format_args!("game {number}: move {count}: {error}")))?;
            position = position.after(mv);
            Ok(mv)
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use draughts::notation::movetext;

    pub(crate) fn moves(start: &Position, texts: &[&str]) -> Vec<Move> {
        let mut position = *start;
        let mut moves = Vec::new();
        for text in texts {
            let mv = movetext::parse(&position, text).unwrap();
            moves.push(mv);
            position = position.after(mv);
        }
        moves
    }

    pub(crate) fn record() -> GameRecord {
        let start = Position::start();
        let mut book = moves(&start, &["9-13", "21-17", "5-9", "23-18", "9-14"]);
        let [last, first] = [book.pop(), book.pop()].map(Option::unwrap);
        let silent = PlyRecord { mv: last, score: None, depth: None, nodes: None, micros: None, clock: None };
        GameRecord {
            game: 4,
            pair: 2,
            round: 2,
            black: "A".to_owned(),
            white: "B".to_owned(),
            opening: "three-move 1".to_owned(),
            start,
            book,
            plies: vec![
                PlyRecord {
                    mv: first,
                    score: Some(ScoreKind::Cp(12)),
                    depth: Some(14),
                    nodes: Some(120_034),
                    micros: Some(103_000),
                    clock: Some(59_897),
                },
                silent,
            ],
            result: GameResult::WhiteWins,
            reason: EndReason::Time,
            detail: "A took \"9\" s".to_owned(),
            stderr: String::new(),
            repeats: None,
        }
    }

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
