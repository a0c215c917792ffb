//! The native protocol: the verbs of UCI with the contents of checkers. `protocol.md` specifies it.

mod endings;
mod explanation;
mod format;
mod grammar;

use super::{Command, CommandError, Output, Protocol};

/// The protocol; it remembers nothing from line to line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Protocol for Native {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        grammar::parse(line)
    }

    fn write(&mut self, output: &Output) -> String {
        format::format(output)
    }
}

/// The commands, with what they do, in the order of `help`.
pub(super) const COMMANDS: &[(&str, &str)] = &[
    ("uci", "say who this is and what can be set"),
    ("isready", "answer readyok, also during a search"),
    ("setoption name N [value V]", "set an option"),
    ("ucinewgame", "forget the game before"),
    ("position startpos|fen F [moves M ...]", "set the position"),
    ("go [depth N] [nodes N] [movetime MS] [infinite]", "search the position, and answer with bestmove"),
    ("   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]", "... with clocks"),
    ("   [ponder] [searchmoves M ...]", "... in the other side's time; only some moves"),
    ("go perft N", "count the positions after N plies"),
    ("stop", "end the search"),
    ("ponderhit", "the expected move was played"),
    ("moves [paths]", "list the legal moves; with the squares that each lands on and captures"),
    ("probe", "look every move up in the endgame databases"),
    ("draw", "offer the side that is not to move a draw"),
    ("ballots three-move|eleven-man [N]", "list the ballots that are in play, or tell number N"),
    ("show", "draw the board"),
    ("eval", "judge the position without searching, and say why"),
    ("bench [N]", "search a fixed set of positions to depth N and count the nodes"),
    ("help", "list the commands"),
    ("quit", "end the program"),
];
