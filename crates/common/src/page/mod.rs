//! A page that stands alone: what its maker has to tell, and games to play through on a board, with a list of them, the
//! moves, what is said of each, and the score over the game. One file that needs nothing else, neither a server nor a
//! network; the arrow keys step.

use serde_json::{Value, json};

use draughts::board::{Move, Position};
use draughts::diagram::{PIECES, STYLE};
use draughts::notation::{fen, movetext};

use crate::markup::escaped;

/// The script that draws boards and score charts, plays moves, and steps through games.
pub const SCRIPT: &str = concat!(include_str!("board.js"), "\n", include_str!("score-chart.js"));
const LAYOUT: &str = include_str!("page.css");
const GAMES: &str = include_str!("games.js");
const SECTION: &str = include_str!("games.html");

/// A game for such a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its number, as people count.
    pub number: u64,
    /// Who played Black and White.
    pub players: [String; 2],
    /// `1-0` and so on.
    pub result: String,
    /// What ended it.
    pub ended: String,
    /// What its opening is called.
    pub opening: String,
    /// Where it begins.
    pub start: Position,
    /// What was played.
    pub plies: Vec<Ply>,
}

/// A move of a game, with what is said of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// In words, such as a score and a depth, or a better line.
    pub note: String,
    /// The score after it as White sees it, in hundredths of a man. What lies beyond the chart is drawn at its edge.
    pub score: Option<i32>,
    /// Whether it stands out, as an error does.
    pub marked: bool,
    /// What would have been better, drawn as an arrow before it.
    pub best: Option<Move>,
}

/// A page with a title, whatever its maker has written as HTML, and games. `ended` says in the list of games what stands in
/// [`Game::ended`].
///
/// ```
/// use common::page::{Game, Ply, page};
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
#[must_use]
pub fn page(title: &str, body: &str, ended: &str, games: &[Game]) -> String {
    let (title, section) = (escaped(title), SECTION.replace("{{ended}}", &escaped(ended)));
    let list = Value::Array(games.iter().map(entry).collect());
    // A script's text ends at the first tag that closes it, so that no such may be in the data.
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

/// A game as the script reads it: captured squares go with each move, so that the page needs no rules.
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
        // Nearly all games begin where games begin.
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
