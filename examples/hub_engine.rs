//! An engine that plays random legal moves and speaks Hub: the minimum that a match requires.

use std::io::{self, Write};

use kelso_draughts::board::{Color, Move, Piece, PieceKind, Position, Setup, Square};
use kelso_protocol::Dialect;
use kelso_random::{IndexedRandom, Random};

fn main() -> io::Result<()> {
    let mut position = Position::start();
    let mut random = kelso_random::stream(&[std::process::id().into()]);
    let mut pondering = false;
    let mut line = String::new();
    while io::stdin().read_line(&mut line)? > 0 {
        let text = line.trim();
        let answer = match text.split(' ').next().unwrap_or_default() {
            "hub" => "id name=\"Random Hub\" version=1 author=\"the Kelso developers\" country=none\n\
                      param name=wit value=low type=enum values=\"low high\"\nwait\n"
                .to_owned(),
            "init" => "ready\n".to_owned(),
            "ping" => "pong\n".to_owned(),
            "pos" => match read_position(text) {
                Some(new) => {
                    position = new;
                    String::new()
                }
                None => "error message=\"no such position\"\n".to_owned(),
            },
            "go" if text == "go think" => choose(&position, &mut random),
            "go" => {
                pondering = true;
                String::new()
            }
            "stop" | "ponder-hit" if pondering => {
                pondering = false;
                choose(&position, &mut random)
            }
            "quit" => return Ok(()),
            _ => String::new(),
        };
        let mut out = io::stdout().lock();
        out.write_all(answer.as_bytes())?;
        out.flush()?;
        line.clear();
    }
    Ok(())
}

fn choose(position: &Position, random: &mut Random) -> String {
    let any = |position: &Position, random: &mut Random| position.moves().choose(random).copied();
    let Some(mv) = any(position, random) else { return "done\n".to_owned() };
    let reply = any(&position.after(mv), random).map(|reply| format!(" ponder={}", write_move(reply)));
    let mv = write_move(mv);
    let info = format!("info depth=1 mean-depth=1.0 score=0.00 nodes=1 time=0.001 nps=0.001 pv=\"{mv}\"");
    format!("{info}\ndone move={mv}{}\n", reply.unwrap_or_default())
}

fn write_move(mv: Move) -> String {
    let ends = [mv.from(), mv.to()];
    let squares: Vec<String> =
        ends.into_iter().chain(mv.captured()).map(|square| square.to_string()).collect();
    squares.join(if mv.is_capture() { "x" } else { "-" })
}

/// Parses `pos pos=Bbbb...www moves="11-15 23-18"`.
fn read_position(text: &str) -> Option<Position> {
    let (board, moves) = match text.split_once(" moves=") {
        Some((board, moves)) => (board, moves.trim_matches('"')),
        None => (text, ""),
    };
    let letters: Vec<char> = board.strip_prefix("pos pos=")?.chars().collect();
    let (side, squares) = letters.split_first()?;
    let side = if *side == 'W' { Color::White } else { Color::Black };
    if squares.len() != Square::COUNT {
        return None;
    }
    let mut setup = Setup::empty(side);
    for (square, letter) in Square::all().zip(squares) {
        let piece = match letter {
            'b' => Piece { color: Color::Black, kind: PieceKind::Man },
            'w' => Piece { color: Color::White, kind: PieceKind::Man },
            'B' => Piece { color: Color::Black, kind: PieceKind::King },
            'W' => Piece { color: Color::White, kind: PieceKind::King },
            'e' => continue,
            _ => return None,
        };
        setup.put(square, piece);
    }
    let mut position = Position::try_from(setup).ok()?;
    for text in moves.split_whitespace() {
        position = position.after(Dialect::Hub.client().parse_move(&position, text).ok()?);
    }
    Some(position)
}
