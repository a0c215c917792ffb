//! The moves played from a position and the results: by reading all games, or from an index for many positions.

use std::cmp::Reverse;

use serde::Serialize;

use draughts::board::{Color, Move, MoveList, Position};
use draughts::notation::movetext;
use draughts::notation::pdn::{Entry, PdnErrorKind, PdnGame};
use draughts::referee::GameResult;

/// Results of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Results {
    /// Won by Black.
    pub black: u64,
    /// Drawn.
    pub drawn: u64,
    /// Won by White.
    pub white: u64,
    /// Unknown.
    pub unknown: u64,
}

impl Results {
    /// Counts a game.
    pub const fn add(&mut self, result: Option<GameResult>) {
        *match result {
            Some(GameResult::BlackWins) => &mut self.black,
            Some(GameResult::WhiteWins) => &mut self.white,
            Some(GameResult::Draw) => &mut self.drawn,
            None => &mut self.unknown,
        } += 1;
    }

    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.black + self.drawn + self.white + self.unknown
    }

    /// Returns a side's points for each game with a known result, from 0 to 1.
    pub fn score(&self, side: Color) -> Option<f64> {
        let known = self.black + self.drawn + self.white;
        let won = if side == Color::Black { self.black } else { self.white };
        #[expect(clippy::cast_precision_loss, reason = "rounded for people")]
        (known > 0).then(|| (won as f64 + self.drawn as f64 / 2.0) / known as f64)
    }
}

/// A move from a position, and the games in which it was played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Continuation {
    /// The move; none for games that ended there.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// The number of games.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// The points of the side to move for each game, from 0 to 1.
    pub score: Option<f64>,
}

/// The relation of a game to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visit {
    /// It never has the position.
    Elsewhere,
    /// It cannot be read up to the position and the move after it.
    Unread,
    /// It has the position.
    Here {
        /// The index of the next move among the legal ones; none if the game ended there.
        reply: Option<usize>,
        /// Its result.
        result: Option<GameResult>,
    },
}

/// A position, and the moves played from it in games.
#[derive(Clone, Debug)]
pub struct Continuations {
    position: Position,
    mirror: Option<Position>,
    moves: MoveList,
    /// By move; games that ended there come last.
    counts: Vec<Results>,
    unread: u64,
}

impl Continuations {
    /// Creates an empty count. With `mirror`, the position with colours exchanged counts as the same.
    pub fn new(position: Position, mirror: bool) -> Self {
        let moves = position.moves();
        let counts = vec![Results::default(); moves.len() + 1];
        let mirror = Some(position.flipped()).filter(|&flipped| mirror && flipped != position);
        Self { position, mirror, moves, counts, unread: 0 }
    }

    /// Finds the first occurrence of the position in a game.
    pub fn visit(&self, entry: &Entry) -> Visit {
        let game = &entry.game;
        let other_game = entry.faults.iter().any(|fault| matches!(fault.kind, PdnErrorKind::GameType(_)));
        let found = find(game, &self.position, self.mirror.as_ref()).filter(|_| !other_game);
        let Some((ply, mirrored)) = found.filter(|&(ply, _)| entry.complete || ply < game.plies.len()) else {
            return if entry.complete { Visit::Elsewhere } else { Visit::Unread };
        };
        let reply = game.plies.get(ply).and_then(|next| {
            self.moves.iter().position(|&mv| if mirrored { is_mirror(mv, next.mv) } else { mv == next.mv })
        });
        let result = if mirrored { game.result.map(flipped) } else { game.result };
        Visit::Here { reply, result }
    }

    /// Counts a game.
    pub fn add(&mut self, visit: Visit) {
        match visit {
            Visit::Elsewhere => {}
            Visit::Unread => self.unread += 1,
            Visit::Here { reply, result } => {
                if let Some(results) = self.counts.get_mut(reply.unwrap_or(self.moves.len())) {
                    results.add(result);
                }
            }
        }
    }

    /// The number of games that cannot be read up to the position and the move after it. They are not counted otherwise.
    pub const fn unread(&self) -> u64 {
        self.unread
    }

    /// The number of all games.
    pub fn games(&self) -> u64 {
        self.counts.iter().map(Results::games).sum()
    }

    /// Returns the moves that were played, the most frequent first, and at the end the games that ended there.
    pub fn list(&self) -> Vec<Continuation> {
        let texts = self.moves.iter().map(|&mv| Some(movetext::format(&self.position, mv))).chain([None]);
        let mut list: Vec<_> = texts
            .zip(&self.counts)
            .filter(|(_, results)| results.games() > 0)
            .map(|(text, &results)| Continuation {
                text,
                games: results.games(),
                results,
                score: results.score(self.position.side()),
            })
            .collect();
        list.sort_by_key(|continuation| (continuation.text.is_none(), Reverse(continuation.games)));
        list
    }
}

/// Finds the first ply before which a game has a position or its mirror, and returns whether it is the mirror.
pub fn find(game: &PdnGame, position: &Position, mirror: Option<&Position>) -> Option<(usize, bool)> {
    let reached = |now: &Position| now == position || mirror == Some(now);
    first_ply(game.start, game.moves(), reached).map(|(ply, now)| (ply, now != *position))
}

/// Finds the first position of a game that `fits`, with its ply.
pub(super) fn first_ply(
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

/// The positions of games, and the moves that followed them.
#[derive(Debug)]
pub struct PositionIndex {
    /// Keys of positions, each with a game and the place of its move among the legal ones, sorted. The first time that a
    /// game has a position counts.
    visits: Vec<(u64, u32)>,
    results: Vec<Option<GameResult>>,
}

const PLACE_BITS: u32 = 7;
/// The place that stands for the end of a game.
const END: u32 = (1 << PLACE_BITS) - 1;

impl PositionIndex {
    /// Indexes games.
    pub fn new(games: impl Iterator<Item = PdnGame>) -> Self {
        let (mut visits, mut results) = (Vec::new(), Vec::new());
        for (number, game) in (0_u32..1 << (u32::BITS - PLACE_BITS)).zip(games) {
            results.push(game.result);
            let mut position = game.start;
            let mut add = |position: &Position, place: Option<usize>| {
                let place = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(END);
                visits.push((position.key(), number << PLACE_BITS | place));
            };
            for mv in game.moves() {
                add(&position, position.moves().iter().position(|&legal| legal == mv));
                position = position.after(mv);
            }
            add(&position, None);
        }
        visits.sort_by_key(|&(key, visit)| (key, visit >> PLACE_BITS));
        visits.dedup_by_key(|&mut (key, visit)| (key, visit >> PLACE_BITS));
        visits.shrink_to_fit();
        Self { visits, results }
    }

    /// Returns the numbers of the games that have a position, from 0, and the places of the moves that followed.
    pub fn visits(&self, position: &Position) -> impl Iterator<Item = (usize, Option<usize>)> {
        let key = position.key();
        let from = self.visits.partition_point(|&(known, _)| known < key);
        let here = self.visits.iter().skip(from).take_while(move |&&(known, _)| known == key);
        here.map(|&(_, visit)| {
            let place = (visit & END != END).then_some((visit & END) as usize);
            ((visit >> PLACE_BITS) as usize, place)
        })
    }

    /// Counts what followed a position.
    pub fn continuations(&self, position: &Position) -> Continuations {
        let mut continuations = Continuations::new(*position, false);
        for (game, reply) in self.visits(position) {
            let result = self.results.get(game).copied().flatten();
            continuations.add(Visit::Here { reply, result });
        }
        continuations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;
    use draughts::notation::pdn::Games;

    fn count(position: &str, mirror: bool, games: &str) -> Vec<(Option<String>, u64, Option<f64>)> {
        let mut tree = Continuations::new(fen::parse(position).unwrap(), mirror);
        for entry in Games::new(games.as_bytes()) {
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
    fn games_that_cannot_be_read_so_far_are_left_out() {
        let mut tree = Continuations::new(Position::start(), false);
        let games =
            "[GameType \"20\"] 1. 32-28 19-23 2-0\n[FEN \"X\"] 1-0\n11-15 99-1 1-0\n11-15 23-19 9-9 1-0";
        Games::new(games.as_bytes()).for_each(|entry| tree.add(tree.visit(&entry)));
        assert_eq!((tree.games(), tree.unread()), (2, 2));
        let after = Position::start().after(movetext::parse(&Position::start(), "11-15").unwrap());
        let mut tree = Continuations::new(after, false);
        Games::new(games.as_bytes()).for_each(|entry| tree.add(tree.visit(&entry)));
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
        let games: Vec<_> = Games::new(text.as_bytes()).collect();
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
        assert_eq!(index.visits(&Position::start()).count(), 5);
    }
}
