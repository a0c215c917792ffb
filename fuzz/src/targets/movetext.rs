//! A position on the first line and moves on the others: each line that is a move is played, and survives a
//! round trip.

use kelso_draughts::board::Position;
use kelso_draughts::notation::{MoveError, MoveText, fen, movetext};

pub fn run(text: &str) {
    let (first, rest) = text.split_once('\n').unwrap_or(("", text));
    let mut position = fen::parse(first).unwrap_or_else(|_| Position::start());
    for line in rest.lines() {
        if let Ok(read) = MoveText::parse(line) {
            assert_eq!(MoveText::parse(&read.to_string()), Ok(read));
        }
        match movetext::parse(&position, line) {
            Ok(mv) => {
                assert!(position.moves().contains(&mv));
                for written in [movetext::format(&position, mv), movetext::full(&position, mv)] {
                    assert_eq!(movetext::parse(&position, &written), Ok(mv));
                }
                position = position.after(mv);
            }
            Err(MoveError::Ambiguous { choices, .. }) => {
                assert!(choices.len() > 1);
                assert!(choices.iter().all(|choice| movetext::parse(&position, choice).is_ok()));
            }
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
}
