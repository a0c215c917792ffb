//! Positions on the command line.

use draughts::board::{Move, Position};
use draughts::notation::{fen, movetext};

/// Moves to play from a position.
#[derive(clap::Args, Debug)]
pub(super) struct Moves {
    /// Moves to play first, separated by spaces or commas, such as "11-15 23-18"
    #[arg(long = "moves", value_name = "MOVES")]
    texts: Vec<String>,
}

impl Moves {
    /// Plays the moves. Returns the position after them, and the last one.
    pub(super) fn play(&self, start: Position) -> anyhow::Result<(Position, Option<Move>)> {
        play(start, &self.texts.join(" ")).map_err(anyhow::Error::msg)
    }
}

/// Parses `startpos` or a FEN.
pub(super) fn parse(text: &str) -> Result<Position, String> {
    match text {
        "startpos" => Ok(Position::start()),
        _ => fen::parse(text).map_err(|error| error.to_string()),
    }
}

/// Plays moves with spaces or commas between them. Returns the position after them, and the last one.
pub(super) fn play(start: Position, moves: &str) -> Result<(Position, Option<Move>), String> {
    let (mut position, mut last) = (start, None);
    let words = moves.split([' ', ',']).filter(|word| !word.is_empty());
    for (number, text) in (1..).zip(words) {
        let mv = movetext::parse(&position, text).map_err(|error| format!("move {number}: {error}"))?;
        position = position.after(mv);
        last = Some(mv);
    }
    Ok((position, last))
}
