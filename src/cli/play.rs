//! `kelso play`: a game in the terminal.

use std::time::Duration;

use crate::cli::databases::tip;
use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::{seconds, within};
use kelso_draughts::board::Position;
use kelso_engine::Level;
use kelso_terminal::{GameStart, PlaySettings, SidePlayer, detect_ink, opening, play};

/// Play a game in the terminal
///
/// Play against Kelso or another person. Type moves as 11-15, 11 15 or 22x15, or by their number in the list;
/// "help" lists the commands. You can also type or paste several moves, or a game in PDN. Ctrl-C interrupts
/// an engine; at the prompt, Ctrl-C and Ctrl-D ask whether to leave. If the input is not a terminal, commands
/// are read line by line and boards are plain text.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!(
    "kelso play",
    "kelso play --white person --black kelso --level 3",
    "kelso play --ballot three-move --time 5"
))]
pub struct Args {
    /// Black's player, who moves first: person or kelso
    #[arg(long, value_name = "WHO", default_value = "person")]
    black: String,
    /// White's player
    #[arg(long, value_name = "WHO", default_value = "kelso")]
    white: String,
    /// Playing strength of Kelso: 1 (weakest) to 10; 0 is full strength
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = within(0..=Level::HIGHEST))]
    level: usize,
    /// Seconds per move for Kelso
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    time: Duration,
    /// Starting position: a FEN, or a file with a FEN or a PDN game
    #[arg(long, visible_alias = "fen", value_name = "FEN|FILE", conflicts_with = "ballot")]
    position: Option<String>,
    /// Starting ballot: the number or name of a three-move ballot, or "two-move", "three-move" or
    /// "eleven-man" for a random one
    #[arg(long, value_name = "BALLOT")]
    ballot: Option<String>,
    /// Draw the board as plain text
    #[arg(long)]
    ascii: bool,
}

pub fn run(args: &Args) -> Outcome {
    let settings = PlaySettings {
        players: [SidePlayer::parse(&args.black)?, SidePlayer::parse(&args.white)?],
        opening: match (&args.position, &args.ballot) {
            (Some(text), _) => opening::position(text)?,
            (None, Some(ballot)) => opening::ballot(ballot, opening::pick)?,
            (None, None) => GameStart::at(Position::start()),
        },
        level: Level::new(args.level),
        time: args.time,
        ink: detect_ink(args.ascii),
    };
    // Levels do not use endgame databases.
    if args.level == 0 {
        tip();
    }
    play(settings)?;
    Ok(Status::Success)
}
