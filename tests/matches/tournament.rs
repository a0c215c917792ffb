//! Matches between processes: misbehaving engines, resumed runs, reports.

use kelso_random::RngExt;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use kelso_batch::checkpoint::ResumePolicy;
use kelso_batch::outputs::OutputPath;
use kelso_batch::shard::Shard;
use kelso_draughts::board::{Game, Position};
use kelso_draughts::notation::fen;
use kelso_draughts::record::{GameRecord, Ply};
use kelso_draughts::result::{EndReason, GameEnd};
use kelso_laboratory::{evaluation_names, searcher_names};
use kelso_players::player::FaultKind;
use kelso_players::spec::{OwnProgram, parse_engines};
use kelso_runtime::stop::StopToken;
use kelso_text::plural::counted;
use kelso_tournament::adjudication::Rules;
use kelso_tournament::header::MatchHeader;
use kelso_tournament::match_game::{MatchGame, Termination};
use kelso_tournament::openings::OpeningChoice;
use kelso_tournament::play::{MatchEvent, MatchFiles, MatchSetup, PlayedMatch};
use kelso_tournament::report::MatchProgress;
use kelso_tournament::runner::MatchEnd;
use kelso_tournament::schedule::{Format, OpeningOrder, Plan};

use crate::helpers::tools::has;
use crate::helpers::{self, Folder, example, kelso, processes};

/// Matches use the whole machine, and some tests count processes, so they run one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const KELSO: &str = env!("CARGO_BIN_EXE_kelso");

fn command(folder: &Folder, words: &[&str]) -> Command {
    let mut command = kelso();
    command.arg("match").args(words).current_dir(folder).stdin(Stdio::null());
    command
}

/// A match between two random players.
fn random_match(folder: &Folder, words: &[&str]) -> Command {
    let players = ["--engine", "random name=A", "--engine", "random name=B", "--each", "nodes=1"];
    command(folder, &[&players[..], words].concat())
}

/// A match between two random players that records no times, so that identical runs write identical files.
fn untimed(folder: &Folder, words: &[&str]) -> Command {
    let mut command = random_match(folder, words);
    command.env("KELSO_UNTIMED", "1");
    command
}

fn run(folder: &Folder, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

fn games(folder: &Folder, name: &str) -> Vec<MatchGame> {
    helpers::games(&folder.path(&format!("{name}.jsonl")))
}

fn shown(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Checks that all moves of a game are legal and that its result follows from the rules.
fn check(MatchGame { number, start, plies, result, termination, .. }: &MatchGame) {
    let mut game = Game::new(*start);
    for Ply { mv, .. } in plies {
        assert_eq!(game.end(), None, "game {number} goes on after its end");
        assert!(game.position().moves().contains(mv), "game {number}: {mv:?}");
        game.play(*mv);
    }
    match game.end() {
        Some(GameEnd { result: expected, reason }) => {
            assert_eq!((*result, *termination), (expected, Termination::Regular(reason)), "game {number}");
        }
        None => assert!(matches!(termination, Termination::Fault(_)), "game {number} ended by {termination}"),
    }
}

/// Returns the kind of a fault.
fn expected(way: &str) -> FaultKind {
    match way {
        "Exit" | "Abort" | "CloseOutput" | "HalfALine" => FaultKind::Crash,
        "Hang" | "Silence" => FaultKind::Hang,
        "Late" | "UntilStopped" => FaultKind::Time,
        "Twice" => FaultKind::ExtraMove,
        "Flood" | "EndlessLine" => FaultKind::Flood,
        "Illegal" | "Garbage" | "NoMove" => FaultKind::IllegalMove,
        other => panic!("unexpected last word {other}"),
    }
}

/// Plays against an engine that misbehaves in every way, and checks every result.
fn survive_chaos(rounds: u32) {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let chaos = example("chaos_engine");
    let engine = format!("name=chaos cmd='{}' movetime=0.1 margin=900ms timeout=2", chaos.display());
    let rounds = rounds.to_string();
    let words =
        ["--engine", &engine, "--engine", "random nodes=1", "--rounds", &rounds, "--concurrency", "8"];
    let mut child = command(&folder, &words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut most_files = 0;
    let mut zombies = 0;
    while child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(50));
        most_files = most_files.max(processes::open_files(child.id()));
        zombies = zombies.max(processes::children(child.id()).filter(|(_, is_dead)| *is_dead).count());
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", shown(&output));
    // Sixteen engines with three pipes each, and a few files; a leak per fault would exceed that.
    assert!(most_files < 90, "{most_files} open files");
    // A child is a zombie until it is reaped.
    assert!(zombies <= 16, "{zombies} zombies");
    assert_eq!(leftovers(&chaos), 0, "engines live on after the match");
    let games = games(&folder, "match");
    assert_eq!(games.len(), rounds.parse::<usize>().unwrap() * 2);
    let mut seen = BTreeMap::new();
    for game in &games {
        check(game);
        let Some(side) = game.at_fault() else { continue };
        assert_eq!(game.players[side.index()], "chaos", "game {}: {}", game.number, game.detail);
        let way = game.stderr.split("chaos: ").last().unwrap().split(' ').next().unwrap().to_owned();
        let expected = Termination::Fault(expected(&way));
        assert_eq!(game.termination, expected, "game {}: {way} ({})", game.number, game.detail);
        *seen.entry(way).or_insert(0) += 1;
    }
    if games.len() >= 1000 {
        assert_eq!(seen.len(), 14, "{seen:?}");
    }
    assert!(seen.len() >= 8, "{seen:?}");
}

/// Returns how often a program is running.
fn leftovers(program: &Path) -> usize {
    let is_program = |words: &Vec<String>| words.first().is_some_and(|word| Path::new(word) == program);
    processes::command_lines().filter(is_program).count()
}

#[test]
fn a_match_survives_an_engine_that_misbehaves() {
    survive_chaos(50);
}

#[test]
#[ignore = "takes minutes"]
fn a_long_match_survives_an_engine_that_misbehaves() {
    survive_chaos(1000);
}

fn same_match<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["--rounds", "150", "--seed", "5", "--concurrency", "3", "--quiet", "--out", name];
    [&words[..], more].concat()
}

/// Kills a run at random moments, and resumes it each time.
#[test]
fn a_match_killed_ten_times_resumes_to_the_same_end() {
    const TIMES: u32 = 10;
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let run = |words: &[&str]| untimed(&folder, words).output().unwrap();
    let began = Instant::now();
    let whole = run(&same_match("whole", &[]));
    assert!(whole.status.success(), "{}", shown(&whole));
    let took = began.elapsed();
    let mut random = kelso_random::stream(&[u64::from(std::process::id())]);
    let mut kept = 0;
    for time in 0..TIMES {
        let more: &[&str] = if folder.path("cut.jsonl").exists() { &["--resume"] } else { &[] };
        let mut child = untimed(&folder, &same_match("cut", more)).stdout(Stdio::null()).spawn().unwrap();
        // Several kills fit into the time of one run.
        let pause = took.mul_f64(2.0 / f64::from(TIMES)) * random.random_range(0..1000) / 1000;
        thread::sleep(pause);
        // This is SIGKILL on Unix, so nothing can be cleaned up.
        child.kill().unwrap();
        child.wait().unwrap();
        if folder.path("cut.jsonl").exists() {
            let now = games(&folder, "cut").len();
            assert!(now >= kept, "kill {time} lost games: {now} of {kept}");
            kept = now;
        }
    }
    let resumed = run(&same_match("cut", &["--resume"]));
    assert!(resumed.status.success(), "{}", shown(&resumed));
    assert_eq!(String::from_utf8_lossy(&resumed.stdout), String::from_utf8_lossy(&whole.stdout));
    assert_eq!(folder.read("cut.pdn"), folder.read("whole.pdn"));
    assert_eq!(folder.read("cut.jsonl"), folder.read("whole.jsonl"));
}

/// Schedulers and terminals signal both the match and its engines, and engines may exit first.
#[cfg(target_os = "linux")]
#[test]
fn engines_interrupted_with_the_match_have_not_crashed() {
    use rustix::process::{Pid, Signal, kill_process};

    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let words = ["--engine", "name=A", "--engine", "name=B", "--each", "movetime=0.02", "--rounds", "50"];
    let mut child = command(&folder, &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let term = |id: u32| {
        let _ = kill_process(Pid::from_raw(i32::try_from(id).unwrap()).unwrap(), Signal::TERM);
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !folder.path("match.jsonl").exists() || games(&folder, "match").is_empty() {
        assert!(Instant::now() < deadline, "no game is finished");
        thread::sleep(Duration::from_millis(20));
    }
    processes::children(child.id()).for_each(|(child, _)| term(child));
    term(child.id());
    child.wait().unwrap();
    let mut crashed = games(&folder, "match");
    crashed.retain(|game| game.termination == Termination::Fault(FaultKind::Crash));
    assert!(crashed.is_empty(), "{crashed:?}");
}

#[test]
fn the_number_of_threads_and_of_shards_changes_nothing() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let run = |name: &str, more: &[&str]| {
        let words = ["--rounds", "200", "--quiet", "--sprt", "elo0=0,elo1=100", "--out", name];
        let output = untimed(&folder, &[&words[..], more].concat()).output().unwrap();
        assert!(output.status.success(), "{}", shown(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let one = run("one", &["--concurrency", "1"]);
    assert_eq!(one, run("five", &["--concurrency", "5"]));
    assert_eq!(folder.read("one.pdn"), folder.read("five.pdn"));
    assert!(one.contains("Stopped: H0 accepted"), "{one}");
    assert!(games(&folder, "one").len() < 400);
}

#[test]
fn joined_shards_equal_the_whole() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let run = |name: &str, more: &[&str]| {
        let words = ["--rounds", "20", "--quiet", "--out", name];
        let output = untimed(&folder, &[&words[..], more].concat()).output().unwrap();
        assert!(output.status.success(), "{}", shown(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = run("whole", &[]);
    for shard in ["1/3", "2/3", "3/3"] {
        run(&format!("part-{}", &shard[..1]), &["--shard", shard]);
    }
    let stats = |files: &[&str]| kelso().arg("stats").args(files).current_dir(&folder).output().unwrap();
    let merged = stats(&["part-3.pdn", "part-1.jsonl", "part-2.pdn", "part-1.pdn"]);
    assert_eq!(String::from_utf8_lossy(&merged.stdout), whole, "{}", shown(&merged));
    assert!(shown(&merged).contains("14 games left out as duplicates"), "{}", shown(&merged));
}

#[test]
fn an_engine_that_cannot_start_is_one_error_before_the_first_game() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    for (engine, part) in [
        ("name=X cmd=./no-such-program nodes=1", "no-such-program"),
        ("name=X random option.Hush=1 nodes=1", "has no option \"Hush\""),
        ("name=X cmd=true nodes=1 timeout=5", "exited on its own"),
        ("name=X cmd=cat nodes=1 timeout=0.3", "did not answer \"uci\""),
    ] {
        let output = run(&folder, &["--engine", engine, "--engine", "random nodes=1", "--overwrite"]);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.starts_with("error: cannot start engine \"X\": ") && error.contains(part), "{error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    }
}

#[test]
fn strict_matches_stop_at_the_first_misbehaviour() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let chaos = example("chaos_engine");
    let engine = format!("name=chaos cmd='{}' args='--only illegal --rate 5' nodes=1", chaos.display());
    let output = run(&folder, &["--engine", &engine, "--engine", "random nodes=1", "--strict", "--quiet"]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("Stopped at the first fault, game 1: chaos gave an illegal move \"1-32\""),
        "{text}"
    );
    assert!(
        text.contains("stderr: chaos: Illegal") && !text.contains("(chaos)") && text.contains("--resume"),
        "{text}"
    );
    assert_eq!(games(&folder, "match").len(), 1);
}

#[test]
fn a_match_whose_workers_end_before_the_interrupt_is_seen_was_stopped() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let words = ["name=A", "name=B"].map(str::to_owned);
    let folder = Folder::new();
    let program = folder.path("kelso");
    fs::copy(KELSO, &program).unwrap();
    let own = OwnProgram { path: program.clone(), random: "random-engine" };
    let engines = parse_engines(&words, &["movetime=30s".to_owned()], &own).unwrap();
    // The first pair ends after its only move; the second takes long.
    let won = GameRecord::new(fen::parse("B:W18:B14").unwrap());
    let openings = [won, GameRecord::new(Position::start())];
    let stop = StopToken::default();
    let on_event = |event: MatchEvent<'_>| {
        if let MatchEvent::Progress(MatchProgress { finished: 2, .. }) = event {
            stop.stop();
            // The only worker exits after its engines.
            let began = Instant::now();
            while leftovers(&program) > 0 {
                assert!(began.elapsed() < crate::helpers::engine::PATIENCE);
                thread::sleep(Duration::from_millis(5));
            }
        }
    };
    let setup = MatchSetup {
        event: String::new(),
        site: None,
        engines,
        choice: OpeningChoice { name: String::new(), first: 1, plies: None },
        openings: openings.into(),
        plan: Plan {
            order: OpeningOrder::Sequential,
            format: Format::RoundRobin,
            rounds: 2,
            seed: 1,
            shard: Shard::WHOLE,
        },
        rules: Rules::default(),
        sprt: None,
        oracle: None,
        concurrency: 1,
        strict: false,
        forfeit: false,
        timed: false,
        on_event: &on_event,
    };
    let (name, policy) = (OutputPath::file("--out", folder.path("m")), ResumePolicy::default());
    let outputs = policy.outputs::<MatchHeader>(&name, []).unwrap().check().unwrap();
    let files = MatchFiles { outputs: &outputs, name: &name, policy, log: None };
    let PlayedMatch { report, end, .. } = setup.run(&files, &stop).unwrap().unwrap();
    assert_eq!((report.games, end), (2, MatchEnd::Stopped));
}

/// Returns the number of lines in the checkpoint of a match.
#[cfg(unix)]
fn lines(folder: &Folder) -> usize {
    fs::read_to_string(folder.path("match.jsonl")).map_or(0, |text| text.lines().count())
}

/// Waits until a match has written some games.
#[cfg(unix)]
fn await_games(folder: &Folder) {
    let began = Instant::now();
    while lines(folder) < 10 {
        assert!(began.elapsed() < crate::helpers::engine::PATIENCE);
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_finished_games_and_reports_how_to_resume() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let mut child = random_match(&folder, &["--rounds", "100000"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_games(&folder);
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let began = Instant::now();
    let output = child.wait_with_output().unwrap();
    // Playing all games would take minutes.
    assert!(began.elapsed() < crate::helpers::engine::PATIENCE);
    assert_eq!(output.status.code(), Some(130), "{}", shown(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let message = "interrupted; to resume, repeat the command with --resume\n";
    assert!(String::from_utf8_lossy(&output.stderr).ends_with(message), "{}", shown(&output));
    let games = games(&folder, "match");
    let played = format!("Match: {},", counted(games.len() as u64, "game"));
    assert!(!games.is_empty() && text.starts_with(&played), "{text}");
    games.iter().for_each(check);
}

#[test]
fn games_name_the_match_and_begin_with_the_chosen_openings() {
    let folder = Folder::new();
    folder.write("o.pdn", "1. 11-15 23-19 2. 8-11 *\n\n1. 9-14 22-18 2. 5-9 *\n");
    let run = |more: &[&str]| {
        let words = ["--openings", "o.pdn", "--first-opening"];
        random_match(&folder, &[&words[..], more].concat()).output().unwrap()
    };
    let output = run(&["2", "--opening-plies", "1", "--event", "Cup", "--site", "Oslo"]);
    assert!(output.status.success(), "{}", shown(&output));
    let pdn = folder.read("match.pdn");
    for tags in ["[Event \"Cup\"]\n[Site \"Oslo\"]\n", "[Opening \"o.pdn 2\"]\n[OpeningPlies \"1\"]\n"] {
        assert_eq!(pdn.matches(tags).count(), 2, "{pdn}");
    }
    let output = run(&["3", "--out", "b"]);
    assert_eq!(shown(&output), "error: o.pdn has only 2 openings\n");
}

#[cfg(unix)]
#[test]
fn a_log_continues_after_a_kill_and_an_interrupt() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let mut before = String::new();
    for (more, signal) in [
        (&[][..], rustix::process::Signal::KILL),
        (&["--resume"], rustix::process::Signal::INT),
        (&["--resume", "--overwrite"], rustix::process::Signal::KILL),
    ] {
        let words = [&["--log", "m.log", "--rounds", "100000", "--quiet"], more].concat();
        let mut child = random_match(&folder, &words);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        let log = || fs::read_to_string(folder.path("m.log")).unwrap_or_default();
        while log().matches(" bestmove ").count() < before.matches(" bestmove ").count() + 100 {
            assert!(began.elapsed() < crate::helpers::engine::PATIENCE);
            thread::sleep(Duration::from_millis(5));
        }
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), signal).unwrap();
        child.wait().unwrap();
        assert!(log().starts_with(&before), "{more:?}");
        assert!(log().lines().all(|line| line.split(' ').next().unwrap().parse::<f64>().is_ok()), "{more:?}");
        before = log();
    }
    // Without `--resume`, nothing is continued or replaced.
    let refused = random_match(&folder, &["--out", "b", "--log", "m.log"]).output().unwrap();
    assert_eq!(shown(&refused), "error: \"m.log\" already exists; use --overwrite to replace it\n");
    assert_eq!(fs::read_to_string(folder.path("m.log")).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_log_on_a_full_disk_keeps_what_was_written() {
    let folder = Folder::new();
    let whole = random_match(&folder, &["--rounds", "1", "--log", "m.log"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 24; exec \"$@\"", "sh"]).arg(whole.get_program());
    let output = limited.args(whole.get_args()).current_dir(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(shown(&output).contains("error: cannot write \"m.log\": "), "{}", shown(&output));
    assert!(fs::read_to_string(folder.path("m.log")).unwrap().matches(" bestmove ").count() > 10);
    assert_eq!(games(&folder, "match").len(), 2);
}

/// The lock is released when the process ends, so a kill must not block the next run.
#[cfg(unix)]
#[test]
fn two_matches_never_write_the_same_files() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let run = |words: &[&str]| random_match(&folder, words).output().unwrap();
    let mut first = random_match(&folder, &["--rounds", "100000", "--quiet"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    await_games(&folder);
    for words in
        [&["--rounds", "1"][..], &["--rounds", "100000", "--resume"], &["--rounds", "1", "--overwrite"]]
    {
        let before = lines(&folder);
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert_eq!(
            shown(&output),
            "error: \"match.jsonl\" is being written by another run; wait for it to end, or use another --out\n"
        );
        assert!(lines(&folder) >= before, "{words:?}");
    }
    assert!(run(&["--rounds", "1", "--out", "other"]).status.success());
    assert!(!folder.path("other.lock").exists());
    assert!(first.try_wait().unwrap().is_none());
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(games(&folder, "match").len() >= 9);
    let output = run(&["--rounds", "1", "--overwrite"]);
    assert!(output.status.success(), "{}", shown(&output));
    assert_eq!(games(&folder, "match").len(), 2);
    assert!(!folder.path("match.lock").exists());
}

#[test]
fn random_against_random_is_even() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let words = ["--rounds", "500", "--openings", "eleven-man", "--concurrency", "2", "--quiet"];
    let words = [&words[..], &["--json", "report.json"]].concat();
    let output = random_match(&folder, &words).output().unwrap();
    assert!(output.status.success(), "{}", shown(&output));
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    let elo = &report["engines"][0]["estimate"]["elo"];
    let (low, high) = (elo["low"].as_f64().unwrap(), elo["high"].as_f64().unwrap());
    assert_eq!(report["games"].as_u64(), Some(1000));
    assert!(low < 0.0 && high > 0.0 && high - low < 54.0, "{elo}");
}

#[cfg(unix)]
#[test]
fn the_examples_play_a_match_in_parts() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let words =
        ["--engine", "random name='A 1'", "--engine", "random name=B", "--each", "nodes=1", "--rounds", "20"];
    let script = |name: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new("sh");
        command.arg(examples.join(name)).args(words).current_dir(&folder).env("KELSO", KELSO);
        let output = command.envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", shown(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = run(&folder, &words);
    let table = |text: &str| text.lines().take(8).map(str::to_owned).collect::<Vec<_>>();
    let whole = table(&String::from_utf8(whole.stdout).unwrap());
    let slurm = [("SLURM_ARRAY_TASK_COUNT", "3"), ("SLURM_CPUS_PER_TASK", "4")];
    for task in ["1", "2", "3", "2"] {
        script("match-slurm.sh", &[slurm[0], slurm[1], ("SLURM_ARRAY_TASK_ID", task)]);
    }
    let parts = ["part-1.jsonl", "part-2.jsonl", "part-3.jsonl"];
    let merged = kelso().arg("stats").args(parts).current_dir(&folder).output().unwrap();
    assert_eq!(table(&shown(&merged)), whole);
    for part in parts {
        fs::remove_file(folder.path(part)).unwrap();
        fs::remove_file(folder.path(part).with_extension("pdn")).unwrap();
    }
    if !has("parallel") {
        return;
    }
    assert_eq!(table(&script("match-parallel.sh", &[("PARTS", "3")])), whole);
    assert!(folder.read("report.html").contains("A 1"));
}

/// Every searcher and every evaluation of the laboratory is an engine.
#[test]
fn the_players_of_the_laboratory_play_matches() {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let textbook: Vec<&str> = searcher_names().into_iter().filter(|&name| name != "alphabeta").collect();
    let mut engines = vec!["random".to_owned()];
    for (index, evaluation) in evaluation_names().into_iter().enumerate() {
        let searcher = if index == 0 { "alphabeta" } else { textbook[index % textbook.len()] };
        engines.push(format!("args=\"lab engine searcher={searcher} eval={evaluation}\" name={evaluation}"));
    }
    let count = engines.len() - 1;
    assert!(count > textbook.len());
    let mut words = vec!["--format", "gauntlet", "--rounds", "1", "--each", "depth=2", "--strict"];
    for engine in &engines {
        words.extend(["--engine", engine]);
    }
    let output = run(&folder, &words);
    assert!(output.status.success(), "{}", shown(&output));
    let games = games(&folder, "match");
    assert_eq!(games.len(), 2 * count);
    for game in &games {
        check(game);
        // Every move after the opening has the depth and the nodes of a search.
        for ply in &game.plies[game.opening_plies..] {
            let info = ply.search;
            assert!(info.score.is_some() && info.depth.is_some() && info.nodes.is_some(), "{game:?}");
        }
    }
}

fn check_engine(engine: &str, more: &[&str]) -> (Option<i32>, String) {
    let output = kelso().args(["check", "--engine", engine]).args(more).output().unwrap();
    (output.status.code(), shown(&output))
}

#[test]
fn the_engine_passes_the_check_of_both_protocols() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // Use a wide margin, since the machine may be busy.
    let (status, text) = check_engine(&format!("'{KELSO}'"), &["--margin", "4s"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("16 of 16 required steps passed, 10 of 10 optional\n"), "{text}");
    let (status, text) = check_engine(&format!("'{KELSO}' hub"), &["--proto", "hub", "--margin", "4s"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("skip  limit: one clock only: not in this protocol\n"), "{text}");
    assert!(text.contains("16 of 16 required steps passed, 9 of 9 optional, 1 skipped\n"), "{text}");
}

/// The header of this match names options that the engine no longer has.
#[test]
fn matches_of_textbook_searchers_as_options_are_read() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/matches/textbook.jsonl");
    let output = kelso().arg("stats").arg(file).output().unwrap();
    let report = shown(&output);
    assert!(output.status.success() && report.starts_with("Match: 2 games, "), "{report}");
}

#[test]
fn options_that_an_engine_lacks_are_errors() {
    let folder = Folder::new();
    for (option, error) in [
        ("option.Searcher=ab", "has no option \"Searcher\""),
        ("option.Evaluation=v1", "expected one of network, classic, material"),
    ] {
        let engine = format!("name=a depth=2 {option}");
        let report = shown(&run(&folder, &["--engine", &engine, "--engine", "random"]));
        assert!(report.starts_with("error: ") && report.contains(error), "{report}");
    }
}

#[test]
fn players_as_engines_pass_the_check() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for arguments in ["searcher=ab-tt-q eval=v3", "searcher=mtdf eval=v1", "eval=classic"] {
        let (status, report) =
            check_engine(&format!("'{KELSO}' lab engine {arguments}"), &["--margin", "4s"]);
        assert_eq!(status, Some(0), "{report}");
        assert!(report.contains("14 of 14 required steps passed, 9 of 9 optional, 3 skipped"), "{report}");
    }
}

#[test]
fn missing_features_of_an_engine_are_reported() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let chaos = example("chaos_engine");
    let instant = format!("'{}' --rate 1000000000", chaos.display());
    let chaos = |way: &str| format!("'{}' --rate 1 --only {way}", chaos.display());
    for (engine, part) in [
        (instant.clone(), "FAIL  stop: \"go infinite\" was answered at once by \"bestmove"),
        // The answer to "go" may arrive before or after "isready" is sent.
        (instant.clone(), "warn  ping during a search (optional): \""),
        (instant, "skip  ponder: the expected move: the engine declares no option"),
        (chaos("exit"), "; stderr: chaos: Exit"),
        // The hint addresses the failure, not the step.
        (chaos("exit"), "\n      it exited on its own: run it by hand with the same lines to see why\n"),
        (chaos("flood"), "wrote too much output\n      it may print in a loop; "),
        (chaos("illegal"), "FAIL  a search from the start: \"bestmove 1-32\": illegal move"),
        (chaos("nomove"), "FAIL  a search from the start: no move in the start"),
        (chaos("twice"), "unexpected \"bestmove"),
        ("no-such-program".to_owned(), "FAIL  handshake: cannot start \"no-such-program\""),
    ] {
        let (status, text) = check_engine(&engine, &["--timeout", "2", "--margin", "500ms"]);
        assert_eq!(status, Some(1), "{text}");
        assert!(text.contains(part), "{engine}: {part} is missing from\n{text}");
    }
}

#[test]
fn an_engine_that_does_not_answer_is_not_asked_24_times() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let engine = format!("'{}' --rate 1 --only hang", example("chaos_engine").display());
    let (status, text) = check_engine(&engine, &["--timeout", "0.5"]);
    assert_eq!(status, Some(1), "{text}");
    assert_eq!(text.matches(": no answer to ").count(), 2, "{text}");
    assert!(text.contains("it may have stopped reading its input, fail to flush its output"), "{text}");
    assert!(text.contains(" not reached\n"), "{text}");
}

#[test]
fn engines_with_the_hub_protocol_can_play() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let hub = example("hub_engine");
    let engine = format!("name=hub cmd='{}' proto=hub tc=60+1 ponder=on option.wit=high", hub.display());
    let output =
        run(&folder, &["--engine", &engine, "--engine", "random nodes=1", "--rounds", "100", "--quiet"]);
    assert!(output.status.success(), "{}", shown(&output));
    let games = games(&folder, "match");
    assert_eq!(games.len(), 200);
    for game in &games {
        check(game);
        assert_eq!(game.at_fault(), None, "{}", game.detail);
    }
    // Captures in Hub name all captured pieces.
    let captures = games.iter().flat_map(|game| &game.plies).filter(|ply| ply.mv.is_capture()).count();
    assert!(captures > 1000, "{captures}");
    let (status, text) = check_engine(&format!("'{}'", hub.display()), &["--proto", "hub", "--margin", "4s"]);
    assert_eq!(status, Some(0), "{text}");
}

#[test]
fn engines_think_on_the_other_sides_time() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let engine = |name: &str| format!("name={name} cmd='{KELSO}' option.Hash=1");
    let output = run(
        &folder,
        &[
            "--engine",
            &engine("A"),
            "--engine",
            &engine("B"),
            "--each",
            "tc=0.3+0.01 ponder=on margin=10",
            "--rounds",
            "2",
            "--concurrency",
            "1",
            "--quiet",
        ],
    );
    assert!(output.status.success(), "{}", shown(&output));
    for game in games(&folder, "match") {
        assert_eq!(game.at_fault(), None, "{}", game.detail);
        assert!(game.moves().all(|(_, ply)| ply.clock.is_some() && ply.search.depth.is_some()));
    }
}

#[test]
fn games_are_adjudicated_by_endgame_databases() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let run = |more: &[&str]| {
        random_match(&folder, &[&["--rounds", "30", "--quiet"], more].concat()).output().unwrap()
    };
    let output = run(&["--egdb-pieces", "4"]);
    assert!(output.status.success(), "{}", shown(&output));
    let games = games(&folder, "match");
    let by_database = Termination::Regular(EndReason::Database);
    let known: Vec<_> = games.iter().filter(|game| game.termination == by_database).collect();
    assert!(known.len() > 20, "{}", shown(&output));
    for game in known {
        assert!(game.record().positions().all(|(position, _)| position.piece_count() > 4));
        assert!(game.record().last_position().piece_count() <= 4);
    }
    let output = run(&["--egdb-pieces", "9", "--overwrite"]);
    let refused = output.status.code() == Some(2) && shown(&output).contains("cover at most");
    assert!(refused, "{}", shown(&output));
}

#[test]
fn a_match_cannot_be_resumed_with_other_openings() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new();
    let engines = ["--engine", "random name=A restart=on", "--engine", "random name=B", "--each", "nodes=1"];
    let openings = ["--openings", "some.fen", "--order", "sequential"];
    let run = |more: &[&str]| run(&folder, &[&engines[..], &openings, more].concat());
    fs::write(folder.path("some.fen"), "B:W21-32:B1-12\nW:WK30,K31:B1,2\n").unwrap();
    let output = run(&["--rounds", "1"]);
    assert!(output.status.success(), "{}", shown(&output));
    let output = run(&["--rounds", "2", "--resume"]);
    assert!(output.status.success() && games(&folder, "match").len() == 4, "{}", shown(&output));
    let before = ["match.jsonl", "match.pdn"].map(|name| folder.read(name));
    fs::write(folder.path("some.fen"), "B:W22-32:B1-12\nW:WK30,K31:B1,2\n").unwrap();
    let output = run(&["--rounds", "3", "--resume"]);
    assert!(shown(&output).contains("check whether the openings have changed"), "{}", shown(&output));
    let after = ["match.jsonl", "match.pdn"].map(|name| folder.read(name));
    assert_eq!((output.status.code(), after), (Some(2), before));
}
