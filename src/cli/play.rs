//! `kelso play`: a game in the terminal.

use std::process::ExitCode;
use std::time::Duration;

use clap::value_parser;

use super::Outcome;
use crate::terminal::{Options, PlayError, ink, play};
use draughts::board::Color;
use engine::Level;
use players::limits::TimeControl;
use players::spec::parse_engines;

/// Play a game in the terminal
///
/// Against Kelso, another person or another engine, or to watch two engines. Moves are typed as 11-15, 11 15, 22x15 or by their
/// number in the list; "help" lists the commands. Ctrl-C ends an engine's thinking, and asks at the prompt whether to leave.
/// Without a terminal the commands are read line by line and the boards are plain text.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Who plays Black, and moves first: person, kelso, or the name of an engine
    #[arg(long, value_name = "WHO", default_value = "person")]
    black: String,
    /// Who plays White
    #[arg(long, value_name = "WHO", default_value = "kelso")]
    white: String,
    /// Kelso's level, 1 to 10; 0 is full strength
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u8).range(0..=Level::HIGHEST as i64))]
    level: u8,
    /// Seconds that Kelso, and an engine described without a limit, may think about a move [default: 1, or what the position's file says]
    #[arg(long, value_name = "S", value_parser = super::replay::seconds)]
    time: Option<Duration>,
    /// A clock for each side: 300, 5:00, or 5:00+3 with seconds added by each move
    #[arg(long, value_name = "TIME[+INC]", value_parser = clock)]
    clock: Option<TimeControl>,
    /// Where to begin: a FEN, or a file with a FEN, a PDN game, or eight lines of four numbers
    #[arg(long, value_name = "FEN|FILE", conflicts_with = "ballot")]
    position: Option<String>,
    /// The ballot to begin with: a number or name of the three-move deck, "three-move" or "eleven-man" for one by lot
    #[arg(long, value_name = "BALLOT")]
    ballot: Option<String>,
    /// Another engine to choose from, described as for "kelso match", such as "name=other cmd=./other movetime=1"
    #[arg(long = "engine", value_name = "WORDS")]
    engines: Vec<String>,
    /// Which side sits at the bottom [default: the person's, or White]
    #[arg(long, value_name = "SIDE", value_parser = ["black", "white"])]
    bottom: Option<String>,
    /// Plain text, also on a terminal
    #[arg(long)]
    ascii: bool,
}

fn clock(text: &str) -> Result<TimeControl, String> {
    let clock = TimeControl::parse(text).map_err(|error| format!("expected {}", error.expected))?;
    if clock.base.is_zero() { Err("expected more than no time".into()) } else { Ok(clock) }
}

/// Plays.
///
/// # Errors
///
/// When there is nothing to begin with, nobody to play, or nothing can be written.
pub fn run(args: &Args) -> Outcome {
    let own = super::own::path()?;
    // An engine whose description has no limit gets what Kelso gets.
    let limit = format!("movetime={}", args.time.unwrap_or(Duration::from_secs(1)).as_secs_f64());
    let engines = parse_engines(&args.engines, &[limit], &own)?;
    let bottom = args.bottom.as_deref().map(|side| if side == "black" { Color::Black } else { Color::White });
    let options = Options {
        seats: [args.black.clone(), args.white.clone()],
        engines,
        level: usize::from(args.level),
        time: args.time,
        clock: args.clock,
        position: args.position.clone(),
        ballot: args.ballot.clone(),
        bottom,
        ink: ink(args.ascii),
    };
    // Levels do not use endgame databases.
    if args.level == 0 {
        super::egdb::tip();
    }
    match play(options) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(PlayError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}
