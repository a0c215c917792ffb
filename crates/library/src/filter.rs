//! The conditions by which games are listed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer};

use crate::conditions::{PartRange, folded, has_words, resembles};
use crate::stored_game::{GameId, Stored, Summary, position_key};
use kelso_draughts::board::{Color, Position};
use kelso_draughts::result::GameResult;

/// Conditions on games. An empty text is no condition.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Words of the players, event, opening, date, collection or result, in any order.
    pub words: String,
    /// A player of the colour `color`.
    pub player: String,
    #[serde(deserialize_with = "condition")]
    pub color: Option<WantedColor>,
    #[serde(deserialize_with = "condition")]
    pub result: Option<WantedResult>,
    /// The first and the last date, such as `1910` or `1910.03`.
    pub from: String,
    pub until: String,
    pub event: String,
    pub opening: String,
    /// The games of a collection, if given.
    pub collection: Option<String>,
    pub annotated: bool,
    pub reviewed: bool,
    /// The deleted games instead of the others.
    pub deleted: bool,
    /// A position that the games reach, which a caller reads from its own texts.
    #[serde(skip)]
    pub position: Option<PositionKeys>,
}

/// The key of a position, and of that with the colours exchanged if it also counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionKeys {
    pub(crate) position: i64,
    pub(crate) mirror: Option<i64>,
}

impl PositionKeys {
    pub fn of(position: &Position, reversed: bool) -> Self {
        Self { position: position_key(position), mirror: reversed.then(|| position_key(&position.flipped())) }
    }
}

/// Deserializes a condition, which an empty text leaves out.
fn condition<'de, T: Deserialize<'de>, D: Deserializer<'de>>(input: D) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(input)?;
    (!text.is_empty()).then(|| T::deserialize(text.into_deserializer())).transpose()
}

/// The colour of a filter's player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum WantedColor {
    #[serde(rename = "b")]
    Black,
    #[serde(rename = "w")]
    White,
}

/// The result of a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WantedResult {
    /// Won by Black.
    Black,
    /// Won by White.
    White,
    Draw,
    /// Won by either side.
    Decided,
    /// Without a result.
    Open,
    /// Won by the player.
    Won,
    /// Lost by the player.
    Lost,
}

impl WantedResult {
    /// Returns whether a game in which the player has this side has the result.
    fn fits(self, result: Option<GameResult>, side: Color) -> bool {
        let winner = result.and_then(GameResult::winner);
        match self {
            Self::Black => winner == Some(Color::Black),
            Self::White => winner == Some(Color::White),
            Self::Draw => result == Some(GameResult::Draw),
            Self::Decided => winner.is_some(),
            Self::Open => result.is_none(),
            Self::Won => winner == Some(side),
            Self::Lost => winner == Some(!side),
        }
    }
}

/// The texts of a summary, in the order of [`Entry::texts`].
#[derive(Clone, Copy)]
enum Text {
    Black,
    White,
    Event,
    Date,
    Opening,
    Collection,
}

/// The texts that a condition of a filter is about.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    Player,
    Event,
    Opening,
}

impl Field {
    const fn texts(self) -> &'static [Text] {
        match self {
            Self::Player => &[Text::Black, Text::White],
            Self::Event => &[Text::Event],
            Self::Opening => &[Text::Opening],
        }
    }
}

/// Returns the texts of a field that contain all words of `wanted`, the most frequent ones first.
pub(crate) fn suggestions<'a>(
    entries: &[Entry],
    texts: &'a Texts,
    field: Field,
    wanted: &str,
) -> Vec<&'a str> {
    let wanted = folded(wanted);
    let is_wanted = texts.matching(|text| !text.is_empty() && has_words(text, &wanted));
    let mut counts = BTreeMap::new();
    for entry in entries.iter().filter(|entry| !entry.deleted) {
        for text in field.texts().iter().map(|&text| entry.text(text)) {
            if is_wanted.get(text as usize) == Some(&true) {
                *counts.entry(text).or_insert(0_usize) += 1;
            }
        }
    }
    let mut suggestions: Vec<_> = counts.into_iter().map(|(text, count)| (texts.get(text), count)).collect();
    suggestions.sort_by_key(|&(text, count)| (Reverse(count), text));
    suggestions.into_iter().map(|(text, _)| text).collect()
}

/// A summary whose texts are numbers in [`Texts`], since collections repeat them.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) id: GameId,
    revision: i64,
    pub(crate) added: i64,
    pub(crate) digest: i64,
    pub(crate) outline: i64,
    texts: [u32; 6],
    pub(crate) length: u32,
    pub(crate) result: Option<GameResult>,
    pub(crate) deleted: bool,
    annotated: bool,
    reviewed: bool,
}

impl Entry {
    /// Returns the number of a text.
    const fn text(&self, text: Text) -> u32 {
        self.texts[text as usize]
    }
}

/// Distinct texts, each with its words in lower case and without accents.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    texts: Vec<(Arc<str>, String)>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Texts {
    fn number(&mut self, text: String) -> u32 {
        if let Some(&number) = self.numbers.get(text.as_str()) {
            return number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        let text: Arc<str> = text.into();
        self.numbers.insert(Arc::clone(&text), number);
        self.texts.push((Arc::clone(&text), folded(&text)));
        number
    }

    fn get(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", |(text, _)| text)
    }

    /// Returns which texts satisfy a test of their folded words.
    fn matching(&self, test: impl Fn(&str) -> bool) -> Vec<bool> {
        self.texts.iter().map(|(_, folded)| test(folded)).collect()
    }

    /// Returns the rank of each text in the alphabetical order of their keys, the empty text last.
    fn ranks(&self, key: fn(&str) -> String) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.texts.len()).collect();
        order.sort_by_cached_key(|&at| {
            let folded = self.texts.get(at).map_or("", |(_, folded)| folded);
            (folded.is_empty(), key(folded))
        });
        let mut ranks = vec![0; order.len()];
        for (rank, at) in (0..).zip(order) {
            ranks[at] = rank;
        }
        ranks
    }

    pub(crate) fn entry(&mut self, Stored { id, revision, value: summary }: Stored<Summary>) -> Entry {
        let heading = summary.heading;
        let outline = heading.outline();
        let texts =
            [heading.black, heading.white, heading.event, heading.date, heading.opening, summary.collection];
        Entry {
            id,
            revision,
            added: summary.added,
            digest: summary.digest,
            outline,
            texts: texts.map(|text| self.number(text)),
            length: heading.length,
            result: heading.result,
            deleted: summary.deleted,
            annotated: heading.annotated,
            reviewed: heading.reviewed,
        }
    }

    pub(crate) fn collection(&self, entry: &Entry) -> &str {
        self.get(entry.text(Text::Collection))
    }
}

/// Returns a name without dots and with its last word first, such as "tinsley, mf" for "m.f. tinsley". Names with
/// a comma keep their order, and so do those whose last word has no letter.
fn by_surname(name: &str) -> String {
    let name = name.replace('.', "");
    match name.rsplit_once(' ') {
        Some((others, last)) if !name.contains(',') && last.contains(char::is_alphabetic) => {
            format!("{last}, {}", others.replace(' ', ""))
        }
        _ => name,
    }
}

/// Returns the title of an opening with its name first: "cross, three-move 0057" for "three-move 57, cross". The
/// numbers of ballots are in the order of their moves.
fn by_opening(title: &str) -> String {
    let named = title.split_once(", ").map(|(ballot, name)| (ballot, format!("{name}, ")));
    let (ballot, name) = named.unwrap_or((title, String::new()));
    let (deck, number) = ballot.rsplit_once(' ').unwrap_or((ballot, ""));
    format!("{name}{deck} {number:0>4}")
}

fn names_result(word: &str, result: Option<GameResult>) -> bool {
    match word {
        "1-0" => result == Some(GameResult::BlackWins),
        "0-1" => result == Some(GameResult::WhiteWins),
        "½" | "½-½" | "1/2-1/2" | "1/2" | "draw" | "drawn" => result == Some(GameResult::Draw),
        "*" => result.is_none(),
        _ => false,
    }
}

/// A filter that has been applied to all distinct texts.
struct Prepared<'a> {
    filter: &'a Filter,
    words: Vec<(String, Vec<bool>)>,
    /// Which texts satisfy the condition on the player, the event, the opening, the first and the last date.
    player: Vec<bool>,
    event: Vec<bool>,
    opening: Vec<bool>,
    dates: Vec<bool>,
    collection: Option<u32>,
}

impl<'a> Prepared<'a> {
    fn new(filter: &'a Filter, texts: &Texts) -> Self {
        let [player, event, opening] = [&filter.player, &filter.event, &filter.opening].map(|wanted| {
            let wanted = folded(wanted);
            texts.matching(|text| has_words(text, &wanted))
        });
        let dates = PartRange::of_dates(&filter.from, &filter.until);
        let mut words = Vec::new();
        for word in folded(&filter.words).split_whitespace() {
            words.push((word.to_owned(), texts.matching(|text| resembles(text, word))));
        }
        Self {
            words,
            player,
            event,
            opening,
            dates: texts.matching(|text| dates.has_date(text)),
            // A collection without games has no number.
            collection: filter
                .collection
                .as_ref()
                .map(|name| texts.numbers.get(name.as_str()).copied().unwrap_or(u32::MAX)),
            filter,
        }
    }

    fn fits(&self, entry: &Entry) -> bool {
        let Filter { deleted, annotated, reviewed, .. } = self.filter;
        entry.deleted == *deleted
            && (!annotated || entry.annotated)
            && (!reviewed || entry.reviewed)
            && self.collection.is_none_or(|collection| entry.text(Text::Collection) == collection)
            && self.words.iter().all(|(word, fitting)| {
                names_result(word, entry.result) || entry.texts.iter().any(|&text| fits(fitting, text))
            })
            && fits(&self.event, entry.text(Text::Event))
            && fits(&self.opening, entry.text(Text::Opening))
            && fits(&self.dates, entry.text(Text::Date))
            && (self.fits_player(entry, Color::Black) || self.fits_player(entry, Color::White))
    }

    /// Returns whether the player of a side satisfies the conditions on the player, the colour and the result.
    fn fits_player(&self, entry: &Entry, side: Color) -> bool {
        let Filter { color, result, .. } = self.filter;
        let (text, other) = match side {
            Color::Black => (Text::Black, WantedColor::White),
            Color::White => (Text::White, WantedColor::Black),
        };
        fits(&self.player, entry.text(text))
            && *color != Some(other)
            && result.is_none_or(|wanted| wanted.fits(entry.result, side))
    }
}

/// Returns whether a text is one of the fitting ones.
fn fits(fitting: &[bool], text: u32) -> bool {
    fitting.get(text as usize).copied().unwrap_or(false)
}

/// The column by which games are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Column {
    /// The time at which a game was added.
    #[default]
    Added,
    /// The latest change.
    Changed,
    Black,
    White,
    Result,
    Date,
    Event,
    Opening,
    Length,
    Reviewed,
    Collection,
}

/// The order in which games are listed.
struct GameOrder<'a> {
    column: Column,
    descending: bool,
    texts: &'a Texts,
    ranks: Vec<u32>,
}

impl GameOrder<'_> {
    /// Returns the key by which an entry is sorted. Games with equal keys are sorted by date.
    fn key(&self, entry: &Entry) -> (i64, i64) {
        let key = match self.column {
            Column::Added => self.directed(entry.added),
            Column::Changed => self.directed(entry.revision),
            Column::Black => self.named(entry, Text::Black),
            Column::White => self.named(entry, Text::White),
            Column::Result => self.directed(entry.result.map_or(3, |result| result as i64)),
            Column::Date => self.named(entry, Text::Date),
            Column::Event => self.named(entry, Text::Event),
            Column::Opening => self.named(entry, Text::Opening),
            Column::Length => self.directed(entry.length.into()),
            Column::Reviewed => self.directed(entry.reviewed.into()),
            Column::Collection => self.rank(entry.text(Text::Collection)),
        };
        (key, self.named(entry, Text::Date))
    }

    /// Returns the rank of a text. In both directions, games without the text are last.
    fn named(&self, entry: &Entry, text: Text) -> i64 {
        let text = entry.text(text);
        if self.texts.get(text).is_empty() { i64::MAX } else { self.rank(text) }
    }

    fn rank(&self, text: u32) -> i64 {
        self.directed(self.ranks.get(text as usize).map_or(u32::MAX, |&rank| rank).into())
    }

    fn directed(&self, value: i64) -> i64 {
        if self.descending { -value } else { value }
    }
}

/// Returns the indices of the entries that pass a filter, in order. `visited` are the games with the position
/// of the filter, if it has one.
pub(crate) fn select(
    entries: &[Entry],
    texts: &Texts,
    filter: &Filter,
    visited: Option<&[bool]>,
    (column, descending): (Column, bool),
) -> Vec<u32> {
    let prepared = Prepared::new(filter, texts);
    let key = match column {
        Column::Black | Column::White => by_surname,
        Column::Opening => by_opening,
        _ => str::to_owned,
    };
    let order = GameOrder { column, descending, texts, ranks: texts.ranks(key) };
    // Games with equal keys stay in the order in which they were added.
    let mut selected: Vec<((i64, i64), u32)> = Vec::new();
    for (at, entry) in (0..).zip(entries) {
        let is_visited = visited.is_none_or(|visited| visited.get(at as usize) == Some(&true));
        if is_visited && prepared.fits(entry) {
            selected.push((order.key(entry), at));
        }
    }
    selected.sort_unstable();
    selected.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored_game::{Heading, result_of};
    use std::iter::successors;

    fn summary(id: GameId, [black, white, result, date, event]: [&str; 5]) -> Stored<Summary> {
        let heading = Heading {
            black: black.to_owned(),
            white: white.to_owned(),
            result: result_of(result),
            date: date.to_owned(),
            event: event.to_owned(),
            ..Heading::default()
        };
        Stored { id, revision: 0, value: Summary { heading, ..Summary::default() } }
    }

    /// Returns games that are numbered from 1.
    fn entries<const N: usize>(texts: &mut Texts, games: [[&str; 5]; N]) -> Vec<Entry> {
        let ids = successors(Some(GameId::FIRST), |id| Some(id.next()));
        ids.zip(games).map(|(id, game)| texts.entry(summary(id, game))).collect()
    }

    fn found(filter: &str) -> Vec<u32> {
        let mut texts = Texts::default();
        let games = [
            ["Tinsley, Marion", "Fuller, Maurice", "1-0", "1946.??.??", "Newark"],
            ["Bruch", "Tinsley, Marion", "0-1", "1950.07.04", "Newark"],
            ["Tinsley", "Müller", "1/2-1/2", "1950", "Lakeside"],
            ["Oldbury", "Tinsley", "1-0", "", "London 1958"],
            ["", "", "*", "1958.01.02", ""],
        ];
        let entries = entries(&mut texts, games);
        let filter: Filter = serde_json::from_str(filter).unwrap();
        let mut found = select(&entries, &texts, &filter, None, (Column::Added, false));
        found.sort_unstable();
        found
    }

    #[test]
    fn unknown_conditions_are_refused() {
        for filter in [
            r#"{"color": "x"}"#,
            r#"{"result": "winn"}"#,
            r#"{"colour": "b"}"#,
            // Only a caller can read a position.
            r#"{"fen": "B:W21:B12"}"#,
            r#"{"moves": "11-15"}"#,
            r#"{"position": "B:W21:B12"}"#,
        ] {
            assert!(serde_json::from_str::<Filter>(filter).is_err(), "{filter}");
        }
    }

    #[test]
    fn filters_find_games() {
        for (filter, games) in [
            ("{}", vec![0, 1, 2, 3, 4]),
            (r#"{"words": "tinsley 1-0"}"#, vec![0, 3]),
            (r#"{"words": "½-½"}"#, vec![2]),
            (r#"{"words": "draw muller"}"#, vec![2]),
            (r#"{"player": "tinsley", "result": "won"}"#, vec![0, 1]),
            (r#"{"player": "tinsley", "color": "b"}"#, vec![0, 2]),
            (r#"{"player": "tinsley", "color": "w", "result": "lost"}"#, vec![3]),
            (r#"{"result": "open"}"#, vec![4]),
            (r#"{"result": "decided"}"#, vec![0, 1, 3]),
            (r#"{"from": "1950", "until": "1950"}"#, vec![1, 2]),
            (r#"{"from": "1950.08"}"#, vec![2, 4]),
            (r#"{"from": "1946.02", "until": "1949."}"#, vec![0]),
            (r#"{"until": "1949"}"#, vec![0]),
            (r#"{"event": "newark"}"#, vec![0, 1]),
            (r#"{"collection": "none"}"#, vec![]),
            (r#"{"deleted": true}"#, vec![]),
        ] {
            assert_eq!(found(filter), games, "{filter}");
        }
    }

    #[test]
    fn players_are_sorted_by_surname() {
        let mut texts = Texts::default();
        let names = [
            "MF Tinsley",
            "Kelso, level 3",
            "Tinsley, B",
            "A Long",
            "Chinook",
            "Player 2",
            "MG Tinsley",
            "M. F. Tinsley",
        ];
        let entries = entries(&mut texts, names.map(|name| [name, "", "*", "", name]));
        let order = |column| select(&entries, &texts, &Filter::default(), None, (column, false));
        assert_eq!(order(Column::Black), [4, 1, 3, 5, 2, 0, 7, 6]);
        assert_eq!(order(Column::Event), [3, 4, 1, 7, 0, 6, 5, 2]);
    }

    #[test]
    fn openings_are_sorted_by_name_and_then_by_moves() {
        let mut texts = Texts::default();
        let titles = [
            "three-move 120, Single Corner",
            "three-move 57, Cross",
            "",
            "eleven-man 30",
            "eleven-man 4",
            "three-move 9, Edinburgh",
            "three-move 110, Cross",
        ];
        let entries = titles.map(|title| {
            let mut game = summary(GameId::FIRST, [""; 5]);
            game.value.heading.opening = title.to_owned();
            texts.entry(game)
        });
        let order =
            |descending| select(&entries, &texts, &Filter::default(), None, (Column::Opening, descending));
        assert_eq!(order(false), [1, 6, 5, 4, 3, 0, 2]);
        assert_eq!(order(true), [0, 3, 4, 5, 6, 1, 2]);
    }

    #[test]
    fn games_are_sorted_by_any_column() {
        let mut texts = Texts::default();
        let games = [["b", "", "1-0", "1950", ""], ["a", "", "*", "", ""], ["c", "", "0-1", "1910", ""]];
        let entries = entries(&mut texts, games);
        let order =
            |column, descending| select(&entries, &texts, &Filter::default(), None, (column, descending));
        assert_eq!(order(Column::Black, false), [1, 0, 2]);
        assert_eq!(order(Column::Black, true), [2, 0, 1]);
        assert_eq!(order(Column::Result, false), [0, 2, 1]);
        // A game without a date is last in both directions; dates also decide between games of one length.
        for column in [Column::Date, Column::Length] {
            assert_eq!(order(column, false), [2, 0, 1], "{column:?}");
            assert_eq!(order(column, true), [0, 2, 1], "{column:?}");
        }
    }
}
