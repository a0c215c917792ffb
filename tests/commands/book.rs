//! `kelso book`, and the engine with a book.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kelso_draughts::notation::pdn::PdnReader;
use kelso_engine::book::{Book, BookEntry};

use crate::helpers::engine::Kelso;
use crate::helpers::{Folder, kelso, result};

const START: &str = "B:W21-32:B1-12";

/// Runs a command in a folder. Returns its output, errors and status.
fn book(folder: &Folder, arguments: &str) -> (String, String, Option<i32>) {
    result(&kelso().arg("book").args(arguments.split(' ')).current_dir(folder).output().unwrap())
}

/// Runs a command that must succeed without messages, and returns its output.
fn good(folder: &Folder, arguments: &str) -> String {
    let (out, errors, status) = book(folder, arguments);
    assert_eq!((errors.as_str(), status), ("", Some(0)), "{arguments}");
    out
}

const BUILD: &str = "build --nodes 300 --threads 1 --roots start --quiet";

#[test]
fn a_book_is_built_probed_and_exported() {
    let folder = Folder::new();
    let out = good(&folder, &format!("{BUILD} --positions 500 --out a"));
    assert!(out.starts_with("a.book: 50") && out.contains("\nfirst root "), "{out}");
    let out = good(&folder, "verify --book a.book");
    assert!(out.contains("all values are consistent"), "{out}");
    let out = good(&folder, "info --book a.book");
    assert!(out.contains("; 300 nodes, width 5, endings of 5; from start\n"), "{out}");
    assert!(out.contains("\nbest play from the start, "), "{out}");
    let out = good(&folder, &format!("probe --book a.book {START}"));
    assert_eq!(out.lines().count(), 9, "{out}");
    let (out, _, status) = book(&folder, "probe --book a.book B:WK1:BK32");
    assert_eq!((out.as_str(), status), ("B:WK1:BK32: not in the book\n", Some(1)));
    let ballots = good(&folder, "info --book a.book --ballots");
    assert_eq!(ballots.lines().count(), 175);
    assert_eq!(ballots.lines().filter(|line| line.contains("barred")).count(), 17, "{ballots}");
    // Export PDN, for other programs.
    let start = good(&folder, "probe --book a.book startpos");
    assert_eq!(start, good(&folder, &format!("probe --book a.book {START}")));
    let moved = good(&folder, "probe --book a.book startpos --moves 11-15");
    assert!(moved.starts_with("W:W21,22"), "{moved}");
    assert!(good(&folder, "export a.book").starts_with("[Event \"Opening book\"]\n"));
    good(&folder, "export a.book --out a.pdn");
    let games: Vec<_> = PdnReader::new(fs::File::open(folder.path("a.pdn")).unwrap()).collect();
    assert!(games.len() == 1 && games[0].errors().next().is_none(), "{games:?}");
}

/// Creates two books of the same positions with different depths.
#[test]
fn books_are_merged_and_limited_in_size() {
    let folder = Folder::new();
    good(&folder, &format!("{BUILD} --positions 300 --out a"));
    good(&folder, "build --nodes 900 --threads 1 --roots barred --quiet --positions 200 --out b");
    good(&folder, "merge a.book b.book --out ab.book");
    good(&folder, "verify --book ab.book");
    let size = |name: &str| Book::open(&folder.path(name)).unwrap().len();
    assert!(size("ab.book") > size("a.book").max(size("b.book")));
    assert!(size("ab.book") <= size("a.book") + size("b.book"));
    let out = good(&folder, &format!("{BUILD} --positions 300 --bytes 900 --out c"));
    assert!(out.starts_with("c.book: 30") && out.contains(" of which are kept, 8"), "{out}");
    assert_eq!(folder.read("c.jsonl"), folder.read("a.jsonl"));
    let bytes = fs::metadata(folder.path("c.book")).unwrap().len();
    assert!((800..=900).contains(&bytes), "{bytes}");
    good(&folder, "verify --book c.book");
    good(&folder, "merge a.book a.book --out aa.book");
    assert_eq!(size("aa.book"), size("a.book"));
}

/// Kills a run after `steps` more steps. Returns whether the run was still in progress.
fn kill(folder: &Folder, arguments: &str, state: &Path, steps: usize) -> bool {
    let lines = || fs::read_to_string(state).map_or(0, |text| text.lines().count());
    let before = lines();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kelso"))
        .arg("book")
        .args(arguments.split(' '))
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while lines() < before + steps && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = child.kill().is_ok();
    child.wait().unwrap();
    killed
}

/// Builds a book in one go, and again with a kill after each of these numbers of steps. Both books must be
/// equal.
fn kill_and_resume(folder: &Folder, build: &str, steps: &[usize]) {
    good(folder, &format!("{build} --out whole"));
    let state = folder.path("part.jsonl");
    for &steps in steps {
        assert!(kill(folder, &format!("{build} --out part --resume"), &state, steps), "{steps}");
    }
    // Simulates a kill in the middle of a line.
    let mut text = fs::read(&state).unwrap();
    text.truncate(text.len() - 9);
    fs::write(&state, text).unwrap();
    good(folder, &format!("{build} --out part --resume"));
    for ending in ["book", "jsonl"] {
        let read = |name: &str| fs::read(folder.path(&format!("{name}.{ending}"))).unwrap();
        assert!(read("whole") == read("part"), "{ending}");
    }
}

#[test]
fn a_killed_build_resumes_to_the_same_book() {
    let folder = Folder::new();
    let build = "build --nodes 2000 --threads 1 --roots start,barred --quiet --positions 700";
    kill_and_resume(&folder, build, &[5, 6, 7]);
    // The build can be resumed to make a larger book, with more threads.
    good(
        &folder,
        &format!(
            "{} --threads 2 --out part --resume",
            build.replace("700", "900").replace("--threads 1 ", "")
        ),
    );
    good(&folder, "verify --book part.book");
}

#[test]
#[ignore = "takes minutes"]
fn a_large_build_killed_twenty_times_resumes_to_the_same_book() {
    let steps: Vec<usize> = (0..20).map(|round| 20 + 7 * round).collect();
    kill_and_resume(&Folder::new(), "build --nodes 1000 --threads 1 --quiet --positions 10000", &steps);
}

#[test]
fn book_errors_name_the_place() {
    let folder = Folder::new();
    good(&folder, &format!("{BUILD} --positions 60 --out a"));
    let whole = fs::read(folder.path("a.book")).unwrap();
    folder.write("short.book", &whole[..whole.len() - 1]);
    folder.write("text.book", "nonsense");
    let build = format!("{BUILD} --positions 60");
    for (arguments, part) in [
        ("info --book none.book".to_owned(), "cannot read \"none.book\": "),
        ("verify --book short.book".to_owned(), "invalid opening book \"short.book\": byte "),
        ("merge a.book text.book --out b.book".to_owned(), "invalid opening book \"text.book\": byte 0: "),
        (format!("{build} --out a"), "\"a.jsonl\" already exists; use --resume"),
        (
            format!("{build} --out a --resume --width 9"),
            "a.jsonl\" belongs to another book: width was 5 and is now 9",
        ),
        (format!("{build} --out no/such/a"), "cannot write \"no/such/a.jsonl"),
        ("build --roots start,moon --out b".to_owned(), "unknown roots \"moon\": expected one of start, "),
        ("build --option Hash=x --out b".to_owned(), "--option Hash=x"),
        ("probe --book a.book nonsense".to_owned(), "nonsense"),
        ("export a.book --fen B:WK1:BK32".to_owned(), "\"B:WK1:BK32\" is not in the book"),
    ] {
        let (_, errors, status) = book(&folder, &arguments);
        assert!(status == Some(2) && errors.contains(part), "{arguments}: {errors}");
    }
    assert!(!folder.path("b.jsonl").exists() && !folder.path("b.book").exists());
    // Try a damaged line, and an invalid step.
    let steps = folder.read("a.jsonl");
    folder.write("a.jsonl", steps.replacen("\"n\":3,", "\"n\":x,", 1));
    let (_, errors, _) = book(&folder, &format!("{build} --out a --resume"));
    assert!(
        errors.contains("a.jsonl\" is damaged: line 5: ")
            && errors.contains("use --salvage to keep the steps before this line"),
        "{errors}"
    );
    // Salvaging keeps the steps before the damage, and does the others again.
    let (_, errors, status) = book(&folder, &format!("{build} --out a --resume --salvage"));
    assert!(errors.contains("this item and all after it are lost") && status == Some(0), "{errors}");
    assert_eq!(folder.read("a.jsonl"), steps);
    let bare = |line: &str| line.split(",\"crc32\"").next().unwrap_or_default().to_owned() + "}\n";
    let bare: String = steps.lines().map(bare).collect();
    folder.write("a.jsonl", bare.replacen("\"n\":3,\"fen\":\"", "\"n\":3,\"fen\":\"x", 1));
    let (_, errors, _) = book(&folder, &format!("{build} --out a --resume"));
    assert!(errors.contains("a.jsonl, step 3: "), "{errors}");
}

#[test]
fn the_engine_plays_book_moves() {
    let folder = Folder::new();
    good(&folder, &format!("{BUILD} --positions 200 --out shallow"));
    let path = folder.path("deep.book");
    // Give the same entries a depth that a search would take hours to reach.
    let shallow = Book::open(&folder.path("shallow.book")).unwrap();
    let entries: Vec<_> = shallow.entries().map(Result::unwrap).collect();
    let deep: Vec<_> =
        entries.into_iter().map(|(key, entry)| (key, BookEntry { depth: 40, ..entry })).collect();
    let book = Book::make("deep", deep.iter().map(|(key, entry)| (*key, entry))).unwrap();
    fs::write(&path, book.bytes()).unwrap();
    let engine = Kelso::start();
    let best = |engine: &Kelso, words: &str| {
        engine.send(words);
        let (lines, _) = engine.until("bestmove");
        lines
    };
    engine.send(&format!("setoption name BookFile value {}", path.display()));
    engine.send("position startpos");
    let lines = best(&engine, "go movetime 50");
    assert!(lines.iter().all(|line| !line.starts_with("info string book")), "off by default: {lines:?}");
    engine.send("setoption name Book value true");
    engine.send(&format!("setoption name BookFile value {}", folder.path("shallow.book").display()));
    let lines = best(&engine, "go nodes 500");
    assert!(lines.iter().all(|line| !line.starts_with("info string book")), "not deep enough: {lines:?}");
    engine.send(&format!("setoption name BookFile value {}", path.display()));
    let lines = best(&engine, "go movetime 5000");
    let [book, answer] = lines.as_slice() else { panic!("{lines:?}") };
    let first = answer.split(' ').nth(1).unwrap().to_owned();
    assert!(book.starts_with(&format!("info string book {first} ")) && book.contains(" depth "), "{book}");
    // The same seed gives the same move; other seeds give others.
    engine.send("setoption name BookVariety value 100");
    let mut chosen = std::collections::BTreeSet::new();
    for seed in 1..20 {
        engine.send(&format!("setoption name BookSeed value {seed}"));
        let lines = best(&engine, "go movetime 5000");
        assert_eq!(lines, best(&engine, "go movetime 5000"));
        chosen.insert(lines.last().unwrap().split(' ').nth(1).unwrap().to_owned());
    }
    assert!(chosen.len() > 1, "{chosen:?}");
    // The book is not used at a level or with searchmoves.
    for (before, go) in [
        ("setoption name Level value 3", "go nodes 500"),
        ("setoption name Level value 0", "go nodes 500 searchmoves 9-13"),
    ] {
        engine.send(before);
        let lines = best(&engine, go);
        assert!(lines.iter().all(|line| !line.starts_with("info string book")), "{go}: {lines:?}");
    }
    // An invalid file must be rejected, and the previous book kept.
    folder.write("broken.book", "nonsense");
    engine.send(&format!("setoption name BookFile value {}", folder.path("broken.book").display()));
    let lines = best(&engine, "go movetime 5000");
    assert!(
        lines[0].contains("broken.book\": byte 0: ") && lines[1].starts_with("info string book"),
        "{lines:?}"
    );
}

#[test]
fn the_built_in_book_is_valid() {
    let folder = Folder::new();
    let out = good(&folder, "verify");
    assert!(out.starts_with("built in: "), "{out}");
}
