//! Moves of persons and engines, and stepping back and forth.

use std::io;
use std::time::Instant;

use super::{Play, REDRAW_INTERVAL};
use crate::terminal::player::SidePlayer;
use crate::terminal::words;
use draughts::board::{Color, Move};
use draughts::notation::movetext;
use draughts::notation::pdn::PdnResult;
use engine::Engine;
use engine::search::{Control, Event, Limits, Report, TimeLimit};
use players::client::PlayerError;

/// The result of a search.
pub(super) struct EngineMove {
    /// The move to play.
    pub(super) best: Option<Move>,
    /// The last report on the best line.
    pub(super) report: Option<Report>,
    /// Whether the move is from the opening book.
    book: bool,
    /// Whether Ctrl-C ended it.
    interrupted: bool,
}

impl Play {
    pub(super) fn choose(&mut self, number: usize) -> io::Result<()> {
        if self.history.result().is_some() {
            return self.say_over();
        }
        let moves = self.history.position().moves();
        match moves.get(number.saturating_sub(1)) {
            Some(&mv) => self.person_moves(mv),
            None => {
                self.say(&format!("there is no move {number} in the list of {}", words::moves(moves.len())))
            }
        }
    }

    /// Says that the game is over, and how to continue.
    fn say_over(&self) -> io::Result<()> {
        self.say("The game is over. \"new\" starts another one, \"undo\" takes back a move.")
    }

    pub(super) fn person_moves(&mut self, mv: Move) -> io::Result<()> {
        if self.history.result().is_some() {
            return self.say_over();
        }
        self.paused = false;
        self.make(mv);
        Ok(())
    }

    /// Makes a move, unless the side's time has run out.
    pub(super) fn make(&mut self, mv: Move) {
        let side = self.history.position().side();
        if self.has_time(side) {
            self.spend(side);
            self.history.play(mv);
            let (played, _) = self.history.reach();
            self.clock_history.truncate(played);
            self.clock_history.extend(self.clocks);
        } else {
            self.lose_on_time(side);
        }
        self.unsaved = true;
        self.changed = true;
        self.turn = Instant::now();
    }

    /// Returns whether a side has time left.
    pub(super) fn has_time(&self, side: Color) -> bool {
        let clock = self.clocks.as_ref().and_then(|clocks| clocks.get(side.index()));
        clock.is_none_or(|clock| self.turn.elapsed() <= clock.left())
    }

    /// Subtracts the time since the last move from a side's clock.
    fn spend(&mut self, side: Color) {
        let used = self.turn.elapsed();
        if let Some(clock) = self.clocks.as_mut().and_then(|clocks| clocks.get_mut(side.index())) {
            clock.spend(used);
        }
    }

    pub(super) fn lose_on_time(&mut self, side: Color) {
        self.spend(side);
        let result = if side == Color::Black { PdnResult::WhiteWins } else { PdnResult::BlackWins };
        self.history.ended = Some((result, format!("{side} has run out of time")));
        self.changed = true;
        self.unsaved = true;
    }

    pub(super) fn engine_moves(&mut self, side: Color) -> io::Result<()> {
        // Games of two engines show a board for each move, others only after the engine's.
        if self.players.iter().all(|player| !player.is_person()) {
            self.show_board_only()?;
        }
        self.turn = Instant::now();
        let before = *self.history.position();
        let found = match self.player(side) {
            SidePlayer::External(_) => self.ask_other(side),
            SidePlayer::Person | SidePlayer::Kelso => self.ask_kelso(),
        }?;
        let name = self.player(side).name().to_owned();
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
        let sheet = self.history.score_sheet();
        self.screen.board(self.history.position(), self.history.last(), &head, &sheet)
    }

    /// Returns Kelso's move, a comment on it, and whether the search was interrupted.
    pub(super) fn ask_kelso(&mut self) -> io::Result<Option<(Move, String, bool)>> {
        let side = self.history.position().side();
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
        let found = self.search(&self.opponent, &limits, "Kelso thinks: ")?;
        let words = match (found.book, found.report) {
            (true, _) => " (opening book)".to_owned(),
            (_, Some(report)) => format!(" ({}, depth {})", report.score.kind().describe(side), report.depth),
            _ => String::new(),
        };
        Ok(found.best.map(|mv| (mv, words, found.interrupted)))
    }

    /// Returns another engine's move; none if it failed or was interrupted.
    pub(super) fn ask_other(&mut self, side: Color) -> io::Result<Option<(Move, String, bool)>> {
        let (start, moves) = (*self.history.start(), self.history.moves().to_vec());
        let clocks = self.clocks;
        let interrupt = self.interrupt.clone();
        let player = match side {
            Color::Black => &mut self.players[0],
            Color::White => &mut self.players[1],
        };
        let SidePlayer::External(other) = player else { return Ok(None) };
        let (found, _) = interrupt.run(|stop| other.think(start, &moves, clocks, stop));
        match found {
            Ok(found) => {
                let score = found.info.score.map(|score| score.describe(side));
                let depth = found.info.depth.map(|depth| format!("depth {depth}"));
                let parts: Vec<String> = [score, depth].into_iter().flatten().collect();
                let words = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
                Ok(Some((found.mv, words, false)))
            }
            Err(PlayerError::Stopped) => Ok(None),
            Err(PlayerError::Fault(fault)) => {
                let name = self.player(side).name();
                self.say(&format!("{name}: {fault}"))?;
                Ok(None)
            }
        }
    }

    /// Searches, with progress on the status line.
    pub(super) fn search(&self, engine: &Engine, limits: &Limits, title: &str) -> io::Result<EngineMove> {
        let root = *self.history.position();
        let (mut best, mut book): (Option<Report>, bool) = (None, false);
        let mut shown = Instant::now();
        let (answer, interrupted) = self.interrupt.run(|stop| {
            engine.search(self.history.game(), limits, &Control::under(stop), &mut |event| {
                book |= matches!(event, Event::Book(_));
                if let Event::Line(report) = event
                    && report.rank == 1
                {
                    if shown.elapsed() >= REDRAW_INTERVAL {
                        shown = Instant::now();
                        // The next line reports a closed terminal.
                        let _ = self.screen.status(&format!("{title}{}", words::line(&root, &report)));
                    }
                    best = Some(report);
                }
            })
        });
        self.screen.clear_status()?;
        Ok(EngineMove { best: answer.best, report: best, book, interrupted })
    }

    pub(super) fn undo(&mut self, count: Option<usize>) -> io::Result<()> {
        let (played, _) = self.history.reach();
        if self.history.ended.is_some() && count.is_none() {
            // The agreement or resignation is taken back, not the move before it.
            self.history.go_to(played);
            return self.moved_to("The game continues.");
        }
        let target = match count {
            Some(count) => played.checked_sub(count),
            None => (0..played).rev().find(|&plies| self.player(self.history.side_after(plies)).is_person()),
        };
        let target = target.or(if count.is_none() { played.checked_sub(1) } else { None });
        match target {
            Some(target) => {
                self.history.go_to(target);
                self.moved_to(&format!("Took back {}.", words::moves(played - target)))
            }
            None if played == 0 => self.say("There are no moves to take back."),
            None => self.say(&format!("Only {} can be taken back.", words::moves(played))),
        }
    }

    pub(super) fn redo(&mut self, count: Option<usize>) -> io::Result<()> {
        let (played, ahead) = self.history.reach();
        let last = played + ahead;
        let target = match count {
            Some(count) => Some(played.saturating_add(count)).filter(|&target| target <= last),
            None => (played + 1..=last)
                .find(|&plies| self.player(self.history.side_after(plies)).is_person())
                .or(Some(last)),
        };
        match target {
            _ if ahead == 0 => self.say("There are no moves to play again."),
            Some(target) => {
                self.history.go_to(target);
                self.moved_to(&format!("Played {} again.", words::moves(target - played)))
            }
            None => self.say(&format!("Only {} can be played again.", words::moves(ahead))),
        }
    }

    pub(super) fn moved_to(&mut self, words: &str) -> io::Result<()> {
        self.paused = !self.player(self.history.position().side()).is_person();
        self.changed = true;
        self.turn = Instant::now();
        let (played, _) = self.history.reach();
        self.clocks = self.clocks.map(|clocks| self.clock_history.get(played).copied().unwrap_or(clocks));
        self.say(words)
    }

    pub(super) fn go(&mut self) -> io::Result<()> {
        if self.history.result().is_some() {
            return self.say_over();
        }
        let side = self.history.position().side();
        self.paused = false;
        if !self.player(side).is_person() {
            return Ok(());
        }
        let found = self.ask_kelso()?;
        let before = *self.history.position();
        if let Some((mv, words, _)) = found {
            self.make(mv);
            self.say(&format!("Kelso plays {} for {side}{words}", movetext::format(&before, mv)))?;
        }
        Ok(())
    }
}
