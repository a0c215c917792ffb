//! Ballots, the openings that tournaments draw by lot. All are compiled in, including ballots barred because
//! one side is lost.
//!
//! Between equal players, most games from the starting position are drawn, so tournaments use ballots: the
//! three-move deck, the older two-move deck, or the sharper eleven-man ballots, in which each side starts
//! with eleven men.

mod name;

pub use name::BallotName;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use crate::board::{Move, Position, Setup, Square};
use crate::notation::movetext;
use crate::record::GameRecord;

const TWO_MOVE: &str = include_str!("data/two_move.txt");
const THREE_MOVE: &str = include_str!("data/three_move.txt");
const ELEVEN_MAN: &str = include_str!("data/eleven_man.txt");

kelso_syntax::named! {
    /// Ballots of one kind, by the names on command lines and in the protocol.
    pub enum Deck {
        /// The first move of each side: 49 ballots, 47 of them in play.
        TwoMove: "two-move";
        /// Three moves from the start: 174 ballots, 157 of them in play.
        ThreeMove: "three-move";
        /// Each side starts with eleven men, and two moves are made: 2500 ballots, 2253 of them in play.
        ElevenMan: "eleven-man";
    }
}

/// A starting position drawn by lot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ballot {
    /// The deck that the ballot belongs to.
    pub deck: Deck,
    /// Number in the whole deck, counting barred ballots.
    pub number: u32,
    /// The position before the ballot's moves.
    pub start: Position,
    pub moves: Vec<Move>,
    /// The ballot is barred from tournaments because one side is lost.
    pub barred: bool,
}

/// The ballots of each deck.
static DECKS: LazyLock<[Vec<Ballot>; 3]> = LazyLock::new(|| Deck::ALL.map(Deck::read));

/// All ballots by the [key](Position::key) of the position after their moves.
static BY_END: LazyLock<HashMap<u64, Vec<&Ballot>>> = LazyLock::new(|| {
    let mut by_end: HashMap<u64, Vec<&Ballot>> = HashMap::new();
    for ballot in Ballot::all() {
        by_end.entry(ballot.end().key()).or_default().push(ballot);
    }
    by_end
});

impl Deck {
    /// Returns all ballots, including barred ballots, in numerical order.
    #[must_use]
    pub fn ballots(self) -> &'static [Ballot] {
        &DECKS[self as usize]
    }

    /// Returns the ballots that are not barred, in numerical order.
    pub fn in_play(self) -> impl Iterator<Item = &'static Ballot> {
        self.ballots().iter().filter(|ballot| !ballot.barred)
    }

    #[expect(clippy::expect_used, reason = "the text is compiled in, and the tests read it")]
    fn read(self) -> Vec<Ballot> {
        let data = match self {
            Self::TwoMove => TWO_MOVE,
            Self::ThreeMove => THREE_MOVE,
            Self::ElevenMan => ELEVEN_MAN,
        };
        let lines = data.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| self.ballot(line).expect("a line is a ballot")).collect()
    }

    fn ballot(self, line: &str) -> Option<Ballot> {
        let (line, barred) = line.strip_suffix(" barred").map_or((line, false), |line| (line, true));
        let words: Vec<&str> = line.split_whitespace().collect();
        let (number, start, texts) = match (self, words.as_slice()) {
            (Self::TwoMove | Self::ThreeMove, [number, texts @ ..]) => (number, Position::start(), texts),
            (Self::ElevenMan, [number, black, white, texts @ ..]) => {
                let mut setup = Setup::from(&Position::start());
                for square in [black, white] {
                    let square = square.parse().ok().and_then(Square::from_number)?;
                    setup.squares.get_mut(square.index())?.take()?;
                }
                (number, Position::try_from(setup).ok()?, texts)
            }
            _ => return None,
        };
        let moves = movetext::parse_moves(&start, texts).ok()?;
        Some(Ballot { deck: self, number: number.parse().ok()?, start, moves, barred })
    }
}

impl Ballot {
    /// Returns the ballots of all decks, including barred ones.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Deck::ALL.into_iter().flat_map(Deck::ballots)
    }

    /// Finds the ballot of a game by its moves, or by its starting position if that results from a ballot.
    /// Barred ballots and transpositions are also found.
    #[must_use]
    pub fn of_game(game: &GameRecord) -> Option<&'static Self> {
        let ending_at = |position: &Position| BY_END.get(&position.key()).into_iter().flatten().copied();
        let mut position = game.start;
        let mut latest = ending_at(&position).next();
        for (ply, mv) in game.moves().take(3).enumerate() {
            position = position.after(mv);
            let candidates = ending_at(&position)
                .filter(|ballot| ballot.start.key() == game.start.key() && ballot.moves.len() == ply + 1);
            let is_exact = |ballot: &&Self| ballot.moves.iter().copied().eq(game.moves().take(ply + 1));
            latest = candidates.clone().find(is_exact).or_else(|| candidates.clone().next()).or(latest);
        }
        latest
    }

    /// Returns a game that begins with the ballot, with its title as the `Opening` tag.
    pub fn record(&self) -> GameRecord {
        let mut record = GameRecord::of(self.start, self.moves.iter().copied());
        record.tags.set("Opening", &self.title());
        record
    }

    /// Returns the position after the ballot's moves.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.after(mv))
    }

    /// Returns the name of the ballot's opening, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        match self.deck {
            Deck::TwoMove | Deck::ThreeMove => opening_name(&movetext::format_line(&self.start, &self.moves)),
            Deck::ElevenMan => None,
        }
    }

    /// Returns the number and the name: `three-move 57, Cross`.
    #[must_use]
    pub fn title(&self) -> String {
        self.name().map_or_else(|| self.to_string(), |name| format!("{self}, {name}"))
    }
}

impl fmt::Display for Ballot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.deck.name(), self.number)
    }
}

/// Named openings. Every first move has a name; some continuations have another.
const NAMES: &[(&str, &str)] = &[
    ("9-13", "Edinburgh"),
    ("9-14", "Double Corner"),
    ("10-14", "Denny"),
    ("10-15", "Kelso"),
    ("11-15", "Old Faithful"),
    ("11-15 21-17", "Switcher"),
    ("11-15 22-17 15-19", "Dyke"),
    ("11-15 22-18", "Single Corner"),
    ("11-15 23-18", "Cross"),
    ("11-15 24-19", "Second Double Corner"),
    ("11-15 24-20", "Ayrshire Lassie"),
    ("11-16", "Bristol"),
    ("11-16 23-18", "Bristol Cross"),
    ("12-16", "Dundee"),
];

/// Returns the name of the longest opening that is a prefix of `moves`.
fn opening_name(moves: &str) -> Option<&'static str> {
    NAMES
        .iter()
        .filter(|(opening, _)| {
            moves.strip_prefix(opening).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
        .max_by_key(|(opening, _)| opening.len())
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Color, Game};

    #[test]
    fn every_ballot_can_be_played_and_is_there_once() {
        for (deck, count, plies, lines) in [
            (Deck::TwoMove, 47, 2, TWO_MOVE.lines().count()),
            (Deck::ThreeMove, 157, 3, THREE_MOVE.lines().count()),
            (Deck::ElevenMan, 2253, 2, ELEVEN_MAN.lines().count()),
        ] {
            let ballots: Vec<_> = deck.in_play().collect();
            let all = deck.ballots();
            assert_eq!((ballots.len(), all.len()), (count, lines - 1));
            assert!(all.iter().zip(1..).all(|(ballot, number)| ballot.number == number));
            let numbers: HashSet<_> = ballots.iter().map(|ballot| ballot.number).collect();
            assert_eq!(numbers.len(), count);
            for ballot in ballots {
                assert_eq!(ballot.moves.len(), plies);
                let mut game = Game::new(ballot.start);
                ballot.moves.iter().for_each(|&mv| game.play(mv));
                assert_eq!(game.end(), None);
            }
        }
    }

    #[test]
    fn sides_of_eleven_man_ballots_have_eleven_men() {
        for ballot in Deck::ElevenMan.in_play() {
            assert_eq!(ballot.start.men(Color::Black).len(), 11);
            assert_eq!(ballot.start.men(Color::White).len(), 11);
            assert_eq!(ballot.start.side(), Color::Black);
        }
    }

    #[test]
    fn two_move_ballots_are_the_first_moves_of_both_sides_and_those_that_three_move_ballots_go_on_from() {
        let start = Position::start();
        let moves = |position: Position| position.moves().into_iter();
        let pairs: HashSet<_> =
            moves(start).flat_map(|mv| moves(start.after(mv)).map(move |reply| vec![mv, reply])).collect();
        let all: HashSet<_> = Deck::TwoMove.ballots().iter().map(|ballot| ballot.moves.clone()).collect();
        assert_eq!(all, pairs);
        let begun: HashSet<_> = Deck::ThreeMove.ballots().iter().map(|ballot| &ballot.moves[..2]).collect();
        let in_play: HashSet<_> = Deck::TwoMove.in_play().map(|ballot| &ballot.moves[..]).collect();
        assert_eq!(in_play, begun);
    }

    #[test]
    fn every_two_and_three_move_ballot_has_a_name() {
        assert!(Deck::TwoMove.in_play().all(|ballot| ballot.name().is_some()));
        let names: HashSet<_> = Deck::ThreeMove.in_play().map(|ballot| ballot.name().unwrap()).collect();
        assert_eq!(names.len(), NAMES.len());
    }

    #[test]
    fn ballots_are_identified_by_their_moves() {
        for ballot in Ballot::all() {
            assert_eq!(Ballot::of_game(&ballot.record()), Some(ballot));
        }
        assert_eq!(Ballot::of_game(&GameRecord::new(Position::start())), None);
    }

    #[test]
    fn ballots_are_identified_by_the_start_position() {
        for ballot in Ballot::all() {
            let found = Ballot::of_game(&GameRecord::new(ballot.end())).unwrap();
            assert_eq!(found.end(), ballot.end());
            assert!(ballot.deck != Deck::ElevenMan || found == ballot);
        }
    }
}
