//! The native protocol: the commands of UCI with the squares, moves and positions of checkers. `protocol.md`
//! specifies it.

mod client;
mod format;
mod grammar;

use super::{Command, CommandError, EngineOutput, Protocol};

pub(super) use client::NativeClient;

/// The engine's side of the native protocol. Keeps no state between lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

impl Native {
    /// Returns the name and the value in a `setoption` line, or `None` for another line. An engine with options of
    /// its own reads them so.
    ///
    /// # Errors
    ///
    /// If the line does not follow the grammar.
    pub fn assignment(line: &str) -> Result<Option<(String, Option<&str>)>, CommandError> {
        let line = line.trim();
        let is_setoption = line.split_whitespace().next() == Some("setoption");
        is_setoption.then(|| grammar::assignment(line)).transpose()
    }
}

impl Protocol for Native {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        grammar::parse(line)
    }

    fn write(&mut self, output: &EngineOutput) -> String {
        format::format(output)
    }
}

/// A command: what `help` prints of it, and how it is parsed.
struct CommandEntry {
    word: &'static str,
    usage: &'static str,
    help: &'static str,
    parse: Parse,
}

enum Parse {
    /// A command without arguments, for both sides.
    Verb(Command),
    /// A command with arguments.
    Line(fn(&str) -> Result<Command, CommandError>),
}

const fn verb(word: &'static str, command: Command, help: &'static str) -> CommandEntry {
    CommandEntry { word, usage: "", help, parse: Parse::Verb(command) }
}

const fn line(
    word: &'static str,
    usage: &'static str,
    help: &'static str,
    parse: fn(&str) -> Result<Command, CommandError>,
) -> CommandEntry {
    CommandEntry { word, usage, help, parse: Parse::Line(parse) }
}

/// The commands, in the order in which `help` lists them. The words of `go` are in [`grammar::GO_WORDS`].
const COMMANDS: &[CommandEntry] = &[
    verb("uci", Command::Identify, "print the engine's name and options"),
    verb("isready", Command::Ready, "reply readyok, even during a search"),
    line("setoption", "name N [value V]", "set an option", grammar::setoption),
    verb("ucinewgame", Command::NewGame, "start a new game"),
    line("position", "startpos|fen F [moves M ...]", "set the position", grammar::position),
    line("go", "", grammar::GO_WORDS[0].1, grammar::go),
    verb("stop", Command::Stop, "stop the search"),
    verb("ponderhit", Command::PonderHit, "continue as a normal search: the expected move was played"),
    line(
        "moves",
        "[paths]",
        "list the legal moves; paths: with landing and captured squares",
        grammar::moves,
    ),
    verb("probe", Command::Probe, "look up all moves in the endgame databases"),
    verb("draw", Command::Offer, "offer a draw on behalf of the side to move"),
    line(
        "ballots",
        "two-move|three-move|eleven-man [N]",
        "list the ballots in use, or only number N",
        grammar::ballots,
    ),
    verb("show", Command::Show, "draw the board"),
    verb("eval", Command::Evaluate, "print the static evaluation and its parts"),
    line("bench", "[N]", "search a fixed set of positions to depth N; print the node count", grammar::bench),
    verb("help", Command::Help, "list commands and options"),
    verb("quit", Command::Quit, "exit"),
];
