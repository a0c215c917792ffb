//! The native protocol: the commands of UCI with the squares, moves and positions of checkers. `protocol.md`
//! specifies it.

mod client;
mod format;
mod grammar;

use super::{Command, CommandError, EngineOutput, Protocol, Verb};
use engine::Registry;

pub(super) use client::{NativeClient, database_result};

/// The engine's side of the native protocol. Keeps no state between lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native {
    registry: Registry,
}

impl Native {
    /// Creates the protocol for an engine with the evaluations and searchers of a registry.
    pub const fn new(registry: Registry) -> Self {
        Self { registry }
    }
}

impl Protocol for Native {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        grammar::parse(line, self.registry)
    }

    fn write(&mut self, output: &EngineOutput) -> String {
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

/// The commands and their help, in the order in which `help` lists them.
const COMMANDS: &[(&str, &str)] = &[
    ("uci", "print the engine's name and options"),
    ("isready", "reply readyok, even during a search"),
    ("setoption name N [value V]", "set an option"),
    ("ucinewgame", "start a new game"),
    ("position startpos|fen F [moves M ...]", "set the position"),
    ("go [depth N] [nodes N] [movetime MS] [infinite]", "search the position and print bestmove"),
    ("   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]", "... with these clocks"),
    ("   [ponder] [searchmoves M ...]", "... ponder; restrict the search to these moves"),
    ("go perft N", "count the leaves of the move tree at N plies"),
    ("stop", "stop the search"),
    ("ponderhit", "continue as a normal search: the expected move was played"),
    ("moves [paths]", "list the legal moves; paths: with landing and captured squares"),
    ("probe", "look up all moves in the endgame databases"),
    ("draw", "offer a draw on behalf of the side to move"),
    ("ballots two-move|three-move|eleven-man [N]", "list the ballots in use, or only number N"),
    ("show", "draw the board"),
    ("eval", "print the static evaluation and its parts"),
    ("bench [N]", "search a fixed set of positions to depth N; print the node count"),
    ("help", "list commands and options"),
    ("quit", "exit"),
];
