//! A report as text, and the line that is shown while a match is running.

use std::fmt::Write;
use std::time::Duration;

use super::{Entry, Summary, Test, plus_minus};
use crate::arena::record::Reason;
use crate::arena::statistics::{Estimate, real};
use crate::arena::tally::Tally;

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

fn width(summary: &Summary) -> usize {
    summary.engines.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0).clamp(6, 40)
}

fn standings(text: &mut String, summary: &Summary) -> std::fmt::Result {
    let width = width(summary);
    writeln!(
        text,
        "{}: {} games, openings {}, rules {}",
        summary.event, summary.games, summary.openings, summary.rules
    )?;
    writeln!(text)?;
    writeln!(
        text,
        "{:width$}  {:>6}  {:>6}  {:>6}  {:>6}  {:>6}  {:>16}  {:>16}  {:>6}",
        "engine", "games", "won", "drawn", "lost", "score", "Elo", "nElo", "LOS"
    )?;
    for Entry { name, wdl, estimate, .. } in &summary.engines {
        let strength = |f: fn(&Estimate) -> String| estimate.as_ref().map_or_else(|| "-".to_owned(), f);
        writeln!(
            text,
            "{name:width$}  {:>6}  {:>6}  {:>6}  {:>6}  {:>5.1}%  {:>16}  {:>16}  {:>6}",
            wdl.games(),
            wdl.wins,
            wdl.draws,
            wdl.losses,
            wdl.score() * 100.0,
            strength(|estimate| plus_minus(&estimate.elo)),
            strength(|estimate| plus_minus(&estimate.nelo)),
            strength(|estimate| format!("{:.1}%", estimate.los * 100.0)),
        )?;
    }
    Ok(())
}

fn pairs(text: &mut String, summary: &Summary) -> std::fmt::Result {
    let width = width(summary);
    if summary.engines.iter().any(|entry| entry.pairs.count() > 0) {
        writeln!(text)?;
        writeln!(text, "Pairs of games on one opening, by points")?;
        writeln!(
            text,
            "{:width$}  {:>6}  {:>6}  {:>6}  {:>6}  {:>6}",
            "engine", "0", "1/2", "1", "1 1/2", "2"
        )?;
        for Entry { name, pairs, .. } in &summary.engines {
            write!(text, "{name:width$}")?;
            for count in pairs.0 {
                write!(text, "  {count:>6}")?;
            }
            writeln!(text)?;
        }
    }
    match &summary.test {
        Some(outcome) => {
            writeln!(text)?;
            writeln!(text, "SPRT {}: {}", outcome.settings, state(outcome))
        }
        None => Ok(()),
    }
}

pub(super) fn state(test: &Test) -> String {
    format!("LLR {:.2} ({:.2}, {:.2}), {}", test.llr, test.lower, test.upper, test.verdict)
}

fn cross_table(text: &mut String, summary: &Summary) -> std::fmt::Result {
    if summary.engines.len() < 3 {
        return Ok(());
    }
    let width = width(summary);
    writeln!(text)?;
    writeln!(text, "Cross-table, won-drawn-lost by the engine at the left")?;
    write!(text, "{:width$}", "engine")?;
    for number in 1..=summary.engines.len() {
        write!(text, "  {number:>14}")?;
    }
    writeln!(text)?;
    for (row, (entry, results)) in summary.engines.iter().zip(&summary.cross).enumerate() {
        write!(text, "{:width$}", format!("{} {}", row + 1, entry.name))?;
        for (column, wdl) in results.iter().enumerate() {
            let result = match wdl.games() {
                0 if row == column => "*".to_owned(),
                0 => "-".to_owned(),
                _ => format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses),
            };
            write!(text, "  {result:>14}")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn efforts(text: &mut String, summary: &Summary) -> std::fmt::Result {
    let width = width(summary);
    writeln!(text)?;
    writeln!(
        text,
        "{:width$}  {:>14}  {:>14}  {:>10}  {:>6}  {:>9}  {:>6}  {:>7}  {:>6}",
        "engine", "black W-D-L", "white W-D-L", "ms/move", "depth", "knodes/s", "late", "crashed", "other"
    )?;
    for entry in &summary.engines {
        let number = |value: Option<f64>, factor: f64, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{:.digits$}", value * factor))
        };
        let count = |reason| entry.faults.get(&reason).copied().unwrap_or(0);
        let all: u64 = entry.faults.values().sum();
        let (late, crashed) = (count(Reason::Time), count(Reason::Crash));
        let [black, white] =
            [entry.as_black, entry.as_white].map(|wdl| format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses));
        writeln!(
            text,
            "{:width$}  {black:>14}  {white:>14}  {:>10}  {:>6}  {:>9}  {late:>6}  {crashed:>7}  {:>6}",
            entry.name,
            number(entry.seconds, 1e3, 3),
            number(entry.depth, 1.0, 1),
            number(entry.speed, 1e-3, 0),
            all - late - crashed,
        )?;
    }
    Ok(())
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
    let reasons: Vec<_> = summary.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    writeln!(text, "Ended by {}", reasons.join(", "))
}

/// One line on where a running match stands, after so many of all games have been played, the first `resumed` of them in
/// an earlier run.
#[must_use]
pub fn live(tally: &Tally, all: u64, resumed: u64, test: Option<&Test>, elapsed: Duration) -> String {
    let played = tally.games();
    let mut parts = vec![format!("{played}/{all} games")];
    let best = tally
        .standings()
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| a.wdl().score().total_cmp(&b.wdl().score()));
    // Of two, the first is the one that is tested; of more, the best is the most interesting.
    let shown =
        if tally.standings().len() == 2 { tally.standings().first() } else { best.map(|(_, best)| best) };
    if let Some(standing) = shown {
        let wdl = standing.wdl();
        parts.push(format!("{} +{} ={} -{}", standing.name, wdl.wins, wdl.draws, wdl.losses));
        if let Some(estimate) = Estimate::best(wdl, standing.pairs) {
            parts.push(format!("{:.1}%", wdl.score() * 100.0));
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
    use crate::arena::header::tests::header;
    use crate::arena::pdn::tests::record;

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
    fn an_empty_match_has_a_report_too() {
        let text = format(&Summary::new(&(&header()).into(), &Tally::new(["A", "B"])));
        assert!(text.contains("0 games"), "{text}");
    }

    #[test]
    fn the_live_line_counts_what_is_left() {
        let mut tally = Tally::new(["A", "B"]);
        for _ in 0..10 {
            tally.add(&record(), None);
        }
        let line = live(&tally, 100, 5, None, Duration::from_secs(10));
        assert!(line.starts_with("10/100 games  A +0 =0 -10  0.0%  Elo -inf"), "{line}");
        assert!(line.ends_with("0.5 games/s  3:00 left"), "{line}");
        assert_eq!(clock(3723.0), "1:02:03");
    }
}
