//! The native protocol: UCI's verbs.

use std::fmt::Write;

use super::{Identity, Info, Reply, Task};
use crate::ScoreKind;
use crate::state::GameState;
use draughts::board::Color;
use draughts::notation::{fen, movetext};

pub(super) fn introduce(line: &str, identity: &mut Identity) -> bool {
    if let Some(name) = line.strip_prefix("id name ") {
        name.trim().clone_into(&mut identity.name);
    } else if let Some(author) = line.strip_prefix("id author ") {
        author.trim().clone_into(&mut identity.author);
    } else if let Some(option) = line.strip_prefix("option name ") {
        let name = option.split(" type ").next().unwrap_or(option);
        identity.add_option(name.trim());
    }
    line.trim() == "uciok"
}

pub(super) fn position(course: &GameState) -> String {
    let (start, moves) = (course.base(), course.since());
    let mut line = format!("position fen {}", fen::format(start));
    if !moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(&movetext::format_line(start, moves));
    }
    line
}

pub(super) fn go(task: &Task<'_>, ponder: bool) -> String {
    let mut line = String::from(if ponder { "go ponder" } else { "go" });
    // Writing to a string can't fail.
    for (side, time, increment) in [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")] {
        if task.clock(task.side).is_some()
            && let Some(clock) = task.clock(side)
        {
            let _ = write!(line, " {time} {}", clock.left().as_millis());
            let _ = write!(line, " {increment} {}", clock.increment().as_millis());
        }
    }
    if let Some(moves) = task.clock(task.side).and_then(|clock| clock.moves_to_go()) {
        let _ = write!(line, " movestogo {moves}");
    }
    if let Some(time) = task.limits.movetime {
        let _ = write!(line, " movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = task.limits.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = task.limits.depth {
        let _ = write!(line, " depth {depth}");
    }
    line
}

/// What follows `info string error`, with or without a colon. Engines differ in capitals.
fn complaint(line: &str) -> Option<&str> {
    let mut rest = line;
    for word in ["info", "string", "error"] {
        let (start, after) = rest.trim_start().split_at_checked(word.len())?;
        let whole = after.is_empty() || after.starts_with([':', ' ', '\t']);
        if !whole || !start.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = after;
    }
    Some(rest.trim_start_matches(':').trim())
}

pub(super) fn understand(line: &str) -> Reply<'_> {
    if let Some(text) = complaint(line) {
        return Reply::Error(text);
    }
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("info") => info(words),
        Some("bestmove") => {
            let mv = words.next().filter(|&text| text != "none");
            let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
            Reply::Best { mv, ponder }
        }
        Some("readyok") => Reply::Ready,
        Some("error" | "error:") => Reply::Error(line),
        _ => Reply::Other,
    }
}

/// The numbers of an info line. Of several lines (`multipv`) the first counts; a text or a variation ends it.
fn info<'a>(mut words: impl Iterator<Item = &'a str>) -> Reply<'a> {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "multipv" if words.next() != Some("1") => return Reply::Info(Info::default()),
            "depth" => info.depth = words.next().and_then(|text| text.parse().ok()),
            "nodes" => info.nodes = words.next().and_then(|text| text.parse().ok()),
            "score" => info.score = score(words.next(), words.next()),
            "database" => info.score = database(words.next()).or(info.score),
            "string" | "pv" => break,
            _ => {}
        }
    }
    Reply::Info(info)
}

/// What follows `pv`, if it is no worse line of several.
pub(super) fn best_line(line: &str) -> Option<&str> {
    let (before, moves) = line.strip_prefix("info ")?.split_once(" pv ")?;
    let words: Vec<&str> = before.split_ascii_whitespace().collect();
    let rank = words.iter().position(|&word| word == "multipv").and_then(|at| words.get(at + 1));
    (!words.contains(&"string") && rank.is_none_or(|&rank| rank == "1")).then_some(moves)
}

/// A result that Kelso adds to a `cp`.
pub(super) fn database(word: Option<&str>) -> Option<ScoreKind> {
    match word? {
        "win" => Some(ScoreKind::Win(None)),
        "loss" => Some(ScoreKind::Loss(None)),
        _ => None,
    }
}

/// `cp 34`, `win 5`, `loss 5`; and UCI's `mate 3`, which counts moves and gives losses a minus.
fn score(kind: Option<&str>, number: Option<&str>) -> Option<ScoreKind> {
    let number = number?;
    match kind? {
        "cp" => number.parse().ok().map(ScoreKind::Cp),
        "win" => number.parse().ok().map(|plies| ScoreKind::Win(Some(plies))),
        "loss" => number.parse().ok().map(|plies| ScoreKind::Loss(Some(plies))),
        "mate" => number.parse::<i32>().ok().map(|moves| {
            let plies = moves.unsigned_abs().saturating_mul(2);
            if moves > 0 {
                ScoreKind::Win(Some(plies.saturating_sub(1)))
            } else {
                ScoreKind::Loss(Some(plies))
            }
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Clock, Limits, Remaining};
    use draughts::board::Position;

    #[test]
    fn the_best_line_is_told() {
        assert_eq!(best_line("info depth 9 score cp 3 nodes 8 pv 11-15 23-19"), Some("11-15 23-19"));
        assert_eq!(best_line("info depth 9 multipv 1 pv 11-15"), Some("11-15"));
        for line in ["info depth 9 multipv 2 pv 11-15", "info string no pv here", "bestmove 1-5 pv 2"] {
            assert_eq!(best_line(line), None, "{line}");
        }
    }

    #[test]
    fn introductions_are_read() {
        let mut identity = Identity::default();
        for line in ["id name Kelso 1.0", "id author Them", "option name Move Overhead type spin default 1"] {
            assert!(!introduce(line, &mut identity));
        }
        assert!(introduce("uciok", &mut identity));
        assert_eq!((identity.name.as_str(), identity.author.as_str()), ("Kelso 1.0", "Them"));
        assert_eq!(identity.options, ["Move Overhead"]);
    }

    #[test]
    fn limits_are_asked_for() {
        let clock = Some(Remaining::new(Clock::parse("40/60+0.5").unwrap()));
        let limits = Limits { depth: Some(9), nodes: Some(100), ..Limits::NONE };
        let task = Task { limits: &limits, clocks: [clock, None], side: Color::Black };
        assert_eq!(go(&task, false), "go btime 60000 binc 500 movestogo 40 nodes 100 depth 9");
        // The other side's clock is no reason to send one to a side without.
        let other = Task { side: Color::White, ..task };
        assert_eq!(go(&other, true), "go ponder nodes 100 depth 9");
    }

    #[test]
    fn positions_are_sent() {
        assert_eq!(
            position(&GameState::new(Position::start())),
            "position fen B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
        );
    }

    #[test]
    fn answers_are_understood() {
        let info = |line| match understand(line) {
            Reply::Info(info) => info,
            other => panic!("{other:?}"),
        };
        let full =
            "info depth 12 seldepth 20 multipv 1 score cp -34 nodes 1000 nps 5 time 7 pv 11-15 score cp 9";
        let expected = Info { score: Some(ScoreKind::Cp(-34)), depth: Some(12), nodes: Some(1000) };
        assert_eq!(info(full), expected);
        assert_eq!(info("info depth 1 multipv 2 score cp 1"), Info::default());
        assert_eq!(info("info score win 5").score, Some(ScoreKind::Win(Some(5))));
        assert_eq!(info("info score cp -20560 database loss pv 1-5").score, Some(ScoreKind::Loss(None)));
        assert_eq!(info("info score mate -2").score, Some(ScoreKind::Loss(Some(4))));
        assert_eq!(info("info score cp x depth -1 nodes"), Info::default());
        assert_eq!(
            understand("bestmove 11-15 ponder 23-18"),
            Reply::Best { mv: Some("11-15"), ponder: Some("23-18") }
        );
        assert_eq!(understand("bestmove none"), Reply::Best { mv: None, ponder: None });
        assert_eq!(understand("readyok"), Reply::Ready);
        assert_eq!(understand("info string error: bad value"), Reply::Error("bad value"));
        assert_eq!(understand("info string ERROR no file"), Reply::Error("no file"));
        assert_eq!(understand("error: unknown command"), Reply::Error("error: unknown command"));
        assert_eq!(understand("info string errors are rare"), Reply::Info(Info::default()));
        assert_eq!(understand("info string no error"), Reply::Info(Info::default()));
        assert_eq!(understand("hello"), Reply::Other);
    }
}
