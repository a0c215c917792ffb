//! A report as one self-contained page: the players, and every game on a board with a chart of its score.

use super::record::{GameAnalysis, MoveAnalysis};
use super::report;
use super::summary::Summary;
use common::count::counted;
use common::markup::escaped;
use common::page::{self, Game, Ply};
use draughts::board::{Color, Position};
use draughts::notation::{fen, movetext};

/// Returns a page with these games.
pub fn page(title: &str, judge: &str, limits: &str, summary: &Summary, games: &[Game]) -> String {
    let body = format!(
        "<p class=\"soft\">{}, analysed by {} with {} for a move</p>\n<h2>Players</h2>\n{}\n\
         <p class=\"soft\">Moves are those with a choice. A point lost is a game lost that was won.</p>\n",
        counted(summary.games(), "game"),
        escaped(judge),
        escaped(limits),
        report::players(&summary.players()).html()
    );
    page::page(title, &body, "decided by", games)
}

/// Returns a game for the page.
pub fn game(record: &GameAnalysis) -> Game {
    let start = fen::parse(&record.fen).unwrap_or_else(|_| Position::start());
    let mut position = start;
    let mut plies = Vec::with_capacity(record.plies.len());
    for ply in &record.plies {
        let Ok(mv) = movetext::parse(&position, &ply.text) else { break };
        let side = position.side();
        let best = ply.best.split(' ').next().unwrap_or_default();
        plies.push(Ply {
            mv,
            note: note(ply, side),
            score: ply.score.map(|score| score.charted(side, CERTAIN)),
            marked: ply.error().is_some(),
            best: movetext::parse(&position, best).ok().filter(|best| *best != mv),
        });
        position = position.after(mv);
    }
    let decided = record.decided.map(|index| {
        let said = record.plies.get(index).and_then(MoveAnalysis::error);
        let kind = said.map(|verdict| format!(", {}", verdict.kind)).unwrap_or_default();
        format!("{}{kind}", report::numbered(record, index))
    });
    Game {
        number: record.game,
        players: [record.black.clone(), record.white.clone()],
        result: record.result.clone(),
        ended: decided.unwrap_or_default(),
        opening: heading(record),
        start,
        plies,
    }
}

/// Returns the event, round, date and ballot of a game, as far as they are known.
fn heading(record: &GameAnalysis) -> String {
    let round = if record.round.is_empty() { String::new() } else { format!("round {}", record.round) };
    let parts = [record.event.clone(), round, record.date.clone(), record.opening.clone()];
    let known = parts.into_iter().filter(|part| part.chars().any(char::is_alphanumeric));
    known.collect::<Vec<_>>().join(", ")
}

/// Describes a move.
fn note(ply: &MoveAnalysis, side: Color) -> String {
    let score = ply.score.map(|score| score.describe(side));
    let depth = ply.depth.filter(|_| score.is_some()).map(|depth| format!("depth {depth}"));
    let numbers: Vec<String> = [score, depth].into_iter().flatten().collect();
    let verdicts = ply.verdicts.iter().map(|verdict| format!("{} ({})", verdict.kind, verdict.by.word()));
    let better = ply.error().map(|_| {
        let score = ply.best_score.map(|score| format!(" ({})", score.describe(side))).unwrap_or_default();
        format!("better {}{score}", ply.best)
    });
    let parts = [numbers.join(", ")].into_iter().chain(verdicts).chain(better);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The score at the edge of every chart, which stands for a known result.
const CERTAIN: i32 = 2_000;
