//! What a match has shown, put together once and then written as text, JSON or a page.

mod chart;
mod html;
mod tables;
mod text;

use std::collections::BTreeMap;

use serde::Serialize;

use super::header::{Contender, Header};
use super::tally::{Standing, Tally};
use common::count::counted;
use common::statistics::{Decision, Estimate, Interval, Pairs, Sprt, Wdl, real};
use draughts::referee::Reason;

pub use html::page;
pub use text::{format, live};

/// A cross-table has no more rows.
const MOST_CROSSED: usize = 64;

/// What the games of a report have in common.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Conditions {
    /// What the match is called.
    pub event: String,
    /// Where the openings are from.
    pub openings: String,
    /// The rules.
    pub rules: String,
    /// Engines and their settings, as far as they are known.
    pub engines: Vec<Contender>,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
}

impl Conditions {
    fn settings(&self, name: &str) -> &str {
        self.engines.iter().find(|engine| engine.name == name).map_or("", |engine| &engine.settings)
    }

    fn program(&self, name: &str) -> &str {
        self.engines.iter().find(|engine| engine.name == name).map_or("", |engine| &engine.program)
    }
}

impl From<&Header> for Conditions {
    fn from(header: &Header) -> Self {
        Self {
            event: header.event.clone(),
            openings: header.openings.clone(),
            rules: header.rules.to_string(),
            engines: header.engines.clone(),
            sprt: header.sprt,
        }
    }
}

/// Everything that a report shows, in the order in which it shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// What the match is called.
    pub event: String,
    /// Where the openings are from.
    pub openings: String,
    /// The rules.
    pub rules: String,
    /// Games.
    pub games: u64,
    /// Those of them that repeat an earlier one move by move, and count in no estimate and no test.
    pub repeats: u64,
    /// Plies a game.
    pub plies: f64,
    /// The engines, in their order if there are two, else the best first.
    pub engines: Vec<Entry>,
    /// Results of each against each, from the side of the row, in the order of `engines`; empty for more than 64.
    pub cross: Vec<Vec<Wdl>>,
    /// The test, if there is one.
    pub test: Option<Test>,
    /// Black's results, whoever played it.
    pub black: Wdl,
    /// The share of games drawn.
    pub draw_ratio: f64,
    /// How games ended.
    pub reasons: BTreeMap<Reason, u64>,
}

/// One engine.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its limits and options.
    pub settings: String,
    /// Its fingerprint: what it calls itself, its program and its files.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// All results.
    pub wdl: Wdl,
    /// Results with Black.
    pub as_black: Wdl,
    /// Results with White.
    pub as_white: Wdl,
    /// Pairs of games, by their points.
    pub pairs: Pairs,
    /// What this says of its strength against the others.
    pub estimate: Option<Estimate>,
    /// Moves played.
    pub moves: u64,
    /// Seconds a move.
    pub seconds: Option<f64>,
    /// Depth a move.
    pub depth: Option<f64>,
    /// Nodes a second.
    pub speed: Option<f64>,
    /// Games lost by misbehaving.
    pub faults: BTreeMap<Reason, u64>,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Test {
    /// The test.
    pub settings: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// Which is accepted.
    pub verdict: Decision,
}

impl Test {
    /// A test on the results of the first two engines.
    #[must_use]
    pub fn on(settings: Sprt, tally: &Tally) -> Self {
        let meeting = tally.meeting(0, 1);
        let llr = if meeting.pairs.count() > 0 {
            settings.llr_of_pairs(meeting.pairs)
        } else {
            settings.llr_of_games(meeting.distinct)
        };
        let (lower, upper) = settings.bounds();
        Self { settings, llr, lower, upper, verdict: settings.verdict(llr) }
    }
}

impl Summary {
    /// Puts a report together.
    #[must_use]
    pub fn new(conditions: &Conditions, tally: &Tally) -> Self {
        let standings = tally.standings();
        let mut order: Vec<usize> = (0..standings.len()).collect();
        if order.len() > 2 {
            let score = |&i: &usize| standings.get(i).map_or(0.0, |standing| standing.wdl().score());
            order.sort_by(|a, b| score(b).total_cmp(&score(a)));
        }
        let entry = |standing: &Standing| {
            let [as_black, as_white] = standing.by_color;
            Entry {
                name: standing.name.clone(),
                settings: conditions.settings(&standing.name).to_owned(),
                program: conditions.program(&standing.name).to_owned(),
                wdl: standing.wdl(),
                as_black,
                as_white,
                pairs: standing.pairs,
                estimate: Estimate::best(standing.distinct, standing.pairs),
                moves: standing.effort.moves,
                seconds: standing.effort.seconds(),
                depth: standing.effort.depth(),
                speed: standing.effort.speed(),
                faults: standing.faults.clone(),
            }
        };
        let games = tally.games();
        Self {
            event: conditions.event.clone(),
            openings: conditions.openings.clone(),
            rules: conditions.rules.clone(),
            games,
            repeats: tally.repeats(),
            plies: if games == 0 { 0.0 } else { real(tally.plies()) / real(games) },
            engines: order.iter().filter_map(|&i| standings.get(i)).map(entry).collect(),
            // Nobody reads a table of hundreds by hundreds, and of thousands it would not fit in memory.
            cross: order
                .iter()
                .filter(|_| order.len() <= MOST_CROSSED)
                .map(|&row| order.iter().map(|&column| tally.meeting(row, column).wdl).collect())
                .collect(),
            test: conditions.sprt.filter(|_| standings.len() == 2).map(|sprt| Test::on(sprt, tally)),
            black: tally.black(),
            draw_ratio: tally.black().draw_ratio(),
            reasons: tally.reasons().clone(),
        }
    }

    /// Whether these are games of people, as far as anyone can tell: nothing is known of them that only engines have.
    #[must_use]
    pub fn is_human(&self) -> bool {
        self.games > 0
            && self.engines.iter().all(|entry| {
                let Entry { settings, seconds, depth, speed, faults, .. } = entry;
                settings.is_empty()
                    && [seconds, depth, speed].iter().all(|value| value.is_none())
                    && faults.is_empty()
            })
    }

    /// What those are who play.
    fn players(&self) -> &'static str {
        if self.is_human() { "player" } else { "engine" }
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self) -> String {
        // Numbers, texts and lists of them always have a JSON form.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// What the counts say of a strength; nothing but that they are too few, if they don't bound it.
fn strength(estimate: Option<&Estimate>, show: fn(&Estimate) -> String) -> String {
    match estimate {
        Some(estimate) if estimate.is_bounded() => show(estimate),
        Some(_) => "too few games".to_owned(),
        None => "-".to_owned(),
    }
}

/// The likelihood of superiority, where there are games enough to tell.
fn superiority(estimate: Option<&Estimate>) -> String {
    let known = estimate.filter(|estimate| estimate.is_bounded());
    known.map_or_else(|| "-".to_owned(), |estimate| format!("{:.1}%", estimate.los * 100.0))
}

/// What there is to say of repeated games, if there are any.
fn repeats(summary: &Summary) -> Option<String> {
    let Summary { games, repeats, .. } = summary;
    let verbs = if *repeats == 1 { ["repeats", "counts"] } else { ["repeat", "count"] };
    (*repeats > 0).then(|| {
        format!(
            "{repeats} of {} {} an earlier one move by move and {} in no estimate and no test",
            counted(*games, "game"),
            verbs[0],
            verbs[1]
        )
    })
}

/// `+12.3 ± 4.5`, of an estimate with bounds.
fn plus_minus(interval: &Interval) -> String {
    // No negative zero.
    let value = if interval.value.abs() < 0.05 { 0.0 } else { interval.value };
    format!("{value:+.1} ± {:.1}", interval.error())
}
