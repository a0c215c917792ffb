//! What is kept of a game: everything needed to replay it, judge it and count it.

use serde::{Deserialize, Serialize};

use super::score::Score;
use crate::board::Color;
use crate::referee::{GameResult, Reason};

/// One move by an engine, and what it said about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlyRecord {
    /// The move.
    #[serde(rename = "m")]
    pub text: String,
    /// The engine's score.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The depth that it reached.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The positions that it searched.
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time that it took, in microseconds.
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub micros: Option<u64>,
    /// What its clock showed afterwards, in milliseconds.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
}

/// One game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub game: u32,
    /// The pair that it belongs to, from 0.
    pub pair: u32,
    /// The round, from 0.
    pub round: u32,
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// The opening's name.
    pub opening: String,
    /// Where the game began.
    pub fen: String,
    /// The moves of the opening.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub book: Vec<String>,
    /// The moves of the engines.
    pub plies: Vec<PlyRecord>,
    /// How it ended.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// Why, in full, where there is more to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The end of what the engine at fault wrote to stderr.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The number of the earlier game that this one repeats move by move, from 0; found out when a match ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u32>,
}

impl GameRecord {
    /// Who played a side.
    #[must_use]
    pub fn player(&self, side: Color) -> &str {
        match side {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The side that moved first.
    #[must_use]
    pub fn first_side(&self) -> Color {
        if self.fen.starts_with(['W', 'w']) { Color::White } else { Color::Black }
    }

    /// The engines' moves with the side that made each.
    pub fn moves(&self) -> impl Iterator<Item = (Color, &PlyRecord)> {
        let (first, book) = (self.first_side(), self.book.len());
        self.plies
            .iter()
            .enumerate()
            .map(move |(n, ply)| (if (n + book).is_multiple_of(2) { first } else { !first }, ply))
    }

    /// The side at fault, if the game was lost by misbehaviour.
    #[must_use]
    pub fn at_fault(&self) -> Option<Color> {
        let winner = self.result.winner().filter(|_| self.reason.is_fault())?;
        Some(!winner)
    }
}
