//! A stored game, and the summary by which it is listed, found and sorted.

use std::num::{NonZeroU32, ParseIntError};
use std::str::FromStr;

use serde::de::IntoDeserializer;
use serde::de::value::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use kelso_draughts::ballot::Ballot;
use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::pdn::{PdnEntry, PdnReader};
use kelso_draughts::record::{GameRecord, Ply};
use kelso_draughts::result::GameResult;

/// The number of a stored game in its library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameId(pub NonZeroU32);

impl GameId {
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl FromStr for GameId {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Self)
    }
}

/// The properties of a game that are read from its text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Heading {
    pub black: String,
    pub white: String,
    pub event: String,
    /// The date as in PDN, such as `1910.03.??`.
    pub date: String,
    #[serde(serialize_with = "write_result", deserialize_with = "read_result")]
    pub result: Option<GameResult>,
    /// The title of the ballot; empty if there is none.
    pub opening: String,
    /// The number of plies.
    pub length: u32,
    /// Whether the game has comments, marks or variations.
    pub annotated: bool,
    /// Whether the game contains an analysis, by a review or by `kelso analyse`.
    pub reviewed: bool,
}

impl Heading {
    pub fn of(game: &GameRecord) -> Self {
        let player = |side: Color| game.player(side).unwrap_or_default().to_owned();
        let opening = Ballot::of_game(game).map_or_else(String::new, Ballot::title);
        // The name of the opening, which a game that was played here has as its comment, is no remark.
        let says = |comment: &str| !comment.is_empty() && comment != opening;
        let remarked = |ply: &Ply| says(&ply.comment) || !ply.glyphs.is_empty() || !ply.variations.is_empty();
        let annotated = says(&game.comment) || game.plies.iter().any(remarked);
        Self {
            black: player(Color::Black),
            white: player(Color::White),
            event: tag(game, "Event").to_owned(),
            date: date(game),
            result: game.result,
            annotated,
            reviewed: game.tags.get("Analysis").is_some(),
            opening,
            length: u32::try_from(game.plies.len()).unwrap_or(u32::MAX),
        }
    }

    /// Returns a hash of the players, event, date, result and length. If it differs, two games are not the
    /// same.
    pub(crate) fn outline(&self) -> i64 {
        let Self { black, white, event, date, result, length, .. } = self;
        let result = result_text(*result);
        digest(&[black, white, event, date, result, &length.to_string()].join("\0"))
    }
}

/// Returns a result as written in files.
pub(crate) fn result_text(result: Option<GameResult>) -> &'static str {
    result.map_or("*", GameResult::word)
}

pub(crate) fn result_of(text: &str) -> Option<GameResult> {
    let result: Result<_, Error> = GameResult::deserialize(text.into_deserializer());
    result.ok()
}

#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "the signature that Serde calls")]
fn write_result<S: Serializer>(result: &Option<GameResult>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(result_text(*result))
}

fn read_result<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<GameResult>, D::Error> {
    Ok(result_of(&String::deserialize(deserializer)?))
}

/// Returns the value of a tag; empty if it is unknown.
fn tag<'a>(game: &'a GameRecord, name: &str) -> &'a str {
    game.tags.get(name).map(str::trim).filter(|&value| value != "?").unwrap_or_default()
}

/// Returns the date of a game; if it is not known, that of the event, or the last year in the name of the
/// event.
pub fn date(game: &GameRecord) -> String {
    let [played, begun, event] = ["Date", "EventDate", "Event"].map(|name| tag(game, name));
    let is_known = |date: &&str| date.starts_with(|first: char| first.is_ascii_digit());
    let mut numbers = event.rsplit(|c: char| !c.is_ascii_digit());
    let year = numbers.find(|digits| digits.len() == 4 && ("1840".."2100").contains(digits));
    [Some(played), Some(begun), year].into_iter().flatten().find(is_known).unwrap_or(played).to_owned()
}

/// What a list shows of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The time of the import, or of the first save, in milliseconds since 1970.
    pub added: i64,
    /// Whether the user has deleted the game, which can be undone.
    pub deleted: bool,
    /// The name of the user's collection; empty for the games that were played here.
    pub collection: String,
    /// A hash of the text that was imported.
    pub digest: i64,
    #[serde(flatten)]
    pub heading: Heading,
}

/// A game with all that a library stores of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LibraryGame {
    #[serde(flatten)]
    pub summary: Summary,
    /// The name that a client has given to a game that began there.
    pub name: Option<String>,
    pub pdn: String,
    /// The rest of the state from which the client continues the game, as JSON.
    pub state: Option<String>,
}

/// A game in a library, or its summary.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stored<T> {
    pub id: GameId,
    /// The number of the change to the library that wrote the game last.
    pub revision: i64,
    #[serde(flatten)]
    pub value: T,
}

pub type StoredGame = Stored<LibraryGame>;

impl StoredGame {
    pub fn summary(&self) -> Stored<Summary> {
        Stored { id: self.id, revision: self.revision, value: self.value.summary.clone() }
    }
}

/// A game that is to be added to a library.
#[derive(Clone, Debug)]
pub struct NewGame {
    pub game: LibraryGame,
    /// The key of the moves, if the game has nothing else.
    pub moves: Option<u64>,
    /// The key of the last position.
    pub end: i64,
    pub visits: Vec<Visit<()>>,
}

/// Returns the FNV-1a hash of a text without the space around it.
pub fn digest(text: &str) -> i64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.trim().bytes().fold(0xcbf2_9ce4_8422_2325, step).cast_signed()
}

/// Reads the first game of a text.
pub fn read_game(pdn: &str) -> Option<PdnEntry> {
    PdnReader::new(pdn.as_bytes()).next()
}

/// A position of a game in the index, and the one after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Visit<G> {
    pub position: i64,
    /// The number of the game, if it has one.
    pub game: G,
    pub next: i64,
}

impl Visit<()> {
    /// Returns the visit with the number of its game.
    pub fn in_game<G>(self, game: G) -> Visit<G> {
        Visit { position: self.position, game, next: self.next }
    }
}

/// The continuation of a game that ended in a position.
const ENDED: i64 = -1;

/// Returns the key of a position in the index: 47 bits, which the database stores in 6 bytes.
pub fn position_key(position: &Position) -> i64 {
    (position.key() >> 17).cast_signed()
}

/// Returns the key of the position after a move, among those after the other moves: 31 bits, stored in 4
/// bytes.
pub fn next_key(position: &Position) -> i64 {
    (position.key() & 0x7fff_ffff).cast_signed()
}

/// Returns the first visit of a game to each of its positions.
pub fn visits(game: &GameRecord) -> Vec<Visit<()>> {
    let mut visits = Vec::with_capacity(game.plies.len() + 1);
    let mut position = game.start;
    for mv in game.moves() {
        let after = position.after(mv);
        visits.push(Visit { position: position_key(&position), game: (), next: next_key(&after) });
        position = after;
    }
    visits.push(Visit { position: position_key(&position), game: (), next: ENDED });
    // The sort is stable, so the first visit remains.
    visits.sort_by_key(|visit| visit.position);
    visits.dedup_by_key(|visit| visit.position);
    visits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A changed hash needs a new version of the database. A test of the rules fixes the keys of positions.
    #[test]
    fn hashes_in_files_do_not_change() {
        assert_eq!(digest(" a\n"), 0xaf63_dc4c_8601_ec8c_u64.cast_signed());
    }

    #[test]
    fn headings_have_what_lists_show() {
        let heading = |pdn: &str| Heading::of(&read_game(pdn).unwrap().game);
        let found = heading("[Black \"Ann\"] [White \"?\"] [Date \"1910.??.??\"] 11-15 23-18 8-11 1-0");
        let expected = Heading {
            black: "Ann".to_owned(),
            date: "1910.??.??".to_owned(),
            result: Some(GameResult::BlackWins),
            opening: found.opening.clone(),
            length: 3,
            ..Heading::default()
        };
        assert_eq!(found, expected);
        assert!(found.opening.contains("Cross"));
        for (tags, date) in [
            ("[Event \"US National 1946\"]", "1946"),
            ("[Date \"????.??.??\"] [EventDate \"1950.07.??\"] [Event \"Cup 1946\"]", "1950.07.??"),
            ("[Date \"1951\"] [Event \"Cup 1946\"]", "1951"),
            ("[Event \"three-move 1461 of 9999\"]", ""),
        ] {
            assert_eq!(heading(&format!("{tags} 11-15 *")).date, date, "{tags}");
        }
        assert!(!found.reviewed && heading("[Analysis \"nodes=50000\"] 11-15 *").reviewed);
        assert!(heading("11-15! *").annotated && heading("{first} 11-15 *").annotated);
    }

    #[test]
    fn only_the_first_visit_counts() {
        let game = read_game("[FEN \"B:WK32:BK1\"] 1-5 32-28 5-1 28-32 1-6 *").unwrap().game;
        let found = visits(&game);
        let first = game.start.after(game.plies[0].mv);
        assert_eq!(found.len(), 5);
        assert!(
            found
                .iter()
                .any(|visit| (visit.position, visit.next) == (position_key(&game.start), next_key(&first)))
        );
    }
}
