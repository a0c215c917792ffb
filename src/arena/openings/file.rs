//! Openings from files: one FEN a line, or PDN games.

use std::path::Path;

use super::{Opening, OpeningsError, playable};
use crate::notation::fen;
use crate::notation::pdn::Games;

/// The most openings, or bytes of them, that are taken from a file; far beyond what any match can play.
const MOST_BYTES: u64 = 1 << 28;

/// Reads a file of openings. `.pdn` files hold games, all others one FEN a line.
///
/// # Errors
///
/// When the file can't be read, or an entry of it isn't an opening from which a game can be played.
pub fn load(path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let shown = path.display().to_string();
    let unreadable = |reason: String| OpeningsError::Unreadable { path: shown.clone(), reason };
    let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
    if size > MOST_BYTES {
        return Err(unreadable(format!("{size} bytes, expected at most {MOST_BYTES}")));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let is_pdn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"));
    let openings = if is_pdn {
        from_pdn(&name, &bytes, plies)?
    } else {
        from_fens(&name, &String::from_utf8_lossy(&bytes))?
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

/// Reads games, of which at most `plies` moves each are the opening.
///
/// # Errors
///
/// When a game can't be read, or is over where the opening ends.
pub fn from_pdn(name: &str, bytes: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let games = Games::new(bytes).zip(1..);
    games
        .map(|(game, number): (_, usize)| {
            let place = || format!("game {number}");
            let game =
                game.map_err(|error| OpeningsError::Entry { place: place(), reason: error.to_string() })?;
            let moves = game.moves().take(plies.unwrap_or(usize::MAX)).collect();
            playable(Opening { name: format!("{name} {number}"), start: game.start, moves }, place)
        })
        .collect()
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
            let openings = from_pdn("x", text, most).unwrap();
            openings.iter().map(|o| o.moves.len()).collect::<Vec<_>>()
        };
        assert_eq!((plies(None), plies(Some(2))), (vec![3, 1], vec![2, 1]));
        let error = from_pdn("x", b"1. 11-15 *\n1. 11-99 *\n", None).unwrap_err();
        assert!(error.to_string().starts_with("openings, game 2: "), "{error}");
    }

    #[test]
    fn bad_lines_are_named() {
        let error = from_fens("x", "B:W21-32:B1-12\nnonsense").unwrap_err();
        assert!(error.to_string().starts_with("openings, line 2: "), "{error}");
        let error = from_fens("x", "B:W21").unwrap_err();
        assert!(error.to_string().contains("the game is over"), "{error}");
        let error = load(Path::new("no such file"), None).unwrap_err();
        assert!(error.to_string().contains("no such file"), "{error}");
    }
}
