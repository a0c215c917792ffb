//! Moves: those that a person types, those that an engine comes up with, and going back and forth among them.

use std::io;
use std::time::Instant;

use super::{GLANCE, Play};
use crate::terminal::seat::Seat;
use crate::terminal::words;
use draughts::board::{Color, Move};
use draughts::notation::movetext;
use draughts::notation::pdn::PdnResult;
use engine::Engine;
use engine::search::{Control, Event, Limits, Report, TimeLimit};
use players::client::PlayerError;

/// What came of a search.
pub(super) struct EngineMove {
    /// The move to play.
    pub(super) best: Option<Move>,
    /// The last that was said of the best line.
    pub(super) report: Option<Report>,
    /// Whether the move is from the opening book.
    book: bool,
    /// Whether Ctrl-C ended it.
    interrupted: bool,
}

impl Play {
    pub(super) fn choose(&mut self, number: usize) -> io::Result<()> {
        let moves = self.course.position().moves();
        if let Some(&mv) = moves.get(number.saturating_sub(1)) {
            return self.person_moves(mv);
        }
        let count = moves.len();
        self.say(&format!("no move {number}: expected a number from 1 to {count}, or a move such as 11-15"))
    }

    pub(super) fn person_moves(&mut self, mv: Move) -> io::Result<()> {
        if let Some(result) = self.course.result() {
            return self
                .say(&format!("{}: expected \"new\" or \"undo\" before a move.", words::result(result)));
        }
        self.paused = false;
        self.make(mv);
        Ok(())
    }

    /// Makes a move, unless the time for it was over.
    pub(super) fn make(&mut self, mv: Move) {
        let side = self.course.position().side();
        if self.has_time(side) {
            self.spend(side);
            self.course.play(mv);
            let (played, _) = self.course.reach();
            self.readings.truncate(played);
            self.readings.extend(self.clocks);
        } else {
            self.lose_on_time(side);
        }
        self.unsaved = true;
        self.changed = true;
        self.turn = Instant::now();
    }

    /// Whether a side's time has not run out since it got the move.
    pub(super) fn has_time(&self, side: Color) -> bool {
        let clock = self.clocks.as_ref().and_then(|clocks| clocks.get(side.index()));
        clock.is_none_or(|clock| self.turn.elapsed() <= clock.left())
    }

    /// Takes the time since the last move from a side's clock.
    fn spend(&mut self, side: Color) {
        let used = self.turn.elapsed();
        if let Some(clock) = self.clocks.as_mut().and_then(|clocks| clocks.get_mut(side.index())) {
            clock.spend(used);
        }
    }

    pub(super) fn lose_on_time(&mut self, side: Color) {
        self.spend(side);
        let result = if side == Color::Black { PdnResult::WhiteWins } else { PdnResult::BlackWins };
        self.course.ended = Some((result, format!("{side} has no time left")));
        self.changed = true;
        self.unsaved = true;
    }

    pub(super) fn engine_moves(&mut self, side: Color) -> io::Result<()> {
        // Two engines are watched move by move, and a person sees one board after the answer.
        if self.seats.iter().all(|seat| !seat.is_person()) {
            self.show_board_only()?;
        }
        self.turn = Instant::now();
        let before = *self.course.position();
        let found = match self.seat(side) {
            Seat::Other(_) => self.ask_other(side),
            Seat::Person | Seat::Kelso => self.ask_kelso(),
        }?;
        let name = self.seat(side).name().to_owned();
        let Some((mv, words, interrupted)) = found else {
            self.paused = true;
            self.changed = true;
            return Ok(());
        };
        self.paused |= interrupted;
        self.make(mv);
        self.say(&format!("{name} plays {}{words}", movetext::format(&before, mv)))
    }

    pub(super) fn show_board_only(&mut self) -> io::Result<()> {
        self.changed = false;
        let head: Vec<String> = Color::BOTH.map(|side| self.player_words(side)).to_vec();
        let sheet = self.course.score_sheet();
        self.screen.board(self.course.position(), self.course.last(), &head, &sheet)
    }

    /// Kelso's move, what it thinks of it, and whether it was interrupted.
    pub(super) fn ask_kelso(&mut self) -> io::Result<Option<(Move, String, bool)>> {
        let side = self.course.position().side();
        let time = match (self.clocks, self.clock) {
            (Some(clocks), Some(_)) => {
                let own = clocks.get(side.index()).copied();
                own.map(|own| TimeLimit::Clock {
                    remaining: own.left(),
                    increment: own.increment(),
                    moves_to_go: own.moves_to_go(),
                })
            }
            _ => None,
        };
        let limits = Limits { time: Some(time.unwrap_or(TimeLimit::Exact(self.time))), ..Limits::default() };
        let thought = self.search(&self.opponent, &limits, "Kelso thinks: ")?;
        let words = match (thought.book, thought.report) {
            (true, _) => " (by the book)".to_owned(),
            (_, Some(report)) => format!(" ({}, depth {})", report.score.kind().describe(side), report.depth),
            _ => String::new(),
        };
        Ok(thought.best.map(|mv| (mv, words, thought.interrupted)))
    }

    /// Another engine's move; none if it failed or was interrupted.
    pub(super) fn ask_other(&mut self, side: Color) -> io::Result<Option<(Move, String, bool)>> {
        let (start, moves) = (*self.course.start(), self.course.moves().to_vec());
        let clocks = self.clocks;
        let stopper = self.stopper.clone();
        let seat = match side {
            Color::Black => &mut self.seats[0],
            Color::White => &mut self.seats[1],
        };
        let Seat::Other(other) = seat else { return Ok(None) };
        let (thought, _) = stopper.during(|stop| other.think(start, &moves, clocks, stop));
        match thought {
            Ok(thought) => {
                let score = thought.info.score.map(|score| score.describe(side));
                let depth = thought.info.depth.map(|depth| format!("depth {depth}"));
                let parts: Vec<String> = [score, depth].into_iter().flatten().collect();
                let words = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
                Ok(Some((thought.mv, words, false)))
            }
            Err(PlayerError::Stopped) => Ok(None),
            Err(PlayerError::Fault(fault)) => {
                let name = self.seat(side).name();
                self.say(&format!("{name}: {fault}"))?;
                Ok(None)
            }
        }
    }

    /// Searches while the line of thinking is redrawn.
    pub(super) fn search(&self, engine: &Engine, limits: &Limits, title: &str) -> io::Result<EngineMove> {
        let root = *self.course.position();
        let (mut best, mut book): (Option<Report>, bool) = (None, false);
        let mut shown = Instant::now();
        let (answer, interrupted) = self.stopper.during(|stop| {
            engine.search(self.course.game(), limits, &Control::under(stop), &mut |event| {
                book |= matches!(event, Event::Book(_));
                if let Event::Line(report) = event
                    && report.rank == 1
                {
                    if shown.elapsed() >= GLANCE {
                        shown = Instant::now();
                        // A terminal that is gone is found out by the next line.
                        let _ = self.screen.think(&format!("{title}{}", words::line(&root, &report)));
                    }
                    best = Some(report);
                }
            })
        });
        self.screen.thought()?;
        Ok(EngineMove { best: answer.best, report: best, book, interrupted })
    }

    pub(super) fn undo(&mut self, count: Option<usize>) -> io::Result<()> {
        let (played, _) = self.course.reach();
        if self.course.ended.is_some() && count.is_none() {
            // What was agreed or given up is taken back, not the move before it.
            self.course.go_to(played);
            return self.moved_to("The game goes on.");
        }
        let target = match count {
            Some(count) => played.checked_sub(count),
            None => (0..played).rev().find(|&plies| self.seat(self.course.side_after(plies)).is_person()),
        };
        let target = target.or(if count.is_none() { played.checked_sub(1) } else { None });
        match target {
            Some(target) => {
                self.course.go_to(target);
                self.moved_to(&format!("Took back {}.", words::moves(played - target)))
            }
            None if played == 0 => self.say("There is no move to take back."),
            None => self.say(&format!("expected at most {} to take back", words::moves(played))),
        }
    }

    pub(super) fn redo(&mut self, count: Option<usize>) -> io::Result<()> {
        let (played, ahead) = self.course.reach();
        let last = played + ahead;
        let target = match count {
            Some(count) => Some(played.saturating_add(count)).filter(|&target| target <= last),
            None => (played + 1..=last)
                .find(|&plies| self.seat(self.course.side_after(plies)).is_person())
                .or(Some(last)),
        };
        match target {
            _ if ahead == 0 => self.say("There is no move to play again."),
            Some(target) => {
                self.course.go_to(target);
                self.moved_to(&format!("Played {} again.", words::moves(target - played)))
            }
            None => self.say(&format!("expected at most {} to play again", words::moves(ahead))),
        }
    }

    pub(super) fn moved_to(&mut self, words: &str) -> io::Result<()> {
        self.paused = !self.seat(self.course.position().side()).is_person();
        self.changed = true;
        self.turn = Instant::now();
        let (played, _) = self.course.reach();
        self.clocks = self.clocks.map(|clocks| self.readings.get(played).copied().unwrap_or(clocks));
        self.say(words)
    }

    pub(super) fn go(&mut self) -> io::Result<()> {
        if self.course.result().is_some() {
            return self.say("The game is over: expected \"new\" or \"undo\".");
        }
        let side = self.course.position().side();
        self.paused = false;
        if !self.seat(side).is_person() {
            return Ok(());
        }
        let found = self.ask_kelso()?;
        let before = *self.course.position();
        if let Some((mv, words, _)) = found {
            self.make(mv);
            self.say(&format!("Kelso plays {} for {side}{words}", movetext::format(&before, mv)))?;
        }
        Ok(())
    }
}
