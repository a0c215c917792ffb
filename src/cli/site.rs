//! `kelso site`: the board as static files.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};

use crate::cli::outcome::{Outcome, Status};
use kelso_batch::file::NewFolder;
use kelso_runtime::files::read_regular;
use kelso_web::server::site;

/// The first bytes of a WebAssembly module.
const MAGIC: &[u8] = b"\0asm\x01\0\0\0";

/// Generate a static website with the board and a built-in engine
///
/// Any web server can serve the files: the engine runs in the browser, as a WebAssembly module. Release
/// archives contain the module; in a checkout, the script `.ci/site` builds it and calls this command.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory to create; must not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// WebAssembly file of the engine; default: kelso.wasm next to this program
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
}

pub fn run(args: &Args) -> Outcome {
    let Args { folder, module } = args;
    let (module, hint) = if let Some(module) = module {
        (module.clone(), "")
    } else {
        let program = env::current_exe().context("cannot find this program")?;
        (program.with_file_name("kelso.wasm"), "; build the module with .ci/site, or name it with --module")
    };
    let bytes = read_regular(&module, u64::MAX)
        .map_err(|error| anyhow!("cannot read \"{}\": {error}{hint}", module.display()))?;
    if !is_complete(&bytes) {
        bail!("\"{}\" is not a complete WebAssembly module", module.display());
    }
    let folder = NewFolder::create(folder)?;
    site::write(&folder, &bytes).with_context(|| format!("cannot write \"{}\"", folder.display()))?;
    folder.commit();
    Ok(Status::Success)
}

/// Returns whether a module ends with a section. A section is its kind, the size of its contents as a LEB128
/// number, and the contents.
fn is_complete(module: &[u8]) -> bool {
    let Some(mut rest) = module.strip_prefix(MAGIC) else { return false };
    while let [_, section @ ..] = rest {
        let digits = section.iter().take_while(|&byte| byte & 0x80 != 0).count() + 1;
        let size = section
            .iter()
            .take(digits)
            .rev()
            .fold(0_usize, |size, byte| (size << 7) | usize::from(byte & 0x7f));
        let Some(after) = section.get(digits..).and_then(|contents| contents.get(size..)) else {
            return false;
        };
        rest = after;
    }
    true
}
