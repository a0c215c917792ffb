//! Results of games and their reasons, and values of positions.

use std::fmt;
use std::ops::AddAssign;

use crate::board::Color;

/// The result of a finished game.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameResult {
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    BlackWins,
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    WhiteWins,
    /// Neither side won.
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
}

impl GameResult {
    pub const fn won_by(side: Color) -> Self {
        match side {
            Color::Black => Self::BlackWins,
            Color::White => Self::WhiteWins,
        }
    }

    /// Returns the result of a game that `side` wins, draws or loses.
    pub fn from_wdl(wdl: Wdl, side: Color) -> Self {
        match wdl {
            Wdl::Win => Self::won_by(side),
            Wdl::Draw => Self::Draw,
            Wdl::Loss => Self::won_by(!side),
        }
    }

    /// Returns the result as written in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::BlackWins => "1-0",
            Self::WhiteWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackWins => Some(Color::Black),
            Self::WhiteWins => Some(Color::White),
            Self::Draw => None,
        }
    }

    /// Returns the result for a side.
    pub const fn wdl(self, side: Color) -> Wdl {
        match (self, side) {
            (Self::Draw, _) => Wdl::Draw,
            (Self::BlackWins, Color::Black) | (Self::WhiteWins, Color::White) => Wdl::Win,
            _ => Wdl::Loss,
        }
    }

    /// Returns a side's points, in half points.
    #[must_use]
    pub const fn half_points(self, side: Color) -> u8 {
        self.wdl(side).half_points()
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A win, a draw or a loss for the side to move, or for a side that the context names. Ordered from worst to
/// best.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Wdl {
    /// The side to move loses.
    #[cfg_attr(feature = "serde", serde(rename = "lost"))]
    Loss,
    /// Neither side can win.
    #[cfg_attr(feature = "serde", serde(rename = "drawn"))]
    Draw,
    /// The side to move wins.
    #[cfg_attr(feature = "serde", serde(rename = "won"))]
    Win,
}

impl Wdl {
    /// Returns the word that users read. Files of JSON have `won`, `drawn` and `lost`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Loss => "loss",
            Self::Draw => "draw",
        }
    }

    /// Returns the same for the other side.
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
        }
    }

    /// Returns the number of half points: 0, 1 or 2.
    #[must_use]
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// Returns the points: 0, 0.5 or 1.
    #[must_use]
    pub fn points(self) -> f32 {
        f32::from(self.half_points()) / 2.0
    }

    /// Returns the result that gives this number of half points.
    #[must_use]
    pub const fn from_half_points(points: u8) -> Option<Self> {
        match points {
            0 => Some(Self::Loss),
            1 => Some(Self::Draw),
            2 => Some(Self::Win),
            _ => None,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The known value of a position for the side to move.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownValue {
    /// The result with best play.
    pub wdl: Wdl,
    /// Plies to the end of the game, if known; always `None` for a draw.
    pub plies: Option<u32>,
}

impl KnownValue {
    /// Creates a value. For a draw, `plies` is ignored.
    pub const fn new(wdl: Wdl, plies: Option<u32>) -> Self {
        Self { wdl, plies: if matches!(wdl, Wdl::Draw) { None } else { plies } }
    }

    /// The value for a side that cannot move.
    pub const LOST: Self = Self { wdl: Wdl::Loss, plies: Some(0) };

    /// Returns the value of the previous position, for the side that moved.
    pub fn for_parent(self) -> Self {
        Self { wdl: self.wdl.reversed(), plies: self.plies.map(|plies| plies + 1) }
    }

    /// Returns a number that is higher for better values: wins, fastest first; then draws, with 0; then
    /// losses, latest first.
    #[must_use]
    pub fn rank(self) -> i64 {
        /// More than the plies of any win.
        const WIN: i64 = 10_000;
        let plies = self.plies.map_or(0, i64::from);
        match self.wdl {
            Wdl::Win => WIN - plies,
            Wdl::Draw => 0,
            Wdl::Loss => plies - WIN,
        }
    }
}

/// Formats the value as `win 5` or `draw`.
impl fmt::Display for KnownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.wdl)?;
        self.plies.map_or(Ok(()), |plies| write!(f, " {plies}"))
    }
}

/// Wins, draws and losses of one side, or of the side to move.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WdlCounts {
    /// Games or positions won.
    pub wins: u64,
    /// Games or positions drawn.
    pub draws: u64,
    /// Games or positions lost.
    pub losses: u64,
}

impl WdlCounts {
    /// Creates counts of wins, draws and losses.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self { wins, draws, losses }
    }

    /// Counts a game or a position.
    pub const fn count(&mut self, wdl: Wdl) {
        match wdl {
            Wdl::Win => self.wins += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Loss => self.losses += 1,
        }
    }

    /// Returns the number of games or positions.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the number of half points: two for a win and one for a draw.
    #[must_use]
    pub const fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Returns the mean score, from 0 to 1, or 0.5 without games.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn score(self) -> f64 {
        if self.total() == 0 { 0.5 } else { self.half_points() as f64 / (2.0 * self.total() as f64) }
    }

    /// Returns the share of draws, or 0 without games.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn draw_ratio(self) -> f64 {
        if self.total() == 0 { 0.0 } else { self.draws as f64 / self.total() as f64 }
    }

    /// Returns the counts from the other side's point of view.
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for WdlCounts {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// The end of a game: its result, and the reason.
#[must_use]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    pub result: GameResult,
    pub reason: EndReason,
}

impl GameEnd {
    pub const fn won_by(side: Color, reason: EndReason) -> Self {
        Self { result: GameResult::won_by(side), reason }
    }

    pub const fn draw(reason: EndReason) -> Self {
        Self { result: GameResult::Draw, reason }
    }
}

/// Formats the end for users: `white wins: black has no move`, `draw: third repetition`.
impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.result.winner(), self.reason) {
            (Some(winner), EndReason::NoMove) => write!(f, "{winner} wins: {} has no move", !winner),
            (Some(winner), reason) => write!(f, "{winner} wins: {reason}"),
            (None, reason) => write!(f, "draw: {reason}"),
        }
    }
}

kelso_syntax::named! {
    /// The reason for a result.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum EndReason {
        /// A side has no legal move.
        NoMove: "no-move", "no legal move";
        /// The position occurred for the third time.
        Repetition: "repetition", "third repetition";
        /// There were too many plies without progress.
        NoProgress: "no-progress", "no progress";
        /// The game reached its maximum length.
        MaxPlies: "max-plies", "maximum length";
        /// The sides agreed on a draw.
        Agreement: "agreement", "draw agreed";
        /// A side resigned.
        Resignation: "resignation", "resignation";
        /// The endgame database knows the result.
        Database: "database", "endgame database";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_follows_from_a_side_and_its_wdl() {
        assert_eq!(GameResult::from_wdl(Wdl::Win, Color::White), GameResult::WhiteWins);
        assert_eq!(GameResult::from_wdl(Wdl::Loss, Color::White), GameResult::BlackWins);
        assert_eq!(GameResult::from_wdl(Wdl::Draw, Color::Black).winner(), None);
        for side in Color::BOTH {
            assert_eq!(GameResult::won_by(side).winner(), Some(side));
            assert_eq!(GameResult::won_by(side).half_points(side), 2);
            assert_eq!(GameResult::won_by(side).half_points(!side), 0);
        }
    }

    #[test]
    fn result_counts_from_both_sides_are_added() {
        let mut counts = WdlCounts::default();
        for wdl in [Wdl::Win, Wdl::Win, Wdl::Draw, Wdl::Loss] {
            counts.count(wdl);
        }
        assert_eq!(counts, WdlCounts::new(2, 1, 1));
        assert_eq!((counts.total(), counts.half_points()), (4, 5));
        assert!(
            (counts.draw_ratio() - 0.25).abs() < 1e-12 && WdlCounts::default().draw_ratio().abs() < 1e-12
        );
        let mut sum = WdlCounts::new(2, 3, 5);
        sum += WdlCounts::new(7, 11, 13);
        assert_eq!((sum, sum.reversed()), (WdlCounts::new(9, 14, 18), WdlCounts::new(18, 14, 9)));
        assert!((counts.score() - 0.625).abs() < 1e-12 && (WdlCounts::default().score() - 0.5).abs() < 1e-12);
        assert!((counts.score() + counts.reversed().score() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn ends_are_described() {
        for (end, text) in [
            (GameEnd::won_by(Color::White, EndReason::NoMove), "white wins: black has no move"),
            (GameEnd::won_by(Color::Black, EndReason::Resignation), "black wins: resignation"),
            (GameEnd::draw(EndReason::Repetition), "draw: third repetition"),
        ] {
            assert_eq!(end.to_string(), text);
        }
    }

    #[test]
    fn reasons_have_distinct_words() {
        for reason in EndReason::ALL {
            assert_eq!(EndReason::from_name(reason.name()), Some(reason));
        }
    }

    #[test]
    fn results_and_values_are_written_and_converted() {
        for (result, word, winner, values) in [
            (GameResult::BlackWins, "1-0", Some(Color::Black), [Wdl::Win, Wdl::Loss]),
            (GameResult::WhiteWins, "0-1", Some(Color::White), [Wdl::Loss, Wdl::Win]),
            (GameResult::Draw, "1/2-1/2", None, [Wdl::Draw, Wdl::Draw]),
        ] {
            assert_eq!((result.word(), result.winner()), (word, winner));
            assert_eq!(format!("{result:>8}"), format!("{word:>8}"));
            assert_eq!(Color::BOTH.map(|side| result.wdl(side)), values);
            for side in Color::BOTH {
                assert_eq!(GameResult::from_wdl(result.wdl(side), side), result);
                assert_eq!(result.wdl(!side), result.wdl(side).reversed());
            }
        }
        for (value, points, word) in [(Wdl::Loss, 0, "loss"), (Wdl::Draw, 1, "draw"), (Wdl::Win, 2, "win")] {
            assert_eq!((value.half_points(), Wdl::from_half_points(points)), (points, Some(value)));
            assert!((value.points() * 2.0 - f32::from(points)).abs() < 1e-6);
            assert_eq!(format!("{value:<5}"), format!("{word:<5}"));
        }
        assert_eq!(Wdl::from_half_points(3), None);
    }

    #[test]
    fn known_values_change_by_one_ply_per_move() {
        for (value, text, before) in [
            (KnownValue::LOST, "loss 0", KnownValue::new(Wdl::Win, Some(1))),
            (KnownValue::new(Wdl::Win, Some(5)), "win 5", KnownValue::new(Wdl::Loss, Some(6))),
            (KnownValue::new(Wdl::Win, None), "win", KnownValue::new(Wdl::Loss, None)),
            (KnownValue::new(Wdl::Draw, Some(3)), "draw", KnownValue { wdl: Wdl::Draw, plies: None }),
        ] {
            assert_eq!((value.to_string().as_str(), value.for_parent()), (text, before));
        }
    }
}
