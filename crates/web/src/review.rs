//! Reviews of games: the analysis of `kelso analyse` in its passes, as JSON for the page.

use serde_json::{Value, json};

use kelso_analysis::analyser::{Analyser, AnalyserError};
use kelso_analysis::passes::{Passes, Selection};
use kelso_analysis::record::{GameAnalysis, MoveAnalysis, PassProgress};
use kelso_draughts::notation::pdn::PdnReader;
use kelso_draughts::score::ReportedScore;
use kelso_engine::EngineSettings;
use kelso_runtime::stop::StopToken;

/// The usual share of the positions that a pass over changes searches.
const CHANGES: f64 = 0.25;

/// Reviews the first game of a PDN text, up to its first error. `after` is the number of nodes of an earlier
/// review of the game, if there was one; this one is deeper. `on_event` receives the progress and the result
/// of each pass; it returns `false` to stop the review.
pub fn review(
    text: &[u8],
    after: Option<u64>,
    settings: &EngineSettings,
    passes: Passes,
    on_event: &mut dyn FnMut(&Value) -> bool,
) -> Result<(), AnalyserError> {
    let Some(entry) = PdnReader::new(text).next() else { return Ok(()) };
    let stop = StopToken::default();
    let passes = match after {
        Some(nodes) => passes.beyond(nodes),
        None => passes,
    };
    let work = work(&passes);
    let mut analyser = Analyser::new(None, settings, passes, &stop, &|_| {})?;
    GameAnalysis::run(&entry.game, &mut analyser, &mut |progress| {
        if !on_event(&event(&progress, &work)) {
            stop.stop();
        }
    })?;
    Ok(())
}

/// Estimates how many nodes each pass searches for each position of the game.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn work(passes: &Passes) -> Vec<f64> {
    let deeper = passes.deeper.iter().map(|&(selection, nodes)| match selection {
        Selection::Open => nodes as f64,
        Selection::Changes => nodes as f64 * CHANGES,
    });
    passes.first.nodes.map(|nodes| nodes as f64).into_iter().chain(deeper).collect()
}

/// Describes the progress of a review, with the work of its passes.
fn event(progress: &PassProgress<'_>, work: &[f64]) -> Value {
    match progress {
        PassProgress::Position { pass, nodes, done, of } => {
            #[expect(clippy::cast_precision_loss, reason = "few positions")]
            let part = *done as f64 / *of as f64;
            let (before, from) = work.split_at(*pass);
            let share = (before.iter().sum::<f64>() + part * from[0]) / work.iter().sum::<f64>();
            json!({ "nodes": nodes, "pass": pass + 1, "share": share })
        }
        PassProgress::Pass { nodes, game, is_last } => {
            let moves: Vec<Value> = game.plies.iter().map(described).collect();
            json!({ "nodes": nodes, "moves": moves, "last": is_last })
        }
    }
}

/// Describes the analysis of a move, with its verdicts in words and as a glyph.
fn described(ply: &MoveAnalysis) -> Value {
    let mut value = json!(ply);
    value["words"] = json!(ply.describe());
    value["glyph"] = json!(ply.error().and_then(|verdict| verdict.kind.glyph()));
    value
}

/// Returns a score as the page stores it, for the side to move.
pub(super) fn score(score: ReportedScore) -> Value {
    let (kind, value) = match score {
        ReportedScore::Cp(cp) => ("cp", json!(cp)),
        ReportedScore::Win(plies) => ("win", json!(plies)),
        ReportedScore::Loss(plies) => ("loss", json!(plies)),
    };
    json!({ "kind": kind, "value": value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(game: &str) -> Vec<Value> {
        let mut passes = Vec::new();
        let result =
            review(game.as_bytes(), None, &EngineSettings::default(), Passes::in_browser(), &mut |event| {
                passes.extend(event["moves"].is_array().then(|| event.clone()));
                true
            });
        result.unwrap();
        passes
    }

    #[test]
    fn the_second_pass_settles_the_marks() {
        let passes = passes("1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 *");
        let nodes: Vec<_> = passes.iter().map(|pass| pass["nodes"].as_u64().unwrap()).collect();
        assert_eq!(nodes, [50_000, 250_000, 1_000_000]);
        for pass in &passes {
            let moves = pass["moves"].as_array().unwrap();
            assert_eq!(moves.len(), 10);
            assert_eq!(moves[0]["glyph"], Value::Null);
            assert!(moves[0]["score"].is_string() && moves[0]["accuracy"].is_null());
        }
        // A man lost for nothing.
        let mistake = &passes[2]["moves"][6];
        assert!(mistake["glyph"].is_u64() && mistake["accuracy"].as_f64().unwrap() < 60.0, "{mistake}");
        let words = mistake["words"].as_str().unwrap();
        assert!(words.starts_with("mistake: ") && words.ends_with(" is better"), "{mistake}");
        assert_ne!(mistake["best"], mistake["move"]);
    }

    #[test]
    fn each_move_of_a_ballot_has_its_own_score() {
        let passes = passes("1. 9-13 24-20 2. 6-9 *");
        let scores: Vec<i32> =
            (0..3).map(|at| passes[0]["moves"][at]["score"].as_str().unwrap().parse().unwrap()).collect();
        assert!(scores[0] < -25 && scores[2] > -25, "{scores:?}");
    }

    #[test]
    fn a_review_can_be_stopped() {
        let game = b"1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 *";
        let mut events = 0;
        let stopped = review(game, None, &EngineSettings::default(), Passes::native(), &mut |_| {
            events += 1;
            false
        });
        assert!(matches!(stopped, Err(AnalyserError::Stopped)) && events < 11, "{events}");
    }
}
