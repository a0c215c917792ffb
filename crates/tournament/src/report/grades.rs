//! Grades of the engines of a match, such as the agents of a class.

use std::str::FromStr;
use std::time::Duration;

use super::{EngineResult, MatchReport};
use kelso_reports::table::Table;
use kelso_syntax::WordError;
use kelso_text::keyvalue::KeyValues;
use kelso_text::time::{self, Bare, IN_SECONDS};

/// What an engine must reach to pass. Requirements that are not named are met.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Requirements {
    /// The least share of points.
    pub score: Option<f64>,
    /// The most games lost by a fault, such as an illegal move.
    pub faults: Option<u64>,
    /// The longest time of a move.
    pub time: Option<Duration>,
}

const WORDS: &str = "score=0.95, faults=0 or time=3s, joined by commas";

impl FromStr for Requirements {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let mut pairs = KeyValues::split(text, WORDS)?;
        let score = pairs.take_read("score", "a number from 0 to 1", |text| {
            text.parse().ok().filter(|score| (0.0..=1.0).contains(score))
        })?;
        let faults = pairs.take_read("faults", "a whole number", |text| text.parse().ok())?;
        let time = pairs.take_read("time", IN_SECONDS, |text| time::parse(text, Bare::Seconds))?;
        pairs.finish(WORDS)?;
        Ok(Self { score, faults, time })
    }
}

impl Requirements {
    /// Returns the names of the requirements that an engine fails. An engine without games fails all.
    fn failed(&self, engine: &EngineResult) -> Vec<&'static str> {
        let mut failed = Vec::new();
        if self.score.is_some_and(|least| engine.wdl.total() == 0 || engine.wdl.score() < least) {
            failed.push("score");
        }
        if self.faults.is_some_and(|most| engine.fault_count() > most) {
            failed.push("faults");
        }
        let longest = engine.moves.longest.unwrap_or_default();
        if self.time.is_some_and(|most| longest > most.as_secs_f64()) {
            failed.push("time");
        }
        failed
    }
}

impl EngineResult {
    /// Returns the number of games lost by a fault.
    fn fault_count(&self) -> u64 {
        self.faults.values().sum()
    }
}

impl MatchReport {
    /// Creates the table of grades, from the best engine to the worst. The opponents of gauntlets are not
    /// graded.
    pub fn grades(&self, requirements: &Requirements) -> Table {
        let graded: Vec<(&EngineResult, Vec<&str>)> = self
            .engines
            .iter()
            .filter(|engine| !self.conditions.opponents.contains(&engine.name))
            .map(|engine| (engine, requirements.failed(engine)))
            .collect();
        Table::of(&graded)
            .words("engine", |(engine, _)| &engine.name)
            .number("games", |(engine, _)| engine.wdl.total())
            .number("won", |(engine, _)| engine.wdl.wins)
            .number("drawn", |(engine, _)| engine.wdl.draws)
            .number("lost", |(engine, _)| engine.wdl.losses)
            .number("score", |(engine, _)| {
                format!("{:.4}", if engine.wdl.total() == 0 { 0.0 } else { engine.wdl.score() })
            })
            .number("faults", |(engine, _)| engine.fault_count())
            .optional("longest move in seconds", |(engine, _)| {
                engine.moves.longest.map(|seconds| format!("{seconds:.3}"))
            })
            .words("result", |(_, failed)| if failed.is_empty() { "pass" } else { "fail" })
            .words("failed", |(_, failed)| failed.join(" "))
            .build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::MatchHeader;
    use crate::header::tests::header;
    use crate::match_game::MatchGame;
    use crate::match_game::tests::record;
    use crate::schedule::Format;
    use crate::tally::Tally;

    #[test]
    fn the_opponent_of_a_gauntlet_is_not_graded() {
        let mut header = header();
        let mut tally = Tally::new(["A", "B"]);
        tally.add_named(&MatchGame { ..record() }, None);
        let csv = |header: &MatchHeader| {
            let report = MatchReport::new(header.into(), &tally);
            report.grades(&Requirements { score: Some(0.5), ..Requirements::default() }).csv()
        };
        let all = csv(&header);
        assert_eq!(all.lines().count(), 3, "{all}");
        header.plan.format = Format::Gauntlet;
        let graded = csv(&header);
        assert!(graded.lines().eq(all.lines().filter(|line| !line.starts_with("A,"))), "{graded}");
    }

    #[test]
    fn requirements_are_parsed() {
        let read = |text: &str| text.parse::<Requirements>();
        let all = Requirements { score: Some(0.95), faults: Some(0), time: Some(Duration::from_secs(3)) };
        assert_eq!(read("score=0.95,faults=0,time=3s"), Ok(all));
        assert_eq!(read("time=3"), Ok(Requirements { time: all.time, ..Requirements::default() }));
        for text in ["score=95", "faults=-1", "time=soon", "points=3", "score"] {
            assert!(read(text).unwrap_err().to_string().contains(text), "{text}");
        }
    }
}
