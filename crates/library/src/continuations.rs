//! The moves played from a position, with their results. They are found by reading all games or, for many
//! positions, by looking them up in an index.

use std::cmp::Reverse;

use serde::Serialize;

use crate::stored_game::{self, Visit};
use kelso_draughts::board::{Color, Move, MoveList, Position};
use kelso_draughts::notation::movetext;
use kelso_draughts::notation::pdn::PdnEntry;
use kelso_draughts::record::GameRecord;
use kelso_draughts::result::{GameResult, WdlCounts};

/// Results of games, some of them unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ResultCounts {
    /// The known results, from Black's point of view.
    #[serde(flatten, with = "WinsByColor")]
    pub known: WdlCounts,
    pub unknown: u64,
}

/// The names of Black's results in JSON.
#[derive(Serialize)]
#[serde(remote = "WdlCounts")]
pub struct WinsByColor {
    #[serde(rename = "black")]
    wins: u64,
    #[serde(rename = "drawn")]
    draws: u64,
    #[serde(rename = "white")]
    losses: u64,
}

impl ResultCounts {
    pub fn add(&mut self, result: Option<GameResult>) {
        match result {
            Some(result) => self.known.count(result.wdl(Color::Black)),
            None => self.unknown += 1,
        }
    }

    pub const fn games(&self) -> u64 {
        self.known.total() + self.unknown
    }

    /// Returns a side's points per game with a known result, from 0 to 1.
    pub fn score(&self, side: Color) -> Option<f64> {
        let results = if side == Color::Black { self.known } else { self.known.reversed() };
        (results.total() > 0).then(|| results.score())
    }
}

/// A move from a position, and the results of the games in which it was played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Continuation {
    /// The move, or `None` for games that ended there.
    #[serde(rename = "move")]
    pub text: Option<String>,
    pub games: u64,
    /// The results of these games.
    pub results: ResultCounts,
    /// Points per game for the side to move, from 0 to 1.
    pub score: Option<f64>,
}

/// A game with the position: the index of its continuation in the counts, and its result.
pub type CountedGame = (usize, Option<GameResult>);

/// A position, and the moves played from it in games.
#[derive(Clone, Debug)]
pub struct Continuations {
    position: Position,
    pub(crate) mirror: Option<Position>,
    moves: MoveList,
    /// The counts for each move, followed by the counts for games that ended there and for games that cannot
    /// be read up to the move.
    counts: Vec<ResultCounts>,
}

impl Continuations {
    /// Creates empty counts. With `mirror`, the position with colours exchanged also counts.
    pub fn new(position: Position, mirror: bool) -> Self {
        let moves = position.moves();
        let counts = vec![ResultCounts::default(); moves.len() + 2];
        let mirror = Some(position.flipped()).filter(|&flipped| mirror && flipped != position);
        Self { position, mirror, moves, counts }
    }

    /// Finds the first occurrence of the position in a game.
    pub fn visit(&self, entry: &PdnEntry) -> Option<CountedGame> {
        let game = &entry.game;
        let end = self.moves.len();
        let is_known = |ply| !entry.is_other_game() && (entry.is_complete() || ply < game.plies.len());
        let found = find_position(game, &self.position, self.mirror.as_ref());
        let Some((ply, mirrored)) = found.filter(|&(ply, _)| is_known(ply)) else {
            return (!entry.is_complete()).then_some((end + 1, None));
        };
        let next = game.plies.get(ply).and_then(|next| {
            self.moves.iter().position(|&mv| if mirrored { is_mirror(mv, next.mv) } else { mv == next.mv })
        });
        let result = if mirrored { game.result.map(flipped) } else { game.result };
        Some((next.unwrap_or(end), result))
    }

    /// Counts a game if it contains the position.
    pub fn add(&mut self, visit: Option<CountedGame>) {
        if let Some((next, result)) = visit
            && let Some(results) = self.counts.get_mut(next)
        {
            results.add(result);
        }
    }

    /// Counts games with the position, or with its mirror, each by the key of the position after its move.
    pub(crate) fn add_visits(
        &mut self,
        is_mirror: bool,
        visits: impl IntoIterator<Item = (i64, Option<GameResult>)>,
    ) {
        let after = self.moves.iter().map(|&mv| self.position.after(mv));
        let after = after.map(|after| if is_mirror { after.flipped() } else { after });
        let keys: Vec<i64> = after.map(|after| stored_game::next_key(&after)).collect();
        for (next, result) in visits {
            let next = keys.iter().position(|&key| key == next).unwrap_or(keys.len());
            self.add(Some((next, if is_mirror { result.map(flipped) } else { result })));
        }
    }

    /// Returns the number of games that cannot be read up to the move after the position. No other count
    /// includes them.
    pub fn unread(&self) -> u64 {
        self.counts.last().map_or(0, ResultCounts::games)
    }

    pub fn games(&self) -> u64 {
        self.counts.iter().map(ResultCounts::games).sum::<u64>() - self.unread()
    }

    /// Returns the moves played, most frequent first, followed by the games that ended there.
    pub fn list(&self) -> Vec<Continuation> {
        let texts = self.moves.iter().map(|&mv| Some(movetext::format(&self.position, mv))).chain([None]);
        let played = texts.zip(&self.counts).filter(|(_, results)| results.games() > 0);
        let entry = |(text, &results): (_, &ResultCounts)| {
            let score = results.score(self.position.side());
            Continuation { text, games: results.games(), results, score }
        };
        let mut list: Vec<_> = played.map(entry).collect();
        list.sort_by_key(|continuation| (continuation.text.is_none(), Reverse(continuation.games)));
        list
    }
}

/// Finds the first occurrence of a position or its mirror in a game. Returns the number of plies before it,
/// and whether it is the mirror.
pub fn find_position(
    game: &GameRecord,
    position: &Position,
    mirror: Option<&Position>,
) -> Option<(usize, bool)> {
    let reached = |now: &Position| now == position || mirror == Some(now);
    first_ply(game.start, game.moves(), reached).map(|(ply, now)| (ply, now != *position))
}

/// Returns the first position of a game that satisfies `fits`, with its ply.
pub fn first_ply(
    start: Position,
    moves: impl IntoIterator<Item = Move>,
    fits: impl Fn(&Position) -> bool,
) -> Option<(usize, Position)> {
    let mut now = start;
    let after = moves.into_iter().map(|mv| {
        now = now.after(mv);
        now
    });
    std::iter::once(start).chain(after).enumerate().find(|(_, position)| fits(position))
}

fn is_mirror(a: Move, b: Move) -> bool {
    a.from() == b.from().rotated() && a.to() == b.to().rotated() && a.captured() == b.captured().rotated()
}

fn flipped(result: GameResult) -> GameResult {
    result.winner().map_or(result, |winner| GameResult::won_by(!winner))
}

/// The positions of games in memory.
#[derive(Debug)]
pub struct PositionIndex {
    /// Sorted visits, with the indices of their games in `results`.
    visits: Vec<Visit<usize>>,
    results: Vec<Option<GameResult>>,
}

impl PositionIndex {
    pub fn new(games: impl Iterator<Item = GameRecord>) -> Self {
        let mut visits = Vec::new();
        let mut results = Vec::new();
        for (index, game) in games.enumerate() {
            results.push(game.result);
            visits.extend(stored_game::visits(&game).into_iter().map(|visit| visit.in_game(index)));
        }
        visits.sort_unstable();
        visits.shrink_to_fit();
        Self { visits, results }
    }

    /// Returns whether any game has a move.
    pub fn has_moves(&self) -> bool {
        self.visits.len() > self.results.len()
    }

    pub fn continuations(&self, position: &Position) -> Continuations {
        let key = stored_game::position_key(position);
        let first = self.visits.partition_point(|visit| visit.position < key);
        let here = self.visits.iter().skip(first).take_while(|visit| visit.position == key);
        let mut continuations = Continuations::new(*position, false);
        continuations
            .add_visits(false, here.filter_map(|visit| Some((visit.next, *self.results.get(visit.game)?))));
        continuations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::notation::fen;
    use kelso_draughts::notation::pdn::PdnReader;

    fn count(position: &str, mirror: bool, games: &str) -> Vec<(Option<String>, u64, Option<f64>)> {
        let mut tree = Continuations::new(fen::parse(position).unwrap(), mirror);
        for entry in PdnReader::new(games.as_bytes()) {
            tree.add(tree.visit(&entry));
        }
        tree.list().into_iter().map(|c| (c.text, c.games, c.score)).collect()
    }

    #[test]
    fn games_are_counted_by_their_next_move() {
        let games =
            "11-15 23-19 1-0\n11-15 22-18 0-1\n9-13 22-18 1-1\n11-15 *\n[FEN \"B:W21-32:B1-12\"] 0-1\n";
        let start = fen::format(&Position::start());
        let counts = count(&start, false, games);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            counts,
            [(text("11-15"), 3, Some(0.5)), (text("9-13"), 1, Some(0.5)), (None, 1, Some(0.0))]
        );
    }

    #[test]
    fn unreadable_games_are_not_counted() {
        let mut tree = Continuations::new(Position::start(), false);
        let games =
            "[GameType \"20\"] 1. 32-28 19-23 2-0\n[FEN \"X\"] 1-0\n11-15 99-1 1-0\n11-15 23-19 9-9 1-0";
        PdnReader::new(games.as_bytes()).for_each(|entry| tree.add(tree.visit(&entry)));
        assert_eq!((tree.games(), tree.unread()), (2, 2));
        let after = Position::start().after(movetext::parse(&Position::start(), "11-15").unwrap());
        let mut tree = Continuations::new(after, false);
        PdnReader::new(games.as_bytes()).for_each(|entry| tree.add(tree.visit(&entry)));
        assert_eq!((tree.games(), tree.unread()), (1, 3));
    }

    #[test]
    fn transpositions_and_mirrors_are_found() {
        let games = "[FEN \"B:W21-32:B1-12\"] 11-15 1-0\n[FEN \"W:W21-32:B1-12\"] 22-18 0-1\n";
        let start = fen::format(&Position::start());
        assert_eq!(count(&start, false, games).len(), 1);
        assert_eq!(count(&start, true, games), [(Some("11-15".to_owned()), 2, Some(1.0))]);
    }

    #[test]
    fn positions_are_counted_as_by_reading_all_games() {
        let text = "11-15 23-19 1-0\n11-15 22-18 0-1\n9-13 22-18 1-1\n9-13 22-18 11-15 18-14 *\n11-15 22-18 9-13 *\n";
        let games: Vec<_> = PdnReader::new(text.as_bytes()).collect();
        let index = PositionIndex::new(games.iter().map(|entry| entry.game.clone()));
        for entry in &games {
            let mut position = entry.game.start;
            for mv in entry.game.moves() {
                let mut expected = Continuations::new(position, false);
                for entry in &games {
                    expected.add(expected.visit(entry));
                }
                assert_eq!(index.continuations(&position).list(), expected.list());
                position = position.after(mv);
            }
        }
        assert_eq!(index.continuations(&Position::start()).games(), 5);
    }
}
