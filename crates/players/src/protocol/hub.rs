//! Hub: commands with named arguments.

use std::fmt::Write;
use std::time::Duration;

use super::native::database;
use super::{Identity, Info, Reply, Task};
use crate::ScoreKind;
use crate::state::GameState;
use draughts::board::{Move, Position};
use draughts::notation::hubline::split;
use draughts::notation::{hubmove, hubposition, movetext};

/// Hub shows a proved win as a score beyond so many men: 100, less a hundredth for each ply to the win.
const WON: f64 = 90.0;

pub(super) fn introduce(line: &str, identity: &mut Identity) -> bool {
    let (command, arguments) = split(line);
    match command {
        "id" => {
            for (name, value) in arguments {
                match name {
                    "name" => value.clone_into(&mut identity.name),
                    "version" if !value.is_empty() => {
                        identity.name.push(' ');
                        identity.name.push_str(value);
                    }
                    "author" => value.clone_into(&mut identity.author),
                    _ => {}
                }
            }
        }
        "param" => {
            let name = |(name, value)| (name == "name").then_some(value);
            if let Some(name) = { arguments }.find_map(name) {
                identity.add_option(name);
            }
        }
        _ => {}
    }
    command == "wait"
}

pub(super) fn position(course: &GameState) -> String {
    let mut line = format!("pos pos={}", hubposition::format(course.base()));
    if !course.since().is_empty() {
        let moves: Vec<_> = course.since().iter().map(|&mv| hubmove::format(mv)).collect();
        // Writing to a string can't fail.
        let _ = write!(line, " moves=\"{}\"", moves.join(" "));
    }
    line
}

pub(super) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    hubmove::parse(position, text).or_else(|error| {
        // Some engines leave the captured squares out where the ends say enough.
        let bare = Some(text).filter(|text| text.matches('x').count() == 1);
        bare.and_then(|text| movetext::parse(position, text).ok()).ok_or_else(|| error.to_string())
    })
}

/// Hub adds the increment before each move, so the clock is sent as it stood without it.
pub(super) fn level(task: &Task<'_>) -> String {
    let mut line = String::from("level");
    if let Some(clock) = task.clock(task.side) {
        let increment = clock.increment().min(clock.left());
        let time = clock.left().saturating_sub(increment);
        if let Some(moves) = clock.moves_to_go() {
            let _ = write!(line, " moves={moves}");
        }
        let _ = write!(line, " time={}", seconds(time));
        if !increment.is_zero() {
            let _ = write!(line, " inc={}", seconds(increment));
        }
    }
    if let Some(time) = task.limits.movetime {
        let _ = write!(line, " move-time={}", seconds(time));
    }
    if let Some(nodes) = task.limits.nodes {
        let _ = write!(line, " nodes={nodes}");
    }
    if let Some(depth) = task.limits.depth {
        let _ = write!(line, " depth={depth}");
    }
    line
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

pub(super) fn understand(line: &str) -> Reply<'_> {
    let (command, mut arguments) = split(line);
    match command {
        "info" => {
            let mut info = Info::default();
            for (name, value) in arguments {
                match name {
                    "depth" => info.depth = value.parse().ok(),
                    "nodes" => info.nodes = value.parse().ok(),
                    "score" => info.score = value.parse().ok().and_then(score),
                    "database" => info.score = database(Some(value)).or(info.score),
                    _ => {}
                }
            }
            Reply::Info(info)
        }
        "done" => {
            let (mut mv, mut ponder) = (None, None);
            for (name, value) in arguments {
                match name {
                    "move" => mv = Some(value).filter(|value| !value.is_empty()),
                    "ponder" => ponder = Some(value),
                    _ => {}
                }
            }
            Reply::Best { mv, ponder }
        }
        "ready" | "pong" => Reply::Ready,
        "error" => {
            Reply::Error(arguments.find(|(name, _)| *name == "message").map_or(line, |(_, value)| value))
        }
        _ => Reply::Other,
    }
}

/// The value of `pv`.
pub(super) fn best_line(line: &str) -> Option<&str> {
    let (command, mut arguments) = split(line);
    (command == "info").then(|| arguments.find(|(name, _)| *name == "pv").map(|(_, moves)| moves))?
}

fn score(men: f64) -> Option<ScoreKind> {
    if !men.is_finite() || men.abs() > 1e6 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "bounded above")]
    let hundredths = (men.abs() * 100.0).round() as i32;
    let plies = u32::try_from(10_000 - hundredths).unwrap_or(0);
    Some(if men >= WON {
        ScoreKind::Win(Some(plies))
    } else if men <= -WON {
        ScoreKind::Loss(Some(plies))
    } else {
        ScoreKind::Cp(if men < 0.0 { -hundredths } else { hundredths })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Clock, Limits, Remaining};
    use draughts::board::Color;
    use draughts::notation::fen;

    #[test]
    fn introductions_are_read() {
        let mut identity = Identity::default();
        assert!(!introduce("id name=Scan version=3.1 author=\"F L\" country=France", &mut identity));
        assert!(!introduce("param name=tt-size value=24 type=int min=16 max=30", &mut identity));
        assert!(introduce("wait", &mut identity));
        assert_eq!(
            (identity.name.as_str(), &identity.options[..]),
            ("Scan 3.1", &["tt-size".to_owned()][..])
        );
    }

    #[test]
    fn positions_have_a_letter_for_each_square() {
        assert_eq!(
            position(&GameState::new(Position::start())),
            "pos pos=BbbbbbbbbbbbbeeeeeeeewwwwwwwwwwwwB".replace("wwwB", "www")
        );
        let mut game = GameState::new(fen::parse("B:WK32:BK1").unwrap());
        let mv = movetext::parse(game.position(), "1-5").unwrap();
        game.play(mv);
        assert!(position(&game).ends_with(" moves=\"1-5\""));
        assert_eq!(position(&game).split(' ').nth(1).map(str::len), Some(4 + 33));
    }

    #[test]
    fn captures_name_what_they_take() {
        let position = fen::parse("W:W22:B18,11").unwrap();
        let mv = read_move(&position, "22x8x11x18").unwrap();
        assert_eq!(read_move(&position, "22x8").unwrap(), mv);
        assert!(read_move(&position, "22x15x18").unwrap_err().contains("22x8x11x18"));
        for wrong in ["", "22", "x", "22-99", "abc"] {
            assert!(read_move(&position, wrong).unwrap_err().contains("invalid"), "{wrong}");
        }
    }

    #[test]
    fn the_increment_comes_before_the_move() {
        let clock = Some(Remaining::new(Clock::parse("10+0.5").unwrap()));
        let task = Task { limits: &Limits::NONE, clocks: [clock, None], side: Color::Black };
        assert_eq!(level(&task), "level time=9.500 inc=0.500");
        let limits = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::NONE };
        let task = Task { limits: &limits, clocks: [None; 2], side: Color::Black };
        assert_eq!(level(&task), "level move-time=0.050");
    }

    #[test]
    fn answers_are_understood() {
        let line = "info depth=12 mean-depth=10.5 score=-0.34 nodes=99 time=0.1 nps=1.2 pv=\"11-15 score=9\"";
        let expected = Info { score: Some(ScoreKind::Cp(-34)), depth: Some(12), nodes: Some(99) };
        assert_eq!(understand(line), Reply::Info(expected));
        let known = Info { score: Some(ScoreKind::Win(None)), ..Info::default() };
        assert_eq!(understand("info score=89.99 database=win"), Reply::Info(known));
        assert_eq!(score(99.95), Some(ScoreKind::Win(Some(5))));
        assert_eq!(score(-99.0), Some(ScoreKind::Loss(Some(100))));
        assert_eq!(score(f64::NAN), None);
        assert_eq!(
            understand("done move=22x15x18 ponder=11-15"),
            Reply::Best { mv: Some("22x15x18"), ponder: Some("11-15") }
        );
        assert_eq!(understand("error message=\"no such thing\""), Reply::Error("no such thing"));
    }
}
