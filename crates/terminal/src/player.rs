//! The players: a person or Kelso.

use anyhow::bail;

use kelso_draughts::board::Color;
use kelso_syntax::Quoted;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SidePlayer {
    Person,
    Kelso,
}

impl SidePlayer {
    /// Parses a player: `person` or `kelso`.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        match text.to_ascii_lowercase().as_str() {
            "person" => Ok(Self::Person),
            "kelso" => Ok(Self::Kelso),
            _ => bail!("unknown player {}: expected person or kelso", Quoted(text)),
        }
    }

    /// Returns the name shown in games and messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Person => "Person",
            Self::Kelso => "Kelso",
        }
    }
}

/// Returns the names of both sides, Black's first.
pub(super) fn names(players: [SidePlayer; 2]) -> [&'static str; 2] {
    Color::BOTH.map(|color| players[color.index()].name())
}
