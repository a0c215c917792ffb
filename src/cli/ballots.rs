//! `kelso ballots`.

use std::io::{Write, stdout};

use crate::cli::outcome::{Outcome, Status};
use crate::cli::values::OptionValueParser;
use kelso_draughts::ballot::{Ballot, BallotName, Deck};
use kelso_draughts::notation::{fen, movetext};
use kelso_syntax::WordError;

/// List the ballots, with their moves, names and positions
///
/// Prints a line for each ballot: its deck and number, its moves, its name, `barred` if it is not in play,
/// and the position after its moves, separated by tabs.
#[derive(clap::Args, Debug)]
#[command(after_help = examples!("kelso ballots three-move", "kelso ballots cross \"eleven-man 8\""))]
pub struct Args {
    /// Ballots: a deck (two-move, three-move, eleven-man), 57, "eleven-man 8", or an opening name [default:
    /// all]
    #[arg(value_name = "BALLOT", value_parser = OptionValueParser(selection))]
    ballots: Vec<BallotSelection>,
}

/// A deck, or ballots in it.
#[derive(Clone, Debug)]
enum BallotSelection {
    Deck(Deck),
    Name(BallotName),
}

fn selection(text: &str) -> Result<BallotSelection, WordError> {
    let deck = Deck::from_name(text);
    deck.map_or_else(|| text.parse().map(BallotSelection::Name), |deck| Ok(BallotSelection::Deck(deck)))
}

impl BallotSelection {
    fn has(&self, ballot: &Ballot) -> bool {
        match self {
            Self::Deck(deck) => ballot.deck == *deck,
            Self::Name(name) => name.is(ballot),
        }
    }
}

pub fn run(args: &Args) -> Outcome {
    let mut out = stdout().lock();
    for ballot in Ballot::all() {
        if args.ballots.is_empty() || args.ballots.iter().any(|selection| selection.has(ballot)) {
            let moves = movetext::format_line(&ballot.start, &ballot.moves);
            let name = ballot.name().unwrap_or_default();
            let barred = if ballot.barred { "barred" } else { "" };
            writeln!(out, "{ballot}\t{moves}\t{name}\t{barred}\t{}", fen::format(&ballot.end()))?;
        }
    }
    Ok(Status::Success)
}
