//! Standalone HTML pages for stepping through games: a list of games, a board, the moves with notes, and a
//! chart of the score. A page is a single file and works without a server or network.

use serde_json::{Value, json};

use crate::diagram::{PIECES, STYLE};
use kelso_draughts::board::{Color, Move, Position};
use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::record::{GameRecord, Ply};
use kelso_text::markup::escaped;

/// The script that draws boards and score charts, plays moves, and steps through games.
pub const SCRIPT: &str = concat!(include_str!("board.js"), "\n", include_str!("score-chart.js"));
const LAYOUT: &str = include_str!("page.css");
const GAMES: &str = include_str!("games.js");
const SECTION: &str = include_str!("games.html");

/// A game of a page, as its script reads it.
#[derive(Clone, PartialEq, Debug)]
pub struct PageGame(Value);

/// The notes that a page shows with a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlyNote {
    /// A note, such as a score and a depth, or a better line.
    pub text: String,
    /// The score after the move from White's point of view, in hundredths of a man.
    pub score: Option<i32>,
    /// Whether the move is highlighted, for example as an error.
    pub marked: bool,
    /// A better move, drawn as an arrow before this move.
    pub best: Option<Move>,
}

impl PageGame {
    /// Creates a game from its number (from 1), its record, the reason why it ended, the name of its opening,
    /// and a note for each move. Moves carry their captured squares, so that the page needs no rules.
    pub fn new(
        number: u64,
        record: &GameRecord,
        ended: &str,
        opening: &str,
        notes: impl IntoIterator<Item = PlyNote>,
    ) -> Self {
        let [black, white] = Color::BOTH.map(|side| record.player(side).unwrap_or(side.title()));
        let start =
            if record.start == Position::start() { String::new() } else { fen::format(&record.start) };
        let plies = record.positions().zip(notes);
        let plies: Vec<Value> =
            plies.map(|((position, ply), note)| noted_ply(&position, ply, &note)).collect();
        Self(json!([number, black, white, record.result_text(), ended, opening, start, plies]))
    }
}

fn noted_ply(position: &Position, ply: &Ply, note: &PlyNote) -> Value {
    let mut text = movetext::format(position, ply.mv);
    for square in ply.mv.captured() {
        text = text + "/" + &square.to_string();
    }
    let mut entry = vec![json!(text), json!(note.text), json!(note.score), json!(u8::from(note.marked))];
    entry.extend(note.best.map(|best| json!(movetext::format(position, best))));
    Value::Array(entry)
}

/// Returns a page with a title, an HTML body, and games. In the list of games, `ended` is the heading of the
/// column that says why each game ended.
///
/// ```
/// use kelso_reports::page::{PageGame, PlyNote, page};
/// use kelso_draughts::{Position, notation::movetext, record::GameRecord};
///
/// let start = Position::start();
/// let game = GameRecord::of(start, [movetext::parse(&start, "11-15")?]);
/// let note = PlyNote { text: "depth 9".into(), score: Some(-12), ..PlyNote::default() };
/// let game = PageGame::new(1, &game, "agreed", "", [note]);
/// let html = page("A & B", "<p>One game.</p>\n", "ended by", &[game]);
/// assert!(html.contains("<title>A &amp; B</title>") && !html.contains("http"));
/// # Ok::<(), kelso_draughts::notation::MoveError>(())
/// ```
pub fn page(title: &str, body: &str, ended: &str, games: &[PageGame]) -> String {
    let title = escaped(title);
    let section = SECTION.replace("{{ended}}", &escaped(ended));
    let list: Value = games.iter().map(|game| game.0.clone()).collect();
    // A closing tag would end the script, so the data must not contain one.
    let data = list.to_string().replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}{LAYOUT}</style>\n</head>\n<body>\n<svg width=\"0\" height=\"0\" aria-hidden=\"true\">\n{PIECES}</svg>\n\
         <main>\n<h1>{title}</h1>\n{body}{section}</main>\n\
         <script type=\"application/json\" id=\"games\">{data}</script>\n\
         <script type=\"module\">\n{SCRIPT}\n{GAMES}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str, moves: &[&str]) -> PageGame {
        let start = fen::parse(fen).unwrap();
        let mut game = GameRecord::of(start, movetext::parse_moves(&start, moves).unwrap());
        game.tags.set("Black", "</script><b>");
        let note = PlyNote { text: "<i>".into(), score: Some(12), ..PlyNote::default() };
        PageGame::new(1, &game, "", "", vec![note; moves.len()])
    }

    #[test]
    fn a_page_is_complete_and_escapes_its_data() {
        let page = page("<b>", "", "<i>", &[game("W:W22:B18,11", &["22x8"])]);
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<b>") && !page.contains("<i>"));
        assert!(!page.contains("http"), "the page needs something from elsewhere");
    }

    #[test]
    fn moves_carry_what_they_capture() {
        let PageGame(value) = game("W:W22:B18,11", &["22x8"]);
        assert_eq!(value[6], "W:W22:B11,18");
        assert_eq!(value[7], json!([["22x8/11/18", "<i>", 12, 0]]));
        assert_eq!(game("B:W21-32:B1-12", &[]).0[6], "");
    }
}
