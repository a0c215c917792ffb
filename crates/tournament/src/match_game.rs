//! A game of a match: its record, and its place in the schedule.
//!
//! In a checkpoint, positions and moves are text. Reading a line replays its moves, since a damaged line may
//! still be valid JSON.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::notation::fen::PositionError;
use kelso_draughts::notation::movetext::MovesError;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::{self, GameRecord, Ply, SearchInfo, Tags};
use kelso_draughts::result::{EndReason, GameResult};
use kelso_draughts::score::ReportedScore;
use kelso_players::player::FaultKind;
use kelso_syntax::WordError;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "GameLine", try_from = "GameLine")]
pub struct MatchGame {
    /// Number in the schedule or, if there is none, in the collection, from 0.
    pub number: u32,
    /// Number of the pair, from 0.
    pub pair: u32,
    /// The round, from 0.
    pub round: u32,
    /// The names of the engines that play Black and White.
    pub players: [String; 2],
    /// The name of the opening.
    pub opening: String,
    pub start: Position,
    /// The moves, those of the opening first.
    pub plies: Vec<Ply>,
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
            Self::Regular(reason) => reason.name(),
            Self::Fault(kind) => kind.name(),
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
        let regular = EndReason::from_name(&word).map(Self::Regular);
        let reason = regular.or_else(|| FaultKind::from_name(&word).map(Self::Fault));
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
    /// Returns the game with its players and its result.
    pub fn record(&self) -> GameRecord {
        let mut tags = Tags::default();
        for (side, name) in Color::BOTH.into_iter().zip(&self.players) {
            tags.set(side.title(), name);
        }
        let (plies, result) = (self.plies.clone(), Some(self.result));
        GameRecord { tags, plies, result, ..GameRecord::new(self.start) }
    }

    /// Returns the moves that the engines made, each with its side.
    pub fn moves(&self) -> impl Iterator<Item = (Color, &Ply)> {
        let first = self.start.side();
        let sides = [first, !first].into_iter().cycle();
        sides.zip(&self.plies).skip(self.opening_plies)
    }

    /// Returns the position before each move that the engines made.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        record::positions(self.start, &self.plies).skip(self.opening_plies).map(|(position, _)| position)
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

/// A move of an engine, with the data that it reported. The names have one letter, to keep files with
/// millions of moves small.
#[derive(Serialize, Deserialize)]
struct PlyLine {
    #[serde(rename = "m")]
    mv: String,
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    score: Option<ReportedScore>,
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(rename = "n", skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// The time spent on the move, in microseconds.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    micros: Option<u64>,
    /// The remaining time after the move, in milliseconds.
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    clock_millis: Option<u64>,
}

impl PlyLine {
    fn new(mv: String, ply: &Ply) -> Self {
        let SearchInfo { score, depth, nodes, time, .. } = ply.search;
        let number = |number| u64::try_from(number).unwrap_or(u64::MAX);
        let micros = time.map(|time| number(time.as_micros()));
        let clock_millis = ply.clock.map(|time| number(time.as_millis()));
        Self { mv, score, depth, nodes, micros, clock_millis }
    }

    fn ply(&self, mv: Move) -> Ply {
        let Self { score, depth, nodes, micros, clock_millis, .. } = *self;
        let time = micros.map(Duration::from_micros);
        let search = SearchInfo { score, depth, nodes, time, ..SearchInfo::default() };
        Ply { search, clock: clock_millis.map(Duration::from_millis), ..Ply::new(mv) }
    }
}

impl From<MatchGame> for GameLine {
    fn from(game: MatchGame) -> Self {
        let moves: Vec<_> = game.plies.iter().map(|ply| ply.mv).collect();
        let mut book = movetext::format_moves(&game.start, &moves);
        let texts = book.split_off(game.opening_plies.min(book.len()));
        let plies = texts.into_iter().zip(game.moves()).map(|(mv, (_, ply))| PlyLine::new(mv, ply)).collect();
        let [black, white] = game.players;
        Self {
            game: game.number,
            pair: game.pair,
            round: game.round,
            black,
            white,
            opening: game.opening,
            fen: fen::format(&game.start),
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
        let opening_plies = line.book.len();
        let (book, played) = moves.split_at(opening_plies);
        let played = line.plies.iter().zip(played).map(|(line, &mv)| line.ply(mv));
        let plies = book.iter().copied().map(Ply::new).chain(played).collect();
        Ok(Self {
            number,
            pair: line.pair,
            round: line.round,
            players: [line.black, line.white],
            opening: line.opening,
            start,
            plies,
            opening_plies,
            result: line.result,
            termination: line.reason,
            detail: line.detail,
            stderr: line.stderr,
            repeats: line.repeats,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn record() -> MatchGame {
        let start = kelso_draughts::Position::start();
        let texts = ["9-13", "21-17", "5-9", "23-18", "9-14"];
        let GameRecord { mut plies, .. } =
            GameRecord::of(start, movetext::parse_moves(&start, texts).unwrap());
        let search = &mut plies[3].search;
        search.score = Some(ReportedScore::Cp(12));
        search.depth = Some(14);
        search.nodes = Some(120_034);
        search.time = Some(Duration::from_millis(103));
        plies[3].clock = Some(Duration::from_millis(59_897));
        MatchGame {
            number: 4,
            pair: 2,
            round: 2,
            players: ["A", "B"].map(str::to_owned),
            opening: "three-move 1".to_owned(),
            start,
            plies,
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
        let moves = r#""book":["9-13","21-17","5-9"],"plies":[{"m":"23-18","s":"+12","d":14,"n":120034,"t":103000,"c":59897},{"m":"9-14"}]"#;
        assert!(line.contains(moves), "{line}");
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
        game.start = fen::parse("W:W30:B1").unwrap();
        assert_eq!(sides(&game), [Color::Black, Color::White]);
    }
}
