//! Analysis of every position of a game, from the last to the first. Each search finds the results of later
//! positions in the hash table, so later moves help to assess earlier ones.

use std::collections::VecDeque;

use super::analyser::{Analyser, AnalyserError, Assessment, SearchShare};
use super::passes::Selection;
use super::value::{PositionValue, VerdictSource, exact_result, only, points};
use kelso_draughts::board::{Game, Move, Position};
use kelso_draughts::record::GameRecord;
use kelso_draughts::result::Wdl;
use kelso_draughts::score::ReportedScore;
use kelso_endgames::Databases;

/// The analysis of one position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionAnalysis {
    pub position: Position,
    /// The database result for the side to move.
    pub known: Option<Wdl>,
    pub assessment: Assessment,
    pub choices: usize,
    /// The only move that keeps the result, and the source of this verdict.
    pub only_move: Option<(Move, VerdictSource)>,
    /// The comparison of the best move with the played move, if they differ.
    pub comparison: Option<Comparison>,
}

/// The best move of a position, compared with the played move. Both values are for the side that moved.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The best move and its continuation.
    pub line: Vec<Move>,
    /// The value of the best line.
    pub best: PositionValue,
    /// The value of the played move.
    pub played: PositionValue,
}

impl PositionAnalysis {
    /// The value of the position for the side to move.
    pub const fn value(&self) -> PositionValue {
        PositionValue { score: self.assessment.score, known: self.known }
    }

    pub fn best(&self) -> Option<Move> {
        self.assessment.line.first().copied()
    }

    /// Compares the best move with the played one. If that is forced or leads to a better value, the position
    /// has this value: a search of the next position sees a ply further.
    fn compare(&mut self, played: Move, next: &Self, databases: &Databases) {
        let later = next.assessment_before(played);
        let has_better = self.known.is_none() && later.score.map(points) > self.assessment.score.map(points);
        if self.choices == 1 {
            self.assessment = later;
        } else if has_better {
            self.assessment = Assessment { deep: self.assessment.deep || later.deep, ..later };
            self.only_move = self.only_move.filter(|(mv, _)| *mv == played);
        }
        let best = self.best().filter(|best| self.choices > 1 && *best != played);
        self.comparison = best.map(|best| {
            let known =
                self.known.or_else(|| exact_result(&self.position.after(best), databases).map(Wdl::reversed));
            let best = PositionValue { known, ..self.value() };
            Comparison { line: self.assessment.line.clone(), best, played: next.value().for_parent() }
        });
    }

    /// Returns the assessment of the position before this one, if the move that led to this one is the best.
    fn assessment_before(&self, mv: Move) -> Assessment {
        let before = self.assessment.after(mv);
        // The scores of drawn endings only say which are easier.
        let drawn = self.known.filter(|known| *known == Wdl::Draw).map(|_| ReportedScore::Cp(0));
        Assessment { score: drawn.or(before.score), ..before }
    }
}

impl Comparison {
    /// Returns the cost of the played move in expected points.
    pub fn cost(&self) -> f64 {
        let points = [self.best, self.played].map(|value| match value.score {
            // Scores are comparable only if they come from the same analyser.
            Some(score) if !self.is_certain() => Some(points(score)),
            _ => value.points(),
        });
        match points {
            [Some(best), Some(played)] => (best - played).max(0.0),
            _ => 0.0,
        }
    }

    /// Returns whether the played move loses at least a man, unless the game stays won or lost.
    pub(super) fn loses_men(&self) -> bool {
        let (Some(ReportedScore::Cp(best)), Some(ReportedScore::Cp(played))) =
            (self.best.score, self.played.score)
        else {
            return false;
        };
        let results = [self.best, self.played].map(|value| value.prospect().map(|(result, _)| result));
        best.saturating_sub(played) >= MIN_LOST_SCORE && results[0] != results[1]
    }

    const fn is_certain(&self) -> bool {
        self.best.known.is_some() && self.played.known.is_some()
    }

    fn is_suspect(&self) -> bool {
        self.cost() >= MIN_NOTICED_POINTS || self.loses_men()
    }
}

/// A loss that is noticed even if it costs fewer expected points, in hundredths of a man.
const MIN_LOST_SCORE: i32 = 100;
/// Deep searches check every move that seems to lose at least this many expected points.
pub(super) const MIN_NOTICED_POINTS: f64 = 0.1;

/// Analyses all positions of a game, including the last one, and returns them in the order of play.
/// `on_progress` receives the number of positions that have been analysed, and of all.
pub(super) fn analyse(
    record: &GameRecord,
    analyser: &mut Analyser<'_>,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<Vec<PositionAnalysis>, AnalyserError> {
    analyser.new_game()?;
    let moves: Vec<Move> = record.moves().collect();
    let mut found = VecDeque::with_capacity(moves.len() + 1);
    for ply in (0..=moves.len()).rev() {
        let next = moves.get(ply).copied().zip(found.front());
        let this = analyse_position(&record.game_after(ply), next, analyser)?;
        found.push_front(this);
        settle(record, &moves, ply + 1, found.make_contiguous(), analyser)?;
        on_progress(found.len(), moves.len() + 1);
    }
    Ok(found.into())
}

/// Number of plies before and after a position in which a change of the value matters.
const CHANGE_PLIES: usize = 2;
/// The maximum number of times that a position is searched again.
const MAX_SEARCHES: u8 = 2;

/// Searches some positions of an analysed game again, with the analyser's current limits, from the last to
/// the first. A result may show that other positions belong to the selection, until none is left.
/// `on_progress` receives the number of positions that have been searched, and of all that are selected.
pub(super) fn deepen(
    record: &GameRecord,
    positions: &mut [PositionAnalysis],
    selection: Selection,
    analyser: &mut Analyser<'_>,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Result<(), AnalyserError> {
    let moves: Vec<Move> = record.moves().collect();
    let mut searches = vec![0_u8; positions.len()];
    let mut done = 0;
    loop {
        let selected: Vec<usize> = (0..positions.len())
            .filter(|&ply| selection.wants(positions, &moves, ply, searches[ply]))
            .collect();
        on_progress(done, done + selected.len());
        let Some((&ply, due)) = selected.split_last() else { return Ok(()) };
        let share = if searches[ply] == 0 { SearchShare::Whole } else { SearchShare::Deep };
        let assessment = analyser.assess(&record.game_after(ply), Vec::new(), share)?;
        let this = &mut positions[ply];
        this.only_move = this.only_move.filter(|(mv, _)| assessment.line.first() == Some(mv));
        this.assessment = assessment;
        if let Some((mv, VerdictSource::Search)) = this.only_move
            && !are_others_worse(&record.game_after(ply), mv, this.value(), SearchShare::Others, analyser)?
        {
            this.only_move = None;
        }
        searches[ply] += 1;
        done += 1;
        // A position that is about to be searched is compared then.
        let first = due.last().map_or(0, |due| due + 1);
        settle(record, &moves, moves.len(), &mut positions[first..], analyser)?;
    }
}

impl Selection {
    /// Returns whether to search a position that has been searched a number of times.
    fn wants(self, positions: &[PositionAnalysis], moves: &[Move], ply: usize, searches: u8) -> bool {
        match searches {
            0 => self.contains(positions, ply),
            1..MAX_SEARCHES => is_inconsistent(positions, moves, ply),
            _ => false,
        }
    }

    fn contains(self, positions: &[PositionAnalysis], ply: usize) -> bool {
        let this = &positions[ply];
        if this.known.is_some() || this.choices < 2 {
            return false;
        }
        // For the side to move here.
        let mut points = Vec::new();
        let mut results = Vec::new();
        for other in &positions[ply.saturating_sub(CHANGE_PLIES)..positions.len().min(ply + CHANGE_PLIES + 1)]
        {
            let is_own = other.position.side() == this.position.side();
            let value = if is_own { other.value() } else { other.value().for_parent() };
            points.extend(value.points());
            results.push(value.prospect().map(|(result, _)| result));
        }
        points.sort_by(f64::total_cmp);
        results.dedup();
        match self {
            Self::Open => !matches!(results[..], [Some(Wdl::Win | Wdl::Loss)]),
            Self::Changes => {
                let range = points.last().zip(points.first()).map_or(0.0, |(most, least)| most - least);
                results.len() > 1 || range >= MIN_NOTICED_POINTS
            }
        }
    }
}

/// Returns whether the played move is the best one, although a later search has found that it is worse than
/// the position's value.
fn is_inconsistent(positions: &[PositionAnalysis], moves: &[Move], ply: usize) -> bool {
    let (Some(this), Some(next)) = (positions.get(ply), positions.get(ply + 1)) else { return false };
    let (Some(value), Some(played)) = (this.value().points(), next.value().for_parent().points()) else {
        return false;
    };
    this.best() == moves.get(ply).copied() && value - played >= MIN_NOTICED_POINTS
}

/// Compares the first `end` moves with the best ones, from the last to the first; if that searches a later
/// position deeper, those up to it again. `positions` are the last ones of the game.
fn settle(
    record: &GameRecord,
    moves: &[Move],
    end: usize,
    positions: &mut [PositionAnalysis],
    analyser: &mut Analyser<'_>,
) -> Result<(), AnalyserError> {
    let first = moves.len() + 1 - positions.len();
    let moves = &moves[first..];
    let mut end = moves.len().min(end - first);
    while let Some(at) = end.checked_sub(1) {
        let game = record.game_after(first + at);
        let searched = compare(game, &moves[at..], &mut positions[at..], analyser)?;
        end = searched.map_or(at, |later| moves.len().min(at + later + 1));
    }
    Ok(())
}

/// Analyses a position, given the played move and the next position, if there is one.
fn analyse_position(
    game: &Game,
    next: Option<(Move, &PositionAnalysis)>,
    analyser: &mut Analyser<'_>,
) -> Result<PositionAnalysis, AnalyserError> {
    let position = *game.position();
    let moves = position.moves();
    let mut this = PositionAnalysis {
        position,
        known: exact_result(&position, analyser.databases()),
        assessment: Assessment::default(),
        choices: moves.len(),
        only_move: None,
        comparison: None,
    };
    let Some((played, next)) = next else {
        this.assessment = analyser.assess(game, Vec::new(), SearchShare::Whole)?;
        return Ok(this);
    };
    if moves.len() == 1 {
        return Ok(this);
    }
    // A position in the databases needs no second search, and only Kelso can exclude moves.
    let is_searched_twice = this.known.is_none() && analyser.is_selective();
    let share = if is_searched_twice { SearchShare::Position } else { SearchShare::Whole };
    this.assessment = analyser.assess(game, Vec::new(), share)?;
    if this.known.is_some() {
        this.only_move = only(&position, analyser.databases()).map(|(_, mv)| (mv, VerdictSource::Database));
    } else if is_searched_twice {
        this.only_move = only_searched(game, played, &this, next, analyser)?;
    }
    Ok(this)
}

/// Returns the only move that keeps the result, according to searches. All other moves are searched together,
/// and again with the whole limit if none of them seems as good.
fn only_searched(
    game: &Game,
    played: Move,
    this: &PositionAnalysis,
    next: &PositionAnalysis,
    analyser: &mut Analyser<'_>,
) -> Result<Option<(Move, VerdictSource)>, AnalyserError> {
    let (Some(best), Some((prospect, _))) = (this.best(), this.value().prospect()) else { return Ok(None) };
    let is_as_good = played != best && !is_worse(next.value().for_parent(), prospect);
    if prospect == Wdl::Loss || is_as_good {
        return Ok(None);
    }
    for share in [SearchShare::Others, SearchShare::Whole] {
        if !are_others_worse(game, best, this.value(), share, analyser)? {
            return Ok(None);
        }
    }
    Ok(Some((best, VerdictSource::Search)))
}

fn is_worse(value: PositionValue, than: Wdl) -> bool {
    value.prospect().is_some_and(|(result, _)| result < than)
}

/// Returns whether a search finds a worse result for all moves but the best one, which has this value.
fn are_others_worse(
    game: &Game,
    best: Move,
    value: PositionValue,
    share: SearchShare,
    analyser: &mut Analyser<'_>,
) -> Result<bool, AnalyserError> {
    let Some((prospect, _)) = value.prospect() else { return Ok(false) };
    let others = game.position().moves().iter().copied().filter(|&mv| mv != best).collect();
    let assessment = analyser.assess(game, others, share)?;
    Ok(is_worse(PositionValue { score: assessment.score, known: None }, prospect))
}

/// Compares the first of the moves with the best move. If it seems worse and the databases do not know the
/// result, the positions after both are searched deeper; the one after the played move is the next position
/// with a choice. Returns its index if it has been searched: the comparisons are to be made again from there.
fn compare(
    mut game: Game,
    moves: &[Move],
    positions: &mut [PositionAnalysis],
    analyser: &mut Analyser<'_>,
) -> Result<Option<usize>, AnalyserError> {
    let later = (1..moves.len()).find(|&later| positions[later].choices > 1).unwrap_or(moves.len());
    let [this, next, ..] = positions else { return Ok(None) };
    this.compare(moves[0], next, analyser.databases());
    let Some(comparison) = this.comparison.as_ref().filter(|comparison| comparison.is_suspect()) else {
        return Ok(None);
    };
    let (best, is_certain) = (comparison.line[0], comparison.is_certain());
    // Search the later position first, to fill the table.
    if !is_certain && positions[later].known.is_none() && !positions[later].assessment.deep {
        moves[..later].iter().for_each(|&mv| game.play(mv));
        positions[later].assessment = analyser.assess(&game, Vec::new(), SearchShare::Deep)?;
        return Ok(Some(later));
    }
    let [this, next, ..] = positions else { return Ok(None) };
    if !is_certain && !this.assessment.deep {
        this.assessment = analyser.assess(&game.after(best), Vec::new(), SearchShare::Deep)?.after(best);
        this.compare(moves[0], next, analyser.databases());
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::Passes;
    use kelso_draughts::notation::pdn::PdnReader;
    use kelso_engine::EngineSettings;
    use kelso_engine::search::Limits;
    use kelso_runtime::stop::StopToken;

    /// A game between two of Kelso's levels.
    const GAME: &str = "1. 9-14 22-18 2. 10-15 18x9 3. 5x14 23-18 4. 14x23 26x10 5. 7x14 25-22 6. 11-15 22-17
        7. 6-10 27-23 8. 8-11 29-25 9. 11-16 24-19 10. 15x24 28x19 11. 4-8 25-22 12. 8-11 17-13 13. 3-7 22-18
        14. 1-5 18x9 15. 5x14 13-9 16. 11-15 9-6 17. 2x9 32-27 18. 15x24 27x2 19. 10-15 2-6 20. 9-13 6-9 *";

    #[test]
    fn no_position_is_worth_less_than_the_move_played_in_it() {
        let record = PdnReader::new(GAME.as_bytes()).next().unwrap().game;
        let (stop, on_status) = (StopToken::default(), |_: &str| {});
        let passes = Passes::single(Limits::nodes(500));
        let mut analyser =
            Analyser::new(None, &EngineSettings::default(), passes, &stop, &on_status).unwrap();
        let mut positions = analyse(&record, &mut analyser, &mut |_, _| {}).unwrap();
        for pass in 0..2 {
            for (ply, pair) in positions.windows(2).enumerate() {
                let [value, played] =
                    [pair[0].value(), pair[1].value().for_parent()].map(PositionValue::points);
                assert!(value >= played, "pass {pass}, ply {ply}: {value:?}, {played:?}");
                if let Some(comparison) = &pair[0].comparison {
                    assert_eq!(comparison.played, pair[1].value().for_parent(), "pass {pass}, ply {ply}");
                }
            }
            analyser.set_limits(Limits::nodes(2000));
            deepen(&record, &mut positions, Selection::Open, &mut analyser, &mut |_, _| {}).unwrap();
        }
    }
}
