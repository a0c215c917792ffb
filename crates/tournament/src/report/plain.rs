//! The report as text, and the progress line of a running match.

use std::fmt;
use std::time::Duration;

use super::tables::{Section, sections};
use super::{MatchConditions, MatchReport, TestStatus, plus_minus};
use crate::tally::Tally;
use kelso_reports::statistics::sprt::Sprt;
use kelso_reports::statistics::{Estimate, real};
use kelso_text::plural::counted;

pub fn format(report: &MatchReport) -> String {
    let MatchConditions { event, openings, rules, .. } = &report.conditions;
    let mut text = format!("{event}: {}", counted(report.games, "game"));
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

/// The progress of a running match, which is displayed as a line.
#[derive(Clone, Copy, Debug)]
pub struct MatchProgress<'a> {
    /// The counts of the games in schedule order, up to the first that is not finished.
    pub tally: &'a Tally,
    /// Number of finished games.
    pub finished: u64,
    /// Number of games that an earlier run finished.
    pub resumed: u64,
    /// Number of games of the whole match.
    pub all: u64,
    /// Show the first engine instead of the leading one.
    pub shows_first: bool,
    pub sprt: Option<Sprt>,
    /// The time since the run began.
    pub elapsed: Duration,
}

impl fmt::Display for MatchProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&live(self))
    }
}

fn live(progress: &MatchProgress<'_>) -> String {
    let MatchProgress { tally, finished, resumed, all, .. } = *progress;
    let mut parts = vec![format!("{finished}/{all} games")];
    if tally.repeats > 0 {
        parts.push(format!("{} of them repeated", tally.repeats));
    }
    let standings = &tally.standings;
    let best = standings.iter().max_by(|a, b| a.wdl().score().total_cmp(&b.wdl().score()));
    // Show the engine under test or the one that plays the gauntlet; without either, the best engine.
    if let Some(standing) = if progress.shows_first { standings.first() } else { best } {
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
    if let Some(sprt) = progress.sprt {
        let test = TestStatus::on(sprt, tally);
        parts.push(format!("LLR {:.2} ({:.2}, {:.2})", test.llr, test.lower, test.upper));
    }
    let here = finished.saturating_sub(resumed);
    let seconds = progress.elapsed.as_secs_f64();
    if here > 0 && seconds > 0.0 {
        let rate = real(here) / seconds;
        parts.push(format!("{:.1} games/min", rate * 60.0));
        parts.push(format!("{} elapsed", clock(seconds)));
        let left = real(all.saturating_sub(finished)) / rate;
        if finished < all {
            parts.push(format!("{} left", clock(left)));
        }
    }
    parts.join("  ")
}

fn clock(seconds: f64) -> String {
    let whole = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX).as_secs();
    let hours = whole / 3600;
    let minutes = whole / 60 % 60;
    let seconds = whole % 60;
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::match_game::MatchGame;
    use crate::match_game::Termination;
    use crate::match_game::tests::record;
    use kelso_draughts::board::{Bitboard, Color, Position};
    use kelso_draughts::notation::{fen, movetext};
    use kelso_draughts::record::Ply;
    use kelso_draughts::result::{EndReason, GameResult};
    use kelso_players::player::FaultKind;

    fn line(
        tally: &Tally,
        all: u64,
        resumed: u64,
        shows_first: bool,
        sprt: Option<Sprt>,
        elapsed: Duration,
    ) -> String {
        let finished = tally.games();
        MatchProgress { tally, finished, resumed, all, shows_first, sprt, elapsed }.to_string()
    }

    #[test]
    fn a_report_names_every_engine_and_every_reason() {
        let mut tally = Tally::new(["A", "B"]);
        tally.add_named(&record(), None);
        tally.add_named(&record(), None);
        let text = format(&MatchReport::new((&header()).into(), &tally));
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
    fn games_of_people_are_not_reported_as_engines() {
        let name = "the Reverend Ebenezer Fotheringhay-Plumptree of Leith";
        let mut tally = Tally::new([name, "B"]);
        let mut game = record();
        game.players[0] = name.to_owned();
        for ply in &mut game.plies {
            *ply = Ply::new(ply.mv);
        }
        game.termination = Termination::Unknown;
        tally.add_named(&game, None);
        let conditions = MatchConditions { event: "Games".to_owned(), ..MatchConditions::default() };
        let text = format(&MatchReport::new(conditions, &tally));
        assert!(text.starts_with("Games: 1 game\n\nplayer "), "{text}");
        for word in ["engine", "Elo", "LOS", "ms/move", "rules", "openings", "Ended by", " - "] {
            assert!(!text.contains(word), "{word} is in\n{text}");
        }
        assert!(text.contains("the Reverend Ebenezer Fothering…  "), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }

    #[test]
    fn an_empty_match_has_a_report_too() {
        let text = format(&MatchReport::new((&header()).into(), &Tally::new(["A", "B"])));
        assert!(text.contains("0 games") && !text.contains("Drawn"), "{text}");
        let line = line(&Tally::new(["A", "B"]), 10, 0, true, None, Duration::from_secs(1));
        assert_eq!(line, "0/10 games  A +0 =0 -0");
    }

    /// Returns a game of these players from a unique opening.
    fn game(number: u32, names: [&str; 2], winner: Option<Color>) -> MatchGame {
        let mut game = record();
        // Each bit of the number takes away a black man that does not move.
        let [black, white] = [Color::Black, Color::White].map(|color| game.start.men(color));
        let men = [Bitboard(black.0 & !number), white];
        game.start = Position::from_sets(men, [Bitboard::EMPTY; 2], Color::Black).unwrap();
        // The last move is forced.
        let moves = movetext::parse_moves(&game.start, ["11-15", "23-19", "8-11", "22-18", "15x22"]);
        for (ply, mv) in game.plies.iter_mut().zip(moves.unwrap()) {
            ply.mv = mv;
        }
        game.players = names.map(str::to_owned);
        game.result = winner.map_or(GameResult::Draw, GameResult::won_by);
        let reason = if winner.is_some() { EndReason::NoMove } else { EndReason::Repetition };
        game.termination = Termination::Regular(reason);
        game
    }

    #[test]
    fn elo_is_shown_once_it_has_bounds() {
        let mut tally = Tally::new(["A", "B"]);
        let results = [Some(Color::Black), None, Some(Color::White), None];
        for (number, winner) in (0..).zip(results.into_iter().cycle().take(80)) {
            tally.add_named(&game(number, ["A", "B"], winner), None);
        }
        let report = MatchReport::new((&header()).into(), &tally);
        let elo = report.engines[0].estimate.unwrap().elo;
        let shown = format!("+0.0 ± {:.1}", elo.error());
        let (text, line) = (format(&report), line(&tally, 80, 0, true, None, Duration::ZERO));
        assert!(text.contains(&format!("  {shown}  ")), "{shown} is missing from\n{text}");
        assert!(line.ends_with(&format!("  A +20 =40 -20  50.0%  Elo {shown}  LOS 50.0%")), "{line}");
    }

    #[test]
    fn engines_with_different_opponents_are_ordered_by_rating() {
        let mut tally = Tally::new(["C", "B", "A"]);
        for number in 0..20 {
            let names = if number < 10 { ["A", "B"] } else { ["B", "C"] };
            let winner = if (6..10).contains(&number) { Color::White } else { Color::Black };
            tally.add_named(&game(number, names, Some(winner)), None);
        }
        // B has 14 points of 20, most of them against C, and A has 6 of 10.
        let report = MatchReport::new((&header()).into(), &tally);
        assert_eq!(
            report.engines.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(),
            ["A", "B", "C"]
        );
    }

    #[test]
    fn three_engines_have_a_cross_table() {
        let mut tally = Tally::new(["A", "B", "C"]);
        for (number, names, winner) in
            [(0, ["A", "B"], Some(Color::Black)), (1, ["C", "A"], None), (2, ["B", "C"], Some(Color::White))]
        {
            tally.add_named(&game(number, names, winner), None);
        }
        let text = format(&MatchReport::new((&header()).into(), &tally));
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
    fn the_live_line_counts_remaining_games() {
        let mut tally = Tally::new(["A", "B"]);
        for game in 0..10 {
            // Make all games different.
            let mut record = record();
            record.start = fen::parse(&format!("B:W{}:B1", game + 21)).unwrap();
            record.plies.clear();
            tally.add_named(&record, None);
        }
        let shown = line(&tally, 100, 5, true, None, Duration::from_secs(10));
        assert!(shown.starts_with("10/100 games  A +0 =0 -10  0.0%  30.0 games/min"), "{shown}");
        // The engine of a gauntlet is shown even if it loses.
        assert!(line(&tally, 100, 5, false, None, Duration::from_secs(10)).contains("B +10 =0 -0"));
        assert!(shown.ends_with("30.0 games/min  0:10 elapsed  3:00 left"), "{shown}");
    }

    /// Returns the counts of a match of three engines, in which B loses one game on time.
    fn three() -> Tally {
        let mut tally = Tally::new(["A", "B", "C"]);
        let mut number = 0;
        for round in 0..10 {
            for (names, winner) in [
                (["A", "B"], Some(Color::Black)),
                (["B", "A"], if round < 8 { Some(Color::White) } else { None }),
                (["A", "C"], Some(Color::Black)),
                (["C", "A"], if round < 5 { Some(Color::White) } else { Some(Color::Black) }),
                (["B", "C"], if round < 2 { Some(Color::White) } else { None }),
                (["C", "B"], None),
            ] {
                let mut played = game(number, names, winner);
                played.plies[4].search = played.plies[3].search;
                played.plies[4].search.depth = Some(16);
                if round == 0 && names == ["B", "C"] {
                    played.termination = Termination::Fault(FaultKind::Time);
                }
                tally.add_named(&played, Some((0, number / 2)));
                number += 1;
            }
        }
        tally
    }

    #[test]
    fn the_complete_report_is_as_expected() {
        let text = format(&MatchReport::new((&header()).into(), &three()));
        let expected = "\
Test: 60 games, openings three-move, rules standard 80

engine  games  won  drawn  lost  score             Elo            nElo     LOS
A          40   33      2     5  85.0%  +301.3 ± 147.7  +399.8 ± 107.7  100.0%
C          40    7     18    15  40.0%    -70.4 ± 78.4  -101.4 ± 107.7    3.3%
B          40    0     20    20  25.0%   -190.8 ± 94.8  -274.7 ± 107.7    0.0%

± is 95% confidence; nElo is Elo normalized by the spread of the results of pairs of games

Game pairs by points
engine  0  1/2   1  1 1/2   2
A       0    0   5      2  13
C       5    0  13      2   0
B       8    4   8      0   0

Cross-table, won-drawn-lost for the engine on the left
engine       1       2       3
1 A          *  15-0-5  18-2-0
2 C     5-0-15       *  2-18-0
3 B     0-2-18  0-18-2       *

engine  black W-D-L  white W-D-L  ms/move  depth  knodes/s  faults  time forfeit
A            20-0-0       13-2-5  103.000   14.0      1165       0             0
C            5-10-5       2-8-10  103.000   14.0      1165       0             0
B           0-10-10      0-10-10  103.000   14.0      1165       1             1

Drawn 33.3% of games; Black won 25, White won 15 (Black's score 58.3%); 5.0 plies per game
Ended by: no legal move (39), third repetition (20), time forfeit (1)
";
        assert_eq!(text, expected, "{text}");
    }

    #[test]
    fn a_test_is_reported_with_its_engines() {
        let mut tally = Tally::new(["A", "B"]);
        for number in 0..40 {
            let winner = if number % 4 == 3 { None } else { Some(Color::Black) };
            let names = if number % 2 == 0 { ["A", "B"] } else { ["B", "A"] };
            tally.add_named(&game(number, names, winner), Some((0, number / 2)));
        }
        let sprt = Some("elo0=0,elo1=50".parse().unwrap());
        let report = MatchReport::new(MatchConditions { sprt, ..(&header()).into() }, &tally);
        let text = format(&report);
        let status = "\n\nSPRT elo0=0,elo1=50,alpha=0.05,beta=0.05,model=normalized: LLR 1.67 (-2.94, 2.94), \
                    undecided\n\nengine  black";
        assert!(text.contains(status), "{text}");
        let shown = line(&tally, 100, 10, true, sprt, Duration::from_secs(60));
        let expected = "40/100 games  A +20 =10 -10  62.5%  Elo +88.7 ± 40.8  LOS 100.0%  \
                        LLR 1.67 (-2.94, 2.94)  30.0 games/min  1:00 elapsed  2:00 left";
        assert_eq!(shown, expected);
        // Games that were resumed took no time.
        let shown = line(&tally, 100, 40, true, None, Duration::from_secs(60));
        assert!(shown.ends_with("LOS 100.0%"), "{shown}");
        tally.add_named(&game(0, ["A", "B"], Some(Color::Black)), None);
        let shown = line(&tally, 100, 40, true, None, Duration::ZERO);
        assert!(shown.starts_with("41/100 games  1 of them repeated  A +21 =10 -10"), "{shown}");
        let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
        for (place, value) in [
            ("/event", "\"Test\""),
            ("/games", "40"),
            ("/plies", "5.0"),
            ("/draw_ratio", "0.25"),
            ("/engines/0/settings", "\"tc=60+0.5 option.Hash=64\""),
            ("/engines/1/program", "\"B 1.0, engine 00c0ffee\""),
            ("/engines/1/wdl/wins", "10"),
            ("/engines/0/pairs", "[0,0,10,10,0]"),
            ("/cross/0/1/losses", "10"),
            ("/test/verdict", "\"undecided\""),
        ] {
            assert_eq!(json.pointer(place).map(ToString::to_string).as_deref(), Some(value), "{place}");
        }
    }

    #[test]
    fn times_have_hours_only_if_they_need_them() {
        for (seconds, text) in [
            (0.0, "0:00"),
            (59.9, "0:59"),
            (60.0, "1:00"),
            (3599.0, "59:59"),
            (3600.0, "1:00:00"),
            (90_061.0, "25:01:01"),
        ] {
            assert_eq!(clock(seconds), text);
        }
    }
}
