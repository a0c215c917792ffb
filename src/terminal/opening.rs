//! Where a game begins: the start, a ballot, a position, or a file of any kind that holds one.

use std::fmt;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use super::history::GameHistory;
use super::words;
use draughts::board::Position;
use draughts::notation::pdn::{Entry, Games, PdnGame};
use draughts::notation::syntax::Quoted;
use draughts::notation::{fen, positionfile};
use engine::book::{Ballot, Deck};

/// Why there is no such beginning; a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningError(String);

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for OpeningError {}

/// A game to begin with, and the time for a move that its file asks for.
#[derive(Debug)]
pub(super) struct Opening {
    pub(super) course: GameHistory,
    pub(super) time: Option<Duration>,
    /// What to say of it.
    pub(super) note: String,
}

impl Opening {
    /// A position without moves.
    pub(super) fn at(position: Position) -> Self {
        Self { course: GameHistory::new(position), time: None, note: String::new() }
    }
}

/// A position file or FEN is never larger.
const MOST_SMALL_FILE: u64 = 64 * 1024;

/// A position that is told on the command line: a FEN, or a file.
pub(super) fn position(text: &str) -> Result<Opening, OpeningError> {
    let path = Path::new(text);
    if path.is_file() {
        return file(path, None);
    }
    match fen::parse(text) {
        Ok(position) => Ok(Opening::at(position)),
        Err(error) => Err(OpeningError(format!("no file {}, and no position: {error}", Quoted(text)))),
    }
}

/// A ballot or the plain start: nothing, a number of the three-move deck, a deck by lot, or a deck and a number.
pub(super) fn ballot(text: &str, pick: impl FnOnce(usize) -> usize) -> Result<Opening, OpeningError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let deck = |name: &str| Deck::ALL.into_iter().find(|deck| deck.name() == name);
    let number = |text: &str| text.parse::<u32>().ok();
    let found = match words.as_slice() {
        [] => {
            return Ok(Opening::at(Position::start()));
        }
        [name] if deck(name).is_some() => {
            let ballots = deck(name).map(Deck::ballots).unwrap_or_default();
            ballots.get(pick(ballots.len())).cloned()
        }
        [text] if number(text).is_some() => numbered(Deck::ThreeMove, number(text)),
        [name, text] if number(text).is_some() => deck(name).and_then(|deck| numbered(deck, number(text))),
        _ => by_name(text),
    };
    let ballot = found.ok_or_else(|| {
        OpeningError(format!(
            "no ballot {}: expected the number or name of a three-move ballot in play, \"three-move\" or \"eleven-man\" for \
             one by lot, or one of these and a number",
            Quoted(text)
        ))
    })?;
    let name = ballot.title();
    let course = GameHistory::from_opening(ballot.start, &ballot.moves, &name);
    Ok(Opening { course, time: None, note: format!("Ballot {name}.") })
}

fn numbered(deck: Deck, number: Option<u32>) -> Option<Ballot> {
    deck.ballots().into_iter().find(|ballot| Some(ballot.number) == number)
}

/// Several ballots may lead to an opening of one name; the first stands for it.
fn by_name(name: &str) -> Option<Ballot> {
    let known = |ballot: &Ballot| ballot.name().is_some_and(|known| known.eq_ignore_ascii_case(name));
    Deck::ThreeMove.ballots().into_iter().find(known)
}

/// A game or position of a file: PDN, FEN, or the position files of older programs. `game` counts from 1.
pub(super) fn file(path: &Path, game: Option<usize>) -> Result<Opening, OpeningError> {
    let unreadable = |error| OpeningError(format!("cannot read {}: {error}", path.display()));
    let open = || fs::File::open(path).map_err(unreadable);
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size <= MOST_SMALL_FILE && game.is_none() {
        let mut bytes = Vec::new();
        open()?.take(MOST_SMALL_FILE).read_to_end(&mut bytes).map_err(unreadable)?;
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(position) = fen::parse(text.trim()) {
            return Ok(Opening::at(position));
        }
        if positionfile::is_likely(&text) {
            let found = positionfile::parse(&text)
                .map_err(|error| OpeningError(format!("{}: {error}", path.display())))?;
            return Ok(Opening {
                course: GameHistory::new(found.position),
                time: found.time,
                note: String::new(),
            });
        }
    }
    let wanted = game.unwrap_or(1);
    let mut games = Games::new(open()?);
    match games.nth(wanted - 1).map(Entry::whole) {
        Some(Ok(game)) => Ok(from_pdn(&game)),
        Some(Err(error)) => Err(OpeningError(format!("{}: {error}", path.display()))),
        None => {
            Err(OpeningError(format!("{} has no game {wanted}, expected a number of one", path.display())))
        }
    }
}

fn from_pdn(game: &PdnGame) -> Opening {
    let course = GameHistory::from_pdn(game);
    let name = |tag| game.tags.get(tag).filter(|name| !name.is_empty()).unwrap_or("?");
    let moves = course.moves().len();
    let note = format!("{} - {} {}, {}.", name("Black"), name("White"), game.result, words::moves(moves));
    Opening { course, time: None, note }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ballots_are_found_by_number_name_and_lot() {
        let note = |text| ballot(text, |count| count - 1).map(|opening| opening.note);
        assert_eq!(note(""), Ok(String::new()));
        assert_eq!(note("100").unwrap(), "Ballot three-move 100, Kelso.");
        assert_eq!(note("three-move 1").unwrap(), "Ballot three-move 1, Edinburgh.");
        assert!(note("edinburgh").unwrap().ends_with("Edinburgh."));
        assert_eq!(note("eleven-man").unwrap(), "Ballot eleven-man 2500.");
        assert_eq!(note("eleven-man 7").unwrap(), "Ballot eleven-man 7.");
        for text in ["3", "0", "two-move", "eleven-man x", "three-move 1 2", "99999999999"] {
            let error = note(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("no ballot \"{text}\": expected the number")), "{error}");
        }
    }

    #[test]
    fn a_position_is_a_fen_or_a_file_of_any_kind() {
        let folder = std::env::temp_dir().join(format!("kelso-opening-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        assert_eq!(position("W:W5:B14").unwrap().course.position().piece_count(), 2);
        let old = write(
            "old.txt",
            "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 1 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 4\n2\n1.5\n",
        );
        let opening = position(&old).unwrap();
        assert_eq!(fen::format(opening.course.position()), "W:WK32:B14");
        assert_eq!(opening.time, Some(Duration::from_millis(1500)));
        let wrong = write("wrong.txt", "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 7 0 0\n");
        assert!(position(&wrong).unwrap_err().to_string().contains("\"7\" in line 4"));
        let fen = write("a.fen", "B:W32:BK1\n");
        assert_eq!(position(&fen).unwrap().course.position().piece_count(), 2);
        let games = write("games.pdn", "[Black \"A\"]\n1. 11-15 *\n\n[Black \"B\"] 1. 9-13 22-18 0-1\n");
        assert_eq!(position(&games).unwrap().note, "A - ? *, 1 move.");
        assert_eq!(file(Path::new(&games), Some(2)).unwrap().course.moves().len(), 2);
        let error = file(Path::new(&games), Some(3)).unwrap_err().to_string();
        assert!(error.ends_with("has no game 3, expected a number of one"), "{error}");
        let error = position("no-such-file").unwrap_err().to_string();
        assert!(error.starts_with("no file \"no-such-file\", and no position: invalid FEN"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
