//! Tests of rules for the crates in `docs/architecture.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::documents::ROOT;

/// Returns the files of a folder, at any depth.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(&folder) else { return vec![folder] };
    entries.flat_map(|entry| files(entry.unwrap().path())).collect()
}

/// Returns the code of the crates without the program, with the path of each file.
fn sources() -> impl Iterator<Item = (PathBuf, String)> {
    let crates = fs::read_dir(Path::new(ROOT).join("crates")).unwrap();
    let paths = crates.flat_map(|entry| files(entry.unwrap().path().join("src")));
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "rs")).map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    })
}

/// The table of the architecture lists each crate below those on which it depends.
#[test]
fn crates_depend_only_on_those_above_them() {
    let document = fs::read_to_string(Path::new(ROOT).join("docs/architecture.md")).unwrap();
    let table = document.split("\n\n").find(|part| part.starts_with("| crate |")).unwrap();
    let names: Vec<_> =
        table.lines().filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0)).collect();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(ROOT);
    let metadata: Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let listed = |package: &Value| {
        let name = package["name"].as_str().unwrap();
        let name = if name == "kelso" { "src" } else { name.strip_prefix("kelso-")? };
        (name != "fuzz")
            .then(|| (name.to_owned(), names.iter().position(|listed| *listed == name).expect(name)))
    };
    for package in metadata["packages"].as_array().unwrap() {
        let Some((name, place)) = listed(package) else { continue };
        for (other, above) in package["dependencies"].as_array().unwrap().iter().filter_map(listed) {
            assert!(above < place || other == name, "{name} depends on {other}");
        }
    }
}

/// The manifest excludes `crates/python` from the default members by the first letters.
#[test]
fn only_one_crate_begins_with_py() {
    let crates = fs::read_dir(Path::new(ROOT).join("crates")).unwrap();
    let mut names = crates.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.find(|name| name.starts_with("py") && name != "python"), None);
}

#[test]
fn crates_name_no_options() {
    let names_option = |line: &&str| {
        let mut rests = line.match_indices("--").filter(|&(at, _)| line[..at].ends_with([' ', '"', '`']));
        rests.any(|(at, _)| line[at + 2..].starts_with(|c: char| c.is_ascii_lowercase()))
    };
    for (path, text) in sources().filter(|(path, _)| !path.ends_with("testing.rs")) {
        let code = text.split("\nmod tests {").next().unwrap();
        let mut code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        assert_eq!(code.find(names_option), None, "{}", path.display());
    }
}

/// The program looks for an error of a file in the errors that pass it on, to name the option that remedies it.
#[test]
fn the_program_knows_all_errors_that_pass_on_one_of_a_file() {
    let program = fs::read_to_string(Path::new(ROOT).join("src/failure.rs")).unwrap();
    for (path, text) in sources() {
        for (at, _) in text.match_indices("(#[from] RunError)") {
            let (rest, variants) = text[..at].rsplit_once(" {\n").unwrap();
            let (_, name) = rest.rsplit_once("pub enum ").unwrap();
            let variant = variants.split_whitespace().last().unwrap();
            let pattern = format!("Some({name}::{variant}(error))");
            assert!(program.contains(&pattern), "{pattern} for {}", path.display());
        }
    }
}
