//! Input: a line editor with history and completion on a terminal, plain lines elsewhere. Ctrl-C stops the
//! running search; without one, it ends the program unless a line editor handles it.

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};

use kelso_batch::signal;
use kelso_runtime::stop::StopToken;
use kelso_runtime::sync::lock;

const MAX_LINE_BYTES: u64 = 64 * 1024;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PromptInput {
    Line(String),
    /// The line is too long for a command.
    TooLong,
    /// Ctrl-C.
    Interrupt,
    End,
}

pub(super) struct Prompt {
    source: LineSource,
    /// The lines of a paste that have not been read yet.
    pasted: VecDeque<String>,
    /// Tells whether pasted lines are a game, which is read as one text.
    is_game: fn(&str) -> bool,
}

enum LineSource {
    Editor(Box<Editor<Completions, MemHistory>>),
    /// Plain lines, with a prompt on a terminal.
    Lines(bool),
}

impl Prompt {
    /// Creates a line editor if standard input and output are a terminal that supports it.
    pub(super) fn new(is_game: fn(&str) -> bool) -> Self {
        let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let editor = if terminal && !dumb {
            Editor::with_history(rustyline::Config::default(), MemHistory::new()).ok()
        } else {
            None
        };
        let source = match editor {
            None => LineSource::Lines(terminal),
            Some(editor) => LineSource::Editor(Box::new(editor)),
        };
        Self { source, pasted: VecDeque::new(), is_game }
    }

    /// Returns whether a person can answer questions.
    pub(super) const fn is_interactive(&self) -> bool {
        matches!(self.source, LineSource::Editor(_) | LineSource::Lines(true))
    }

    pub(super) const fn can_redraw(&self) -> bool {
        matches!(self.source, LineSource::Editor(_))
    }

    /// Returns the width of the terminal in characters, if known.
    pub(super) fn width(&mut self) -> Option<usize> {
        match &mut self.source {
            LineSource::Editor(editor) => editor.dimensions().map(|(columns, _)| usize::from(columns)),
            LineSource::Lines(_) => None,
        }
    }

    /// Reads the next line or a pasted game. Completes `words`.
    pub(super) fn read(&mut self, prompt: &str, words: Vec<String>) -> io::Result<PromptInput> {
        if let Some(line) = self.pasted.pop_front() {
            writeln!(io::stdout(), "{prompt}{line}")?;
            return Ok(PromptInput::Line(line));
        }
        match self.read_new(prompt, words)? {
            PromptInput::Line(text) if !(self.is_game)(&text) => {
                let mut lines = text.split('\n').map(str::to_owned);
                let first = lines.next().unwrap_or_else(|| text.clone());
                self.pasted.extend(lines.filter(|line| !line.trim().is_empty()));
                Ok(PromptInput::Line(first))
            }
            input => Ok(input),
        }
    }

    fn read_new(&mut self, prompt: &str, words: Vec<String>) -> io::Result<PromptInput> {
        match &mut self.source {
            LineSource::Editor(editor) => {
                editor.set_helper(Some(Completions { words }));
                match editor.readline(prompt) {
                    Ok(line) => {
                        if !line.trim().is_empty() {
                            // Ignore errors: a full history drops its oldest lines.
                            let _ = editor.add_history_entry(line.trim());
                        }
                        Ok(PromptInput::Line(line))
                    }
                    Err(ReadlineError::Interrupted) => Ok(PromptInput::Interrupt),
                    Err(ReadlineError::Eof) => Ok(PromptInput::End),
                    Err(ReadlineError::Io(error)) => Err(error),
                    Err(error) => Err(io::Error::other(error)),
                }
            }
            LineSource::Lines(terminal) => {
                if *terminal {
                    let mut out = io::stdout().lock();
                    write!(out, "{prompt}")?;
                    out.flush()?;
                }
                read_line(&mut io::stdin().lock())
            }
        }
    }
}

/// Reads a line of bounded length and drops the rest of a longer one.
fn read_line(input: &mut impl BufRead) -> io::Result<PromptInput> {
    let mut bytes = Vec::new();
    let read = io::Read::take(&mut *input, MAX_LINE_BYTES).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(PromptInput::End);
    }
    if bytes.last() != Some(&b'\n') && read as u64 == MAX_LINE_BYTES {
        input.skip_until(b'\n')?;
        return Ok(PromptInput::TooLong);
    }
    Ok(PromptInput::Line(String::from_utf8_lossy(&bytes).into_owned()))
}

struct Completions {
    words: Vec<String>,
}

impl Completions {
    /// Returns the words that begin with the text.
    fn beginning(&self, text: &str) -> impl Iterator<Item = &String> {
        self.words.iter().filter(move |word| word.starts_with(text))
    }
}

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = line.get(..at).unwrap_or(line);
        if before.starts_with("load ") || before.starts_with("save ") {
            return FilenameCompleter::new().complete(line, at, context);
        }
        let words = self.beginning(before);
        Ok((0, words.map(|word| Pair { display: word.clone(), replacement: word.clone() }).collect()))
    }
}

impl Hinter for Completions {
    type Hint = String;
}
impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}

/// Stops the running search when the user interrupts.
#[derive(Debug, Default)]
pub(super) struct SearchInterrupt {
    running: Mutex<Option<StopToken>>,
    /// Whether the user has been told that Ctrl-C leaves the program.
    warned: AtomicBool,
}

impl SearchInterrupt {
    /// Starts listening. Must be called only once.
    pub(super) fn listen() -> Arc<Self> {
        let interrupt = Arc::<Self>::default();
        let listening = Arc::clone(&interrupt);
        signal::listen(move || listening.interrupt());
        interrupt
    }

    /// Runs a search that an interrupt stops. Returns its result, and whether there was an interrupt.
    pub(super) fn run<T>(&self, search: impl FnOnce(&StopToken) -> T) -> (T, bool) {
        let stop = StopToken::default();
        *lock(&self.running) = Some(stop.clone());
        let result = search(&stop);
        *lock(&self.running) = None;
        (result, stop.is_stopped())
    }

    fn interrupt(&self) {
        if !signal::is_from_keyboard() {
            signal::exit();
        }
        if let Some(stop) = &*lock(&self.running) {
            stop.stop();
        } else if io::stdin().is_terminal() && !self.warned.swap(true, Ordering::SeqCst) {
            // Without line editing, the terminal still waits for a line.
            let question = "\n\"save FILE.pdn\" saves the game; Ctrl-C again leaves without saving.";
            drop(writeln!(io::stdout(), "{question}"));
        } else {
            signal::exit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves_are_completed() {
        let words = ["redo", "resign", "11-15", "11-16", "9-13"].map(str::to_owned).to_vec();
        let words = Completions { words };
        let beginning = |text| words.beginning(text).collect::<Vec<_>>();
        assert_eq!(beginning("11"), ["11-15", "11-16"]);
        assert_eq!(beginning("re"), ["redo", "resign"]);
        assert!(beginning("x").is_empty());
    }

    #[test]
    fn read_line_skips_a_line_that_is_too_long() {
        let long = "x".repeat(200_000);
        let text = format!("11-15\r\n{long}\nquit");
        let mut input = text.as_bytes();
        assert_eq!(read_line(&mut input).unwrap(), PromptInput::Line("11-15\r\n".into()));
        assert_eq!(read_line(&mut input).unwrap(), PromptInput::TooLong);
        assert_eq!(read_line(&mut input).unwrap(), PromptInput::Line("quit".into()));
        assert_eq!(read_line(&mut input).unwrap(), PromptInput::End);
    }
}
