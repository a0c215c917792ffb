//! Output of games: to standard output, or to files that are written completely or not at all.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;

use super::{Site, fault};
use crate::cli::arguments::files::{GameFiles, Overwrite};
use crate::cli::outcome::{Outcome, Status, say};
use crate::cli::source::GameSource;
use crate::cli::values::{at_least, output};
use kelso_batch::file::{NewFolder, OutputFile};
use kelso_batch::outputs::{OutputPath, Outputs};
use kelso_draughts::notation::encoding;
use kelso_draughts::notation::pdn::{PdnEntry, PdnError, PdnErrorKind};
use kelso_library::database::LibraryWriter;
use kelso_library::store::StoreError;
use kelso_text::plural::counted;

/// How to treat incomplete games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Faulty {
    /// Copy the text unchanged
    #[default]
    Keep,
    /// Write only the part that can be read
    Cut,
    /// Leave the game out
    Drop,
}

/// Arguments of commands that write games.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write the games to FILE instead of standard output; a name that ends with .library makes a library
    #[arg(long, short, value_name = "FILE", value_parser = output())]
    out: Option<OutputPath>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Add the games to the library --out, except those that it has
    #[arg(long, requires = "out", conflicts_with_all = ["overwrite", "split"])]
    add: bool,
    /// Write files of N games to a new directory, the value of --out
    #[arg(long, value_name = "N", requires = "out", value_parser = at_least(1_usize))]
    split: Option<usize>,
    /// How to treat games that contain errors
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    faulty: Faulty,
}

impl Args {
    pub(super) fn open(&self, files: &GameFiles) -> anyhow::Result<GameOutput> {
        let sources = files.sources()?;
        if let Some(games) = self.split {
            let folder = self.out.as_ref().and_then(OutputPath::as_file);
            let folder = NewFolder::create(folder.context("--split needs a directory as --out")?)?;
            return Ok(GameOutput::Split { folder, games, written: 0, current: None });
        }
        if self.add {
            let path = self.library().context("--add needs a library as --out, such as games.library")?;
            let games = LibraryWriter::open(path, now()?).map_err(|error| library_error(path, &error))?;
            return Ok(GameOutput::Library { path: path.to_owned(), games: Box::new(games), file: None });
        }
        if let Some(path) = self.library().filter(|path| path.exists()) {
            bail!(
                "\"{}\" already exists, and a library is never overwritten; use --add or another --out",
                path.display()
            );
        }
        let inputs = sources.iter().filter_map(GameSource::path);
        let outputs = self.overwrite.outputs().reads(inputs).writes(&self.out).check()?;
        if let Some(path) = self.library() {
            let file = outputs.open(self.out.as_ref())?;
            let games = LibraryWriter::create(file.temporary()?.unwrap_or(path), now()?);
            let games = games.map_err(|error| library_error(path, &error))?;
            return Ok(GameOutput::Library {
                path: path.to_owned(),
                games: Box::new(games),
                file: Some(file),
            });
        }
        Ok(GameOutput::File(outputs.open(self.out.as_ref())?))
    }

    pub(super) fn library(&self) -> Option<&Path> {
        let path = self.out.as_ref().and_then(OutputPath::as_file)?;
        path.extension().is_some_and(|extension| extension == "library").then_some(path)
    }

    pub(super) fn open_or_replace(&self, in_place: InPlace, files: &GameFiles) -> anyhow::Result<GameOutput> {
        if !in_place.in_place {
            return self.open(files);
        }
        let sources = files.sources()?;
        if sources.contains(&GameSource::Input) {
            bail!("--{IN_PLACE} cannot replace standard input");
        }
        if let Some(library) = sources.iter().find(|source| source.is_library()) {
            bail!("--{IN_PLACE} cannot replace the library \"{library}\"; use --out");
        }
        let files = sources.iter().filter_map(GameSource::path);
        let files: Vec<_> = files.map(|path| OutputPath::file(format!("--{IN_PLACE}"), path)).collect();
        let _outputs = Outputs::new(true).writes(&files).check()?;
        Ok(GameOutput::InPlace { input: 0, current: None })
    }

    /// Formats a game, followed by an empty line. Empty text leaves the game out.
    pub(super) fn written(&self, entry: &PdnEntry, text: &[u8]) -> Written {
        let lost = entry.errors().find(|fault| match fault.kind {
            PdnErrorKind::Unreadable { .. } => true,
            PdnErrorKind::TooLong => self.faulty != Faulty::Drop,
            _ => false,
        });
        if let Some(fault) = lost {
            return Err(fault.clone());
        }
        let faulty = entry.errors().any(|fault| !fault.kind.is_warning());
        Ok(match self.faulty {
            Faulty::Keep if faulty => match encoding::lines(text).trim() {
                "" => String::new(),
                text => format!("{}\n\n", text.replace("\r\n", "\n")),
            },
            Faulty::Drop if faulty => String::new(),
            _ => format!("{}\n", entry.game),
        })
    }
}

const IN_PLACE: &str = "in-place";

/// The option to replace the input files.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct InPlace {
    /// Replace each file with its result
    #[arg(long = IN_PLACE, conflicts_with = "out")]
    in_place: bool,
}

pub(super) type Written = Result<String, PdnError>;

/// An output of games.
pub(super) enum GameOutput {
    /// A file or standard output.
    File(OutputFile),
    /// A library.
    Library {
        path: PathBuf,
        games: Box<LibraryWriter>,
        /// The file of a new library. One that exists is written directly.
        file: Option<OutputFile>,
    },
    /// Each input file is replaced.
    InPlace {
        /// The number of the file that `current` replaces.
        input: usize,
        current: Option<OutputFile>,
    },
    /// Files of the same number of games in a new folder.
    Split {
        folder: NewFolder,
        /// The number of games in each file.
        games: usize,
        /// The number of games so far.
        written: usize,
        current: Option<OutputFile>,
    },
}

impl GameOutput {
    pub(super) fn standard() -> Self {
        Self::File(OutputFile::stdout())
    }

    pub(super) fn write_at(&mut self, site: &Site<'_>, text: &str) -> anyhow::Result<()> {
        match self {
            Self::InPlace { input, current } if current.is_none() || *input != site.file => {
                *input = site.file;
                begin(
                    current,
                    site.source.path().map_or_else(|| Ok(OutputFile::stdout()), OutputFile::create)?,
                )?;
            }
            Self::Split { folder, games, written, current } if !text.is_empty() => {
                if *written % *games == 0 {
                    let number = *written / *games + 1;
                    begin(current, OutputFile::create(&folder.join(format!("{number:06}.pdn")))?)?;
                }
                *written += 1;
            }
            _ => {}
        }
        self.write(text)
    }

    pub(super) fn write(&mut self, text: &str) -> anyhow::Result<()> {
        match self {
            Self::Library { path, games, .. } => {
                games.add(text).map_err(|error| library_error(path, &error))?;
            }
            Self::File(out)
            | Self::InPlace { current: Some(out), .. }
            | Self::Split { current: Some(out), .. } => {
                out.write_with(|out| out.write_all(text.as_bytes()))?;
            }
            Self::InPlace { current: None, .. } | Self::Split { current: None, .. } => {}
        }
        Ok(())
    }

    /// Writes a game. Fails if its text would be lost.
    pub(super) fn game(&mut self, site: &Site<'_>, written: &Written) -> anyhow::Result<()> {
        match written {
            Ok(text) => self.write_at(site, text),
            Err(error) => {
                let remedy = match error.kind {
                    PdnErrorKind::TooLong => "; use --faulty drop to leave it out",
                    _ => "",
                };
                bail!("cannot copy the whole file: {}{remedy}", fault(site, error))
            }
        }
    }

    /// Commits the output, unless it is a file that would lack the games of an unreadable one. Returns the
    /// exit status of a command that is `well` otherwise.
    pub(super) fn finish(self, readable: bool, well: bool) -> Outcome {
        match self {
            Self::File(out) => {
                check_complete(Some(&out), readable)?;
                out.commit()?;
            }
            Self::Library { path, games, file } => {
                check_complete(file.as_ref(), readable)?;
                let report = games.finish().map_err(|error| library_error(&path, &error))?;
                match file {
                    Some(file) => file.commit()?,
                    None => say(&format!(
                        "{} added; already there: {}",
                        counted(report.added as u64, "game"),
                        report.known
                    )),
                }
            }
            Self::InPlace { current, .. } => current.map_or(Ok(()), OutputFile::commit)?,
            Self::Split { folder, current, .. } => {
                check_complete(current.as_ref(), readable)?;
                current.map_or(Ok(()), OutputFile::commit)?;
                folder.commit();
            }
        }
        Ok(if readable { well.into() } else { Status::Unreadable })
    }
}

/// Refuses to replace a file by one that would lack the games of an unreadable input.
fn check_complete(file: Option<&OutputFile>, readable: bool) -> anyhow::Result<()> {
    if !readable && file.is_some_and(|file| !file.is_written_directly()) {
        bail!("nothing is written, since an input cannot be read");
    }
    Ok(())
}

/// Begins another file, and commits the one before it.
fn begin(current: &mut Option<OutputFile>, file: OutputFile) -> anyhow::Result<()> {
    Ok(current.replace(file).map_or(Ok(()), OutputFile::commit)?)
}

/// Returns the time in milliseconds since 1970.
fn now() -> anyhow::Result<i64> {
    Ok(i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?)
}

fn library_error(path: &Path, error: &StoreError) -> anyhow::Error {
    anyhow!("cannot write \"{}\": {error}", path.display())
}

#[expect(clippy::expect_used, reason = "all map keys are strings")]
pub(super) fn json(value: &impl serde::Serialize) -> String {
    let mut line = serde_json::to_string(value).expect("numbers, strings and lists can be serialized");
    line.push('\n');
    line
}
