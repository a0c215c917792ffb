//! Groups of options that several commands share.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};

use super::say;
use common::checkpoint::{Checkpoint, CheckpointHeader, Leniency, OpenMode};
use common::outputs::Outputs;
use protocol::Dialect;

/// Permission to replace files.
#[derive(clap::Args, Debug)]
pub(super) struct Overwrite {
    /// Replace existing output files
    #[arg(long)]
    overwrite: bool,
}

impl Overwrite {
    /// Begins the declaration of a command's outputs.
    pub(super) const fn outputs(&self) -> Outputs {
        Outputs::new(self.overwrite)
    }
}

/// How games in PDN are read.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Reading {
    /// Read men on the row where they are crowned as kings; otherwise such a position is an error
    #[arg(long)]
    pub(super) crown: bool,
}

/// Reports besides the one on the screen.
#[derive(clap::Args, Debug)]
pub(super) struct Reports {
    /// Also write the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Also write the report as an HTML page with the games
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
}

impl Reports {
    /// Whether any is written to a file.
    pub(super) fn are_files(&self) -> bool {
        [&self.json, &self.html].into_iter().flatten().any(|path| path.as_os_str() != "-")
    }

    /// Adds them to a command's outputs.
    pub(super) fn declare(&self, outputs: Outputs) -> Outputs {
        outputs.writes("--json", self.json.as_ref()).writes("--html", self.html.as_ref())
    }
}

/// What may be wrong with a state that is used all the same.
#[derive(clap::Args, Debug)]
pub(super) struct Lenient {
    /// Accept results of another build of the program, or of an engine that has changed
    #[arg(long)]
    any_program: bool,
    /// Use what can be read of a damaged file
    #[arg(long)]
    salvage: bool,
}

impl Lenient {
    pub(super) const fn leniency(&self) -> Leniency {
        Leniency { any_program: self.any_program, salvage: self.salvage }
    }
}

/// What becomes of the files of an earlier run.
#[derive(clap::Args, Debug)]
pub(super) struct Rerun {
    /// Resume an interrupted run, or begin one
    #[arg(long)]
    resume: bool,
    /// Replace existing files; with --resume, only reports are replaced
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    lenient: Lenient,
}

impl Rerun {
    /// The treatment of the files of an earlier run.
    pub(super) const fn mode(&self) -> OpenMode {
        OpenMode { resume: self.resume, overwrite: self.overwrite, leniency: self.leniency() }
    }

    /// Begins the declaration of the outputs of a run whose checkpoint has this name. Other files that it resumes with the
    /// checkpoint follow in `more`.
    pub(super) fn outputs<H: CheckpointHeader>(
        &self,
        name: &Path,
        more: &[&Path],
    ) -> anyhow::Result<Outputs> {
        Ok(self.mode().outputs::<H>(name, more)?)
    }

    pub(super) const fn leniency(&self) -> Leniency {
        self.lenient.leniency()
    }

    /// Resumes or creates a checkpoint. Calls `on_item` with every item that it already holds.
    pub(super) fn open<H: CheckpointHeader>(
        &self,
        name: &Path,
        header: H,
        on_item: &mut dyn FnMut(H::Item),
    ) -> anyhow::Result<Checkpoint<H>> {
        let (checkpoint, warnings) = Checkpoint::open(name, header, self.mode(), on_item)?;
        for warning in warnings {
            say(&format!("note: {warning}"));
        }
        Ok(checkpoint)
    }
}

/// Parses the name of a state: the extension of one of its files is left out.
pub(super) fn state_name() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.as_os_str() == "-" {
            return Err("a name is required, to which extensions are added".to_owned());
        }
        let known =
            path.extension().is_some_and(|end| ["jsonl", "pdn", "book"].iter().any(|known| end == *known));
        Ok(if known { path.with_extension("") } else { path })
    })
}

/// Parses the name of a protocol.
pub(super) fn dialect() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.map(|dialect| PossibleValue::new(dialect.name()).help(dialect.description()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Dialect>())
}

/// Parses the name of one of these values.
pub(super) fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    values: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find =
        move |text: String| values.into_iter().find(|&value| name(value) == text).ok_or("unknown name");
    PossibleValuesParser::new(values.map(name)).try_map(find)
}
