//! The settings of a match in its checkpoint.

use serde::{Deserialize, Serialize};

use super::adjudication::Rules;
use super::schedule::{Format, Order, Shard};
use common::statistics::Sprt;

/// An engine with the settings that results depend on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Its limits and options.
    pub settings: String,
    /// Its fingerprint: its name, its program and its files; empty in old files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
}

/// The settings that all games of a match share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The name of the match.
    pub event: String,
    /// The day of its start, unless times are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The engines in their order.
    pub engines: Vec<Contender>,
    /// The source of the openings.
    pub openings: String,
    /// Their order.
    pub order: Order,
    /// The format of the tournament.
    pub format: Format,
    /// Number of openings for each pairing.
    pub rounds: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The part of the schedule that is played.
    pub shard: Shard,
    /// The rules.
    pub rules: Rules,
    /// The test that may end the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl Contender {
    /// Returns the engine with a name; its settings and its program are empty if it is unknown.
    pub fn named(engines: &[Self], name: &str) -> Self {
        engines.iter().find(|engine| engine.name == name).cloned().unwrap_or_default()
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
