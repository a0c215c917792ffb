//! The lines of `eval`.

use std::fmt::Write;

use draughts::board::{Kind, Square};
use engine::eval::{Explanation, Part};

/// Formats an explained value; the value itself is the last line.
pub(super) fn format(name: &str, explanation: &Explanation) -> String {
    let Explanation { position, value, material, parts, pieces } = explanation;
    // Writing to a string does not fail.
    let mut text = format!("eval by {name}\neval material cp {material}\n");
    for part in parts {
        text.push_str(&line(part));
    }
    for known in pieces {
        let kind = match known.piece.kind {
            Kind::Man => "man",
            Kind::King => "king",
        };
        let _ = writeln!(text, "eval piece {} {} {kind} cp {}", known.square, known.piece.color, known.value);
    }
    for row in 0..8 {
        let cell = |column| {
            let Some(square) = Square::at(row, column) else { return " ".repeat(WIDTH) };
            match pieces.iter().find(|known| known.square == square) {
                Some(known) => format!("{:>WIDTH$}", known.value),
                None => format!("{:>WIDTH$}", "."),
            }
        };
        let cells: String = (0..8).map(cell).collect();
        let _ = writeln!(text, "eval board {}", cells.trim_end());
    }
    let _ = writeln!(text, "eval cp {value} side {}", position.side());
    text
}

/// Columns of a square on the board.
const WIDTH: usize = 5;

fn line(part: &Part) -> String {
    let Part { name, value, sides } = part;
    match sides {
        None => format!("eval part {name} cp {value}\n"),
        Some((own, other)) => format!("eval part {name} cp {value} own {own} other {other}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughts::notation::fen;
    use engine::eval::Material;

    #[test]
    fn every_line_can_be_taken_apart() {
        let position = fen::parse("W:W5:B14,K32").unwrap();
        let mut explanation = Explanation::of(&Material, &position);
        let lines = format("material", &explanation);
        assert!(lines.contains("eval piece 5 white man cp 100\neval piece 14 black man cp 100\n"), "{lines}");
        assert!(lines.contains("eval board   100         .         .         .\n"), "{lines}");
        assert!(lines.ends_with("side white\n"));
        explanation.parts = vec![Part::whole("a", 1), Part::sides("b-c", 2, 5)];
        let lines = format("material", &explanation);
        let parts: Vec<&str> = lines.lines().filter(|line| line.starts_with("eval part")).collect();
        assert_eq!(parts, ["eval part a cp 1", "eval part b-c cp -3 own 2 other 5"]);
    }
}
