//! A report as text, and the line that is shown while a match is running.

use std::fmt::Write;
use std::time::Duration;

use super::{Summary, Test, plus_minus, tables};
use crate::tally::Tally;
use common::count::counted;
use common::statistics::{Estimate, real};
use draughts::referee::Reason;

/// The whole report.
#[must_use]
pub fn format(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = standings(&mut text, summary);
    let _ = pairs(&mut text, summary);
    let _ = cross_table(&mut text, summary);
    let _ = efforts(&mut text, summary);
    let _ = games(&mut text, summary);
    text
}

fn standings(text: &mut String, summary: &Summary) -> std::fmt::Result {
    let Summary { event, games, openings, rules, .. } = summary;
    write!(text, "{event}: {}", counted(*games, "game"))?;
    for (what, value) in [("openings", openings), ("rules", rules)] {
        if !value.is_empty() {
            write!(text, ", {what} {value}")?;
        }
    }
    writeln!(text)?;
    if let Some(note) = super::repeats(summary) {
        writeln!(text, "{note}")?;
    }
    write!(text, "\n{}", tables::standings(summary))
}

fn pairs(text: &mut String, summary: &Summary) -> std::fmt::Result {
    if let Some(table) = tables::pairs(summary) {
        write!(text, "\nPairs of games on one opening, by points\n{table}")?;
    }
    match &summary.test {
        Some(outcome) => writeln!(text, "\nSPRT {}: {}", outcome.settings, state(outcome)),
        None => Ok(()),
    }
}

pub(super) fn state(test: &Test) -> String {
    format!("LLR {:.2} ({:.2}, {:.2}), {}", test.llr, test.lower, test.upper, test.verdict)
}

fn cross_table(text: &mut String, summary: &Summary) -> std::fmt::Result {
    match tables::cross(summary) {
        Some(table) => {
            let players = summary.players();
            write!(text, "\nCross-table, won-drawn-lost by the {players} at the left\n{table}")
        }
        None => Ok(()),
    }
}

fn efforts(text: &mut String, summary: &Summary) -> std::fmt::Result {
    match tables::efforts(summary) {
        Some(table) => write!(text, "\n{table}"),
        None => Ok(()),
    }
}

fn games(text: &mut String, summary: &Summary) -> std::fmt::Result {
    if summary.games == 0 {
        return Ok(());
    }
    let black = summary.black;
    writeln!(text)?;
    writeln!(
        text,
        "Drawn {:.1}% of games; Black won {}, White won {} (Black's score {:.1}%); {:.1} plies a game",
        summary.draw_ratio * 100.0,
        black.wins,
        black.losses,
        black.score() * 100.0,
        summary.plies
    )?;
    if summary.reasons.keys().all(|&reason| reason == Reason::Unknown) {
        return Ok(());
    }
    let reasons: Vec<_> = summary.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    writeln!(text, "Ended by {}", reasons.join(", "))
}

/// One line on where a running match stands, after so many of all games have been played, the first `resumed` of them in
/// an earlier run. `first` says whether it is the first engine's match, or that of whoever leads.
#[must_use]
pub fn live(
    tally: &Tally,
    all: u64,
    resumed: u64,
    first: bool,
    test: Option<&Test>,
    elapsed: Duration,
) -> String {
    let played = tally.games();
    let mut parts = vec![format!("{played}/{all} games")];
    if tally.repeats() > 0 {
        parts.push(format!("{} of them repeated", tally.repeats()));
    }
    let standings = tally.standings();
    let best = || standings.iter().max_by(|a, b| a.wdl().score().total_cmp(&b.wdl().score()));
    // The one that is tested, or that all others play; without either, the best.
    if let Some(standing) = if first { standings.first() } else { best() } {
        let wdl = standing.wdl();
        parts.push(format!("{} +{} ={} -{}", standing.name, wdl.wins, wdl.draws, wdl.losses));
        if wdl.games() > 0 {
            parts.push(format!("{:.1}%", wdl.score() * 100.0));
        }
        if let Some(estimate) = Estimate::best(standing.distinct, standing.pairs).filter(Estimate::is_bounded)
        {
            parts.push(format!("Elo {}", plus_minus(&estimate.elo)));
            parts.push(format!("LOS {:.1}%", estimate.los * 100.0));
        }
    }
    if let Some(test) = test {
        parts.push(format!("LLR {:.2} ({:.2}, {:.2})", test.llr, test.lower, test.upper));
    }
    let here = played.saturating_sub(resumed);
    let seconds = elapsed.as_secs_f64();
    if here > 0 && seconds > 0.0 {
        let rate = real(here) / seconds;
        parts.push(format!("{rate:.1} games/s"));
        let left = real(all.saturating_sub(played)) / rate;
        parts.push(format!("{} left", clock(left)));
    }
    parts.join("  ")
}

/// Hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let whole = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).as_secs();
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::record::tests::record;
    use crate::record::{GameRecord, PlyRecord};
    use crate::report::Conditions;
    use draughts::notation::fen;

    #[test]
    fn a_report_names_everybody_and_every_reason() {
        let mut tally = Tally::new(["A", "B"]);
        tally.add(&record(), None);
        let text = format(&Summary::new(&(&header()).into(), &tally));
        for part in ["A  ", "B  ", "100.0%", "Ended by time forfeit 1", "Black's score 0.0%", "103.000"] {
            assert!(text.contains(part), "{part} is missing from\n{text}");
        }
    }

    #[test]
    fn games_of_people_have_no_words_of_engines() {
        let name = "the Reverend Ebenezer Fotheringhay-Plumptree of Leith";
        let mut tally = Tally::new([name, "B"]);
        let mut game = record();
        game.black = name.to_owned();
        for ply in &mut game.plies {
            *ply = PlyRecord { mv: ply.mv, score: None, depth: None, nodes: None, micros: None, clock: None };
        }
        game.reason = Reason::Unknown;
        tally.add(&game, None);
        let conditions = Conditions { event: "Games".to_owned(), ..Conditions::default() };
        let text = format(&Summary::new(&conditions, &tally));
        assert!(text.starts_with("Games: 1 game\n\nplayer "), "{text}");
        for word in ["engine", "Elo", "LOS", "ms/move", "rules", "openings", "Ended by", " - "] {
            assert!(!text.contains(word), "{word} is in\n{text}");
        }
        assert!(text.contains("the Reverend Ebenezer Fothering…  "), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }

    #[test]
    fn an_empty_match_has_a_report_too() {
        let text = format(&Summary::new(&(&header()).into(), &Tally::new(["A", "B"])));
        assert!(text.contains("0 games"), "{text}");
    }

    #[test]
    fn the_live_line_counts_what_is_left() {
        let mut tally = Tally::new(["A", "B"]);
        for game in 0..10 {
            // Games of one match that differ.
            let start = fen::parse(&format!("B:W{}:B1", game + 21)).unwrap();
            tally.add(&GameRecord { opening: String::new(), start, ..record() }, None);
        }
        let line = live(&tally, 100, 5, true, None, Duration::from_secs(10));
        assert!(line.starts_with("10/100 games  A +0 =0 -10  0.0%  0.5 games/s"), "{line}");
        // The engine that all others play is shown, however it fares.
        assert!(live(&tally, 100, 5, false, None, Duration::from_secs(10)).contains("B +10 =0 -0"));
        assert!(line.ends_with("0.5 games/s  3:00 left"), "{line}");
        assert_eq!(clock(3723.0), "1:02:03");
    }
}
