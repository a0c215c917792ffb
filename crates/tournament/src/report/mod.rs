//! Reports of matches, as text, JSON or a page.

mod grades;
mod html;
mod plain;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::header::{Contender, MatchHeader};
use super::tally::{MoveAverages, Standing, Tally};
use crate::match_game::Termination;
use kelso_draughts::result::WdlCounts;
use kelso_reports::statistics::sprt::{Decision, Sprt};
use kelso_reports::statistics::{Estimate, Interval, Pairs, real};
use kelso_text::plural::counted;

pub use grades::Requirements;
pub use html::page;
pub use plain::{MatchProgress, format};

const MAX_CROSSED: usize = 64;

/// Minimum number of games for a rating; with fewer, its error exceeds 150 Elo.
const MIN_RATED_GAMES: u64 = 10;

/// The settings that the games of a report share.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MatchConditions {
    /// The name of the match.
    pub event: String,
    /// The source of the openings.
    pub openings: String,
    pub rules: String,
    /// The engines and their settings, if known.
    #[serde(skip)]
    pub engines: Vec<Contender>,
    /// The test, if there is one.
    #[serde(skip)]
    pub sprt: Option<Sprt>,
    /// The engines that play all others in gauntlets.
    #[serde(skip)]
    pub opponents: BTreeSet<String>,
}

impl From<&MatchHeader> for MatchConditions {
    fn from(header: &MatchHeader) -> Self {
        Self {
            event: header.event.clone(),
            openings: header.openings.clone(),
            rules: header.rules.to_string(),
            engines: header.engines.clone(),
            sprt: header.sprt,
            opponents: header.opponent().map(str::to_owned).into_iter().collect(),
        }
    }
}

/// The content of a report, in order.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    #[serde(flatten)]
    pub conditions: MatchConditions,
    pub games: u64,
    /// Number of repeated games, which are excluded from estimates and tests.
    pub repeats: u64,
    /// Mean number of plies of a game.
    pub plies: f64,
    /// The engines: two in the given order, more than two from best to worst.
    pub engines: Vec<EngineResult>,
    /// The results of every pair of engines, in the order of `engines`. Empty for more than 64 engines.
    pub cross: Vec<Vec<WdlCounts>>,
    /// The test, if there is one.
    pub test: Option<TestStatus>,
    /// The results from Black's point of view.
    pub black: WdlCounts,
    /// The share of drawn games.
    pub draw_ratio: f64,
    /// Number of games for each reason why games ended.
    pub reasons: BTreeMap<Termination, u64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EngineResult {
    pub name: String,
    /// Limits and options.
    pub settings: String,
    /// Fingerprint: name, program and files.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub program: String,
    pub wdl: WdlCounts,
    /// Results with Black.
    pub as_black: WdlCounts,
    /// Results with White.
    pub as_white: WdlCounts,
    /// Pairs of games by points.
    pub pairs: Pairs,
    /// The engine's estimated strength against the others.
    pub estimate: Option<Estimate>,
    /// The rating in Elo on a scale shared by all players, if there are enough games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<f64>,
    /// Half the width of its 95% interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating_error: Option<f64>,
    #[serde(flatten)]
    pub moves: MoveAverages,
    /// Number of games lost by each kind of fault.
    pub faults: BTreeMap<Termination, u64>,
}

impl EngineResult {
    fn new(standing: &Standing, contender: Contender, rating: &Interval) -> Self {
        let [as_black, as_white] = standing.by_color;
        let rating = (standing.distinct.total() >= MIN_RATED_GAMES).then_some(rating);
        Self {
            name: standing.name.clone(),
            settings: contender.settings,
            program: contender.program,
            wdl: standing.wdl(),
            as_black,
            as_white,
            pairs: standing.pairs,
            estimate: Estimate::best(standing.distinct, standing.pairs),
            rating: rating.map(|rating| rating.value),
            rating_error: rating.map(Interval::error),
            moves: standing.totals.averages(),
            faults: standing.faults.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct TestStatus {
    pub settings: Sprt,
    pub llr: f64,
    /// The bound at which H0 is accepted.
    pub lower: f64,
    /// The bound at which H1 is accepted.
    pub upper: f64,
    #[serde(rename = "verdict")]
    pub decision: Decision,
}

impl TestStatus {
    /// Evaluates a test on the results of the first two engines.
    pub fn on(settings: Sprt, tally: &Tally) -> Self {
        let meeting = tally.meeting(0, 1);
        let llr = if meeting.pairs.count() > 0 {
            settings.llr_of_pairs(meeting.pairs)
        } else {
            settings.llr_of_games(meeting.distinct)
        };
        let (lower, upper) = settings.bounds();
        Self { settings, llr, lower, upper, decision: settings.decision(llr) }
    }
}

impl fmt::Display for TestStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { llr, lower, upper, decision, .. } = self;
        write!(f, "LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}")
    }
}

impl MatchReport {
    pub fn new(conditions: MatchConditions, tally: &Tally) -> Self {
        let standings = &tally.standings;
        let mut order: Vec<usize> = (0..standings.len()).collect();
        let ratings = tally.ratings();
        if order.len() > 2 {
            // Scores against different opponents cannot be compared.
            let is_complete = tally.is_balanced();
            let values: Vec<f64> = if is_complete {
                standings.iter().map(|engine| engine.wdl().score()).collect()
            } else {
                ratings.iter().map(|rating| rating.value).collect()
            };
            order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        }
        let mut engines = Vec::new();
        for &index in &order {
            let contender = conditions.engines.get(index).cloned().unwrap_or_default();
            engines.push(EngineResult::new(&standings[index], contender, &ratings[index]));
        }
        let mut cross = Vec::new();
        // A table of thousands of engines would not fit in memory.
        if order.len() <= MAX_CROSSED {
            for &row in &order {
                cross.push(order.iter().map(|&column| tally.meeting(row, column).wdl).collect());
            }
        }
        let games = tally.games();
        Self {
            games,
            repeats: tally.repeats,
            plies: if games == 0 { 0.0 } else { real(tally.plies) / real(games) },
            engines,
            cross,
            test: conditions.sprt.filter(|_| standings.len() == 2).map(|sprt| TestStatus::on(sprt, tally)),
            black: tally.black,
            draw_ratio: tally.black.draw_ratio(),
            reasons: tally.reasons.clone(),
            conditions,
        }
    }

    /// Returns whether the games seem to be between people, since they lack all engine data.
    pub fn is_human(&self) -> bool {
        self.games > 0
            && self.engines.iter().all(|entry| {
                entry.settings.is_empty() && entry.moves.are_unknown() && entry.faults.is_empty()
            })
    }

    /// Returns the noun for a player.
    fn players(&self) -> &'static str {
        if self.is_human() { "player" } else { "engine" }
    }

    #[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "all map keys are strings")]
    pub fn json(&self) -> String {
        // This cannot fail: numbers, strings and lists can always be serialized.
        let mut text = serde_json::to_string_pretty(self).expect("a report can be serialized");
        text.push('\n');
        text
    }
}

/// Formats an estimate, or a placeholder if there are too few games to bound it.
fn strength(estimate: Option<&Estimate>, show: fn(&Estimate) -> String) -> String {
    match estimate {
        Some(estimate) if estimate.is_bounded() => show(estimate),
        _ => "too few games".to_owned(),
    }
}

/// Formats the likelihood of superiority, if there are enough games.
fn superiority(estimate: Option<&Estimate>) -> String {
    let bounded = estimate.filter(|estimate| estimate.is_bounded());
    bounded.map_or_else(|| "-".to_owned(), |estimate| format!("{:.1}%", estimate.los * 100.0))
}

/// Describes repeated games, if there are any.
fn repeats(report: &MatchReport) -> Option<String> {
    let MatchReport { games, repeats, .. } = report;
    let verbs = if *repeats == 1 { ["repeats", "is"] } else { ["repeat", "are"] };
    (*repeats > 0).then(|| {
        format!(
            "{repeats} of {} {} an earlier game and {} excluded from estimates and tests",
            counted(*games, "game"),
            verbs[0],
            verbs[1]
        )
    })
}

/// Formats an interval: `+12.3 ± 4.5`.
fn plus_minus(interval: &Interval) -> String {
    // Avoid a negative zero.
    let value = if interval.value.abs() < 0.05 { 0.0 } else { interval.value };
    format!("{value:+.1} ± {:.1}", interval.error())
}
