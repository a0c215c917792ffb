//! A game at the terminal: a person enters moves at the prompt, and an engine searches. Each command has a
//! short handler.

mod commands;
mod game;
mod moves;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::history::GameHistory;
use super::opening::GameStart;
use super::player::SidePlayer;
use super::prompt::{Prompt, PromptInput, SearchInterrupt};
use super::screen::Screen;
use super::words;
use kelso_draughts::board::Color;
use kelso_draughts::notation::movetext;
use kelso_draughts::result::EndReason;
use kelso_engine::{Engine, EngineSettings, Level, Setting};
use kelso_reports::diagram::Ink;

/// A terminal session: the game, its players and settings.
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
struct Play {
    history: GameHistory,
    players: [SidePlayer; 2],
    /// The engine that plays, at its level.
    opponent: Engine,
    /// The engine that gives hints and analyses, at full strength.
    analyst: Engine,
    time: Duration,
    /// Whether engines wait for `go`.
    paused: bool,
    /// Whether the board on the screen is out of date.
    changed: bool,
    unsaved: bool,
    left: bool,
    screen: Screen,
    prompt: Prompt,
    interrupt: Arc<SearchInterrupt>,
}

/// The settings that a terminal session starts with.
pub struct PlaySettings {
    pub players: [SidePlayer; 2],
    pub opening: GameStart,
    /// The level of Kelso, or `None` for full strength.
    pub level: Option<Level>,
    /// Time per move.
    pub time: Duration,
    pub ink: Ink,
}

/// Plays until the user quits or the input ends.
pub fn play(settings: PlaySettings) -> anyhow::Result<()> {
    let PlaySettings { players, opening, level, time, ink } = settings;
    let prompt = Prompt::new(commands::is_game);
    let bottom = if players == [SidePlayer::Person, SidePlayer::Kelso] { Color::Black } else { Color::White };
    let can_redraw = prompt.can_redraw();
    let wraps = prompt.is_interactive();
    let mut play = Play {
        history: GameHistory::new(*opening.history.start()),
        players,
        opponent: Engine::new(EngineSettings {
            options: vec![Setting::Book(true), Setting::Level(level)],
            ..EngineSettings::installed()
        })?,
        analyst: Engine::new(EngineSettings::installed())?,
        time,
        paused: false,
        changed: true,
        unsaved: false,
        left: false,
        screen: Screen::new(ink, can_redraw, wraps, bottom),
        prompt,
        interrupt: SearchInterrupt::listen(),
    };
    play.greet()?;
    let note = play.begin(opening, false);
    play.screen.say(&note)?;
    Ok(play.run()?)
}

impl Play {
    fn run(&mut self) -> io::Result<()> {
        while !self.left {
            let is_over = self.history.result().is_some();
            let answer = if is_over || self.paused || self.is_persons_turn() {
                self.show_if_changed()?;
                self.read_command(is_over)?
            } else {
                self.engine_moves()
            };
            self.screen.say(&answer.unwrap_or_else(|error| format!("{error:#}")))?;
        }
        Ok(())
    }

    /// Reads a line and executes it. Returns the answer.
    fn read_command(&mut self, over: bool) -> io::Result<anyhow::Result<String>> {
        let prompt = if over { "Game over> ".to_owned() } else { format!("{}> ", self.side().title()) };
        let words = commands::names().map(str::to_owned).chain(self.move_texts()).collect();
        Ok(match self.prompt.read(&prompt, words)? {
            PromptInput::End | PromptInput::Interrupt => self.quit(),
            PromptInput::TooLong => Ok("The line is too long; \"help\" lists the commands.".to_owned()),
            PromptInput::Line(line) => self.obey(&line),
        })
    }

    fn greet(&mut self) -> io::Result<()> {
        self.screen.width = self.prompt.width().unwrap_or(self.screen.width);
        let kelso = self.players.contains(&SidePlayer::Kelso);
        let strength = if kelso { format!(" Kelso plays {}.", self.strength()) } else { String::new() };
        let names = self.player_names();
        self.screen.say(&format!("{names}{strength} \"help\" lists the commands."))
    }

    fn strength(&self) -> String {
        let level = self.opponent.options().level;
        level.map_or_else(|| "at full strength".to_owned(), |level| format!("at level {}", level.number()))
    }

    /// Redraws the board with the given side at the bottom.
    fn turn_board(&mut self, bottom: Color) -> String {
        self.screen.bottom = bottom;
        self.changed = true;
        String::new()
    }

    fn show_board(&mut self) -> io::Result<()> {
        self.changed = false;
        self.screen.width = self.prompt.width().unwrap_or(self.screen.width);
        let head = Color::BOTH.map(|side| self.player_words(side));
        let sheet = self.history.score_sheet();
        self.screen.board(self.history.position(), self.history.last(), &head, &sheet)
    }

    fn show_if_changed(&mut self) -> io::Result<()> {
        if !self.changed {
            return Ok(());
        }
        self.show_board()?;
        if let Some(result) = self.history.result() {
            let reason = match (&self.history.ended, self.history.game().end()) {
                (Some((_, reason)), _) => reason.clone(),
                (None, Some(end)) if end.reason == EndReason::NoMove => {
                    format!("{} has no legal move", self.side().title())
                }
                (None, Some(end)) => end.reason.to_string(),
                (None, None) => String::new(),
            };
            let result = words::result(result);
            return self
                .screen
                .say(&format!("{result}: {reason}. \"new\", \"undo\", \"save FILE\" or \"quit\"."));
        }
        if !self.is_persons_turn() {
            let name = self.player(self.side()).name();
            self.screen.say(&format!("It is {name}'s turn: type \"go\" to let it play."))?;
        }
        self.screen.say(&self.list_moves())
    }

    fn player_words(&self, side: Color) -> String {
        let player = self.player(side);
        let level = match (player, self.opponent.options().level) {
            (SidePlayer::Kelso, Some(level)) => format!(" ({})", level.number()),
            _ => String::new(),
        };
        let mark = if self.side() == side && self.history.result().is_none() { '>' } else { ' ' };
        format!("{mark} {}: {}{level}", side.title(), player.name())
    }

    fn move_texts(&self) -> Vec<String> {
        let position = self.history.position();
        position.moves().iter().map(|&mv| movetext::format(position, mv)).collect()
    }

    fn list_moves(&self) -> String {
        let texts = self.move_texts();
        if texts.is_empty() {
            return moves::NO_MOVES.to_owned();
        }
        // Keep the number and the move on one line.
        let list: Vec<String> =
            (1..).zip(&texts).map(|(number, text): (usize, _)| format!("{number}\u{a0}{text}")).collect();
        format!("Moves: {}", list.join("  "))
    }

    const fn player(&self, side: Color) -> SidePlayer {
        self.players[side.index()]
    }

    fn side(&self) -> Color {
        self.history.position().side()
    }

    fn is_persons_turn(&self) -> bool {
        self.player(self.side()) == SidePlayer::Person
    }

    fn is_persons_turn_after(&self, plies: usize) -> bool {
        self.player(self.history.side_after(plies)) == SidePlayer::Person
    }
}
