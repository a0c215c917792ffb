//! `kelso analyse`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::helpers::{Folder, kelso, result};
use kelso_draughts::notation::pdn::PdnReader;
use kelso_draughts::record::SearchInfo;

/// An ending in which one move draws and two in which one move wins.
const ENDINGS: &str = "[Black \"Ann\"]\n[White \"Bob\"]\n[FEN \"W:WK15,24:B4,K6,12\"]\n\n1. 15-19 {hm} 4-8 0-1\n\n\
    [Black \"Bob\"]\n[White \"Ann\"]\n[FEN \"W:WK1,K12:B7,10,11\"]\n\n1. 1-6 {best} 10-14 2. 6-2 *\n\n\
    [Black \"Bob\"]\n[White \"Ann\"]\n[FEN \"W:WK1,K12:B7,10,11\"]\n\n1. 12-16 *\n\n";

fn games() -> String {
    let lines = [
        "11-15 23-19 8-11 22-17 4-8 17-13 15-18 24-20 11-15 28-24 8-11 26-23 9-14 31-26 6-9 13x6 2x9 26-22",
        "9-14 22-18 5-9 25-22 11-16 18-15 10x19 24x15 16-19 23x16 12x19",
        "11-15 22-18 15x22 25x18 8-11 29-25 4-8 25-22 12-16 24-20",
        "10-15 21-17 7-10 17-13 11-16 22-17 8-11 25-22",
        "12-16 24-20 8-12 28-24 9-14 24-19 4-8 22-18",
    ];
    let game = |(number, line): (usize, &&str)| {
        format!("[Event \"{number}\"]\n[Black \"P{number}\"]\n\n{line} *\n\n")
    };
    lines.iter().enumerate().map(game).collect()
}

/// Runs `kelso analyse` in a folder. Returns its output, errors and status.
fn analyse(folder: &Folder, arguments: &str) -> (String, String, Option<i32>) {
    let output = kelso().arg("analyse").args(arguments.split(' ')).current_dir(folder).output().unwrap();
    result(&output)
}

fn verdicts(game: &Value) -> Vec<Vec<(String, String)>> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |ply: &Value| {
        let list = ply["verdicts"].as_array().cloned().unwrap_or_default();
        list.iter().map(|verdict| (text(&verdict["kind"]), text(&verdict["by"]))).collect()
    };
    game["plies"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn lost_draws_missed_wins_and_only_moves_are_reported() {
    let folder = Folder::new();
    folder.write("endings.pdn", ENDINGS);
    let (out, errors, status) = analyse(
        &folder,
        "endings.pdn --nodes 20000 --json a.json --html a.html --quiet --option EgdbPieces=5",
    );
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    assert!(
        out.starts_with("1: Ann – Bob  0-1: 1... 15-19 blunder: this loses, 15-11 draws (database)\n"),
        "{out}"
    );
    assert!(out.contains("\n2: Bob – Ann  *: no errors\n"), "{out}");
    let report: Value = serde_json::from_str(&folder.read("a.json")).unwrap();
    let games = report["games"].as_array().unwrap();
    let by_database = |kind: &str| vec![(kind.to_owned(), "database".to_owned())];
    assert_eq!(verdicts(&games[0])[0], by_database("lost-draw"));
    assert_eq!(verdicts(&games[1])[0], by_database("only-move"));
    let kind = verdicts(&games[2])[0][0].0.clone();
    assert!(kind == "missed-win" || kind == "lost-win", "{kind}");
    let bob = report["players"].as_array().unwrap().iter().find(|player| player["name"] == "Bob").unwrap();
    assert_eq!((bob["games"].as_u64(), bob["errors"]["lost_draw"].as_u64()), (Some(3), Some(1)));
    // The output must be valid PDN and keep the comments of the input.
    let text = folder.read("analysis.pdn");
    assert!(text.contains("15-19 $4 {hm; score=") && text.contains("(1... 15-11 {score="), "{text}");
    let check = kelso().args(["pdn", "check", "analysis.pdn"]).current_dir(&folder).output().unwrap();
    assert_eq!(result(&check).2, Some(0), "{text}");
    let page = folder.read("a.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("decided by") && !page.contains("http"));
}

#[test]
fn brief_output_comments_only_moves_with_a_verdict() {
    let folder = Folder::new();
    let tags = "[Event \"Cup\"]\n[Date \"1931.05.02\"]\n[Round \"3\"]\n";
    folder.write("games.pdn", format!("{ENDINGS}{tags}\n1. 11-15 23-18 2. 8-11 27-23 *\n"));
    let arguments = "games.pdn --nodes 1000 --quiet --option EgdbPieces=5";
    assert_eq!(analyse(&folder, &format!("{arguments} --brief --out brief --html a.html")).2, Some(0));
    assert_eq!(analyse(&folder, &format!("{arguments} --out full")).2, Some(0));
    let (brief, full) = (folder.read("brief.pdn"), folder.read("full.pdn"));
    assert!(brief.contains("15-19 $4 {hm; score=") && brief.contains("; blunder: this"), "{brief}");
    assert!(full.contains("4-8 {score=") && !brief.contains("4-8 {"), "{brief}");
    // A full analysis must not be resumed as a brief one.
    let (_, errors, status) = analyse(&folder, &format!("{arguments} --out full --resume --brief"));
    assert!(status == Some(2) && errors.contains("brief"), "{errors}");
    let page = folder.read("a.html");
    assert!(page.contains("\"Cup, round 3, 1931.05.02, three-move ") && page.contains(", Cross\""), "{page}");
    // All moves except those of the ballot are the players' choice.
    folder.write("begun.pdn", "[FEN \"W:W18,21,22,24-32:B1-7,9-12,15\"]\n\n1. 27-23 9-13 2. 32-27 *\n");
    analyse(&folder, "begun.pdn --nodes 1000 --json begun.json --quiet --out own");
    let report: Value = serde_json::from_str(&folder.read("begun.json")).unwrap();
    assert_eq!(report["games"][0]["plies"][0]["choice"], true, "{report}");
}

/// Lists the members of all objects in a report, except those of the settings and of chances.
fn members(value: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for (name, value) in value.as_object().into_iter().flatten() {
        names.push(name.clone());
        if !["header", "wdl"].contains(&name.as_str()) {
            names.extend(members(value));
        }
    }
    names.extend(value.as_array().into_iter().flatten().flat_map(members));
    names
}

#[test]
fn chances_follow_scores_and_known_results_are_certain() {
    let folder = Folder::new();
    folder.write("games.pdn", format!("{ENDINGS}\n1. 11-15 23-18 2. 8-11 *\n"));
    let arguments = "games.pdn --nodes 1000 --quiet --json a.json --html a.html --option UCI_ShowWDL=true";
    assert_eq!(analyse(&folder, arguments).2, Some(0));
    let report: Value = serde_json::from_str(&folder.read("a.json")).unwrap();
    let rates = |game: usize, ply: usize| {
        let wdl = &report["games"][game]["plies"][ply]["wdl"];
        ["win", "draw", "loss"].map(|result| wdl[result].as_u64().unwrap())
    };
    assert_eq!([rates(0, 0), rates(1, 0)], [[0, 0, 1000], [1000, 0, 0]]);
    let [win, draw, loss] = rates(3, 0);
    assert!(win + draw + loss == 1000 && draw < 1000 && win > 0, "{win} {draw} {loss}");
    let text = folder.read("analysis.pdn");
    assert!(text.contains(" wdl=0/0/1000") && text.contains(&format!(" wdl={win}/{draw}/{loss}")), "{text}");
    // Scores and chances are read back as data, not as words of the comment.
    let last = PdnReader::new(text.as_bytes()).last().unwrap().game;
    let SearchInfo { score, depth, win_rates, .. } = last.plies[0].search;
    assert!(score.is_some() && depth.is_some());
    assert_eq!(win_rates.unwrap().to_string(), format!("{win}/{draw}/{loss}"));
    assert!(folder.read("a.html").contains("White wins 0%, draw 0%, Black wins 100%"));
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/games.md")).unwrap();
    let described = page.split("\n### ").find(|part| part.starts_with("JSON")).unwrap();
    let named = members(&report);
    assert!(named.contains(&"stood".to_owned()));
    for member in named {
        assert!(described.contains(&format!("`{member}`")), "docs/games.md does not describe {member}");
    }
}

#[test]
fn threads_and_restarts_change_no_result() {
    let folder = Folder::new();
    folder.write("games.pdn", games());
    let limits = "games.pdn --nodes 3000 --quiet --option Hash=1";
    let (out, _, status) = analyse(&folder, &format!("{limits} --out a --json a.json"));
    assert_eq!(status, Some(0));
    let (again, ..) = analyse(&folder, &format!("{limits} --out b --json b.json --concurrency 3"));
    assert_eq!(out, again);
    for ending in ["jsonl", "pdn", "json"] {
        assert_eq!(folder.read(&format!("a.{ending}")), folder.read(&format!("b.{ending}")), "{ending}");
    }
    // The moves of a ballot are not the players' choice.
    let report: Value = serde_json::from_str(&folder.read("a.json")).unwrap();
    let choices: Vec<_> = report["games"][0]["plies"]
        .as_array()
        .unwrap()
        .iter()
        .take(5)
        .map(|ply| ply["choice"].as_bool())
        .collect();
    assert_eq!(choices, [Some(false), Some(false), Some(false), Some(true), Some(true)]);
    // Analyse selected games.
    let (out, ..) = analyse(&folder, &format!("{limits} --out c --player p3 --game 4 --game 1"));
    assert!(
        out.starts_with("4: P3 – White  *: ") && out.lines().filter(|line| line.contains(" – ")).count() == 1
    );
}

#[test]
fn a_killed_run_resumes_to_the_same_files() {
    let folder = Folder::new();
    folder.write("games.pdn", games());
    let arguments = "games.pdn --nodes 30000 --quiet --option Hash=4";
    assert_eq!(analyse(&folder, &format!("{arguments} --out whole")).2, Some(0));
    let lines = |path: &Path| fs::read_to_string(path).map_or(0, |text| text.lines().count());
    let (path, mut killed) = (folder.path("part.jsonl"), 0);
    for round in 0..4 {
        let before = lines(&path);
        let mut child = Command::new(env!("CARGO_BIN_EXE_kelso"))
            .arg("analyse")
            .args(arguments.split(' '))
            .args(["--out", "part", "--resume"])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while lines(&path) < before.max(1) + 1 && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(1 + round));
        }
        killed += usize::from(child.kill().is_ok());
        child.wait().unwrap();
    }
    assert!(killed > 0);
    // Simulates a kill in the middle of a line.
    let mut text = fs::read(&path).unwrap();
    text.truncate(text.len() - 7);
    fs::write(&path, text).unwrap();
    assert_eq!(analyse(&folder, &format!("{arguments} --out part --resume")).2, Some(0));
    // Damage a line in the middle.
    let whole = folder.read("part.jsonl");
    fs::write(&path, whole.replacen("\"game\":2", "\"gome\":2", 1)).unwrap();
    let (_, errors, status) = analyse(&folder, &format!("{arguments} --out part --resume"));
    assert!(
        status == Some(2)
            && errors.contains("part.jsonl\" is damaged: line 3: ")
            && errors.contains("--salvage"),
        "{errors}"
    );
    let (_, errors, status) = analyse(&folder, &format!("{arguments} --out part --resume --salvage"));
    assert!(status == Some(0) && errors.contains("part.jsonl\", line 3: "), "{errors}");
    assert!(folder.read("part.jsonl.damaged").contains("gome"));
    for ending in ["jsonl", "pdn"] {
        assert_eq!(
            folder.read(&format!("whole.{ending}")),
            folder.read(&format!("part.{ending}")),
            "{ending}"
        );
    }
}

#[test]
fn mismatched_arguments_and_files_are_refused() {
    let folder = Folder::new();
    folder.write("games.pdn", games());
    assert_eq!(analyse(&folder, "games.pdn --nodes 100 --quiet --game 4").2, Some(0));
    for (arguments, part) in [
        ("games.pdn --nodes 100 --game 4", "\"analysis.jsonl\" already exists; use --resume"),
        (
            "games.pdn --nodes 200 --game 4 --resume",
            "belongs to another analysis: limits was \"nodes=100\" and is now \"nodes=200\"",
        ),
        ("games.pdn --nodes 100 --game 5 --resume", "games was \"game 4\" and is now \"game 5\""),
        ("games.pdn --nodes 100 --game 9 --out b", "no games to analyse"),
        ("nothing.pdn --nodes 100 --out b", "cannot read \"nothing.pdn\""),
        ("./games.pdn --nodes 100 --out games --overwrite", "--out would overwrite the input \"games.pdn\""),
        ("games.pdn --nodes 100 --out b --option Hash=no", "--option Hash=no"),
        ("games.pdn --nodes 100 --out b --option EgdbPath=nowhere", "nowhere"),
        (
            "games.pdn --nodes 100 --out b --engine cmd=./no-such-engine",
            "cannot analyse with engine \"no-such-engine\"",
        ),
        ("games.pdn --nodes 100 --out b --json none/a.json", "cannot write \"none/a.json"),
    ] {
        let (_, errors, status) = analyse(&folder, arguments);
        assert!(status == Some(2) && errors.contains(part), "{arguments}: {errors}");
    }
    assert!(!folder.path("b.jsonl").exists() && !folder.path("b.pdn").exists());
}

#[test]
fn problems_are_proved_and_unique() {
    let folder = Folder::new();
    // The second game is the first with colours swapped.
    let text = "[Black \"Ann\"]\n[FEN \"W:WK15,24:B4,K6,12\"]\n\n1. 15-19 4-8 0-1\n\n\
        [Black \"Bob\"]\n[FEN \"B:W21,K27,29:B9,K18\"]\n\n1. 18-14 *\n\n\
        [FEN \"W:WK1,K12:B7,10,11\"]\n\n1. 1-6 10-14 2. 6-2 *\n\n";
    folder.write("endings.pdn", text);
    let (out, errors, status) =
        analyse(&folder, "endings.pdn --nodes 20000 --quiet --option EgdbPieces=5 --problems problems.pdn");
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    assert!(out.contains(" problems, by grade (1 to 5): ") && out.contains("; 1 repeated"), "{out}");
    let problems = folder.read("problems.pdn");
    assert!(problems.contains("[Event \"Problem 1: White to move draws\"]"), "{problems}");
    assert!(problems.contains("White to move wins\"]\n[Site \"endings.pdn:"), "{problems}");
    assert!(
        problems.contains("[Proof \"database: only this move wins (down to fewer pieces within "),
        "{problems}"
    );
    let check = kelso().args(["pdn", "check", "problems.pdn"]).current_dir(&folder).output().unwrap();
    assert_eq!(result(&check).2, Some(0), "{problems}");
}

#[test]
fn any_engine_can_analyse() {
    let folder = Folder::new();
    folder.write("endings.pdn", ENDINGS);
    let program = env!("CARGO_BIN_EXE_kelso");
    for (name, words) in
        [("native", format!("cmd={program}")), ("hub", format!("cmd={program} arg=hub proto=hub"))]
    {
        let output = kelso()
            .args(["analyse", "endings.pdn", "--nodes", "2000", "--quiet", "--out", name, "--engine", &words])
            .current_dir(&folder)
            .output()
            .unwrap();
        let (out, errors, status) = result(&output);
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{name}");
        // Kelso's databases take precedence over any engine.
        assert!(
            out.starts_with("1: Ann – Bob  0-1: 1... 15-19 blunder: this loses, 15-11 draws (database)\n"),
            "{out}"
        );
    }
    assert!(folder.read("native.pdn").contains("[Annotator \"Kelso "));
}

/// Unreadable games must not be reported as free of errors.
#[test]
fn files_without_games_are_not_analysed() {
    let folder = Folder::new();
    folder.write("notes.pdn", "Dear diary, today nothing happened.\n");
    let (out, errors, status) = analyse(&folder, "notes.pdn --nodes 50");
    assert!(out.is_empty() && errors.contains("error: no moves can be read"), "{out}{errors}");
    assert_eq!((status, folder.names().len()), (Some(1), 1));
}

#[test]
fn an_incomplete_game_is_analysed_up_to_its_error_and_told_by_the_status() {
    let folder = Folder::new();
    folder.write("games.pdn", "1. 11-15 22-18 *\n\n[Event \"a slip\"]\n\n1. 11-15 22-17 2. 11-99 *\n");
    let (out, errors, status) = analyse(&folder, "games.pdn --nodes 50");
    assert!(errors.contains("games.pdn:5:19: error: game 2: invalid move \"11-99\""), "{errors}");
    assert!(out.contains("2: Black"), "{out}");
    assert_eq!(status, Some(1));
    assert_eq!(analyse(&folder, "games.pdn --nodes 50 --game 1 --overwrite").2, Some(0));
}
