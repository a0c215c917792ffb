//! What the documents show is what the program does: their transcripts are replayed and their commands run.

use std::path::{Path, PathBuf};

use crate::support::{kelso, result};
use kelso::transcript::markdown::blocks;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The Markdown files beside `Cargo.toml`.
fn documents() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(ROOT).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// Runs all commands of a document, and says how they differ from what it shows.
fn differences(document: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_kelso"));
    let examples = crate::support::console::examples(document);
    examples.iter().filter_map(|example| example.check(Path::new(ROOT), program).err()).collect()
}

#[test]
fn commands_print_what_is_shown() {
    if !crate::support::console::has_shell() {
        return;
    }
    for path in documents() {
        let differences = differences(&std::fs::read_to_string(&path).unwrap());
        assert!(differences.is_empty(), "{}:\n{}", path.display(), differences.join("\n"));
    }
}

#[test]
fn transcripts_hold() {
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        if blocks(&text).iter().any(|block| block.language == "transcript") {
            let (out, errors, status) =
                result(&kelso().arg("replay").arg(&path).current_dir(ROOT).output().unwrap());
            assert_eq!(status, Some(0), "{out}{errors}");
        }
    }
}

#[test]
fn a_command_that_does_otherwise_is_found_out() {
    if !crate::support::console::has_shell() {
        return;
    }
    let example = |text: &str| differences(&format!("# A\n\n```console\n{text}\n```\n"));
    let none: [String; 0] = [];
    for good in [
        "$ kelso perft 3\nperft 3 = 302\n[real] s, [..]",
        "$ kelso perft 3 | grep perft\nperft 3 = [n]\n$ echo a \\\n  b; echo c >&2\na b\nc",
        "$ pwd\n...\n$ seq 9\n1\n...\n9",
        "$ kelso perft none || echo \"status $?\"\nerror: [..]\n...\nstatus 2",
        "$ true",
    ] {
        assert_eq!(example(good), none);
    }
    for (bad, message) in [
        (
            "$ kelso perft 3\nperft 3 = 303\n...",
            "line 4: $ kelso perft 3\nexpected: < perft 3 = 303\n     got: < perft 3 = 302\n",
        ),
        ("$ echo a", "line 4: $ echo a\nexpected: the end\n     got: < a\n"),
        ("$ echo a\na\nb", "line 4: $ echo a\nexpected: < b\n     got: the end\n"),
        ("$ true\n$ exit 3", "line 5: $ exit 3\n"),
    ] {
        let found = example(bad);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(message), "{}", found[0]);
    }
    // Whatever the working directory of the tests, commands see the project.
    assert_eq!(example("$ ls Cargo.toml\nCargo.toml"), none);
}
