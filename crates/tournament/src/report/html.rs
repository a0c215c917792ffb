//! A report as one page that needs nothing else: tables, the score over time, and every game on a drawn board.

use std::fmt::Write;

use super::{Entry, Summary, chart, tables};
use crate::record::{GameRecord, PlyRecord};
use common::count::counted;
use common::markup::escaped;
use common::page::{self, Game, Ply};
use common::table::Table;
use draughts::board::Color;

/// The page.
#[must_use]
pub fn page(summary: &Summary, games: &[GameRecord]) -> String {
    let names: Vec<&str> = summary.engines.iter().map(|entry| entry.name.as_str()).collect();
    let note = super::repeats(summary).map(|note| format!("<p>{note}</p>\n")).unwrap_or_default();
    let mut body = format!(
        "<p class=\"soft\">{}, openings {}, rules {}</p>\n{note}",
        counted(summary.games, "game"),
        escaped(&summary.openings),
        escaped(&summary.rules)
    );
    // Writing to a string can't fail.
    let _ = write_tables(&mut body, summary);
    let _ = writeln!(
        body,
        "<h2>ScoreKind over time</h2>\n<p class=\"soft\">By game, in the order of the schedule</p>\n{}",
        chart::svg(&names, games)
    );
    let games: Vec<Game> = games.iter().map(entry).collect();
    page::page(&summary.event, &body, "ended by", &games)
}

fn write_tables(body: &mut String, summary: &Summary) -> std::fmt::Result {
    table(body, "Standings", &tables::standings(summary))?;
    if let Some(test) = &summary.test {
        writeln!(body, "<p>SPRT {}: {}</p>", escaped(&test.settings.to_string()), super::text::state(test))?;
    }
    for Entry { name, settings, .. } in summary.engines.iter().filter(|entry| !entry.settings.is_empty()) {
        writeln!(body, "<p class=\"soft\">{}: {}</p>", escaped(name), escaped(settings))?;
    }
    if let Some(pairs) = tables::pairs(summary) {
        table(body, "Pairs of games on one opening, by points", &pairs)?;
    }
    if let Some(cross) = tables::cross(summary) {
        let heading = format!("Cross-table, won-drawn-lost by the {} at the left", summary.players());
        table(body, &heading, &cross)?;
    }
    if let Some(efforts) = tables::efforts(summary) {
        table(body, "Play", &efforts)?;
    }
    let reasons: Vec<_> = summary.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let black = summary.black;
    writeln!(
        body,
        "<p>Drawn {:.1}% of games; Black won {}, White won {} (Black’s score {:.1}%); {:.1} plies a game. \
         Ended by {}.</p>",
        summary.draw_ratio * 100.0,
        black.wins,
        black.losses,
        black.score() * 100.0,
        summary.plies,
        reasons.join(", ")
    )
}

fn table(body: &mut String, title: &str, table: &Table) -> std::fmt::Result {
    writeln!(body, "<h2>{title}</h2>\n{}", table.html())
}

/// A game as the page shows it.
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

/// Proved results are at the edge of every chart.
const CERTAIN: i32 = 3000;

/// What the engine said of its move, for people.
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
        let page = page(&Summary::new(&(&header()).into(), &tally), &[game]);
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<b>") && !page.contains("<i>"));
        // A drawing says what it is; that names a place, but nothing is loaded from there.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http"), "the page needs something from elsewhere");
    }

    #[test]
    fn games_are_told_with_scores_as_white_sees_them() {
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
