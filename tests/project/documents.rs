//! Tests of the documents: transcripts are replayed, commands run, and links followed.

use std::path::{Path, PathBuf};

use crate::helpers::tools::has;
use crate::helpers::{Folder, kelso, result};
use kelso_transcripts::markdown::blocks;

pub(super) const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the Markdown files next to `Cargo.toml`, in `docs`, and next to the weights.
pub(super) fn documents() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let folders = [root.to_owned(), root.join("docs")];
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .chain([root.join("crates/engine/src/eval/data/README.md")])
        .collect();
    paths.sort();
    paths
}

/// Returns the lines of a document outside code and tables, with their numbers.
pub(super) fn prose(text: &str) -> Vec<(usize, &str)> {
    let blocks = blocks(text);
    let code = |number: usize| {
        blocks.iter().any(|block| (block.first_line..block.first_line + block.lines).contains(&number))
    };
    (1..).zip(text.lines()).filter(|(number, line)| !code(*number) && !line.starts_with('|')).collect()
}

/// Returns the anchor that GitHub gives a heading: `#5-options` for `## 5. Options`.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[test]
fn links_have_targets() {
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let targets = text.lines().flat_map(links).filter(|target| !target.contains("://"));
        for target in targets {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: no {target}", path.display());
            if !heading.is_empty() {
                let there = std::fs::read_to_string(&file).unwrap();
                let mut headings = prose(&there).into_iter().filter(|(_, line)| line.starts_with('#'));
                assert!(
                    headings.any(|(_, line)| anchor(line) == heading),
                    "{}: no heading {target}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn files_named_in_documents_exist() {
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in prose(&text) {
            let code = line.split('`').skip(1).step_by(2);
            let words = code.filter_map(|code| code.split_whitespace().next());
            for name in words.filter(|word| {
                ["src/", "tests/", "examples/", "docs/", ".ci/"].iter().any(|folder| word.starts_with(folder))
            }) {
                assert!(Path::new(ROOT).join(name).exists(), "{}:{number}: no {name}", path.display());
            }
        }
    }
}

#[test]
fn lines_are_no_wider_than_code() {
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in prose(&text) {
            assert!(line.chars().count() <= 110, "{}:{number}: wider than 110", path.display());
        }
    }
}

#[test]
fn the_readme_is_short() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    assert!(text.lines().count() <= 160);
    // Every page must be linked.
    for path in documents() {
        let name = path.strip_prefix(ROOT).unwrap().to_str().unwrap().replace('\\', "/");
        if name.starts_with("docs/") {
            assert!(text.contains(&format!("({name})")), "README.md has no link to {name}");
        }
    }
}

/// `Cargo.toml` has the address of the repository. While it is empty, no other file may have one.
#[test]
fn the_address_of_the_repository_is_that_of_the_manifest() {
    let address = env!("CARGO_PKG_REPOSITORY");
    let mut places = vec![
        ("CITATION.cff".into(), "repository-code: "),
        ("pyproject.toml".into(), "Repository = "),
        ("packaging/npm/package.json".into(), "\"repository\": "),
        ("README.md".into(), "git clone "),
    ];
    places.extend(documents().into_iter().map(|path| (path, "git clone ")));
    for (path, before) in places {
        let text = std::fs::read_to_string(Path::new(ROOT).join(&path)).unwrap();
        let mut found: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix(before)).collect();
        for value in &mut found {
            *value = value.trim_end_matches(',').trim_matches('"');
        }
        found.dedup();
        let may_miss = address.is_empty() || path.is_absolute();
        assert!(
            found == [address] || may_miss && found.is_empty(),
            "{}: {found:?}, not {address:?}",
            path.display()
        );
    }
}

/// Runs all commands in a document. Returns the differences from the documented output. The commands write
/// their files to a folder of this run, since two runs of the tests may overlap.
fn differences(document: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_kelso"));
    let folder = Folder::new();
    let files = folder.path("kelso-");
    let examples =
        crate::helpers::console::examples(&document.replace("/tmp/kelso-", files.to_str().unwrap()));
    examples.iter().filter_map(|example| example.check(Path::new(ROOT), program).err()).collect()
}

#[test]
fn commands_print_the_documented_output() {
    if !has("sh") {
        return;
    }
    let all: Vec<String> = documents()
        .iter()
        .flat_map(|path| {
            let found = differences(&std::fs::read_to_string(path).unwrap());
            found.into_iter().map(move |difference| format!("{}:\n{difference}", path.display()))
        })
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The first block of README.md that plays a match needs nothing but the program.
#[test]
fn the_match_of_the_readme_is_played() {
    if !has("sh") {
        return;
    }
    let text = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let command = text.lines().find_map(|line| line.strip_prefix("kelso match --engine random ")).unwrap();
    let folder = Folder::new();
    let command = format!("{} match --engine random {command}", env!("CARGO_BIN_EXE_kelso"));
    let output =
        std::process::Command::new("sh").args(["-c", &command]).current_dir(&folder).output().unwrap();
    let (out, errors, status) = result(&output);
    assert_eq!(status, Some(0), "{errors}");
    assert!(out.contains("\nlevel-1 "), "{out}");
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
fn a_command_with_another_result_fails() {
    if !has("sh") {
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
    // Commands are run in the project's folder.
    assert_eq!(example("$ ls Cargo.toml\nCargo.toml"), none);
}

/// The Elo difference follows from the score, so this finds mistyped rows.
#[test]
fn experiments_agree_with_their_games() {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/experiments.tsv")).unwrap();
    let rows = text.lines().skip(1).filter_map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 12, "{line}");
        let numbers = cells[5..10].iter().map(|cell| cell.parse::<i32>());
        let numbers: Vec<i32> = numbers.collect::<Result<_, _>>().ok()?;
        let [games, won, drawn, lost, elo] = numbers.try_into().unwrap();
        assert_eq!(games, won + drawn + lost, "{line}");
        let score = (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(games);
        let expected = -400.0 * (1.0 / score - 1.0).log10();
        assert!((expected - f64::from(elo)).abs() <= 1.0, "{line}: {expected:.1}");
        Some(())
    });
    assert!(rows.count() > 70);
}
