//! Any bytes as a file of games: what can be read is written, and is the same game when it is read again.

#![no_main]

use kelso::notation::pdn::Games;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = String::new();
    let mut games = Vec::new();
    for (number, game) in Games::new(bytes).enumerate() {
        match game {
            Ok(game) => {
                file.push_str(&format!("{game}\n"));
                games.push(game.to_string());
            }
            Err(error) => {
                assert_eq!(error.game, number + 1);
                assert!(error.line > 0 && error.column > 0);
                assert!(!error.to_string().contains('\n'));
            }
        }
    }
    let again: Vec<String> =
        Games::new(file.as_bytes()).map(|game| game.expect("what was written is read").to_string()).collect();
    assert_eq!(again, games);
});
