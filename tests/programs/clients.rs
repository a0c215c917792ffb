//! The example clients in Python and shell, and comparisons with pydraughts. `.ci/run` installs
//! pydraughts; without it, those tests are skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::helpers::tools::{has, python, skip};
use crate::helpers::{Folder, result};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const KELSO: &str = env!("CARGO_BIN_EXE_kelso");

/// Returns a Python with pydraughts.
fn pydraughts() -> Option<PathBuf> {
    let python = python()?;
    let has =
        Command::new(&python).args(["-W", "ignore", "-c", "import draughts.tournament"]).output().unwrap();
    if !has.status.success() {
        skip("pydraughts (pip install pydraughts)");
        return None;
    }
    Some(python)
}

fn script(name: &str) -> PathBuf {
    Path::new(ROOT).join(name)
}

fn run(python: &Path, name: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(python);
    command.args(["-W", "ignore"]).arg(script(name)).args(arguments);
    success(&command.output().unwrap())
}

fn success(output: &Output) -> String {
    let (out, errors, status) = result(output);
    assert_eq!(status, Some(0), "{out}{errors}");
    out
}

#[test]
fn the_minimal_client_needs_only_python() {
    let Some(python) = python() else { return };
    let out = run(&python, "examples/python/minimal.py", &[KELSO, "8"]);
    assert_eq!(out.lines().count(), 8, "{out}");
    let lines = std::fs::read_to_string(script("examples/python/minimal.py")).unwrap().lines().count();
    assert!(lines < 60, "{lines} lines");
}

#[test]
fn the_bot_follows_hub() {
    let Some(python) = python() else { return };
    let engine = format!("{} \"{}\"", python.display(), script("examples/python/hub_bot.py").display());
    let out = success(
        &Command::new(KELSO).args(["check", "--engine", &engine, "--proto", "hub"]).output().unwrap(),
    );
    assert!(!out.contains("FAIL"), "{out}");
}

#[test]
fn pydraughts_plays_with_a_depth_a_clock_and_pondering() {
    let Some(python) = pydraughts() else { return };
    let out = run(&python, "examples/python/play.py", &[KELSO]);
    for (prefix, count) in [("depth 10: ", 1), ("clock: ", 4), ("ponder: ", 1)] {
        assert_eq!(out.lines().filter(|line| line.starts_with(prefix)).count(), count, "{out}");
    }
}

#[test]
fn pydraughts_before_0_6_plays_with_another_orientation() {
    let Some(python) = pydraughts() else { return };
    let old = python.parent().unwrap().with_file_name("before-0.6");
    if !old.exists() {
        skip("pydraughts before 0.6, in a folder of that name beside the Python's");
        return;
    }
    let mut command = Command::new(&python);
    command.env("PYTHONPATH", old).args(["-W", "ignore"]).arg(script("tests/clients/before_0_6.py"));
    let out = success(&command.args([KELSO, "40"]).output().unwrap());
    assert_eq!(out, "40 plies\n");
}

#[test]
fn pydraughts_runs_its_tournament() {
    let Some(python) = pydraughts() else { return };
    let folder = Folder::new();
    let pdn = folder.path("games.pdn");
    let out =
        run(&python, "examples/python/tournament.py", &[KELSO, pdn.to_str().unwrap(), "2", "0.3", "0.02"]);
    assert!(out.starts_with("scores: [") && out.contains("1th place: "), "{out}");
    assert_eq!(std::fs::read_to_string(&pdn).unwrap().matches("[Result ").count(), 2);
    // The PDN must have no faults, despite two-point results, a different GameType, and moves that begin with
    // 1...
    let checked = Command::new(KELSO).args(["pdn", "check"]).arg(&pdn).output().unwrap();
    let (faults, summary, status) = result(&checked);
    assert_eq!((faults.as_str(), status), ("", Some(0)), "{summary}");
    assert!(summary.starts_with("2 games, "), "{summary}");
}

#[test]
fn pydraughts_analyses_a_game() {
    let Some(python) = pydraughts() else { return };
    let pdn = script("examples/game.pdn");
    let out = run(&python, "examples/python/analyse.py", &[KELSO, pdn.to_str().unwrap(), "8"]);
    assert_eq!(out.lines().count(), 11, "{out}");
    assert!(out.lines().last().unwrap().contains(" 20x11 "), "{out}");
    // Test a game that starts from a FEN with White to move.
    let folder = Folder::new();
    let game = "[GameType \"21\"]\n[FEN \"W:W18,21,23,24,K5:B2,10,12,14,K32\"]\n\n1. 18x9 10-15 *\n";
    let pdn = folder.write("middle.pdn", game);
    let out = run(&python, "examples/python/analyse.py", &[KELSO, pdn.to_str().unwrap(), "6"]);
    assert_eq!(out.lines().count(), 3, "{out}");
}

#[test]
fn pydraughts_may_begin_with_any_position() {
    let Some(python) = pydraughts() else { return };
    let positions = [
        "W:W18,21,23,24,K5:B2,10,12,14,K32",
        "B:W18,21,23,24,K5:B2,10,12,14,K32",
        "W:WK32,30:B1,K14",
        "B:WK32,30:B1,K14",
    ];
    let out = run(&python, "tests/clients/fresh.py", &[&[KELSO][..], &positions].concat());
    assert_eq!(out.lines().count(), 5, "{out}");
    assert!(out.lines().last().unwrap().starts_with("book "), "{out}");
}

#[test]
fn pydraughts_has_the_same_legal_moves() {
    let Some(python) = pydraughts() else { return };
    let out = run(&python, "tests/clients/agreement.py", &[KELSO, "200"]);
    assert!(out.starts_with("200 positions, "), "{out}");
}

#[test]
fn pydraughts_finds_no_fault_with_a_tournament() {
    let Some(python) = pydraughts() else { return };
    // The engine keeps four of six seconds in reserve, for a busy machine.
    let out = run(&python, "tests/clients/tournament.py", &[KELSO, "1", "6", "0.05", "4000"]);
    assert!(out.contains("faults 0"), "{out}");
}

#[test]
#[cfg(unix)]
fn pydraughts_loads_the_library() {
    let Some(python) = pydraughts() else { return };
    let library = crate::helpers::library::path();
    let arguments = [library.to_str().unwrap(), KELSO, "2", "0.4", "0.02"];
    let out = run(&python, "tests/clients/checkerboard.py", &arguments);
    assert!(out.starts_with("Kelso ") && out.contains(": 2 games, "), "{out}");
}

#[test]
fn a_shell_pipes_a_position_in_and_the_best_move_out() {
    let shell = Command::new("sh")
        .arg(script("examples/best-move.sh"))
        .env("KELSO", KELSO)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut shell) = shell else { return skip("sh") };
    let mut input = shell.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"B:W9:B5\nnonsense\nW:W5:B14\nB:W9:B").unwrap();
    drop(input);
    let out = success(&shell.wait_with_output().unwrap());
    let error = "error: invalid FEN \"nonsense\" at character 1: expected \"B\" or \"W\"";
    assert_eq!(out.lines().collect::<Vec<_>>(), ["5x14", error, "5-1", "none"]);
}

#[test]
fn the_clients_of_best_print_a_move_of_each_position() {
    for (program, client) in [("python3", "examples/python/best.py"), ("node", "examples/best.mjs")] {
        if !has(program) {
            continue;
        }
        let mut command = Command::new(program);
        let out = success(
            &command.arg(script(client)).args(["startpos", "W:W99:B1"]).env("KELSO", KELSO).output().unwrap(),
        );
        let mut lines: Vec<&str> = out.lines().collect();
        lines.sort_unstable();
        assert!(lines[0].starts_with("W:W99:B1 invalid FEN"), "{out}");
        assert!(lines[1].starts_with("startpos ") && lines.len() == 2, "{out}");
    }
}

#[test]
fn the_client_of_a_server_answers_whatever_happens() {
    if !has("node") {
        return;
    }
    let code = format!(
        "import {{ ask }} from {:?};
         const moves = (await ask({{ moves: [\"1115\", \"2319\"], nodes: 500 }})).move;
         const rest = [await ask({{}}), await ask(null), await ask({{ fen: \"W\".repeat(200000) }})];
         console.log(moves, rest.every(({{ error }}) => /^expected a position/.test(error)));
         process.exit();",
        script("examples/best.mjs")
    );
    let mut command = Command::new("node");
    let out =
        success(&command.args(["--input-type=module", "-e", &code]).env("KELSO", KELSO).output().unwrap());
    assert!(out.contains('-') && out.ends_with(" true\n"), "{out}");

    let code = format!(
        "import {{ ask }} from {:?}; for (const _ of [1, 2]) console.log(await ask({{ moves: [] }}));",
        script("examples/best.mjs")
    );
    let mut command = Command::new("node");
    let missing = command.args(["--input-type=module", "-e", &code]).env("KELSO", "/nonexistent/kelso");
    let out = success(&missing.output().unwrap());
    assert_eq!(out.matches("cannot start Kelso").count(), 2, "{out}");
}
