//! Openings for the games of a match. An opening is a game that has the moves played before the engines take
//! over, and a name in its `Opening` tag.
//!
//! Between equal players, most games from the starting position are drawn, so matches use balloted openings:
//! the three-move deck, the older two-move deck, or the sharper eleven-man ballots, in which each side is a
//! man short of twelve. From uneven openings, in which one side is better, about half of the games are drawn.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use kelso_draughts::ballot::{Ballot, Deck};
use kelso_draughts::board::Position;
use kelso_draughts::board::relative::Key;
use kelso_draughts::notation::fen::PositionError;
use kelso_draughts::notation::pdn::{PdnEntry, PdnError, PdnErrorKind, PdnReader};
use kelso_draughts::notation::{encoding, fen};
use kelso_draughts::record::GameRecord;
use kelso_draughts::result::GameEnd;
use kelso_runtime::files::open_regular;
use kelso_text::plural::counted;
use thiserror::Error;

/// The reason why an opening, or a file of openings, cannot be used.
#[derive(Error, Debug)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error(
        "cannot read openings from \"{}\": {error} (expected two-move, three-move, eleven-man, \
         uneven, uneven-late, go-as-you-please, or a file of FENs or PDN games)",
        path.display()
    )]
    Unreadable { path: PathBuf, error: io::Error },
    /// The file has no openings.
    #[error("\"{}\" has no openings: expected FENs or PDN games", .0.display())]
    Empty(PathBuf),
    /// The first opening to use does not exist.
    #[error("{name} has only {}", counted(*count as u64, "opening"))]
    TooFew { name: String, count: usize },
    /// An opening is invalid.
    #[error("invalid opening in \"{}\", {place}: {fault}", path.display())]
    Invalid {
        path: PathBuf,
        /// The place of the opening in its file, such as "game 3, line 4".
        place: String,
        fault: OpeningFault,
    },
}

/// The reason why an opening is invalid.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum OpeningFault {
    /// The line is not a FEN.
    #[error(transparent)]
    Fen(#[from] PositionError),
    /// The game has an error within the opening.
    #[error(transparent)]
    Pdn(#[from] PdnErrorKind),
    /// The game is over after the opening.
    #[error("the game is over: {0}")]
    Over(GameEnd),
}

/// Returns a function that adds a file and the place in it to a fault.
fn invalid<F: Into<OpeningFault>>(path: &Path, place: &str) -> impl Fn(F) -> OpeningsError {
    move |fault| OpeningsError::Invalid { path: path.into(), place: place.into(), fault: fault.into() }
}

/// Names of the opening without moves. The first is the tournament term.
const STARTS: [&str; 2] = ["go-as-you-please", "start"];

/// The decks of uneven openings. Each line has the men of Black, who is to move, and of White, as hexadecimal
/// bit sets.
const UNEVEN: [(&str, &str); 2] =
    [("uneven", include_str!("data/uneven.txt")), ("uneven-late", include_str!("data/uneven_late.txt"))];

/// Openings, and the part of them that a match uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningChoice {
    /// The name of the set or the file.
    pub name: String,
    /// The first opening to use, counted from 1.
    pub first: usize,
    /// Maximum number of plies of an opening.
    pub plies: Option<usize>,
}

/// Formats the choice for the header of a match.
impl fmt::Display for OpeningChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.first > 1 {
            write!(f, " from {}", self.first)?;
        }
        self.plies.map_or(Ok(()), |plies| write!(f, ", first {}", counted(plies as u64, "ply")))
    }
}

impl OpeningChoice {
    /// Returns the openings that lead to different positions. `on_note` receives what is left out.
    ///
    /// # Errors
    ///
    /// If the openings cannot be read, or none is left.
    pub fn read(&self, on_note: &mut dyn FnMut(&str)) -> Result<Vec<GameRecord>, OpeningsError> {
        let plies = self.plies.unwrap_or(usize::MAX);
        let all = named(&self.name, plies, &mut |error| on_note(&format!("skipped an opening: {error}")))?;
        let count = all.len();
        let used: Vec<GameRecord> = all.into_iter().skip(self.first - 1).collect();
        if used.is_empty() {
            return Err(OpeningsError::TooFew { name: self.name.clone(), count });
        }
        let count = used.len();
        let openings = distinct(used);
        if openings.len() < count {
            on_note(&format!(
                "the {count} openings in {self} lead to {}; each position is used as one opening",
                counted(openings.len() as u64, "different position")
            ));
        }
        Ok(openings)
    }
}

/// Returns the openings of a named set (`two-move`, `three-move`, `eleven-man`, `uneven`, `uneven-late`,
/// `go-as-you-please` or `start`) or of a file, each cut after a number of plies. Unusable games of a PDN
/// file are reported to `left_out`.
fn named(
    name: &str,
    plies: usize,
    left_out: &mut dyn FnMut(OpeningsError),
) -> Result<Vec<GameRecord>, OpeningsError> {
    if let Some((name, text)) = UNEVEN.iter().find(|deck| deck.0 == name) {
        return Ok(uneven(name, text));
    }
    let mut openings = match Deck::from_name(name) {
        Some(deck) => deck.in_play().map(Ballot::record).collect(),
        None if STARTS.contains(&name) => vec![titled(name, GameRecord::new(Position::start()))],
        None => return load(Path::new(name), plies, left_out),
    };
    for opening in &mut openings {
        opening.plies.truncate(plies);
    }
    Ok(openings)
}

fn uneven(name: &str, text: &str) -> Vec<GameRecord> {
    // A test checks that every line is a position, so none is dropped silently.
    let positions = text.lines().filter(|line| !line.starts_with('#')).filter_map(uneven_position);
    positions.zip(1..).map(|(start, n)| titled(&format!("{name} {n}"), GameRecord::new(start))).collect()
}

fn uneven_position(line: &str) -> Option<Position> {
    let (own, enemy) = line.split_once(' ')?;
    let own = u32::from_str_radix(own, 16).ok()?;
    let enemy = u32::from_str_radix(enemy, 16).ok()?;
    Key { own, enemy, kings: 0 }.position()
}

const MAX_BYTES: u64 = 1 << 28;

/// Reads a file of openings: games from a `.pdn` file, or one FEN per line from any other file. Unusable
/// games are reported to `left_out`.
fn load(
    path: &Path,
    plies: usize,
    left_out: &mut dyn FnMut(OpeningsError),
) -> Result<Vec<GameRecord>, OpeningsError> {
    let unreadable = |error| OpeningsError::Unreadable { path: path.to_owned(), error };
    let mut file = open_regular(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if size > MAX_BYTES {
        let reason = format!("the file is too large: {size} bytes, at most {MAX_BYTES} are allowed");
        return Err(unreadable(io::Error::other(reason)));
    }
    let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
    let openings = if is_pdn {
        from_pdn(path, file, plies, left_out)?
    } else {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        from_fens(path, &encoding::decode(&bytes))?
    };
    if openings.is_empty() {
        return Err(OpeningsError::Empty(path.to_owned()));
    }
    Ok(openings)
}

/// Parses one FEN per line. Empty lines and lines that start with `#` are skipped.
fn from_fens(path: &Path, text: &str) -> Result<Vec<GameRecord>, OpeningsError> {
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let entries = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    entries
        .map(|(line, number)| {
            let place = format!("line {number}");
            let start = fen::parse(line).map_err(invalid(path, &place))?;
            playable(path, GameRecord::new(start), number, &place)
        })
        .collect()
}

/// Parses games as openings. If no game is usable, returns the error of the first game.
fn from_pdn(
    path: &Path,
    file: impl Read,
    plies: usize,
    left_out: &mut dyn FnMut(OpeningsError),
) -> Result<Vec<GameRecord>, OpeningsError> {
    let mut openings = Vec::new();
    let mut first_error = None;
    for entry in PdnReader::new(file) {
        match opening(path, entry, plies) {
            Ok(opening) => openings.push(opening),
            // If there is no opening, return the first error.
            Err(error) if openings.is_empty() && first_error.is_none() => first_error = Some(error),
            Err(error) => left_out(error),
        }
    }
    match first_error {
        Some(error) if openings.is_empty() => Err(error),
        error => {
            error.into_iter().for_each(left_out);
            Ok(openings)
        }
    }
}

fn opening(path: &Path, entry: PdnEntry, plies: usize) -> Result<GameRecord, OpeningsError> {
    let PdnEntry { number, line, .. } = entry;
    let game = entry
        .whole()
        .map_err(|PdnError { line, kind, .. }| invalid(path, &format!("game {number}, line {line}"))(kind))?;
    let opening = GameRecord::of(game.start, game.moves().take(plies));
    playable(path, opening, number, &format!("game {number}, line {line}"))
}

fn titled(name: &str, mut opening: GameRecord) -> GameRecord {
    opening.tags.set("Opening", name);
    opening
}

/// Removes openings that lead to the same position as an earlier one: deterministic players would play the
/// same game from both.
pub fn distinct(openings: Vec<GameRecord>) -> Vec<GameRecord> {
    let mut positions = HashSet::new();
    openings.into_iter().filter(|opening| positions.insert(opening.last_position())).collect()
}

/// Names an opening after its file and its number. Rejects an opening after which the game is over.
fn playable(
    path: &Path,
    opening: GameRecord,
    number: usize,
    place: &str,
) -> Result<GameRecord, OpeningsError> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    match opening.game().end() {
        None => Ok(titled(&format!("{name} {number}"), opening)),
        Some(end) => Err(invalid(path, place)(OpeningFault::Over(end))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_batch::testing::Folder;

    fn names(openings: &[GameRecord]) -> Vec<&str> {
        openings.iter().map(|opening| opening.tags.get("Opening").unwrap()).collect()
    }

    #[test]
    fn fens_are_read_with_their_line_numbers() {
        let text = "# a comment\n\nB:W21-32:B1-12\nW:WK30:B1,2\n";
        let openings = from_fens(Path::new("x.fen"), text).unwrap();
        assert_eq!(names(&openings), ["x.fen 3", "x.fen 4"]);
    }

    #[test]
    fn games_are_openings() {
        let text = b"1. 11-15 23-18 2. 8-11 *\n\n[FEN \"W:W21-32:B1-12\"]\n1... 22-18 *\n";
        let openings =
            from_pdn(Path::new("x"), &text[..], usize::MAX, &mut |error| panic!("{error}")).unwrap();
        assert_eq!(openings.iter().map(|opening| opening.plies.len()).collect::<Vec<_>>(), [3, 1]);
    }

    #[test]
    fn openings_can_be_skipped_and_cut() {
        let folder = Folder::new();
        let path = folder
            .write("o.pdn", "1. 11-15 23-18 2. 8-11 *\n\n1. 11-15 24-20 *\n\n1. 11-15 23-18 2. 12-16 *\n");
        let choice = |first, plies| OpeningChoice { name: path.to_str().unwrap().to_owned(), first, plies };
        let mut notes = Vec::new();
        let mut read = |choice: &OpeningChoice| {
            choice.read(&mut |note| notes.push(note.to_owned())).map(|openings| {
                openings
                    .iter()
                    .map(|game| (game.tags.text("Opening").to_owned(), game.plies.len()))
                    .collect::<Vec<_>>()
            })
        };
        let named = |number: usize, plies: usize| (format!("o.pdn {number}"), plies);
        assert_eq!(read(&choice(1, None)).unwrap(), [named(1, 3), named(2, 2), named(3, 3)]);
        assert_eq!(read(&choice(2, Some(2))).unwrap(), [named(2, 2), named(3, 2)]);
        assert_eq!(read(&choice(1, Some(2))).unwrap(), [named(1, 2), named(2, 2)]);
        assert!(read(&choice(4, None)).unwrap_err().to_string().ends_with("o.pdn has only 3 openings"));
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("o.pdn, first 2 plies lead to 2 different positions"), "{notes:?}");
        assert_eq!(
            OpeningChoice { name: "three-move".to_owned(), first: 9, plies: Some(1) }.to_string(),
            "three-move from 9, first 1 ply"
        );
        // The rest of a finished game is no opening.
        let whole = folder.write("w.pdn", "[FEN \"W:W14:B9\"]\n1. 14x5 *\n");
        let choice = OpeningChoice { name: whole.to_str().unwrap().to_owned(), first: 1, plies: Some(0) };
        assert_eq!(choice.read(&mut |_| ()).unwrap()[0].plies.len(), 0);
    }

    #[test]
    fn an_unusable_opening_does_not_affect_others() {
        let text = b"1. 11-15 11-99 *\n\n1. 11-15 23-18 *\n1. 11-16 24-20 2. 9-9 *\n";
        let mut left_out = Vec::new();
        let openings =
            from_pdn(Path::new("x"), &text[..], usize::MAX, &mut |error| left_out.push(error.to_string()))
                .unwrap();
        assert_eq!(names(&openings), ["x 2"]);
        assert!(left_out[0].contains("game 3, line 4: illegal move \"9-9\""), "{left_out:?}");
        assert!(left_out[1].contains("game 1, line 1: invalid move \"11-99\""), "{left_out:?}");
        let error =
            from_pdn(Path::new("x"), &b"1. 11-99 *"[..], usize::MAX, &mut |_| panic!("reported twice"))
                .unwrap_err();
        let error = error.to_string();
        assert!(error.contains("game 1, line 1: "), "{error}");
    }

    #[test]
    fn bad_lines_are_named() {
        let error = from_fens(Path::new("x"), "B:W21-32:B1-12\nnonsense").unwrap_err().to_string();
        assert!(error.contains("line 2: "), "{error}");
        let error = from_fens(Path::new("x"), "B:W21").unwrap_err().to_string();
        assert!(error.contains("the game is over"), "{error}");
        let error = load(Path::new("no such file"), usize::MAX, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("no such file"), "{error}");
    }

    fn read(name: &str) -> Result<Vec<GameRecord>, String> {
        named(name, usize::MAX, &mut |error| panic!("{error}")).map_err(|error| error.to_string())
    }

    #[test]
    fn opening_sets_have_names() {
        for (name, count, first) in [
            ("two-move", 47, "two-move"),
            ("three-move", 157, "three-move"),
            ("eleven-man", 2253, "eleven-man"),
            ("go-as-you-please", 1, "go-as-you-please"),
            ("start", 1, "start"),
        ] {
            let openings = read(name).unwrap();
            assert_eq!(openings.len(), count, "{name}");
            assert!(names(&openings)[0].starts_with(first), "{:?}", names(&openings)[0]);
            assert_eq!(openings[0].plies.is_empty(), count == 1, "{name}");
        }
    }

    #[test]
    fn uneven_openings_are_quiet_and_differ_by_six_squares() {
        for (name, pieces) in [("uneven", 18..=22), ("uneven-late", 12..=17)] {
            let starts: Vec<Position> = read(name).unwrap().iter().map(|o| o.start).collect();
            assert_eq!(starts.len(), 2000, "{name}");
            for (index, start) in starts.iter().enumerate() {
                assert!(pieces.contains(&start.piece_count()), "{name} {start:?}");
                assert!(start.can_move() && !start.must_capture() && !start.is_threatened(), "{start:?}");
                let Key { own, enemy, .. } = Key::of(start);
                let squares = |key: Key| ((key.own ^ own) | (key.enemy ^ enemy)).count_ones();
                assert!(starts[..index].iter().all(|earlier| squares(Key::of(earlier)) >= 6), "{start:?}");
            }
        }
    }

    #[test]
    fn a_file_is_read_by_its_extension() {
        let folder = Folder::new();
        let games = "1. 11-15 23-19 *\n\n1. 11-16 *\n\n1. 11-15 23-19 *\n";
        let path = |name: &str, text: &str| folder.write(name, text).to_string_lossy().into_owned();
        for name in ["a.pdn", "b.PDN"] {
            let openings = read(&path(name, games)).unwrap();
            assert_eq!(names(&openings), [1, 2, 3].map(|number| format!("{name} {number}")));
            // The first and the third lead to the same position.
            assert_eq!(names(&distinct(openings)), [1, 2].map(|number| format!("{name} {number}")));
        }
        let crowned = path("c.fen", "# comment\nW:W1,30:B12\n");
        let error = read(&crowned).unwrap_err();
        assert!(error.starts_with(&format!("invalid opening in \"{crowned}\", line 2: ")), "{error}");
        let error = read(&path("d.pdn", "[FEN \"B:W32:B\"]\n*\n")).unwrap_err();
        assert!(error.contains("d.pdn\", game 1, line "), "{error}");
        let empty = path("e.fen", "# nothing\n");
        assert_eq!(
            read(&empty).unwrap_err(),
            format!("\"{empty}\" has no openings: expected FENs or PDN games")
        );
        let large = folder.path("large.fen");
        std::fs::File::create(&large).unwrap().set_len(MAX_BYTES + 1).unwrap();
        let error = read(&large.to_string_lossy()).unwrap_err();
        assert!(
            error.contains("the file is too large: 268435457 bytes, at most 268435456 are allowed"),
            "{error}"
        );
    }
}
