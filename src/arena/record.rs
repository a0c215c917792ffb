//! What is kept of a game: everything needed to replay it, judge it and count it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::score::Score;
use crate::board::Color;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// Black won.
    #[serde(rename = "1-0")]
    BlackWins,
    /// White won.
    #[serde(rename = "0-1")]
    WhiteWins,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win by a side.
    #[must_use]
    pub const fn won_by(side: Color) -> Self {
        match side {
            Color::Black => Self::BlackWins,
            Color::White => Self::WhiteWins,
        }
    }

    /// A side's points, counted in halves.
    #[must_use]
    pub const fn half_points(self, side: Color) -> u8 {
        match (self, side) {
            (Self::Draw, _) => 1,
            (Self::BlackWins, Color::Black) | (Self::WhiteWins, Color::White) => 2,
            _ => 0,
        }
    }
}

/// As PDN writes it: Black, who moves first, before White.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::BlackWins => "1-0",
            Self::WhiteWins => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A side had no move left.
    NoMove,
    /// The third repetition.
    Repetition,
    /// Too many plies without progress.
    NoProgress,
    /// The longest game allowed.
    MaxPlies,
    /// Both scores were level for long enough.
    Agreement,
    /// A score was hopeless for long enough.
    Resignation,
    /// The endgame database knows the result.
    Database,
    /// An engine answered too late.
    Time,
    /// An engine never answered.
    Hang,
    /// An engine ended, closed its pipes, or could not be started again.
    Crash,
    /// An engine printed without end.
    Flood,
    /// An engine's answer was no legal move.
    IllegalMove,
    /// An engine answered more often than it was asked.
    ExtraMove,
    /// The file doesn't say.
    Unknown,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::NoMove,
        Self::Repetition,
        Self::NoProgress,
        Self::MaxPlies,
        Self::Agreement,
        Self::Resignation,
        Self::Database,
        Self::Time,
        Self::Hang,
        Self::Crash,
        Self::Flood,
        Self::IllegalMove,
        Self::ExtraMove,
        Self::Unknown,
    ];

    /// Whether an engine lost by misbehaving rather than on the board.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::Time | Self::Hang | Self::Crash | Self::Flood | Self::IllegalMove | Self::ExtraMove
        )
    }

    /// A word for it, as in PDN's tag `Termination`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoMove => "no-move",
            Self::Repetition => "repetition",
            Self::NoProgress => "no-progress",
            Self::MaxPlies => "max-plies",
            Self::Agreement => "agreement",
            Self::Resignation => "resignation",
            Self::Database => "database",
            Self::Time => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::Flood => "flood",
            Self::IllegalMove => "illegal-move",
            Self::ExtraMove => "extra-move",
            Self::Unknown => "unknown",
        }
    }

    /// The reason that a word stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NoMove => "no move left",
            Self::Repetition => "third repetition",
            Self::NoProgress => "no progress",
            Self::MaxPlies => "longest game",
            Self::Agreement => "draw agreed",
            Self::Resignation => "resignation",
            Self::Database => "endgame database",
            Self::Time => "time forfeit",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::Flood => "flood",
            Self::IllegalMove => "illegal move",
            Self::ExtraMove => "unasked move",
            Self::Unknown => "reason not given",
        })
    }
}

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
        let winner = match self.result {
            GameResult::BlackWins => Color::Black,
            GameResult::WhiteWins => Color::White,
            GameResult::Draw => return None,
        };
        self.reason.is_fault().then_some(!winner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_words_of_their_own() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_word(reason.word()), Some(reason));
            assert_eq!(serde_json::to_string(&reason).unwrap(), format!("\"{}\"", reason.word()));
        }
    }

    #[test]
    fn both_sides_share_two_half_points() {
        for result in [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw] {
            assert_eq!(result.half_points(Color::Black) + result.half_points(Color::White), 2);
        }
    }
}
