//! The commands of CheckerBoard's interface.
//!
//! Most settings are engine options, and some have only one possible value. The reply to an unknown setting
//! is a question mark, so that the GUI does not offer that setting.

use std::path::{Path, PathBuf};

use super::driver::Driver;
use super::settings::{self, SettingKind};
use anyhow::{Context, Result, bail};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::GameRecord;
use kelso_draughts::score::ReportedScore;
use kelso_endgames::{DatabaseOptions, Databases};
use kelso_engine::Declaration;

pub(super) const NAME: &str = concat!("Kelso ", env!("CARGO_PKG_VERSION"));
const ABOUT: &str = concat!(
    "Kelso ",
    env!("CARGO_PKG_VERSION"),
    ", an engine for English draughts, by the Kelso developers. MIT license."
);
/// The help page, in the directory of the library.
const HELP: &str = "kelso.htm";
/// The reply to an unknown command.
const UNKNOWN: &str = "?";

/// The answer to a command, or the reason why it failed.
pub(super) type CommandAnswer = Result<String>;

pub(super) fn execute(driver: &Driver, command: &str) -> CommandAnswer {
    let (verb, rest) = next_word(command);
    let (key, value) = next_word(rest);
    match (verb, key) {
        ("name", "") => Ok(NAME.into()),
        ("about", "") => Ok(ABOUT.into()),
        ("help", "") => Ok(HELP.into()),
        ("get", key) if value.is_empty() => get(driver, key),
        ("staticevaluation", _) => static_evaluation(driver, rest),
        ("set", "gamehist") => history(driver, value),
        ("set", "check_wld_dir") => check_databases(value),
        ("set", key) => set(driver, key, value),
        _ => bail!(UNKNOWN),
    }
}

fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(|c: char| c.is_ascii_whitespace())
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

fn get(driver: &Driver, key: &str) -> CommandAnswer {
    let (key, kind) = settings::find(key).context(UNKNOWN)?;
    let value = driver.settings().values.get(key).cloned().or_else(|| match kind {
        SettingKind::Fixed(only) => Some((*only).into()),
        SettingKind::Option(option) => Some(Declaration::find(option)?.default()),
        SettingKind::Number(default, _) => Some(default.to_string()),
    });
    value.context(UNKNOWN)
}

fn set(driver: &Driver, name: &str, value: &str) -> CommandAnswer {
    let (key, kind) = settings::find(name).context(UNKNOWN)?;
    let stored = settings::check(key, kind, value)?;
    driver.set(key, stored)?;
    let unsaved = driver.save(key).err().map(|error| format!(", but not saved: {error}"));
    Ok(format!("{name} set to {value}{}", unsaved.as_deref().unwrap_or("")))
}

/// Returns the value of a position for the side to move, without a search.
fn static_evaluation(driver: &Driver, fen: &str) -> CommandAnswer {
    let position = fen::parse(fen)?;
    let value = driver.evaluate(&position)?;
    Ok(format!("{} for {}, in men", ReportedScore::men(value), position.side()))
}

/// Describes the databases in a folder, by default those that the engine uses.
fn check_databases(folder: &str) -> CommandAnswer {
    let default = kelso_endgames::default_folder();
    if !folder.is_empty() && default.as_deref() != Some(Path::new(folder)) {
        return describe_databases(folder.into());
    }
    let built_in = "endings of up to five pieces are built in";
    match kelso_endgames::installed_folder() {
        Some(folder) => Ok(format!("{}; {built_in}", describe_databases(folder)?)),
        None => Ok(built_in.to_owned()),
    }
}

fn describe_databases(folder: PathBuf) -> CommandAnswer {
    kelso_endgames::check_folder(&folder)?;
    let databases = Databases::open(&DatabaseOptions {
        folder: Some(folder),
        embedded: &[],
        ..DatabaseOptions::default()
    });
    databases.require_all()?;
    let pieces: Vec<_> = databases.files().map(|(header, _)| header.slice.pieces()).collect();
    let max = pieces.iter().max().context("no endgame databases")?;
    Ok(format!("{} endgame database files of Kelso, up to {max} pieces", pieces.len()))
}

/// Sets the moves since the last irreversible move, given as a position and moves.
fn history(driver: &Driver, text: &str) -> CommandAnswer {
    driver.settings().history = None;
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let (start, moves) = words.split_first().context("missing FEN for gamehist")?;
    let start = fen::parse(start)?;
    let moves = movetext::parse_moves(&start, moves)?;
    driver.settings().history = Some(GameRecord::of(start, moves).game());
    Ok(format!("gamehist set to {}", words.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_answered() {
        let driver = Driver::new();
        let folder = std::env::temp_dir().join(format!("kelso  databases {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("10v10.wld"), "").unwrap();
        let set_folder = format!("set dbpath {} ", folder.display());
        let version = env!("CARGO_PKG_VERSION");
        for (command, answer) in [
            ("name", format!("Kelso {version}")),
            ("  name ", format!("Kelso {version}")),
            ("about", ABOUT.into()),
            ("help", HELP.into()),
            ("get protocolversion", "2".into()),
            ("get gametype", "21".into()),
            ("set gametype 21", "gametype set to 21".into()),
            ("get dbpath", String::new()),
            (&set_folder, format!("dbpath set to {}", folder.display())),
            ("get dbpath", folder.display().to_string()),
            ("set dbmbytes 8", "dbmbytes set to 8".into()),
            ("set dbmbytes 0", "dbmbytes set to 0".into()),
            ("get dbmbytes", "0".into()),
            ("set cpus 2", "cpus set to 2".into()),
            ("get cpus", "2".into()),
            ("get searchthreads", "2".into()),
            ("set searchthreads 1", "searchthreads set to 1".into()),
            ("get bookfile", String::new()),
            ("set gamehist B:W21-32:B1-12", "gamehist set to B:W21-32:B1-12".into()),
            ("set gamehist W:WK3:BK32 3-7 32-27", "gamehist set to W:WK3:BK32 3-7 32-27".into()),
        ] {
            assert_eq!(execute(&driver, command).unwrap(), answer, "{command}");
        }
        for (key, default, values) in [
            ("hashsize", "64", &["2"][..]),
            ("searchthreads", "1", &["4"]),
            // 24 is CheckerBoard's "no limit".
            ("max_dbpieces", "8", &["2", "24"]),
            ("enable_wld", "1", &["0", "1"]),
            ("book", "3", &["0", "1"]),
            ("allscores", "0", &["1"]),
            ("solve", "0", &["1"]),
        ] {
            let get = || execute(&driver, &format!("get {key}")).unwrap();
            assert_eq!(get(), default, "{key}");
            for value in values {
                let answer = execute(&driver, &format!("set {key} {value}"));
                assert_eq!(answer.unwrap(), format!("{key} set to {value}"));
                assert_eq!(get(), *value, "{key}");
            }
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_static_evaluation_is_for_the_side_to_move() {
        let driver = Driver::new();
        let value = |fen: &str, side: &str| {
            let answer = execute(&driver, &format!("staticevaluation {fen}")).unwrap();
            let value = answer.strip_suffix(&format!(" for {side}, in men")).expect(&answer).to_owned();
            value.parse::<f64>().unwrap()
        };
        assert!(value("B:W32:BK1,K2,K3", "black") > 1.0);
        assert!(value("W:W32:BK1,K2,K3", "white") < -1.0);
    }

    #[test]
    fn the_default_folder_needs_no_databases() {
        let answer = execute(&Driver::new(), "set check_wld_dir").unwrap();
        assert!(answer.ends_with("endings of up to five pieces are built in"), "{answer}");
    }

    #[test]
    fn failed_commands_have_reasons() {
        let driver = Driver::new();
        for (command, reason) in [
            ("", "?"),
            ("name it", "?"),
            ("get", "?"),
            ("get hashsize now", "?"),
            ("set", "?"),
            ("staticevaluation", "invalid FEN \"\" at character 1: "),
            ("staticevaluation B:W1:B2", "invalid FEN \"B:W1:B2\": the white man on 1 must be a king"),
            ("set check_wld_dir /no/such folder", "cannot use endgame database \"/no/such folder\": "),
            ("get enable_mtc", "?"),
            ("set bookfile a b", "cannot read \"a b\": "),
            // No machine has this much memory, so the previous table stays in use.
            ("set hashsize 1048576", "cannot allocate 1048576 MiB for the hash table"),
            ("set gamehist", "missing FEN for gamehist"),
            ("set gamehist X", "invalid FEN \"X\" at character 1: expected \"B\" or \"W\""),
            ("set gamehist W:WK3:BK3", "invalid FEN \"W:WK3:BK3\": square 3 is listed twice"),
            (
                "set gamehist W:WK3:BK32:WK4",
                "invalid FEN \"W:WK3:BK32:WK4\": white's pieces are listed twice",
            ),
            ("set gamehist W:W3:BK32", "invalid FEN \"W:W3:BK32\": the white man on 3 must be a king"),
            (
                "set gamehist B:W9,10,17,18,32:B6 6x22",
                "move 1: ambiguous move \"6x22\": expected one of 6x13x22 6x15x22",
            ),
            ("set gamehist B:W9:B 9-5", "move 1: illegal move \"9-5\": the game is over"),
            ("set gamehist W:WK3:BK32 3-9", "move 1: illegal move \"3-9\": expected one of 3-"),
            (
                "set gamehist W:WK3:BK32 3",
                "move 1: invalid move \"3\" at character 2: expected \"-\" or \"x\" and a square",
            ),
        ] {
            let answer = execute(&driver, command).unwrap_err().to_string();
            assert!(answer.starts_with(reason), "{command}: {answer}");
        }
        for (key, value, name, expected) in [
            ("dbmbytes", "-1", "option EgdbCache", "a whole number from 1 to "),
            ("cpus", "0", "option Threads", "a whole number from 1 to 256"),
            ("hashsize", "0", "option Hash", "a whole number from 1 to 1048576"),
            ("hashsize", "", "option Hash", "a whole number from 1 to 1048576"),
            ("searchthreads", "0", "option Threads", "a whole number from 1 to 256"),
            ("gametype", "20", "gametype", "21"),
            ("book", "4", "book", "a whole number up to 3"),
            ("max_dbpieces", "", "max_dbpieces", "a whole number up to 24"),
            ("max_dbpieces", "25", "max_dbpieces", "a whole number up to 24"),
            ("max_dbpieces", "-1", "max_dbpieces", "a whole number up to 24"),
            ("enable_wld", "2", "enable_wld", "0 or 1"),
            ("allscores", "2", "allscores", "0 or 1"),
            ("solve", "on", "solve", "0 or 1"),
        ] {
            let answer = execute(&driver, &format!("set {key} {value}")).unwrap_err().to_string();
            let reason = format!("invalid value \"{value}\" for {name}: expected {expected}");
            assert!(answer.starts_with(&reason), "{key}: {answer}");
        }
    }
}
