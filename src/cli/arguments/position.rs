//! Positions, moves to play from them, and draw rules.

use crate::cli::values::{OptionValueParser, position};
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::notation::movetext;
use kelso_draughts::record::GameRecord;
use kelso_draughts::referee::DrawRules;

/// The starting position.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Position as a FEN [default: the starting position]
    #[arg(long, value_name = "FEN", value_parser = position())]
    fen: Option<Position>,
}

impl Start {
    pub(crate) fn position(self) -> Position {
        self.fen.unwrap_or_else(Position::start)
    }
}

/// The starting position, given as an argument or by an option.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(mut_arg("fen", |fen| fen.help("Same as the FEN argument").conflicts_with("position")))]
pub(crate) struct StartOrFen {
    /// Position as a FEN [default: the starting position]
    #[arg(value_name = "FEN", value_parser = position())]
    position: Option<Position>,
    #[command(flatten)]
    start: Start,
}

impl StartOrFen {
    pub(crate) fn position(self) -> Position {
        self.position.unwrap_or_else(|| self.start.position())
    }
}

/// Moves to play from a position.
#[derive(clap::Args, Debug)]
pub(crate) struct Moves {
    /// Moves to play first, separated by spaces or commas, such as "11-15 23-18"
    #[arg(long = "moves", value_name = "MOVES")]
    texts: Vec<String>,
}

impl Moves {
    pub(crate) const fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the game with these moves, whose repetitions count.
    pub(crate) fn game(&self, start: Position) -> anyhow::Result<Game> {
        let moves = movetext::parse_moves(&start, words(&self.texts.join(" ")))?;
        Ok(GameRecord::of(start, moves).game())
    }

    /// Plays the moves. Returns the position after them, and the last move.
    pub(crate) fn play(&self, start: Position) -> anyhow::Result<(Position, Option<Move>)> {
        play_moves(start, &self.texts.join(" "))
    }
}

fn words(moves: &str) -> impl Iterator<Item = &str> {
    moves.split([' ', ',']).filter(|word| !word.is_empty())
}

/// Plays moves separated by spaces or commas. Returns the position after them, and the last move.
pub(crate) fn play_moves(start: Position, moves: &str) -> anyhow::Result<(Position, Option<Move>)> {
    let moves = movetext::parse_moves(&start, words(moves))?;
    let last = moves.last().copied();
    Ok((GameRecord::of(start, moves).last_position(), last))
}

/// Positions to look up.
#[derive(clap::Args, Debug)]
pub(crate) struct Positions {
    /// Positions as FENs, or startpos for the starting position
    #[arg(required_unless_present = "fens", value_name = "FEN", value_parser = position())]
    arguments: Vec<Position>,
    /// Same as the FEN argument; can be repeated
    #[arg(long = "fen", value_name = "FEN", value_parser = position())]
    fens: Vec<Position>,
    #[command(flatten)]
    moves: Moves,
}

impl Positions {
    pub(crate) fn all(&self) -> anyhow::Result<Vec<Position>> {
        self.arguments.iter().chain(&self.fens).map(|&position| Ok(self.moves.play(position)?.0)).collect()
    }
}

/// The draw rule of games.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct DrawRule {
    #[arg(
        long = "draw-rule",
        value_name = "RULE",
        default_value = "standard",
        value_parser = OptionValueParser(str::parse::<DrawRules>),
        help = format!("Draw rule: {}", DrawRules::help())
    )]
    pub(crate) draws: DrawRules,
}
