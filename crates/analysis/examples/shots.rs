//! Finds shots in positions of games and in those one move away, for the puzzles on the browser board:
//!
//! ```sh
//! cargo run --release -p analysis --example shots games.pdn > shots.txt
//! ```
//!
//! Each line is FEN|moves|gain|solution: `moves` is the number of moves by the side to move, and `gain` the
//! material that they win, counting two for a man.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};

use analysis::problem::{Shot, find_shot};
use draughts::board::Position;
use draughts::notation::pdn::PdnReader;
use draughts::notation::{fen, movetext};

/// Maximum number of moves in a shot, and the range of piece counts.
const MOVES: u32 = 3;
const PIECES: std::ops::RangeInclusive<u32> = 10..=20;

/// Returns the shortest shot in a position.
fn shortest(position: &Position) -> Option<(u32, Shot)> {
    (1..=MOVES).find_map(|moves| find_shot(position, moves).map(|shot| (moves, shot)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("a PDN file is required")?;
    let mut seen = HashSet::new();
    let mut out = BufWriter::new(io::stdout().lock());
    for entry in PdnReader::new(File::open(path)?) {
        let mut position = entry.game.start;
        for mv in entry.game.moves() {
            // Also search positions after moves that were not played.
            for &other in &position.moves() {
                let next = position.after(other);
                if PIECES.contains(&next.piece_count())
                    && seen.insert(next.key())
                    && let Some((moves, shot)) = shortest(&next)
                {
                    let solution = movetext::format_line(&next, &shot.line);
                    writeln!(out, "{}|{moves}|{}|{solution}", fen::format(&next), shot.gain)?;
                }
            }
            position = position.after(mv);
        }
    }
    out.flush()?;
    Ok(())
}
