//! The settings that all games of a match share, as stored in its checkpoint.

use serde::{Deserialize, Serialize};

use super::adjudication::Rules;
use super::schedule::{Format, Plan};
use kelso_reports::statistics::sprt::Sprt;

/// An engine, with the settings that affect results.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Contender {
    pub name: String,
    /// Limits and options.
    pub settings: String,
    /// Fingerprint: name, program and files.
    pub program: String,
}

/// The settings that all games of a match share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The name of the match.
    pub event: String,
    /// The place of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The date on which the match began, unless times are omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The engines, in order.
    pub engines: Vec<Contender>,
    /// The source of the openings.
    pub openings: String,
    #[serde(flatten)]
    pub plan: Plan,
    pub rules: Rules,
    /// The test that may end the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl MatchHeader {
    /// Returns the name of the engine that plays all others, in a gauntlet.
    pub fn opponent(&self) -> Option<&str> {
        let first = self.engines.first().filter(|_| self.plan.format == Format::Gauntlet)?;
        Some(&first.name)
    }

    pub fn names(&self) -> Vec<&str> {
        self.engines.iter().map(|engine| engine.name.as_str()).collect()
    }
}

impl Contender {
    pub fn named<'a>(engines: &'a [Self], name: &str) -> Option<&'a Self> {
        engines.iter().find(|engine| engine.name == name)
    }
}

#[cfg(test)]
pub(super) mod tests {

    use super::*;
    use crate::schedule::OpeningOrder;
    use kelso_batch::shard::Shard;

    pub(crate) fn header() -> MatchHeader {
        let engine = |name: &str| Contender {
            name: name.to_owned(),
            settings: "tc=60+0.5 option.Hash=64".to_owned(),
            program: format!("{name} 1.0, engine 00c0ffee"),
        };
        MatchHeader {
            event: "Test".to_owned(),
            site: None,
            date: None,
            engines: vec![engine("A"), engine("B")],
            openings: "three-move".to_owned(),
            plan: plan(3, 7),
            rules: Rules::default(),
            sprt: None,
        }
    }

    pub(crate) fn plan(rounds: u32, seed: u64) -> Plan {
        Plan { order: OpeningOrder::Random, format: Format::RoundRobin, rounds, seed, shard: Shard::WHOLE }
    }
}
