//! A game at the terminal: who is to move is asked, a person by the prompt and an engine by a search, and what a person
//! says is done by one short handler for each command.

mod advice;
mod ends;
mod moving;

use std::fmt;
use std::io;
use std::time::{Duration, Instant, SystemTime};

use super::command::{self, COMMANDS, Command};
use super::history::GameHistory;
use super::opening::{self, Opening, OpeningError};
use super::prompt::{Input, Prompt};
use super::screen::Screen;
use super::seat::{Seat, SeatError, names};
use super::stopper::Stopper;
use super::words;
use common::chance::{self, RngExt};
use draughts::board::{Color, Outcome};
use draughts::diagram::Ink;
use draughts::notation::{fen, movetext};
use engine::search::OutOfMemory;
use engine::{Engine, Level, Setting};
use players::limits::{Clock, TimeControl};
use players::spec::EngineSpec;

/// How a game is set up.
#[derive(Debug)]
pub struct Options {
    /// Who plays Black and White: `person`, `kelso`, or the name of an engine.
    pub seats: [String; 2],
    /// Other engines to choose from.
    pub engines: Vec<EngineSpec>,
    /// Kelso's level, from 1 to 10; 0 for full strength.
    pub level: usize,
    /// Its time for a move; one second, or what the position's file says, if there is none.
    pub time: Option<Duration>,
    /// Clocks for both sides.
    pub clock: Option<TimeControl>,
    /// A FEN or a file to begin with.
    pub position: Option<String>,
    /// The ballot to begin with.
    pub ballot: Option<String>,
    /// The side at the bottom; the person's if none is asked for.
    pub bottom: Option<Color>,
    /// What the terminal can show.
    pub ink: Ink,
}

/// Why there can be no game.
#[derive(Debug)]
pub enum PlayError {
    /// Nobody is called that.
    Seat(SeatError),
    /// There is nothing to begin with.
    Opening(OpeningError),
    /// There is no memory for a search.
    Memory(OutOfMemory),
    /// Nothing more can be read or written.
    Io(io::Error),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(error) => error.fmt(f),
            Self::Opening(error) => error.fmt(f),
            Self::Memory(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlayError {}

impl From<io::Error> for PlayError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Kelso's time for a move where nothing else is said.
const USUAL_TIME: Duration = Duration::from_secs(1);
/// How long an analysis takes where nothing else is said.
const ANALYSIS: Duration = Duration::from_secs(10);
/// The line of thinking changes at most so often.
const GLANCE: Duration = Duration::from_millis(100);
/// The table of each of the two engines, in MiB.
const TABLE: usize = 64;

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    GoOn,
    Leave,
}

/// The game, the people and engines at the board, and the way to them.
struct Play {
    course: GameHistory,
    seats: [Seat; 2],
    engines: Vec<EngineSpec>,
    /// Plays at its level.
    opponent: Engine,
    /// Knows all it can, for hints and analysis.
    adviser: Engine,
    level: Option<Level>,
    time: Duration,
    clock: Option<TimeControl>,
    clocks: Option<[Clock; 2]>,
    /// What they were after so many plies, for those who take back.
    readings: Vec<[Clock; 2]>,
    /// When the side to move got the move.
    turn: Instant,
    /// Engines wait until they are told to go.
    paused: bool,
    /// The board on the screen is not the one of the game.
    changed: bool,
    /// Moves that no file has.
    unsaved: bool,
    screen: Screen,
    prompt: Prompt,
    stopper: Stopper,
}

/// Plays until the person leaves or the input ends.
///
/// # Errors
///
/// When the options make no game, or nothing can be written any more.
pub fn play(options: Options) -> Result<(), PlayError> {
    let seat = |text: &String| Seat::parse(text, &options.engines).map_err(PlayError::Seat);
    let [black, white] = &options.seats;
    let seats = [seat(black)?, seat(white)?];
    let opening = match (&options.position, &options.ballot) {
        (Some(text), _) => opening::position(text),
        (None, ballot) => opening::ballot(ballot.as_deref().unwrap_or_default(), pick),
    }
    .map_err(PlayError::Opening)?;
    let prompt = Prompt::new();
    let own = if seats[0].is_person() && !seats[1].is_person() { Color::Black } else { Color::White };
    let (lively, wraps) = (prompt.can_redraw(), prompt.is_interactive());
    let mut play = Play {
        course: GameHistory::new(*opening.course.start()),
        seats,
        engines: options.engines,
        opponent: Engine::with_table(TABLE).map_err(PlayError::Memory)?,
        adviser: Engine::with_table(TABLE).map_err(PlayError::Memory)?,
        level: None,
        time: options.time.unwrap_or(USUAL_TIME),
        clock: options.clock,
        clocks: None,
        readings: Vec::new(),
        turn: Instant::now(),
        paused: false,
        changed: true,
        unsaved: false,
        screen: Screen::new(options.ink, lively, wraps, options.bottom.unwrap_or(own)),
        prompt,
        stopper: Stopper::listen(),
    };
    // It has no value that could be refused.
    let _ = play.opponent.apply(Setting::Book(true));
    play.set_level(Level::new(options.level));
    play.greet()?;
    let time = options.time.or(opening.time);
    play.begin(opening)?;
    play.time = time.unwrap_or(play.time);
    play.run()?;
    Ok(())
}

/// A number below a bound, by lot.
fn pick(count: usize) -> usize {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seed = now.as_secs() ^ u64::from(now.subsec_nanos()).rotate_left(32);
    chance::stream(&[seed]).random_range(0..count.max(1))
}

impl Play {
    fn run(&mut self) -> io::Result<()> {
        loop {
            let over = self.course.result().is_some();
            let side = self.course.position().side();
            if !over && !self.paused && !self.seat(side).is_person() {
                self.engine_moves(side)?;
                continue;
            }
            self.show_if_changed()?;
            if self.ask(side, over)? == Flow::Leave {
                return Ok(());
            }
        }
    }

    /// Reads a line and does what it says.
    fn ask(&mut self, side: Color, over: bool) -> io::Result<Flow> {
        let prompt = if over { "Game over> ".to_owned() } else { format!("{}> ", side.title()) };
        match self.prompt.read(&prompt, &self.move_texts())? {
            Input::End => Ok(Flow::Leave),
            Input::Interrupt => self.leave(),
            Input::TooLong => {
                self.say("That line is too long: expected a move, or a command that \"help\" lists.")?;
                Ok(Flow::GoOn)
            }
            Input::Line(line) => match command::parse(&line) {
                Ok(command) => {
                    if !over && self.seat(side).is_person() && !self.has_time(side) {
                        self.lose_on_time(side);
                    }
                    self.obey(command)
                }
                Err(error) => {
                    self.say(&error.to_string())?;
                    Ok(Flow::GoOn)
                }
            },
        }
    }

    fn obey(&mut self, command: Command) -> io::Result<Flow> {
        match command {
            Command::Nothing => {}
            Command::Move(text) => match text.resolve(self.course.position()) {
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
            Command::Seat(side, name) => self.sit(side, &name)?,
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
                let found = opening::file(&path, game);
                self.begin_if(found, true)?;
            }
            Command::New(text) => {
                let found = opening::ballot(&text, pick);
                self.begin_if(found, false)?;
            }
            Command::Setup(text) => match fen::parse(&text) {
                Ok(position) => self.begin(Opening::at(position))?,
                Err(error) => self.say(&error.to_string())?,
            },
            Command::Fen => self.say(&fen::format(self.course.position()))?,
            Command::Help => self.help()?,
            Command::Quit if self.prompt.is_interactive() => return self.leave(),
            Command::Quit => return Ok(Flow::Leave),
        }
        Ok(Flow::GoOn)
    }

    fn say(&self, words: &str) -> io::Result<()> {
        self.screen.say(words)
    }

    fn greet(&mut self) -> io::Result<()> {
        self.screen.width = self.prompt.width().unwrap_or(self.screen.width);
        let [black, white] = names(&self.seats);
        let kelso = self.seats.iter().any(|seat| matches!(seat, Seat::Kelso));
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
        let sheet = self.course.score_sheet();
        self.screen.board(self.course.position(), self.course.last(), &head, &sheet)?;
        if let Some(result) = self.course.result() {
            let why = match (&self.course.ended, self.course.game().outcome()) {
                (Some((_, reason)), _) => reason.clone(),
                (None, Some(Outcome::Win(winner))) => format!("{} has no move", !winner),
                (None, Some(outcome)) => outcome.to_string().replace("draw: ", ""),
                (None, None) => String::new(),
            };
            return self.say(&format!(
                "{}: {why}. \"new\", \"undo\", \"save FILE\" or \"quit\".",
                words::result(result)
            ));
        }
        if self.paused && !self.seat(self.course.position().side()).is_person() {
            let name = self.seat(self.course.position().side()).name();
            self.say(&format!("It is {name}'s turn: \"go\" lets it play."))?;
        }
        self.list_moves()
    }

    /// Who plays a side, and its clock.
    fn player_words(&self, side: Color) -> String {
        let seat = self.seat(side);
        let level = match (seat, self.level) {
            (Seat::Kelso, Some(level)) => format!(" ({})", level.number()),
            _ => String::new(),
        };
        let mark =
            if self.course.position().side() == side && self.course.result().is_none() { '>' } else { ' ' };
        let clock = self.clocks.and_then(|clocks| clocks.get(side.index()).copied());
        let clock = clock.map(|clock| format!("  {}", words::clock(clock.left()))).unwrap_or_default();
        format!("{mark} {}: {}{level}{clock}", side.title(), seat.name())
    }

    fn move_texts(&self) -> Vec<String> {
        let position = self.course.position();
        position.moves().iter().map(|&mv| movetext::format(position, mv)).collect()
    }

    fn list_moves(&self) -> io::Result<()> {
        let texts = self.move_texts();
        if texts.is_empty() {
            return self.say("There is no move.");
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
        self.say("Ctrl-C ends an engine's thinking: it plays what it has found.")
    }

    fn seat(&self, side: Color) -> &Seat {
        match side {
            Color::Black => &self.seats[0],
            Color::White => &self.seats[1],
        }
    }
}
