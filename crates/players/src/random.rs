//! An engine that plays a random legal move.
//!
//! It is the baseline in published experiments, and is fast enough to benchmark the match runner. It speaks
//! the native protocol and runs as a separate process, like any other engine.

use std::io::{self, Write};

use kelso_draughts::board::Game;
use kelso_draughts::notation::movetext;
use kelso_engine::search::SearchAnswer;
use kelso_protocol::{Command, CommandError, EngineOutput, Native, Protocol};
use kelso_runs::rng::{self, IndexedRandom, Random};

/// An engine that plays a random legal move.
#[derive(Clone, Debug)]
pub struct RandomEngine {
    game: Game,
    seed: u64,
    random: Random,
}

impl RandomEngine {
    /// Creates an engine with a seed for its choices.
    pub fn new(seed: u64) -> Self {
        Self { game: Game::default(), seed, random: rng::stream(&[seed]) }
    }

    /// Reads lines and answers them until `quit` or the end of the input.
    pub fn run(&mut self, input: impl io::BufRead, mut output: impl Write) -> io::Result<()> {
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

    /// Returns the answer to a line: lines that end with newlines.
    pub fn answer(&mut self, line: &str) -> String {
        // `Seed` is an option of the random player only, not of this program's engine.
        if let Some(seed) =
            line.trim().strip_prefix("setoption name Seed value ").and_then(|text| text.parse().ok())
        {
            self.seed = seed;
            return String::new();
        }
        match Native::default().read(line) {
            Ok(Some(Command::Identify)) => "id name Random mover\nid author Kelso\n\
                                            option name Seed type spin default 0 min 0 max 2147483647\nuciok\n"
                .to_owned(),
            Ok(Some(Command::Ready)) => Native::default().write(&EngineOutput::Ready),
            Ok(Some(Command::NewGame)) => {
                self.random = rng::stream(&[self.seed]);
                String::new()
            }
            Ok(Some(Command::Position(game))) => {
                self.game = game;
                String::new()
            }
            Ok(Some(Command::Go(_))) => self.go(),
            Ok(Some(Command::Set(_))) | Err(CommandError::Option(_)) => {
                "info string error: the only option is Seed, a number\n".to_owned()
            }
            Ok(_) => String::new(),
            Err(error) => Native::default().write(&EngineOutput::Error(error)),
        }
    }

    fn go(&mut self) -> String {
        let position = *self.game.position();
        let best = position.moves().choose(&mut self.random).copied();
        let info = match best {
            Some(mv) => {
                format!("info depth 1 score cp 0 nodes 1 time 0 pv {}\n", movetext::format(&position, mv))
            }
            None => String::new(),
        };
        info + &Native::default()
            .write(&EngineOutput::Answer(position, SearchAnswer { best, ..SearchAnswer::default() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kelso_draughts::board::Position;

    fn talk(lines: &str) -> String {
        let mut output = Vec::new();
        RandomEngine::new(0).run(lines.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn the_random_player_moves_legally_and_reproducibly() {
        let game = "setoption name Seed value 5\nucinewgame\nposition startpos moves 11-15\ngo nodes 1\n";
        let answer = talk(game);
        let mv = answer.lines().last().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
        let start = Position::start();
        let position = start.after(movetext::parse(&start, "11-15").unwrap());
        assert!(movetext::parse(&position, &mv).is_ok());
        assert_eq!(talk(&format!("{game}{game}")), answer.repeat(2));
    }

    #[test]
    fn invalid_commands_change_nothing() {
        let answer = talk("position fen nonsense\nposition startpos moves 1-2\nisready\nquit\nisready\n");
        assert_eq!(answer.lines().count(), 3, "{answer}");
        assert!(answer.ends_with("readyok\n"));
        assert!(talk("position fen W:W:B1\ngo\n").ends_with("bestmove none\n"));
    }

    #[test]
    fn each_command_has_its_answer() {
        let mut engine = RandomEngine::new(3);
        for (line, answer) in [
            (
                "uci",
                "id name Random mover\nid author Kelso\n\
                 option name Seed type spin default 0 min 0 max 2147483647\nuciok\n",
            ),
            ("isready", "readyok\n"),
            ("ucinewgame", ""),
            ("setoption name Seed value 9", ""),
            ("setoption name Seed value x", "info string error: the only option is Seed, a number\n"),
            ("setoption name Hash value 16", "info string error: the only option is Seed, a number\n"),
            ("stop", ""),
            ("position fen W:W13:B5", ""),
            ("go depth 3", "info depth 1 score cp 0 nodes 1 time 0 pv 13-9\nbestmove 13-9\n"),
            ("position fen W:W:B5", ""),
            ("go depth 3", "info string no move: white has lost\nbestmove none\n"),
        ] {
            assert_eq!(engine.answer(line), answer, "{line}");
        }
        let [first, other] = [3, 4].map(|seed| {
            let mut engine = RandomEngine::new(seed);
            (0..20).map(|_| engine.answer("go")).collect::<String>()
        });
        assert_ne!(first, other);
        // A new game restarts the choices with the seed that was set last.
        engine.answer("setoption name Seed value 4");
        engine.answer("ucinewgame");
        engine.answer("position startpos");
        assert_eq!((0..20).map(|_| engine.answer("go")).collect::<String>(), other);
    }
}
