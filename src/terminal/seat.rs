//! Who sits at the board: a person, Kelso itself, or another engine as a child process.

use std::fmt;

use common::stop::StopToken;
use draughts::board::{Color, Move, Position};
use players::client::{EngineClient, PlayerError, SearchResult};
use players::game::{Player, Turn};
use players::limits::Clock;
use players::spec::EngineSpec;
use players::state::GameState;

/// Whoever plays a side.
#[derive(Debug)]
pub(super) enum Seat {
    Person,
    Kelso,
    Other(Box<Other>),
}

impl Seat {
    /// A seat by the word for it: `person`, `kelso`, or the name of one of the engines.
    pub(super) fn parse(text: &str, engines: &[EngineSpec]) -> Result<Self, SeatError> {
        if let Some(spec) = engines.iter().find(|spec| spec.name == text) {
            return Ok(Self::Other(Box::new(Other { spec: spec.clone(), player: None })));
        }
        match text.to_ascii_lowercase().as_str() {
            "person" => Ok(Self::Person),
            "kelso" => Ok(Self::Kelso),
            _ => Err(SeatError {
                text: text.to_owned(),
                engines: engines.iter().map(|spec| spec.name.clone()).collect(),
            }),
        }
    }

    /// What games and messages call it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Person => "Person",
            Self::Kelso => "Kelso",
            Self::Other(other) => &other.spec.name,
        }
    }

    pub(super) const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }
}

/// Nobody is called that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatError {
    text: String,
    engines: Vec<String>,
}

impl fmt::Display for SeatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nobody is called \"{}\", expected person, kelso", self.text.escape_debug())?;
        match self.engines.as_slice() {
            [] => write!(f, ", or the name of an engine given by --engine"),
            names => write!(f, " or one of {}", names.join(", ")),
        }
    }
}

impl std::error::Error for SeatError {}

/// Another engine. It is started when it is first asked, and again after it was interrupted.
#[derive(Debug)]
pub(super) struct Other {
    spec: EngineSpec,
    player: Option<EngineClient>,
}

impl Other {
    /// Asks for a move, within the limits of its description and by the clock if there is one.
    pub(super) fn think(
        &mut self,
        start: Position,
        moves: &[Move],
        clocks: Option<[Clock; 2]>,
        stop: &StopToken,
    ) -> Result<SearchResult, PlayerError> {
        if self.player.is_none() {
            let mut player = EngineClient::start(&self.spec, stop, &|_| {})?;
            player.new_game(1, stop, &|_| {})?;
            self.player = Some(player);
        }
        let Some(player) = &mut self.player else { return Err(PlayerError::Stopped) };
        let mut told = GameState::new(start);
        for &mv in moves {
            told.play(mv);
        }
        let clocks = clocks.map_or([None; 2], |clocks| clocks.map(Some));
        let found = player.choose_move(&Turn { state: &told, clocks, stop });
        if found.is_err() {
            // Whatever it is still about to say belongs to no later question.
            self.player = None;
        }
        found
    }

    /// What it plays next belongs to another game.
    pub(super) fn forget(&mut self) {
        self.player = None;
    }
}

/// The names of both sides, Black's first.
pub(super) fn names(seats: &[Seat; 2]) -> [&str; 2] {
    Color::BOTH.map(|color| seats.get(color.index()).map_or("?", Seat::name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::spec::parse_engines;

    #[test]
    fn seats_are_found_by_name_and_others_are_refused() {
        let engines = parse_engines(&["name=Weak level=1 movetime=1".into()], &[], &"kelso".into()).unwrap();
        assert!(Seat::parse("Person", &[]).unwrap().is_person());
        assert_eq!(Seat::parse("kelso", &engines).unwrap().name(), "Kelso");
        assert_eq!(Seat::parse("Weak", &engines).unwrap().name(), "Weak");
        let error = Seat::parse("weak", &engines).unwrap_err().to_string();
        assert_eq!(error, "nobody is called \"weak\", expected person, kelso or one of Weak");
        let error = Seat::parse("\"x\u{1b}", &[]).unwrap_err().to_string();
        assert_eq!(
            error,
            "nobody is called \"\\\"x\\u{1b}\", expected person, kelso, or the name of an engine given by --engine"
        );
    }
}
