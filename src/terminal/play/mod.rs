//! A game at the terminal: a person moves at the prompt and an engine by a search. Each command has one short handler.

mod game;
mod hints;
mod moves;

use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant, SystemTime};

use super::command::{self, COMMANDS, Command};
use super::history::GameHistory;
use super::interrupt::SearchInterrupt;
use super::opening::{self, Opening};
use super::player::{SidePlayer, names};
use super::prompt::{Input, Prompt};
use super::screen::Screen;
use super::style::detect_ink;
use super::words;
use crate::cli::play::Args;
use common::chance::{self, RngExt};
use draughts::board::{Color, Outcome};
use draughts::notation::{fen, movetext};
use engine::{Engine, Level, Setting};
use players::limits::{Clock, TimeControl};
use players::spec::EngineSpec;

/// Kelso's time for a move by default.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The time of an analysis by default.
const ANALYSIS: Duration = Duration::from_secs(10);
/// The shortest time between two updates of the status line.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);
/// The table of each of the two engines, in MiB.
const TABLE: usize = 64;

/// The state of the terminal: the game, its players and settings.
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
struct Play {
    history: GameHistory,
    players: [SidePlayer; 2],
    engines: Vec<EngineSpec>,
    crown: bool,
    /// Plays, at its level.
    opponent: Engine,
    /// Gives hints and analysis, at full strength.
    analyst: Engine,
    level: Option<Level>,
    time: Duration,
    clock: Option<TimeControl>,
    clocks: Option<[Clock; 2]>,
    /// The clocks after each ply, for `undo`.
    clock_history: Vec<[Clock; 2]>,
    /// When the turn of the side to move began.
    turn: Instant,
    /// Engines wait for `go`.
    paused: bool,
    /// The board on the screen is out of date.
    changed: bool,
    /// There are unsaved moves.
    unsaved: bool,
    screen: Screen,
    prompt: Prompt,
    interrupt: SearchInterrupt,
}

/// Plays until the user quits or the input ends. The tip is shown at the beginning.
///
/// # Errors
///
/// When the settings are invalid, or input or output fails.
pub fn play(args: &Args, engines: Vec<EngineSpec>, tip: Option<&str>) -> anyhow::Result<()> {
    let players = [SidePlayer::parse(&args.black, &engines)?, SidePlayer::parse(&args.white, &engines)?];
    let crown = args.reading.crown;
    let opening = match (&args.position, &args.ballot) {
        (Some(text), _) => opening::position(text, crown),
        (None, ballot) => opening::ballot(ballot.as_deref().unwrap_or_default(), pick),
    }?;
    let prompt = Prompt::new();
    let own = if players[0].is_person() && !players[1].is_person() { Color::Black } else { Color::White };
    let (can_redraw, wraps) = (prompt.can_redraw(), prompt.is_interactive());
    let mut play = Play {
        history: GameHistory::new(*opening.history.start()),
        players,
        engines,
        crown,
        opponent: Engine::with_table(TABLE)?,
        analyst: Engine::with_table(TABLE)?,
        level: None,
        time: args.time.unwrap_or(DEFAULT_TIME),
        clock: args.clock,
        clocks: None,
        clock_history: Vec::new(),
        turn: Instant::now(),
        paused: false,
        changed: true,
        unsaved: false,
        screen: Screen::new(detect_ink(args.ascii), can_redraw, wraps, args.bottom.unwrap_or(own)),
        prompt,
        interrupt: SearchInterrupt::listen(),
    };
    // The option cannot fail.
    let _ = play.opponent.apply(Setting::Book(true));
    play.set_level(Level::new(args.level));
    play.greet()?;
    if let Some(tip) = tip {
        play.say(tip)?;
    }
    let time = args.time.or(opening.time);
    play.begin(opening)?;
    play.time = time.unwrap_or(play.time);
    play.run()?;
    Ok(())
}

/// Returns a random number below a bound.
fn pick(count: usize) -> usize {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seed = now.as_secs() ^ u64::from(now.subsec_nanos()).rotate_left(32);
    chance::stream(&[seed]).random_range(0..count.max(1))
}

impl Play {
    fn run(&mut self) -> io::Result<()> {
        loop {
            let over = self.history.result().is_some();
            let side = self.history.position().side();
            if !over && !self.paused && !self.player(side).is_person() {
                self.engine_moves(side)?;
                continue;
            }
            self.show_if_changed()?;
            if self.ask(side, over)? == ControlFlow::Break(()) {
                return Ok(());
            }
        }
    }

    /// Reads a line and executes it.
    fn ask(&mut self, side: Color, over: bool) -> io::Result<ControlFlow<()>> {
        let prompt = if over { "Game over> ".to_owned() } else { format!("{}> ", side.title()) };
        match self.prompt.read(&prompt, &self.move_texts())? {
            Input::End => Ok(ControlFlow::Break(())),
            Input::Interrupt => self.leave(),
            Input::TooLong => {
                self.say("The line is too long; \"help\" lists the commands.")?;
                Ok(ControlFlow::Continue(()))
            }
            Input::Line(line) => match command::parse(&line) {
                Ok(command) => {
                    if !over && self.player(side).is_person() && !self.has_time(side) {
                        self.lose_on_time(side);
                    }
                    self.obey(command)
                }
                Err(error) => {
                    self.say(&error.to_string())?;
                    Ok(ControlFlow::Continue(()))
                }
            },
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<ControlFlow<()>> {
        match command {
            Command::Nothing => {}
            Command::Move(text) => match text.resolve(self.history.position()) {
                Ok(mv) => self.person_moves(mv)?,
                Err(error) => self.say(&error.to_string())?,
            },
            Command::Choose(number) => self.choose(number)?,
            Command::Moves => self.list_moves()?,
            Command::Undo(count) => self.undo(count)?,
            Command::Redo(count) => self.redo(count)?,
            Command::Go => self.go()?,
            Command::Hint => self.hint()?,
            Command::Evaluate => self.evaluate()?,
            Command::Analyse(time) => self.analyse(time.unwrap_or(ANALYSIS))?,
            Command::Board => self.changed = true,
            Command::Flip => {
                self.screen.bottom = !self.screen.bottom;
                self.changed = true;
            }
            Command::Player(side, name) => self.set_player(side, &name)?,
            Command::AskLevel => self.say(&format!("Kelso plays {}.", self.strength()))?,
            Command::Level(level) => {
                self.set_level(level);
                self.say(&format!("Kelso plays {} now.", self.strength()))?;
            }
            Command::Time(time) => {
                self.time = time;
                self.say(&format!("Kelso thinks for at most {} s about a move now.", time.as_secs_f64()))?;
            }
            Command::AskClock => self.say(&self.clock_words())?,
            Command::Clock(clock) => self.set_clock(clock)?,
            Command::Draw => self.offer_draw()?,
            Command::Resign => self.resign()?,
            Command::Save(path) => self.save(&path)?,
            Command::Load(path, game) => {
                let found = opening::file(&path, game, self.crown);
                self.try_begin(found, true)?;
            }
            Command::New(text) => {
                let found = opening::ballot(&text, pick);
                self.try_begin(found, false)?;
            }
            Command::Setup(text) => match fen::parse(&text) {
                Ok(position) => self.begin(Opening::at(position))?,
                Err(error) => self.say(&error.to_string())?,
            },
            Command::Fen => self.say(&fen::format(self.history.position()))?,
            Command::Help => self.help()?,
            Command::Quit if self.prompt.is_interactive() => return self.leave(),
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn say(&self, words: &str) -> io::Result<()> {
        self.screen.say(words)
    }

    fn greet(&mut self) -> io::Result<()> {
        self.screen.width = self.prompt.width().unwrap_or(self.screen.width);
        let [black, white] = names(&self.players);
        let kelso = self.players.iter().any(|player| matches!(player, SidePlayer::Kelso));
        let strength = if kelso { format!(" Kelso plays {}.", self.strength()) } else { String::new() };
        self.say(&format!("{black} plays Black, {white} plays White.{strength} \"help\" lists the commands."))
    }

    fn strength(&self) -> String {
        self.level
            .map_or_else(|| "at full strength".to_owned(), |level| format!("at level {}", level.number()))
    }

    fn show_if_changed(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.changed) {
            return Ok(());
        }
        self.screen.width = self.prompt.width().unwrap_or(self.screen.width);
        let head: Vec<String> = Color::BOTH.map(|side| self.player_words(side)).to_vec();
        let sheet = self.history.score_sheet();
        self.screen.board(self.history.position(), self.history.last(), &head, &sheet)?;
        if let Some(result) = self.history.result() {
            let why = match (&self.history.ended, self.history.game().outcome()) {
                (Some((_, reason)), _) => reason.clone(),
                (None, Some(Outcome::Win(winner))) => format!("{} has no legal move", (!winner).title()),
                (None, Some(outcome)) => outcome.to_string().replace("draw: ", ""),
                (None, None) => String::new(),
            };
            return self.say(&format!(
                "{}: {why}. \"new\", \"undo\", \"save FILE\" or \"quit\".",
                words::result(result)
            ));
        }
        if self.paused && !self.player(self.history.position().side()).is_person() {
            let name = self.player(self.history.position().side()).name();
            self.say(&format!("It is {name}'s turn: \"go\" lets it play."))?;
        }
        self.list_moves()
    }

    /// Returns a side's player and clock.
    fn player_words(&self, side: Color) -> String {
        let player = self.player(side);
        let level = match (player, self.level) {
            (SidePlayer::Kelso, Some(level)) => format!(" ({})", level.number()),
            _ => String::new(),
        };
        let mark =
            if self.history.position().side() == side && self.history.result().is_none() { '>' } else { ' ' };
        let clock = self.clocks.and_then(|clocks| clocks.get(side.index()).copied());
        let clock = clock.map(|clock| format!("  {}", words::clock(clock.left()))).unwrap_or_default();
        format!("{mark} {}: {}{level}{clock}", side.title(), player.name())
    }

    fn move_texts(&self) -> Vec<String> {
        let position = self.history.position();
        position.moves().iter().map(|&mv| movetext::format(position, mv)).collect()
    }

    fn list_moves(&self) -> io::Result<()> {
        let texts = self.move_texts();
        if texts.is_empty() {
            return self.say("There are no legal moves.");
        }
        let list: Vec<String> =
            (1..).zip(&texts).map(|(number, text): (usize, _)| format!("{number}\u{a0}{text}")).collect();
        // Number and move stay on one line.
        self.say(&format!("Moves: {}", list.join("  ")))
    }

    fn help(&self) -> io::Result<()> {
        for (usage, what) in COMMANDS {
            self.say(&format!("  {usage:<22}{what}"))?;
        }
        self.say("Ctrl-C interrupts an engine, which then plays the best move found so far.")
    }

    fn player(&self, side: Color) -> &SidePlayer {
        match side {
            Color::Black => &self.players[0],
            Color::White => &self.players[1],
        }
    }
}
