//! Feeds arbitrary lines to the Hub parser: each is a command or gives a one-line error. Formatting and then
//! parsing a position preserves it.

use kelso_draughts::board::Game;
use kelso_protocol::{Command, Dialect, Hub, Protocol};

pub fn run(lines: &str) {
    let mut hub = Hub::default();
    for line in lines.lines() {
        match hub.read(line) {
            Ok(Some(Command::Position(game))) => {
                let mut exact = Hub::default();
                assert_eq!(exact.read("set-param name=orientation value=normal").unwrap(), None);
                let expected = Game::new(*game.position());
                let written = Dialect::Hub.client().position(&expected);
                assert_eq!(exact.read(&written).unwrap(), Some(Command::Position(expected)));
            }
            Ok(_) => {}
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
}
