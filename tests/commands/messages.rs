//! The error messages of all commands, for review in `tests/data/messages`, a file for each command.
//!
//! Each entry of a file is a command (`$ kelso ...`), its input (`> ...`), and the messages. With
//! `KELSO_UPDATE` set, the messages are replaced by the actual ones. Lists that change with every option or
//! evaluation are left out.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use super::outputs::{commands, with_inputs};
use crate::helpers::{Folder, Variable, kelso};
use kelso_draughts::referee::DrawRules;
use kelso_engine::OPTIONS;
use kelso_laboratory::{evaluation_names, searcher_names};
use kelso_protocol::Dialect;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/messages");

/// Splits a line into words as a shell does, with double quotes around words that contain spaces.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let mut words = vec![String::new()];
    for (index, part) in parts {
        let mut pieces: Vec<&str> = if index % 2 == 0 { part.split(' ').collect() } else { vec![part] };
        words.last_mut().unwrap().push_str(pieces.remove(0));
        words.extend(pieces.into_iter().map(str::to_owned));
    }
    words
}

/// Runs a command and returns its messages: standard error and, if there is input, standard output without
/// boards.
fn messages(folder: &Folder, command: &str, input: &str) -> String {
    let mut child = kelso()
        .args(words(command).iter().filter(|word| !word.is_empty()))
        .current_dir(folder)
        .env_remove("KELSO_EGDB")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails immediately may not read its input.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(!input.is_empty() || !output.status.success(), "kelso {command} succeeds");
    let shown = if input.is_empty() { &[][..] } else { &output.stdout[..] };
    let text = String::from_utf8([shown, &output.stderr].concat()).unwrap();
    let others = ["|", "+", "Moves: ", "Person plays", "For more information", "Usage: "];
    let is_message =
        |line: &&str| !line.trim().is_empty() && !others.iter().any(|other| line.starts_with(other));
    lines(text.lines().filter(is_message))
}

/// Joins lines, ending each with a newline.
fn lines<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(unix)]
#[test]
fn every_message_is_the_reviewed_one() {
    let folder = with_inputs();
    folder.write("empty.pdn", "");
    folder.write("bad.pdn", "[Event \"e\"]\n1. 11-15 23-99 1-0\n");
    folder.write("tag.pdn", "[OpeningPlies \"two\"]\n1. 11-15 23-19 1-0\n");
    folder.write("open.pdn", "[Event \"e\"]\n1. 11-15 *\n");
    folder.write("notes.txt", "Dear diary\n");
    let leaf = "leaves 1\n42v11 00000000\nwin 0\nhold 0\nend\n";
    folder.write("proof.txt", format!("kelso-proof 1\nposition W:WK28:BK1\nclaim draw\n{leaf}"));
    folder.write("ended.txt.state", "Dear diary\n");
    folder.write("module.wasm", b"\0asm\x01\0\0\0");
    let lists = [
        ("[options]", OPTIONS.iter().map(|option| option.name).collect::<Vec<_>>().join(", ")),
        ("[evaluations]", evaluation_names().join(", ")),
        ("[searchers]", searcher_names().join(", ")),
        ("[draw rules]", DrawRules::EXPECTED.to_owned()),
        ("[protocols]", Dialect::ALL.map(Dialect::name).join(", ")),
        ("[protocols]", Dialect::names()),
    ];
    let mut all = Vec::new();
    commands("", &mut all);
    let names: BTreeSet<&str> = all.iter().filter_map(|(name, _)| name.split(' ').next()).collect();
    let mut different = Vec::new();
    for name in names {
        let of = if name.is_empty() { "kelso" } else { name };
        let file = Path::new(FOLDER).join(of).with_extension("txt");
        let known = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let entry = |entry: &str| {
            let command = entry.lines().next().and_then(|line| line.strip_prefix("$ kelso")).unwrap();
            assert!(of == "kelso" || command.split(' ').nth(1) == Some(of), "{entry} in {of}.txt");
            let input: Vec<&str> = entry.lines().filter(|line| line.starts_with("> ")).collect();
            let sent = lines(input.iter().map(|line| &line[2..]));
            let messages = messages(&folder, command.trim_start(), &sent);
            let short = lists.iter().fold(messages, |text, (name, list)| text.replace(list, name));
            ["$ kelso", command, "\n", &lines(input.into_iter()), &short].concat()
        };
        let actual = known.split("\n\n").map(|text| entry(text.trim())).collect::<Vec<_>>().join("\n");
        if Variable::Update.read().is_some() {
            fs::write(&file, actual).unwrap();
        } else if actual != known {
            different.push(of.to_owned());
        }
    }
    assert!(different.is_empty(), "{different:?} differ; run with KELSO_UPDATE=1 and read the changes");
}
