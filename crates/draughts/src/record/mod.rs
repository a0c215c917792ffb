//! Games with their players, moves, remarks and results. The same type is used to play, store, analyse and
//! show them.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use crate::board::{Color, Game, Move, Position};
use crate::result::GameResult;
use crate::score::ReportedScore;
use crate::win_rates::WinRates;
use kelso_syntax::WordError;

/// The maximum nesting of variations.
pub const MAX_NESTING: usize = 32;

/// A game with its tags, moves and result.
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// All tags except those stored in other fields.
    pub tags: Tags,
    pub start: Position,
    /// A comment before the first move.
    pub comment: String,
    /// The moves, each legal in the position before it.
    pub plies: Vec<Ply>,
    /// The result, unless the game is unfinished or the result unknown.
    pub result: Option<GameResult>,
}

impl GameRecord {
    /// Creates a game without moves.
    pub fn new(start: Position) -> Self {
        Self { tags: Tags::default(), start, comment: String::new(), plies: Vec::new(), result: None }
    }

    /// Creates a game with the given moves.
    pub fn of(start: Position, moves: impl IntoIterator<Item = Move>) -> Self {
        Self { plies: moves.into_iter().map(Ply::new).collect(), ..Self::new(start) }
    }

    /// Returns the name of a side's player, if it is known.
    #[must_use]
    pub fn player(&self, side: Color) -> Option<&str> {
        self.tags.get(side.title()).map(str::trim).filter(|name| !matches!(*name, "" | "?"))
    }

    #[must_use]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Returns the plies, each with the position before it.
    pub fn positions(&self) -> impl Iterator<Item = (Position, &Ply)> {
        positions(self.start, &self.plies)
    }

    pub fn last_position(&self) -> Position {
        self.moves().fold(self.start, |position, mv| position.after(mv))
    }

    /// Returns the [key](moves_key) of the first position and the moves.
    #[must_use]
    pub fn moves_key(&self) -> u64 {
        moves_key(&self.start, &self.plies)
    }

    /// Returns the state of the game after its last move.
    pub fn game(&self) -> Game {
        self.game_after(self.plies.len())
    }

    /// Returns the state of the game after its first plies.
    pub fn game_after(&self, plies: usize) -> Game {
        let mut game = Game::new(self.start);
        self.moves().take(plies).for_each(|mv| game.play(mv));
        game
    }

    /// Returns the result as written in files.
    #[must_use]
    pub fn result_text(&self) -> &'static str {
        self.result.map_or("*", GameResult::word)
    }
}

/// Returns the plies of a line, each with the position before it.
pub fn positions(start: Position, plies: &[Ply]) -> impl Iterator<Item = (Position, &Ply)> {
    plies.iter().scan(start, |position, ply| {
        let before = *position;
        *position = before.after(ply.mv);
        Some((before, ply))
    })
}

/// Returns a hash of a first position and the moves from there, by which games are compared. It may differ
/// between versions, so files do not contain it.
#[must_use]
pub fn moves_key(start: &Position, plies: &[Ply]) -> u64 {
    let mut hasher = DefaultHasher::new();
    start.hash(&mut hasher);
    for ply in plies {
        ply.mv.hash(&mut hasher);
    }
    hasher.finish()
}

/// Data about a search, as reported by the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// The score, for the side that searched.
    pub score: Option<ReportedScore>,
    /// The depth reached.
    pub depth: Option<u32>,
    /// The chances of the results, for the side that searched.
    pub win_rates: Option<WinRates>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// The time spent searching.
    pub time: Option<Duration>,
}

impl SearchInfo {
    /// Updates the values from a later report.
    pub fn update(&mut self, later: Self) {
        self.score = later.score.or(self.score);
        self.depth = later.depth.or(self.depth);
        self.win_rates = later.win_rates.or(self.win_rates);
        self.nodes = later.nodes.or(self.nodes);
        self.time = later.time.or(self.time);
    }
}

/// Formats the data as `key=value` words for files: `score=+12 depth=14 nodes=120034 time=0.103000`.
impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { score, depth, win_rates, nodes, time } = self;
        let words = [
            score.map(|score| format!("score={score}")),
            depth.map(|depth| format!("depth={depth}")),
            win_rates.map(|rates| format!("wdl={rates}")),
            nodes.map(|nodes| format!("nodes={nodes}")),
            time.map(|time| format!("time={}.{:06}", time.as_secs(), time.subsec_micros())),
        ];
        f.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// A move with its remarks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    pub mv: Move,
    /// Data about the search that chose the move.
    pub search: SearchInfo,
    /// The time left on the player's clock after the move.
    pub clock: Option<Duration>,
    /// Numeric annotation glyphs, such as `$1` for a good move; marks such as `!` are converted to their
    /// numbers.
    pub glyphs: Vec<u8>,
    /// A comment after the move.
    pub comment: String,
    /// Variations that begin in place of the move.
    pub variations: Vec<Variation>,
}

impl Ply {
    /// Creates a move without remarks.
    #[must_use]
    pub const fn new(mv: Move) -> Self {
        let search = SearchInfo { score: None, depth: None, win_rates: None, nodes: None, time: None };
        Self { mv, search, clock: None, glyphs: Vec::new(), comment: String::new(), variations: Vec::new() }
    }

    /// Returns the comment as written in files: the search data and the clock as `key=value` words, such as
    /// `score=+12 depth=14 nodes=120034 time=0.103000 clock=59.897`, then a semicolon and the text of the
    /// comment.
    #[must_use]
    pub fn full_comment(&self) -> String {
        let data = self.data();
        let separator = if data.is_empty() || self.comment.is_empty() { "" } else { "; " };
        format!("{data}{separator}{}", self.comment)
    }

    fn data(&self) -> String {
        let search = self.search.to_string();
        let Some(clock) = self.clock else { return search };
        let separator = if search.is_empty() { "" } else { " " };
        format!("{search}{separator}clock={}.{:03}", clock.as_secs(), clock.subsec_millis())
    }

    /// Moves data at the beginning of the comment, in the form written by
    /// [`full_comment`](Self::full_comment), to the fields for it.
    pub(crate) fn extract_data(&mut self) {
        let comment = std::mem::take(&mut self.comment);
        let (data, rest) = comment.split_once("; ").unwrap_or((&comment, ""));
        for (key, value) in data.split(' ').filter_map(|word| word.split_once('=')) {
            match key {
                "score" => self.search.score = value.parse().ok(),
                "depth" => self.search.depth = value.parse().ok(),
                "wdl" => self.search.win_rates = value.parse().ok(),
                "nodes" => self.search.nodes = value.parse().ok(),
                "time" => self.search.time = parse_seconds(value),
                "clock" => self.clock = parse_seconds(value),
                _ => break,
            }
        }
        if self.data() == data && !data.is_empty() {
            rest.clone_into(&mut self.comment);
        } else {
            (self.search, self.clock, self.comment) = (SearchInfo::default(), None, comment);
        }
    }
}

fn parse_seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

/// An alternative line that begins in the position before a ply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// A comment before the first move.
    pub comment: String,
    /// The moves, with their remarks.
    pub plies: Vec<Ply>,
}

/// The tags of a game, in the order they were set or read. Names that differ only in case are the same.
///
/// ```
/// use kelso_draughts::record::Tags;
/// let mut tags = Tags::default();
/// tags.set("Event", "Glasgow");
/// tags.set("Event", "Edinburgh");
/// assert_eq!(tags.get("Event"), Some("Edinburgh"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a tag, or an empty string if the game does not have the tag.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }

    /// Returns the number in a tag, or `None` if the game does not have the tag or its value is unknown.
    ///
    /// # Errors
    ///
    /// If the value is not a number.
    pub fn number(&self, name: &'static str) -> Result<Option<u32>, WordError> {
        let value = self.get(name).map(str::trim).filter(|text| !matches!(*text, "" | "?"));
        value.map(str::parse).transpose().map_err(|_| WordError::invalid(name, self.text(name), "a number"))
    }

    /// Sets the value of a tag.
    ///
    /// Characters that are invalid in a name are dropped, and control characters in the value become spaces.
    pub fn set(&mut self, name: &str, value: &str) {
        let name: String = name.chars().filter(|&c| is_name(c)).collect();
        match self.0.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            Some((_, old)) => *old = value_of(value),
            None if name.is_empty() => {}
            None => self.push(&name, value.to_owned()),
        }
    }

    /// Adds a tag without checking that its name is new.
    pub(crate) fn push(&mut self, name: &str, value: String) {
        let value = if value.contains(char::is_control) { value_of(&value) } else { value };
        self.0.push((name.to_owned(), value));
    }

    /// Returns the names and values in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn value_of(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Returns whether a tag's name may contain a character.
pub(crate) fn is_name(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '[' | ']' | '"')
}

#[cfg(test)]
mod tests;
