//! What all games of a match have in common, as it is kept with them.

use serde::{Deserialize, Serialize};

use super::adjudication::Rules;
use super::schedule::{Format, Order, Shard};
use common::statistics::Sprt;

/// An engine as far as results depend on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Its limits and options.
    pub settings: String,
    /// Its fingerprint: what it calls itself, its program and its files; empty in files that were begun before this was kept.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
}

/// What all games of a match have in common.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// What the match is called.
    pub event: String,
    /// The day on which it began, unless nothing measured is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The engines in their order.
    pub engines: Vec<Contender>,
    /// Where the openings are from.
    pub openings: String,
    /// How they follow each other.
    pub order: Order,
    /// Which engines meet.
    pub format: Format,
    /// Openings for each two.
    pub rounds: u32,
    /// What chance is made of.
    pub seed: u64,
    /// The part of the schedule that is played here.
    pub shard: Shard,
    /// The rules.
    pub rules: Rules,
    /// The test that may end the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl Header {
    /// An engine's limits and options.
    #[must_use]
    pub fn settings(&self, name: &str) -> &str {
        self.engines.iter().find(|engine| engine.name == name).map_or("", |engine| &engine.settings)
    }

    /// An engine's fingerprint; empty if it isn't known.
    #[must_use]
    pub fn program(&self, name: &str) -> &str {
        self.engines.iter().find(|engine| engine.name == name).map_or("", |engine| &engine.program)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn header() -> Header {
        let engine = |name: &str| Contender {
            name: name.to_owned(),
            settings: "tc=60+0.5 option.Hash=64".to_owned(),
            program: format!("{name} 1.0, engine 00c0ffee"),
        };
        Header {
            event: "Test".to_owned(),
            date: None,
            engines: vec![engine("A"), engine("B")],
            openings: "three-move".to_owned(),
            order: Order::Random,
            format: Format::RoundRobin,
            rounds: 3,
            seed: 7,
            shard: Shard::WHOLE,
            rules: Rules::default(),
            sprt: None,
        }
    }
}
