//! Moves by people and engines, searches, hints, and stepping back and forth.

use std::io;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::Play;
use crate::opening;
use crate::player::SidePlayer;
use crate::words;
use kelso_draughts::board::{Color, Move, PieceKind, Position};
use kelso_draughts::notation::pdn::PdnReader;
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::score::ReportedScore;
use kelso_engine::eval::Explanation;
use kelso_engine::search::{Control, Limits, SearchAnswer, SearchEvent};
use kelso_engine::{Engine, Setting};

/// Minimum time between two updates of the status line.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

const HINT_NODES: u64 = 1_000_000;
const ANALYSIS_LINES: usize = 3;
pub(super) const NO_MOVES: &str = "There are no legal moves.";

/// An engine's move.
struct EngineMove {
    mv: Move,
    comment: String,
    /// Whether Ctrl-C ended the search.
    interrupted: bool,
}

impl Play {
    /// Plays a person's move, given as text or by its number in the list.
    pub(super) fn person_moves(&mut self, line: &str) -> anyhow::Result<String> {
        self.ensure_unfinished()?;
        let position = self.history.position();
        let mv = if line.bytes().all(|byte| byte.is_ascii_digit()) {
            let moves = position.moves();
            let listed =
                line.parse().ok().and_then(|number: usize| moves.get(number.checked_sub(1)?).copied());
            let count = words::moves(moves.len());
            listed.with_context(|| format!("there is no move {line}: the list has {count}"))?
        } else {
            movetext::parse(position, &move_text(line))?
        };
        self.paused = false;
        self.make(mv);
        Ok(String::new())
    }

    /// Plays the given moves for both sides, up to the first error. A game with tags begins from its own
    /// starting position.
    pub(super) fn play_text(&mut self, text: &str) -> anyhow::Result<String> {
        if text.starts_with('[') {
            let answer = self.begin_another(opening::game(text.as_bytes())?, true)?;
            // The game is not in any file.
            self.unsaved = true;
            return Ok(answer);
        }
        self.ensure_unfinished()?;
        let text = format!("[FEN \"{}\"]\n{text}", fen::format(self.history.position()));
        let entry = PdnReader::new(text.as_bytes()).next().context("the text has no moves")?;
        let before = self.history.moves().len();
        for mv in entry.game.moves() {
            if self.history.result().is_some() {
                break;
            }
            self.make(mv);
        }
        let played = words::moves(self.history.moves().len() - before);
        self.paused = false;
        Ok(match entry.error.as_ref() {
            None => format!("Played {played}."),
            Some(error) => format!("Played {played}; then {}", error.kind),
        })
    }

    fn ensure_unfinished(&self) -> anyhow::Result<()> {
        let message = "The game is over. \"new\" starts another one, \"undo\" takes back a move.";
        ensure!(self.history.result().is_none(), message);
        Ok(())
    }

    fn make(&mut self, mv: Move) {
        self.history.play(mv);
        self.unsaved = true;
        self.changed = true;
    }

    /// Makes the engine of the side to move play, or Kelso in place of a person.
    pub(super) fn engine_moves(&mut self) -> anyhow::Result<String> {
        let side = self.side();
        let before = *self.history.position();
        let is_person = self.player(side) == SidePlayer::Person;
        // In games between two engines, show the board after each move; in other games, only after the
        // engine's move.
        if !self.players.contains(&SidePlayer::Person) {
            self.show_board()?;
        }
        self.paused = !is_person;
        self.changed = true;
        let Some(EngineMove { mv, comment, interrupted }) = self.ask_kelso(side)? else {
            return Ok(String::new());
        };
        self.paused = interrupted && !is_person;
        self.make(mv);
        let whose = if is_person { format!(" for {side}") } else { String::new() };
        Ok(format!("Kelso plays {}{whose}{comment}", movetext::format(&before, mv)))
    }

    fn ask_kelso(&self, side: Color) -> io::Result<Option<EngineMove>> {
        let (answer, interrupted) =
            self.search(&self.opponent, &Limits::move_time(self.time), |_| "Kelso thinks: ".to_owned())?;
        let comment = match (answer.info().depth, answer.score) {
            (Some(depth), Some(score)) if !has_level(&self.opponent) => {
                format!(" ({}, depth {depth})", score.reported().describe(side))
            }
            (Some(depth), _) => format!(" (depth {depth})"),
            (None, _) => " (opening book)".to_owned(),
        };
        Ok(answer.best.map(|mv| EngineMove { mv, comment, interrupted }))
    }

    /// Searches, and shows progress in the status line after `title`, which is called with the time used.
    /// Also returns whether the search was interrupted.
    fn search(
        &self,
        engine: &Engine,
        limits: &Limits,
        title: impl Fn(Duration) -> String,
    ) -> io::Result<(SearchAnswer, bool)> {
        let mut last_shown = Instant::now();
        let answer = self.interrupt.run(|stop| {
            let control = Control::stopped_by(stop);
            engine.search(self.history.game(), limits, &control, &mut |event| {
                let SearchEvent::Line(report) = event else { return };
                if report.rank == 1 && last_shown.elapsed() >= REDRAW_INTERVAL {
                    last_shown = Instant::now();
                    let line = if has_level(engine) {
                        format!("depth {}", report.depth)
                    } else {
                        words::line(self.history.position(), &report)
                    };
                    // A closed terminal is reported when the next line is read.
                    let _ = self.screen.status(&format!("{}{line}", title(control.elapsed())));
                }
            })
        });
        self.screen.status("")?;
        Ok(answer)
    }

    pub(super) fn undo(&mut self, count: Option<usize>) -> anyhow::Result<String> {
        let (played, _) = self.history.undo_redo_counts();
        if self.history.ended.is_some() && count.is_none() {
            // Undo only the agreement or resignation, not the move before it.
            return Ok(self.go_to(played, "The game continues."));
        }
        ensure!(played > 0, "There are no moves to take back.");
        let count = count
            .or_else(|| (1..=played).find(|count| self.is_persons_turn_after(played - count)))
            .unwrap_or(1);
        ensure!(count <= played, "Only {} can be taken back.", words::moves(played));
        Ok(self.go_to(played - count, &format!("Took back {}.", words::moves(count))))
    }

    pub(super) fn redo(&mut self, count: Option<usize>) -> anyhow::Result<String> {
        let (played, ahead) = self.history.undo_redo_counts();
        ensure!(ahead > 0, "There are no moves to redo.");
        let count = count
            .or_else(|| (1..=ahead).find(|count| self.is_persons_turn_after(played + count)))
            .unwrap_or(ahead);
        ensure!(count <= ahead, "Only {} can be redone.", words::moves(ahead));
        Ok(self.go_to(played + count, &format!("Played {} again.", words::moves(count))))
    }

    fn go_to(&mut self, plies: usize, words: &str) -> String {
        self.history.go_to(plies);
        self.paused = !self.is_persons_turn();
        self.changed = true;
        words.to_owned()
    }

    pub(super) fn go(&mut self) -> anyhow::Result<String> {
        self.ensure_unfinished()?;
        self.paused = false;
        if self.is_persons_turn() { self.engine_moves() } else { Ok(String::new()) }
    }

    pub(super) fn hint(&mut self) -> anyhow::Result<String> {
        let root = *self.history.position();
        ensure!(root.can_move(), NO_MOVES);
        let limits = Limits::nodes(HINT_NODES);
        let (found, _) = self.search(&self.analyst, &limits, |_| "Searching: ".to_owned())?;
        let best = movetext::format(&root, found.best.context(NO_MOVES)?);
        let score = found.score.map(|score| format!(" ({})", score.reported().describe(root.side())));
        Ok(format!("Hint: {best}{}", score.unwrap_or_default()))
    }

    pub(super) fn evaluate(&self) -> String {
        let position = self.history.position();
        let side = position.side();
        let explanation = self.analyst.explain(position);
        let man = average_man(&explanation)
            .or_else(|| average_man(&self.analyst.explain(&Position::start())))
            .unwrap_or(100.0);
        #[expect(clippy::cast_possible_truncation, reason = "hundredths of a man")]
        let value = (f64::from(explanation.value) / man * 100.0).round() as i32;
        let mut lines = vec![format!(
            "Evaluation {}: {}; material alone: {}.",
            self.analyst.evaluation_id().name,
            ReportedScore::Cp(value).describe(side),
            ReportedScore::Cp(explanation.material).describe(side)
        )];
        if let Some(value) = self.analyst.probe(self.history.game()).known {
            lines.push(format!("Databases: {}.", words::known(value.wdl, value.plies, side)));
        }
        lines.push("Value of each piece on its square, in units of an average man:".to_owned());
        for color in Color::BOTH {
            let pieces = explanation.pieces.iter().filter(|valued| valued.piece.color == color);
            let list: Vec<String> = pieces
                .map(|valued| format!("{}\u{a0}{:.2}", valued.square, f64::from(valued.value) / man))
                .collect();
            lines.push(format!("  {}: {}", color.title(), list.join("  ")));
        }
        lines.join("\n")
    }

    pub(super) fn analyse(&mut self, time: Duration) -> anyhow::Result<String> {
        let root = *self.history.position();
        ensure!(root.can_move(), NO_MOVES);
        // Setting this option cannot fail.
        let _ = self.analyst.apply(Setting::MultiPv(ANALYSIS_LINES));
        let analysis = self.search(&self.analyst, &Limits::move_time(time), |used| {
            format!("{} s left, Ctrl-C stops: ", time.saturating_sub(used).as_secs())
        });
        let _ = self.analyst.apply(Setting::MultiPv(1));
        let (answer, _) = analysis?;
        let texts =
            answer.lines.iter().map(|report| format!("{}. {}\n", report.rank, words::line(&root, report)));
        Ok(texts.collect())
    }
}

/// Returns whether an engine plays at a level. If so, its scores are deliberately unreliable.
fn has_level(engine: &Engine) -> bool {
    engine.options().level.is_some()
}

/// Returns the average value of the men on the board, if it is positive.
fn average_man(explanation: &Explanation) -> Option<f64> {
    let mut sum = 0.0;
    let mut count = 0.0;
    for man in explanation.pieces.iter().filter(|valued| valued.piece.kind == PieceKind::Man) {
        sum += f64::from(man.value);
        count += 1.0;
    }
    Some(sum / count).filter(|average| *average > 0.0)
}

/// Converts squares with any separators to move notation.
pub(super) fn move_text(line: &str) -> String {
    let squares: Vec<&str> = line.split_whitespace().collect();
    if squares.iter().all(|square| square.bytes().all(|byte| byte.is_ascii_digit())) {
        squares.join(if squares.len() == 2 { "-" } else { "x" })
    } else {
        squares.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_move_may_have_spaces() {
        for (line, text) in [
            ("11-15", "11-15"),
            ("11  15", "11-15"),
            ("22 x 15", "22x15"),
            ("22 15 8", "22x15x8"),
            ("22 - 18", "22-18"),
        ] {
            assert_eq!(move_text(line), text, "{line}");
        }
    }
}
