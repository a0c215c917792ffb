//! The commands of a person at the board. Pure: parses a line.

use std::path::PathBuf;
use std::time::Duration;

use common::time::{self, Bare};
use draughts::board::Color;
use draughts::notation::syntax::Quoted;
use draughts::notation::{MoveError, MoveText};
use engine::Level;
use players::limits::TimeControl;

/// The commands with their descriptions, for `help` and for completion.
pub const COMMANDS: &[(&str, &str)] = &[
    ("11-15, 11 15, 22x15", "a move; captures also with every square, as in 22x15x8"),
    ("3", "the third move of the list"),
    ("moves", "list the moves"),
    ("undo [N]", "take back N moves, or to a person's turn"),
    ("redo [N]", "play again what was taken back"),
    ("go", "let the engine play this side once; two engines continue"),
    ("hint", "show the move that the engine would play"),
    ("eval", "show the value of the position and of each piece, without a search"),
    ("analyse [SECONDS]", "search the position and show the three best lines"),
    ("board", "show the board again"),
    ("flip", "turn the board round"),
    ("black WHO, white WHO", "give a side to person, kelso, or an engine of --engine"),
    ("level [N]", "set Kelso's level: 1 to 10, or 0 for full strength"),
    ("time SECONDS", "set Kelso's time for a move"),
    ("clock TIME[+INC]", "set a clock for each side, as in 5:00+3, or off"),
    ("draw", "offer a draw"),
    ("resign", "resign the game"),
    ("save FILE.pdn", "add the game to a file of games"),
    ("load FILE [N]", "open a game, the Nth of a PDN file, or a position"),
    ("new [BALLOT]", "start a new game: new, new 100, new two-move, new eleven-man 7"),
    ("setup FEN", "start a new game from a position"),
    ("fen", "show the position as FEN"),
    ("help", "show this list"),
    ("quit", "leave"),
];

/// A parsed line.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    Nothing,
    Move(MoveText),
    /// The number of a move in the list, from 1.
    Choose(usize),
    Moves,
    /// A number of plies, or back to a person's turn.
    Undo(Option<usize>),
    Redo(Option<usize>),
    Go,
    Hint,
    Evaluate,
    Analyse(Option<Duration>),
    Board,
    Flip,
    Player(Color, String),
    AskLevel,
    /// A level; none for full strength.
    Level(Option<Level>),
    Time(Duration),
    AskClock,
    /// A clock; none turns it off.
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

/// An invalid line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("unknown command {}: \"help\" lists the commands", Quoted(.0))]
    Unknown(String),
    /// A known command with invalid arguments.
    #[error("invalid command {}: expected {expected}", Quoted(text))]
    Invalid { text: String, expected: &'static str },
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// The longest search that may be asked for.
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// Reads a line.
pub(super) fn parse(line: &str) -> Result<Command, CommandError> {
    let line = line.trim();
    if line.starts_with(|c: char| c.is_ascii_digit()) {
        return play(line);
    }
    let (word, rest) =
        line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let invalid = |expected| CommandError::Invalid { text: line.to_owned(), expected };
    let alone = |command| {
        if rest.is_empty() { Ok(command) } else { Err(invalid("nothing after the name of the command")) }
    };
    match word.to_ascii_lowercase().as_str() {
        "" => Ok(Command::Nothing),
        "moves" => alone(Command::Moves),
        "undo" | "back" => {
            count(rest).map(Command::Undo).map_err(|()| invalid("a number of moves, or nothing"))
        }
        "redo" => count(rest).map(Command::Redo).map_err(|()| invalid("a number of moves, or nothing")),
        "go" => alone(Command::Go),
        "hint" => alone(Command::Hint),
        "eval" => alone(Command::Evaluate),
        "analyse" | "analyze" if rest.is_empty() => Ok(Command::Analyse(None)),
        "analyse" | "analyze" => seconds(rest)
            .map(|time| Command::Analyse(Some(time)))
            .ok_or_else(|| invalid("a time in seconds, or nothing")),
        "board" | "show" => alone(Command::Board),
        "flip" => alone(Command::Flip),
        "black" | "white" if rest.is_empty() => Err(invalid("person, kelso, or the name of an engine")),
        "black" => Ok(Command::Player(Color::Black, rest.to_owned())),
        "white" => Ok(Command::Player(Color::White, rest.to_owned())),
        "level" if rest.is_empty() => Ok(Command::AskLevel),
        "level" => level(rest)
            .map(Command::Level)
            .map_err(|()| invalid("a level from 1 to 10, or 0 for full strength")),
        "time" => seconds(rest).map(Command::Time).ok_or_else(|| invalid("a time in seconds")),
        "clock" if rest.is_empty() => Ok(Command::AskClock),
        "clock" if rest.eq_ignore_ascii_case("off") => Ok(Command::Clock(None)),
        "clock" => TimeControl::parse(rest)
            .ok()
            .filter(|clock| !clock.base.is_zero())
            .map(|clock| Command::Clock(Some(clock)))
            .ok_or_else(|| invalid("a time such as 300, 5:00 or 5:00+3, or off")),
        "draw" => alone(Command::Draw),
        "resign" => alone(Command::Resign),
        "save" if rest.is_empty() => Err(invalid("a file to write, such as game.pdn")),
        "save" => Ok(Command::Save(unquoted(rest).into())),
        "load" if rest.is_empty() => Err(invalid("a file with a game or a position")),
        "load" => Ok(load(rest)),
        "new" => Ok(Command::New(rest.to_owned())),
        "setup" if rest.is_empty() => Err(invalid("a position as FEN, such as W:WK5,30:B14")),
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
            .ok_or_else(|| CommandError::Invalid { text: line.to_owned(), expected });
    }
    let squares: Vec<&str> = line.split_whitespace().collect();
    let text = match squares.as_slice() {
        [_] => line.to_owned(),
        squares if squares.iter().all(|square| square.bytes().all(|byte| byte.is_ascii_digit())) => {
            squares.join(if squares.len() == 2 { "-" } else { "x" })
        }
        squares => squares.concat(),
    };
    MoveText::parse(&text).map(Command::Move).map_err(CommandError::from)
}

/// A number from 1, or none where there is nothing.
fn count(text: &str) -> Result<Option<usize>, ()> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().ok().filter(|&count| count > 0).map(Some).ok_or(())
}

fn seconds(text: &str) -> Option<Duration> {
    time::parse(text, Bare::Seconds).ok().filter(|time| !time.is_zero() && *time <= MAX_TIME)
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
        for line in ["0", "11-", "11 40", "11 to 15"] {
            assert!(parse(line).is_err(), "{line}");
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
            ("white  kelso", Command::Player(Color::White, "kelso".into())),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        assert_eq!(parse("jump"), Err(CommandError::Unknown("jump".into())));
        for (line, part) in [
            ("undo all", "number of moves"),
            ("redo 0", "number of moves"),
            ("level 11", "1 to 10"),
            ("level x", "1 to 10"),
            ("time", "seconds"),
            ("time 0", "seconds"),
            ("clock soon", "5:00+3"),
            ("clock 0", "5:00+3"),
            ("analyse long", "seconds"),
            ("save", "game.pdn"),
            ("load", "file"),
            ("setup", "FEN"),
            ("black", "person"),
            ("hint please", "nothing"),
        ] {
            let Err(CommandError::Invalid { text, expected }) = parse(line) else { panic!("{line}") };
            assert!(text == line && expected.contains(part), "{line}: {expected}");
        }
    }
}
