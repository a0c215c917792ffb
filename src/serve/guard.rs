//! What a page may not ask of an engine, whoever sent it: to read files of this machine, or to take all of it.

use crate::engine::Setting;
use crate::protocol::{Command, CommandError, Habits, Native, Output, Protocol};

/// What settings are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowed {
    /// Whether options may name files.
    pub(super) files: bool,
    /// Mebibytes of a table.
    pub(super) hash: usize,
    /// Mebibytes for what has been read from databases.
    pub(super) cache: usize,
    /// Threads.
    pub(super) threads: usize,
}

/// The native protocol without what isn't allowed.
#[derive(Clone, Debug)]
pub(super) struct Guarded {
    inner: Native,
    allowed: Allowed,
}

impl Guarded {
    pub(super) fn new(allowed: Allowed) -> Self {
        Self { inner: Native, allowed }
    }
}

impl Protocol for Guarded {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        let command = self.inner.read(line)?;
        if let Some(Command::Set(setting)) = &command
            && let Some(reason) = self.allowed.objection(setting)
        {
            return Err(CommandError::Failed(reason));
        }
        Ok(command)
    }

    fn write(&mut self, output: &Output) -> String {
        self.inner.write(output)
    }

    fn habits(&self) -> Habits {
        self.inner.habits()
    }
}

impl Allowed {
    /// Why a setting isn't allowed, if it isn't.
    fn objection(&self, setting: &Setting) -> Option<String> {
        let most = |name: &str, value: usize, most: usize| {
            (value > most).then(|| format!("{name} {value} over a connection, expected at most {most}"))
        };
        let file = |name: &str| {
            (!self.files)
                .then(|| format!("{name} over a connection, expected kelso serve to be started with --files"))
        };
        match setting {
            Setting::Hash(value) => most("Hash", *value, self.hash),
            Setting::Threads(value) => most("Threads", *value, self.threads),
            Setting::EgdbCache(value) => most("EgdbCache", *value, self.cache),
            Setting::EvalFile(Some(_)) => file("EvalFile"),
            Setting::Weights(Some(_)) => file("Weights"),
            Setting::EgdbPath(Some(_)) => file("EgdbPath"),
            Setting::BookFile(Some(_)) => file("BookFile"),
            _ => None,
        }
    }

    /// The same for a line to another program, of whose options nothing is known but what they are called: those that are
    /// numbers or choices everywhere are passed on.
    pub(super) fn objection_to_line(&self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["setoption", "name", rest @ ..] = words.as_slice() else {
            return (words.first() == Some(&"setoption"))
                .then(|| "malformed command, expected \"setoption name\"".to_owned());
        };
        let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().join(" ");
        let value = rest.get(end + 1..).unwrap_or_default().join(" ");
        let most = match name.to_ascii_lowercase().as_str() {
            "hash" => self.hash,
            "threads" => self.threads,
            "multipv" | "level" => 256,
            "clear hash" | "ponder" | "evaluation" | "searcher" => return None,
            _ => {
                return Some(format!(
                    "{name} over a connection, expected option.{name}= where the engine is described"
                ));
            }
        };
        match value.parse::<usize>() {
            Ok(value) if value <= most => None,
            _ => Some(format!("{name} {value} over a connection, expected a whole number up to {most}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: Allowed = Allowed { files: false, hash: 64, cache: 64, threads: 2 };

    #[test]
    fn files_and_too_much_of_the_machine_are_refused() {
        let mut guarded = Guarded::new(ALLOWED);
        for (line, reason) in [
            ("setoption name EvalFile value /etc/passwd", "EvalFile over a connection, expected"),
            ("setoption name weights value x", "Weights over a connection, expected"),
            ("setoption name EgdbPath value /", "EgdbPath over a connection, expected"),
            ("setoption name Hash value 65", "Hash 65 over a connection, expected at most 64"),
            ("setoption name Threads value 3", "Threads 3 over a connection, expected at most 2"),
            ("setoption name EgdbCache value 65536", "EgdbCache 65536 over a connection"),
        ] {
            let error = guarded.read(line).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
        for line in ["setoption name Hash value 64", "setoption name EvalFile value <empty>", "go infinite"] {
            assert!(guarded.read(line).is_ok(), "{line}");
        }
        let mut open = Guarded::new(Allowed { files: true, ..ALLOWED });
        assert!(open.read("setoption name EvalFile value x").is_ok());
    }

    #[test]
    fn other_programs_get_numbers_and_choices_only() {
        for good in [
            "setoption name Hash value 64",
            "go depth 3",
            "setoption name Clear Hash",
            "setoption name Level value 2",
        ] {
            assert_eq!(ALLOWED.objection_to_line(good), None, "{good}");
        }
        for bad in [
            "setoption name Hash value 65",
            "setoption name EvalFile value x",
            "setoption Hash",
            "setoption name Log File value /tmp/x",
            "\tsetoption  name  EvalFile value x",
        ] {
            assert!(ALLOWED.objection_to_line(bad).is_some(), "{bad}");
        }
    }
}
