//! Tests that misbehaving child processes are handled in bounded time.

use std::time::{Duration, Instant};

use kelso_process::{CommandLine, Event, MAX_LINE, Process, SendError};
use kelso_runtime::stop::StopToken;

fn start(actions: &[&str]) -> Process {
    Process::spawn(&CommandLine::new(crate::helpers::mock_engine()).with_arguments(actions)).unwrap()
}

fn within(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

fn line(process: &Process) -> String {
    match process.recv_until(within(5000)) {
        Event::Line(line, _) => line,
        other => panic!("{other:?}, expected a line; stderr: {}", process.stderr_end()),
    }
}

#[test]
fn lines_are_exchanged_until_the_input_is_closed() {
    let process = start(&["echo", "partial", "bye", "exit", "7"]);
    process.send("one", within(1000)).unwrap();
    assert_eq!(line(&process), "echo: one");
    process.send("two\nthree", within(1000)).unwrap();
    assert_eq!([line(&process), line(&process)], ["echo: two", "echo: three"]);
    assert_eq!(process.recv_until(within(20)), Event::Timeout);
    assert_eq!(process.wait_until(within(20)).unwrap(), None);
    process.close_stdin();
    assert!(matches!(process.send("four", within(1000)), Err(SendError::Closed)));
    assert_eq!(line(&process), "bye");
    assert_eq!(process.recv_until(within(5000)), Event::Eof);
    assert_eq!(process.wait_until(within(5000)).unwrap().and_then(|status| status.code()), Some(7));
}

#[test]
fn a_line_has_the_time_of_its_arrival() {
    let process = start(&["say", "first", "say", "second", "hang"]);
    assert_eq!(line(&process), "first");
    // The second line arrives immediately, but has not been received yet.
    std::thread::sleep(Duration::from_millis(500));
    let asked = Instant::now();
    let Event::Line(_, arrived) = process.recv_until(within(1000)) else { panic!("no line") };
    assert!(arrived < asked);
}

#[test]
fn a_program_that_does_not_read_does_not_block_the_sender() {
    let process = start(&["hang"]);
    let long = "x".repeat(1 << 20);
    assert!(matches!(process.send(&long, within(100)), Err(SendError::NotReading)));
}

#[test]
fn a_crash_leaves_its_output_on_stderr() {
    let process = start(&["say", "a", "stderr", "out of cheese", "abort"]);
    assert_eq!(line(&process), "a");
    assert_eq!(process.recv_until(within(5000)), Event::Eof);
    let status = process.wait_until(within(5000)).unwrap().unwrap();
    assert!(!status.success());
    assert_eq!(process.stderr_end().trim_end(), "out of cheese");
    let error = loop {
        // The pipe may outlive the program for a moment.
        if let Err(error) = process.send("hello", within(1000)) {
            break error;
        }
    };
    assert!(matches!(error, SendError::Closed), "{error}");
}

#[test]
fn a_flood_is_bounded() {
    let process = start(&["flood"]);
    std::thread::sleep(Duration::from_millis(300));
    let begun = Instant::now();
    let mut lines = 0;
    let end = loop {
        match process.recv_until(within(5000)) {
            Event::Line(..) => lines += 1,
            end => break end,
        }
        // If lines are read as fast as they are printed, nothing accumulates.
        if begun.elapsed() > Duration::from_secs(3) {
            return;
        }
    };
    assert_eq!(end, Event::Flood);
    assert!(lines > 1 << 15, "{lines}");
}

#[test]
fn invalid_utf8_and_unterminated_lines_are_received() {
    let process = start(&["garbage", "overlong", &(MAX_LINE + 1).to_string(), "say", "after"]);
    assert_eq!(line(&process), "\u{fffd}\u{fffd}\0\u{fffd} bytes");
    assert_eq!(process.recv_until(within(5000)), Event::Overlong);
    assert_eq!(line(&process), "after");
    assert_eq!(process.recv_until(within(5000)), Event::Eof);
}

#[test]
fn another_thread_can_kill_a_process_that_is_awaited() {
    let process = start(&["hang"]);
    let stop = StopToken::default();
    let _kill = stop.on_stop(process.killer());
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stop.stop();
    });
    // Without the stop, the process would hang forever.
    assert_eq!(process.recv_until(within(20_000)), Event::Eof);
    other.join().unwrap();
    assert!(!process.wait_until(within(1000)).unwrap().unwrap().success());
}

#[test]
fn programs_that_cannot_be_started_are_errors() {
    let error = Process::spawn(&CommandLine::new("no/such/engine")).unwrap_err();
    assert!(error.to_string().starts_with("cannot start \"no/such/engine\": "), "{error}");
}

#[test]
fn a_relative_program_is_found_in_its_directory() {
    let path = crate::helpers::mock_engine();
    let directory = path.parent().unwrap();
    let name = std::path::Path::new(".").join(path.file_name().unwrap());
    let line_there = CommandLine::new(name).with_arguments(["say", "here"]);
    let process =
        Process::spawn(&CommandLine { directory: Some(directory.to_owned()), ..line_there }).unwrap();
    assert_eq!(line(&process), "here");
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use crate::helpers::processes;

    /// Waits until a process exits or is a zombie. Returns `false` after a timeout.
    fn dies(number: &str) -> bool {
        let deadline = within(5000);
        while processes::lives(number) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        !processes::lives(number)
    }

    /// Returns the numbers of open files and of children of this process.
    fn usage() -> (usize, usize) {
        let own = std::process::id();
        (processes::open_files(own), processes::children(own).count())
    }

    #[test]
    fn a_dropped_process_is_killed_with_its_children() {
        let process = start(&["child", "hang"]);
        let child = line(&process);
        assert!(processes::lives(&child));
        drop(process);
        assert!(dies(&child));
    }

    #[test]
    fn a_child_that_outlives_its_parent_is_ended_with_it() {
        let process = start(&["child", "exit", "3"]);
        let child = line(&process);
        // The child still holds the output open.
        assert_eq!(process.recv_until(within(50)), Event::Timeout);
        assert_eq!(process.wait_until(within(5000)).unwrap().and_then(|status| status.code()), Some(3));
        assert_eq!(process.recv_until(within(5000)), Event::Eof);
        assert!(dies(&child));
    }

    /// Runs the next test in a separate process.
    #[test]
    fn nothing_is_left_behind() {
        let own = std::env::current_exe().unwrap();
        let (_, module) = module_path!().split_once("::").unwrap();
        let name = format!("{module}::repeated_processes_leak_nothing");
        let output = std::process::Command::new(own).args(["--exact", "--ignored", &name]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }

    #[test]
    #[ignore = "counts open files and processes, and so must run by itself"]
    fn repeated_processes_leak_nothing() {
        let before = usage();
        for turn in 0..300 {
            let process =
                start(&["stderr", "x", "say", "hello", if turn % 2 == 0 { "hang" } else { "echo" }]);
            if turn % 3 != 0 {
                assert_eq!(line(&process), "hello");
            }
        }
        // Threads that read the last output may still hold it open.
        let deadline = Instant::now() + Duration::from_secs(10);
        while usage() != before && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(usage(), before);
    }
}
