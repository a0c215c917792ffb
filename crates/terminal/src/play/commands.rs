//! The commands of `kelso play`.

use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;

use super::Play;
use crate::commands::{COMMANDS, is_game, names};
use crate::opening::{self, GameStart};
use kelso_draughts::board::Color;
use kelso_draughts::notation::fen;
use kelso_engine::Level;
use kelso_text::syntax::Quoted;
use kelso_text::time::{self, Bare};

const MAX_TIME: Duration = Duration::from_secs(86_400);
/// Default duration of an analysis.
const ANALYSIS_TIME: Duration = Duration::from_secs(10);

impl Play {
    /// Executes a line and returns the answer.
    pub(super) fn obey(&mut self, line: &str) -> anyhow::Result<String> {
        let line = line.trim();
        let invalid = |expected| anyhow!("invalid command {}: expected {expected}", Quoted(line));
        if is_game(line) {
            return self.play_text(line);
        }
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            return self.person_moves(line);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = word.to_ascii_lowercase();
        let rest = rest.trim();
        match (word.as_str(), rest) {
            ("", _) => Ok(String::new()),
            ("moves", "") => Ok(self.list_moves()),
            ("undo" | "back", "") => self.undo(None),
            ("undo" | "back", _) => self.undo(Some(number(rest).ok_or_else(|| invalid(COUNT))?)),
            ("redo", "") => self.redo(None),
            ("redo", _) => self.redo(Some(number(rest).ok_or_else(|| invalid(COUNT))?)),
            ("go", "") => self.go(),
            ("hint", "") => self.hint(),
            ("eval", "") => Ok(self.evaluate()),
            ("analyse" | "analyze", "") => self.analyse(ANALYSIS_TIME),
            ("analyse" | "analyze", _) => {
                self.analyse(seconds(rest).ok_or_else(|| invalid("a time in seconds or no argument"))?)
            }
            ("board" | "show", "") => Ok(self.turn_board(self.screen.bottom)),
            ("flip", "") => Ok(self.turn_board(!self.screen.bottom)),
            ("black" | "white", "") => Err(invalid("person or kelso")),
            ("black", _) => self.set_player(Color::Black, rest),
            ("white", _) => self.set_player(Color::White, rest),
            ("level", "") => Ok(format!("Kelso plays {}.", self.strength())),
            ("level", _) => {
                let level = rest.parse().ok().filter(|&level| level <= Level::HIGHEST);
                let level = level.ok_or_else(|| invalid("a level from 1 to 10, or 0 for full strength"))?;
                self.set_level(Level::new(level));
                Ok(format!("Kelso now plays {}.", self.strength()))
            }
            ("time", _) => {
                self.time = seconds(rest).ok_or_else(|| invalid("a time in seconds, above 0"))?;
                Ok(format!("Kelso now thinks for at most {} s per move.", self.time.as_secs_f64()))
            }
            ("draw", "") => self.offer_draw(),
            ("resign", "") => self.resign(),
            ("save" | "load", "") => Err(invalid("a file name, such as game.pdn")),
            ("save", _) => self.save(Path::new(unquoted(rest))),
            ("load", _) => {
                let (file, game) = numbered(rest);
                let (start, _) = self.interrupt.run(|stop| opening::file(Path::new(file), game, stop));
                Ok(self.begin(start?, true))
            }
            ("new", _) => Ok(self.begin(opening::ballot(rest, opening::pick)?, false)),
            ("setup", "") => Err(invalid("a position as a FEN, such as W:WK5,30:B14")),
            ("setup", _) => Ok(self.begin(GameStart::at(fen::parse(rest)?), false)),
            ("fen", "") => Ok(fen::format(self.history.position())),
            ("help" | "?", "") => Ok(help()),
            ("quit" | "exit", "") => self.quit(),
            _ if names().any(|name| name == word) => Err(invalid("no arguments")),
            _ => Err(anyhow!("unknown command {}; \"help\" lists the commands", Quoted(line))),
        }
    }
}

const COUNT: &str = "a number of moves or no argument";

fn help() -> String {
    let commands = COMMANDS.iter().map(|(usage, what)| format!("  {usage:<22}{what}\n"));
    let last = "Ctrl-C makes an engine play the best move found so far.";
    commands.chain([last.to_owned()]).collect()
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
}
