//! Reviews of games: the verdicts of `kelso analyse`, as JSON for the page.

use kelso_engine::search::Limits;
use serde_json::{Value, json};

use kelso_analysis::analyser::{Analyser, AnalyserError};
use kelso_analysis::games::opening::Ballots;
use kelso_analysis::positions::PositionAnalysis;
use kelso_analysis::record::{GameAnalysis, MoveAnalysis};
use kelso_analysis::value::{PositionValue, points};
use kelso_draughts::notation::movetext;
use kelso_draughts::notation::pdn::PdnReader;
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;
use kelso_engine::{EmbeddedData, EngineSettings};
use kelso_runtime::stop::StopToken;

/// Number of nodes per position.
const MOVE_NODES: u64 = 50_000;
/// A score beyond this limit counts as this limit, in hundredths of a man. The page has the same limit.
const DECIDED_SCORE: i32 = 800;
/// A move that loses at least this much is a blunder, unless the game is decided before and after it.
const MIN_BLUNDER_LOSS: i32 = 100;
/// The glyph of a blunder.
const BLUNDER_GLYPH: u8 = 4;
/// Maximum number of moves of a better line.
const MAX_LINE_MOVES: usize = 12;

/// Reviews the first game of a PDN text, up to its first error. Returns one entry for each move. `on_position` is
/// called after each position; it returns `false` to stop the review.
pub fn review(
    text: &[u8],
    embedded: EmbeddedData,
    on_position: &mut dyn FnMut() -> bool,
) -> Result<Value, AnalyserError> {
    let Some(entry) = PdnReader::new(text).next() else { return Ok(json!([])) };
    let settings = EngineSettings { embedded, ..EngineSettings::default() };
    let stop = StopToken::default();
    let mut analyser = Analyser::new(None, &settings, Limits::nodes(MOVE_NODES), &stop, &|_| {})?;
    let mut done = || {
        if !on_position() {
            stop.stop();
        }
    };
    let (record, positions) =
        GameAnalysis::of(&entry, 1, String::new(), &Ballots::new(), &mut analyser, &mut done)?;
    let mut later = positions.last().and_then(|last| last.value().score);
    let mut moves = Vec::with_capacity(record.plies.len());
    for (ply, before) in record.plies.iter().zip(&positions).rev() {
        let played = PositionValue { score: later, known: None }.before().score;
        later = best(ply, before, played);
        moves.push(reviewed(ply, before, later, played));
    }
    moves.reverse();
    Ok(moves.into())
}

/// Returns the score of the position before a move, which is also the score after the move before it: that of the best
/// move, unless the played move is as good. Then it is that of the played move, which is known from later positions.
/// A move of a ballot says nothing about its position, although others were legal.
fn best(
    ply: &MoveAnalysis,
    before: &PositionAnalysis,
    played: Option<ReportedScore>,
) -> Option<ReportedScore> {
    if !ply.choice && before.choices > 1 {
        return before.value().score;
    }
    let best = before.comparison.as_ref().filter(|_| ply.choice).and_then(|comparison| comparison.best.score);
    if best.map(points) > played.map(points) { best } else { played }
}

/// Describes a move by the scores of the best and of the played move. A move without an alternative has no best score.
fn reviewed(
    ply: &MoveAnalysis,
    before: &PositionAnalysis,
    best: Option<ReportedScore>,
    played: Option<ReportedScore>,
) -> Value {
    let comparison = before.comparison.as_ref().filter(|_| ply.choice);
    let best_score = best.filter(|_| ply.choice);
    let loss = best.zip(played).map_or(0, |(best, played)| limited(best) - limited(played));
    let is_blunder =
        loss >= MIN_BLUNDER_LOSS && comparison.is_some_and(|values| !is_decided(values.best, values.played));
    // Later positions may have shown that a move was as good as any other.
    let mut verdicts = ply.verdicts.iter().filter(|verdict| loss > 0 || !verdict.kind.is_error());
    let glyph = verdicts.find_map(|verdict| verdict.kind.glyph());
    let glyph = if is_blunder { Some(BLUNDER_GLYPH) } else { glyph };
    let best = comparison.filter(|_| is_blunder || loss > 0 && ply.error().is_some()).map(|comparison| {
        let moves = comparison.line.iter().take(MAX_LINE_MOVES).copied().collect::<Vec<_>>();
        let line = movetext::format_line(&before.position, &moves);
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    });
    json!({
        "move": ply.text, "score": played.map(score), "glyph": glyph, "comment": ply.describe(), "best": best,
        "best_score": best_score.map(score),
    })
}

/// Returns whether a move leaves a won game won, or a lost game lost.
fn is_decided(best: PositionValue, played: PositionValue) -> bool {
    let result = |value: PositionValue| value.prospect().map(|(result, _)| result);
    result(best) == result(played) && matches!(result(best), Some(Wdl::Win | Wdl::Loss))
}

/// Returns a score in hundredths of a man, at most `DECIDED_SCORE` for either side.
fn limited(score: ReportedScore) -> i32 {
    match score {
        ReportedScore::Cp(cp) => cp.clamp(-DECIDED_SCORE, DECIDED_SCORE),
        ReportedScore::Win(_) => DECIDED_SCORE,
        ReportedScore::Loss(_) => -DECIDED_SCORE,
    }
}

/// Returns a score as the page stores it, for the side that made the move.
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

    #[test]
    fn mistakes_are_marked_and_explained() {
        let game = b"1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 *";
        let mut positions = 0;
        let review = review(game, EmbeddedData::default(), &mut || {
            positions += 1;
            true
        })
        .unwrap();
        assert_eq!(positions, 11);
        let moves = review.as_array().unwrap();
        assert_eq!(moves.len(), 10);
        assert_eq!(moves[0]["glyph"], Value::Null);
        assert!(moves[0]["score"]["kind"] == "cp" && moves[0]["best"].is_null());
        // Every move has both scores, except those of the ballot and forced captures.
        let both = |ply: &Value| ply["score"].is_object() && ply["best_score"].is_object();
        let free: Vec<_> = (0..10).filter(|&at| both(&moves[at])).collect();
        assert_eq!(free, [3, 4, 5, 6, 7]);
        // The score after a move is that of the best reply, so that the scores fall by what the moves lose.
        let cp = |score: &Value| score["value"].as_i64().unwrap();
        for &at in &free {
            assert_eq!(cp(&moves[at]["best_score"]), -cp(&moves[at - 1]["score"]), "move {at}");
            assert!(cp(&moves[at]["best_score"]) >= cp(&moves[at]["score"]), "move {at}");
        }
        // A man lost for nothing is a blunder.
        assert_eq!(moves[6]["glyph"], BLUNDER_GLYPH);
        let mistake = moves.iter().find(|ply| ply["glyph"].is_u64() && ply["best"].is_array()).unwrap();
        assert!(!mistake["comment"].as_str().unwrap().is_empty());
        assert_ne!(mistake["best"][0], mistake["move"]);
    }

    #[test]
    fn each_move_of_a_ballot_has_its_own_score() {
        let game = b"1. 9-13 24-20 2. 6-9 *";
        let review = review(game, EmbeddedData::default(), &mut || true).unwrap();
        let scores: Vec<_> = (0..3).map(|at| review[at]["score"]["value"].as_i64().unwrap()).collect();
        assert!(scores[0] < -25 && scores[2] > -25, "{scores:?}");
    }

    #[test]
    fn a_man_more_or_less_is_no_blunder_in_a_decided_game() {
        let value = |cp| PositionValue { score: Some(ReportedScore::Cp(cp)), known: None };
        for (best, played, decided) in
            [(787, 676, true), (-676, -985, true), (300, 150, false), (40, -80, false), (-150, -300, false)]
        {
            assert_eq!(is_decided(value(best), value(played)), decided, "{best} {played}");
        }
    }

    #[test]
    fn a_review_can_be_stopped() {
        let game = b"1. 11-15 22-18 2. 15x22 25x18 3. 12-16 29-25 4. 16-19 24x15 5. 10x19 23x16 *";
        let mut positions = 0;
        let stopped = review(game, EmbeddedData::default(), &mut || {
            positions += 1;
            false
        });
        assert!(matches!(stopped, Err(AnalyserError::Stopped)) && positions < 11, "{positions}");
    }
}
