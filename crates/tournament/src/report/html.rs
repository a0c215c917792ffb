//! The report as a self-contained page: tables, the score over time, and every game on a board.

use super::tables::{Section, sections};
use super::{EngineResult, MatchReport};
use crate::match_game::MatchGame;
use kelso_draughts::board::Color;
use kelso_draughts::record::{Ply, SearchInfo};
use kelso_draughts::result::WdlCounts;
use kelso_reports::chart::{self, Axis, Curve, Panel, Point, charted};
use kelso_reports::page::{self, PageGame, PlyNote};
use kelso_reports::statistics::real;
use kelso_text::markup::escaped;
use kelso_text::plural::counted;

pub fn page(report: &MatchReport, games: &[MatchGame]) -> String {
    let names: Vec<&str> = report.engines.iter().map(|entry| entry.name.as_str()).collect();
    let note = super::repeats(report).map(|note| format!("<p>{note}</p>\n")).unwrap_or_default();
    let mut body = format!(
        "<p class=\"soft\">{}, openings {}, rules {}</p>\n{note}",
        counted(report.games, "game"),
        escaped(&report.conditions.openings),
        escaped(&report.conditions.rules)
    );
    for section in sections(report) {
        match section {
            Section::Table(heading, table) => {
                body.extend(heading.map(|heading| format!("<h2>{}</h2>\n", escaped(&heading))));
                body.push_str(&table.html());
                body.push('\n');
            }
            Section::Lines(lines) => {
                body.extend(lines.iter().map(|line| format!("<p>{}</p>\n", escaped(line))));
            }
        }
    }
    let engines = report.engines.iter().filter(|entry| !entry.settings.is_empty());
    body.extend(engines.map(|EngineResult { name, settings, .. }| {
        format!("<p class=\"soft\">{}: {}</p>\n", escaped(name), escaped(settings))
    }));
    body += "<h2>Score over time</h2>\n<p class=\"soft\">By game, in the order of the schedule</p>\n";
    body += &score_chart(&names, games);
    body.push('\n');
    let games: Vec<PageGame> = games.iter().map(entry).collect();
    page::page(&report.conditions.event, &body, "ended by", &games)
}

fn entry(game: &MatchGame) -> PageGame {
    let opening = vec![PlyNote { text: "opening".to_owned(), ..PlyNote::default() }; game.opening_plies];
    let played = game.moves().map(|(side, ply)| PlyNote {
        text: note(ply, side),
        score: ply.search.score.map(|score| charted(score, side, PROVED_CHART_SCORE)),
        ..PlyNote::default()
    });
    let notes = opening.into_iter().chain(played);
    PageGame::new(u64::from(game.number) + 1, &game.record(), &game.ending(), &game.opening, notes)
}

/// The score that stands for a proved result, at the edge of the chart.
const PROVED_CHART_SCORE: i32 = 3000;

fn note(ply: &Ply, side: Color) -> String {
    let SearchInfo { score, depth, nodes, time, .. } = ply.search;
    let parts = [
        score.map(|score| score.describe(side)),
        depth.map(|depth| format!("depth {depth}")),
        time.map(|time| format!("{} ms", time.as_millis())),
        nodes.map(|nodes| format!("{nodes} nodes")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

const CHART_WIDTH: f64 = 900.0;
const MAX_POINTS: usize = 300;

/// Draws each engine's score after each game, in schedule order. With two engines, only the first is drawn,
/// with its 95% confidence interval.
fn score_chart(names: &[&str], games: &[MatchGame]) -> String {
    let alone = names.len() == 2;
    let shown = if alone { &names[..1] } else { names };
    let curves =
        shown.iter().map(|name| Curve { name: (*name).to_owned(), points: course(name, games, alone) });
    let x = Axis::whole("game", 0, u32::try_from(games.len()).unwrap_or(u32::MAX));
    let y = Axis::percent("score in percent");
    chart::draw("", &[Panel { width: CHART_WIDTH, x, y, curves: curves.collect() }])
}

fn course(name: &str, games: &[MatchGame], interval: bool) -> Vec<Point> {
    let every = games.len().div_ceil(MAX_POINTS).max(1);
    let mut wdl = WdlCounts::default();
    let mut points = Vec::new();
    for (number, game) in (1..).zip(games) {
        let side = Color::BOTH.into_iter().find(|side| game.players[side.index()] == name);
        if let Some(side) = side {
            wdl.count(game.result.wdl(side));
        }
        // A score from one or two games is meaningless.
        if wdl.total() >= 3 && (number % every == 0 || number == games.len()) {
            let score = wdl.score();
            let count = real(wdl.total());
            let squares = real(wdl.wins) + 0.25 * real(wdl.draws);
            let error = 1.96 * ((squares / count - score * score).max(0.0) / count).sqrt();
            let error = if interval { 100.0 * error } else { 0.0 };
            points.push(Point { x: real(number as u64), y: 100.0 * score, error });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::match_game::Termination;
    use crate::match_game::tests::record;
    use crate::tally::Tally;
    use kelso_draughts::notation::{fen, movetext};
    use kelso_draughts::result::{EndReason, GameResult};
    use kelso_players::player::FaultKind;

    #[test]
    fn a_page_is_complete_and_escapes_its_data() {
        let mut game = MatchGame { detail: "<i>".to_owned(), ..record() };
        game.players[0] = "</script><b>".to_owned();
        let mut tally = Tally::new(["</script><b>", "B"]);
        tally.add_named(&game, None);
        let page = page(&MatchReport::new((&header()).into(), &tally), &[game]);
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<b>") && !page.contains("<i>"));
        // The SVG namespace is a URL, but is not loaded.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http"), "the page needs something from elsewhere");
    }

    #[test]
    fn a_page_has_all_parts_of_a_report() {
        let mut tally = Tally::new(["A", "B"]);
        for _ in 0..2 {
            tally.add_named(&record(), None);
        }
        let mut header = header();
        header.engines[1].settings.clear();
        let page = page(&MatchReport::new((&header).into(), &tally), &[record(), record()]);
        let mut rest = &page[..];
        for part in [
            "<p class=\"soft\">2 games, openings three-move, rules standard 80</p>\n",
            "<p>1 of 2 games repeats an earlier game and is excluded from estimates and tests</p>\n",
            "<table",
            "<p>Drawn 0.0% of games; Black won 0, White won 2",
            "<p>Ended by: time forfeit (2)</p>\n<p class=\"soft\">A: tc=60+0.5 option.Hash=64</p>\n\
             <h2>Score over time</h2>\n<p class=\"soft\">By game, in the order of the schedule</p>\n<svg",
        ] {
            rest = rest.split_once(part).unwrap_or_else(|| panic!("{part} is missing from\n{page}")).1;
        }
        let entry = page::page("", "", "", &[entry(&record())]);
        assert_eq!(entry.matches("\"opening\"").count(), 3);
        let ply = &record().plies[3];
        assert_eq!(note(ply, Color::White), "White +0.12, depth 14, 103 ms, 120034 nodes");
        assert_eq!(note(&Ply::new(ply.mv), Color::White), "");
    }

    #[test]
    fn games_are_shown_with_scores_of_white() {
        let mut game = record();
        game.start = fen::parse("W:W22:B18,11").unwrap();
        game.opening_plies = 0;
        game.plies = vec![game.plies.swap_remove(3)];
        game.plies[0].mv = movetext::parse(&game.start, "22x8").unwrap();
        let page = page::page("", "", "", &[entry(&game)]);
        assert!(
            page.contains(r#""22x8/11/18","White +0.12, depth 14, 103 ms, 120034 nodes",12,0"#),
            "{page}"
        );
    }

    #[test]
    fn long_matches_have_few_points_and_end_at_their_last_game() {
        let games = vec![record(); 5000];
        let points = course("B", &games, true);
        assert!(points.len() <= MAX_POINTS && (points.last().unwrap().x - 5000.0).abs() < 0.5);
        assert!(points.iter().all(|point| (point.y - 100.0).abs() < 1e-9 && point.error < 1e-9));
        // Every 17th of 5000 games, and the last.
        assert_eq!((points.len(), points[0].x.round(), points[293].x.round()), (295, 17.0, 4998.0));
        assert!(course("C", &games, true).is_empty());
        assert_eq!(course("A", &games[..2], true).len(), 0);
    }

    #[test]
    fn the_score_has_an_interval() {
        let mut games = vec![record(); 4];
        games[1].result = GameResult::Draw;
        games[1].termination = Termination::Regular(EndReason::Repetition);
        games[3].result = GameResult::BlackWins;
        games[3].termination = Termination::Fault(FaultKind::Time);
        // B has scored 2.5 of 4 points with White. The mean square of its scores is 0.5625, so their variance
        // is 0.171875.
        let points = course("B", &games, true);
        assert_eq!(points.iter().map(|point| point.x.round()).collect::<Vec<_>>(), [3.0, 4.0]);
        assert!(
            (points[1].y - 62.5).abs() < 1e-9 && (points[1].error - 40.628_65).abs() < 1e-4,
            "{points:?}"
        );
        assert!(course("B", &games, false).iter().all(|point| point.error < 1e-9));
    }

    #[test]
    fn a_page_without_games_or_with_strange_names_is_valid() {
        assert!(score_chart(&[], &[]).ends_with("</svg>\n"));
        let drawing = score_chart(&["<A>", "B"], &[record()]);
        assert!(drawing.contains("&lt;A&gt;") && !drawing.contains("<A>"));
    }
}
