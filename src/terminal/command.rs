//! What a person can say at the board. Pure: a line in, a command or the reason why it is none out.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use common::time::{self, Bare};
use draughts::board::Color;
use draughts::notation::syntax::Quoted;
use draughts::notation::{MoveError, MoveText};
use engine::Level;
use players::limits::TimeControl;

/// The commands with what they do, for `help` and for completion.
pub const COMMANDS: &[(&str, &str)] = &[
    ("11-15, 11 15, 22x15", "a move; a capture also with every square, as in 22x15x8"),
    ("3", "the third move of the list"),
    ("moves", "list the moves"),
    ("undo [N]", "take back until it is a person's turn, or N moves"),
    ("redo [N]", "play again what was taken back"),
    ("go", "let the engine play this side once; two engines go on"),
    ("hint", "say what the engine would play"),
    ("eval", "say what the position and each piece is worth, without a search"),
    ("analyse [SECONDS]", "search the position and show the three best lines"),
    ("board", "show the board again"),
    ("flip", "turn the board round"),
    ("black WHO, white WHO", "give a side to person, kelso, or an engine of --engine"),
    ("level [N]", "how well Kelso plays: 1 to 10, or 0 for full strength"),
    ("time SECONDS", "how long Kelso may think about a move"),
    ("clock TIME[+INC]", "a clock for each side, as in 5:00+3; clock off"),
    ("draw", "offer a draw"),
    ("resign", "give the game up"),
    ("save FILE.pdn", "add the game to a file of games"),
    ("load FILE [N]", "read a game, the Nth of a PDN file, or a position"),
    ("new [BALLOT]", "a new game: new, new 100, new three-move, new eleven-man 7"),
    ("setup FEN", "a new game from a position"),
    ("fen", "write the position as FEN"),
    ("help", "this list"),
    ("quit", "leave"),
];

/// A line, understood.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    Nothing,
    Move(MoveText),
    /// By its number in the list, from 1.
    Choose(usize),
    Moves,
    /// So many plies, or until it is a person's turn.
    Undo(Option<usize>),
    Redo(Option<usize>),
    Go,
    Hint,
    Evaluate,
    Analyse(Option<Duration>),
    Board,
    Flip,
    Seat(Color, String),
    AskLevel,
    /// None is full strength.
    Level(Option<Level>),
    Time(Duration),
    AskClock,
    /// None is none.
    Clock(Option<TimeControl>),
    Draw,
    Resign,
    Save(PathBuf),
    Load(PathBuf, Option<usize>),
    New(String),
    Setup(String),
    Fen,
    Help,
    Quit,
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CommandError {
    Unknown(String),
    /// A command that is known, with something else than it needs.
    Bad {
        text: String,
        expected: &'static str,
    },
    Move(MoveError),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) => write!(
                f,
                "unknown command {}: expected a move such as 11-15, its number in the list, or a command that \"help\" \
                 lists",
                Quoted(text)
            ),
            Self::Bad { text, expected } => write!(f, "bad command {}: expected {expected}", Quoted(text)),
            Self::Move(error) => error.fmt(f),
        }
    }
}

/// The longest search that may be asked for.
const MOST_TIME: Duration = Duration::from_secs(86_400);

/// Reads a line.
pub(super) fn parse(line: &str) -> Result<Command, CommandError> {
    let line = line.trim();
    if line.starts_with(|c: char| c.is_ascii_digit()) {
        return play(line);
    }
    let (word, rest) =
        line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let bad = |expected| CommandError::Bad { text: line.to_owned(), expected };
    let alone =
        |command| if rest.is_empty() { Ok(command) } else { Err(bad("nothing after the command's name")) };
    match word.to_ascii_lowercase().as_str() {
        "" => Ok(Command::Nothing),
        "moves" => alone(Command::Moves),
        "undo" | "back" => {
            count(rest).map(Command::Undo).map_err(|()| bad("a number of moves from 1, or nothing"))
        }
        "redo" => count(rest).map(Command::Redo).map_err(|()| bad("a number of moves from 1, or nothing")),
        "go" => alone(Command::Go),
        "hint" => alone(Command::Hint),
        "eval" => alone(Command::Evaluate),
        "analyse" | "analyze" if rest.is_empty() => Ok(Command::Analyse(None)),
        "analyse" | "analyze" => {
            seconds(rest).map(|time| Command::Analyse(Some(time))).ok_or_else(|| bad("seconds, or nothing"))
        }
        "board" | "show" => alone(Command::Board),
        "flip" => alone(Command::Flip),
        "black" | "white" if rest.is_empty() => {
            Err(bad("who plays: person, kelso, or the name of an engine"))
        }
        "black" => Ok(Command::Seat(Color::Black, rest.to_owned())),
        "white" => Ok(Command::Seat(Color::White, rest.to_owned())),
        "level" if rest.is_empty() => Ok(Command::AskLevel),
        "level" => {
            level(rest).map(Command::Level).map_err(|()| bad("a level from 1 to 10, or 0 for full strength"))
        }
        "time" => seconds(rest).map(Command::Time).ok_or_else(|| bad("seconds for a move")),
        "clock" if rest.is_empty() => Ok(Command::AskClock),
        "clock" if rest.eq_ignore_ascii_case("off") => Ok(Command::Clock(None)),
        "clock" => TimeControl::parse(rest)
            .ok()
            .filter(|clock| !clock.base.is_zero())
            .map(|clock| Command::Clock(Some(clock)))
            .ok_or_else(|| bad("a time such as 300, 5:00 or 5:00+3, or off")),
        "draw" => alone(Command::Draw),
        "resign" => alone(Command::Resign),
        "save" if rest.is_empty() => Err(bad("a file to write, such as game.pdn")),
        "save" => Ok(Command::Save(unquoted(rest).into())),
        "load" if rest.is_empty() => Err(bad("a file with a game or a position")),
        "load" => Ok(load(rest)),
        "new" => Ok(Command::New(rest.to_owned())),
        "setup" if rest.is_empty() => Err(bad("a position as FEN, such as W:WK5,30:B14")),
        "setup" => Ok(Command::Setup(rest.to_owned())),
        "fen" => alone(Command::Fen),
        "help" | "?" => alone(Command::Help),
        "quit" | "exit" => alone(Command::Quit),
        _ => Err(CommandError::Unknown(line.to_owned())),
    }
}

/// A move, by its squares with whatever between them, or by its number.
fn play(line: &str) -> Result<Command, CommandError> {
    if line.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = line.parse().ok().filter(|&number| number > 0);
        let expected = "a move such as 11-15, or its number in the list";
        return number
            .map(Command::Choose)
            .ok_or_else(|| CommandError::Bad { text: line.to_owned(), expected });
    }
    let squares: Vec<&str> = line.split_whitespace().collect();
    let text = match squares.as_slice() {
        [_] => line.to_owned(),
        squares if squares.iter().all(|square| square.bytes().all(|byte| byte.is_ascii_digit())) => {
            squares.join(if squares.len() == 2 { "-" } else { "x" })
        }
        squares => squares.concat(),
    };
    MoveText::parse(&text).map(Command::Move).map_err(CommandError::Move)
}

/// A number from 1, or none where there is nothing.
fn count(text: &str) -> Result<Option<usize>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().ok().filter(|&count| count > 0).map(Some).ok_or(())
}

fn seconds(text: &str) -> Option<Duration> {
    time::parse(text, Bare::Seconds).ok().filter(|time| !time.is_zero() && *time <= MOST_TIME)
}

/// Reads a level; full strength is none.
fn level(text: &str) -> Result<Option<Level>, ()> {
    let number: Option<usize> = text.parse().ok().filter(|&number| number <= Level::HIGHEST);
    number.map(Level::new).ok_or(())
}

/// A file, and the number of a game in it if the last word is one.
fn load(text: &str) -> Command {
    let numbered = text.rsplit_once(char::is_whitespace).and_then(|(file, number)| {
        let number = number.parse().ok().filter(|&number| number > 0)?;
        Some(Command::Load(unquoted(file.trim()).into(), Some(number)))
    });
    numbered.unwrap_or_else(|| Command::Load(unquoted(text).into(), None))
}

/// A name without the quotes around it.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).filter(|inner| !inner.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_all_forms() {
        let text = |text: &str| Command::Move(MoveText::parse(text).unwrap());
        for (line, command) in [
            ("11-15", text("11-15")),
            (" 11 15 ", text("11-15")),
            ("22x15", text("22x15")),
            ("22 x 15", text("22x15")),
            ("22 15 8", text("22x15x8")),
            ("22 - 18", text("22-18")),
            ("3", Command::Choose(3)),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
        for (line, message) in [
            ("0", "bad command \"0\": expected a move such as 11-15, or its number in the list"),
            ("11-", "invalid move \"11-\" at character 4: expected a square from 1 to 32"),
            ("11 40", "invalid move \"11-40\" at character 4: expected a square from 1 to 32"),
            ("11 to 15", "invalid move \"11to15\" at character 3: expected \"-\" or \"x\" and a square"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn commands_are_read_with_what_they_need() {
        for (line, command) in [
            ("", Command::Nothing),
            ("UNDO", Command::Undo(None)),
            ("undo 4", Command::Undo(Some(4))),
            ("level 0", Command::Level(None)),
            ("level", Command::AskLevel),
            ("clock off", Command::Clock(None)),
            ("analyse 2.5", Command::Analyse(Some(Duration::from_millis(2500)))),
            ("load my games.pdn 12", Command::Load("my games.pdn".into(), Some(12))),
            ("load \"my games.pdn\"", Command::Load("my games.pdn".into(), None)),
            ("save 'a b.pdn'", Command::Save("a b.pdn".into())),
            ("new eleven-man 7", Command::New("eleven-man 7".into())),
            ("white  kelso", Command::Seat(Color::White, "kelso".into())),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_says_what_was_expected() {
        for (line, expected) in [
            (
                "jump",
                "expected a move such as 11-15, its number in the list, or a command that \"help\" lists",
            ),
            ("undo all", "expected a number of moves from 1, or nothing"),
            ("redo 0", "expected a number of moves from 1, or nothing"),
            ("level 11", "expected a level from 1 to 10, or 0 for full strength"),
            ("level x", "expected a level from 1 to 10, or 0 for full strength"),
            ("time", "expected seconds for a move"),
            ("time 0", "expected seconds for a move"),
            ("clock soon", "expected a time such as 300, 5:00 or 5:00+3, or off"),
            ("clock 0", "expected a time such as 300, 5:00 or 5:00+3, or off"),
            ("analyse long", "expected seconds, or nothing"),
            ("save", "expected a file to write, such as game.pdn"),
            ("load", "expected a file with a game or a position"),
            ("setup", "expected a position as FEN, such as W:WK5,30:B14"),
            ("black", "expected who plays: person, kelso, or the name of an engine"),
            ("hint please", "expected nothing after the command's name"),
        ] {
            let error = parse(line).unwrap_err().to_string();
            assert!(error.contains(&format!("\"{line}\"")) && error.ends_with(expected), "{error}");
        }
    }
}
