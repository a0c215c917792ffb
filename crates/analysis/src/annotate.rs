//! Analysed games as PDN: scores and verdicts in comments, glyphs, and better lines as variations. The game's
//! own comments and variations are kept.

use super::record::{GameAnalysis, MoveAnalysis, joined};
use kelso_draughts::board::Position;
use kelso_draughts::notation::movetext;
use kelso_draughts::notation::pdn::PdnError;
use kelso_draughts::record::{Ply, SearchInfo, Variation};

/// Annotates analysed games.
#[derive(Clone, Copy, Debug)]
pub struct Annotator<'a> {
    /// The analysing engine.
    pub engine: &'a str,
    /// The limits for each move.
    pub limits: &'a str,
    /// Omits scores without a verdict.
    pub brief: bool,
}

impl Annotator<'_> {
    /// Annotates a game, of which `fault` prevented reading the rest.
    pub fn annotate(&self, analysis: &mut GameAnalysis, fault: Option<&PdnError>) {
        let game = &mut analysis.record;
        game.tags.set("Annotator", self.engine);
        game.tags.set("Analysis", self.limits);
        let mut position = game.start;
        for (ply, found) in game.plies.iter_mut().zip(&analysis.plies) {
            annotate_ply(ply, found, &position, self.brief);
            position = position.after(ply.mv);
        }
        if let Some(fault) = fault {
            let last = game.plies.last_mut().map_or(&mut game.comment, |ply| &mut ply.comment);
            add(last, &format!("the rest could not be read: {}", fault.kind).replace('}', ")"));
        }
    }
}

fn annotate_ply(ply: &mut Ply, found: &MoveAnalysis, position: &Position, brief: bool) {
    let text = if brief && found.verdicts.is_empty() { String::new() } else { comment(found) };
    add(&mut ply.comment, &text);
    // The glyph of an error replaces any other glyph for the quality of the move.
    let glyph = found.verdicts.iter().find_map(|verdict| verdict.kind.glyph());
    if let Some(glyph) = glyph {
        ply.glyphs.retain(|&old| !(1..=9).contains(&old));
        ply.glyphs.push(glyph);
    }
    if found.error().is_some() && !found.best.is_empty() {
        let mut plies = line(position, &found.best);
        let is_new = !ply
            .variations
            .iter()
            .any(|variation| variation.plies.iter().map(|ply| ply.mv).eq(plies.iter().map(|ply| ply.mv)));
        if let Some(first) = plies.first_mut().filter(|first| first.mv != ply.mv && is_new) {
            first.search.score = found.best_score;
            ply.variations.push(Variation { comment: String::new(), plies });
        }
    }
}

fn add(comment: &mut String, text: &str) {
    if !comment.is_empty() && !text.is_empty() {
        comment.push_str("; ");
    }
    comment.push_str(text);
}

/// Formats the comment on a move: `score=-12 depth=21; blunder: this loses, 9-14 draws`.
pub(super) fn comment(found: &MoveAnalysis) -> String {
    let MoveAnalysis { score, depth, wdl: win_rates, .. } = *found;
    let search = SearchInfo { score, depth, win_rates, ..SearchInfo::default() };
    let search = if score.is_some() { search } else { SearchInfo::default() };
    joined([search.to_string(), found.describe()], "; ")
}

/// Returns the legal prefix of a line.
pub(super) fn line(position: &Position, text: &str) -> Vec<Ply> {
    let mut position = *position;
    let plies = text.split_whitespace().map_while(|word| {
        let mv = movetext::parse(&position, word).ok()?;
        position = position.after(mv);
        Some(Ply::new(mv))
    });
    plies.collect()
}
