//! The Hub protocol, version 2, spoken by GUIs, bots and libraries for other draughts games. `docs/hub.md`
//! describes it for users.

mod client;
mod format;
mod grammar;
mod hubmove;
mod hubposition;
mod parameters;

use super::command::play;
use super::{Command, CommandError, EngineOutput, GoParams, Protocol};
use grammar::HubLine;
use kelso_draughts::board::{Game, Position};

pub(super) use client::HubClient;

/// The engine's side of Hub. It remembers the level and the orientation of positions between lines.
#[derive(Clone, Debug, Default)]
pub struct Hub {
    level: GoParams,
    orientation: Detector,
}

impl Protocol for Hub {
    fn read(&mut self, line: &str) -> Result<Option<Command>, CommandError> {
        let line = HubLine::split(line.trim());
        // The arguments of an unknown command are not checked.
        Ok(match line.command {
            "set-param" => self.set_parameter(&line.checked()?)?,
            "pos" => {
                let (position, moves) = grammar::position(&line.checked()?)?;
                Some(Command::Position(self.orientation.game(position, moves)?))
            }
            "level" => {
                self.level = grammar::level(&line.checked()?)?;
                None
            }
            "go" => Some(Command::Go(grammar::go(&line.checked()?, self.level.clone())?)),
            "hub" => Some(Command::Identify),
            "init" => Some(Command::Ready),
            "ping" => Some(Command::Ping),
            "new-game" => Some(Command::NewGame),
            "stop" => Some(Command::Stop),
            "ponder-hit" => Some(Command::PonderHit),
            "quit" => Some(Command::Quit),
            _ => None,
        })
    }

    fn write(&mut self, output: &EngineOutput) -> String {
        format::format(output)
    }

    fn interrupts(&self) -> bool {
        true
    }
}

/// The orientation of a client's positions. Most clients send positions as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Orientation {
    Normal,
    /// For English draughts, pydraughts rotates the board and exchanges the colours, so that `W` is to move
    /// instead of Black, but sends moves unchanged.
    Turned,
}

impl Orientation {
    const fn other(self) -> Self {
        match self {
            Self::Normal => Self::Turned,
            Self::Turned => Self::Normal,
        }
    }

    /// Returns the position that a client means.
    fn position(self, sent: Position) -> Position {
        match self {
            Self::Normal => sent,
            Self::Turned => sent.flipped(),
        }
    }

    /// Creates a game from a client's position and moves.
    fn game(self, sent: Position, moves: &str) -> Result<Game, CommandError> {
        play(self.position(sent), moves.split_whitespace(), hubmove::parse)
    }
}

/// Detects the orientation of a client's positions.
///
/// Two things distinguish the orientations: moves, which are rarely legal in both, and the starting position,
/// in which Black moves first. Ambiguous positions use the last detected orientation. Until an orientation is
/// detected, they are read as rotated: pydraughts does not set the parameter on its own, while this program's
/// clients set `normal`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Detector {
    /// The orientation set by the parameter.
    fixed: Option<Orientation>,
    /// The last detected orientation.
    detected: Option<Orientation>,
}

impl Detector {
    /// The values of the parameter; `auto` detects the orientation.
    const VALUES: [(&'static str, Option<Orientation>); 3] =
        [("auto", None), ("normal", Some(Orientation::Normal)), ("turned", Some(Orientation::Turned))];

    const fn new(fixed: Option<Orientation>) -> Self {
        Self { fixed, detected: None }
    }

    /// Creates a game from a client's position and moves.
    fn game(&mut self, sent: Position, moves: &str) -> Result<Game, CommandError> {
        if let Some(orientation) = self.fixed {
            return orientation.game(sent, moves);
        }
        let mut by_start = [Orientation::Normal, Orientation::Turned].into_iter();
        let by_start = by_start.find(|orientation| orientation.position(sent) == Position::start());
        let likely = self.detected.or(by_start);
        let first = likely.unwrap_or(Orientation::Turned);
        let (game, detected) = match (first.game(sent, moves), first.other().game(sent, moves)) {
            (Ok(game), Ok(_)) => (game, likely),
            (Ok(game), Err(_)) => (game, Some(first)),
            (Err(_), Ok(game)) => (game, Some(first.other())),
            // An error quotes the position as sent, unless it is known to be rotated.
            (Err(error), Err(other)) => return Err(if likely.is_some() { error } else { other }),
        };
        self.detected = detected;
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use kelso_engine::search::Limits;
    use std::time::Duration;

    use super::*;
    use kelso_draughts::board::Color;

    const START: &str = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

    fn go(lines: &[&str]) -> GoParams {
        let mut hub = Hub::default();
        for line in lines {
            assert_eq!(hub.read(line).unwrap(), None, "{line}");
        }
        match hub.read("go think") {
            Ok(Some(Command::Go(go))) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_level_command_replaces_all_earlier_values() {
        let secs = Duration::from_secs_f64;
        assert_eq!(go(&[]), GoParams::default());
        assert_eq!(go(&["level depth=9"]), Limits::depth(9).into());
        assert_eq!(go(&["level depth=9", "level nodes=70"]), Limits::nodes(70).into());
        assert_eq!(go(&["level move-time=0.25"]), Limits::move_time(secs(0.25)).into());
        assert_eq!(
            go(&["level depth=9", "level infinite"]),
            Limits { infinite: true, ..Limits::default() }.into()
        );
        // The increment is added before the move, so a clock may be negative until then.
        let clock = go(&["level moves=7 time=-0.05 inc=0.1"]);
        assert_eq!(clock.clock(Color::White), Some(secs(0.05)));
        assert_eq!((clock.increments, clock.moves_to_go), ([Some(secs(0.1)); 2], Some(7)));
        assert_eq!(go(&["level time=-3"]).clock(Color::Black), Some(Duration::ZERO));
        // An invalid level keeps the previous level.
        let mut hub = Hub::default();
        assert_eq!(hub.read("level depth=5").unwrap(), None);
        assert!(hub.read("level depth=none").is_err());
        assert_eq!(hub.read("go think").unwrap(), Some(Command::Go(Limits::depth(5).into())));
    }

    #[test]
    fn an_analysis_has_no_clock() {
        let mut hub = Hub::default();
        assert_eq!(hub.read("level time=60 inc=1").unwrap(), None);
        assert_eq!(hub.read("go analyze").unwrap(), Some(Command::Go(GoParams::default())));
        assert!(matches!(hub.read("go ponder"), Ok(Some(Command::Go(go))) if go.ponder));
    }

    #[test]
    fn unknown_words_are_ignored() {
        let mut hub = Hub::default();
        for line in ["", "  ", "uci", "go-faster", "xyzzy =\"", "level depth=3 handicap=2 =x \""] {
            assert_eq!(hub.read(line).unwrap(), None, "{line}");
        }
        let line = format!("pos start colour=red pos={START} moves=\"\"");
        assert_eq!(hub.read(&line).unwrap(), Some(Command::Position(Game::default())));
        assert!(matches!(hub.read("go now think"), Ok(Some(Command::Go(_)))));
    }

    #[test]
    fn errors_name_place_and_expectation() {
        let error = |line: &str| Hub::default().read(line).unwrap_err().to_string();
        for (line, at, expected) in [
            ("pos", 4, "\"pos=\" and a position"),
            ("pos pos=\"W", 11, "a closing quote"),
            ("level", 6, "one of depth, nodes, move-time, time, infinite"),
            ("level inc=2", 12, "\"time=\" and seconds"),
            ("level depth=0", 13, "a whole number, at least 1"),
            ("level depth", 12, "a whole number, at least 1"),
            ("level move-time=\"1 s\"", 19, "end of input"),
            ("level time=nan", 12, "seconds"),
            ("go", 3, "one of think, ponder, analyze"),
            ("go think ponder", 16, "one of think, ponder, analyze"),
            ("set-param value=3", 18, "\"name=\" and a parameter's name"),
        ] {
            let message = format!("invalid command {line:?} at character {at}: expected {expected}");
            assert_eq!(error(line), message);
        }
        for (arguments, message) in [
            (
                "moves=\"11-15 11-16\"",
                "move 2: illegal move \"11-16\": expected one of 21-17 22-18 23-19 24-20 22-17 23-18 24-19",
            ),
            (
                "moves=11x15",
                "move 1: invalid move \"11x15\" at character 6: expected \"x\" and each captured square once",
            ),
        ] {
            assert_eq!(error(&format!("pos pos={START} {arguments}")), message);
        }
        let squares = "\"w\", \"b\", \"W\", \"B\" or \"e\" for each of 32 squares";
        for (line, message) in [
            ("pos pos=We", format!("invalid position \"We\" at character 3: expected {squares}").as_str()),
            ("level depth=1 depth=2", "\"depth\" is given twice in \"level depth=1 depth=2\""),
            (
                "set-param name=variant value=frisian",
                "invalid value \"frisian\" for option variant: expected one of english",
            ),
            (
                "set-param name=orientation",
                "missing value for option orientation: expected one of auto, normal, turned",
            ),
            (
                "set-param name=clear-hash value=7",
                "invalid value \"7\" for option Clear Hash: expected one of true, false",
            ),
        ] {
            assert_eq!(error(line), message);
        }
        let unknown = error("set-param name=speed value=11");
        let names = "unknown parameter \"speed\": expected one of variant, orientation, hash, clear-hash, ";
        assert!(unknown.starts_with(names), "{unknown}");
    }

    const SQUARES: &str = "bbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";
    const KINGS: &str = "eeeeeeeeeeeeWeeeeeeeeeBeeeebeeew";

    fn side(detector: &mut Detector, position: &str, moves: &str) -> Option<Color> {
        let position = hubposition::parse(position).unwrap();
        detector.game(position, moves).ok().map(|game| game.position().side())
    }

    #[test]
    fn the_orientation_is_detected() {
        let mut detector = Detector::default();
        let kings = format!("B{KINGS}");
        // The orientation cannot be detected, and pydraughts would have rotated the board.
        assert_eq!(side(&mut detector, &kings, ""), Some(Color::White));
        assert_eq!(side(&mut Detector::default(), &format!("B{SQUARES}"), ""), Some(Color::Black));
        // White to move at the start means that Black is to move.
        assert_eq!(side(&mut detector, &format!("W{SQUARES}"), ""), Some(Color::Black));
        assert_eq!(side(&mut detector, &format!("W{SQUARES}"), "11-15 22-18 15x22x18"), Some(Color::White));
        assert_eq!(side(&mut detector, &kings, ""), Some(Color::White));
        // Moves take precedence over the last orientation.
        assert_eq!(side(&mut detector, &format!("B{SQUARES}"), "11-15"), Some(Color::White));
        assert_eq!(side(&mut detector, &kings, ""), Some(Color::Black));
        assert_eq!(side(&mut detector, &format!("W{SQUARES}"), "22-18"), Some(Color::Black));
        assert_eq!(side(&mut detector, &format!("W{SQUARES}"), ""), Some(Color::White));
        // A line that fits neither orientation is an error and has no effect.
        assert_eq!(side(&mut detector, &format!("W{SQUARES}"), "1-5"), None);
        assert_eq!(side(&mut detector, &format!("W{SQUARES}"), ""), Some(Color::White));
    }

    #[test]
    fn the_parameter_fixes_the_orientation() {
        for (orientation, expected) in
            [(Orientation::Normal, Color::White), (Orientation::Turned, Color::Black)]
        {
            let mut detector = Detector::new(Some(orientation));
            assert_eq!(side(&mut detector, &format!("W{SQUARES}"), ""), Some(expected));
            assert_eq!(side(&mut detector, &format!("W{KINGS}"), ""), Some(expected));
        }
        let mut normal = Detector::new(Some(Orientation::Normal));
        assert_eq!(side(&mut normal, &format!("W{SQUARES}"), "11-15"), None);
        let mut turned = Detector::new(Some(Orientation::Turned));
        assert_eq!(side(&mut turned, &format!("W{SQUARES}"), "22-18"), None);
    }
}
