//! Hints, evaluation and analysis of the position on the board.

use std::time::Duration;

use anyhow::{Context, ensure};

use super::Play;
use crate::terminal::words;
use draughts::board::Color;
use draughts::notation::movetext;
use engine::Setting;
use engine::search::{Limits, ScoreKind};

const HINT_NODES: u64 = 1_000_000;
const LINES: usize = 3;
pub(super) const NO_MOVES: &str = "There are no legal moves.";

impl Play {
    pub(super) fn hint(&mut self) -> anyhow::Result<String> {
        let root = *self.history.position();
        ensure!(root.can_move(), NO_MOVES);
        let found = self.search(&self.analyst, &Limits::nodes(HINT_NODES), |_| "Searching: ".to_owned())?;
        let best = movetext::format(&root, found.best.context(NO_MOVES)?);
        let score = found.lines.first().map(|line| format!(" ({})", line.score.kind().describe(root.side())));
        Ok(format!("Hint: {best}{}", score.unwrap_or_default()))
    }

    pub(super) fn evaluate(&self) -> String {
        let position = self.history.position();
        let side = position.side();
        let explanation = self.analyst.explain(position);
        let mut lines = vec![format!(
            "Evaluation {}: {}; material alone: {}.",
            self.analyst.evaluation_name(),
            ScoreKind::Cp(explanation.value).describe(side),
            ScoreKind::Cp(explanation.material).describe(side)
        )];
        if let Some(ending) = self.analyst.probe(position).ending {
            lines.push(format!("Databases: {}.", words::known(ending.result, ending.plies, side)));
        }
        lines.push("Value of each piece on its square, in men:".to_owned());
        for color in Color::BOTH {
            let own = explanation.pieces.iter().filter(|known| known.piece.color == color);
            let list: Vec<String> = own
                .map(|known| format!("{}\u{a0}{:.2}", known.square, f64::from(known.value) / 100.0))
                .collect();
            lines.push(format!("  {}: {}", color.title(), list.join("  ")));
        }
        lines.join("\n")
    }

    pub(super) fn analyse(&mut self, time: Duration) -> anyhow::Result<String> {
        let root = *self.history.position();
        ensure!(root.can_move(), NO_MOVES);
        // The option cannot fail.
        let _ = self.analyst.apply(Setting::MultiPv(LINES));
        let title = |used| format!("{} s, Ctrl-C ends: ", time.saturating_sub(used).as_secs());
        let found = self.search(&self.analyst, &Limits::move_time(time), title);
        let _ = self.analyst.apply(Setting::MultiPv(1));
        let lines = found?.lines;
        let texts = lines.iter().map(|report| format!("{}. {}\n", report.rank, words::line(&root, report)));
        Ok(texts.collect())
    }
}
