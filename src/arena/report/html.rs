//! A report as one page that needs nothing else: tables, the score over time, and every game on a drawn board.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{Entry, Summary, chart, tables};
use crate::arena::record::{GameRecord, PlyRecord};
use crate::board::{Move, Position};
use crate::common::count::counted;
use crate::common::markup::escaped;
use crate::common::table::Table;
use crate::notation::{fen, movetext};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
#[must_use]
pub fn page(summary: &Summary, games: &[GameRecord]) -> String {
    let title = escaped(&summary.event);
    let names: Vec<&str> = summary.engines.iter().map(|entry| entry.name.as_str()).collect();
    let list = Value::Array(games.iter().map(entry).collect());
    // A script's text ends at the first tag that closes it, so that no such may be in the data.
    let data = list.to_string().replace('<', "\\u003c");
    let mut body = String::new();
    // Writing to a string can't fail.
    let _ = write_tables(&mut body, summary);
    let note = super::repeats(summary).map(|note| format!("<p>{note}</p>\n")).unwrap_or_default();
    let drawing = chart::svg(&names, games);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p class=\"soft\">{}, openings {}, rules {}</p>\n{note}{body}\
         <h2>Score over time</h2>\n<p class=\"soft\">By game, in the order of the schedule</p>\n{drawing}\n{GAMES}\
         </main>\n<script type=\"application/json\" id=\"games\">{data}</script>\n<script>\n{SCRIPT}</script>\n\
         </body>\n</html>\n",
        counted(summary.games, "game"),
        escaped(&summary.openings),
        escaped(&summary.rules),
    )
}

/// What the script fills.
const GAMES: &str = "<h2>Games</h2>
<div class=\"games\">
<div class=\"list\">
<div class=\"bar\"><input id=\"filter\" placeholder=\"filter: names, result, reason\" aria-label=\"filter\">
<button id=\"before\" aria-label=\"page before\">‹</button><button id=\"after\" aria-label=\"next page\">›</button>
<span id=\"count\" class=\"soft\"></span></div>
<div class=\"wide\"><table><thead><tr><th>game</th><th>Black</th><th>White</th><th>result</th><th>ended by</th><th>plies</th></tr></thead>
<tbody id=\"rows\"></tbody></table></div>
</div>
<div class=\"replay\">
<p id=\"players\"></p>
<svg id=\"board\" class=\"board\" viewBox=\"0 0 320 320\" role=\"img\" aria-label=\"board\"></svg>
<div class=\"bar\"><button id=\"first\" aria-label=\"first position\">⏮</button><button id=\"back\" aria-label=\"back\">◀</button>
<button id=\"next\" aria-label=\"next\">▶</button><button id=\"last\" aria-label=\"last position\">⏭</button>
<span id=\"note\" class=\"soft\"></span></div>
<div id=\"moves\" class=\"moves\"></div>
</div>
</div>
";

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
    writeln!(body, "<h2>{title}</h2>\n<div class=\"wide\"><table>")?;
    for (number, row) in table.rows().iter().enumerate() {
        let tag = if number == 0 { "th" } else { "td" };
        write!(body, "<tr>")?;
        for cell in row {
            write!(body, "<{tag}>{}</{tag}>", escaped(cell))?;
        }
        writeln!(body, "</tr>")?;
    }
    writeln!(body, "</table></div>")
}

/// A game as the script reads it: the captured squares go with each move, so that the page needs no rules.
fn entry(game: &GameRecord) -> Value {
    let mut position = fen::parse(&game.fen).unwrap_or_else(|_| Position::start());
    let start = fen::format(&position);
    let mut moves = Vec::with_capacity(game.book.len() + game.plies.len());
    for text in game.book.iter().chain(game.plies.iter().map(|ply| &ply.text)) {
        let Ok(mv) = movetext::parse(&position, text) else { break };
        moves.push(with_captures(text, mv));
        position = position.after(mv);
    }
    let detail = match game.detail.as_str() {
        "" => game.reason.to_string(),
        detail => format!("{}: {detail}", game.reason),
    };
    let notes: Vec<String> = game.plies.iter().map(note).collect();
    json!([
        u64::from(game.game) + 1,
        game.black,
        game.white,
        game.result,
        detail,
        game.opening,
        start,
        game.book.len(),
        moves,
        notes
    ])
}

fn with_captures(text: &str, mv: Move) -> String {
    let captured = mv.captured().iter().map(|square| format!("/{square}"));
    std::iter::once(text.to_owned()).chain(captured).collect()
}

/// What the engine said of its move, for people.
fn note(ply: &PlyRecord) -> String {
    let parts = [
        ply.score.map(|score| score.to_string()),
        ply.depth.map(|depth| format!("depth {depth}")),
        ply.micros.map(|micros| format!("{} ms", micros / 1000)),
        ply.nodes.map(|nodes| format!("{nodes} nodes")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::header::tests::header;
    use crate::arena::pdn::tests::record;
    use crate::arena::tally::Tally;

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
    fn moves_carry_what_they_capture() {
        let mut game = record();
        game.fen = "W:W22:B18,11".to_owned();
        game.book.clear();
        game.plies.truncate(1);
        game.plies[0].text = "22x8".to_owned();
        let value = entry(&game);
        assert_eq!(value[8], json!(["22x8/11/18"]));
        assert_eq!(value[9], json!(["+12, depth 14, 103 ms, 120034 nodes"]));
    }
}
