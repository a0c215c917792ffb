//! Compares the wording of comments, help and documents with the list in `tests/data/words.txt`.

use std::fs;
use std::path::{Path, PathBuf};

use super::documents::{ROOT, documents, prose};
use crate::support::kelso;

/// A turn of phrase and its replacement.
struct Phrase {
    text: String,
    /// Whether only the first words of a comment are compared.
    begins: bool,
    remedy: String,
}

impl Phrase {
    fn parse(line: &str) -> Self {
        let (pattern, remedy) = line.split_once('|').expect("a pattern and a remedy");
        let (pattern, remedy) = (pattern.trim_end(), remedy.trim().to_owned());
        let text = pattern.trim_start_matches('^').to_owned();
        Self { text, begins: pattern.starts_with('^'), remedy }
    }

    fn is_in(&self, line: &str, begins: bool) -> bool {
        if self.begins {
            begins
                && line.strip_prefix(&self.text).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        } else {
            // Case-sensitive, so that code such as `None if x` is no match.
            line.contains(&self.text)
        }
    }
}

fn phrases() -> Vec<Phrase> {
    let lines = include_str!("../data/words.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(Phrase::parse).collect()
}

/// Returns the faults about numbered lines. The flag marks a line that begins a comment.
fn faults<'a>(name: &str, lines: impl Iterator<Item = (usize, &'a str, bool)>) -> Vec<String> {
    let phrases = phrases();
    lines
        .flat_map(|(number, line, begins)| {
            let found = phrases.iter().filter(move |phrase| phrase.is_in(line, begins));
            found.map(move |phrase| {
                format!("{name}:{number}: \"{}\"; write: {}\n  {line}", phrase.text, phrase.remedy)
            })
        })
        .collect()
}

/// Returns the text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).trim_start())
}

/// Returns the comments of a source file, line by line.
fn comments(source: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let before = std::iter::once("").chain(source.lines());
    (1..).zip(before.zip(source.lines())).filter_map(|(number, (before, line))| {
        comment(line).map(|text| (number, text, comment(before).is_none_or(str::is_empty)))
    })
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn comments_avoid_the_listed_words() {
    let mut files = Vec::new();
    for folder in ["crates", "src", "tests", "examples"] {
        sources(&Path::new(ROOT).join(folder), &mut files);
    }
    let all: Vec<String> = files
        .iter()
        .flat_map(|path| faults(&path.display().to_string(), comments(&fs::read_to_string(path).unwrap())))
        .collect();
    assert!(files.len() > 100 && all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn documents_and_help_avoid_the_listed_words() {
    let mut all = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let lines = prose(&text).into_iter().map(|(number, line)| (number, line, false));
        all.extend(faults(&path.display().to_string(), lines));
    }
    let mut session = kelso();
    let output = session.arg("--help").output().unwrap();
    let mut texts = vec![String::from_utf8(output.stdout).unwrap()];
    texts.extend(kelso_laboratory::REGISTRY.options().into_iter().map(|option| option.help.to_owned()));
    for text in &texts {
        all.extend(faults("help", (1..).zip(text.lines()).map(|(number, line)| (number, line, false))));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn listed_words_are_found() {
    let source =
        "/// Returns true if it fits; none if it\n/// Its end.\nlet x = 1; // Its name.\n// Its name.\n";
    let found = faults("x", comments(source));
    let begins = |start: &str| found.iter().any(|line| line.starts_with(start));
    assert!(
        begins("x:1: \"none if\"") && begins("x:1: \"Returns true\"") && begins("x:4: \"Its\""),
        "{found:?}"
    );
    assert!(!begins("x:2") && !begins("x:3"), "{found:?}");
}
