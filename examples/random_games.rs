//! Writes random games in PDN to standard output, for measuring speed: `random_games 100000 [SEED] >
//! games.pdn`.

use std::io::{BufWriter, Write, stdout};

use kelso_draughts::board::{Game, Position};
use kelso_draughts::record::{GameRecord, Ply};
use kelso_random::IndexedRandom;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u32 = arguments.next().ok_or("how many games? expected a number")?.parse()?;
    let seed: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;
    let mut out = BufWriter::new(stdout().lock());
    let mut random = kelso_random::stream(&[seed]);
    for number in 1..=count {
        let mut pdn = GameRecord::new(Position::start());
        let mut game = Game::default();
        let end = loop {
            if let Some(end) = game.end() {
                break end;
            }
            let moves = game.position().moves();
            let Some(&mv) = moves.choose(&mut random) else { continue };
            pdn.plies.push(Ply::new(mv));
            game.play(mv);
        };
        pdn.result = Some(end.result);
        for (name, value) in [("Event", "Random games"), ("Black", "random"), ("White", "random")] {
            pdn.tags.set(name, value);
        }
        pdn.tags.set("Round", &number.to_string());
        writeln!(out, "{pdn}")?;
    }
    out.flush()?;
    Ok(())
}
