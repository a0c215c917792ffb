//! Starting and ending games, and changing players and levels.

use std::io;
use std::path::Path;

use anyhow::{Context, ensure};

use super::Play;
use super::commands::unquoted;
use crate::opening::GameStart;
use crate::player::{SidePlayer, names};
use crate::prompt::PromptInput;
use crate::save::append;
use crate::words;
use kelso_draughts::board::Color;
use kelso_draughts::result::GameResult;
use kelso_engine::search::Control;
use kelso_engine::{Level, Setting};
use kelso_syntax::Quoted;
use kelso_text::time;

impl Play {
    pub(super) fn set_level(&mut self, level: Option<Level>) {
        // Setting this option cannot fail.
        let _ = self.opponent.apply(Setting::Level(level));
    }

    pub(super) fn set_player(&mut self, side: Color, name: &str) -> anyhow::Result<String> {
        self.players[side.index()] = SidePlayer::parse(name)?;
        self.paused = !self.is_persons_turn();
        self.changed = true;
        Ok(self.player_names())
    }

    pub(super) fn player_names(&self) -> String {
        let [black, white] = names(self.players);
        format!("{black} plays Black, {white} plays White.")
    }

    /// Ends the game by agreement or resignation.
    pub(super) fn end(&mut self, result: GameResult, reason: String) {
        self.history.ended = Some((result, reason));
        self.changed = true;
        self.unsaved = true;
    }

    pub(super) fn offer_draw(&mut self) -> anyhow::Result<String> {
        ensure!(self.history.result().is_none(), "The game is over.");
        let opponent = !self.side();
        let (accepted, answer) = if self.player(opponent) == SidePlayer::Person {
            let question =
                format!("{} offers a draw. Does {} accept? [y/n] ", (!opponent).title(), opponent.title());
            if !self.prompt.is_interactive() {
                self.screen.say(question.trim_end())?;
            }
            let accepted = self.ask(&question, false)? == Some(true);
            (accepted, format!("Draw {}.", if accepted { "accepted" } else { "declined" }))
        } else {
            let (answer, _) = self
                .interrupt
                .run(|stop| self.opponent.answer_offer(self.history.game(), &Control::stopped_by(stop)));
            (answer.accepted, words::offer(&answer, self.player(opponent).name(), opponent))
        };
        if accepted {
            self.end(GameResult::Draw, "agreed".to_owned());
        }
        Ok(answer)
    }

    /// Asks a question until the answer is yes or no. With `enter`, an empty line or Ctrl-C is also accepted
    /// and returns `None`. Otherwise, Ctrl-C means no. The end of the input always means no.
    fn ask(&mut self, question: &str, enter: bool) -> io::Result<Option<bool>> {
        loop {
            let line = match self.prompt.read(question, Vec::new())? {
                PromptInput::Line(line) => line.trim().to_ascii_lowercase(),
                PromptInput::TooLong => "?".to_owned(),
                PromptInput::Interrupt if enter => return Ok(None),
                PromptInput::Interrupt | PromptInput::End => return Ok(Some(false)),
            };
            match line.as_str() {
                "y" | "yes" => return Ok(Some(true)),
                "n" | "no" => return Ok(Some(false)),
                "" if enter => return Ok(None),
                _ => self.screen.say("Please answer y or n.")?,
            }
        }
    }

    pub(super) fn resign(&mut self) -> anyhow::Result<String> {
        ensure!(self.history.result().is_none(), "The game is over.");
        let side = self.side();
        self.end(GameResult::won_by(!side), format!("{side} resigns"));
        Ok(String::new())
    }

    pub(super) fn save(&mut self, path: &Path) -> anyhow::Result<String> {
        let shown = path.display().to_string();
        let game = self.history.record(names(self.players), Some(&time::today()));
        let number = append(path, &game).with_context(|| format!("cannot save to {}", Quoted(&shown)))?;
        self.unsaved = false;
        let moves = words::moves(self.history.moves().len());
        let added = if number == 1 { String::new() } else { format!(", added as game {number}") };
        Ok(format!("Saved {moves} to {shown}{added}."))
    }

    pub(super) fn quit(&mut self) -> anyhow::Result<String> {
        let (left, answer) = self.leave_game()?;
        self.left = left;
        Ok(answer)
    }

    /// Begins a game in place of this one, unless the user plays on. For `paused`, see [`Play::begin`].
    pub(super) fn begin_another(&mut self, opening: GameStart, paused: bool) -> anyhow::Result<String> {
        let (left, saved) = self.leave_game()?;
        if !left || saved.is_empty() {
            return Ok(if left { self.begin(opening, paused) } else { saved });
        }
        Ok(format!("{saved}\n{}", self.begin(opening, paused)))
    }

    /// At a terminal, asks whether to save unsaved moves. Returns whether the game can be left, and an answer.
    fn leave_game(&mut self) -> anyhow::Result<(bool, String)> {
        let is_saved = !self.prompt.is_interactive() || !self.unsaved || self.history.moves().is_empty();
        let question = "Save the game before you leave? [y/n, Enter to play on] ";
        let saves = if is_saved { Some(false) } else { self.ask(question, true)? };
        if saves != Some(true) {
            return Ok((saves == Some(false), String::new()));
        }
        // The game continues if no name is given or it cannot be saved.
        let answer = match self.prompt.read("File to add the game to: ", Vec::new())? {
            PromptInput::Line(line) if !line.trim().is_empty() => {
                self.save(Path::new(unquoted(line.trim())))?
            }
            PromptInput::Line(_) | PromptInput::Interrupt | PromptInput::TooLong | PromptInput::End => {
                String::new()
            }
        };
        Ok((!self.unsaved, answer))
    }

    /// Begins a game. If `paused`, an engine waits for `go` before it moves.
    pub(super) fn begin(&mut self, opening: GameStart, paused: bool) -> String {
        self.history = opening.history;
        self.paused = paused && !self.is_persons_turn();
        self.changed = true;
        self.unsaved = false;
        self.opponent.new_game();
        self.analyst.new_game();
        opening.note
    }
}
