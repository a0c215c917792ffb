//! What all games of a match have in common, as it is kept with them.

use std::fmt;

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
    /// The version of the file: 1.
    pub kelso_match: u32,
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

    /// The engines whose games on disk were played by an unknown program.
    pub fn unknown_programs(&self) -> impl Iterator<Item = &str> {
        self.engines.iter().filter(|engine| engine.program.is_empty()).map(|engine| engine.name.as_str())
    }

    /// The first engine that is another program now, or has other files.
    #[must_use]
    pub fn other_program(&self, other: &Self) -> Option<String> {
        self.engines.iter().find_map(|engine| {
            let now = other.program(&engine.name);
            let known = !engine.program.is_empty() && !now.is_empty();
            (known && engine.program != now)
                .then(|| format!("{} was \"{}\" and is \"{now}\" now", engine.name, engine.program))
        })
    }

    /// The first thing in which games to come differ from those of this one, apart from their number: what has to agree if
    /// they are to be counted together.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let differ = |what: &str, a: &dyn fmt::Display, b: &dyn fmt::Display| {
            let (a, b) = (a.to_string(), b.to_string());
            (a != b).then(|| format!("{what} \"{a}\" on disk and \"{b}\" now"))
        };
        differ("rules", &self.rules, &other.rules)
            .or_else(|| differ("openings", &self.openings, &other.openings))
            .or_else(|| {
                self.engines.iter().find_map(|engine| {
                    let other = other.engines.iter().find(|other| other.name == engine.name)?;
                    differ(&format!("settings of {}", engine.name), &engine.settings, &other.settings)
                })
            })
    }

    /// The first thing in which a run can't go on with this one's games.
    #[must_use]
    pub fn obstacle(&self, other: &Self) -> Option<String> {
        let differ = |what: &str, a: &dyn fmt::Debug, b: &dyn fmt::Debug| {
            let (a, b) = (format!("{a:?}"), format!("{b:?}"));
            (a != b).then(|| format!("{what} {a} on disk and {b} now"))
        };
        let names =
            |header: &Self| header.engines.iter().map(|engine| engine.name.clone()).collect::<Vec<_>>();
        differ("engines", &names(self), &names(other))
            .or_else(|| self.difference(other))
            .or_else(|| differ("seed", &self.seed, &other.seed))
            .or_else(|| differ("shard", &self.shard.to_string(), &other.shard.to_string()))
            .or_else(|| differ("order of openings", &self.order, &other.order))
            .or_else(|| differ("format", &self.format, &other.format))
            .or_else(|| differ("test", &self.sprt, &other.sprt))
            .or_else(|| {
                (self.rounds > other.rounds)
                    .then(|| format!("{} rounds on disk and only {} now", self.rounds, other.rounds))
            })
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
            kelso_match: 1,
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
