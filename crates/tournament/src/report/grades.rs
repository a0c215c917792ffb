//! Grades of the engines of a match, such as the agents of a class.

use std::fmt::Write as _;
use std::str::FromStr;
use std::time::Duration;

use super::{EngineResult, MatchReport};
use kelso_text::keyvalue::KeyValues;
use kelso_text::syntax::WordError;
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
    /// Formats the grades as comma-separated values: a line for each engine, from best to worst.
    pub fn grades(&self, requirements: &Requirements) -> String {
        let mut text =
            "engine,games,won,drawn,lost,score,faults,longest move in seconds,result,failed\n".to_owned();
        for engine in &self.engines {
            let failed = requirements.failed(engine);
            let wdl = engine.wdl;
            let _ = writeln!(
                text,
                "\"{}\",{},{},{},{},{:.4},{},{},{},{}",
                engine.name.replace('"', "\"\""),
                wdl.total(),
                wdl.wins,
                wdl.draws,
                wdl.losses,
                if wdl.total() == 0 { 0.0 } else { wdl.score() },
                engine.fault_count(),
                engine.moves.longest.map_or_else(String::new, |seconds| format!("{seconds:.3}")),
                if failed.is_empty() { "pass" } else { "fail" },
                failed.join(" "),
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
