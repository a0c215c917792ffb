//! The client's side of the native protocol. It also accepts the variants that UCI engines print: `mate`, and
//! errors in several forms.

use std::time::Duration;

use crate::client::database_result;
use crate::{Client, GoParams, Identity, OptionFault, Reply, Verb};
use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::notation::{MoveError, fen, movetext};
use kelso_draughts::record::SearchInfo;
use kelso_draughts::score::ReportedScore;

/// The client's side of the native protocol.
#[derive(Clone, Copy, Debug)]
pub struct NativeClient;

impl Client for NativeClient {
    fn verb(&self, verb: Verb) -> &'static str {
        match verb {
            Verb::Identify => "uci",
            Verb::Ready | Verb::Ping => "isready",
            Verb::NewGame => "ucinewgame",
            Verb::Stop => "stop",
            Verb::PonderHit => "ponderhit",
            Verb::Quit => "quit",
        }
    }

    fn parse_identity(&self, line: &str, identity: &mut Identity) -> bool {
        if let Some(name) = line.strip_prefix("id name ") {
            name.trim().clone_into(&mut identity.name);
        } else if let Some(author) = line.strip_prefix("id author ") {
            author.trim().clone_into(&mut identity.author);
        } else if let Some(option) = line.strip_prefix("option name ") {
            let name = option.split(" type ").next().unwrap_or(option);
            identity.add_option(name.trim(), line);
        }
        line.trim() == "uciok"
    }

    fn option_default(&self, line: &str) -> Result<Option<(String, String)>, OptionFault> {
        let Some(option) = line.strip_prefix("option name ") else { return Ok(None) };
        let Some((name, rest)) = option.split_once(" type ") else {
            return Err(OptionFault::Type(line.to_owned()));
        };
        let fault = |name, value: &str, expected| {
            Err(OptionFault::Value { line: line.to_owned(), name, value: value.to_owned(), expected })
        };
        let kind = rest.split_whitespace().next().unwrap_or_default();
        if !["spin", "check", "combo", "string", "button"].contains(&kind) {
            return fault("type", kind, "spin, check, combo, string or button");
        }
        let default = rest.split_once(" default ").map_or("", |(_, text)| text);
        let end = [" min ", " max ", " var "].iter().filter_map(|word| default.find(word)).min();
        let default = default.split_at(end.unwrap_or(default.len())).0.trim();
        if kind == "spin" && default.parse::<i64>().is_err() {
            return fault("default", default, "a whole number");
        }
        let settable = !default.is_empty() && default != "<empty>";
        Ok(settable.then(|| (name.trim().to_owned(), default.to_owned())))
    }

    fn set_option(&self, name: &str, value: &str) -> String {
        format!("setoption name {name} value {value}")
    }

    fn position(&self, game: &Game) -> String {
        let (start, moves) = game.since_capture();
        let line = movetext::format_line(start, moves);
        let moves = if moves.is_empty() { line } else { format!(" moves {line}") };
        format!("position fen {}{moves}", fen::format(start))
    }

    fn go(&self, _side: Color, go: &GoParams) -> String {
        go_line(go)
    }

    fn parse_reply<'a>(&self, line: &'a str) -> Reply<'a> {
        if let Some(text) = error_message(line) {
            return Reply::Error(text);
        }
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("info") => info(line),
            Some("bestmove") => {
                let mv = words.next().filter(|&text| text != "none");
                let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
                Reply::BestMove { mv, ponder }
            }
            Some("readyok") => Reply::Ready,
            Some("error" | "error:") => Reply::Error(line),
            _ => Reply::Other,
        }
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        movetext::parse(position, text)
    }
}

fn go_line(go: &GoParams) -> String {
    let flags = [("ponder", go.ponder), ("infinite", go.infinite)];
    let flags = flags.into_iter().filter(|(_, set)| *set).map(|(word, _)| format!(" {word}"));
    let [black, white] = Color::BOTH.map(Color::index);
    let numbers = [
        ("wtime", go.clocks[white].as_ref().map(Duration::as_millis)),
        ("winc", go.increments[white].as_ref().map(Duration::as_millis)),
        ("btime", go.clocks[black].as_ref().map(Duration::as_millis)),
        ("binc", go.increments[black].as_ref().map(Duration::as_millis)),
        ("movestogo", go.moves_to_go.map(u128::from)),
        ("movetime", go.move_time.map(|time| time.as_millis().max(1))),
        ("nodes", go.nodes.map(u128::from)),
        ("depth", go.depth.map(|depth| depth as u128)),
    ];
    let numbers = numbers.into_iter().filter_map(|(word, number)| Some(format!(" {word} {}", number?)));
    let moves = go.search_moves.iter().map(|mv| format!(" {mv}"));
    let search_moves = (!go.search_moves.is_empty()).then(|| " searchmoves".to_owned());
    ["go".to_owned()].into_iter().chain(flags).chain(numbers).chain(search_moves).chain(moves).collect()
}

/// Returns the text after `info string error`, with or without a colon. Engines differ in capitalisation.
fn error_message(line: &str) -> Option<&str> {
    let mut rest = line;
    for word in ["info", "string", "error"] {
        let (start, after) = rest.trim_start().split_at_checked(word.len())?;
        let is_whole_word = after.is_empty() || after.starts_with([':', ' ', '\t']);
        if !is_whole_word || !start.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = after;
    }
    Some(rest.trim_start_matches(':').trim())
}

/// Parses an `info` line. With `multipv`, only the best line is used.
fn info(line: &str) -> Reply<'_> {
    let (head, moves) = line.split_once(" pv ").map_or((line, None), |(head, moves)| (head, Some(moves)));
    let mut info = SearchInfo::default();
    let mut words = head.split_ascii_whitespace().skip(1);
    let mut bound = false;
    while let Some(word) = words.next() {
        match word {
            "multipv" => {
                let is_best = words.next() == Some("1");
                if !is_best {
                    return Reply::Info(SearchInfo::default(), None);
                }
            }
            "depth" => info.depth = words.next().and_then(|text| text.parse().ok()),
            "nodes" => info.nodes = words.next().and_then(|text| text.parse().ok()),
            "time" => {
                info.time = words.next().and_then(|text| text.parse().ok()).map(Duration::from_millis);
            }
            "score" => info.score = score(words.next(), words.next()),
            "database" => info.score = words.next().and_then(database_result).or(info.score),
            // An earlier exact score is better than a bound.
            "lowerbound" | "upperbound" => bound = true,
            "string" => return Reply::Info(info, None),
            _ => {}
        }
    }
    info.score = info.score.filter(|_| !bound);
    Reply::Info(info, moves)
}

/// Parses `cp 34`, `win 5` or `loss 5`, and also UCI's `mate 3`, which counts moves and is negative for a
/// loss.
fn score(kind: Option<&str>, number: Option<&str>) -> Option<ReportedScore> {
    let number = number?;
    match kind? {
        "cp" => number.parse().ok().map(ReportedScore::Cp),
        "win" => number.parse().ok().map(|plies| ReportedScore::Win(Some(plies))),
        "loss" => number.parse().ok().map(|plies| ReportedScore::Loss(Some(plies))),
        "mate" => number.parse::<i32>().ok().map(|moves| {
            let plies = moves.unsigned_abs().saturating_mul(2);
            if moves > 0 {
                ReportedScore::Win(Some(plies.saturating_sub(1)))
            } else {
                ReportedScore::Loss(Some(plies))
            }
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, EngineOutput, Native, Protocol};
    use kelso_draughts::notation::MoveText;
    use kelso_engine::search::{Limits, LineReport, Score, SearchEvent};
    use proptest::prelude::*;

    fn info_of(line: &str) -> (SearchInfo, Option<&str>) {
        match NativeClient.parse_reply(line) {
            Reply::Info(info, moves) => (info, moves),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn info_lines_of_lower_ranks_are_ignored() {
        assert_eq!(info_of("info depth 9 score cp 3 nodes 8 pv 11-15 23-19").1, Some("11-15 23-19"));
        assert_eq!(info_of("info depth 9 multipv 1 pv 11-15").1, Some("11-15"));
        for line in ["info depth 9 multipv 2 pv 11-15", "info string no pv here"] {
            assert_eq!(info_of(line).1, None, "{line}");
        }
        assert_eq!(info_of("info depth 1 multipv 2 score cp 1").0, SearchInfo::default());
    }

    #[test]
    fn introductions_are_parsed() {
        let mut identity = Identity::default();
        for line in ["id name Kelso 1.0", "id author Them", "option name Move Overhead type spin default 1"] {
            assert!(!NativeClient.parse_identity(line, &mut identity));
        }
        assert!(NativeClient.parse_identity("uciok", &mut identity));
        assert_eq!((identity.name.as_str(), identity.author.as_str()), ("Kelso 1.0", "Them"));
        assert_eq!(identity.options[0].name, "Move Overhead");
    }

    #[test]
    fn defaults_of_options_are_parsed() {
        let known = |name: &str, value: &str| Ok(Some((name.to_owned(), value.to_owned())));
        for (line, expected) in [
            ("option name Move Overhead type spin default 10 min 0 max 5000", known("Move Overhead", "10")),
            ("option name Style type combo default a b var a b var c", known("Style", "a b")),
            ("option name Ponder type check default false", known("Ponder", "false")),
            ("option name EgdbPath type string default <empty>", Ok(None)),
            ("option name Clear type button", Ok(None)),
            ("id name Kelso", Ok(None)),
        ] {
            assert_eq!(NativeClient.option_default(line), expected, "{line}");
        }
        for line in [
            "option name A",
            "option name A type number default 1",
            "option name A type spin default x min 1",
        ] {
            assert!(NativeClient.option_default(line).is_err(), "{line}");
        }
    }

    #[test]
    fn replies_are_parsed() {
        let full =
            "info depth 12 seldepth 20 multipv 1 score cp -34 nodes 1000 nps 5 time 7 pv 11-15 score cp 9";
        let time = Some(Duration::from_millis(7));
        let expected = SearchInfo {
            score: Some(ReportedScore::Cp(-34)),
            depth: Some(12),
            nodes: Some(1000),
            time,
            ..SearchInfo::default()
        };
        assert_eq!(info_of(full).0, expected);
        assert_eq!(info_of("info score win 5").0.score, Some(ReportedScore::Win(Some(5))));
        assert_eq!(
            info_of("info score cp -20560 database loss pv 1-5").0.score,
            Some(ReportedScore::Loss(None))
        );
        assert_eq!(info_of("info score mate -2").0.score, Some(ReportedScore::Loss(Some(4))));
        assert_eq!(info_of("info score cp x depth -1 nodes").0, SearchInfo::default());
        for bound in ["lowerbound", "upperbound"] {
            assert_eq!(info_of(&format!("info score cp 21622 {bound}")).0.score, None);
        }
        for (line, reply) in [
            ("bestmove 11-15 ponder 23-18", Reply::BestMove { mv: Some("11-15"), ponder: Some("23-18") }),
            ("bestmove none", Reply::BestMove { mv: None, ponder: None }),
            ("bestmove 1-5 pv 2", Reply::BestMove { mv: Some("1-5"), ponder: None }),
            ("readyok", Reply::Ready),
            ("info string error: bad value", Reply::Error("bad value")),
            ("info string ERROR no file", Reply::Error("no file")),
            ("error: unknown command", Reply::Error("error: unknown command")),
            ("info string errors are rare", Reply::Info(SearchInfo::default(), None)),
            ("info string no error", Reply::Info(SearchInfo::default(), None)),
            ("hello", Reply::Other),
        ] {
            assert_eq!(NativeClient.parse_reply(line), reply, "{line}");
        }
    }

    #[test]
    fn requests_are_read_by_the_engine() {
        let mut game = Game::new(fen::parse("B:WK32:BK1").unwrap());
        game.play(movetext::parse(game.position(), "1-5").unwrap());
        let go = GoParams::from(Limits::nodes(7));
        let text = NativeClient.search(&game, &go);
        let (position, search) = text.split_once('\n').unwrap();
        assert_eq!(Native.read(position).unwrap(), Some(Command::Position(game)));
        assert_eq!(Native.read(search).unwrap(), Some(Command::Go(go)));
    }

    #[test]
    fn the_engines_lines_are_parsed() {
        let line = vec![movetext::parse(&Position::start(), "11-15").unwrap()];
        let report = LineReport {
            depth: 9,
            selective_depth: 12,
            nodes: 77,
            hash_full: 1,
            time: Duration::from_millis(40),
            ..LineReport::new(Score::win_in(5), line)
        };
        let text = Native.write(&EngineOutput::Search(Position::start(), SearchEvent::Line(report)));
        let time = Some(Duration::from_millis(40));
        let expected = SearchInfo {
            score: Some(ReportedScore::Win(Some(5))),
            depth: Some(9),
            nodes: Some(77),
            time,
            ..SearchInfo::default()
        };
        assert_eq!(info_of(text.trim_end()), (expected, Some("11-15")));
    }

    fn times() -> impl Strategy<Value = [Option<Duration>; 2]> {
        prop::array::uniform2(prop::option::of((0_u64..100_000_000).prop_map(Duration::from_millis)))
    }

    proptest! {
        #[test]
        fn limits_are_read_back(
            depth in prop::option::of(1_usize..200),
            nodes in prop::option::of(1_u64..),
            move_time in prop::option::of((1_u64..100_000).prop_map(Duration::from_millis)),
            (infinite, ponder) in any::<(bool, bool)>(),
            (clocks, increments) in (times(), times()),
            moves_to_go in prop::option::of(1_u32..),
            moves in prop::sample::subsequence(vec!["9-13", "22x15x8", "12-16"], 0..=3),
        ) {
            let search_moves = moves.into_iter().map(|text| MoveText::parse(text).unwrap()).collect();
            let times = GoParams { move_time, clocks, increments, moves_to_go, ..GoParams::default() };
            let go = GoParams { depth, nodes, infinite, ponder, search_moves, ..times };
            prop_assert_eq!(Native.read(&go_line(&go)).unwrap(), Some(Command::Go(go)));
        }
    }

    #[test]
    fn options_and_positions_are_written() {
        assert_eq!(NativeClient.set_option("Move Overhead", "5"), "setoption name Move Overhead value 5");
        let mut game = Game::new(fen::parse("B:WK32:BK1").unwrap());
        assert_eq!(NativeClient.position(&game), "position fen B:WK32:BK1");
        game.play(movetext::parse(game.position(), "1-5").unwrap());
        assert_eq!(NativeClient.position(&game), "position fen B:WK32:BK1 moves 1-5");
        let instant = GoParams::from(Limits::move_time(Duration::ZERO));
        assert_eq!(NativeClient.go(Color::Black, &instant), "go movetime 1");
        assert_eq!(NativeClient.required_options(&Identity::default()), []);
    }

    #[test]
    fn faults_name_the_value() {
        let option = |line: &str| NativeClient.option_default(line).unwrap_err().to_string();
        for (message, expected) in [
            (option("option name A"), "invalid option \"option name A\": missing type"),
            (
                option("option name A type number default 1"),
                "invalid option \"option name A type number default 1\": type is \"number\", expected spin, check, combo, string or button",
            ),
            (
                option("option name A type spin default x min 1"),
                "invalid option \"option name A type spin default x min 1\": default is \"x\", expected a whole number",
            ),
        ] {
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn mates_are_counted_in_moves() {
        for (line, plies) in [("info score mate 1", Some(1)), ("info score mate 3", Some(5))] {
            assert_eq!(info_of(line).0.score, Some(ReportedScore::Win(plies)));
        }
        assert_eq!(info_of("info score mate 0").0.score, Some(ReportedScore::Loss(Some(0))));
        assert_eq!(info_of("info score cp 1 database win").0.score, Some(ReportedScore::Win(None)));
        assert_eq!(info_of("info score cp 1 database draw").0.score, Some(ReportedScore::Cp(1)));
        assert_eq!(info_of("info score loss 2").0.score, Some(ReportedScore::Loss(Some(2))));
        assert_eq!(info_of("info score x 2").0.score, None);
    }
}
