//! The endgame databases of commands: how they are opened, and messages about them.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use crate::cli::outcome::say;
use kelso_endgames::{
    DatabaseError, DatabaseOptions, Databases, MissingFiles, Slice, check_folder, installed_folder,
};

/// The maximum number of pieces of databases that users build by default.
pub const DEFAULT_PIECES: u32 = 6;

/// Returns the options that open the databases in the directory that `--egdb` names, or in the data
/// directory.
pub fn options(named: Option<&PathBuf>, pieces: u32) -> anyhow::Result<DatabaseOptions> {
    if let Some(folder) = named {
        let metadata = folder.metadata().with_context(|| format!("cannot read \"{}\"", folder.display()))?;
        ensure!(metadata.is_dir(), "\"{}\" is not a directory", folder.display());
        if let Err(DatabaseError::Incomplete(missing)) = check_folder(folder) {
            bail!("{}", creatable(&missing));
        }
    }
    let folder = named.cloned().or_else(installed_folder);
    Ok(DatabaseOptions { folder, pieces, ..DatabaseOptions::default() })
}

/// Reports errors of databases on standard error. Returns whether all files can be used.
pub fn report_errors(databases: &Databases) -> bool {
    let mut valid = true;
    for error in databases.take_errors() {
        match error {
            DatabaseError::Incomplete(missing) => say(&format!("note: {}", creatable(&missing))),
            error => {
                say(&format!("error: {error}"));
                valid = false;
            }
        }
    }
    valid
}

fn creatable(missing: &MissingFiles) -> String {
    format!("{missing}; create them with `kelso egdb build`")
}

pub fn remedy(slice: Slice) -> String {
    format!("create it with `kelso egdb build --slice {slice}`, or use --egdb")
}

/// Tells a user without endgame databases how to build them, if standard error is a terminal.
pub fn tip() {
    if stderr().is_terminal() && installed_folder().is_none() {
        say(&format!(
            "tip: with databases of {DEFAULT_PIECES} pieces, Kelso plays such endings perfectly.\n\
             \"kelso egdb build\" builds them in a few minutes, 68 MB."
        ));
    }
}
