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
            return Ok(GameOutput {
                split: Some(Split { folder, games, written: 0 }),
                ..GameOutput::new(None)
            });
        }
        if self.add {
            let path = self.library().context("--add needs a library as --out, such as games.library")?;
            let games = LibraryWriter::open(path, now()?).map_err(|error| library_error(path, &error))?;
            return Ok(GameOutput { library: Some((path.to_owned(), games)), ..GameOutput::new(None) });
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
            let library = Some((path.to_owned(), games));
            return Ok(GameOutput { library, ..GameOutput::new(Some(file)) });
        }
        Ok(GameOutput::new(Some(outputs.open(self.out.as_ref())?)))
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
        Ok(GameOutput { in_place: true, ..GameOutput::new(None) })
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

/// Files of the same number of games in a new folder.
struct Split {
    folder: NewFolder,
    /// The number of games in each file.
    games: usize,
    /// The number of games so far.
    written: usize,
}

/// An output: one file, standard output, each input file, several files in a folder, or a library.
pub(super) struct GameOutput {
    /// The library that receives the games, in place of text, and its path. A library that exists is written
    /// directly; a new one is the current file.
    library: Option<(PathBuf, LibraryWriter)>,
    in_place: bool,
    split: Option<Split>,
    /// The open output, with the number of the file that it replaces.
    current: Option<(usize, OutputFile)>,
}

impl GameOutput {
    fn new(file: Option<OutputFile>) -> Self {
        Self { library: None, in_place: false, split: None, current: file.map(|file| (0, file)) }
    }

    pub(super) fn standard() -> Self {
        Self::new(Some(OutputFile::stdout()))
    }

    pub(super) fn write_at(&mut self, site: &Site<'_>, text: &str) -> anyhow::Result<()> {
        if self.in_place && self.current.as_ref().is_none_or(|(file, _)| *file != site.file) {
            self.begin(
                site.file,
                site.source.path().map_or_else(|| Ok(OutputFile::stdout()), OutputFile::create)?,
            )?;
        }
        if let Some(split) = self.split.as_mut().filter(|_| !text.is_empty()) {
            let Split { folder, games, written } = split;
            let number = *written / *games + 1;
            *written += 1;
            if *written % *games == 1 % *games {
                let file = OutputFile::create(&folder.join(format!("{number:06}.pdn")))?;
                self.begin(number, file)?;
            }
        }
        self.write(text)
    }

    /// Begins another file, and commits the one before it.
    fn begin(&mut self, number: usize, file: OutputFile) -> anyhow::Result<()> {
        let before = self.current.replace((number, file));
        Ok(before.map_or(Ok(()), |(_, done)| done.commit())?)
    }

    pub(super) fn write(&mut self, text: &str) -> anyhow::Result<()> {
        if let Some((path, games)) = &mut self.library {
            games.add(text).map_err(|error| library_error(path, &error))?;
        } else if let Some((_, out)) = &mut self.current {
            out.write_with(|out| out.write_all(text.as_bytes()))?;
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
        let is_added = self.current.is_none();
        if let Some((path, games)) = self.library.filter(|_| readable || is_added) {
            let report = games.finish().map_err(|error| library_error(&path, &error))?;
            if is_added {
                say(&format!(
                    "{} added; already there: {}",
                    counted(report.added as u64, "game"),
                    report.known
                ));
            }
        }
        if let Some((_, out)) = self.current {
            if !readable && !self.in_place && !out.is_written_directly() {
                bail!("nothing is written, since an input cannot be read");
            }
            out.commit()?;
        }
        if let Some(split) = self.split {
            split.folder.commit();
        }
        Ok(if readable { well.into() } else { Status::Unreadable })
    }
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
