//! `kelso play`: a game in the terminal.

use std::process::ExitCode;
use std::time::Duration;

use clap::value_parser;

use super::Outcome;
use super::shared::Reading;
use crate::terminal::{Options, PlayError, detect_ink, play};
use draughts::board::Color;
use engine::Level;
use players::limits::TimeControl;
use players::spec::parse_engines;

/// Play a game in the terminal
///
/// Play against Kelso, another person or another engine, or watch two engines. Type moves as 11-15, 11 15 or 22x15, or by their
/// number in the list; "help" lists the commands. Ctrl-C interrupts an engine, and at the prompt asks whether to leave. Without
/// a terminal, commands are read line by line and boards are plain text.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The player of Black, who moves first: person, kelso, or the name of an engine
    #[arg(long, value_name = "WHO", default_value = "person")]
    black: String,
    /// The player of White
    #[arg(long, value_name = "WHO", default_value = "kelso")]
    white: String,
    /// Kelso's level, 1 to 10; 0 is full strength
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u8).range(0..=Level::HIGHEST as i64))]
    level: u8,
    /// Seconds for a move of Kelso, and of engines without a limit of their own [default: 1, or as in the position's file]
    #[arg(long, value_name = "S", value_parser = super::replay::seconds)]
    time: Option<Duration>,
    /// A clock for each side: 300, 5:00, or 5:00+3 with seconds added by each move
    #[arg(long, value_name = "TIME[+INC]", value_parser = clock)]
    clock: Option<TimeControl>,
    /// The position to begin with: a FEN, or a file with a FEN, a PDN game, or a drawn or numbered board
    #[arg(long, value_name = "FEN|FILE", conflicts_with = "ballot")]
    position: Option<String>,
    #[command(flatten)]
    reading: Reading,
    /// The ballot to begin with: a number or name of the three-move deck, or "two-move", "three-move" or "eleven-man" for a random one
    #[arg(long, value_name = "BALLOT")]
    ballot: Option<String>,
    /// Add an engine, described as for "kelso match", such as "name=other cmd=./other movetime=1"
    #[arg(long = "engine", value_name = "WORDS")]
    engines: Vec<String>,
    /// The side at the bottom of the board [default: the person's, or White]
    #[arg(long, value_name = "SIDE", value_parser = ["black", "white"])]
    bottom: Option<String>,
    /// Draw the board as plain text
    #[arg(long)]
    ascii: bool,
}

fn clock(text: &str) -> Result<TimeControl, String> {
    let clock = TimeControl::parse(text).map_err(|expected| format!("expected {expected}"))?;
    if clock.base.is_zero() { Err("a clock needs more than 0 seconds".into()) } else { Ok(clock) }
}

/// Runs the command.
///
/// # Errors
///
/// When the settings are invalid, or input or output fails.
pub fn run(args: &Args) -> Outcome {
    let own = super::own::path()?;
    // Engines without a limit of their own have that of Kelso.
    let limit = format!("movetime={}", args.time.unwrap_or(Duration::from_secs(1)).as_secs_f64());
    let engines = parse_engines(&args.engines, &[limit], &own)?;
    let bottom = args.bottom.as_deref().map(|side| if side == "black" { Color::Black } else { Color::White });
    let options = Options {
        players: [args.black.clone(), args.white.clone()],
        engines,
        level: usize::from(args.level),
        time: args.time,
        clock: args.clock,
        position: args.position.clone(),
        crown: args.reading.crown,
        ballot: args.ballot.clone(),
        bottom,
        ink: detect_ink(args.ascii),
        // Levels do not use endgame databases.
        tip: if args.level == 0 { super::egdb::tip_text() } else { None },
    };
    match play(options) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // A closed pipe is recognised by its kind.
        Err(PlayError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}
