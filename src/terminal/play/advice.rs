//! What Kelso has to say of a position without playing: a hint, an evaluation, an analysis.

use std::io;
use std::time::{Duration, Instant};

use super::moving::EngineMove;
use super::{GLANCE, Play};
use crate::terminal::words;
use draughts::board::Color;
use draughts::notation::movetext;
use engine::Setting;
use engine::search::{Control, Event, Limits, Report, ScoreKind};

/// What a hint looks at.
const HINT_NODES: u64 = 1_000_000;
/// Lines of an analysis.
const LINES: usize = 3;

impl Play {
    pub(super) fn hint(&mut self) -> io::Result<()> {
        let root = *self.course.position();
        if !root.can_move() {
            return self.say("There is no move.");
        }
        let EngineMove { best, report, .. } =
            self.search(&self.adviser, &Limits::nodes(HINT_NODES), "Looking: ")?;
        let Some(best) = best else { return self.say("There is no move.") };
        let score = report.map(|report| format!(" ({})", report.score.kind().describe(root.side())));
        self.say(&format!("Hint: {}{}", movetext::format(&root, best), score.unwrap_or_default()))
    }

    pub(super) fn evaluate(&mut self) -> io::Result<()> {
        let position = *self.course.position();
        let side = position.side();
        let explanation = self.adviser.explain(&position);
        self.say(&format!(
            "Evaluation {}: {}; by the pieces alone: {}.",
            self.adviser.evaluation_name(),
            ScoreKind::Cp(explanation.value).describe(side),
            ScoreKind::Cp(explanation.material).describe(side)
        ))?;
        if let Some(ending) = self.adviser.probe(&position).ending {
            self.say(&format!("Databases: {}.", words::known(ending.result, ending.plies, side)))?;
        }
        self.say("What each piece is worth where it stands, in men:")?;
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
        let root = *self.course.position();
        if !root.can_move() {
            return self.say("There is no move.");
        }
        // The number of lines is a setting that can't be refused.
        let _ = self.adviser.apply(Setting::MultiPv(LINES));
        let mut lines: Vec<Report> = Vec::new();
        let mut shown = Instant::now();
        let (screen, game, adviser) = (&self.screen, self.course.game(), &self.adviser);
        self.stopper.during(|stop| {
            let control = Control::under(stop);
            adviser.search(game, &Limits::move_time(time), &control, &mut |event| {
                let Event::Line(report) = event else { return };
                if report.rank == 1 && shown.elapsed() >= GLANCE {
                    shown = Instant::now();
                    let left = time.saturating_sub(control.elapsed()).as_secs();
                    // A terminal that is gone is found out by the next line.
                    let _ = screen.think(&format!("{left} s, Ctrl-C ends: {}", words::line(&root, &report)));
                }
                match lines.iter_mut().find(|line| line.rank == report.rank) {
                    Some(line) => *line = report,
                    None => lines.push(report),
                }
            })
        });
        let _ = self.adviser.apply(Setting::MultiPv(1));
        self.screen.thought()?;
        for report in &lines {
            self.say(&format!("{}. {}", report.rank, words::line(&root, report)))?;
        }
        Ok(())
    }
}
