//! Openings from files: one FEN a line, or PDN games.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{Opening, OpeningsError, playable};
use draughts::notation::pdn::{Entry, Games, PdnError};
use draughts::notation::{encoding, fen};

/// The most openings, or bytes of them, that are taken from a file; far beyond what any match can play.
const MOST_BYTES: u64 = 1 << 28;

/// Reads a file of openings. `.pdn` files hold games, all others one FEN a line. Games that can't be used are reported and
/// left out.
///
/// # Errors
///
/// When the file can't be read, or there is no opening in it from which a game can be played.
pub fn load(
    path: &Path,
    plies: Option<usize>,
    left_out: &mut dyn FnMut(OpeningsError),
) -> Result<Vec<Opening>, OpeningsError> {
    let shown = path.display().to_string();
    let unreadable =
        |error: std::io::Error| OpeningsError::Unreadable { path: shown.clone(), reason: error.to_string() };
    let mut file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    if size > MOST_BYTES {
        let reason = format!("{size} bytes, expected at most {MOST_BYTES}");
        return Err(OpeningsError::Unreadable { path: shown, reason });
    }
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
    let openings = if is_pdn {
        from_pdn(&name, file, plies, left_out)?
    } else {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        from_fens(&name, &encoding::decode(&bytes))?
    };
    if openings.is_empty() { Err(OpeningsError::Empty(shown)) } else { Ok(openings) }
}

/// Reads one FEN a line; empty lines and lines that start with `#` are passed over.
///
/// # Errors
///
/// When a line is no position, or one in which the game is over.
pub fn from_fens(name: &str, text: &str) -> Result<Vec<Opening>, OpeningsError> {
    let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let entries = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    entries
        .map(|(line, number): (_, usize)| {
            let place = || format!("line {number}");
            let start = fen::parse(line)
                .map_err(|error| OpeningsError::Entry { place: place(), reason: error.to_string() })?;
            playable(Opening { name: format!("{name} {number}"), start, moves: Vec::new() }, place)
        })
        .collect()
}

/// Reads games, of which at most `plies` moves each are the opening. What is wrong after these does no harm.
///
/// # Errors
///
/// When there are games, and none can be used: what is wrong with the first.
pub fn from_pdn(
    name: &str,
    file: impl Read,
    plies: Option<usize>,
    left_out: &mut dyn FnMut(OpeningsError),
) -> Result<Vec<Opening>, OpeningsError> {
    let (mut openings, mut first_error) = (Vec::new(), None);
    for entry in Games::new(file) {
        let number = entry.number;
        match opening(format!("{name} {number}"), entry, plies) {
            Ok(opening) => openings.push(opening),
            Err(error) => match first_error {
                None if openings.is_empty() => first_error = Some(error),
                _ => left_out(error),
            },
        }
    }
    match first_error {
        Some(error) if openings.is_empty() => return Err(error),
        Some(error) => left_out(error),
        None => {}
    }
    Ok(openings)
}

fn opening(name: String, entry: Entry, plies: Option<usize>) -> Result<Opening, OpeningsError> {
    let Entry { number, line, .. } = entry;
    let game = if plies.is_some_and(|plies| entry.game.plies.len() >= plies) {
        entry.game
    } else {
        entry.whole().map_err(|PdnError { line, kind, .. }| OpeningsError::Entry {
            place: format!("game {number}, line {line}"),
            reason: kind.to_string(),
        })?
    };
    let moves = game.moves().take(plies.unwrap_or(usize::MAX)).collect();
    playable(Opening { name, start: game.start, moves }, || format!("game {number}, line {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fens_are_read_with_their_line_numbers() {
        let text = "# a comment\n\nB:W21-32:B1-12\nW:WK30:B1,2\n";
        let openings = from_fens("x.fen", text).unwrap();
        assert_eq!(openings.iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["x.fen 3", "x.fen 4"]);
    }

    #[test]
    fn games_are_cut_to_length() {
        let text = b"1. 11-15 23-18 2. 8-11 *\n\n[FEN \"W:W21-32:B1-12\"]\n1... 22-18 *\n";
        let plies = |most| {
            let openings = from_pdn("x", &text[..], most, &mut |error| panic!("{error}")).unwrap();
            openings.iter().map(|o| o.moves.len()).collect::<Vec<_>>()
        };
        assert_eq!((plies(None), plies(Some(2))), (vec![3, 1], vec![2, 1]));
    }

    #[test]
    fn a_game_that_cant_be_used_costs_no_other() {
        let text = b"1. 11-15 11-99 *\n\n1. 11-15 23-18 *\n1. 11-16 24-20 2. 9-9 *\n";
        let read = |most| {
            let mut left_out = Vec::new();
            let openings =
                from_pdn("x", &text[..], most, &mut |error| left_out.push(error.to_string())).unwrap();
            (openings.iter().map(|o| o.name.clone()).collect::<Vec<_>>(), left_out)
        };
        let (names, left_out) = read(None);
        assert_eq!(names, ["x 2"]);
        assert!(left_out[0].starts_with("openings, game 3, line 4: illegal move \"9-9\""), "{left_out:?}");
        assert!(left_out[1].starts_with("openings, game 1, line 1: invalid move \"11-99\""), "{left_out:?}");
        // What is wrong after the opening is no matter.
        assert_eq!(read(Some(1)).0, ["x 1", "x 2", "x 3"]);
        assert_eq!(read(Some(2)).0, ["x 2", "x 3"]);
        let error = from_pdn("x", &b"1. 11-99 *"[..], None, &mut |_| panic!("said twice")).unwrap_err();
        assert!(error.to_string().starts_with("openings, game 1, line 1: "), "{error}");
    }

    #[test]
    fn bad_lines_are_named() {
        let error = from_fens("x", "B:W21-32:B1-12\nnonsense").unwrap_err();
        assert!(error.to_string().starts_with("openings, line 2: "), "{error}");
        let error = from_fens("x", "B:W21").unwrap_err();
        assert!(error.to_string().contains("the game is over"), "{error}");
        let error = load(Path::new("no such file"), None, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains("no such file"), "{error}");
    }
}
