//! Standalone HTML pages for stepping through games: a list of games, a board, the moves with notes, and a chart of the
//! score. A page is a single file that needs neither a server nor a network.

use serde_json::{Value, json};

use draughts::board::{Move, Position};
use draughts::diagram::{PIECES, STYLE};
use draughts::notation::{fen, movetext};

use text::markup::escaped;

/// The script that draws boards and score charts, plays moves, and steps through games.
pub const SCRIPT: &str = concat!(include_str!("board.js"), "\n", include_str!("score-chart.js"));
const LAYOUT: &str = include_str!("page.css");
const GAMES: &str = include_str!("games.js");
const SECTION: &str = include_str!("games.html");

/// A game of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Number, from 1.
    pub number: u64,
    /// The names of Black and White.
    pub players: [String; 2],
    /// The result, such as `1-0`.
    pub result: String,
    /// The reason for the result.
    pub ended: String,
    /// The name of the opening.
    pub opening: String,
    pub start: Position,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move of a game, with notes.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    pub mv: Move,
    /// A note, such as a score and a depth, or a better line.
    pub note: String,
    /// The score after the move from White's point of view, in hundredths of a man.
    pub score: Option<i32>,
    /// Whether the move is highlighted, for example as an error.
    pub marked: bool,
    /// A better move, drawn as an arrow before this move.
    pub best: Option<Move>,
}

/// Returns a page with a title, an HTML body, and games. `ended` is the heading of [`Game::ended`] in the list of games.
///
/// ```
/// use reports::page::{Game, Ply, page};
/// use draughts::{Position, notation::movetext};
///
/// let start = Position::start();
/// let mv = movetext::parse(&start, "11-15")?;
/// let plies = vec![Ply { mv, note: "depth 9".into(), score: Some(-12), marked: false, best: None }];
/// let players = ["A".to_owned(), "B".to_owned()];
/// let game =
///     Game { number: 1, players, result: "*".into(), ended: "".into(), opening: "".into(), start, plies };
/// let html = page("A & B", "<p>One game.</p>\n", "ended by", &[game]);
/// assert!(html.contains("<title>A &amp; B</title>") && !html.contains("http"));
/// # Ok::<(), draughts::notation::MoveError>(())
/// ```
pub fn page(title: &str, body: &str, ended: &str, games: &[Game]) -> String {
    let (title, section) = (escaped(title), SECTION.replace("{{ended}}", &escaped(ended)));
    let list = Value::Array(games.iter().map(entry).collect());
    // A closing tag would end the script, so the data must not contain any.
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

/// Converts a game for the script. Moves carry their captured squares, so that the page needs no rules.
fn entry(game: &Game) -> Value {
    let mut position = game.start;
    let mut plies = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        let captured = ply.mv.captured().iter().map(|square| format!("/{square}"));
        let text: String = std::iter::once(movetext::format(&position, ply.mv)).chain(captured).collect();
        let mut entry = vec![json!(text), json!(ply.note), json!(ply.score), json!(u8::from(ply.marked))];
        entry.extend(ply.best.map(|best| json!(movetext::format(&position, best))));
        plies.push(Value::Array(entry));
        position = position.after(ply.mv);
    }
    let [black, white] = &game.players;
    json!([
        game.number,
        black,
        white,
        game.result,
        game.ended,
        game.opening,
        if game.start == Position::start() { String::new() } else { fen::format(&game.start) },
        plies
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen_text: &str, moves: &[&str]) -> Game {
        let start = fen::parse(fen_text).unwrap();
        let mut position = start;
        let mut plies = Vec::new();
        for text in moves {
            let mv = movetext::parse(&position, text).unwrap();
            plies.push(Ply { mv, note: "<i>".into(), score: Some(12), marked: false, best: None });
            position = position.after(mv);
        }
        Game {
            number: 1,
            players: ["</script><b>".into(), "B".into()],
            result: "1-0".into(),
            ended: String::new(),
            opening: String::new(),
            start,
            plies,
        }
    }

    #[test]
    fn a_page_is_whole_and_cannot_be_broken_out_of() {
        let page = page("<b>", "", "<i>", &[game("W:W22:B18,11", &["22x8"])]);
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(!page.contains("<b>") && !page.contains("<i>"));
        assert!(!page.contains("http"), "the page needs something from elsewhere");
    }

    #[test]
    fn moves_carry_what_they_capture() {
        let value = entry(&game("W:W22:B18,11", &["22x8"]));
        assert_eq!(value[6], "W:W22:B11,18");
        assert_eq!(value[7], json!([["22x8/11/18", "<i>", 12, 0]]));
        assert_eq!(entry(&game("B:W21-32:B1-12", &[]))[6], "");
    }
}
