//! Lists the modules of the page's script: the scripts in `src/page`.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

/// The scripts that the page loads separately.
const SEPARATE: [&str; 2] = ["boot.js", "text-de.js"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/page");
    let paths = fs::read_dir(env::current_dir()?.join("src/page"))?.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<_> = paths.collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "js"));
    paths.sort();
    let mut list = String::new();
    for path in &paths {
        let (path, name) = (path.to_string_lossy(), path.file_name().unwrap_or_default().to_string_lossy());
        if !SEPARATE.contains(&&*name) {
            let _ = writeln!(list, "({name:?}, include_str!({path:?})),");
        }
    }
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("modules.rs"), format!("[\n{list}]\n"))
}
