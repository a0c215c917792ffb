//! The steps of a compliance run, in their order.

use std::time::{Duration, Instant};

use super::examinee::{Examinee, Search};
use super::material::{LOST, POSITIONS, illegal_positions, wrong_lines};
use super::{Exam, StepResult};
use crate::limits::{Clock, Limits, Remaining};
use crate::protocol::Task;
use crate::spec::Protocol;
use crate::state::GameState;
use draughts::board::Position;
use draughts::notation::{fen, movetext};

/// How a step goes: what was seen, or what was wrong.
type Result = std::result::Result<String, String>;

/// One step.
pub struct Step {
    /// What it is about.
    pub name: &'static str,
    /// Whether an engine without it can't be played with.
    pub required: bool,
    run: fn(&mut Examinee) -> Result,
    /// Why an engine isn't asked for it, if it isn't.
    skip: fn(&Examinee) -> Option<&'static str>,
    /// What an engine that fails it may have done instead.
    instead: &'static str,
    /// Whether the engine is gone afterwards.
    last: bool,
    /// Whether it begins with an engine that has not been spoken to.
    first: bool,
}

/// All steps.
pub const STEPS: &[Step] = &[
    Step {
        first: true,
        ..step(
            "handshake",
            handshake,
            "it may speak the other protocol (--proto), need arguments, or keep its lines in a buffer",
        )
    },
    step("options", options, "it may declare an option that it does not have, or a default that it refuses"),
    step(
        "a search from the start",
        first_search,
        "it may number squares or write captures in its own way, or have missed that Black moves first",
    ),
    good("what it says of a search", told, "it may print only the move"),
    step("positions", positions, "it may read kings, or the side to move, in its own way"),
    good(
        "lost positions",
        lost_positions,
        "it may have kept the position before, or search one that is over",
    ),
    step(
        "games with repetitions",
        long_game,
        "it may take a game that it has been given for over, or hold fewer moves than that",
    ),
    step("limit: depth", |e| limited(e, &Limits { depth: Some(4), ..Limits::NONE }, None), LIMIT),
    step(
        "limit: nodes",
        |e| {
            limited(e, &Limits { nodes: Some(1), ..Limits::NONE }, None)?;
            limited(e, &Limits { nodes: Some(2000), ..Limits::NONE }, None)
        },
        LIMIT,
    ),
    step(
        "limit: time for a move",
        |e| {
            limited(e, &Limits { movetime: Some(Duration::from_millis(100)), ..Limits::NONE }, None)?;
            limited(e, &Limits { movetime: Some(Duration::from_millis(1)), ..Limits::NONE }, None)
        },
        LIMIT,
    ),
    step(
        "limit: clock",
        |e| {
            limited(e, &Limits::NONE, Some("1+0.05"))?;
            limited(e, &Limits::NONE, Some("10/1"))?;
            limited(e, &Limits::NONE, Some("0.1"))
        },
        LIMIT,
    ),
    Step { skip: not_native, ..good("limit: one clock only", one_clock, LIMIT) },
    step(
        "stop",
        stop,
        "it may read its input only when a search is over, or end a search without limits by itself",
    ),
    good("stop without a search", stop_idle, "it may answer every stop with a move"),
    good(
        "asked whether it is there during a search",
        ping_while_searching,
        "it may read its input only when a search is over",
    ),
    Step {
        skip: no_ponder,
        ..step("ponder: the expected move", ponder_hit, "it may take pondering for a search on its own time")
    },
    Step {
        skip: no_ponder,
        ..step("ponder: another move", ponder_miss, "it may not answer a stop while it ponders")
    },
    good("lines in error", errors, "it may do the part of a line that it has understood"),
    good("illegal positions", illegal, "it may set up what it has read so far"),
    good("a long line", long_line, "it may hold fewer bytes than that"),
    step(
        "a game against itself",
        whole_game,
        "it may give a move of another position: the one before, or its own game's",
    ),
    Step { last: true, ..step("quit", quit, "it may wait for something before it ends") },
    Step {
        last: true,
        ..good(
            "quit during a search",
            quit_while_searching,
            "it may read its input only when a search is over",
        )
    },
    Step {
        last: true,
        ..step("end of input", end_of_input, "it may go on reading an input that has ended, or search on")
    },
];

const LIMIT: &str = "it may not know this limit, or look at its clock too seldom";

const fn step(name: &'static str, run: fn(&mut Examinee) -> Result, instead: &'static str) -> Step {
    Step { name, required: true, run, skip: |_| None, instead, last: false, first: false }
}

/// A step that is not required.
const fn good(name: &'static str, run: fn(&mut Examinee) -> Result, instead: &'static str) -> Step {
    Step { required: false, ..step(name, run, instead) }
}

fn not_native(e: &Examinee) -> Option<&'static str> {
    (e.protocol != Protocol::Native).then_some("not in this protocol")
}

fn no_ponder(e: &Examinee) -> Option<&'static str> {
    let declared = e.identity.options.iter().any(|name| name.eq_ignore_ascii_case("ponder"));
    (!declared).then_some("it declares no option for pondering")
}

impl Step {
    /// Whether nothing else makes sense without it.
    pub(super) const fn is_first(&self) -> bool {
        self.first
    }

    /// Takes the engine of the step before, or starts one.
    pub(super) fn run(&self, exam: &Exam, examinee: &mut Option<Examinee>) -> StepResult {
        let failed = |reason, instead: String| StepResult::Failed { reason, instead };
        let mut current = if let Some(current) = examinee.take() {
            current
        } else {
            let fresh = Examinee::start(exam).and_then(|mut fresh| {
                if !self.first {
                    fresh.introduce()?;
                }
                Ok(fresh)
            });
            match fresh {
                Ok(fresh) => fresh,
                Err(reason) => return failed(reason, self.instead.to_owned()),
            }
        };
        if let Some(reason) = (self.skip)(&current) {
            *examinee = Some(current);
            return StepResult::Skipped(reason);
        }
        match (self.run)(&mut current) {
            Ok(seen) => {
                if !self.last {
                    *examinee = Some(current);
                }
                StepResult::Passed(seen)
            }
            Err(reason) => {
                failed(reason, current.still_searches().unwrap_or_else(|| self.instead.to_owned()))
            }
        }
    }
}

fn start() -> GameState {
    GameState::new(Position::start())
}

fn course(text: &str) -> std::result::Result<GameState, String> {
    fen::parse(text).map(GameState::new).map_err(|error| error.to_string())
}

fn handshake(e: &mut Examinee) -> Result {
    e.introduce()?;
    if e.identity.name.is_empty() {
        return Err("it did not give its name".to_owned());
    }
    if e.identity.author.is_empty() && e.protocol == Protocol::Native {
        return Err("it did not give its author (id author ...)".to_owned());
    }
    Ok(format!("{}, {} options", e.identity.name, e.identity.options.len()))
}

/// Every option takes its own default.
fn options(e: &mut Examinee) -> Result {
    let mut set = 0;
    for line in &e.introduction {
        let Some((name, default)) = default_of(e.protocol, line)? else { continue };
        e.send(&e.protocol.set_option(&name, &default))?;
        let answers = e.sync()?;
        if let Some(complaint) = answers.iter().find(|answer| answer.contains("error")) {
            return Err(format!(
                "option \"{name}\" does not take its own default \"{default}\": \"{complaint}\""
            ));
        }
        set += 1;
    }
    Ok(format!("{set} set to their defaults"))
}

/// The name and the default of an option, if it has one and setting it does no more.
fn default_of(protocol: Protocol, line: &str) -> std::result::Result<Option<(String, String)>, String> {
    match protocol {
        Protocol::Native => {
            let Some(option) = line.strip_prefix("option name ") else { return Ok(None) };
            let (name, rest) =
                option.split_once(" type ").ok_or_else(|| format!("\"{line}\", expected a type"))?;
            let kind = rest.split_whitespace().next().unwrap_or_default();
            if !["spin", "check", "combo", "string", "button"].contains(&kind) {
                return Err(format!(
                    "\"{line}\": type \"{kind}\", expected spin, check, combo, string or button"
                ));
            }
            let after = rest.split_once(" default ").map(|(_, text)| text);
            let ends = |text: &str| {
                [" min ", " max ", " var "]
                    .iter()
                    .filter_map(|word| text.find(word))
                    .min()
                    .unwrap_or(text.len())
            };
            let default = after.and_then(|text| text.get(..ends(text))).map(str::trim).unwrap_or_default();
            if kind == "spin" && default.parse::<i64>().is_err() {
                return Err(format!("\"{line}\": default \"{default}\", expected a whole number"));
            }
            let settable = !default.is_empty() && default != "<empty>";
            Ok(settable.then(|| (name.trim().to_owned(), default.to_owned())))
        }
        Protocol::Hub => {
            let Some(rest) = line.strip_prefix("param ") else { return Ok(None) };
            // Only the plain ones: values in quotes may mean more than text.
            let value = |key: &str| {
                rest.split_whitespace()
                    .find_map(|word| word.strip_prefix(key))
                    .filter(|text| !text.starts_with('"'))
            };
            match (value("name="), value("value=")) {
                (Some(name), Some(value)) if !value.is_empty() => {
                    Ok(Some((name.to_owned(), value.to_owned())))
                }
                _ => Ok(None),
            }
        }
    }
}

fn first_search(e: &mut Examinee) -> Result {
    e.send(e.protocol.new_game())?;
    let search = e.glance(&start())?;
    needs_move(&search, "the start")?;
    Ok("a legal move".to_owned())
}

fn told(e: &mut Examinee) -> Result {
    let search = e.glance(&start())?;
    let lacks = |what| Err(format!("it did not say its {what} before its move"));
    match search.info {
        info if info.depth.is_none() => lacks("depth"),
        info if info.score.is_none() => lacks("score"),
        info if info.nodes.is_none() => lacks("nodes"),
        _ => Ok("depth, score and nodes were given".to_owned()),
    }
}

fn needs_move(search: &Search, what: &str) -> std::result::Result<(), String> {
    if search.mv.is_none() { Err(format!("no move given in {what}, expected one")) } else { Ok(()) }
}

fn positions(e: &mut Examinee) -> Result {
    for (text, what) in POSITIONS {
        let search = e.glance(&course(text)?).map_err(|error| format!("{what}: {error}"))?;
        needs_move(&search, &format!("{what} ({text})"))?;
    }
    Ok(format!("{} positions", POSITIONS.len()))
}

fn lost_positions(e: &mut Examinee) -> Result {
    for (text, what) in LOST {
        let search = e.glance(&course(text)?).map_err(|error| format!("{what}: {error}"))?;
        if let Some(mv) = search.mv {
            return Err(format!("{mv:?} given with {what} ({text}), expected none"));
        }
    }
    Ok("no move given where there is none".to_owned())
}

/// Moves back and forth: the position is given with its history.
fn long_game(e: &mut Examinee) -> Result {
    let mut game = course("B:WK32,12:BK1,21")?;
    for text in ["1-5", "32-28", "5-1", "28-32"].iter().cycle().take(60) {
        let mv = movetext::parse(game.position(), text).map_err(|error| error.to_string())?;
        game.play(mv);
    }
    let search = e.glance(&game)?;
    needs_move(&search, "a position after sixty moves of kings")?;
    Ok("60 moves of history".to_owned())
}

fn limited(e: &mut Examinee, limits: &Limits, clock: Option<&str>) -> Result {
    let clock = clock.map(|text| Clock::parse(text).map(Remaining::new)).transpose();
    let clock = clock.map_err(|error| error.expected.to_owned())?;
    for side in [start(), course("W:W21-32:B1-12")?] {
        let task = Task { limits, clocks: [clock; 2], side: side.position().side() };
        let search = e.search(&side, &task)?;
        needs_move(&search, "the start")?;
    }
    let search = e.search(&start(), &Task { limits, clocks: [clock; 2], side: start().position().side() })?;
    e.sync_without_move("the answer")?;
    Ok(format!("answered in {:.3} s", search.time.as_secs_f64()))
}

/// The protocol allows a clock for one side alone, whichever is to move.
fn one_clock(e: &mut Examinee) -> Result {
    for line in ["go wtime 100", "go btime 100"] {
        e.send("position startpos")?;
        let began = Instant::now();
        e.send(line)?;
        let search = e.answer(&start(), line, began, Duration::from_millis(100) + e.margin)?;
        needs_move(&search, "the start")?;
    }
    Ok("answered in time".to_owned())
}

/// A search that only ends when told to.
fn endless(e: &Examinee, course: &GameState) -> std::result::Result<(), String> {
    let task = Task { limits: &Limits::NONE, clocks: [None; 2], side: course.position().side() };
    match e.protocol {
        Protocol::Native => {
            let ask = e.protocol.ask(course, &task);
            e.send(&ask.replace("\ngo", "\ngo infinite"))
        }
        Protocol::Hub => {
            let ask = e.protocol.ask(course, &task);
            e.send(&ask.replace("level", "level infinite").replace("go think", "go analyze"))
        }
    }
}

fn stop(e: &mut Examinee) -> Result {
    let course = start();
    endless(e, &course)?;
    // Hub lets an engine end any search by itself.
    if e.protocol == Protocol::Native {
        e.silent_for(Duration::from_millis(300), "go infinite")?;
    }
    let began = Instant::now();
    e.send("stop")?;
    let search = e.answer(&course, "stop", began, e.margin + Duration::from_millis(500))?;
    needs_move(&search, "the start")?;
    e.sync_without_move("the answer to stop")?;
    Ok(format!("stopped in {:.3} s", search.time.as_secs_f64()))
}

fn stop_idle(e: &mut Examinee) -> Result {
    e.send("stop")?;
    e.sync_without_move("a stop without a search")?;
    Ok("no answer, as it should be".to_owned())
}

fn ping_while_searching(e: &mut Examinee) -> Result {
    let course = start();
    endless(e, &course)?;
    std::thread::sleep(Duration::from_millis(100));
    let began = Instant::now();
    let lines = e.sync()?;
    let time = began.elapsed();
    if time > e.margin + Duration::from_millis(500) {
        return Err(format!("\"{}\" took {:.3} s during a search", e.protocol.ping(), time.as_secs_f64()));
    }
    let ended =
        lines.iter().any(|line| matches!(e.protocol.understand(line), crate::protocol::Reply::Best { .. }));
    if !ended {
        e.send("stop")?;
        e.answer(&course, "stop", Instant::now(), e.margin + Duration::from_millis(500))?;
    } else if e.protocol == Protocol::Native {
        return Err(format!("\"{}\" ended the search", e.protocol.ping()));
    }
    Ok(format!("answered in {:.3} s", time.as_secs_f64()))
}

/// Begins to ponder after a search that expects a reply; the position pondered on.
fn begin_to_ponder(e: &Examinee) -> std::result::Result<(GameState, Task<'static>), String> {
    let mut course = start();
    let limits: &Limits = const { &Limits { depth: Some(6), ..Limits::NONE } };
    let search = e.search(&course, &Task { limits, clocks: [None; 2], side: course.position().side() })?;
    needs_move(&search, "the start")?;
    for mv in [search.mv, search.ponder.or_else(|| reply(&course, &search))].into_iter().flatten() {
        course.play(mv);
    }
    let clock = Clock::parse("1+0.1").map(Remaining::new).map_err(|error| error.expected.to_owned())?;
    let none: &Limits = const { &Limits::NONE };
    let task = Task { limits: none, clocks: [Some(clock); 2], side: course.position().side() };
    e.send(&e.protocol.ask_to_ponder(&course, &task))?;
    if e.protocol == Protocol::Native {
        // Longer than its clock has: pondering costs no time.
        e.silent_for(Duration::from_millis(1300), "go ponder")?;
    }
    Ok((course, task))
}

/// Any reply to a move.
fn reply(course: &GameState, search: &Search) -> Option<draughts::board::Move> {
    search.mv.and_then(|mv| course.position().after(mv).moves().first().copied())
}

fn ponder_hit(e: &mut Examinee) -> Result {
    let (course, task) = begin_to_ponder(e)?;
    let began = Instant::now();
    e.send(e.protocol.ponder_hit())?;
    let allowed = task.time().unwrap_or_default() + e.margin;
    let search = e.answer(&course, e.protocol.ponder_hit(), began, allowed)?;
    needs_move(&search, "the position pondered on")?;
    e.sync_without_move("the answer")?;
    Ok(format!("answered {:.3} s after the move", search.time.as_secs_f64()))
}

fn ponder_miss(e: &mut Examinee) -> Result {
    let (course, _) = begin_to_ponder(e)?;
    let began = Instant::now();
    e.send("stop")?;
    e.answer(&course, "stop", began, e.margin + Duration::from_millis(500))?;
    needs_move(&e.glance(&start())?, "the start")?;
    Ok("stopped".to_owned())
}

/// After a line in error the engine is there, gives no move, and knows the position from before.
fn unmoved_by(e: &Examinee, lines: &[&str]) -> Result {
    let course = course("B:W18:B14,5")?;
    for line in lines {
        needs_move(&e.glance(&course)?, "a position with one move")?;
        e.send(line)?;
        e.sync_without_move(&format!("\"{}\"", line.escape_debug()))
            .map_err(|error| format!("after \"{}\": {error}", line.escape_debug()))?;
        if e.protocol == Protocol::Native {
            // The only capture there is: any other position would show.
            let began = Instant::now();
            e.send("go depth 1")?;
            let search = e
                .answer(&course, "go depth 1", began, e.patience)
                .map_err(|error| format!("after \"{}\": {error}", line.escape_debug()))?;
            needs_move(&search, &format!("the position before \"{}\"", line.escape_debug()))?;
        }
    }
    Ok(format!("{} lines", lines.len()))
}

fn errors(e: &mut Examinee) -> Result {
    // A position without the word for its moves is well-formed, if odd; it would change the position.
    let lines: Vec<_> =
        wrong_lines(e.protocol).iter().copied().filter(|line| *line != "position startpos moves").collect();
    unmoved_by(e, &lines)
}

fn illegal(e: &mut Examinee) -> Result {
    unmoved_by(e, illegal_positions(e.protocol))
}

fn long_line(e: &mut Examinee) -> Result {
    e.send(&"x".repeat(100_000))?;
    e.sync_without_move("a line of 100,000 characters")?;
    Ok("survived".to_owned())
}

fn whole_game(e: &mut Examinee) -> Result {
    e.send(e.protocol.new_game())?;
    let limits = Limits { nodes: Some(500), ..Limits::NONE };
    let mut course = start();
    while course.game().outcome().is_none() && course.plies() < 300 {
        let task = Task { limits: &limits, clocks: [None; 2], side: course.position().side() };
        let search = e.search(&course, &task)?;
        let mv = search.mv.ok_or_else(|| format!("no move given at ply {}", course.plies() + 1))?;
        course.play(mv);
    }
    Ok(format!("{} plies", course.plies()))
}

/// The engine ends by itself, and in good order.
fn ended(e: &Examinee, why: &str) -> Result {
    let began = Instant::now();
    match e.process.wait_until(began + e.patience) {
        Ok(Some(status)) if status.success() => {
            Ok(format!("ended in {:.3} s", began.elapsed().as_secs_f64()))
        }
        Ok(Some(status)) => Err(format!("it ended with {status} after {why}, expected status 0")),
        Ok(None) => Err(format!("it still runs {} s after {why}", e.patience.as_secs_f64())),
        Err(error) => Err(error.to_string()),
    }
}

fn quit(e: &mut Examinee) -> Result {
    e.send("quit")?;
    ended(e, "quit")
}

fn quit_while_searching(e: &mut Examinee) -> Result {
    endless(e, &start())?;
    std::thread::sleep(Duration::from_millis(100));
    e.send("quit")?;
    ended(e, "quit during a search")
}

fn end_of_input(e: &mut Examinee) -> Result {
    e.process.close_stdin();
    ended(e, "the end of its input")
}
