//! Lists the modules of the page's script: the scripts in `src/page`.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

/// The scripts that are not in the list: those that the page loads separately, and the module that the static
/// site replaces.
const SEPARATE: [&str; 2] = ["boot.js", "transport.js"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/page");
    let names = fs::read_dir("src/page")?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect::<io::Result<_>>()?;
    names.retain(|name| {
        Path::new(name).extension().is_some_and(|extension| extension == "js")
            && !SEPARATE.contains(&name.as_str())
    });
    names.sort();
    let mut list = String::new();
    for name in &names {
        // The folder of the package is expanded by the compiler, so that the list is the same in any folder.
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src/page/{name}\")");
        let _ = writeln!(list, "({name:?}, include_str!({path})),");
    }
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("modules.rs"), format!("[\n{list}]\n"))
}
