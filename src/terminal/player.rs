//! The players: a person, Kelso itself, or another engine as a child process.

use anyhow::bail;

use draughts::board::Color;
use players::client::EngineClient;
use players::game::{Player, PlayerError, SearchResult, Turn};
use players::spec::EngineSpec;
use text::syntax::Quoted;

#[derive(Debug)]
pub enum SidePlayer {
    Person,
    Kelso,
    External(Box<ExternalEngine>),
}

impl SidePlayer {
    /// Parses a player: `person`, `kelso`, or the name of one of the engines.
    pub fn parse(text: &str, engines: &[EngineSpec]) -> anyhow::Result<Self> {
        if let Some(spec) = engines.iter().find(|spec| spec.name == text) {
            return Ok(Self::External(Box::new(ExternalEngine { spec: spec.clone(), client: None })));
        }
        match text.to_ascii_lowercase().as_str() {
            "person" => Ok(Self::Person),
            "kelso" => Ok(Self::Kelso),
            _ => {
                let names: Vec<&str> = engines.iter().map(|spec| spec.name.as_str()).collect();
                let engines = if names.is_empty() {
                    "the name of an engine given with --engine"
                } else {
                    &names.join(" or ")
                };
                bail!("unknown player {}: expected person, kelso, or {engines}", Quoted(text))
            }
        }
    }

    /// Returns the name shown in games and messages.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Person => "Person",
            Self::Kelso => "Kelso",
            Self::External(engine) => &engine.spec.name,
        }
    }

    pub(super) const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }

    /// Quits another engine, so that the next game starts with a new one.
    pub(super) fn quit(&mut self) {
        if let Self::External(engine) = self {
            engine.client = None;
        }
    }
}

/// Another engine. It is started for its first move and restarted after an interrupt.
#[derive(Debug)]
pub struct ExternalEngine {
    spec: EngineSpec,
    client: Option<EngineClient>,
}

impl ExternalEngine {
    /// Searches within the limits of the engine's description and the clock, if there is one.
    pub(super) fn think(&mut self, turn: &Turn<'_>) -> Result<SearchResult, PlayerError> {
        // After an error, the engine is not used again: a late answer must not be mistaken for the answer to the next
        // search.
        let mut client = if let Some(client) = self.client.take() {
            client
        } else {
            let mut client = EngineClient::start(&self.spec, turn.stop, &|_| {})?;
            client.new_game(1, turn.stop, &|_| {})?;
            client
        };
        let found = client.choose_move(turn)?;
        self.client = Some(client);
        Ok(found)
    }
}

/// Returns the names of both sides, Black's first.
pub(super) fn names(players: &[SidePlayer; 2]) -> [&str; 2] {
    Color::BOTH.map(|color| players[color.index()].name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::spec::parse_engines;

    #[test]
    fn seats_are_found_by_name_and_others_are_refused() {
        let engines = parse_engines(&["name=Weak level=1 movetime=1".into()], &[], &"kelso".into()).unwrap();
        assert!(SidePlayer::parse("Person", &[]).unwrap().is_person());
        assert_eq!(SidePlayer::parse("kelso", &engines).unwrap().name(), "Kelso");
        assert_eq!(SidePlayer::parse("Weak", &engines).unwrap().name(), "Weak");
        let error = SidePlayer::parse("weak", &engines).unwrap_err().to_string();
        assert!(error.contains("\"weak\"") && error.contains("Weak"), "{error}");
        let error = SidePlayer::parse("\"x\u{1b}", &[]).unwrap_err().to_string();
        assert!(error.contains("\"\\\"x\\u{1b}\""), "{error}");
    }
}
