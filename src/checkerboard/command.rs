//! The commands: words in, an answer out.
//!
//! A setting that this engine has is taken from the table of its options. One that it hasn't is answered as not handled, so
//! that the GUI doesn't offer it; or, where the interface has a value for having none of it, has that value and no other.

use std::fmt::Write as _;

use super::driver::Driver;
use crate::board::Game;
use crate::engine::{Kind, OPTIONS, Setting};
use crate::notation::syntax::Quoted;
use crate::notation::{MoveText, fen};

/// Settings that are options of the engine, by their names here and there.
const OPTION_KEYS: &[(&str, &str)] = &[
    ("hashsize", "Hash"),
    ("searchthreads", "Threads"),
    ("dbpath", "EgdbPath"),
    ("dbmbytes", "EgdbCache"),
    ("max_dbpieces", "EgdbPieces"),
];
/// Settings with a single value.
const FIXED: &[(&str, &str)] = &[
    ("protocolversion", "2"),
    ("gametype", "21"),
    // Whether there are databases is a matter of dbpath, and of what lies there.
    ("enable_wld", "1"),
    ("book", "0"),
];

const ABOUT: &str = concat!(
    "Kelso ",
    env!("CARGO_PKG_VERSION"),
    ", an engine for English draughts, by the Kelso developers. MIT license."
);
const HELP: &str = "protocol.md, which comes with Kelso, says what each setting does.";

/// What a command is answered: whether it was handled, and a line.
pub(super) type Answer = Result<String, String>;

/// Does what a command asks for.
pub(super) fn obey(driver: &Driver, command: &str) -> Answer {
    let mut words = command.split_ascii_whitespace();
    match (words.next(), words.next()) {
        (Some("name"), None) => Ok(concat!("Kelso ", env!("CARGO_PKG_VERSION")).into()),
        (Some("about"), None) => Ok(ABOUT.into()),
        (Some("help"), None) => Ok(HELP.into()),
        (Some("get"), Some(key)) => get(driver, key),
        (Some("set"), Some("gamehist")) => history(driver, words),
        (Some("set"), Some(key)) => {
            let value: Vec<_> = words.collect();
            set(driver, key, &value.join(" "))
        }
        _ => Err(format!("unknown command {}", Quoted(command))),
    }
}

fn get(driver: &Driver, key: &str) -> Answer {
    if let Some(option) = option(key) {
        let default =
            || OPTIONS.iter().find(|declared| declared.name == option).map(|declared| default(declared.kind));
        return driver.settings().value(option).map(Into::into).or_else(default).ok_or_else(|| unknown(key));
    }
    if let Some(value) = fixed(key) {
        return Ok(value.into());
    }
    match key {
        "allscores" => Ok(flag(driver.settings().all_scores).into()),
        "solve" => Ok(flag(driver.settings().solve).into()),
        _ => Err(unknown(key)),
    }
}

fn set(driver: &Driver, key: &str, value: &str) -> Answer {
    if let Some(option) = option(key) {
        let setting = Setting::new(option, Some(value)).map_err(|error| error.to_string())?;
        driver.apply(option, value, setting)?;
    } else if let Some(only) = fixed(key) {
        if value != only {
            return Err(format!("bad value {} for {key}: expected {only}", Quoted(value)));
        }
    } else {
        let chosen = || match value {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(format!("bad value {} for {key}: expected 0 or 1", Quoted(value))),
        };
        match key {
            "allscores" => driver.settings().all_scores = chosen()?,
            "solve" => driver.settings().solve = chosen()?,
            _ => return Err(unknown(key)),
        }
    }
    Ok(format!("{key} set to {value}"))
}

/// The game since the last irreversible move: a position and moves.
fn history<'a>(driver: &Driver, mut words: impl Iterator<Item = &'a str>) -> Answer {
    driver.settings().history = None;
    let start = words.next().ok_or("no position for gamehist: expected a fen")?;
    let mut game = Game::new(fen::parse(start).map_err(|error| error.to_string())?);
    let mut played = String::new();
    for word in words {
        let mv = MoveText::parse(word).and_then(|text| text.resolve(game.position()));
        game.play(mv.map_err(|error| error.to_string())?);
        // Writing to a string does not fail.
        let _ = write!(played, " {word}");
    }
    driver.settings().history = Some(game);
    Ok(format!("gamehist set to {start}{played}"))
}

fn option(key: &str) -> Option<&'static str> {
    OPTION_KEYS.iter().find(|(name, _)| *name == key).map(|&(_, option)| option)
}

fn fixed(key: &str) -> Option<&'static str> {
    FIXED.iter().find(|(name, _)| *name == key).map(|&(_, value)| value)
}

fn default(kind: Kind) -> String {
    match kind {
        Kind::Spin { default, .. } => default.to_string(),
        Kind::Combo { default, .. } => default.into(),
        Kind::Check { default } => flag(default).into(),
        // What a path is without one is shown as none.
        Kind::Text { .. } | Kind::Button => String::new(),
    }
}

const fn flag(on: bool) -> &'static str {
    if on { "1" } else { "0" }
}

fn unknown(key: &str) -> String {
    format!("unknown setting {}", Quoted(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_answered() {
        let driver = Driver::new();
        let version = env!("CARGO_PKG_VERSION");
        for (command, answer) in [
            ("name", format!("Kelso {version}")),
            ("  name ", format!("Kelso {version}")),
            ("about", ABOUT.into()),
            ("help", HELP.into()),
            ("get protocolversion", "2".into()),
            ("get gametype", "21".into()),
            ("set gametype 21", "gametype set to 21".into()),
            ("get hashsize", "64".into()),
            ("set hashsize 2", "hashsize set to 2".into()),
            ("get hashsize", "2".into()),
            ("get searchthreads", "1".into()),
            ("set searchthreads 4", "searchthreads set to 4".into()),
            ("get searchthreads", "4".into()),
            ("set max_dbpieces 2", "max_dbpieces set to 2".into()),
            ("get max_dbpieces", "2".into()),
            ("get enable_wld", "1".into()),
            ("get dbpath", String::new()),
            ("set dbpath C:\\a folder", "dbpath set to C:\\a folder".into()),
            ("get dbpath", "C:\\a folder".into()),
            ("set dbmbytes 8", "dbmbytes set to 8".into()),
            ("get book", "0".into()),
            ("set book 0", "book set to 0".into()),
            ("get allscores", "0".into()),
            ("set allscores 1", "allscores set to 1".into()),
            ("get allscores", "1".into()),
            ("set solve 1", "solve set to 1".into()),
            ("get solve", "1".into()),
            ("set gamehist B:W21-32:B1-12", "gamehist set to B:W21-32:B1-12".into()),
            ("set gamehist W:WK3:BK32 3-7 32-27", "gamehist set to W:WK3:BK32 3-7 32-27".into()),
        ] {
            assert_eq!(obey(&driver, command), Ok(answer), "{command}");
        }
    }

    #[test]
    fn what_is_not_handled_says_why() {
        let driver = Driver::new();
        for (command, reason) in [
            ("", "unknown command \"\""),
            ("name it", "unknown command \"name it\""),
            ("get", "unknown command \"get\""),
            ("staticevaluation B:W1:B2", "unknown command \"staticevaluation B:W1:B2\""),
            ("set dbmbytes 0", "bad value \"0\" for option EgdbCache: expected a whole number from 1 to "),
            ("set enable_wld 0", "bad value \"0\" for enable_wld: expected 1"),
            ("set bookfile a b", "unknown setting \"bookfile\""),
            ("set hashsize 0", "bad value \"0\" for option Hash: expected a whole number from 1 to 1048576"),
            ("set hashsize", "bad value \"\" for option Hash: expected a whole number from 1 to 1048576"),
            (
                "set searchthreads 0",
                "bad value \"0\" for option Threads: expected a whole number from 1 to 256",
            ),
            ("set gametype 20", "bad value \"20\" for gametype: expected 21"),
            ("set book 3", "bad value \"3\" for book: expected 0"),
            ("set allscores 2", "bad value \"2\" for allscores: expected 0 or 1"),
            ("set solve on", "bad value \"on\" for solve: expected 0 or 1"),
            ("set gamehist", "no position for gamehist: expected a fen"),
            ("set gamehist X", "malformed fen \"X\" at character 1: expected \"B\" or \"W\""),
            ("set gamehist W:WK3:BK32 3-9", "illegal move \"3-9\": expected one of 3-"),
            (
                "set gamehist W:WK3:BK32 3",
                "malformed move \"3\" at character 2: expected \"-\" or \"x\" and a square",
            ),
        ] {
            let answer = obey(&driver, command).unwrap_err();
            assert!(answer.starts_with(reason), "{command}: {answer}");
        }
    }
}
