//! The steps, in order.

use kelso_engine::search::Limits;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::engine::{CheckedEngine, CheckedMove, STOP_TIME};
use super::failure::{Cause, Checked, Failure};
use super::positions::{LOST, POSITIONS, RULES};
use crate::limits::{Clock, on_clocks};
use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_protocol::{GoParams, Verb};
use kelso_syntax::{Quoted, WordError};

pub struct CheckStep {
    pub name: &'static str,
    /// An engine that fails the step cannot play matches.
    pub required: bool,
    pub(super) run: fn(&mut CheckedEngine) -> Checked,
    /// The likely cause of an invalid answer, or of a missing one if the step tests whether the engine
    /// answers.
    pub(super) hint: &'static str,
    pub(super) is_about_silence: bool,
}

impl CheckStep {
    /// Marks a step whose hint also explains silence.
    const fn or_silence(self) -> Self {
        Self { is_about_silence: true, ..self }
    }
}

/// All steps, the handshake first.
pub const STEPS: &[CheckStep] = &[
    step(
        "handshake",
        handshake,
        "it may speak another protocol, need arguments, or fail to flush its output",
    )
    .or_silence(),
    step("options", options, "it may declare an option that it does not have, or a default that is invalid"),
    step(
        "a search from the start",
        first_search,
        "it may number the squares or write captures differently, or let White move first",
    ),
    optional("information about a search", search_info, "it may print only the move"),
    step("positions", positions, "it may read kings or the side to move differently"),
    step("rules", rules, "it may play another kind of draughts, or make a move of its game wrongly"),
    optional(
        "lost positions",
        lost_positions,
        "it may have kept the previous position, or search although the game is over",
    )
    .or_silence(),
    step("games with repetitions", long_game, "it may consider the game over, or have room for fewer moves"),
    step("limit: depth", |engine| limited(engine, &[Limits::depth(4).into()]), LIMIT).or_silence(),
    step("limit: nodes", |engine| limited(engine, &[1, 2000].map(nodes)), LIMIT).or_silence(),
    step("limit: time per move", |engine| limited(engine, &[100, 1].map(move_time)), LIMIT).or_silence(),
    step(
        "limit: clock",
        |engine| limited(engine, &[on_clock("1+0.05")?, on_clock("10/1")?, on_clock("0.1")?]),
        LIMIT,
    )
    .or_silence(),
    optional("limit: one clock only", one_clock, LIMIT).or_silence(),
    step(
        "stop",
        stop,
        "it may read its input only after a search, or end a search without limits on its own",
    )
    .or_silence(),
    optional("stop without a search", stop_idle, "it may answer every stop with a move"),
    optional("ping during a search", ping_while_searching, "it may read its input only after a search")
        .or_silence(),
    step("ponder: the expected move", ponder_hit, "it may count pondering as its own time"),
    step("ponder: another move", ponder_miss, "it may not answer a stop while it ponders").or_silence(),
    optional(
        "invalid lines",
        |engine| check_without_effect(engine, engine.conformance().invalid_lines),
        "it may execute the valid part of an invalid line",
    ),
    optional(
        "illegal positions",
        |engine| check_without_effect(engine, engine.conformance().illegal_positions),
        "it may set up part of the position",
    ),
    optional("a long line", long_line, "its line buffer may be too small").or_silence(),
    step(
        "a game against itself",
        whole_game,
        "it may answer with a move for another position, such as the previous one",
    ),
    step("quit", quit, "it may wait for something before it exits").or_silence(),
    optional("quit during a search", quit_while_searching, "it may read its input only after a search")
        .or_silence(),
    step("end of input", end_of_input, "it may not notice the end of its input, or finish its search first")
        .or_silence(),
    optional(
        "end of input after pondering",
        end_of_input_after_pondering,
        "its search may have no limit after the expected move",
    )
    .or_silence(),
];

const LIMIT: &str = "it may not support this limit, or check its clock too rarely";

const fn step(name: &'static str, run: fn(&mut CheckedEngine) -> Checked, hint: &'static str) -> CheckStep {
    CheckStep { name, required: true, run, hint, is_about_silence: false }
}

const fn optional(
    name: &'static str,
    run: fn(&mut CheckedEngine) -> Checked,
    hint: &'static str,
) -> CheckStep {
    CheckStep { name, required: false, run, hint, is_about_silence: false }
}

fn start() -> Game {
    Game::new(Position::start())
}

fn game(text: &str) -> Checked<Game> {
    Ok(fen::parse(text).map(Game::new).map_err(|error| error.to_string())?)
}

fn played(text: &str, moves: &[&str]) -> Checked<Game> {
    let mut game = game(text)?;
    for text in moves {
        game.play(movetext::parse(game.position(), text).map_err(|error| error.to_string())?);
    }
    Ok(game)
}

fn nodes(nodes: u64) -> GoParams {
    Limits::nodes(nodes).into()
}

fn move_time(milliseconds: u64) -> GoParams {
    Limits::move_time(Duration::from_millis(milliseconds)).into()
}

fn fail<T>(reason: impl Into<String>) -> Checked<T> {
    Err(Failure::new(Cause::Answer, reason))
}

/// Checks the introduction. Every engine starts with this handshake.
fn handshake(engine: &mut CheckedEngine) -> Checked {
    let identity = engine.client.identity();
    if identity.name.is_empty() {
        return fail("its introduction has no name");
    }
    if identity.name.contains(char::is_control) {
        return fail(format!("its name contains control characters: {}", Quoted(&identity.name)));
    }
    if identity.author.is_empty() && engine.conformance().names_author {
        return fail("its introduction has no author (id author ...)");
    }
    Ok(format!("{}, {} options", identity.name, identity.options.len()))
}

fn options(engine: &mut CheckedEngine) -> Checked {
    let required = engine.protocol.required_options(engine.client.identity());
    let mut set = 0;
    for option in &engine.client.identity().options {
        let Some((name, default)) = engine.protocol.option_default(&option.line)? else { continue };
        if required.iter().any(|(required, _)| *required == name) {
            continue;
        }
        engine.send(&engine.protocol.set_option(&name, &default))?;
        let answers = engine.ping()?;
        if let Some(error) = answers.iter().find(|answer| answer.contains("error")) {
            return fail(format!("option \"{name}\" rejects its own default \"{default}\": \"{error}\""));
        }
        set += 1;
    }
    Ok(format!("{set} set to their defaults"))
}

fn first_search(engine: &mut CheckedEngine) -> Checked {
    engine.command(Verb::NewGame)?;
    engine.quick_search(&start())?.with_move("the start")?;
    Ok("a legal move".to_owned())
}

fn search_info(engine: &mut CheckedEngine) -> Checked {
    let search = engine.quick_search(&start())?;
    let missing = match search.info {
        info if info.depth.is_none() => "depth",
        info if info.score.is_none() => "score",
        info if info.nodes.is_none() => "nodes",
        _ => return Ok("depth, score and nodes".to_owned()),
    };
    fail(format!("no {missing} was reported before the move"))
}

fn positions(engine: &mut CheckedEngine) -> Checked {
    for (text, what) in POSITIONS {
        let search = engine.quick_search(&game(text)?).map_err(|failure| failure.at(what))?;
        search.with_move(&format!("{what} ({text})"))?;
    }
    Ok(format!("{} positions", POSITIONS.len()))
}

fn rules(engine: &mut CheckedEngine) -> Checked {
    for (text, moves, rule) in RULES {
        let game = played(text, moves)?;
        let search = engine.quick_search(&game).map_err(|failure| failure.at(rule))?;
        search.with_move(&format!("{} ({rule})", fen::format(game.position())))?;
    }
    Ok(format!("{} positions", RULES.len()))
}

fn lost_positions(engine: &mut CheckedEngine) -> Checked {
    for (text, what) in LOST {
        let search = engine.quick_search(&game(text)?).map_err(|failure| failure.at(what))?;
        if let Some(mv) = search.mv {
            return fail(format!("unexpected move {mv:?} in a lost position: {what} ({text})"));
        }
    }
    Ok("no move, as expected".to_owned())
}

fn long_game(engine: &mut CheckedEngine) -> Checked {
    let game = played("B:WK32,12:BK1,21", &["1-5", "32-28", "5-1", "28-32"].repeat(15))?;
    engine.quick_search(&game)?.with_move("a position after sixty king moves")?;
    Ok("60 moves".to_owned())
}

fn limited(engine: &mut CheckedEngine, limits: &[GoParams]) -> Checked {
    let mut time = Duration::ZERO;
    for go in limits {
        for game in [game("W:W21-32:B1-12")?, start()] {
            time = engine.search(&game, go)?.with_move("the start")?.time;
        }
        engine.ping_without_move("the answer")?;
    }
    Ok(format!("answered in {:.3} s", time.as_secs_f64()))
}

/// Returns the limits of a game's first move on a clock.
fn on_clock(control: &str) -> Checked<GoParams> {
    let clock = Clock::new(control.parse().map_err(|error: WordError| error.to_string())?);
    Ok(on_clocks(&Limits::default(), [Some(clock); 2], Color::Black))
}

fn one_clock(engine: &mut CheckedEngine) -> Checked {
    if !engine.conformance().has_two_clocks {
        return Err(Failure::Skipped("not in this protocol"));
    }
    for side in Color::BOTH {
        let mut go = GoParams::default();
        go.clocks[side.index()] = Some(Duration::from_millis(100));
        engine.search(&start(), &go)?.with_move("the start")?;
    }
    Ok("answered in time".to_owned())
}

/// Starts a search without a limit, and checks that it does not end on its own within `time`.
fn start_unlimited_search(engine: &CheckedEngine, time: Duration) -> Checked<()> {
    engine.start_search(&start(), &Limits { infinite: true, ..Limits::default() }.into(), time)
}

fn stop(engine: &mut CheckedEngine) -> Checked {
    start_unlimited_search(engine, Duration::from_millis(300))?;
    let search = engine.stop(&start())?.with_move("the start")?;
    engine.ping_without_move("the answer to stop")?;
    Ok(format!("stopped in {:.3} s", search.time.as_secs_f64()))
}

fn stop_idle(engine: &mut CheckedEngine) -> Checked {
    engine.command(Verb::Stop)?;
    engine.ping_without_move("a stop without a search")?;
    Ok("no answer, as expected".to_owned())
}

fn ping_while_searching(engine: &mut CheckedEngine) -> Checked {
    start_unlimited_search(engine, Duration::ZERO)?;
    sleep(Duration::from_millis(100));
    let start_time = Instant::now();
    let lines = engine.ping()?;
    let time = start_time.elapsed();
    if time > engine.spec.margin + STOP_TIME {
        return fail(format!(
            "\"{}\" took {:.3} s during a search",
            engine.protocol.verb(Verb::Ping),
            time.as_secs_f64()
        ));
    }
    if !lines.iter().any(|line| engine.is_best_move(line)) {
        engine.stop(&start())?;
    } else if engine.conformance().searches_until_stopped {
        return fail(format!("\"{}\" ended the search", engine.protocol.verb(Verb::Ping)));
    }
    Ok(format!("answered in {:.3} s", time.as_secs_f64()))
}

fn require_pondering(engine: &CheckedEngine) -> Checked<()> {
    if engine.client.identity().option("ponder").is_some() {
        return Ok(());
    }
    Err(Failure::Skipped("the engine declares no option for pondering"))
}

/// Searches, and starts to ponder on the expected reply. Returns the position and the limits of the ponder
/// search.
fn start_pondering(engine: &CheckedEngine) -> Checked<(Game, GoParams)> {
    require_pondering(engine)?;
    let mut game = start();
    let search = engine.search(&game, &Limits::depth(6).into())?.with_move("the start")?;
    for mv in [search.mv, search.ponder.or_else(|| any_reply(&game, &search))].into_iter().flatten() {
        game.play(mv);
    }
    let go = on_clock("1+0.1")?.pondering();
    // Ponder for longer than the time left, since pondering does not use the clock.
    engine.start_search(&game, &go, Duration::from_millis(1300))?;
    Ok((game, go))
}

fn any_reply(game: &Game, search: &CheckedMove) -> Option<Move> {
    search.mv.and_then(|mv| game.position().after(mv).moves().first().copied())
}

fn ponder_hit(engine: &mut CheckedEngine) -> Checked {
    let (game, go) = start_pondering(engine)?;
    let allowed =
        go.time(game.position().side()).map_or(engine.spec.margin, |time| time + engine.spec.margin);
    let search = engine.ask(engine.protocol.verb(Verb::PonderHit), &game, allowed)?;
    let search = search.with_move("the pondered position")?;
    engine.ping_without_move("the answer")?;
    Ok(format!("answered {:.3} s after the move", search.time.as_secs_f64()))
}

fn ponder_miss(engine: &mut CheckedEngine) -> Checked {
    let (game, _) = start_pondering(engine)?;
    engine.stop(&game)?;
    engine.quick_search(&start())?.with_move("the start")?;
    Ok("stopped".to_owned())
}

/// Checks that lines have no effect: the engine still answers, sends no move, and keeps its position.
fn check_without_effect(engine: &CheckedEngine, lines: &[&str]) -> Checked {
    let game = game("B:W18:B14,5")?;
    for line in lines {
        engine.quick_search(&game)?.with_move("a position with one move")?;
        engine.send(line)?;
        let quoted_line = Quoted(line).to_string();
        let step = format!("after {quoted_line}");
        engine.ping_without_move(&quoted_line).map_err(|failure| failure.at(&step))?;
        if engine.conformance().keeps_position {
            // This move is illegal in any other position.
            let go = engine.protocol.go(game.position().side(), &Limits::depth(1).into());
            let search = engine.ask(&go, &game, engine.spec.timeout);
            let search = search.map_err(|failure| failure.at(&step))?;
            search.with_move(&format!("the position set before {quoted_line}"))?;
        }
    }
    Ok(format!("{} lines", lines.len()))
}

fn long_line(engine: &mut CheckedEngine) -> Checked {
    engine.send(&"x".repeat(100_000))?;
    engine.ping_without_move("a line of 100,000 characters")?;
    Ok("survived".to_owned())
}

fn whole_game(engine: &mut CheckedEngine) -> Checked {
    engine.command(Verb::NewGame)?;
    let mut game = start();
    let mut plies = 0;
    while game.end().is_none() && plies < 300 {
        plies += 1;
        let search = engine.search(&game, &nodes(500))?;
        game.play(search.mv.ok_or_else(|| format!("no move at ply {plies}"))?);
    }
    Ok(format!("{plies} plies"))
}

/// Waits for the engine to exit with status 0.
fn ended(engine: &CheckedEngine, why: &str) -> Checked {
    let start_time = Instant::now();
    match engine
        .client
        .process()
        .wait_until(start_time + engine.spec.timeout)
        .map_err(|error| error.to_string())?
    {
        Some(status) if status.success() => {
            Ok(format!("ended in {:.3} s", start_time.elapsed().as_secs_f64()))
        }
        Some(status) => {
            let reason = format!("it ended with {status} after {why}, not with status 0");
            Err(Failure::new(Cause::Status, reason))
        }
        None => {
            let reason = format!("it is still running {} s after {why}", engine.spec.timeout.as_secs_f64());
            Err(Failure::new(Cause::Silence, reason))
        }
    }
}

fn quit(engine: &mut CheckedEngine) -> Checked {
    engine.command(Verb::Quit)?;
    ended(engine, "quit")
}

fn quit_while_searching(engine: &mut CheckedEngine) -> Checked {
    start_unlimited_search(engine, Duration::ZERO)?;
    sleep(Duration::from_millis(100));
    engine.command(Verb::Quit)?;
    ended(engine, "quit during a search")
}

fn end_of_input_after_pondering(engine: &mut CheckedEngine) -> Checked {
    require_pondering(engine)?;
    engine.start_search(&start(), &GoParams::default().pondering(), Duration::ZERO)?;
    engine.command(Verb::PonderHit)?;
    end_of_input(engine)
}

fn end_of_input(engine: &mut CheckedEngine) -> Checked {
    engine.client.process().close_stdin();
    ended(engine, "the end of its input")
}
