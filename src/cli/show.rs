//! `kelso show`.

use std::io::{Write, stdout};

use crate::cli::arguments::position::{Moves, StartOrFen};
use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::{OptionValueParser, within};
use kelso_draughts::board::{Color, Square};
use kelso_draughts::notation::{MoveText, fen};
use kelso_reports::diagram::{Diagram, svg, text};
use kelso_terminal::detect_ink;

/// Show a position as text or as a picture
///
/// On a terminal with colours the board is coloured, unless `NO_COLOR` is set; elsewhere it is plain text.
/// With `--moves`, the last move is marked.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!(
    "kelso show W:W18,K32:B5,K9",
    "kelso show --moves \"11-15 23-19\" --svg > board.svg"
))]
pub struct Args {
    #[command(flatten)]
    start: StartOrFen,
    #[command(flatten)]
    moves: Moves,
    /// Write the board as an SVG picture
    #[arg(long)]
    svg: bool,
    /// Show Black at the bottom
    #[arg(long)]
    flip: bool,
    /// Draw an arrow such as 11-15, legal or not, in an SVG picture; can be repeated
    #[arg(long = "arrow", value_name = "MOVE", requires = "svg", value_parser = OptionValueParser(arrow))]
    arrows: Vec<(Square, Square)>,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 400, requires = "svg", value_parser = within(40..=10_000_u32))]
    size: u32,
}

/// Parses an arrow: the start and end of a move, legal or not.
fn arrow(text: &str) -> anyhow::Result<(Square, Square)> {
    Ok(MoveText::parse(text)?.ends())
}

pub fn run(args: &Args) -> Outcome {
    let (position, last) = args.moves.play(args.start.position())?;
    let mut diagram = Diagram::new(position).with_move(last);
    diagram.bottom = if args.flip { Color::Black } else { Color::White };
    diagram.arrows.clone_from(&args.arrows);
    let mut out = stdout().lock();
    if args.svg {
        out.write_all(svg(&diagram, args.size).as_bytes())?;
    } else {
        for line in text(&diagram, detect_ink(false)) {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", fen::format(&position))?;
    }
    out.flush()?;
    Ok(Status::Success)
}
