//! Where games are written: standard output, or a file that is there whole or not at all.

use std::fs::File;
use std::io::{BufWriter, StdoutLock, Write, stdout};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::super::Failure;
use super::{Site, fault};
use crate::cli::say;
use common::file::Draft;
use draughts::notation::encoding;
use draughts::notation::pdn::{Entry, PdnError};

/// What becomes of a game that can't be read as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Faulty {
    /// It is copied as it stands, so that nothing is lost.
    #[default]
    Keep,
    /// What can be read of it is written: moves before the fault, variations and tags without one.
    Cut,
    /// It is left out.
    Drop,
}

/// Arguments of commands that write games.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Write the games to this file instead of standard output; it may be one of those that are read
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What becomes of a game that can't be read as a whole
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    faulty: Faulty,
}

impl Args {
    pub(super) fn open(&self) -> Result<Output, Failure> {
        match self.out.as_deref() {
            Some(path) if path != Path::new("-") => {
                let (draft, file) = Draft::begin(path).map_err(|error| Failure::of(&error))?;
                Ok(Output::File(draft, BufWriter::new(file)))
            }
            _ => Ok(Output::standard()),
        }
    }

    /// A game as it is to be written, with an empty line after it; empty if it is left out.
    pub(super) fn written(&self, entry: &Entry, text: &[u8]) -> String {
        let faulty = entry.faults.iter().any(|fault| !fault.kind.is_warning());
        match self.faulty {
            Faulty::Keep if faulty => {
                let text = encoding::lines(text);
                if text.trim().is_empty() {
                    String::new()
                } else {
                    format!("{}\n\n", text.trim().replace("\r\n", "\n"))
                }
            }
            Faulty::Drop if faulty => String::new(),
            _ => format!("{}\n", entry.game),
        }
    }
}

/// What is written to.
pub(super) enum Output {
    Standard(BufWriter<StdoutLock<'static>>),
    File(Draft, BufWriter<File>),
}

impl Output {
    pub(super) fn standard() -> Self {
        Self::Standard(BufWriter::new(stdout().lock()))
    }

    pub(super) fn write(&mut self, text: &str) -> Result<(), Failure> {
        match self {
            Self::Standard(out) => Ok(out.write_all(text.as_bytes())?),
            Self::File(draft, out) => {
                out.write_all(text.as_bytes()).map_err(|error| Failure::of(&draft.error(error)))
            }
        }
    }

    /// Ends the output: a file gets its name.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Standard(mut out) => Ok(out.flush()?),
            Self::File(draft, out) => {
                let file = out.into_inner().map_err(|error| Failure::of(&draft.error(error.into_error())))?;
                draft.keep(file).map_err(|error| Failure::of(&error))
            }
        }
    }
}

/// Tells on standard error what is wrong with a game.
pub(super) fn tell(site: &Site<'_>, faults: &[PdnError]) {
    for error in faults {
        say(&fault(site, error));
    }
}

/// A line of JSON.
pub(super) fn json(value: &impl serde::Serialize) -> String {
    // Numbers, texts and lists of them always have a JSON form.
    let mut line = serde_json::to_string(value).unwrap_or_default();
    line.push('\n');
    line
}
