//! Hints, evaluation and analysis of the position on the board.

use std::io;
use std::time::{Duration, Instant};

use super::moves::EngineMove;
use super::{Play, REDRAW_INTERVAL};
use crate::terminal::words;
use draughts::board::Color;
use draughts::notation::movetext;
use engine::Setting;
use engine::search::{Control, Event, Limits, Report, ScoreKind};

/// The nodes of a search for a hint.
const HINT_NODES: u64 = 1_000_000;
/// The lines of an analysis.
const LINES: usize = 3;

impl Play {
    pub(super) fn hint(&mut self) -> io::Result<()> {
        let root = *self.history.position();
        if !root.can_move() {
            return self.say("There are no legal moves.");
        }
        let EngineMove { best, report, .. } =
            self.search(&self.analyst, &Limits::nodes(HINT_NODES), "Searching: ")?;
        let Some(best) = best else { return self.say("There are no legal moves.") };
        let score = report.map(|report| format!(" ({})", report.score.kind().describe(root.side())));
        self.say(&format!("Hint: {}{}", movetext::format(&root, best), score.unwrap_or_default()))
    }

    pub(super) fn evaluate(&mut self) -> io::Result<()> {
        let position = *self.history.position();
        let side = position.side();
        let explanation = self.analyst.explain(&position);
        self.say(&format!(
            "Evaluation {}: {}; material alone: {}.",
            self.analyst.evaluation_name(),
            ScoreKind::Cp(explanation.value).describe(side),
            ScoreKind::Cp(explanation.material).describe(side)
        ))?;
        if let Some(ending) = self.analyst.probe(&position).ending {
            self.say(&format!("Databases: {}.", words::known(ending.result, ending.plies, side)))?;
        }
        self.say("Value of each piece on its square, in men:")?;
        for color in Color::BOTH {
            let own = explanation.pieces.iter().filter(|known| known.piece.color == color);
            let list: Vec<String> = own
                .map(|known| format!("{}\u{a0}{:.2}", known.square, f64::from(known.value) / 100.0))
                .collect();
            self.say(&format!("  {}: {}", color.title(), list.join("  ")))?;
        }
        Ok(())
    }

    pub(super) fn analyse(&mut self, time: Duration) -> io::Result<()> {
        let root = *self.history.position();
        if !root.can_move() {
            return self.say("There are no legal moves.");
        }
        // The option cannot fail.
        let _ = self.analyst.apply(Setting::MultiPv(LINES));
        let mut lines: Vec<Report> = Vec::new();
        let mut shown = Instant::now();
        let (screen, game, analyst) = (&self.screen, self.history.game(), &self.analyst);
        self.interrupt.run(|stop| {
            let control = Control::under(stop);
            analyst.search(game, &Limits::move_time(time), &control, &mut |event| {
                let Event::Line(report) = event else { return };
                if report.rank == 1 && shown.elapsed() >= REDRAW_INTERVAL {
                    shown = Instant::now();
                    let left = time.saturating_sub(control.elapsed()).as_secs();
                    // The next line reports a closed terminal.
                    let _ = screen.status(&format!("{left} s, Ctrl-C ends: {}", words::line(&root, &report)));
                }
                match lines.iter_mut().find(|line| line.rank == report.rank) {
                    Some(line) => *line = report,
                    None => lines.push(report),
                }
            })
        });
        let _ = self.analyst.apply(Setting::MultiPv(1));
        self.screen.clear_status()?;
        for report in &lines {
            self.say(&format!("{}. {}", report.rank, words::line(&root, report)))?;
        }
        Ok(())
    }
}
