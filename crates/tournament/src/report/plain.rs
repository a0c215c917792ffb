//! The report as text, and the progress line of a running match.

use std::time::Duration;

use super::tables::{Section, sections};
use super::{MatchReport, TestStatus, plus_minus};
use crate::tally::Tally;
use reports::statistics::{Estimate, real};
use text::plural::counted;

/// Formats the whole report.
pub fn format(report: &MatchReport) -> String {
    let MatchReport { event, games, openings, rules, .. } = report;
    let mut text = format!("{event}: {}", counted(*games, "game"));
    let conditions = [("openings", openings), ("rules", rules)].into_iter();
    text.extend(
        conditions.filter(|(_, value)| !value.is_empty()).map(|(what, value)| format!(", {what} {value}")),
    );
    text.push('\n');
    text.extend(super::repeats(report).map(|note| note + "\n"));
    for section in sections(report) {
        text.push('\n');
        match section {
            Section::Table(heading, table) => {
                text.extend(heading.map(|heading| heading + "\n"));
                text += &table.to_string();
            }
            Section::Lines(lines) => text.extend(lines.into_iter().map(|line| line + "\n")),
        }
    }
    text
}

/// Formats the progress line of a running match of `all` games, of which `resumed` were played by an earlier
/// run. The line shows the first engine if `first` is set, otherwise the leading one.
pub fn live(
    tally: &Tally,
    all: u64,
    resumed: u64,
    first: bool,
    test: Option<&TestStatus>,
    elapsed: Duration,
) -> String {
    let played = tally.games();
    let mut parts = vec![format!("{played}/{all} games")];
    if tally.repeats > 0 {
        parts.push(format!("{} of them repeated", tally.repeats));
    }
    let standings = &tally.standings;
    let best = || standings.iter().max_by(|a, b| a.wdl().score().total_cmp(&b.wdl().score()));
    // Show the engine under test or the one that plays the gauntlet; without either, the best engine.
    if let Some(standing) = if first { standings.first() } else { best() } {
        let wdl = standing.wdl();
        parts.push(format!("{} +{} ={} -{}", standing.name, wdl.wins, wdl.draws, wdl.losses));
        if wdl.total() > 0 {
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

fn clock(seconds: f64) -> String {
    let whole = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).as_secs();
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::match_game::MatchGame;
    use crate::match_game::tests::record;
    use crate::report::MatchConditions;
    use draughts::board::Color;
    use draughts::notation::fen;
    use draughts::record::Ply;
    use draughts::result::{EndReason, GameEnd};

    #[test]
    fn a_report_names_every_engine_and_every_reason() {
        let mut tally = Tally::new(["A", "B"]);
        tally.add(&record(), None);
        tally.add(&record(), None);
        let text = format(&MatchReport::new(&(&header()).into(), &tally));
        assert!(
            text.starts_with(
                "Test: 2 games, openings three-move, rules standard 80\n\
                 1 of 2 games repeats an earlier game and is excluded from estimates and tests\n"
            ),
            "{text}"
        );
        for part in ["A  ", "B  ", "100.0%", "Ended by: time forfeit (2)", "Black's score 0.0%", "103.000"] {
            assert!(text.contains(part), "{part} is missing from\n{text}");
        }
    }

    #[test]
    fn games_of_people_have_no_words_of_engines() {
        let name = "the Reverend Ebenezer Fotheringhay-Plumptree of Leith";
        let mut tally = Tally::new([name, "B"]);
        let mut game = record();
        game.record.tags.set("Black", name);
        for ply in &mut game.record.plies {
            *ply = Ply::new(ply.mv);
        }
        game.end.reason = EndReason::Unknown;
        tally.add(&game, None);
        let conditions = MatchConditions { event: "Games".to_owned(), ..MatchConditions::default() };
        let text = format(&MatchReport::new(&conditions, &tally));
        assert!(text.starts_with("Games: 1 game\n\nplayer "), "{text}");
        for word in ["engine", "Elo", "LOS", "ms/move", "rules", "openings", "Ended by", " - "] {
            assert!(!text.contains(word), "{word} is in\n{text}");
        }
        assert!(text.contains("the Reverend Ebenezer Fothering…  "), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }

    #[test]
    fn an_empty_match_has_a_report_too() {
        let text = format(&MatchReport::new(&(&header()).into(), &Tally::new(["A", "B"])));
        assert!(text.contains("0 games") && !text.contains("Drawn"), "{text}");
        let line = live(&Tally::new(["A", "B"]), 10, 0, true, None, Duration::from_secs(1));
        assert_eq!(line, "0/10 games  A +0 =0 -0");
    }

    /// Returns a game of these players from a unique opening.
    fn game(number: u32, names: [&str; 2], winner: Option<Color>) -> MatchGame {
        let mut game = record();
        game.record.start = fen::parse(&format!("B:W{}:B{}", number % 20 + 13, number / 20 + 1)).unwrap();
        for (side, name) in Color::BOTH.into_iter().zip(names) {
            game.record.tags.set(side.title(), name);
        }
        let draw = GameEnd::draw(EndReason::Repetition);
        game.end = winner.map_or(draw, |side| GameEnd::won_by(side, EndReason::NoMove));
        game
    }

    #[test]
    fn strength_is_shown_once_it_is_bounded() {
        let mut tally = Tally::new(["A", "B"]);
        let results = [Some(Color::Black), None, Some(Color::White), None];
        for (number, winner) in (0..).zip(results.into_iter().cycle().take(80)) {
            tally.add(&game(number, ["A", "B"], winner), None);
        }
        let report = MatchReport::new(&(&header()).into(), &tally);
        let elo = report.engines[0].estimate.unwrap().elo;
        let shown = format!("+0.0 ± {:.1}", elo.error());
        let (text, line) = (format(&report), live(&tally, 80, 0, true, None, Duration::ZERO));
        assert!(text.contains(&format!("  {shown}  ")), "{shown} is missing from\n{text}");
        assert!(line.ends_with(&format!("  A +20 =40 -20  50.0%  Elo {shown}  LOS 50.0%")), "{line}");
    }

    #[test]
    fn three_engines_have_a_cross_table() {
        let mut tally = Tally::new(["A", "B", "C"]);
        for (number, names, winner) in
            [(0, ["A", "B"], Some(Color::Black)), (1, ["C", "A"], None), (2, ["B", "C"], Some(Color::White))]
        {
            tally.add(&game(number, names, winner), None);
        }
        let text = format(&MatchReport::new(&(&header()).into(), &tally));
        let rows: Vec<_> =
            text.lines().skip_while(|line| !line.starts_with("Cross-table")).skip(2).take(3).collect();
        let words: Vec<Vec<_>> = rows.iter().map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(
            words,
            [
                ["1", "A", "*", "0-1-0", "1-0-0"],
                ["2", "C", "0-1-0", "*", "1-0-0"],
                ["3", "B", "0-0-1", "0-0-1", "*"]
            ],
            "{text}"
        );
    }

    #[test]
    fn the_live_line_counts_what_is_left() {
        let mut tally = Tally::new(["A", "B"]);
        for game in 0..10 {
            // Make all games different.
            let mut record = record();
            record.record.start = fen::parse(&format!("B:W{}:B1", game + 21)).unwrap();
            tally.add(&record, None);
        }
        let line = live(&tally, 100, 5, true, None, Duration::from_secs(10));
        assert!(line.starts_with("10/100 games  A +0 =0 -10  0.0%  0.5 games/s"), "{line}");
        // The engine of a gauntlet is shown even if it loses.
        assert!(live(&tally, 100, 5, false, None, Duration::from_secs(10)).contains("B +10 =0 -0"));
        assert!(line.ends_with("0.5 games/s  3:00 left"), "{line}");
        assert_eq!(clock(3723.0), "1:02:03");
    }
}
