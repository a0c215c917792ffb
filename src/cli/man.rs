//! `kelso man`.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::cli::Arguments;
use crate::cli::outcome::{Outcome, Status};
use kelso_batch::file::{self, NewFolder};

/// Write manual pages to a new directory, one per command
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory to create; must not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: &Args) -> Outcome {
    let folder = NewFolder::create(&args.folder)?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    write(&command, &folder)?;
    folder.commit();
    Ok(Status::Success)
}

/// Writes the pages of a command and its subcommands.
fn write(command: &clap::Command, folder: &Path) -> anyhow::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let mut text = Vec::new();
    let source = concat!("Kelso ", env!("CARGO_PKG_VERSION"));
    let usage = command.clone().render_usage().to_string().replace("Usage: ", "");
    let command = command.clone().override_usage(usage);
    // Leave out the date, so that every build has identical pages.
    let page = Man::new(command.clone()).title(name).date("\"\"").source(source).manual("Kelso");
    page.render(&mut text)?;
    file::write(&folder.join(format!("{name}.1")), &text)?;
    let mut commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    commands.try_for_each(|next| write(next, folder))
}
