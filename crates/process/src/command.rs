//! Command lines.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use kelso_syntax::WordError;

/// A program, its arguments and its working directory.
///
/// Text is split into words as by a shell, with quotes and backslashes, but without expansion. On Windows,
/// where backslashes separate the parts of a path, they are special only before a double quote.
///
/// ```
/// use kelso_process::CommandLine;
/// let line: CommandLine = "engines/cake 'two words' --fast".parse().unwrap();
/// assert_eq!(line.arguments, ["two words", "--fast"]);
/// assert!("engine 'open".parse::<CommandLine>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: OsString,
    pub arguments: Vec<OsString>,
    /// The working directory. A relative path to the program is resolved there first, then in the current
    /// directory.
    pub directory: Option<PathBuf>,
}

impl CommandLine {
    /// Creates a command line without arguments.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self { program: program.into(), arguments: Vec::new(), directory: None }
    }

    /// Adds arguments.
    #[must_use]
    pub fn with_arguments(mut self, arguments: impl IntoIterator<Item: Into<OsString>>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Returns the program's file, given by its path or found in `PATH`, if it exists.
    pub fn program_file(&self) -> Option<PathBuf> {
        let program = self.resolved_program();
        let path = Path::new(&program);
        if path.components().count() > 1 {
            return Some(path.to_owned()).filter(|path| path.is_file());
        }
        let folders = std::env::var_os("PATH")?;
        let names = [path.to_owned(), path.with_extension(std::env::consts::EXE_EXTENSION)];
        let files =
            std::env::split_paths(&folders).flat_map(|folder| names.clone().map(|name| folder.join(name)));
        files.into_iter().find(|path| path.is_file())
    }

    /// Resolves a path in the working directory of the program.
    pub fn path_from_there(&self, path: &Path) -> PathBuf {
        self.directory.as_deref().map_or_else(|| path.to_owned(), |directory| directory.join(path))
    }

    /// Resolves the path of the program, since systems interpret a relative path differently if there is a
    /// working directory.
    fn resolved_program(&self) -> OsString {
        let path = Path::new(&self.program);
        let relative = path.is_relative() && path.components().count() > 1;
        match &self.directory {
            Some(directory) if relative => [directory.join(path), path.to_owned()]
                .into_iter()
                .find(|path| path.is_file())
                .and_then(|path| std::path::absolute(path).ok())
                .unwrap_or_else(|| path.to_owned())
                .into_os_string(),
            _ => self.program.clone(),
        }
    }

    pub(super) fn to_command(&self) -> Command {
        let mut command = Command::new(self.resolved_program());
        command.args(&self.arguments);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(&self.program.to_string_lossy()))?;
        for argument in &self.arguments {
            write!(f, " {}", quoted(&argument.to_string_lossy()))?;
        }
        Ok(())
    }
}

impl FromStr for CommandLine {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let mut words = words(text)?.into_iter();
        match words.next().filter(|word| !word.is_empty()) {
            Some(program) => Ok(Self::new(program).with_arguments(words)),
            None => Err(WordError::invalid("command line", text, "a program")),
        }
    }
}

/// Quotes a word for [`words`], if it needs quotes.
pub fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(|c: char| c.is_whitespace() || ['\'', '"', '\\'].contains(&c)) {
        format!("'{}'", word.replace('\'', "'\"'\"'"))
    } else {
        word.to_owned()
    }
}

/// Splits text into words like a shell.
pub fn words(text: &str) -> Result<Vec<String>, WordError> {
    split(text, cfg!(windows))
}

fn split(text: &str, windows: bool) -> Result<Vec<String>, WordError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let escaped = rest.next_if(|&next| match quote {
                    _ if windows => next == '"',
                    Some(_) => ['"', '\\', '$', '`'].contains(&next),
                    None => true,
                });
                if escaped.is_none() && quote.is_none() && !windows {
                    let expected = "a character after the backslash";
                    return Err(WordError::invalid("command line", text, expected));
                }
                word.get_or_insert_default().push(escaped.unwrap_or('\\'));
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(WordError::invalid("command line", text, "a closing quote"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use kelso_batch::testing::Folder;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        let unix = |text| split(text, false).unwrap();
        assert_eq!(unix("  a  b\tc "), ["a", "b", "c"]);
        assert_eq!(unix(r#"'a b'"c d"e '' "#), ["a bc de", ""]);
        assert_eq!(unix(r#"a\ b "\"\\\n" '\'"#), ["a b", r#""\\n"#, r"\"]);
        assert_eq!(unix(""), Vec::<String>::new());
        for (text, expected) in [
            ("a 'b", "a closing quote"),
            ("a \"b\\\"", "a closing quote"),
            ("a\\", "a character after the backslash"),
        ] {
            assert_eq!(split(text, false).unwrap_err().expected, expected);
        }
    }

    #[test]
    fn backslashes_separate_paths_on_windows() {
        let windows = |text| split(text, true).unwrap();
        assert_eq!(windows(r"C:\engines\cake.exe -x"), [r"C:\engines\cake.exe", "-x"]);
        assert_eq!(windows(r#""C:\two words\e.exe" \"q"#), [r"C:\two words\e.exe", "\"q"]);
        assert_eq!(windows(r"ends\"), [r"ends\"]);
    }

    #[test]
    fn a_command_line_names_a_program() {
        for empty in [" ", "''"] {
            assert_eq!(empty.parse::<CommandLine>().unwrap_err().expected, "a program");
        }
        let line: CommandLine = "a 'b c' \"it's\"".parse().unwrap();
        assert_eq!(line.to_string(), r#"a 'b c' 'it'"'"'s'"#);
    }

    #[test]
    fn a_program_is_found_in_its_directory_or_in_the_path() {
        let folder = Folder::new();
        let there = folder.as_ref();
        let (engine, shell) = (folder.write("bin/engine", ""), folder.write("sh", ""));
        let line = |program: &Path, directory: Option<&Path>| {
            let mut line = CommandLine::new(program).with_arguments(["-x", "two words"]);
            line.directory = directory.map(Path::to_owned);
            line
        };
        let file = |program: &Path, directory| line(program, directory).program_file();
        assert_eq!(file(&engine, None), Some(engine.clone()));
        assert_eq!(file(&folder.path("bin/other"), None), None);
        assert_eq!(file(there, None), None, "a directory is not a program");
        assert_eq!(file(Path::new("bin/engine"), Some(there)), Some(engine.clone()));
        assert_eq!(file(Path::new("bin/engine"), None), None);
        assert_eq!(file(Path::new("bin/other"), Some(there)), None);
        assert_eq!(file(&engine, Some(there)), Some(engine.clone()));
        assert_eq!(file(Path::new("no-such-program"), Some(there)), None);
        // A bare name is looked up in `PATH` only.
        let name = Path::new(if cfg!(windows) { "cmd.exe" } else { "sh" });
        let found = file(name, Some(there)).unwrap();
        assert!(found.file_name() == name.file_name() && found.is_file() && found != shell, "{found:?}");
        let command = line(Path::new("bin/engine"), Some(there)).to_command();
        assert_eq!(command.get_program(), engine.as_os_str());
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-x", "two words"]);
        assert_eq!(command.get_current_dir(), Some(there));
        let plain = line(name, None);
        assert_eq!(plain.to_command().get_program(), name.as_os_str());
        assert_eq!(plain.to_command().get_current_dir(), None);
        assert_eq!(plain.path_from_there(Path::new("a")), Path::new("a"));
        assert_eq!(line(name, Some(there)).path_from_there(Path::new("a")), folder.path("a"));
    }

    proptest! {
        #[test]
        fn quoted_words_are_read_back(list in prop::collection::vec("[a '\"\\\\]{0,6}", 0..4)) {
            let text = list.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            for windows in [false, true] {
                prop_assert_eq!(split(&text, windows), Ok(list.clone()));
            }
        }
    }
}
