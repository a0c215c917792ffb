//! The start of a game: the usual position, a ballot, a FEN or a file.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use super::history::GameHistory;
use super::words;
use draughts::board::Position;
use draughts::notation::pdn::{Entry, Games, PdnGame};
use draughts::notation::syntax::Quoted;
use draughts::notation::{fen, positionfile};
use engine::book::{Ballot, Deck};
use fen::FenError;

/// A failure to open a game or a position.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// Neither a file nor a FEN.
    #[error("{} is neither a file nor a position: {error}", Quoted(text))]
    Position {
        /// The text.
        text: String,
        /// The error if it is read as a FEN.
        error: FenError,
    },
    /// An unknown ballot.
    #[error(
        "unknown ballot {}: expected the number or name of a three-move ballot in play, \"two-move\", \"three-move\" or \
         \"eleven-man\" for a random one, or one of these and a number",
        Quoted(.0)
    )]
    Ballot(String),
    /// A file that cannot be opened.
    #[error("cannot open {}: {error}", Quoted(path))]
    Open {
        /// The file.
        path: String,
        /// The reason.
        error: io::Error,
    },
    /// A file without a readable game or position.
    #[error("cannot read {}: {reason}", Quoted(path))]
    Content {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
    /// A file with fewer games.
    #[error("{} has no game {number}", Quoted(path))]
    Game {
        /// The file.
        path: String,
        /// The number of the game.
        number: usize,
    },
}

/// The start of a game, with the time for a move that its file asks for.
#[derive(Debug)]
pub(super) struct Opening {
    pub(super) history: GameHistory,
    pub(super) time: Option<Duration>,
    /// A description for the player.
    pub(super) note: String,
}

impl Opening {
    /// A position without moves.
    pub(super) fn at(position: Position) -> Self {
        Self { history: GameHistory::new(position), time: None, note: String::new() }
    }
}

/// A position file or FEN is never larger.
const MAX_SMALL_FILE: u64 = 64 * 1024;

/// Opens a position of the command line: a FEN, or a file. With `crown`, men on the last row are read as kings.
pub(super) fn position(text: &str, crown: bool) -> Result<Opening, OpeningError> {
    let path = Path::new(text);
    if path.is_file() {
        return file(path, None, crown);
    }
    let position = parse_fen(text, crown);
    position.map(Opening::at).map_err(|error| OpeningError::Position { text: text.to_owned(), error })
}

fn parse_fen(text: &str, crown: bool) -> Result<Position, FenError> {
    if crown { fen::parse_crowning(text) } else { fen::parse(text) }
}

/// Opens the usual start for an empty text, or a ballot: a number of the three-move deck, a name, a random one of a deck, or a deck and a number.
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
    let ballot = found.ok_or_else(|| OpeningError::Ballot(text.to_owned()))?;
    let name = ballot.title();
    let history = GameHistory::from_opening(ballot.start, &ballot.moves, &name);
    Ok(Opening { history, time: None, note: format!("Ballot {name}.") })
}

fn numbered(deck: Deck, number: Option<u32>) -> Option<Ballot> {
    deck.ballots().into_iter().find(|ballot| Some(ballot.number) == number)
}

/// Several ballots may lead to an opening of one name; the first stands for it.
fn by_name(name: &str) -> Option<Ballot> {
    let known = |ballot: &Ballot| ballot.name().is_some_and(|known| known.eq_ignore_ascii_case(name));
    Deck::ThreeMove.ballots().into_iter().find(known)
}

/// Opens a game or position of a file: PDN, FEN, or a position file. `game` counts from 1.
pub(super) fn file(path: &Path, game: Option<usize>, crown: bool) -> Result<Opening, OpeningError> {
    let shown = path.display().to_string();
    let cannot_open = |error| OpeningError::Open { path: shown.clone(), error };
    let content = |reason: String| OpeningError::Content { path: shown.clone(), reason };
    let open = || fs::File::open(path).map_err(cannot_open);
    let size = fs::metadata(path).map_err(cannot_open)?.len();
    if size <= MAX_SMALL_FILE && game.is_none() {
        let mut bytes = Vec::new();
        open()?.take(MAX_SMALL_FILE).read_to_end(&mut bytes).map_err(cannot_open)?;
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(position) = parse_fen(text.trim(), crown) {
            return Ok(Opening::at(position));
        }
        if positionfile::is_likely(&text) {
            let found = positionfile::parse(&text).map_err(|error| content(error.to_string()))?;
            return Ok(Opening { time: found.time, ..Opening::at(found.position) });
        }
    }
    let number = game.unwrap_or(1);
    match Games::new(open()?).crowning(crown).nth(number - 1).map(Entry::whole) {
        Some(Ok(game)) => Ok(from_pdn(&game)),
        Some(Err(error)) => Err(content(error.to_string())),
        None => Err(OpeningError::Game { path: shown, number }),
    }
}

fn from_pdn(game: &PdnGame) -> Opening {
    let history = GameHistory::from_pdn(game);
    let name = |tag| game.tags.get(tag).filter(|name| !name.is_empty()).unwrap_or("?");
    let moves = history.moves().len();
    let note = format!("{} - {} {}, {}.", name("Black"), name("White"), game.result, words::moves(moves));
    Opening { history, time: None, note }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ballots_are_found_by_number_name_and_lot() {
        let note = |text| ballot(text, |count| count - 1).map(|opening| opening.note);
        assert_eq!(note("").unwrap(), "");
        assert_eq!(note("100").unwrap(), "Ballot three-move 100, Kelso.");
        assert_eq!(note("two-move 31").unwrap(), "Ballot two-move 31, Single Corner.");
        assert_eq!(note("three-move 1").unwrap(), "Ballot three-move 1, Edinburgh.");
        assert!(note("edinburgh").unwrap().ends_with("Edinburgh."));
        assert_eq!(note("eleven-man").unwrap(), "Ballot eleven-man 2500.");
        assert_eq!(note("eleven-man 7").unwrap(), "Ballot eleven-man 7.");
        for text in ["3", "0", "four-move", "two-move 8", "eleven-man x", "three-move 1 2", "99999999999"] {
            assert!(matches!(note(text), Err(OpeningError::Ballot(found)) if found == text), "{text}");
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
        let position = |text: &str| position(text, false);
        assert_eq!(position("W:W5:B14").unwrap().history.position().piece_count(), 2);
        let old = write(
            "old.txt",
            "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 1 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 4\n2\n1.5\n",
        );
        let opening = position(&old).unwrap();
        assert_eq!(fen::format(opening.history.position()), "W:WK32:B14");
        assert_eq!(opening.time, Some(Duration::from_millis(1500)));
        let wrong = write("wrong.txt", "0 0 0 0\n0 0 0 0\n0 0 0 0\n0 7 0 0\n");
        assert!(position(&wrong).unwrap_err().to_string().contains("\"7\" in line 4"));
        let fen = write("a.fen", "B:W32:BK1\n");
        assert_eq!(position(&fen).unwrap().history.position().piece_count(), 2);
        let games = write("games.pdn", "[Black \"A\"]\n1. 11-15 *\n\n[Black \"B\"] 1. 9-13 22-18 0-1\n");
        assert_eq!(position(&games).unwrap().note, "A - ? *, 1 move.");
        assert_eq!(file(Path::new(&games), Some(2), false).unwrap().history.moves().len(), 2);
        let missing = file(Path::new(&games), Some(3), false);
        assert!(matches!(missing, Err(OpeningError::Game { number: 3, .. })), "{missing:?}");
        let uncrowned = write(
            "uncrowned.pdn",
            "[FEN \"W:W5:B30\"]

*
",
        );
        assert!(position(&uncrowned).is_err());
        let crowned = file(Path::new(&uncrowned), None, true).unwrap();
        assert_eq!(fen::format(crowned.history.position()), "W:W5:BK30");
        let unknown = position("no-such-file");
        assert!(matches!(unknown, Err(OpeningError::Position { text, .. }) if text == "no-such-file"));
        fs::remove_dir_all(folder).unwrap();
    }
}
