//! The client's side of Hub.

use std::fmt::Write;
use std::time::Duration;

use super::format::{from_men, move_words};
use super::grammar::{HubLine, quoted};
use super::{hubmove, hubposition};
use crate::client::database_result;
use crate::{Client, GoParams, Identity, OptionFault, Reply, Verb};
use kelso_draughts::board::{Color, Game, Move, Position};
use kelso_draughts::notation::{MoveError, movetext};
use kelso_draughts::record::SearchInfo;

/// The client's side of Hub.
#[derive(Clone, Copy, Debug)]
pub struct HubClient;

impl Client for HubClient {
    fn verb(&self, verb: Verb) -> &'static str {
        match verb {
            Verb::Identify => "hub",
            Verb::Ready => "init",
            Verb::Ping => "ping",
            Verb::NewGame => "new-game",
            Verb::Stop => "stop",
            Verb::PonderHit => "ponder-hit",
            Verb::Quit => "quit",
        }
    }

    fn parse_identity(&self, line: &str, identity: &mut Identity) -> bool {
        let parts = HubLine::split(line);
        match parts.command {
            "id" => {
                if let Some(name) = parts.last("name") {
                    name.clone_into(&mut identity.name);
                }
                if let Some(version) = parts.last("version").filter(|version| !version.is_empty()) {
                    identity.name.extend([" ", version]);
                }
                if let Some(author) = parts.last("author") {
                    author.clone_into(&mut identity.author);
                }
            }
            "param" => {
                if let Some(name) = parts.last("name") {
                    identity.add_option(name, line);
                }
            }
            _ => {}
        }
        parts.command == "wait"
    }

    fn option_default(&self, line: &str) -> Result<Option<(String, String)>, OptionFault> {
        let parts = HubLine::split(line);
        let default = parts.last("value").filter(|value| parts.command == "param" && !value.is_empty());
        Ok(parts.last("name").zip(default).map(|(name, value)| (name.to_owned(), value.to_owned())))
    }

    /// Declares that this client does not rotate positions, since Kelso cannot always detect the orientation.
    fn required_options(&self, identity: &Identity) -> Vec<(&'static str, &'static str)> {
        let has_orientation = identity.options.iter().any(|option| {
            let values = HubLine::split(&option.line).last("values");
            option.name == "orientation"
                && values.is_some_and(|values| values.split_ascii_whitespace().any(|value| value == "normal"))
        });
        if has_orientation { vec![("orientation", "normal")] } else { Vec::new() }
    }

    fn set_option(&self, name: &str, value: &str) -> String {
        format!("set-param name={} value={}", quoted(name), quoted(value))
    }

    fn position(&self, game: &Game) -> String {
        let (start, moves) = game.since_capture();
        let moves = match moves {
            [] => String::new(),
            moves => format!(" moves=\"{}\"", move_words(moves)),
        };
        format!("pos pos={}{moves}", hubposition::format(start))
    }

    fn go(&self, side: Color, go: &GoParams) -> String {
        let mode = match go {
            _ if go.ponder => "ponder",
            _ if go.is_unlimited() => "analyze",
            _ => "think",
        };
        format!("{}\ngo {mode}", level(go, side))
    }

    fn parse_reply<'a>(&self, line: &'a str) -> Reply<'a> {
        let parts = HubLine::split(line);
        match parts.command {
            "info" => {
                let seconds = parts.last("time").and_then(|text| text.parse().ok());
                let score = parts.last("score").and_then(|text| text.parse().ok()).and_then(from_men);
                let mut info = SearchInfo {
                    score: parts.last("database").and_then(database_result).or(score),
                    ..SearchInfo::default()
                };
                info.depth = parts.last("depth").and_then(|text| text.parse().ok());
                info.nodes = parts.last("nodes").and_then(|text| text.parse().ok());
                info.time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                Reply::Info(info, parts.last("pv"))
            }
            "done" => Reply::BestMove {
                mv: parts.last("move").filter(|text| !text.is_empty()),
                ponder: parts.last("ponder").filter(|text| !text.is_empty()),
            },
            "ready" | "pong" => Reply::Ready,
            "error" => Reply::Error(parts.last("message").unwrap_or(line)),
            _ => Reply::Other,
        }
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        hubmove::parse(position, text).or_else(|error| {
            // Some engines omit the captured squares if the capture is unambiguous.
            let ends = Some(text).filter(|text| text.matches('x').count() == 1);
            ends.and_then(|text| movetext::parse(position, text).ok()).ok_or(error)
        })
    }
}

/// Formats the limits. Hub adds the increment before each move, so the clock is sent without the increment.
fn level(go: &GoParams, side: Color) -> String {
    if go.is_unlimited() {
        return "level infinite".into();
    }
    let clock = go.clock(side);
    let increment = clock.map(|clock| go.increment(side).min(clock));
    let words = [
        ("moves", go.moves_to_go.filter(|_| clock.is_some()).map(|moves| moves.to_string())),
        ("time", clock.zip(increment).map(|(clock, increment)| seconds(clock.saturating_sub(increment)))),
        ("inc", increment.filter(|increment| !increment.is_zero()).map(seconds)),
        ("move-time", go.move_time.map(seconds)),
        ("nodes", go.nodes.map(|nodes| nodes.to_string())),
        ("depth", go.depth.map(|depth| depth.to_string())),
    ];
    let mut line = "level".to_owned();
    for (word, value) in words {
        if let Some(value) = value {
            let _ = write!(line, " {word}={value}");
        }
    }
    line
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, Hub, Protocol};
    use kelso_draughts::notation::fen;
    use kelso_draughts::score::ReportedScore;
    use kelso_engine::search::Limits;
    use proptest::prelude::*;

    #[test]
    fn introductions_are_parsed() {
        let mut identity = Identity::default();
        assert!(
            !HubClient
                .parse_identity("id name=Scan version=3.1 author=\"F L\" country=France", &mut identity)
        );
        let parameter = "param name=tt-size value=24 type=int min=16 max=30";
        assert!(!HubClient.parse_identity(parameter, &mut identity));
        assert!(HubClient.parse_identity("wait", &mut identity));
        assert_eq!(
            (identity.name.as_str(), identity.options[0].name.as_str(), identity.options.len()),
            ("Scan 3.1", "tt-size", 1)
        );
        assert_eq!(HubClient.option_default(parameter), Ok(Some(("tt-size".to_owned(), "24".to_owned()))));
        assert_eq!(HubClient.required_options(&identity), []);
        let line = "param name=orientation value=auto type=enum values=\"auto normal turned\"";
        assert!(!HubClient.parse_identity(line, &mut identity));
        assert_eq!(HubClient.required_options(&identity), [("orientation", "normal")]);
    }

    #[test]
    fn captured_squares_may_be_left_out() {
        let position = fen::parse("W:W22:B18,11").unwrap();
        let mv = HubClient.parse_move(&position, "22x8x11x18").unwrap();
        assert_eq!(HubClient.parse_move(&position, "22x8").unwrap(), mv);
        assert!(HubClient.parse_move(&position, "22x15x18").unwrap_err().to_string().contains("22x8x11x18"));
        for wrong in ["", "22", "x", "22-99", "abc"] {
            let error = HubClient.parse_move(&position, wrong).unwrap_err();
            assert!(error.to_string().contains("invalid"), "{wrong}");
        }
    }

    #[test]
    fn replies_are_parsed() {
        let line = "info depth=12 mean-depth=10.5 score=-0.34 nodes=99 time=0.1 nps=1.2 pv=\"11-15 score=9\"";
        let Reply::Info(info, moves) = HubClient.parse_reply(line) else { panic!("{line}") };
        let SearchInfo { score, depth, nodes, time, .. } = info;
        assert_eq!((score, depth, nodes), (Some(ReportedScore::Cp(-34)), Some(12), Some(99)));
        assert_eq!((time, moves), (Some(Duration::from_millis(100)), Some("11-15 score=9")));
        let known = SearchInfo { score: Some(ReportedScore::Win(None)), ..SearchInfo::default() };
        assert_eq!(HubClient.parse_reply("info score=89.99 database=win"), Reply::Info(known, None));
        assert_eq!(
            HubClient.parse_reply("done move=22x15x18 ponder="),
            Reply::BestMove { mv: Some("22x15x18"), ponder: None }
        );
        assert_eq!(
            HubClient.parse_reply("done move=22x15x18 ponder=11-15"),
            Reply::BestMove { mv: Some("22x15x18"), ponder: Some("11-15") }
        );
        assert_eq!(HubClient.parse_reply("error message=\"no such thing\""), Reply::Error("no such thing"));
    }

    /// Returns the commands that the engine's side reads from a request.
    fn commands(game: &Game, go: &GoParams) -> Vec<Command> {
        let mut hub = Hub::default();
        HubClient.search(game, go).lines().filter_map(|line| hub.read(line).unwrap()).collect()
    }

    #[test]
    fn requests_are_read_by_the_engine() {
        let start = fen::parse("B:WK32:BK1").unwrap();
        let mv = movetext::parse(&start, "1-5").unwrap();
        let go = GoParams::from(Limits::depth(4));
        let mut game = Game::new(start);
        game.play(mv);
        assert_eq!(commands(&game, &go), [Command::Position(game.clone()), Command::Go(go)]);
        let unlimited = GoParams::from(Limits { infinite: true, ..Limits::default() });
        assert_eq!(commands(&game, &unlimited)[1], Command::Go(unlimited.clone()));
        assert!(HubClient.search(&game, &unlimited).ends_with("level infinite\ngo analyze"));
    }

    #[test]
    fn the_increment_comes_before_the_move() {
        let secs = |seconds| Some(Duration::from_secs_f64(seconds));
        let go =
            GoParams { clocks: [secs(10.0), None], increments: [secs(0.5), None], ..GoParams::default() };
        assert_eq!(level(&go, Color::Black), "level time=9.500 inc=0.500");
        let go = GoParams::from(Limits::move_time(Duration::from_millis(50)));
        assert_eq!(level(&go, Color::Black), "level move-time=0.050");
    }

    proptest! {
        #[test]
        fn limits_are_read_back(
            depth in prop::option::of(1_usize..200),
            nodes in prop::option::of(1_u64..),
            move_time in prop::option::of((0_u64..100_000).prop_map(Duration::from_millis)),
            clock in prop::option::of((0_u64..10_000_000, 0_u64..60_000, prop::option::of(1_u32..))),
            ponder: bool,
        ) {
            let ms = |time| [Some(Duration::from_millis(time)); 2];
            let limits = GoParams { depth, nodes, move_time, ponder, ..GoParams::default() };
            let go = match clock {
                Some((clock, increment, moves_to_go)) => {
                    let increments = if increment == 0 { [None; 2] } else { ms(increment.min(clock)) };
                    GoParams { clocks: ms(clock), increments, moves_to_go, ..limits }
                }
                None => limits,
            };
            let go = GoParams { infinite: go.is_unlimited(), ..go };
            let Some(Command::Go(found)) = commands(&Game::default(), &go).pop() else { panic!("no search") };
            let close = |a: Option<Duration>, b: Option<Duration>| match (a, b) {
                (Some(a), Some(b)) => a.abs_diff(b) < Duration::from_micros(1),
                _ => a == b,
            };
            prop_assert!((0..2).all(|side| close(go.clocks[side], found.clocks[side])));
            let zero_is_none = |time: Option<Duration>| time.filter(|time| !time.is_zero());
            prop_assert!((0..2).all(|side| close(zero_is_none(go.increments[side]), found.increments[side])));
            let rest = GoParams { clocks: [None; 2], increments: [None; 2], ..found };
            prop_assert_eq!(rest, GoParams { clocks: [None; 2], increments: [None; 2], ..go });
        }
    }
}
