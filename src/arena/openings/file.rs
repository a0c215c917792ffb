//! Openings from files: one FEN a line, or PDN games.

use std::path::Path;

use super::{Opening, OpeningsError, playable};
use crate::notation::fen;

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
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let _ = plies;
    let openings = from_fens(&name, &text)?;
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
    fn bad_lines_are_named() {
        let error = from_fens("x", "B:W21-32:B1-12\nnonsense").unwrap_err();
        assert!(error.to_string().starts_with("openings, line 2: "), "{error}");
        let error = from_fens("x", "B:W21").unwrap_err();
        assert!(error.to_string().contains("the game is over"), "{error}");
        let error = load(Path::new("no such file"), None).unwrap_err();
        assert!(error.to_string().contains("no such file"), "{error}");
    }
}
