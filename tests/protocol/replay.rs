//! `kelso replay` with the transcripts of `tests/data/transcripts`, and with an engine that fails on request.

use std::time::{Duration, Instant};

use crate::helpers::engine::PATIENCE;
use crate::helpers::{Folder, kelso, mock_command, result};

/// Runs a transcript against the mock engine, whose actions it contains, and returns the report and the exit
/// status.
fn replay(text: &str, options: &[&str]) -> (String, Option<i32>) {
    let folder = Folder::new();
    let path = folder.write("t.txt", text);
    let begun = Instant::now();
    let output = kelso()
        .arg("replay")
        .arg(&path)
        .args(["--engine", &mock_command("")])
        .args(options)
        .output()
        .unwrap();
    // No transcript here waits that long, even on a busy machine.
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    let (out, errors, status) = result(&output);
    assert_eq!(errors, "");
    (out.replace(path.to_str().unwrap(), "t.txt"), status)
}

/// Runs a transcript that should fail. Returns the first line of the report, without the time, and the rest.
fn fails(text: &str) -> (String, String) {
    fails_within("10", text)
}

/// Like `fails`, for a timeout.
fn fails_within(seconds: &str, text: &str) -> (String, String) {
    let (out, status) = replay(text, &["--timeout", seconds]);
    assert_eq!(status, Some(1), "{out}");
    let (first, rest) = out.split_once('\n').unwrap();
    let (first, _time) = first.rsplit_once(" (").unwrap();
    let rest = rest.strip_suffix("0 passed, 1 failed\n").unwrap();
    (first.to_owned(), rest.to_owned())
}

#[test]
fn a_session_as_expected_passes() {
    for text in [
        "# all kinds of lines\n! args uci\n! timeout 5\n! option Hash 32\n> uci\n< id name [..]\n< ...\n< uciok\n\
         > go depth 3\n<* info depth [n] [..]\n< bestmove [move]\n! wait 10\n> show hash\n< hash is 32\n! close\n! eof\n\
         ! exit 0\n",
        "! args uci\r\n> isready\r\n< readyok\r\n",
        "! args say a say b exit 3\n< a\n< b\n! exit 3\n",
        "! args exit 3\n! exit any\n",
        "! args read say a drain say b\n> go\n< a\n! close\n< b\n",
        "! args say a read say b say c\n< a\n< ...\n> x\n",
        "! args say a read say b say c\n< ...\n> x\n< c\n",
        "! args garbage\n< [..] bytes\n",
        "! args partial x\n< x\n",
        "! args uci\n> quit\n! eof\n! exit 0\n",
    ] {
        let (out, status) = replay(text, &[]);
        assert_eq!(status, Some(0), "{text}\n{out}");
        assert!(out.starts_with("ok      t.txt (") && out.ends_with("\n1 passed, 0 failed\n"), "{out}");
    }
}

#[test]
fn every_line_counts() {
    let (first, rest) = fails("! args uci\n> isready\n< readyyes\n");
    assert_eq!(first, "FAILED  t.txt:3: unexpected line");
    assert_eq!(
        rest,
        "        > isready\n        < readyok\n    expected: < readyyes\n         got: < readyok\n"
    );
    let (first, rest) =
        fails("! args uci\n> go depth 1\n< ...\n< bestmove 11-15\n> nonsense\n> isready\n< readyok\n");
    assert_eq!(first, "FAILED  t.txt:7: unexpected line");
    assert!(
        rest.contains("    expected: < readyok\n         got: < error: unknown command `nonsense`\n"),
        "{rest}"
    );
    let (first, rest) = fails("! args uci\n> isready\n");
    assert_eq!(first, "FAILED  t.txt:2: unexpected line at the end");
    assert!(rest.contains("    expected: the end of the output\n         got: < readyok\n"), "{rest}");
    let (first, _) = fails("! args say info say bestmove\n<* info\n! eof\n");
    assert_eq!(first, "FAILED  t.txt:2: unexpected line at the end");
}

#[test]
fn an_engine_that_hangs_is_reported() {
    let fails = |text: &str| fails_within("0.5", text).0;
    assert_eq!(fails("! args hang\n> go\n< x\n"), "FAILED  t.txt:3: no line matching \"< x\" within 0.5 s");
    assert_eq!(fails("! args hang\n> go\n< ...\n"), "FAILED  t.txt:3: the engine did not exit within 0.5 s");
    assert_eq!(
        fails("! args say a hang\n! timeout 10\n< a\n! timeout 0.1\n< b\n"),
        "FAILED  t.txt:5: no line matching \"< b\" within 0.1 s"
    );
    assert_eq!(
        fails(&format!("! args hang\n> {}\n", "x".repeat(1 << 20))),
        "FAILED  t.txt:2: the engine did not read its input within 0.5 s"
    );
    let late = "! args read sleep 1000 say late\n> go\n< late\n";
    assert_eq!(fails(late), "FAILED  t.txt:3: no line matching \"< late\" within 0.5 s");
    assert_eq!(replay(late, &["--timeout", "10"]).1, Some(0));
}

#[test]
fn an_engine_that_crashes_is_reported_with_its_output() {
    let (first, rest) = fails("! args say a stderr 'out of cheese' exit 7\n< a\n> go\n< b\n");
    // The engine may exit before or after the line is sent.
    assert!(
        first == "FAILED  t.txt:3: the engine ended with exit status 7 before \"> go\""
            || first == "FAILED  t.txt:4: the engine ended with exit status 7 before \"< b\"",
        "{first}"
    );
    assert!(rest.ends_with("    stderr ends with:\n        out of cheese\n"), "{rest}");
    let (first, _) = fails("! args drain exit 3\n> go\n");
    assert_eq!(first, "FAILED  t.txt:2: exit status 3, expected 0");
    let (first, _) = fails("! args uci\n! exit 1\n> quit\n");
    assert_eq!(first, "FAILED  t.txt:2: exit status 0, expected 1");
}

#[cfg(unix)]
#[test]
fn a_signal_is_not_an_exit_status() {
    let (first, _) = fails("! args drain abort\n! exit any\n> go\n");
    assert!(first.starts_with("FAILED  t.txt:2: signal: 6"), "{first}");
}

#[test]
fn an_engine_that_floods_its_output_is_reported() {
    // The error depends on whether the runner reads as fast as the engine prints.
    let flood = "the engine wrote too much output";
    for (text, reason) in [
        ("! args flood\n< ...\n< x\n", "no line matching \"< x\" within 0.5 s"),
        ("! args flood\n< ...\n", "the engine did not exit within 0.5 s"),
    ] {
        let (first, _) = fails_within("0.5", text);
        assert!(first.ends_with(reason) || first.ends_with(flood), "{first}");
    }
    assert_eq!(
        fails_within("0.5", "! args chat 20\n< ...\n< x\n").0,
        "FAILED  t.txt:3: no line matching \"< x\" within 0.5 s"
    );
    let (first, _) = fails_within("0.5", "! args flood\n! wait 1500\n< ...\n< x\n");
    assert_eq!(first, "FAILED  t.txt:4: the engine wrote too much output");
    let (first, _) = fails("! args overlong 2000000\n< ...\n");
    assert_eq!(first, "FAILED  t.txt:2: the engine printed a line of more than 1048576 bytes");
}

#[test]
fn a_long_line_is_truncated_and_escaped() {
    let (_, rest) = fails("! args overlong 5000\n< y\n");
    assert!(rest.contains("... and 4800 more characters\n"), "{rest}");
    let (_, rest) = fails("! args say '\u{1b}[31mred'\n< y\n");
    assert!(rest.contains("got: < \u{fffd}[31mred\n"), "{rest}");
}

#[test]
fn transcripts_that_cannot_be_run_are_errors() {
    let folder = Folder::new();
    let good = folder.write("good.txt", "> a\n");
    let bad = folder.write("bad.txt", "> a\n\nuciok\n");
    let other = folder.write("bytes.txt", b"> \xff\n");
    std::fs::create_dir(folder.path("empty")).unwrap();
    let run = |args: &[&str]| result(&kelso().arg("replay").args(args).output().unwrap());
    let (good, bad, other) = (good.to_str().unwrap(), bad.to_str().unwrap(), other.to_str().unwrap());

    let (out, errors, status) = run(&[good, bad, other]);
    assert_eq!((out.as_str(), status), ("", Some(2)));
    assert_eq!(
        errors,
        format!(
            "error: {bad}:3: invalid line \"uciok\" at character 1: expected a line that begins with \"#\", \">\", \"<\" \
             or \"!\"\n\"{other}\" is not UTF-8 text\n"
        )
    );
    let (_, errors, status) = run(&[good, "--engine", "no/such/engine"]);
    assert_eq!(status, Some(2));
    assert!(errors.starts_with("error: cannot start \"no/such/engine\": "), "{errors}");
    let empty = folder.path("empty");
    let (_, errors, status) = run(&[empty.to_str().unwrap()]);
    assert_eq!(status, Some(2));
    assert!(errors.contains("expected files named *.txt, or Markdown with"), "{errors}");
    assert_eq!(run(&[good, "--engine", "'open"]).2, Some(2));
    assert_eq!(run(&[good, "--timeout", "-1"]).2, Some(2));
    assert_eq!(run(&[good, "--concurrency", "0"]).2, Some(2));
    assert_eq!(run(&[]).2, Some(2));
}

#[test]
fn folders_are_searched_and_reported_in_order() {
    let folder = Folder::new();
    // The first transcript takes longest.
    folder.write("a.txt", "! args sleep 300 say a\n< a\n");
    folder.write("b/c/d.txt", "! args say a\n< b\n");
    folder.write("b/e.txt", "! args say a\n< a\n");
    folder.write("b/notes.md", "> nothing\n");
    folder.write("f.txt", "! args say a\n< a\n");
    let mut reports = Vec::new();
    for jobs in ["1", "4"] {
        let mut command = kelso();
        command.arg("replay").arg(folder.as_ref()).args([
            "--engine",
            &mock_command(""),
            "--concurrency",
            jobs,
        ]);
        let (out, _, status) = result(&command.output().unwrap());
        assert_eq!(status, Some(1));
        let names: Vec<String> = out
            .lines()
            .filter(|line| line.starts_with("ok") || line.starts_with("FAILED"))
            .filter_map(|line| {
                Some(line.split(" (").next()?.rsplit(std::path::MAIN_SEPARATOR).next()?.to_owned())
            })
            .collect();
        assert!(out.ends_with("3 passed, 1 failed\n"), "{out}");
        reports.push(names);
    }
    assert_eq!(reports[0], ["a.txt", "d.txt:2: unexpected line", "e.txt", "f.txt"]);
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn examples_in_markdown_are_run_one_by_one() {
    let folder = Folder::new();
    let text = "# A\n\n```transcript\n! args uci\n> isready\n< readyok\n```\n\n```text\n> no\n```\n\n- b\n\n  ```transcript\n  \
                ! args uci\n  > isready\n  < ready\n  ```\n";
    let path = folder.write("doc.md", text);
    let engine = mock_command("");
    let run = |options: &[&str]| {
        result(&kelso().arg("replay").arg(&path).args(["--engine", &engine]).args(options).output().unwrap())
    };
    let (out, _, status) = run(&[]);
    assert_eq!(status, Some(1));
    assert!(out.contains("doc.md:4 (") && out.contains("doc.md:18: unexpected line"), "{out}");
    assert!(out.ends_with("1 passed, 1 failed\n"), "{out}");
    let (out, _, status) = run(&["--update"]);
    assert_eq!(status, Some(0), "{out}");
    assert_eq!(folder.read("doc.md"), text.replace("< ready\n", "< readyok\n"));
    assert_eq!(run(&[]).2, Some(0));
}

#[test]
fn an_update_rewrites_only_unmet_expectations() {
    let folder = Folder::new();
    let path = folder.write(
        "t.txt",
        "# kept\n! args uci\n> uci\n< id name Mick\n# kept too\n< ...\n< uciok\n> go depth 2\n< info depth [n] [..]\n\
         < info depth 2 score 15 nodes [n] time [n] nps [n] pv [move]\n< bestmove 9-13\n\n> isready\n> nonsense\n\
         < readyok\n! exit 0\n",
    );
    let engine = mock_command("");
    let run = |options: &[&str]| {
        result(&kelso().arg("replay").arg(&path).args(["--engine", &engine]).args(options).output().unwrap())
    };
    assert_eq!(run(&[]).2, Some(1));
    let (out, _, status) = run(&["--update"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.starts_with("changed ") && out.ends_with("1 passed, 0 failed\n"), "{out}");
    let expected = "# kept\n! args uci\n> uci\n< id name Mock\n# kept too\n< ...\n< uciok\n> go depth 2\n\
         < info depth [n] [..]\n< info depth 2 score 12 nodes [n] time [n] nps [n] pv [move]\n< bestmove 11-15\n\n\
         > isready\n> nonsense\n< readyok\n< error: unknown command `nonsense`\n! exit 0\n";
    assert_eq!(folder.read("t.txt"), expected);
    let (out, _, status) = run(&["--update"]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.starts_with("ok "), "{out}");
    assert_eq!(folder.read("t.txt"), expected);
}

#[test]
fn an_update_does_not_change_transcripts_that_crashed() {
    let folder = Folder::new();
    let text = "! args say a exit 1\n< b\n> go\n< c\n";
    let path = folder.write("t.txt", text);
    let engine = mock_command("");
    let output = kelso()
        .arg("replay")
        .arg(&path)
        .args(["--update", "--timeout", "1", "--engine", &engine])
        .output()
        .unwrap();
    let (out, _, status) = result(&output);
    assert_eq!(status, Some(1), "{out}");
    assert_eq!(folder.read("t.txt"), text);
}

#[test]
fn by_default_the_engine_is_this_program() {
    let folder = Folder::new();
    let path = folder.write("t.txt", "! args perft 3\n< perft 3 = 302\n< ...\n");
    let output = kelso().arg("replay").arg(path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_engines() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = Folder::new();
    // The first line contains the process number of a child. The file is created once that line has matched.
    let created = folder.path("created");
    let script = format!("sleep 1000 & echo $!; read line; touch {}; wait", created.display());
    let transcript = format!("! args -c \"{script}\"\n! timeout 60\n< [n]\n> go\n< never\n");
    let path = folder.write("t.txt", transcript);
    folder.write("u.txt", "! args -c \"echo a\"\n< a\n");
    let mut command = kelso();
    command.arg("replay").arg(folder.path("u.txt")).arg(&path).arg(&path);
    command.args(["--engine", "sh", "--concurrency", "1"]).stdout(Stdio::piped());
    let begun = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("ok "));
    while !created.exists() {
        assert!(begun.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    // The transcript waits for a minute.
    assert!(begun.elapsed() < PATIENCE);
    assert!(rest[0].contains(":5: interrupted ("), "{rest:?}");
    assert_eq!(rest.last().unwrap(), "1 passed, 1 failed");
    let number = rest[1].trim().strip_prefix("< ").unwrap();
    let alive = Command::new("kill").args(["-0", number]).stderr(Stdio::null()).status().unwrap().success();
    let zombie =
        std::fs::read_to_string(format!("/proc/{number}/stat")).is_ok_and(|stat| stat.contains(") Z "));
    assert!(!alive || zombie, "{number}");
}

#[test]
fn the_program_passes_its_transcripts() {
    let output = kelso()
        .args(["replay", "tests/data/transcripts"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let (out, errors, status) = result(&output);
    assert_eq!(status, Some(0), "{out}{errors}");
}
