//! The commands of `kelso play`.

use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;

use super::Play;
use super::moves::move_text;
use crate::opening::{self, GameStart};
use kelso_draughts::board::Color;
use kelso_draughts::notation::fen;
use kelso_draughts::notation::movetext::MoveText;
use kelso_engine::Level;
use kelso_syntax::Quoted;
use kelso_text::time::{self, Bare};

const MAX_TIME: Duration = Duration::from_secs(86_400);
/// Default duration of an analysis.
const ANALYSIS_TIME: Duration = Duration::from_secs(10);

/// A command of `kelso play`.
struct PlayCommand {
    /// The name, and other names.
    words: &'static [&'static str],
    arguments: &'static str,
    help: &'static str,
    execute: Handler,
}

enum Handler {
    Plain(fn(&mut Play) -> anyhow::Result<String>),
    /// The expected arguments, and a function that returns `None` for other arguments.
    Expecting(&'static str, fn(&mut Play, &str) -> Option<anyhow::Result<String>>),
}

use Handler::{Expecting, Plain};

/// The usage and the description of what is not a command.
const MOVES: [(&str, &str); 3] = [
    ("11-15, 11 15, 22x15", "play a move; captures may name every square, as in 22x15x8"),
    ("3", "play the third move of the list"),
    ("11-15 23-19 ...", "play moves of both sides, or a PDN game, up to the first error"),
];

/// Defines the commands: names, arguments, help and handler of each.
macro_rules! commands {
    ($($($word:literal)|+ $arguments:literal: $help:literal, $execute:expr;)*) => {
        const COMMANDS: &[PlayCommand] = &[$(
            PlayCommand { words: &[$($word),+], arguments: $arguments, help: $help, execute: $execute },
        )*];
    };
}

const COUNT: &str = "a number of moves or no argument";
const PLAYER: &str = "person or kelso";
const FILE: &str = "a file name, such as game.pdn";

commands! {
    "moves" "": "list the moves", Plain(|play| Ok(play.list_moves()));
    "undo" | "back" "[N]": "take back N moves [default: back to a person's turn]",
        Expecting(COUNT, |play, count| Some(play.undo(optional(count, number).ok()?)));
    "redo" "[N]": "replay moves that were taken back",
        Expecting(COUNT, |play, count| Some(play.redo(optional(count, number).ok()?)));
    "go" "": "let the engine move or play on", Plain(Play::go);
    "hint" "": "show the move that the engine would play", Plain(Play::hint);
    "eval" "": "show the static evaluation, with the value of each piece", Plain(|play| Ok(play.evaluate()));
    "analyse" | "analyze" "[SECONDS]": "search the position and show the three best lines",
        Expecting("a time in seconds or no argument", |play, time| {
            Some(play.analyse(optional(time, seconds).ok()?.unwrap_or(ANALYSIS_TIME)))
        });
    "board" | "show" "": "show the board again", Plain(|play| Ok(play.turn_board(play.screen.bottom)));
    "flip" "": "flip the board", Plain(|play| Ok(play.turn_board(!play.screen.bottom)));
    "black" "WHO": "set the player of Black: person or kelso",
        Expecting(PLAYER, |play, name| given(name).map(|name| play.set_player(Color::Black, name)));
    "white" "WHO": "set the player of White: person or kelso",
        Expecting(PLAYER, |play, name| given(name).map(|name| play.set_player(Color::White, name)));
    "level" "[N]": "set Kelso's level: 1 to 10, or 0 for full strength",
        Expecting("a level from 1 to 10, or 0 for full strength", Play::level);
    "time" "SECONDS": "set Kelso's time per move",
        Expecting("a time in seconds, above 0", |play, time| {
            play.time = seconds(time)?;
            Some(Ok(format!("Kelso now thinks for at most {} s per move.", play.time.as_secs_f64())))
        });
    "draw" "": "offer a draw", Plain(Play::offer_draw);
    "resign" "": "resign the game", Plain(Play::resign);
    "save" "FILE.pdn": "append the game to a PDN file",
        Expecting(FILE, |play, file| given(file).map(|file| play.save(Path::new(unquoted(file)))));
    "load" "FILE [N]": "load a game (the Nth of a PDN file) or a position",
        Expecting(FILE, |play, file| given(file).map(|file| play.load(file)));
    "new" "[BALLOT]": "start a new game: new, new 100, new two-move, new eleven-man 7",
        Expecting("a ballot", |play, ballot| Some(play.start(opening::ballot(ballot, opening::pick))));
    "setup" "FEN": "start a new game from a position",
        Expecting("a position as a FEN, such as W:WK5,30:B14", |play, text| {
            given(text).map(|text| play.start(fen::parse(text).map(GameStart::at).map_err(Into::into)))
        });
    "fen" "": "show the position as a FEN", Plain(|play| Ok(fen::format(play.history.position())));
    "help" | "?" "": "show this list", Plain(|_| Ok(help()));
    "quit" | "exit" "": "leave", Plain(Play::quit);
}

impl Play {
    /// Executes a line and returns the answer.
    pub(super) fn obey(&mut self, line: &str) -> anyhow::Result<String> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(String::new());
        }
        if is_game(line) {
            return self.play_text(line);
        }
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            return self.person_moves(line);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = COMMANDS.iter().find(|command| command.has_name(word));
        let command = command
            .ok_or_else(|| anyhow!("unknown command {}; \"help\" lists the commands", Quoted(line)))?;
        let (answer, expected) = match (&command.execute, rest.trim()) {
            (Plain(execute), "") => (Some(execute(self)), ""),
            (Plain(_), _) => (None, "no arguments"),
            (Expecting(expected, execute), rest) => (execute(self, rest), *expected),
        };
        answer.unwrap_or_else(|| Err(anyhow!("invalid command {}: expected {expected}", Quoted(line))))
    }

    fn start(&mut self, start: anyhow::Result<GameStart>) -> anyhow::Result<String> {
        self.begin_another(start?, false)
    }

    fn load(&mut self, file: &str) -> anyhow::Result<String> {
        let (file, game) = numbered(file);
        let (start, _) = self.interrupt.run(|stop| opening::file(Path::new(file), game, stop));
        self.begin_another(start?, true)
    }

    fn level(&mut self, level: &str) -> Option<anyhow::Result<String>> {
        if level.is_empty() {
            return Some(Ok(format!("Kelso plays {}.", self.strength())));
        }
        let level = level.parse().ok().filter(|&level| level <= Level::HIGHEST)?;
        self.set_level(Level::new(level));
        Some(Ok(format!("Kelso now plays {}.", self.strength())))
    }
}

impl PlayCommand {
    fn has_name(&self, word: &str) -> bool {
        self.words.iter().any(|name| name.eq_ignore_ascii_case(word))
    }
}

/// Returns the name of each command.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|command| command.words[0])
}

/// Returns whether the text, of one line or several, is a PDN game or a list of moves rather than a single
/// move or commands.
pub(super) fn is_game(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with('[') {
        return true;
    }
    let words = text.split_whitespace().count();
    let moves = text.split_whitespace().filter(|word| MoveText::parse(word).is_ok()).count();
    let mut first_words = text.lines().filter_map(|line| line.split_whitespace().next());
    text.starts_with(|c: char| c.is_ascii_digit())
        && words > 1
        && moves > 0
        && (moves == words || MoveText::parse(&move_text(text)).is_err())
        && !first_words.any(|word| COMMANDS.iter().any(|command| command.has_name(word)))
}

fn help() -> String {
    let line = |usage: &str, help: &str| format!("  {:<22}{help}\n", usage.trim_end());
    let moves = MOVES.iter().map(|(usage, help)| line(usage, help));
    let usage = |command: &PlayCommand| format!("{} {}", command.words[0], command.arguments);
    let commands = COMMANDS.iter().map(|command| line(&usage(command), command.help));
    let last = "Ctrl-C makes an engine play the best move found so far.";
    moves.chain(commands).chain([last.to_owned()]).collect()
}

/// Parses an argument that may be left out. Fails if it is invalid.
fn optional<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, ()> {
    if text.is_empty() { Ok(None) } else { parse(text).map(Some).ok_or(()) }
}

fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Parses a number that is at least 1.
fn number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|&number| number > 0)
}

fn seconds(text: &str) -> Option<Duration> {
    time::parse(text, Bare::Seconds).filter(|time| !time.is_zero() && *time <= MAX_TIME)
}

/// Splits a text into a file name and, if the last word is a number, the number of a game in that file.
fn numbered(text: &str) -> (&str, Option<usize>) {
    match text.rsplit_once(char::is_whitespace).and_then(|(file, last)| Some((file, number(last)?))) {
        Some((file, number)) => (unquoted(file.trim()), Some(number)),
        None => (unquoted(text), None),
    }
}

/// Removes the quotes around a name.
pub(super) fn unquoted(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote))
            && !inner.is_empty()
        {
            return inner;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_splits_a_file_name_from_a_game_number() {
        for (text, file) in [
            ("my games.pdn 12", ("my games.pdn", Some(12))),
            ("\"my games.pdn\"", ("my games.pdn", None)),
            ("'a b.pdn' 3", ("a b.pdn", Some(3))),
            ("games 0", ("games 0", None)),
        ] {
            assert_eq!(numbered(text), file, "{text}");
        }
        assert_eq!(seconds("2.5"), Some(Duration::from_millis(2500)));
    }

    #[test]
    fn game_texts_are_distinguished_from_moves_and_commands() {
        for text in [
            "11-15 23-19",
            "11-15\n23-19\n8-11",
            "1. 11-15 23-19",
            "[Event \"x\"]",
            "[FEN \"W:W5:B14\"]\n5-1",
            "22-1 8-11",
        ] {
            assert!(is_game(text), "{text}");
        }
        for text in [
            "11-15",
            "11 15",
            "22 x 15",
            "22 - 18",
            "22 15 8",
            "3",
            "11-15\nflip\n8-11",
            "3\n2",
            "undo 2",
            "11 15 99",
        ] {
            assert!(!is_game(text), "{text}");
        }
    }
}
