//! Names the commit for `--version`, if the program is built in a checkout of Git.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Sources from an archive may lie within another repository.
    if !Path::new(".git").exists() {
        return;
    }
    // This log changes with every commit and checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    if let (Some(log), Some(commit)) = (log, git(&["rev-parse", "--short=9", "HEAD"])) {
        println!("cargo::rerun-if-changed={log}");
        println!("cargo::rustc-env=KELSO_COMMIT={commit}");
    }
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
