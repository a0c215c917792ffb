//! Starting and ending games, and changing players, levels and clocks.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use super::Play;
use crate::terminal::command::unquoted;
use crate::terminal::opening::Opening;
use crate::terminal::player::{SidePlayer, names};
use crate::terminal::prompt::Input;
use crate::terminal::save::append;
use crate::terminal::words;
use common::date;
use draughts::board::Color;
use draughts::notation::pdn::PdnResult;
use draughts::notation::syntax::Quoted;
use engine::search::Control;
use engine::{Level, Setting};
use players::limits::{Clock, TimeControl};

/// The answer to a yes or no question.
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
        // The option cannot fail.
        let _ = self.opponent.apply(Setting::Level(level));
    }

    pub(super) fn set_player(&mut self, side: Color, name: &str) -> io::Result<()> {
        match SidePlayer::parse(name, &self.engines) {
            Err(error) => self.say(&error.to_string()),
            Ok(player) => {
                match side {
                    Color::Black => self.players[0] = player,
                    Color::White => self.players[1] = player,
                }
                self.paused = !self.player(self.history.position().side()).is_person();
                self.changed = true;
                let [black, white] = names(&self.players);
                self.say(&format!("{black} plays Black, {white} plays White."))
            }
        }
    }

    pub(super) fn set_clock(&mut self, clock: Option<TimeControl>) -> io::Result<()> {
        self.clock = clock;
        self.start_clocks();
        self.say(&self.clock_words())
    }

    /// Starts both clocks with their full time.
    fn start_clocks(&mut self) {
        self.clocks = self.clock.map(|clock| [Clock::new(clock); 2]);
        let (played, ahead) = self.history.reach();
        self.clock_history = self.clocks.map(|clocks| vec![clocks; played + ahead + 1]).unwrap_or_default();
        self.turn = Instant::now();
    }

    pub(super) fn clock_words(&self) -> String {
        match self.clocks {
            None => "There is no clock.".to_owned(),
            Some([black, white]) => {
                let side = self.history.position().side();
                let left = |clock: Clock, own: Color| {
                    let used = if own == side { self.turn.elapsed() } else { Duration::ZERO };
                    words::clock(clock.left().saturating_sub(used))
                };
                format!("Black has {}, White has {}.", left(black, Color::Black), left(white, Color::White))
            }
        }
    }

    pub(super) fn offer_draw(&mut self) -> io::Result<()> {
        if self.history.result().is_some() {
            return self.say("The game is over.");
        }
        let side = self.history.position().side();
        let accepted = if self.player(!side).is_person() {
            let question = format!("{} offers a draw. Does {} accept? [y/n] ", side.title(), (!side).title());
            if !self.prompt.is_interactive() {
                self.say(question.trim_end())?;
            }
            let accepted = matches!(self.ask_yes_no(&question, &[])?, Answer::Yes);
            self.say(if accepted { "The draw is accepted." } else { "The draw is declined." })?;
            accepted
        } else {
            let engine =
                if matches!(self.player(!side), SidePlayer::Kelso) { &self.opponent } else { &self.analyst };
            let (answer, _) =
                self.interrupt.run(|stop| engine.answer_offer(self.history.game(), &Control::under(stop)));
            self.say(&words::offer(&answer, self.player(!side).name(), !side))?;
            answer.accepted
        };
        if accepted {
            self.history.ended = Some((PdnResult::Draw, "agreed".to_owned()));
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
                _ => self.say("Please answer y or n.")?,
            }
        }
    }

    pub(super) fn resign(&mut self) -> io::Result<()> {
        if self.history.result().is_some() {
            return self.say("The game is over.");
        }
        let side = self.history.position().side();
        let result = if side == Color::Black { PdnResult::WhiteWins } else { PdnResult::BlackWins };
        self.history.ended = Some((result, format!("{side} resigns")));
        self.changed = true;
        self.unsaved = true;
        Ok(())
    }

    pub(super) fn save(&mut self, path: &Path) -> io::Result<()> {
        let game = self.history.to_pdn(names(&self.players), &date::today().unwrap_or_default());
        match append(path, &game) {
            Ok(number) => {
                self.unsaved = false;
                let moves = words::moves(self.history.moves().len());
                let added = if number == 1 { String::new() } else { format!(", added as game {number}") };
                self.say(&format!("Saved {moves} to {}{added}.", path.display()))
            }
            Err(error) => {
                self.say(&format!("cannot save to {}: {error}", Quoted(&path.display().to_string())))
            }
        }
    }

    /// Leaves, after asking whether to save unsaved moves.
    pub(super) fn leave(&mut self) -> io::Result<ControlFlow<()>> {
        if !self.unsaved || self.history.moves().is_empty() {
            return Ok(ControlFlow::Break(()));
        }
        match self.ask_yes_no("Save the game before you leave? [y/n, Enter to play on] ", &[""])? {
            Answer::Yes => self.save_and_leave(),
            Answer::No | Answer::End => Ok(ControlFlow::Break(())),
            Answer::Other => Ok(ControlFlow::Continue(())),
        }
    }

    /// Asks for a file's name. Without a name, or if the game cannot be saved, the game continues.
    fn save_and_leave(&mut self) -> io::Result<ControlFlow<()>> {
        match self.prompt.read("File to add the game to: ", &[])? {
            Input::End => return Ok(ControlFlow::Break(())),
            Input::Line(line) if !line.trim().is_empty() => self.save(Path::new(unquoted(line.trim())))?,
            Input::Line(_) | Input::Interrupt | Input::TooLong => {}
        }
        Ok(if self.unsaved { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    }

    pub(super) fn try_begin(&mut self, found: anyhow::Result<Opening>, paused: bool) -> io::Result<()> {
        match found {
            Err(error) => self.say(&format!("{error:#}")),
            Ok(opening) => {
                self.begin(opening)?;
                self.paused = paused && !self.player(self.history.position().side()).is_person();
                Ok(())
            }
        }
    }

    pub(super) fn begin(&mut self, opening: Opening) -> io::Result<()> {
        self.history = opening.history;
        self.time = opening.time.unwrap_or(self.time);
        self.start_clocks();
        self.paused = false;
        self.changed = true;
        self.unsaved = false;
        self.opponent.new_game();
        self.analyst.new_game();
        for player in &mut self.players {
            if let SidePlayer::External(other) = player {
                other.quit();
            }
        }
        if opening.note.is_empty() { Ok(()) } else { self.say(&opening.note) }
    }
}
