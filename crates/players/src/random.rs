//! The weakest engine: it plays any legal move.
//!
//! Results against it are what published experiments begin with, and matches with it measure the match runner itself. It speaks
//! the native protocol and runs as a process of its own, as every engine does.

use std::io::{self, BufRead, Write};

use common::chance::{self, IndexedRandom, Random};
use draughts::board::Position;
use draughts::notation::{fen, movetext};

/// The engine's state between two lines.
#[derive(Clone, Debug)]
pub struct RandomEngine {
    position: Position,
    seed: u64,
    random: Random,
}

impl Default for RandomEngine {
    fn default() -> Self {
        Self::new(0)
    }
}

impl RandomEngine {
    /// An engine whose choices are fixed by a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { position: Position::start(), seed, random: chance::stream(&[seed]) }
    }

    /// Reads lines and answers them until `quit` or the end of input.
    ///
    /// # Errors
    ///
    /// When the answers can't be written or the input not be read.
    pub fn run(&mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for line in input.lines() {
            let line = line?;
            if line.trim() == "quit" {
                break;
            }
            let answer = self.answer(&line);
            if !answer.is_empty() {
                output.write_all(answer.as_bytes())?;
                output.flush()?;
            }
        }
        Ok(())
    }

    /// What it answers to a line, line ends included.
    pub fn answer(&mut self, line: &str) -> String {
        let (command, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match command {
            "uci" => "id name Random mover\nid author Kelso\noption name Seed type spin default 0 min 0 max \
                      2147483647\nuciok\n"
                .to_owned(),
            "isready" => "readyok\n".to_owned(),
            "setoption" => {
                match rest.strip_prefix("name Seed value ").and_then(|text| text.trim().parse().ok()) {
                    Some(seed) => {
                        self.seed = seed;
                        String::new()
                    }
                    None => {
                        format!(
                            "info string error: unknown option \"{rest}\", expected \"name Seed value N\"\n"
                        )
                    }
                }
            }
            "ucinewgame" => {
                self.random = chance::stream(&[self.seed]);
                String::new()
            }
            "position" => match read_position(rest) {
                Ok(position) => {
                    self.position = position;
                    String::new()
                }
                Err(error) => format!("info string error: {error}\n"),
            },
            "go" => self.go(),
            _ => String::new(),
        }
    }

    /// The position that it would move in.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    fn go(&mut self) -> String {
        let moves = self.position.moves();
        match moves.choose(&mut self.random) {
            Some(&mv) => {
                let text = movetext::format(&self.position, mv);
                format!("info depth 1 score cp 0 nodes 1 time 0 pv {text}\nbestmove {text}\n")
            }
            None => "info depth 0 score loss 0 nodes 0 time 0 pv\nbestmove none\n".to_owned(),
        }
    }
}

fn read_position(text: &str) -> Result<Position, String> {
    let (start, moves) = match text.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None => (text.trim(), ""),
    };
    let mut position = match start.strip_prefix("fen ") {
        Some(text) => fen::parse(text).map_err(|error| error.to_string())?,
        None if start == "startpos" => Position::start(),
        None => return Err(format!("\"{start}\", expected startpos or fen")),
    };
    for text in moves.split_whitespace() {
        let mv = movetext::parse(&position, text).map_err(|error| error.to_string())?;
        position = position.after(mv);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(lines: &str) -> String {
        let mut output = Vec::new();
        RandomEngine::default().run(lines.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn it_moves_legally_and_as_its_seed_says() {
        let game = "setoption name Seed value 5\nucinewgame\nposition startpos moves 11-15\ngo nodes 1\n";
        let answer = talk(game);
        let mv = answer.lines().last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
        let position = read_position("startpos moves 11-15").unwrap();
        assert!(movetext::parse(&position, &mv).is_ok());
        assert_eq!(talk(&format!("{game}{game}")), answer.repeat(2));
    }

    #[test]
    fn errors_change_nothing() {
        let answer = talk("position fen nonsense\nposition startpos moves 1-2\nisready\nquit\nisready\n");
        assert_eq!(answer.lines().count(), 3, "{answer}");
        assert!(answer.ends_with("readyok\n"));
        assert!(talk("position fen W:W:B1\ngo\n").ends_with("bestmove none\n"));
    }
}
