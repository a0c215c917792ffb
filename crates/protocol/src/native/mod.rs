//! The native protocol: the verbs of UCI with the contents of checkers. `protocol.md` specifies it.

mod client;
mod format;
mod grammar;

use super::{Command, CommandError, Output, Protocol, Verb};
use engine::Registry;

pub(super) use client::{NativeClient, database_result};

/// The engine's side of the native protocol. It has no state between lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native {
    registry: Registry,
}

impl Native {
    /// The protocol of an engine with the evaluations and searchers of a registry.
    pub const fn new(registry: Registry) -> Self {
        Self { registry }
    }
}

impl Protocol for Native {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        grammar::parse(line, self.registry)
    }

    fn write(&mut self, output: &Output) -> String {
        format::format(output, self.registry)
    }
}

/// The commands without arguments, for both sides.
const VERBS: &[Verb] = &[
    ("uci", Command::Identify),
    ("isready", Command::Ready),
    ("ucinewgame", Command::NewGame),
    ("stop", Command::Stop),
    ("ponderhit", Command::PonderHit),
    ("probe", Command::Probe),
    ("draw", Command::Offer),
    ("show", Command::Show),
    ("eval", Command::Evaluate),
    ("help", Command::Help),
    ("quit", Command::Quit),
];

/// The commands and what they do, in the order of `help`.
const COMMANDS: &[(&str, &str)] = &[
    ("uci", "report the engine's name and its options"),
    ("isready", "answer readyok, also during a search"),
    ("setoption name N [value V]", "set an option"),
    ("ucinewgame", "begin another game"),
    ("position startpos|fen F [moves M ...]", "set the position"),
    ("go [depth N] [nodes N] [movetime MS] [infinite]", "search the position, and answer with bestmove"),
    ("   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]", "... with clocks"),
    ("   [ponder] [searchmoves M ...]", "... in the other side's time; only some moves"),
    ("go perft N", "count the positions after N plies"),
    ("stop", "end the search"),
    ("ponderhit", "the expected move was played"),
    ("moves [paths]", "list the legal moves; with the squares that each lands on and captures"),
    ("probe", "look up every move in the endgame databases"),
    ("draw", "offer a draw to the side that is not to move"),
    ("ballots two-move|three-move|eleven-man [N]", "list the ballots that are in play, or number N alone"),
    ("show", "draw the board"),
    ("eval", "evaluate the position without a search, and explain the value"),
    ("bench [N]", "search a fixed set of positions to depth N and count the nodes"),
    ("help", "list the commands"),
    ("quit", "end the program"),
];
