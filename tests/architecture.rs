//! The picture of the rooms, `docs/rooms.svg`, is held against the imports: every folder of `src` is in it, and uses
//! only what stands below it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The rows of the picture from the top, each with its rooms.
fn rows() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/rooms.svg")).unwrap();
    let picture = roxmltree::Document::parse(&text).unwrap();
    let of_class = |node: &roxmltree::Node<'_, '_>, class: &str| node.attribute("class") == Some(class);
    let rooms = |row: roxmltree::Node<'_, '_>| {
        let rooms = row.descendants().filter(|node| of_class(node, "room"));
        rooms.map(|room| room.text().unwrap().to_owned()).collect()
    };
    picture.descendants().filter(|node| of_class(node, "row")).map(rooms).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

/// The rooms that a source names behind `crate::`, but for comments and tests.
fn used(source: &str) -> BTreeSet<String> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = lines.join("\n");
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(name(rest));
            continue;
        };
        // The names at the first depth of a list in braces.
        let (mut depth, mut begins) = (0, true);
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if c.is_whitespace() => {}
                _ if begins => {
                    names.insert(name(&list[at..]));
                    begins = false;
                }
                _ => {}
            }
        }
    }
    names
}

#[test]
fn imports_go_down_the_picture() {
    let rows = rows();
    let row_of = |room: &str| rows.iter().position(|row| row.iter().any(|name| name == room));
    let mut rooms = BTreeSet::new();
    for entry in std::fs::read_dir(Path::new(ROOT).join("src")).unwrap() {
        let path = entry.unwrap().path();
        let room = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if room == "lib" || room == "main" {
            continue;
        }
        let row = row_of(&room).unwrap_or_else(|| panic!("docs/rooms.svg has no {room}: put it into a row"));
        for file in if path.is_dir() { sources(&path) } else { vec![path] } {
            for other in used(&std::fs::read_to_string(&file).unwrap()) {
                // What is no room is an item of lib.rs.
                let Some(below) = row_of(&other).filter(|_| other != room) else { continue };
                assert!(below > row, "{}: {room} uses {other}, which is not below it", file.display());
            }
        }
        rooms.insert(room);
    }
    let drawn: BTreeSet<String> = rows.into_iter().flatten().collect();
    assert_eq!(drawn, rooms, "docs/rooms.svg has rooms that are not there");
}

#[test]
fn imports_are_found() {
    let names = |source: &str| used(source).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(names("use crate::board::Move;\n// crate::eval\nlet x = crate::egdb::open();"), "board egdb");
    assert_eq!(
        names("use crate::{board::{Move, Game}, notation::fen,\n    search};"),
        "board notation search"
    );
    assert_eq!(names("use crate::board::Move;\n#[cfg(test)]\nmod tests {\n use crate::eval::X;\n}"), "board");
}
