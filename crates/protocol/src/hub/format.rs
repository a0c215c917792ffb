//! The lines of the Hub protocol. Pure: an output in, lines out.
//!
//! Some clients take an `id`, `param` or `info` line apart at its spaces and each piece at its `=`, so there each piece has
//! one, and no value has any.

use std::time::Duration;

use super::parameters;
use crate::{CommandError, Output};
use draughts::board::{Move, Position};
use draughts::notation::hubmove;
use engine::search::{Answer, Event, Report, Score, ScoreKind};

pub(super) fn format(output: &Output) -> String {
    match output {
        Output::Identity => identity(),
        Output::Ready => "ready\n".into(),
        Output::Pong => "pong\n".into(),
        Output::Error(CommandError::NotPondering) => {
            error("\"ponder-hit\" without a search begun by \"go ponder\"")
        }
        Output::Error(reason) => error(&reason.to_string()),
        Output::Search(_, Event::Line(report)) => info(report),
        Output::Answer(root, answer) => done(root, answer),
        // The Hub protocol has no words for these, and no command that leads to them but a search's progress.
        Output::Search(_, Event::Trying { .. } | Event::Book(_))
        | Output::Moves(_)
        | Output::Paths(_)
        | Output::Probe(_)
        | Output::Offer(_)
        | Output::Ballots(..)
        | Output::Show(_)
        | Output::Evaluation(..)
        | Output::PerftBranch(_)
        | Output::PerftTotal(..)
        | Output::BenchLine(_)
        | Output::BenchTotal(..)
        | Output::Help => String::new(),
    }
}

fn identity() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let parameters = parameters::declarations();
    format!("id name=Kelso version={version} author=\"the Kelso developers\"\n{parameters}wait\n")
}

/// A value in quotes can't hold any.
fn error(message: &str) -> String {
    format!("error message=\"{}\"\n", message.replace('"', "'"))
}

fn info(report: &Report) -> String {
    let Report { depth, score, nodes, time, ref line, .. } = *report;
    let seconds = time.as_secs_f64();
    let database = match score.kind() {
        ScoreKind::Win(None) => " database=win",
        ScoreKind::Loss(None) => " database=loss",
        _ => "",
    };
    let line = if line.is_empty() { String::new() } else { format!(" pv=\"{}\"", moves(line)) };
    format!(
        "info depth={depth} score={:.2}{database} nodes={nodes} time={seconds:.3} nps={:.3}{line}\n",
        men(score),
        millions_per_second(nodes, time)
    )
}

/// A score in men. A proved result lies beyond 90, which nothing else does: 100 less a hundredth for each ply to it.
fn men(score: Score) -> f64 {
    let proved = |plies: u32| 100.0 - f64::from(plies.min(999)) / 100.0;
    match score.kind() {
        ScoreKind::Win(Some(plies)) => proved(plies),
        ScoreKind::Loss(Some(plies)) => -proved(plies),
        _ => f64::from(score.value().clamp(-8999, 8999)) / 100.0,
    }
}

fn millions_per_second(nodes: u64, time: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
    let nodes = nodes as f64;
    nodes / time.as_secs_f64().max(1e-6) / 1e6
}

fn moves(line: &[Move]) -> String {
    line.iter().map(|&mv| hubmove::format(mv)).collect::<Vec<_>>().join(" ")
}

fn done(root: &Position, answer: &Answer) -> String {
    let Some(best) = answer.best else {
        return format!("{}done\n", error(&format!("no move: {} has lost", root.side())));
    };
    let ponder = answer.ponder.map(|mv| format!(" ponder={}", hubmove::format(mv))).unwrap_or_default();
    format!("done move={}{ponder}\n", hubmove::format(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_men_and_proved_results_beyond_ninety() {
        for (score, text) in [
            (Score::evaluation(7), "0.07"),
            (Score::evaluation(-150), "-1.50"),
            (Score::evaluation(14_999), "89.99"),
            (Score::win_in(1), "99.99"),
            (Score::win_in(999), "90.01"),
            (Score::loss_in(0), "-100.00"),
            (Score::loss_in(20), "-99.80"),
        ] {
            assert_eq!(format!("{:.2}", men(score)), text);
        }
    }

    #[test]
    fn every_piece_of_a_declaration_has_one_equals_sign() {
        for line in identity().lines().filter(|line| *line != "wait") {
            let mut quoted = false;
            let pieces = line.split(|c| {
                quoted ^= c == '"';
                c == ' ' && !quoted
            });
            for piece in pieces.skip(1) {
                assert_eq!(piece.matches('=').count(), 1, "{line}");
            }
        }
    }

    #[test]
    fn a_message_stays_in_its_quotes() {
        assert_eq!(error("bad \"x\""), "error message=\"bad 'x'\"\n");
    }
}
