//! Conditions that games can meet, on their players, dates, other tags, material and moves. Words may be
//! misspelt.

use std::str::FromStr;

use crate::stored_game::date;
use kelso_draughts::board::{Color, Move, Position, Square};
use kelso_draughts::notation::MoveText;
use kelso_draughts::record::{GameRecord, Ply};
use regex_lite::Regex;

/// The reason why a text is not a condition.
#[derive(Debug, thiserror::Error)]
pub enum ConditionError {
    #[error("expected NAME=PART, such as Event=cup")]
    TagPart,
    #[error("expected NAME=PATTERN, such as Event=^Cup [0-9]+$")]
    TagPattern,
    #[error("invalid regular expression: {0}")]
    Regex(regex_lite::Error),
    #[error("expected a range such as 40..80, 1954 or ..1960.06")]
    Range,
    #[error("the first number of a range must be the lower one")]
    RangeOrder,
    #[error("expected dates that exist, such as 1954, 1954.06..1954.08 or ..1960.12.31")]
    Dates,
    #[error("expected the men and kings of each side, such as B3K1:W2K2")]
    Material,
    #[error("expected moves separated by spaces or commas, such as \"11-15 23-18\"")]
    Moves,
}

/// A tag and a part of its value, ignoring case.
#[derive(Clone, Debug)]
pub struct TagPart {
    name: String,
    part: String,
}

impl FromStr for TagPart {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let (name, part) = text.split_once('=').ok_or(ConditionError::TagPart)?;
        Ok(Self { name: name.trim().to_owned(), part: part.to_lowercase() })
    }
}

impl TagPart {
    pub fn meets(&self, game: &GameRecord) -> bool {
        has_tag(game, &self.name, |value| value.to_lowercase().contains(&self.part))
    }
}

/// A tag and a regular expression that matches in its value.
#[derive(Clone, Debug)]
pub struct TagPattern {
    name: String,
    pattern: Regex,
}

impl FromStr for TagPattern {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let (name, pattern) = text.split_once('=').ok_or(ConditionError::TagPattern)?;
        let pattern = Regex::new(pattern).map_err(ConditionError::Regex)?;
        Ok(Self { name: name.trim().to_owned(), pattern })
    }
}

impl TagPattern {
    pub fn meets(&self, game: &GameRecord) -> bool {
        has_tag(game, &self.name, |value| self.pattern.is_match(value))
    }
}

/// Returns whether a game has a tag with such a value.
fn has_tag(game: &GameRecord, name: &str, fits: impl Fn(&str) -> bool) -> bool {
    game.all_tags().iter().any(|(tag, value)| tag.eq_ignore_ascii_case(name) && fits(value))
}

/// A range of numbers, each with parts separated by points, such as `40..80`, `1950..` or
/// `1954.06..1954.08.15`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartRange {
    /// Empty without a limit.
    low: Vec<usize>,
    high: Vec<usize>,
}

impl FromStr for PartRange {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let [low, high] = [low, high].map(|bound| match bound {
            "" => Ok(Vec::new()),
            _ => bound.split('.').map(str::parse).collect::<Result<Vec<_>, _>>(),
        });
        let range = low.ok().zip(high.ok()).map(|(low, high)| Self { low, high });
        let range = range.filter(|range| *range != Self::ALL).ok_or(ConditionError::Range)?;
        if range.high.is_empty() || range.contains(&range.high) {
            Ok(range)
        } else {
            Err(ConditionError::RangeOrder)
        }
    }
}

impl PartRange {
    const ALL: Self = Self { low: Vec::new(), high: Vec::new() };

    /// Returns whether a number is in the range, as far as the number and the limits have the same parts.
    pub fn contains(&self, number: &[usize]) -> bool {
        let [low, high] = [&self.low, &self.high].map(|limit| limit.len().min(number.len()));
        self.low[..low] <= number[..low] && number[..high] <= self.high[..high]
    }

    /// Parses a range of dates.
    pub fn parse_dates(text: &str) -> Result<Self, ConditionError> {
        let range: Self = text.parse()?;
        if is_date(&range.low) && is_date(&range.high) { Ok(range) } else { Err(ConditionError::Dates) }
    }

    /// Returns the range of dates from one to another, each as far as it can be read.
    pub(crate) fn of_dates(from: &str, until: &str) -> Self {
        Self { low: date_parts(from), high: date_parts(until) }
    }

    /// Returns whether a date such as `1954.06.??` can lie in the range. If it has no limit, all do.
    pub(crate) fn has_date(&self, text: &str) -> bool {
        let date = date_parts(text);
        *self == Self::ALL || !date.is_empty() && self.contains(&date)
    }

    /// Returns whether the date of a game, or that of its event, can lie in the range.
    pub fn has_game(&self, game: &GameRecord) -> bool {
        self.has_date(&date(game))
    }
}

/// Returns the year, month and day of a date, up to the first that is unknown.
fn date_parts(text: &str) -> Vec<usize> {
    text.split(['.', '-', '/']).map_while(|part| part.parse().ok()).collect()
}

/// Returns whether a date exists, of which the day and the month may be missing.
fn is_date(parts: &[usize]) -> bool {
    let (year, month, day) = match *parts {
        [] | [_] => return true,
        [year, month] => (year, month, 1),
        [year, month, day] => (year, month, day),
        _ => return false,
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + usize::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=12).contains(&month) && (1..=days).contains(&day)
}

/// The number of men and kings on each side: `B3K1:W2K2`, where `K0` may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// Men and kings, by colour.
    counts: [[u32; 2]; 2],
}

impl FromStr for Material {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let upper = text.to_uppercase();
        let mut sides: Vec<&str> = upper.split(':').map(str::trim).collect();
        // Sort the sides so that Black comes first.
        sides.sort_unstable();
        let counts = match sides[..] {
            [black, white] => pieces(black, 'B').zip(pieces(white, 'W')),
            _ => None,
        };
        let (black, white) = counts.ok_or(ConditionError::Material)?;
        Ok(Self { counts: [black, white] })
    }
}

/// Parses the men and kings after a letter.
fn pieces(text: &str, letter: char) -> Option<[u32; 2]> {
    let numbers = text.strip_prefix(letter)?;
    let (men, kings) = numbers.split_once('K').unwrap_or((numbers, "0"));
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse().ok() };
    Some([number(men)?, number(kings)?])
}

impl Material {
    pub fn meets(&self, position: &Position, mirror: bool) -> bool {
        let now = Color::BOTH.map(|color| [position.men(color).len(), position.kings(color).len()]);
        let [black, white] = now;
        self.counts == now || mirror && self.counts == [white, black]
    }
}

/// Consecutive moves, given by their first and last squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovePattern(Vec<(Square, Square)>);

impl FromStr for MovePattern {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let moves: Vec<_> = words
            .map(|word| MoveText::parse(word).map(|mv| mv.ends()).map_err(|_| ConditionError::Moves))
            .collect::<Result<_, _>>()?;
        if moves.is_empty() { Err(ConditionError::Moves) } else { Ok(Self(moves)) }
    }
}

impl MovePattern {
    /// Returns the number of moves before the sequence first occurs.
    pub fn first(&self, moves: &[Move], only_at_start: bool) -> Option<usize> {
        let ends: Vec<_> = moves.iter().map(|mv| (mv.from(), mv.to())).collect();
        let windows = ends.windows(self.0.len()).take(if only_at_start { 1 } else { usize::MAX });
        windows.enumerate().find(|(_, window)| **window == self.0[..]).map(|(ply, _)| ply)
    }
}

/// Returns whether either player has all words of `part` in the name, in any order; capitals, accents
/// and typing errors in long words are ignored.
pub fn has_player(game: &GameRecord, part: &str) -> bool {
    let wanted = folded(part);
    Color::BOTH.iter().filter_map(|&side| game.player(side)).any(|name| has_words(&folded(name), &wanted))
}

/// The letters from U+00E0 to U+017E without their accents, in lower case.
const WITHOUT_ACCENTS: &str = "aaaaaaæceeeeiiiiðnooooo÷ouuuuyþy\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiĳĳjjkkkllllllŀ\
    ŀllnnnnnnnŋŋooooooœœrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz";

/// Returns a text in lower case, without the accents of Latin letters.
pub(crate) fn folded(text: &str) -> String {
    text.to_lowercase().chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).map(plain).collect()
}

/// Returns a letter in lower case without its accents.
fn plain(letter: char) -> char {
    let index = (letter as usize).checked_sub(0xe0);
    index.and_then(|index| WITHOUT_ACCENTS.chars().nth(index)).unwrap_or(letter)
}

/// Returns whether a folded text contains all of the folded words, in any order, as [`resembles`] compares
/// them.
pub(crate) fn has_words(text: &str, wanted: &str) -> bool {
    wanted.split_whitespace().all(|word| resembles(text, word))
}

/// Returns whether a folded text contains a folded word, or a word that differs from it by a typing error:
/// one in words of five letters or more, and two from nine.
pub(crate) fn resembles(text: &str, word: &str) -> bool {
    let letters = word.chars().count();
    let allowed = match letters {
        0..5 => 0,
        5..9 => 1,
        _ => 2,
    };
    text.contains(word)
        || (allowed > 0
            && word.chars().all(char::is_alphabetic)
            && text.split(|c: char| !c.is_alphanumeric()).any(|other| {
                other.chars().count().abs_diff(letters) <= allowed
                    && strsim::osa_distance(other, word) <= allowed
            }))
}

/// Applies a function to the main line of a game and, if `variations`, to each variation with the moves
/// before it. Returns the first value found.
pub fn first_in_lines<T>(
    game: &GameRecord,
    variations: bool,
    find: &impl Fn(&[Move]) -> Option<T>,
) -> Option<T> {
    let line: Vec<Move> = game.moves().collect();
    let in_main_line = find(&line);
    if !variations || in_main_line.is_some() {
        return in_main_line;
    }
    branches(&mut Vec::new(), &game.plies, find)
}

/// Searches all variations of these plies, including nested ones.
fn branches<T>(before: &mut Vec<Move>, plies: &[Ply], find: &impl Fn(&[Move]) -> Option<T>) -> Option<T> {
    let branch = before.len();
    for ply in plies {
        for variation in &ply.variations {
            let length = before.len();
            before.extend(variation.plies.iter().map(|ply| ply.mv));
            let in_variation = find(before);
            before.truncate(length);
            let in_branch = in_variation.or_else(|| branches(before, &variation.plies, find));
            before.truncate(length);
            if in_branch.is_some() {
                return in_branch;
            }
        }
        before.push(ply.mv);
    }
    before.truncate(branch);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_compared_as_far_as_they_are_known() {
        let range: PartRange = "1954.06..1955".parse().unwrap();
        for (date, is_in) in [
            ("1954.06.01", true),
            ("1954.05.31", false),
            ("1955.12.31", true),
            ("1956", false),
            ("1954.??.??", true),
            ("1953.??.??", false),
            ("1954-07-01", true),
            ("????.??.??", false),
            ("", false),
        ] {
            assert_eq!(range.has_date(date), is_in, "{date}");
        }
        for text in ["", "..", "x", "5..4", "1955..1954.12", "1.."] {
            assert_eq!(text.parse::<PartRange>().is_ok(), text == "1..", "{text}");
        }
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        for (text, exists) in [
            ("1954", true),
            ("..1954.12.31", true),
            ("1952.02.29", true),
            ("1900.02.29", false),
            ("1954.02.31", false),
            ("1954.04.31..", false),
            ("..1954.13", false),
            ("1954.00", false),
            ("1954.06.00", false),
            ("1954.06.01.05", false),
        ] {
            assert_eq!(PartRange::parse_dates(text).is_ok(), exists, "{text}");
        }
    }

    #[test]
    fn typing_errors_are_tolerated() {
        for (text, word, expected) in [
            ("tinsley, marion", "tinsly", true),
            ("tinsley, marion", "tisnley", true),
            ("tinsley, marion", "tinselyy", false),
            ("glasgow", "galsgow", true),
            ("ann", "amn", false),
            ("oldbury", "old", true),
            ("1950.07.04", "1951.07.04", false),
        ] {
            assert_eq!(resembles(text, word), expected, "{text} {word}");
        }
        assert_eq!(folded("Müller, Ånn"), "muller, ann");
        assert_eq!(folded("Łukasz Šimić, ĀBOLTIŅŠ, Čížek, İnan"), "lukasz simic, aboltins, cizek, inan");
        assert_eq!(folded("Ja\u{301}n"), "jan");
    }

    #[test]
    fn players_and_dates_are_those_of_lists() {
        let text = "[Black \"Tinsley, Marion\"] [White \"?\"] [Event \"Cup 1946\"] 11-15 *";
        let game = crate::stored_game::read_game(text).unwrap().game;
        for (words, is_there) in [("marion TINSLY", true), ("marion fuller", false), ("?", false)] {
            assert_eq!(has_player(&game, words), is_there, "{words}");
        }
        let range = |text: &str| text.parse::<PartRange>().unwrap();
        assert!(range("1946").has_game(&game) && !range("1947..").has_game(&game));
    }
}
