//! Manual pages and completions, as packages install them.

use std::process::Command;

use crate::helpers::tools::has;
use crate::helpers::{Folder, kelso, result};

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let run = || result(&kelso().args(["man", "pages"]).current_dir(&folder).output().unwrap());
    assert_eq!(run(), (String::new(), String::new(), Some(0)));
    let mut pages: Vec<_> =
        std::fs::read_dir(folder.path("pages")).unwrap().map(|page| page.unwrap().path()).collect();
    pages.sort();
    let names: Vec<_> = pages.iter().map(|page| page.file_name().unwrap().to_str().unwrap()).collect();
    for name in ["kelso.1", "kelso-play.1", "kelso-egdb.1", "kelso-egdb-build.1"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert!(!names.contains(&"kelso-random-engine.1"), "a hidden command");
    let build = folder.read("pages/kelso-egdb-build.1");
    assert!(build.contains("kelso egdb build") && build.contains("pieces"), "{build}");
    let usage = "kelso match\\fR [OPTIONS] \\-\\-engine <WORDS>";
    assert!(folder.read("pages/kelso-match.1").contains(usage), "{}", folder.read("pages/kelso-match.1"));
    if has("mandoc") {
        let lint = Command::new("mandoc").args(["-T", "lint", "-W", "error"]).args(&pages).output().unwrap();
        assert!(lint.status.success(), "{}", String::from_utf8_lossy(&lint.stdout));
    }
    let (_, error, status) = run();
    assert_eq!(status, Some(2));
    assert!(error.starts_with("error: cannot create \"pages\": "), "{error}");
}

#[test]
fn completions_can_be_read_by_their_shells() {
    let folder = Folder::new();
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "-n")] {
        let (text, error, status) = result(&kelso().args(["completions", shell]).output().unwrap());
        assert_eq!((error.as_str(), status), ("", Some(0)));
        assert!(text.contains("kelso") && text.contains("analyse") && text.contains("divide"), "{shell}");
        folder.write(shell, &text);
        if has(shell) {
            let run = Command::new(shell).args([check, shell]).current_dir(&folder).output().unwrap();
            assert!(run.status.success(), "{shell}: {}", String::from_utf8_lossy(&run.stderr));
        }
    }
    let (_, error, status) = result(&kelso().args(["completions", "tcsh"]).output().unwrap());
    assert_eq!(status, Some(2));
    assert!(error.contains("bash"), "{error}");
}

/// The exit status is the same as for any output that cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for words in [&["--help"][..], &["--version"], &["match", "--help"], &["completions", "bash"]] {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = kelso().args(words).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(error, "error: cannot write the output: No space left on device\n", "{words:?}");
    }
}

#[test]
fn the_version_names_the_commit_and_the_instructions() {
    let (out, ..) = result(&kelso().arg("--version").output().unwrap());
    let mut expected = concat!("kelso ", env!("CARGO_PKG_VERSION"), " (").to_owned();
    if std::path::Path::new(".git").exists() {
        let commit = Command::new("git").args(["rev-parse", "--short=9", "HEAD"]).output().unwrap();
        expected = format!("{expected}commit {}, ", result(&commit).0.trim());
    }
    let instructions = out.trim_end().strip_prefix(&expected).unwrap_or_else(|| panic!("{out}"));
    assert!(["AVX-512)", "AVX2)", "baseline instructions)"].contains(&instructions), "{out}");
}
