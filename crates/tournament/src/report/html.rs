//! The report as a self-contained page: tables, the score over time, and every game on a board.

use std::fmt::Write;

use super::{EngineResult, Report, chart, tables};
use crate::record::{GameRecord, PlyRecord};
use common::count::counted;
use common::markup::escaped;
use common::page::{self, Game, Ply};
use common::table::Table;
use draughts::board::Color;

/// Formats the page.
#[must_use]
pub fn page(report: &Report, games: &[GameRecord]) -> String {
    let names: Vec<&str> = report.engines.iter().map(|entry| entry.name.as_str()).collect();
    let note = super::repeats(report).map(|note| format!("<p>{note}</p>\n")).unwrap_or_default();
    let mut body = format!(
        "<p class=\"soft\">{}, openings {}, rules {}</p>\n{note}",
        counted(report.games, "game"),
        escaped(&report.openings),
        escaped(&report.rules)
    );
    // Writing to a string can't fail.
    let _ = write_tables(&mut body, report);
    let _ = writeln!(
        body,
        "<h2>ScoreKind over time</h2>\n<p class=\"soft\">By game, in the order of the schedule</p>\n{}",
        chart::svg(&names, games)
    );
    let games: Vec<Game> = games.iter().map(entry).collect();
    page::page(&report.event, &body, "ended by", &games)
}

fn write_tables(body: &mut String, report: &Report) -> std::fmt::Result {
    table(body, "Standings", &tables::standings(report))?;
    if let Some(test) = &report.test {
        writeln!(body, "<p>SPRT {}: {}</p>", escaped(&test.settings.to_string()), super::text::state(test))?;
    }
    for EngineResult { name, settings, .. } in
        report.engines.iter().filter(|entry| !entry.settings.is_empty())
    {
        writeln!(body, "<p class=\"soft\">{}: {}</p>", escaped(name), escaped(settings))?;
    }
    if let Some(pairs) = tables::pairs(report) {
        table(body, "Pairs of games on one opening, by points", &pairs)?;
    }
    if let Some(cross) = tables::cross(report) {
        let heading = format!("Cross-table, won-drawn-lost by the {} at the left", report.players());
        table(body, &heading, &cross)?;
    }
    if let Some(performance) = tables::performance(report) {
        table(body, "Play", &performance)?;
    }
    let reasons: Vec<_> = report.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let black = report.black;
    writeln!(
        body,
        "<p>Drawn {:.1}% of games; Black won {}, White won {} (Black’s score {:.1}%); {:.1} plies a game. \
         Ended by {}.</p>",
        report.draw_ratio * 100.0,
        black.wins,
        black.losses,
        black.score() * 100.0,
        report.plies,
        reasons.join(", ")
    )
}

fn table(body: &mut String, title: &str, table: &Table) -> std::fmt::Result {
    writeln!(body, "<h2>{title}</h2>\n{}", table.html())
}

/// Converts a game for the page.
fn entry(game: &GameRecord) -> Game {
    let mut side = game.start.side();
    let mut plies = Vec::with_capacity(game.book.len() + game.plies.len());
    for (mv, ply) in game.all_moves() {
        plies.push(Ply {
            mv,
            note: ply.map_or_else(|| "opening".to_owned(), |ply| note(ply, side)),
            score: ply.and_then(|ply| ply.score).map(|score| score.charted(side, CERTAIN)),
            marked: false,
            best: None,
        });
        side = !side;
    }
    let ended = match game.detail.as_str() {
        "" => game.reason.to_string(),
        detail => format!("{}: {detail}", game.reason),
    };
    Game {
        number: u64::from(game.game) + 1,
        players: [game.black.clone(), game.white.clone()],
        result: game.result.to_string(),
        ended,
        opening: game.opening.clone(),
        start: game.start,
        plies,
    }
}

/// The score of proved results, at the edge of the chart.
const CERTAIN: i32 = 3000;

/// Formats the data of a move.
fn note(ply: &PlyRecord, side: Color) -> String {
    let parts = [
        ply.score.map(|score| score.describe(side)),
        ply.depth.map(|depth| format!("depth {depth}")),
        ply.micros.map(|micros| format!("{} ms", micros / 1000)),
        ply.nodes.map(|nodes| format!("{nodes} nodes")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::tests::header;
    use crate::record::tests::{moves, record};
    use crate::tally::Tally;
    use draughts::notation::fen;

    #[test]
    fn a_page_is_whole_and_cannot_be_broken_out_of() {
        let game = GameRecord { black: "</script><b>".to_owned(), detail: "<i>".to_owned(), ..record() };
        let mut tally = Tally::new(["</script><b>", "B"]);
        tally.add(&game, None);
        let page = page(&Report::new(&(&header()).into(), &tally), &[game]);
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<b>") && !page.contains("<i>"));
        // The namespace of a drawing is not loaded.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http"), "the page needs something from elsewhere");
    }

    #[test]
    fn games_are_shown_with_scores_of_white() {
        let mut game = record();
        game.start = fen::parse("W:W22:B18,11").unwrap();
        game.book.clear();
        game.plies.truncate(1);
        game.plies[0].mv = moves(&game.start, &["22x8"])[0];
        let shown = entry(&game);
        assert_eq!(shown.plies[0].note, "White +0.12, depth 14, 103 ms, 120034 nodes");
        assert_eq!(shown.plies[0].score, Some(12));
    }
}
