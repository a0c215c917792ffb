//! Restrictions on the options that a page may set: no access to files on this machine, and only part of its
//! memory.

use kelso_endgames::DatabaseOptions;
use kelso_engine::{Declaration, EngineSettings, OPTIONS, OptionKind, Resource, Setting};
use kelso_protocol::{Command, CommandError, DeclaredOption, EngineOutput, Native, Protocol};

/// The permitted values of options.
#[derive(Clone, Copy, Debug)]
pub struct Permissions {
    /// The advice for users whose options may not name files, or `None` if they may.
    pub refuse_files: Option<&'static str>,
    /// The maximum size of the table and of the cache of databases, in MiB.
    pub memory: usize,
    /// The maximum number of search threads.
    pub threads: usize,
}

/// The native protocol with restricted options.
#[derive(Clone, Debug)]
pub(super) struct RestrictedProtocol {
    permissions: Permissions,
}

impl RestrictedProtocol {
    pub(super) fn new(permissions: Permissions) -> Self {
        Self { permissions }
    }
}

impl Protocol for RestrictedProtocol {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        let command = Native.read(line)?;
        if let Some(Command::Set { name, value }) = &command {
            let value = Setting::parse(name, value.as_deref())?.value();
            let refusal = Declaration::find(name).and_then(|option| self.permissions.refusal(option, &value));
            if let Some(reason) = refusal {
                return Err(CommandError::Refused(reason));
            }
        }
        Ok(command)
    }

    /// Writes an output. Declarations of options state the permitted maximum.
    fn write(&mut self, output: &EngineOutput) -> String {
        match output {
            EngineOutput::Identity => {
                let options = OPTIONS.iter().map(|option| self.permissions.limited(option));
                Native::introduction(Native::KELSO, options)
            }
            output => Native.write(output),
        }
    }
}

impl Permissions {
    /// Returns the settings of an engine whose table has this size in MiB, or the largest permitted one.
    pub fn engine_settings(&self, hash: usize) -> EngineSettings {
        let cache = DatabaseOptions::CACHE.min(self.memory);
        EngineSettings {
            options: vec![Setting::Hash(hash.min(self.memory)), Setting::EgdbCache(cache)],
            ..EngineSettings::installed()
        }
    }

    /// Returns the declaration of an option with the permitted maximum.
    fn limited(&self, option: &Declaration) -> DeclaredOption {
        let mut limited = DeclaredOption::from(option);
        if let (OptionKind::Spin { max, .. }, Some(limit)) = (&mut limited.kind, self.limit(option)) {
            *max = limit;
        }
        limited
    }

    /// Returns the largest permitted value of an option that is a number.
    fn limit(&self, option: &Declaration) -> Option<u64> {
        let OptionKind::Spin { max, .. } = option.kind else { return None };
        Some(match option.uses {
            Some(Resource::Memory) => max.min(self.memory as u64),
            Some(Resource::Threads) => max.min(self.threads as u64),
            Some(Resource::File) | None => max,
        })
    }

    /// Returns the reason to refuse a value of an option, if any.
    fn refusal(&self, option: &Declaration, value: &str) -> Option<String> {
        let name = option.name;
        if let Some(max) = self.limit(option) {
            let is_permitted = value.parse::<u64>().is_ok_and(|value| value <= max);
            return (!is_permitted).then(|| {
                format!("cannot set {name} to {value} over a connection: at most {max} is allowed")
            });
        }
        let names_file = option.uses == Some(Resource::File) && !value.is_empty();
        let advice = self.refuse_files.filter(|_| names_file)?;
        Some(format!("cannot set {name} over a connection; {advice}"))
    }

    /// Returns the reason, if any, not to pass a line on to another program. Only commands of the native
    /// protocol are passed on, and only those options that are numbers or choices and that this program also
    /// has, since the effect of others is unknown.
    pub(super) fn refusal_of_line(&self, line: &str) -> Option<String> {
        let (name, value) = match Native.read(line) {
            Ok(Some(Command::Set { name, value })) => (name, value.unwrap_or_default()),
            Ok(_) => return None,
            Err(error) => return Some(error.to_string()),
        };
        let is_known = |option: &&Declaration| match option.kind {
            OptionKind::Spin { .. } | OptionKind::Button => true,
            OptionKind::Combo { .. } | OptionKind::Check => is_word(&value),
            _ => false,
        };
        match Declaration::find(&name).filter(is_known) {
            Some(option) => self.refusal(option, &value),
            None => Some(format!(
                "cannot set {name} over a connection; use option.{name}= in the engine's description"
            )),
        }
    }
}

/// Returns whether a value can be a choice, but not a path.
fn is_word(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_engine::Engine;

    fn permissions() -> Permissions {
        Permissions { refuse_files: Some("ask"), memory: 64, threads: 2 }
    }

    #[test]
    fn files_and_too_much_memory_are_refused() {
        let mut restricted = RestrictedProtocol::new(permissions());
        for (line, culprit) in [
            ("setoption name EvalFile value /etc/passwd", "EvalFile"),
            ("setoption name weights value x", "Weights"),
            ("setoption name EgdbPath value /", "EgdbPath"),
            ("setoption name Hash value 65", "Hash to 65"),
            ("setoption name Threads value 3", "Threads to 3"),
            ("setoption name EgdbCache value 65536", "EgdbCache to 65536"),
        ] {
            let error = restricted.read(line).unwrap_err().to_string();
            assert!(error.starts_with("cannot set ") && error.contains(culprit), "{error}");
        }
        for line in ["setoption name Hash value 64", "setoption name EvalFile value <empty>", "go infinite"] {
            assert!(restricted.read(line).is_ok(), "{line}");
        }
        let mut open = RestrictedProtocol::new(Permissions { refuse_files: None, ..permissions() });
        assert!(open.read("setoption name EvalFile value x").is_ok());
    }

    #[test]
    fn engines_start_within_the_permitted_memory() {
        let memory_of = |hash| {
            let engine =
                Engine::new(Permissions { memory: 8, ..permissions() }.engine_settings(hash)).unwrap();
            (engine.options().hash, engine.options().egdb_cache)
        };
        assert_eq!((memory_of(16), memory_of(1)), ((8, 8), (1, 8)));
    }

    #[test]
    fn declarations_state_the_permitted_maximum() {
        let text = RestrictedProtocol::new(permissions()).write(&EngineOutput::Identity);
        for line in [
            "option name Hash type spin default 64 min 1 max 64",
            "option name Threads type spin default 1 min 1 max 2",
            "option name Level type spin default 0 min 0 max 10",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} in {text}");
        }
        assert_eq!(text.lines().count(), Native.write(&EngineOutput::Identity).lines().count());
    }

    /// This lists the options refused without `--files`, so that a new option is never allowed by mistake.
    #[test]
    fn every_option_is_allowed_on_purpose() {
        let mut restricted = RestrictedProtocol::new(permissions());
        for option in OPTIONS {
            let value = match option.kind {
                OptionKind::Spin { max, .. } => max.to_string(),
                OptionKind::Path => "x".to_owned(),
                OptionKind::Button => String::new(),
                _ => option.default(),
            };
            let value = if option.kind == OptionKind::Button { value } else { format!(" value {value}") };
            let admitted = restricted.read(&format!("setoption name {}{value}", option.name)).is_ok();
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
            assert_eq!(permissions().refusal_of_line(good), None, "{good}");
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
            assert!(permissions().refusal_of_line(bad).is_some(), "{bad}");
        }
    }
}
