//! Conditions on games: tags, result, positions, material, moves and ballot. A game has to meet all of them.

use std::str::FromStr;

use super::continuations::first_ply;
use super::opening::Ballots;
use draughts::board::{Color, Move, Position, Square};
use draughts::notation::MoveText;
use draughts::notation::pdn::{Entry, PdnGame, Ply};
use draughts::referee::GameResult;
use engine::book::Deck;

/// An invalid condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {0}")]
pub struct QueryError(&'static str);

/// A tag and a part of its value, regardless of case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagPart {
    name: String,
    part: String,
}

impl FromStr for TagPart {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let error = || QueryError("NAME=PART, as in Event=cup");
        let (name, part) = text.split_once('=').ok_or_else(error)?;
        if name.trim().is_empty() { Err(error()) } else { Ok(Self::new(name.trim(), part)) }
    }
}

impl TagPart {
    /// Creates a condition on the tag of a name.
    pub fn new(name: &str, part: &str) -> Self {
        Self { name: name.to_owned(), part: part.to_lowercase() }
    }

    fn meets(&self, game: &PdnGame) -> bool {
        let mut tags = game.tags.iter();
        tags.any(|(name, value)| {
            name.eq_ignore_ascii_case(&self.name) && value.to_lowercase().contains(&self.part)
        })
    }
}

/// The number of pieces of each kind of both sides: `B3K1:W2K2`, where `K0` may be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Material {
    /// Men and kings, by colour.
    counts: [[u32; 2]; 2],
}

impl FromStr for Material {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let upper = text.to_uppercase();
        let mut sides: Vec<&str> = upper.split(':').map(str::trim).collect();
        // Black's letter comes first.
        sides.sort_unstable();
        let counts = match sides[..] {
            [black, white] => pieces(black, 'B').zip(pieces(white, 'W')),
            _ => None,
        };
        let (black, white) = counts.ok_or(QueryError("men and kings of both sides, as in B3K1:W2K2"))?;
        Ok(Self { counts: [black, white] })
    }
}

/// Parses the men and kings after a letter.
fn pieces(text: &str, letter: char) -> Option<[u32; 2]> {
    let numbers = text.strip_prefix(letter)?;
    let (men, kings) = numbers.split_once('K').unwrap_or((numbers, "0"));
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse().ok() };
    Some([number(men)?, number(kings)?])
}

impl Material {
    fn meets(&self, position: &Position, mirror: bool) -> bool {
        let now = Color::BOTH.map(|color| [position.men(color).len(), position.kings(color).len()]);
        let [black, white] = now;
        self.counts == now || mirror && self.counts == [white, black]
    }
}

/// Consecutive moves, given by their first and last squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence(Vec<(Square, Square)>);

impl FromStr for Sequence {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let error = || QueryError("moves with spaces or commas between them, as in \"11-15 23-18\"");
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        let moves: Vec<_> = words
            .map(|word| MoveText::parse(word).ok().and_then(|mv| mv.ends()).ok_or_else(error))
            .collect::<Result<_, _>>()?;
        if moves.is_empty() { Err(error()) } else { Ok(Self(moves)) }
    }
}

impl Sequence {
    fn first(&self, moves: &[Move], only_at_start: bool) -> Option<usize> {
        let ends: Vec<_> = moves.iter().map(|mv| (mv.from(), mv.to())).collect();
        let windows = ends.windows(self.0.len()).take(if only_at_start { 1 } else { usize::MAX });
        windows.enumerate().find(|(_, window)| **window == self.0[..]).map(|(ply, _)| ply)
    }
}

/// A ballot: `57` or `three-move 57`, `eleven-man 8`, or the name of an opening such as `Cross`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BallotName {
    /// A number of a deck.
    Number(Deck, u32),
    /// The name of an opening, in lower case.
    Name(String),
}

impl FromStr for BallotName {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let ballots = Ballots::new();
        let known = |name: &Self| ballots.iter().any(|ballot| name.is(ballot));
        let text = text.trim();
        let mut decks = Deck::ALL.into_iter();
        let numbered = decks.find_map(|deck| Some((deck, text.strip_prefix(deck.name())?.trim())));
        let (deck, number) = numbered.unwrap_or((Deck::ThreeMove, text));
        let name = number.parse().map_or_else(|_| Self::Name(text.to_lowercase()), |n| Self::Number(deck, n));
        if !text.is_empty() && known(&name) {
            Ok(name)
        } else {
            let expected = "a ballot, as in 57, three-move 57 or eleven-man 8, or the name of an opening";
            Err(QueryError(expected))
        }
    }
}

impl BallotName {
    /// Returns true if it names a ballot.
    pub fn is(&self, ballot: &engine::book::Ballot) -> bool {
        match self {
            Self::Number(deck, number) => (ballot.deck, ballot.number) == (*deck, *number),
            Self::Name(part) => ballot.name().is_some_and(|name| name.to_lowercase() == *part),
        }
    }
}

/// The conditions that games must meet.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Parts of tags.
    pub tags: Vec<TagPart>,
    /// Parts of the names of either player, in lower case.
    pub players: Vec<String>,
    /// The permitted results; all if empty.
    pub results: Vec<Option<GameResult>>,
    /// A position that is reached.
    pub position: Option<Position>,
    /// Material that is reached.
    pub material: Option<Material>,
    /// Set if positions and material with colours exchanged count as well.
    pub mirror: bool,
    /// Set if positions, material and moves in variations count as well.
    pub variations: bool,
    /// Consecutive moves anywhere in the game.
    pub moves: Option<Sequence>,
    /// The first moves.
    pub begins: Option<Sequence>,
    /// The permitted ballots; all if empty.
    pub ballots: Vec<BallotName>,
}

impl Query {
    /// Returns the ply before which a game meets all conditions: where the position, the material or the moves come first, and
    /// otherwise 0.
    pub fn meets(&self, entry: &Entry, known: &Ballots) -> Option<usize> {
        let game = &entry.game;
        let name = |tag| game.tags.get(tag).unwrap_or_default().to_lowercase();
        let plays = |part: &String| ["Black", "White"].into_iter().any(|tag| name(tag).contains(part));
        let ballot = |names: &[BallotName]| {
            names.is_empty() || known.of(game).is_some_and(|ballot| names.iter().any(|name| name.is(ballot)))
        };
        let cheap = self.tags.iter().all(|tag| tag.meets(game))
            && self.players.iter().all(plays)
            && (self.results.is_empty() || self.results.contains(&game.result))
            && ballot(&self.ballots);
        if !cheap {
            return None;
        }
        let line: Vec<Move> = game.moves().collect();
        let in_line = self.line(game.start, &line);
        if !self.variations || in_line.is_some() {
            return in_line;
        }
        let mut before = Vec::new();
        self.branches(game.start, &mut before, &game.plies)
    }

    /// Returns the ply before which moves meet the conditions on moves and on the board.
    fn line(&self, start: Position, moves: &[Move]) -> Option<usize> {
        if let Some(begins) = &self.begins {
            begins.first(moves, true)?;
        }
        let at = self.moves.as_ref().map_or(Some(0), |wanted| wanted.first(moves, false))?;
        let board =
            if self.position.is_some() || self.material.is_some() { self.reach(start, moves)? } else { 0 };
        Some(at.max(board))
    }

    /// The same in the variations of some plies, at any depth, each with the moves before it.
    fn branches(&self, start: Position, before: &mut Vec<Move>, plies: &[Ply]) -> Option<usize> {
        let branch = before.len();
        for ply in plies {
            for variation in &ply.variations {
                let length = before.len();
                before.extend(variation.plies.iter().map(|ply| ply.mv));
                let found = self.line(start, before);
                before.truncate(length);
                let found = found.or_else(|| self.branches(start, before, &variation.plies));
                before.truncate(length);
                if found.is_some() {
                    return found;
                }
            }
            before.push(ply.mv);
        }
        before.truncate(branch);
        None
    }

    /// Returns the first ply before which the board has the position and the material.
    fn reach(&self, start: Position, moves: &[Move]) -> Option<usize> {
        let mirror = self.position.filter(|_| self.mirror).map(|position| position.flipped());
        let fits = |now: &Position| {
            let position = self.position.is_none_or(|wanted| wanted == *now) || mirror == Some(*now);
            position && self.material.is_none_or(|material| material.meets(now, self.mirror))
        };
        first_ply(start, moves.iter().copied(), fits).map(|(ply, _)| ply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;
    use draughts::notation::pdn::Games;

    fn plies(query: &Query, text: &str) -> Option<usize> {
        let entry = Games::new(text.as_bytes()).next().unwrap();
        assert!(entry.complete, "{:?}", entry.faults);
        query.meets(&entry, &Ballots::new())
    }

    const GAME: &str = "[Event \"Harbour Cup\"]\n[Black \"Ann Lee\"]\n[White \"Bob\"]\n1. 11-15 23-18 2. 8-11 27-23 3. 11-16 18x11 1-0";

    #[test]
    fn games_meet_all_conditions_or_none() {
        let all = || Query::default();
        let reached = fen::parse("B:W18,21,22,24-32:B1-10,12,15").unwrap();
        for (query, found) in [
            (all(), Some(0)),
            (Query { tags: vec!["event=cup".parse().unwrap()], ..all() }, Some(0)),
            (Query { tags: vec!["Event=cups".parse().unwrap()], ..all() }, None),
            (Query { tags: vec!["Site=".parse().unwrap()], ..all() }, None),
            (Query { players: vec!["lee".into(), "bob".into()], ..all() }, Some(0)),
            (Query { players: vec!["carol".into()], ..all() }, None),
            (Query { results: vec![Some(GameResult::Draw), Some(GameResult::BlackWins)], ..all() }, Some(0)),
            (Query { results: vec![Some(GameResult::Draw)], ..all() }, None),
            (Query { position: Some(reached), ..all() }, Some(2)),
            (Query { position: Some(reached.flipped()), ..all() }, None),
            (Query { position: Some(reached.flipped()), mirror: true, ..all() }, Some(2)),
            (Query { material: Some("B11:W12".parse().unwrap()), ..all() }, Some(6)),
            (Query { material: Some("w11k0 : b12".parse().unwrap()), ..all() }, None),
            (Query { material: Some("w11k0 : b12".parse().unwrap()), mirror: true, ..all() }, Some(6)),
            (Query { moves: Some("8-11, 27-23".parse().unwrap()), ..all() }, Some(2)),
            (Query { begins: Some("8-11 27-23".parse().unwrap()), ..all() }, None),
            (Query { begins: Some("11-15 23-18".parse().unwrap()), ..all() }, Some(0)),
            (Query { ballots: vec!["cross".parse().unwrap()], ..all() }, Some(0)),
            (Query { ballots: vec!["eleven-man 1".parse().unwrap(), "1".parse().unwrap()], ..all() }, None),
        ] {
            assert_eq!(plies(&query, GAME), found, "{query:?}");
        }
    }

    #[test]
    fn variations_count_if_they_are_asked_for() {
        let text = "1. 11-15 (1. 9-13 22-18 (1... 23-19 2. 11-15 (2. 6-9))) 23-18 2. 8-11 *";
        let all = |variations| Query { variations, ..Query::default() };
        let moves =
            |moves: &str, variations| Query { moves: Some(moves.parse().unwrap()), ..all(variations) };
        for (wanted, found) in [
            ("9-13 22-18", Some(0)),
            ("23-19 11-15", Some(1)),
            ("9-13, 23-19, 6-9", Some(0)),
            ("22-18 11-15", None),
            ("23-18 8-11", Some(1)),
        ] {
            assert_eq!(plies(&moves(wanted, true), text), found, "{wanted}");
        }
        assert_eq!(plies(&moves("9-13 22-18", false), text), None);
        let begins = Query { begins: Some("9-13 23-19".parse().unwrap()), ..all(true) };
        assert_eq!(plies(&begins, text), Some(0));
        let reached = fen::parse("W:W21-32:B1-5,7-13").unwrap();
        assert_eq!(plies(&Query { position: Some(reached), ..all(true) }, text), None);
        let position = Position::start();
        let after = ["9-13", "23-19", "6-9"].iter().fold(position, |position, text| {
            position.after(draughts::notation::movetext::parse(&position, text).unwrap())
        });
        assert_eq!(plies(&Query { position: Some(after), ..all(true) }, text), Some(3));
        assert_eq!(plies(&Query { position: Some(after), ..all(false) }, text), None);
    }

    #[test]
    fn invalid_conditions_are_refused() {
        let tag = "cup".parse::<TagPart>().unwrap_err().to_string();
        assert_eq!(tag, "expected NAME=PART, as in Event=cup");
        for text in ["B3", "B3:B2", "3:2", "Bx:W1", "", "B3K1:W2K2:W1"] {
            assert!(text.parse::<Material>().is_err(), "{text}");
        }
        assert!("11-15 nonsense".parse::<Sequence>().is_err() && " ".parse::<Sequence>().is_err());
        for text in ["0", "175", "999", "eleven-man 2501", "no such", ""] {
            assert!(text.parse::<BallotName>().is_err(), "{text}");
        }
    }
}
