//! Prints the legal moves of a position:
//!
//! ```sh
//! cargo run -p kelso-draughts --example legal_moves "B:W9,10,17,18,32:B6"
//! ```

use std::io::{self, Write};

use kelso_draughts::Position;
use kelso_draughts::notation::{PositionError, fen, movetext};

fn legal_moves(text: &str) -> Result<Vec<String>, PositionError> {
    let position = fen::parse(text)?;
    Ok(position.moves().iter().map(|&mv| movetext::format(&position, mv)).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| fen::format(&Position::start()));
    for mv in legal_moves(&text)? {
        writeln!(io::stdout(), "{mv}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::legal_moves;

    #[test]
    fn captures_are_compulsory() {
        assert_eq!(legal_moves("B:W9,10,17,18,32:B6").unwrap(), ["6x13x22", "6x15x22"]);
        assert!(legal_moves("B:W33:B6").is_err());
    }
}
