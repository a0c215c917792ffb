//! Sessions on a single thread, which are deterministic: all input first, then all work.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::*;
use crate::{Hub, Native};
use kelso_draughts::board::Move;
use kelso_draughts::notation::{MoveText, movetext};
use kelso_engine::Setting;
use kelso_engine::search::{Limits, TimeLimit};

/// Returns the output of a session that receives all lines before the engine starts.
fn output_of(lines: &[&str]) -> String {
    let mut output = String::new();
    let write = |text: &str| {
        output.push_str(text);
        Ok(())
    };
    let session = SingleThreadedSession::new(Engine::new([Setting::Hash(1)]).unwrap(), Native, write);
    for line in lines {
        session.line(line).unwrap();
    }
    while session.work().unwrap() {}
    drop(session);
    output
}

fn last_line(lines: &[&str]) -> String {
    output_of(lines).lines().last().unwrap_or_default().to_owned()
}

/// A session without an engine, and its jobs.
type DetachedSession<P> = (Session<P, fn(&str) -> io::Result<()>>, Receiver<WorkerJob<Engine>>);

fn detached<P: Protocol>(protocol: P) -> DetachedSession<P> {
    let (sender, jobs) = channel();
    (Session::new(protocol, |_| Ok(()), sender), jobs)
}

fn mv(text: &str) -> Move {
    movetext::parse(&kelso_draughts::board::Position::start(), text).unwrap()
}

#[test]
fn positions_are_described() {
    assert_eq!(output_of(&["moves"]), "moves 9-13 10-14 11-15 12-16 9-14 10-15 11-16\n");
    assert_eq!(output_of(&["position fen W:W:B14", "moves"]), "moves none\n");
    let paths = output_of(&["position fen B:W9,10,17,18:BK6", "moves paths"]);
    let expected = "path 6x6 squares 6 13 22 15 6 captures 9 10 17 18\n\
                    path 6x6 squares 6 15 22 13 6 captures 9 10 17 18\nmoves 6x6\n";
    assert_eq!(paths, expected);
    let shown = output_of(&["position fen W:W5:B14", "show"]);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!((lines.len(), lines[8]), (12, "fen W:W5:B14"), "{shown}");
    assert!(lines[..8].iter().all(|line| line.starts_with("board ")), "{shown}");
    assert_eq!(lines[10..], ["side white", "result open"], "{shown}");
}

#[test]
fn searches_follow_their_limits() {
    assert_eq!(last_line(&["go depth 1 searchmoves 9-13"]).split(' ').take(2).last(), Some("9-13"));
    assert!(last_line(&["go movetime 20"]).starts_with("bestmove "));
    assert!(last_line(&["go infinite", "stop"]).starts_with("bestmove "));
    assert_eq!(last_line(&["position fen W:W:B14", "go depth 1"]), "bestmove none");
}

#[test]
fn leaves_are_counted_below_each_move() {
    let output = output_of(&["go perft 2"]);
    let total = output.lines().last().unwrap();
    assert!(total.starts_with("perft depth 2 leaves 49 time "), "{output}");
    assert_eq!(output.lines().filter(|line| line.starts_with("perft move ")).count(), 7, "{output}");
    assert_eq!(last_line(&["go perft 2", "stop"]), "perft depth 2 stopped");
}

#[test]
fn limits_are_resolved_against_the_position() {
    let start = kelso_draughts::board::Position::start();
    let [black, white, increment] = [7, 9, 2].map(Duration::from_secs);
    let mut go = GoParams {
        depth: Some(5),
        infinite: true,
        clocks: [Some(black), Some(white)],
        increments: [Some(increment), None],
        moves_to_go: Some(3),
        search_moves: vec![MoveText::parse("9-13").unwrap()],
        ..GoParams::default()
    };
    let clock = TimeLimit::Clock { remaining: black, increment, moves_to_go: Some(3) };
    let expected =
        Limits { time: Some(clock), infinite: true, search_moves: vec![mv("9-13")], ..Limits::depth(5) };
    assert_eq!(go.limits(&start).unwrap(), expected);
    go.move_time = Some(increment);
    let time = Some(TimeLimit::Exact(increment));
    assert_eq!(go.limits(&start).unwrap().time, time, "the time per move comes first");
    go.move_time = Some(black);
    assert_eq!(go.limits(&start).unwrap().time, Some(clock), "a clock with no more time");
    for (ponder, infinite) in [(false, true), (true, false)] {
        let unlimited = GoParams { ponder, ..GoParams::default() };
        assert_eq!(unlimited.limits(&start).unwrap().infinite, infinite);
    }
    go.search_moves = vec![MoveText::parse("9-18").unwrap()];
    assert!(go.limits(&start).is_err());
}

/// Returns which of three searches are stopped: an infinite search, a search to a fixed depth, and a ponder
/// search.
fn stopped<P: Protocol>(protocol: P, input: Option<InputLine>) -> Vec<bool> {
    let (mut session, _jobs) = detached(protocol);
    for (pondering, is_limited) in [(false, false), (false, true), (true, true)] {
        let control = Arc::new(if pondering { Control::pondering() } else { Control::new() });
        session.stoppable.push_back(StoppableJob { control, is_limited });
    }
    match input {
        Some(input) => session.handle(input).unwrap(),
        None => drop(session.execute(Command::Go(GoParams::from(Limits::nodes(1)))).unwrap()),
    }
    session.stoppable.iter().take(3).map(|job| job.control.is_stopped()).collect()
}

#[test]
fn the_end_of_input_stops_unlimited_searches() {
    assert_eq!(stopped(Native, Some(InputLine::End(None))), [true, false, true]);
    assert_eq!(stopped(Hub::default(), Some(InputLine::End(None))), [true, true, true]);
    assert_eq!(stopped(Native, Some(InputLine::Line("stop".into()))), [true, true, true]);
    assert_eq!(stopped(Native, Some(InputLine::Line("quit".into()))), [true, true, true]);
    // In Hub, a new search replaces an infinite search.
    assert_eq!(stopped(Native, None), [false, false, false]);
    assert_eq!(stopped(Hub::default(), None), [true, false, true]);
}

#[test]
fn the_end_of_input_stops_a_hit_ponder_search_unless_it_is_limited() {
    for (line, is_stopped) in [
        ("go ponder", true),
        ("go ponder infinite", true),
        ("go ponder infinite depth 3", true),
        ("go ponder searchmoves 11-15", true),
        ("go ponder depth 3", false),
        ("go ponder wtime 100", false),
    ] {
        let (mut session, _jobs) = detached(Native);
        for line in [line, "ponderhit"] {
            session.handle(InputLine::Line(line.into())).unwrap();
        }
        session.handle(InputLine::End(None)).unwrap();
        assert_eq!(session.stoppable[0].control.is_stopped(), is_stopped, "{line}");
    }
}

#[test]
fn exactly_ten_thousand_searches_and_commands_can_wait() {
    let (mut session, jobs) = detached(Native);
    let line = |text: &str| Native.read(text).unwrap().unwrap();
    for _ in 0..10_001 {
        assert!(session.execute(line("probe")).is_ok(), "no search is running");
    }
    session.unstoppable = 0;
    for number in 1..=10_001 {
        assert_eq!(session.execute(line("go infinite")).is_ok(), number <= 10_000, "{number}");
    }
    for number in 1..=10_001 {
        assert_eq!(session.execute(line("probe")).is_ok(), number <= 10_000, "{number}");
    }
    assert_eq!(session.stoppable.len(), 10_000);
    assert_eq!(jobs.try_iter().count(), 30_001);
}

#[test]
fn lines_have_at_most_a_mebibyte() {
    assert_eq!(output_of(&[&" ".repeat(1 << 20)]), "");
    let reason = "the line is too long: at most 1048576 bytes are allowed";
    assert_eq!(output_of(&[&" ".repeat((1 << 20) + 1)]), format!("info string error: {reason}\n"));
}

#[test]
fn a_panic_of_the_engine_is_reported_and_ends_the_session() {
    let (_keep_open, input) = channel::<()>();
    let read = move |handle: &mut dyn FnMut(InputLine) -> bool| {
        handle(InputLine::Line("go depth 3".to_owned()));
        // The session must not wait for the end of the input.
        let _ = input.recv_timeout(Duration::from_secs(20));
        handle(InputLine::End(None));
    };
    let mut output = String::new();
    let write = |text: &str| {
        output.push_str(text);
        Ok(())
    };
    let start = Instant::now();
    let error =
        <Session<_, _>>::run_with(|_, _| panic!("this panics on purpose"), Native, read, write).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(20));
    let expected = "the engine has failed (this panics on purpose); restart the program";
    assert_eq!(error.to_string(), expected);
    assert_eq!(output, format!("info string error: {expected}\n"));
}

#[test]
fn a_ballot_is_listed_by_its_number() {
    let all = output_of(&["ballots two-move"]);
    let lines: Vec<&str> = all.lines().collect();
    let count = Deck::TwoMove.in_play().count();
    assert_eq!((lines.len(), lines[count]), (count + 1, format!("ballots two-move {count}").as_str()));
    let number = Deck::TwoMove.in_play().nth(3).unwrap().number;
    let one = output_of(&[&format!("ballots two-move {number}")]);
    assert_eq!(one, format!("{}\nballots two-move 1\n", lines[3]));
    let error = output_of(&["ballots two-move 999"]);
    let reason = "two-move ballot 999 is not in play; \"ballots two-move\" lists those that are";
    assert_eq!(error, format!("info string error: {reason}\n"));
}

#[test]
fn jobs_are_counted_until_they_are_done() {
    let (mut session, jobs) = detached(Native);
    for line in ["probe", "eval", "go infinite", "go ponder", "isready"] {
        session.handle(InputLine::Line(line.into())).unwrap();
    }
    // During a search, `isready` is answered at once.
    assert_eq!((session.unstoppable, session.stoppable.len(), jobs.try_iter().count()), (2, 2, 4));
    session.receive(Message::Done).unwrap();
    session.receive(Message::Answered(EngineOutput::Pong)).unwrap();
    assert_eq!((session.unstoppable, session.stoppable.len()), (1, 1));
    let job = &session.stoppable[0];
    let control = Arc::clone(&job.control);
    assert!(control.is_pondering());
    session.handle(InputLine::Line("ponderhit".into())).unwrap();
    assert!(!control.is_pondering());
    assert!(matches!(session.execute(Command::PonderHit), Err(CommandError::NotPondering)));
    session.handle(InputLine::Line("quit".into())).unwrap();
    assert!(session.jobs.is_none() && control.is_stopped());
    session.handle(InputLine::Line("probe".into())).unwrap();
    assert_eq!(session.unstoppable, 1);
}

/// A client may send commands as soon as it has read the answer to a search.
#[test]
fn commands_after_an_answer_are_done_before_the_engine_is_ready() {
    let written = Rc::new(RefCell::new(String::new()));
    let text = Rc::clone(&written);
    let write = move |lines: &str| {
        text.borrow_mut().push_str(lines);
        Ok(())
    };
    let (sender, jobs) = channel();
    let session = RefCell::new(Session::new(Native, write, sender));
    let handle = |line: &str| session.borrow_mut().handle(InputLine::Line(line.into())).unwrap();
    let mut engine = Engine::new([Setting::Hash(1)]).unwrap();
    handle("go depth 1");
    perform(&mut engine, jobs.recv().unwrap(), &|message| {
        session.borrow_mut().receive(message).unwrap();
        if written.borrow().contains("bestmove ") && !written.borrow().contains("readyok") {
            handle("setoption name Threads value 0");
            handle("isready");
        }
    });
    assert!(!written.borrow().contains("readyok"), "{}", written.borrow());
    for job in jobs.try_iter() {
        perform(&mut engine, job, &|message| session.borrow_mut().receive(message).unwrap());
    }
    let written = written.borrow();
    let (before, after) = written.split_once("info string error: ").unwrap();
    assert!(before.contains("bestmove ") && after.ends_with("readyok\n"), "{written}");
}

#[test]
fn options_and_evaluations_reach_the_engine() {
    let position = "position fen W:W5:BK32";
    assert_eq!(
        output_of(&["setoption name Evaluation value material", position, "eval"]).lines().next(),
        Some("eval by material")
    );
    assert_eq!(output_of(&["isready"]), "readyok\n");
    assert_eq!(
        output_of(&["setoption name EgdbPieces value 0", "position fen W:W6:BK32", "probe"]),
        "probe move 6-2 unknown\nprobe move 6-1 unknown\nprobe side white unknown\n"
    );
    assert!(output_of(&["position fen W:W5:BK32", "ucinewgame", "show"]).contains("\nfen B:W21,"));
    let bench = output_of(&["bench 1"]);
    let nodes = |line: &str| line.split(' ').nth(4).and_then(|word| word.parse::<u64>().ok());
    let total: u64 = bench.lines().filter(|line| line.starts_with("bench position ")).filter_map(nodes).sum();
    assert!(total > 0 && bench.ends_with(&format!("\nBench: {total}\n")), "{bench}");
    assert!(output_of(&["bench 1", "stop"]).ends_with("bench stopped\n"));
}
