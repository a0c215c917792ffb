//! The start of a game: the starting position, a ballot, a FEN or a file.

use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};

use super::history::GameHistory;
use super::words;
use kelso_draughts::ballot::{Ballot, BallotName, Deck};
use kelso_draughts::board::{Color, Position};
use kelso_draughts::notation::fen;
use kelso_draughts::notation::pdn::{PdnEntry, PdnReader};
use kelso_draughts::record::GameRecord;
use kelso_random::RngExt;
use kelso_runtime::files::open_regular;
use kelso_runtime::platform;
use kelso_runtime::stop::StopToken;
use kelso_syntax::Quoted;

/// The start of a game.
#[derive(Debug)]
pub struct GameStart {
    pub(super) history: GameHistory,
    pub(super) note: String,
}

impl GameStart {
    pub fn at(position: Position) -> Self {
        Self { history: GameHistory::new(position), note: String::new() }
    }
}

/// A file with a FEN is never larger.
const MAX_FEN_FILE_BYTES: u64 = 64 * 1024;

/// Opens a position given on the command line: a FEN, or a file.
pub fn position(text: &str) -> anyhow::Result<GameStart> {
    let path = Path::new(text);
    if path.is_file() {
        return file(path, None, &StopToken::default());
    }
    fen::parse(text)
        .map(GameStart::at)
        .with_context(|| format!("{} is neither a file nor a position", Quoted(text)))
}

/// Opens a ballot: a random one from a deck, or one by its number or name. Empty text stands for the starting
/// position.
pub fn ballot(text: &str, pick: impl FnOnce(usize) -> usize) -> anyhow::Result<GameStart> {
    if text.is_empty() {
        return Ok(GameStart::at(Position::start()));
    }
    let ballot = match Deck::from_name(text) {
        Some(deck) => deck.in_play().nth(pick(deck.in_play().count())),
        None => text.parse::<BallotName>().ok().and_then(|name| {
            let first = Deck::ThreeMove.ballots().iter();
            first.chain(Ballot::all()).find(|ballot| !ballot.barred && name.is(ballot))
        }),
    };
    let ballot = ballot.ok_or_else(|| {
        anyhow!(
            "unknown ballot {}: expected the number or name of a three-move ballot in play, a deck (\"two-move\", \"three-move\" or \
             \"eleven-man\") for a random ballot, or a deck and a number, such as \"eleven-man 8\"",
            Quoted(text)
        )
    })?;
    let name = ballot.title();
    Ok(GameStart { history: GameHistory::of(ballot.record()), note: format!("Ballot {name}.") })
}

/// Returns a random number below a bound.
pub fn pick(count: usize) -> usize {
    kelso_random::stream(&[platform::seed()]).random_range(0..count.max(1))
}

/// An input that ends early when its token stops.
struct Stoppable<'a, R>(R, &'a StopToken);

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_stopped() { Ok(0) } else { self.0.read(buffer) }
    }
}

/// Opens a game or position from a file: PDN or a FEN. `game` counts from 1.
pub(super) fn file(path: &Path, game: Option<usize>, stop: &StopToken) -> anyhow::Result<GameStart> {
    let shown = path.display().to_string();
    let shown = Quoted(&shown);
    let mut input = open_regular(path).with_context(|| format!("cannot read {shown}"))?;
    let mut start = Vec::new();
    let read = input.by_ref().take(MAX_FEN_FILE_BYTES).read_to_end(&mut start);
    read.with_context(|| format!("cannot read {shown}"))?;
    if game.is_none() {
        let text = String::from_utf8_lossy(&start);
        if let Ok(position) = fen::parse(text.trim()) {
            return Ok(GameStart::at(position));
        }
    }
    let number = game.unwrap_or(1);
    let entry = PdnReader::new(Stoppable(start.chain(input), stop)).nth(number - 1);
    ensure!(!stop.is_stopped(), "reading {shown} was interrupted");
    let Some(entry) = entry else {
        match game {
            Some(number) => bail!("{shown} has no game {number}"),
            None => bail!("{shown} contains no games"),
        }
    };
    from_entry(entry).with_context(|| format!("{shown} has neither a FEN nor a game in PDN"))
}

/// Opens the first game of a PDN text.
pub(super) fn game(text: &[u8]) -> anyhow::Result<GameStart> {
    let entry = PdnReader::new(text).next().context("the text has no game")?;
    from_entry(entry)
}

/// Opens a game with the moves before its first error. If there are no such moves, returns the error.
fn from_entry(entry: PdnEntry) -> anyhow::Result<GameStart> {
    let error = entry.error.as_ref().map(|error| format!(" Line {}: {}", error.line, error.kind));
    let game = if entry.game.plies.is_empty() { entry.whole()? } else { entry.game };
    let opening = from_pdn(game);
    Ok(match error {
        Some(error) => GameStart {
            note: format!("{}{error}; the moves before it are on the board.", opening.note),
            ..opening
        },
        None => opening,
    })
}

fn from_pdn(game: GameRecord) -> GameStart {
    let [black, white] = Color::BOTH.map(|side| game.player(side).unwrap_or("?"));
    let note = format!("{black} - {white} {}, {}.", game.result_text(), words::moves(game.plies.len()));
    GameStart { history: GameHistory::of(game), note }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;
    use std::fs;

    #[test]
    fn ballots_are_selected_by_number_name_or_chance() {
        let note = |text| ballot(text, |count| count - 1).map(|opening| opening.note);
        assert_eq!(note("").unwrap(), "");
        assert_eq!(note("100").unwrap(), "Ballot three-move 100, Kelso.");
        assert_eq!(note("two-move 31").unwrap(), "Ballot two-move 31, Single Corner.");
        assert_eq!(note("three-move 1").unwrap(), "Ballot three-move 1, Edinburgh.");
        assert_eq!(note("edinburgh").unwrap(), "Ballot three-move 1, Edinburgh.");
        assert_eq!(note("eleven-man").unwrap(), "Ballot eleven-man 2500.");
        assert_eq!(note("eleven-man 7").unwrap(), "Ballot eleven-man 7.");
        for text in ["3", "0", "four-move", "two-move 8", "eleven-man x", "three-move 1 2", "99999999999"] {
            let error = note(text).unwrap_err().to_string();
            assert!(error.contains("unknown ballot") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn a_position_is_a_fen_or_a_file_of_any_kind() {
        let folder = Folder::new();
        let write = |name: &str, text: &str| {
            let path = folder.path(name);
            fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let position = |text: &str| position(text);
        assert_eq!(position("W:W5:B14").unwrap().history.position().piece_count(), 2);
        let fen = write("a.fen", "B:W32:BK1\n");
        assert_eq!(position(&fen).unwrap().history.position().piece_count(), 2);
        let games = write("games.pdn", "[Black \"A\"]\n1. 11-15 *\n\n[Black \"B\"] 1. 9-13 22-18 0-1\n");
        assert_eq!(position(&games).unwrap().note, "A - ? *, 1 move.");
        let numbered = |number| file(Path::new(&games), Some(number), &StopToken::default());
        assert_eq!(numbered(2).unwrap().history.moves().len(), 2);
        let missing = numbered(3).unwrap_err();
        assert!(missing.to_string().ends_with(" has no game 3"), "{missing:?}");
        let uncrowned = write("uncrowned.pdn", "[FEN \"W:W5:B30\"]\n\n*\n");
        assert!(position(&uncrowned).is_err());
        let unknown = position("no-such-file").unwrap_err().to_string();
        assert_eq!(unknown, "\"no-such-file\" is neither a file nor a position");
    }
}
