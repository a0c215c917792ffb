//! Any text as a FEN: it is a position that survives a round trip, with legal moves, or a one-line error.

use kelso_draughts::board::{Position, Setup};
use kelso_draughts::notation::fen;

pub fn run(text: &str) {
    match fen::parse(text) {
        Ok(position) => {
            let written = fen::format(&position);
            assert_eq!(fen::parse(&written).as_ref(), Ok(&position));
            assert_eq!(Position::try_from(Setup::from(&position)).as_ref(), Ok(&position));
            assert_eq!(position.flipped().flipped(), position);
            for mv in position.moves() {
                let next = position.after(mv);
                assert_eq!(Position::try_from(Setup::from(&next)), Ok(next));
            }
        }
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
}
