//! A game of a match: its record, and its place in the schedule.
//!
//! In a checkpoint, positions and moves are text. Reading a line replays its moves, since a damaged line may
//! still be valid JSON.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::fen::PositionError;
use kelso_draughts::notation::movetext::MovesError;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::{GameRecord, Ply, SearchInfo};
use kelso_draughts::result::{EndReason, GameResult};
use kelso_players::player::FaultKind;
use kelso_text::syntax::WordError;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "GameLine", try_from = "GameLine")]
pub struct MatchGame {
    /// Number in the schedule, from 0.
    pub number: u32,
    /// Number of the pair, from 0.
    pub pair: u32,
    /// The round, from 0.
    pub round: u32,
    /// The game, with the players and the name of the opening as tags, and without its result.
    pub record: GameRecord,
    /// The number of plies of the opening.
    pub opening_plies: usize,
    pub result: GameResult,
    pub termination: Termination,
    /// Details about why the game ended.
    pub detail: String,
    /// The last lines on stderr of the engine at fault.
    pub stderr: String,
    /// Number, from 0, of the earlier game that this game repeats. Set at the end of a match.
    pub repeats: Option<u32>,
}

/// The reason for the result of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Termination {
    /// By the rules, or by adjudication.
    Regular(EndReason),
    Fault(FaultKind),
    /// The file does not state a reason.
    Unknown,
}

impl Termination {
    /// Returns the reason as one word, as in the PDN tag `Termination`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Regular(reason) => reason.word(),
            Self::Fault(kind) => kind.word(),
            Self::Unknown => "unknown",
        }
    }
}

impl From<Termination> for &'static str {
    fn from(termination: Termination) -> Self {
        termination.word()
    }
}

impl TryFrom<String> for Termination {
    type Error = WordError;

    fn try_from(word: String) -> Result<Self, WordError> {
        let expected = "a reason such as no-move, repetition or time";
        let regular = EndReason::from_word(&word).map(Self::Regular);
        let reason = regular.or_else(|| FaultKind::from_word(&word).map(Self::Fault));
        let reason = reason.or((word == Self::Unknown.word()).then_some(Self::Unknown));
        reason.ok_or_else(|| WordError::unknown("reason", &word, expected))
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Regular(reason) => reason.fmt(f),
            Self::Fault(kind) => kind.fmt(f),
            Self::Unknown => f.pad("reason not given"),
        }
    }
}

impl MatchGame {
    pub fn player(&self, side: Color) -> &str {
        self.record.tags.text(side.title())
    }

    pub fn opening(&self) -> &str {
        self.record.tags.text("Opening")
    }

    pub fn finished_record(&self) -> GameRecord {
        GameRecord { result: Some(self.result), ..self.record.clone() }
    }

    /// Returns the moves that the engines made, each with its side.
    pub fn moves(&self) -> impl Iterator<Item = (Color, &Ply)> {
        let first = self.record.start.side();
        let sides = [first, !first].into_iter().cycle();
        sides.zip(&self.record.plies).skip(self.opening_plies)
    }

    /// Returns the position before each move that the engines made.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.record.positions().skip(self.opening_plies).map(|(position, _)| position)
    }

    /// Describes how the game ended.
    pub fn ending(&self) -> String {
        match self.detail.as_str() {
            "" => self.termination.to_string(),
            detail => format!("{}: {detail}", self.termination),
        }
    }

    /// Returns the side that lost by a fault, if any.
    pub fn at_fault(&self) -> Option<Color> {
        let is_fault = matches!(self.termination, Termination::Fault(_));
        self.result.winner().filter(|_| is_fault).map(|winner| !winner)
    }
}

/// A line of a checkpoint.
#[derive(Serialize, Deserialize)]
struct GameLine {
    game: u32,
    pair: u32,
    round: u32,
    black: String,
    white: String,
    opening: String,
    fen: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    book: Vec<String>,
    plies: Vec<PlyLine>,
    result: GameResult,
    reason: Termination,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    stderr: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repeats: Option<u32>,
}

/// A move of an engine, with the data that it reported.
#[derive(Serialize, Deserialize)]
struct PlyLine {
    #[serde(rename = "m")]
    mv: String,
    #[serde(flatten)]
    search: SearchInfo,
    /// The remaining time after the move, in milliseconds.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
}

impl From<MatchGame> for GameLine {
    fn from(game: MatchGame) -> Self {
        let [black, white] = Color::BOTH.map(|side| game.player(side).to_owned());
        let opening = game.opening().to_owned();
        let MatchGame { record, opening_plies, .. } = game;
        let moves: Vec<_> = record.moves().collect();
        let mut book = movetext::format_moves(&record.start, &moves);
        let texts = book.split_off(opening_plies.min(book.len()));
        let mut plies = Vec::new();
        for (ply, mv) in record.plies.iter().skip(opening_plies).zip(texts) {
            let clock = ply.clock.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
            plies.push(PlyLine { mv, search: ply.search, clock });
        }
        Self {
            game: game.number,
            pair: game.pair,
            round: game.round,
            black,
            white,
            opening,
            fen: fen::format(&record.start),
            book,
            plies,
            result: game.result,
            reason: game.termination,
            detail: game.detail,
            stderr: game.stderr,
            repeats: game.repeats,
        }
    }
}

/// The reason why a line is not a valid game. Games are counted from 1.
#[derive(Error, Debug)]
enum GameLineError {
    #[error("game {game}: {error}")]
    Start { game: u64, error: PositionError },
    #[error("game {game}: {error}")]
    Moves { game: u64, error: MovesError },
}

impl TryFrom<GameLine> for MatchGame {
    type Error = GameLineError;

    fn try_from(line: GameLine) -> Result<Self, GameLineError> {
        let number = line.game;
        let game = u64::from(number) + 1;
        let start = fen::parse(&line.fen).map_err(|error| GameLineError::Start { game, error })?;
        let texts = line.book.iter().chain(line.plies.iter().map(|ply| &ply.mv));
        let moves =
            movetext::parse_moves(&start, texts).map_err(|error| GameLineError::Moves { game, error })?;
        let mut record = GameRecord::of(start, moves);
        for (ply, line) in record.plies.iter_mut().skip(line.book.len()).zip(&line.plies) {
            ply.search = line.search;
            ply.clock = line.clock.map(Duration::from_millis);
        }
        for (name, value) in [("Opening", &line.opening), ("Black", &line.black), ("White", &line.white)] {
            record.tags.set(name, value);
        }
        let opening_plies = line.book.len();
        let GameLine { pair, round, result, reason: termination, detail, stderr, repeats, .. } = line;
        Ok(Self { number, pair, round, record, opening_plies, result, termination, detail, stderr, repeats })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use kelso_draughts::score::ReportedScore;

    pub(crate) fn record() -> MatchGame {
        let start = kelso_draughts::Position::start();
        let texts = ["9-13", "21-17", "5-9", "23-18", "9-14"];
        let mut record = GameRecord::of(start, movetext::parse_moves(&start, texts).unwrap());
        let search = &mut record.plies[3].search;
        search.score = Some(ReportedScore::Cp(12));
        search.depth = Some(14);
        search.nodes = Some(120_034);
        search.time = Some(Duration::from_millis(103));
        record.plies[3].clock = Some(Duration::from_millis(59_897));
        for (name, value) in [("Opening", "three-move 1"), ("Black", "A"), ("White", "B")] {
            record.tags.set(name, value);
        }
        MatchGame {
            number: 4,
            pair: 2,
            round: 2,
            record,
            opening_plies: 3,
            result: GameResult::WhiteWins,
            termination: Termination::Fault(FaultKind::Time),
            detail: "A took \"9\" s".to_owned(),
            stderr: String::new(),
            repeats: None,
        }
    }

    #[test]
    fn a_game_comes_back_as_it_was_written() {
        let line = serde_json::to_string(&record()).unwrap();
        assert!(line.contains(r#""book":["9-13","21-17","5-9"],"plies":[{"m":"23-18","s":"#), "{line}");
        assert_eq!(serde_json::from_str::<MatchGame>(&line).unwrap(), record());
    }

    #[test]
    fn a_changed_line_is_refused() {
        let line = serde_json::to_string(&record()).unwrap();
        let error = |line: &str| serde_json::from_str::<MatchGame>(line).unwrap_err().to_string();
        let illegal = error(&line.replace("B:W21,", "B:W33,"));
        assert!(illegal.starts_with("game 5: invalid FEN \"B:W33,"), "{illegal}");
        let illegal = error(&line.replace("9-14", "9-15"));
        assert!(illegal.starts_with("game 5: move 5: illegal move \"9-15\""), "{illegal}");
    }

    #[test]
    fn terminations_are_words() {
        for termination in [
            Termination::Regular(EndReason::MaxPlies),
            Termination::Fault(FaultKind::Option),
            Termination::Unknown,
        ] {
            let json = serde_json::to_string(&termination).unwrap();
            assert_eq!(json, format!("\"{}\"", termination.word()));
            assert_eq!(serde_json::from_str::<Termination>(&json).unwrap(), termination);
        }
        let error = serde_json::from_str::<Termination>("\"luck\"").unwrap_err().to_string();
        assert!(error.starts_with("unknown reason \"luck\": expected a reason such as "), "{error}");
    }

    #[test]
    fn moves_have_sides_and_only_faults_have_a_culprit() {
        let mut game = record();
        let sides = |game: &MatchGame| game.moves().map(|(side, _)| side).collect::<Vec<_>>();
        assert_eq!(sides(&game), [Color::White, Color::Black]);
        assert_eq!(game.ending(), "time forfeit: A took \"9\" s");
        assert_eq!(game.at_fault(), Some(Color::Black));
        (game.result, game.termination) = (GameResult::BlackWins, Termination::Fault(FaultKind::Crash));
        assert_eq!(game.at_fault(), Some(Color::White));
        game.termination = Termination::Regular(EndReason::NoMove);
        game.detail.clear();
        assert_eq!((game.at_fault(), game.ending().as_str()), (None, "no legal move"));
        (game.result, game.termination) = (GameResult::Draw, Termination::Fault(FaultKind::Time));
        assert_eq!(game.at_fault(), None);
        game.record.start = fen::parse("W:W30:B1").unwrap();
        assert_eq!(sides(&game), [Color::Black, Color::White]);
    }
}
