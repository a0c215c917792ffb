//! Input files, output files and reports.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::cli::source::GameSource;
use crate::cli::values::{output, output_file};
use kelso_batch::outputs::{OutputPath, Outputs};

/// The option that permits replacing files.
#[derive(clap::Args, Debug)]
pub(crate) struct Overwrite {
    /// Overwrite existing output files
    #[arg(long)]
    pub(super) overwrite: bool,
}

impl Overwrite {
    pub(crate) fn outputs(&self) -> Outputs {
        Outputs::new(self.overwrite)
    }
}

/// The output file of a command.
#[derive(clap::Args, Debug)]
pub(crate) struct OutFile {
    /// Write the result to FILE
    #[arg(long, short, value_name = "FILE", value_parser = output_file())]
    pub(crate) out: OutputPath,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
}

impl OutFile {
    /// Returns the outputs of a command that writes this file and reads `inputs`.
    pub(crate) fn reading<P: AsRef<Path>>(&self, inputs: impl IntoIterator<Item = P>) -> Outputs {
        self.overwrite.outputs().reads(inputs).writes([&self.out])
    }
}

/// Files that contain games.
#[derive(clap::Args, Debug)]
pub(crate) struct GameFiles {
    /// PDN files, directories (searched recursively), or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl GameFiles {
    /// Lists the files, including those in directories.
    pub(crate) fn sources(&self) -> anyhow::Result<Vec<GameSource>> {
        let sources = GameSource::all(&self.files);
        if sources.is_empty() {
            bail!("no PDN files found");
        }
        Ok(sources)
    }
}

/// Reports in addition to the one on the screen.
#[derive(clap::Args, Debug)]
pub(crate) struct Reports {
    /// Also write the report as JSON
    #[arg(long, value_name = "FILE", value_parser = output())]
    pub(crate) json: Option<OutputPath>,
    /// Also write the report as an HTML page with the games
    #[arg(long, value_name = "FILE", value_parser = output())]
    pub(crate) html: Option<OutputPath>,
}

impl Reports {
    /// Returns whether any report is written to a file.
    pub(crate) fn are_files(&self) -> bool {
        self.paths().any(|path| path.as_file().is_some())
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &OutputPath> {
        self.json.iter().chain(&self.html)
    }
}

/// The form of the output.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Json {
    /// Write JSON lines
    #[arg(long)]
    pub(crate) json: bool,
}

/// Formats a heading and its first items, one per line. `hint` follows the number of items left out.
pub(crate) fn listing(heading: &str, items: &[impl Display], hint: &str) -> String {
    const SHOWN: usize = 20;
    let mut lines = vec![heading.to_owned()];
    lines.extend(items.iter().take(SHOWN).map(|item| format!("  {item}")));
    if items.len() > SHOWN {
        lines.push(format!("  and {} more{hint}", items.len() - SHOWN));
    }
    lines.join("\n")
}
