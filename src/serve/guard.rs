//! What a page may not ask of an engine, whoever sent it: to read files of this machine, or to take all of it.

use engine::{Declaration, Kind, Resource, Setting};
use protocol::{Command, CommandError, Habits, Native, Output, Protocol};

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
        let name = setting.name();
        let Some(option) = Declaration::of(name) else { return Some(refused(name)) };
        let value = setting.clone().value();
        match self.limit(option) {
            Limit::None => None,
            Limit::Number(most) => too_much(name, &value, most),
            Limit::Files => (!self.files && !value.is_empty()).then(|| {
                format!("{name} over a connection, expected kelso serve to be started with --files")
            }),
        }
    }

    /// The same for a line to another program. Only commands of the native protocol are passed on, and only options that have
    /// the name of one of ours, if that is a number or a choice: of any other it isn't known what it does.
    pub(super) fn objection_to_line(&self, line: &str) -> Option<String> {
        if let Err(error @ CommandError::Unknown { .. }) = Native.read(line) {
            return Some(error.to_string());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["setoption", "name", rest @ ..] = words.as_slice() else {
            return (words.first() == Some(&"setoption"))
                .then(|| "malformed command, expected \"setoption name\"".to_owned());
        };
        let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default().join(" ");
        let value = rest.get(end + 1..).unwrap_or_default().join(" ");
        let Some(option) = Declaration::of(&name) else { return Some(refused(&name)) };
        match (option.kind, self.limit(option)) {
            (Kind::Spin { .. }, Limit::Number(most)) => too_much(&name, &value, most),
            (Kind::Spin { max, .. }, Limit::None) => {
                too_much(&name, &value, usize::try_from(max).unwrap_or(usize::MAX))
            }
            (Kind::Combo { .. } | Kind::Check, Limit::None) if is_word(&value) => None,
            (Kind::Button, Limit::None) => None,
            _ => Some(refused(&name)),
        }
    }

    /// The limit for an option. A new kind or a new resource has none until it is named here.
    const fn limit(&self, option: &Declaration) -> Limit {
        match (option.kind, option.resource) {
            (Kind::Path, _) | (_, Resource::Files) => Limit::Files,
            (_, Resource::TableMemory) => Limit::Number(self.hash),
            (_, Resource::CacheMemory) => Limit::Number(self.cache),
            (_, Resource::Threads) => Limit::Number(self.threads),
            (
                Kind::Spin { .. } | Kind::Combo { .. } | Kind::Check | Kind::Words { .. } | Kind::Button,
                Resource::Nothing,
            ) => Limit::None,
        }
    }
}

/// The limit for the value of an option.
enum Limit {
    None,
    Number(usize),
    /// Only with `--files`.
    Files,
}

fn too_much(name: &str, value: &str, most: usize) -> Option<String> {
    let fits = value.parse::<usize>().is_ok_and(|value| value <= most);
    (!fits).then(|| format!("{name} {value} over a connection, expected at most {most}"))
}

fn refused(name: &str) -> String {
    format!("{name} over a connection, expected option.{name}= where the engine is described")
}

/// Whether a value can be a choice, but not a path.
fn is_word(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::OPTIONS;

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

    /// What can be set without `--files` is listed here, so that an option is never let in by oversight.
    #[test]
    fn every_option_is_let_in_on_purpose() {
        let mut guarded = Guarded::new(ALLOWED);
        for option in OPTIONS {
            let value = match option.kind {
                Kind::Spin { max, .. } => max.to_string(),
                Kind::Combo { .. } | Kind::Check | Kind::Words { .. } => option.default(),
                Kind::Path => "x".to_owned(),
                Kind::Button => String::new(),
            };
            let value = if option.kind == Kind::Button { value } else { format!(" value {value}") };
            let admitted = guarded.read(&format!("setoption name {}{value}", option.name)).is_ok();
            let refused = ["Hash", "Threads", "EvalFile", "Weights", "BookFile", "EgdbPath", "EgdbCache"];
            assert_eq!(admitted, !refused.contains(&option.name), "{}", option.name);
        }
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
            "setoption name Hash value lots",
            "setoption name EvalFile value x",
            "setoption name Evaluation value ../x",
            "setoption name Ponder value /x",
            "setoption name Margins value surplus=1",
            "setoption Hash",
            "Setoption name EvalFile value x",
            "load /etc/passwd",
            "setoption name Log File value /tmp/x",
            "\tsetoption  name  EvalFile value x",
        ] {
            assert!(ALLOWED.objection_to_line(bad).is_some(), "{bad}");
        }
    }
}
