//! Tests of rules for the crates in `docs/architecture.md`.

use std::fs;
use std::path::{Path, PathBuf};

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

#[test]
fn errors_have_a_source_if_they_only_pass_it_on() {
    let mut count = 0;
    for (path, text) in sources() {
        for (attribute, variant) in text.lines().zip(text.lines().skip(1)) {
            let Some(message) = attribute.trim_start().strip_prefix("#[error(") else { continue };
            let has_source = variant.contains("#[from]") || variant.contains("#[source]");
            let passes_on = message == "\"{0}\")]" && !variant.contains("(String)");
            let place = format!("{}: {variant}", path.display());
            assert!(message != "transparent)]", "{place}: has only the source of its source");
            assert!(has_source || !passes_on, "{place}: lacks its source");
            assert!(!has_source || passes_on || !message.contains('{'), "{place}: states its source twice");
            count += usize::from(has_source);
        }
    }
    assert!(count > 20, "{count} errors have a source");
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
        let code = text.split("#[cfg(test)]").next().unwrap();
        let mut code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        assert_eq!(code.find(names_option), None, "{}", path.display());
    }
}
