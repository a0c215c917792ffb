//! Any line as input to the native protocol: it is parsed as a command or gives a one-line error. Formatting
//! and then parsing a position preserves it.

use kelso_draughts::board::Game;
use kelso_draughts::notation::fen;
use kelso_protocol::{Command, Native, Protocol};

pub fn run(line: &str) {
    let mut native = Native;
    match native.read(line) {
        Ok(Some(Command::Position(game))) => {
            let written = format!("position fen {}", fen::format(game.position()));
            let expected = Game::new(*game.position());
            assert_eq!(native.read(&written).unwrap(), Some(Command::Position(expected)));
        }
        // The names of options may contain spaces.
        Ok(Some(Command::Set { .. })) => {}
        Ok(Some(command)) => {
            assert_eq!(native.read(&line.replace(' ', " \t")).unwrap(), Some(command), "spaces don't matter");
        }
        Ok(None) => assert!(line.trim().is_empty()),
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
}
