//! Finished games as PDN, with clocks, depths, scores, nodes and reasons in comments.

use std::fmt::Write;

use super::record::{GameRecord, PlyRecord};
use super::store::Header;
use crate::board::Color;

/// Where lines of moves are broken.
const WIDTH: usize = 100;

/// A game as PDN, an empty line at its end.
#[must_use]
pub fn format(header: &Header, record: &GameRecord) -> String {
    let mut text = String::with_capacity(64 * (record.plies.len() + 16));
    let mut tag = |name: &str, value: &str| {
        // Writing to a string can't fail. PDN has no escapes that all readers know.
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace(['"', '\n', '\r'], "'"));
    };
    tag("Event", &header.event);
    if let Some(date) = &header.date {
        tag("Date", date);
    }
    tag("Round", &format!("{}.{}", record.round + 1, record.game + 1));
    tag("Black", &record.black);
    tag("White", &record.white);
    tag("Result", &record.result.to_string());
    tag("GameType", "21");
    tag("SetUp", "1");
    tag("FEN", &record.fen);
    tag("Opening", &record.opening);
    tag("Termination", record.reason.word());
    if !record.detail.is_empty() {
        tag("Detail", &record.detail);
    }
    if !record.stderr.is_empty() {
        tag("Stderr", &record.stderr);
    }
    tag("BlackSettings", header.settings(&record.black));
    tag("WhiteSettings", header.settings(&record.white));
    tag("Rules", &header.rules.to_string());
    tag("Openings", &header.openings);
    tag("Seed", &header.seed.to_string());
    tag("Pair", &record.pair.to_string());
    text.push('\n');
    text.push_str(&moves(record));
    text.push_str("\n\n");
    text
}

/// Move numbers, moves, comments and the result, in lines of moderate length.
fn moves(record: &GameRecord) -> String {
    let mut lines = Lines::default();
    let mut side = record.first_side();
    let mut number = 1;
    let book = record.book.iter().map(|text| (text, None));
    let played = record.plies.iter().map(|ply| (&ply.text, Some(ply)));
    for (n, (text, ply)) in book.chain(played).enumerate() {
        match side {
            Color::Black => lines.push(&format!("{number}.")),
            Color::White if n == 0 => lines.push(&format!("{number}...")),
            Color::White => {}
        }
        lines.push(text);
        if let Some(ply) = ply {
            let comment = comment(ply);
            if !comment.is_empty() {
                lines.push(&comment);
            }
        }
        if side == Color::White {
            number += 1;
        }
        side = !side;
    }
    let reason = record.reason.to_string();
    let detail = if record.detail.is_empty() { reason } else { format!("{reason}: {}", record.detail) };
    for word in format!("{{{}}}", detail.replace(['{', '}'], "'")).split(' ') {
        lines.push(word);
    }
    lines.push(&record.result.to_string());
    lines.text
}

/// What is known of a move, as `key=value` words: `{score=+12 depth=14 nodes=120034 time=0.103 clock=59.897}`.
fn comment(ply: &PlyRecord) -> String {
    let parts = [
        ply.score.map(|score| format!("score={score}")),
        ply.depth.map(|depth| format!("depth={depth}")),
        ply.nodes.map(|nodes| format!("nodes={nodes}")),
        ply.micros.map(|micros| format!("time={}.{:06}", micros / 1_000_000, micros % 1_000_000)),
        ply.clock.map(|ms| format!("clock={}.{:03}", ms / 1000, ms % 1000)),
    ];
    let words: Vec<_> = parts.into_iter().flatten().collect();
    if words.is_empty() { String::new() } else { format!("{{{}}}", words.join(" ")) }
}

/// Words put into lines.
#[derive(Default)]
struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    fn push(&mut self, word: &str) {
        if self.width > 0 {
            let fits = self.width + 1 + word.len() <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.width = if fits { self.width + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.width += word.len();
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::arena::record::{GameResult, Reason};
    use crate::arena::score::Score;
    use crate::arena::store::tests::header;

    pub(in crate::arena) fn record() -> GameRecord {
        GameRecord {
            game: 4,
            pair: 2,
            round: 2,
            black: "A".to_owned(),
            white: "B".to_owned(),
            opening: "three-move 1".to_owned(),
            fen: "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12".to_owned(),
            book: vec!["9-13".to_owned(), "21-17".to_owned(), "5-9".to_owned()],
            plies: vec![
                PlyRecord {
                    text: "23-18".to_owned(),
                    score: Some(Score::Cp(12)),
                    depth: Some(14),
                    nodes: Some(120_034),
                    micros: Some(103_000),
                    clock: Some(59_897),
                },
                PlyRecord {
                    text: "9-14".to_owned(),
                    score: None,
                    depth: None,
                    nodes: None,
                    micros: None,
                    clock: None,
                },
            ],
            result: GameResult::WhiteWins,
            reason: Reason::Time,
            detail: "A took \"9\" s".to_owned(),
            stderr: String::new(),
        }
    }

    #[test]
    fn a_game_is_written_with_all_that_is_known() {
        let text = format(&header(), &record());
        let (tags, moves) = text.split_once("\n\n").unwrap();
        assert!(tags.contains("[Result \"0-1\"]\n") && tags.contains("[Detail \"A took '9' s\"]"), "{tags}");
        assert_eq!(
            moves,
            "1. 9-13 21-17 2. 5-9 23-18 {score=+12 depth=14 nodes=120034 time=0.103000 clock=59.897} 3. 9-14\n\
             {time forfeit: A took \"9\" s} 0-1\n\n"
        );
    }
}
