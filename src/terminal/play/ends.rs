//! How games end and begin, who plays them and by what clock.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Flow, Play};
use crate::terminal::command::unquoted;
use crate::terminal::opening::{Opening, OpeningError};
use crate::terminal::prompt::Input;
use crate::terminal::save::append;
use crate::terminal::seat::{Seat, names};
use crate::terminal::words;
use common::date;
use draughts::board::Color;
use draughts::notation::pdn::PdnResult;
use engine::search::Control;
use engine::{Level, Setting};
use players::limits::{Clock, TimeControl};

/// The answer to a question of yes or no.
enum Answer {
    Yes,
    No,
    /// One of the other answers that the question allows.
    Other,
    /// Ctrl-C, or the end of the input.
    End,
}

impl Play {
    pub(super) fn set_level(&mut self, level: Option<Level>) {
        self.level = level;
        // A level can't be refused.
        let _ = self.opponent.apply(Setting::Level(level));
    }

    pub(super) fn sit(&mut self, side: Color, name: &str) -> io::Result<()> {
        match Seat::parse(name, &self.engines) {
            Err(error) => self.say(&error.to_string()),
            Ok(seat) => {
                match side {
                    Color::Black => self.seats[0] = seat,
                    Color::White => self.seats[1] = seat,
                }
                self.paused = !self.seat(self.course.position().side()).is_person();
                self.changed = true;
                let [black, white] = names(&self.seats);
                self.say(&format!("{black} plays Black, {white} plays White."))
            }
        }
    }

    pub(super) fn set_clock(&mut self, clock: Option<TimeControl>) -> io::Result<()> {
        self.clock = clock;
        self.start_clocks();
        self.say(&self.clock_words())
    }

    /// Gives both sides all their time from now on.
    fn start_clocks(&mut self) {
        self.clocks = self.clock.map(|clock| [Clock::new(clock); 2]);
        let (played, ahead) = self.course.reach();
        self.readings = self.clocks.map(|clocks| vec![clocks; played + ahead + 1]).unwrap_or_default();
        self.turn = Instant::now();
    }

    pub(super) fn clock_words(&self) -> String {
        match self.clocks {
            None => "There is no clock.".to_owned(),
            Some([black, white]) => {
                let side = self.course.position().side();
                let left = |clock: Clock, own: Color| {
                    let used = if own == side { self.turn.elapsed() } else { Duration::ZERO };
                    words::clock(clock.left().saturating_sub(used))
                };
                format!("Black has {}, White has {}.", left(black, Color::Black), left(white, Color::White))
            }
        }
    }

    pub(super) fn offer_draw(&mut self) -> io::Result<()> {
        if self.course.result().is_some() {
            return self.say("The game is over.");
        }
        let side = self.course.position().side();
        let accepted = if self.seat(!side).is_person() {
            let question = format!("{} offers a draw. Does {} accept? [y/n] ", side.title(), (!side).title());
            if !self.prompt.is_interactive() {
                self.say(question.trim_end())?;
            }
            let accepted = matches!(self.ask_yes_no(&question, &[])?, Answer::Yes);
            self.say(if accepted { "The draw is accepted." } else { "The draw is declined." })?;
            accepted
        } else {
            let engine = if matches!(self.seat(!side), Seat::Kelso) { &self.opponent } else { &self.adviser };
            let (answer, _) =
                self.stopper.during(|stop| engine.answer_offer(self.course.game(), &Control::under(stop)));
            self.say(&words::offer(&answer, self.seat(!side).name(), !side))?;
            answer.accepted
        };
        if accepted {
            self.course.ended = Some((PdnResult::Draw, "agreed".to_owned()));
            self.changed = true;
        }
        Ok(())
    }

    /// Asks a question until it is answered by yes or no, or by one of `others`.
    fn ask_yes_no(&mut self, question: &str, others: &[&str]) -> io::Result<Answer> {
        loop {
            let line = match self.prompt.read(question, &[])? {
                Input::Line(line) => line.trim().to_ascii_lowercase(),
                Input::TooLong => String::from("?"),
                Input::Interrupt | Input::End => return Ok(Answer::End),
            };
            match line.as_str() {
                "y" | "yes" => return Ok(Answer::Yes),
                "n" | "no" => return Ok(Answer::No),
                other if others.contains(&other) => return Ok(Answer::Other),
                _ => self.say("expected y or n")?,
            }
        }
    }

    pub(super) fn resign(&mut self) -> io::Result<()> {
        if self.course.result().is_some() {
            return self.say("The game is over.");
        }
        let side = self.course.position().side();
        let result = if side == Color::Black { PdnResult::WhiteWins } else { PdnResult::BlackWins };
        self.course.ended = Some((result, format!("{side} resigns")));
        self.changed = true;
        self.unsaved = true;
        Ok(())
    }

    pub(super) fn save(&mut self, path: &Path) -> io::Result<()> {
        let game = self.course.to_pdn(names(&self.seats), &date::today().unwrap_or_default());
        match append(path, &game) {
            Ok(number) => {
                self.unsaved = false;
                let moves = words::moves(self.course.moves().len());
                let added = if number == 1 { String::new() } else { format!(", added as game {number}") };
                self.say(&format!("Saved {moves} to {}{added}.", path.display()))
            }
            Err(error) => self.say(&format!("cannot save to {}: {error}", path.display())),
        }
    }

    /// Asks whether to save before leaving, where there is something to save.
    pub(super) fn leave(&mut self) -> io::Result<Flow> {
        if !self.unsaved || self.course.moves().is_empty() {
            return Ok(Flow::Leave);
        }
        match self.ask_yes_no("Save the game before you leave? [y/n, Enter to play on] ", &[""])? {
            Answer::Yes => self.save_and_leave(),
            Answer::No | Answer::End => Ok(Flow::Leave),
            Answer::Other => Ok(Flow::GoOn),
        }
    }

    /// Asks for a file's name. If there is none, or the game cannot be saved there, the game goes on.
    fn save_and_leave(&mut self) -> io::Result<Flow> {
        match self.prompt.read("File to add the game to: ", &[])? {
            Input::End => return Ok(Flow::Leave),
            Input::Line(line) if !line.trim().is_empty() => self.save(Path::new(unquoted(line.trim())))?,
            Input::Line(_) | Input::Interrupt | Input::TooLong => {}
        }
        Ok(if self.unsaved { Flow::GoOn } else { Flow::Leave })
    }

    pub(super) fn begin_if(&mut self, found: Result<Opening, OpeningError>, paused: bool) -> io::Result<()> {
        match found {
            Err(error) => self.say(&error.to_string()),
            Ok(opening) => {
                self.begin(opening)?;
                self.paused = paused && !self.seat(self.course.position().side()).is_person();
                Ok(())
            }
        }
    }

    pub(super) fn begin(&mut self, opening: Opening) -> io::Result<()> {
        self.course = opening.course;
        self.time = opening.time.unwrap_or(self.time);
        self.start_clocks();
        self.paused = false;
        self.changed = true;
        self.unsaved = false;
        self.opponent.new_game();
        self.adviser.new_game();
        for seat in &mut self.seats {
            if let Seat::Other(other) = seat {
                other.forget();
            }
        }
        if opening.note.is_empty() { Ok(()) } else { self.say(&opening.note) }
    }
}
