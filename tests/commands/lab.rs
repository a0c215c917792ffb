//! `kelso lab` and `kelso tree`.

use crate::helpers::{Folder, is_progress, kelso, only_progress, result};

/// Returns the output of the program, which must succeed and report only progress.
fn output(args: &[&str]) -> String {
    let (out, errors, status) = result(&kelso().args(args).output().unwrap());
    assert_eq!((only_progress(&errors), status), (true, Some(0)), "{args:?}: {errors}");
    out
}

/// Returns the error of a command that must fail.
fn error(args: &[&str]) -> String {
    let (out, errors, status) = result(&kelso().args(args).output().unwrap());
    assert_eq!((out.as_str(), status), ("", Some(2)), "{args:?} {errors}");
    errors
}

/// Returns the rows of a CSV file without the two columns of times.
fn timeless(csv: &str) -> Vec<String> {
    csv.lines().map(|line| line.rsplitn(3, ',').last().unwrap().to_owned()).collect()
}

#[test]
fn a_series_prints_its_table_and_writes_its_files() {
    let folder = Folder::new();
    let file = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let (csv, svg) = (file("a.csv"), file("a.svg"));
    let table = output(&[
        "lab",
        "--p1",
        "searcher=ab tt=on depth=2..4 eval=v1",
        "--p2",
        "random",
        "--games",
        "4",
        "--seed",
        "3",
        "--draw-rule",
        "plies 60",
        "--csv",
        &csv,
        "--svg",
        &svg,
    ]);
    let (rows, legend) = table.split_once("\nAB alpha-beta ").unwrap();
    assert_eq!(rows.lines().count(), 2 + 1 + 3, "{table}");
    assert!(legend.contains("W-D-L: "), "{table}");
    let rows = folder.read("a.csv");
    assert_eq!(rows.lines().count(), 1 + 3);
    assert!(rows.lines().last().unwrap().contains(",searcher=ab tt=on depth=4 eval=v1,"), "{rows}");
    let svg = folder.read("a.svg");
    let chart = roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(chart.descendants().filter(|node| node.has_tag_name("circle")).count(), 2 * 3);
}

#[test]
fn the_same_seed_gives_the_same_experiment() {
    let folder = Folder::new();
    let csv = folder.path("t.csv");
    let run = |seed: &str| {
        let path = csv.to_str().unwrap();
        output(&["lab", "table1", "--games", "2", "--seed", seed, "--csv", path, "--overwrite"]);
        timeless(&folder.read("t.csv"))
    };
    let once = run("5");
    assert_eq!(once.len(), 1 + 2 * 15);
    assert_eq!(once, run("5"));
    assert_ne!(once, run("6"));
}

#[test]
fn the_shares_of_the_parts_make_up_the_time() {
    let folder = Folder::new();
    let file = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let (csv, svg) = (file("t.csv"), file("t.svg"));
    let args = ["lab", "table2", "--games", "5", "--csv", &csv, "--svg", &svg];
    let (table, errors, status) = result(&kelso().args(args).output().unwrap());
    // The machine may be busy.
    let is_of_busy_machine =
        |line: &&str| line.starts_with("warning: other programs used a lot") || is_progress(line);
    let errors = errors.lines().filter(|line| !is_of_busy_machine(line));
    assert!(errors.clone().count() == 0 && status == Some(0), "{:?}", errors.collect::<Vec<_>>());
    assert!(table.contains("\nPublished figures "), "{table}");
    let text = folder.read("t.csv");
    let (names, rows) = text.split_once('\n').unwrap();
    assert_eq!(rows.lines().count(), 6 + 6);
    // Only labels, which come first, contain commas.
    let from_end = |name: &str| names.rsplit(',').position(|other| other == name).unwrap();
    // Shares are only known from many samples, which a slow machine takes in more rows.
    for row in rows.lines().filter(|row| row.contains(",ours,")) {
        let figure = |name: &str| row.rsplit(',').nth(from_end(name)).unwrap().parse::<f64>().ok();
        let sum =
            ["moves", "evaluation", "table", "ordering", "rest"].map(figure).into_iter().sum::<Option<f64>>();
        assert_eq!(sum.is_some(), figure("samples").unwrap() >= 100.0, "{row}");
        assert!(sum.is_none_or(|sum| (sum - 100.0).abs() < 1e-6), "{row}");
    }
    assert!(folder.read("t.svg").contains("percent of search time"));
}

#[test]
fn invalid_experiments_are_reported_before_any_game() {
    for (args, message) in [
        (&["lab", "--p1", "best"][..], "error: --p1: invalid setting \"best\": expected "),
        (&["lab", "--p2", "depth=0"], "error: --p2: invalid setting \"depth=0\": expected "),
        (
            &["lab", "--draw-rule", "never"],
            "error: invalid value 'never' for '--draw-rule <RULE>': expected ",
        ),
        (&["lab", "--games", "0"], "error: invalid value '0' for '--games"),
        (&["lab", "--csv", "no/such/folder/x.csv"], "error: cannot write \"no/such/folder/x.csv\": "),
        (&["lab", "table1", "--games", "x"], "error: invalid value 'x' for '--games"),
        (&["lab", "table9"], "error: unrecognized subcommand 'table9'"),
        (&["tree", "B:W33:B1"], "error: invalid FEN \"B:W33:B1\" at character 4: "),
        (&["tree", "--searcher", "minimax"], "error: invalid value 'minimax' for '--searcher"),
        (
            &["tree", "--searcher", "alphabeta", "--eval", "v1"],
            "error: searcher alphabeta has no evaluation v1: expected one of network, classic, material",
        ),
        (&["lab", "engine", "depth=1..3"], "error: invalid setting \"depth=1..3\": expected one depth"),
        (
            &["lab", "engine", "searcher=x"],
            "error: invalid setting \"searcher=x\": expected one of alphabeta, ",
        ),
        (&["tree", "--eval", "v9"], "error: invalid value 'v9' for '--eval"),
        (&["tree", "--limit", "0"], "error: invalid value '0' for '--limit"),
        (&["tree", "-o", "no/such/folder/x"], "error: cannot write \"no/such/folder/x\": "),
    ] {
        let said = error(args);
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn a_tree_is_json_or_a_page_with_the_same_data() {
    let args = ["tree", "--depth", "5", "--searcher", "ab-tt", "--limit", "500"];
    let text = output(&args);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = value["nodes"].as_array().unwrap();
    let hidden: u64 = rows.iter().map(|row| row[10].as_u64().unwrap()).sum();
    assert_eq!(rows.len() as u64 + hidden, value["total_nodes"].as_u64().unwrap());
    assert!(rows.len() <= 500 + 10);
    let ours =
        output(&["tree", "--depth", "9", "--searcher", "alphabeta", "--eval", "network", "--limit", "500"]);
    let ours: serde_json::Value = serde_json::from_str(&ours).unwrap();
    assert_eq!(
        (&ours["player"], &ours["man"]),
        (&"searcher=alphabeta depth=9 eval=network".into(), &100.into())
    );
    let page = output(&[&args[..], &["--html"]].concat());
    assert!(page.starts_with("<!doctype html>") && page.contains(&text));
}

/// The report must have the completed games, but not the game of the interrupted search.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_running_search() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use crate::helpers::engine::PATIENCE;

    let slow = "searcher=ab depth=30 eval=v1";
    let mut command = kelso();
    command.args(["lab", "--p1", slow, "--p2", slow, "--games", "1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    let warning = errors.next().unwrap().unwrap();
    assert!(warning.starts_with("warning: a textbook search to depth 30 may take hours"), "{warning}");
    // An interrupt before the first search would leave no row in the report.
    std::thread::sleep(Duration::from_secs(1));
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let begun = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // Without the interrupt, the search would take hours.
    assert!(begun.elapsed() < PATIENCE);
    let last = errors.last().unwrap().unwrap();
    assert_eq!(last, "interrupted; the results are incomplete, and cannot be resumed");
    let out = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    assert!(out.contains("  0-0-0  "), "{out}");
}

/// Opening the pipe waits for a reader, which never comes.
#[cfg(unix)]
#[test]
fn one_interrupt_ends_the_wait_for_the_reader_of_a_pipe() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use crate::helpers::engine::PATIENCE;

    let folder = Folder::new();
    assert!(std::process::Command::new("mkfifo").arg(folder.path("rows")).status().unwrap().success());
    let mut command = kelso();
    command.args(["lab", "--p1", "random", "--games", "1", "--csv", "rows"]).current_dir(folder.path(""));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // The table is printed before the pipe is opened.
    let mut table = BufReader::new(child.stdout.take().unwrap());
    table.read_line(&mut String::new()).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(10));
    }
    // This has no effect on a program that has ended.
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
