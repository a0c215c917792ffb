//! Uses the libraries without the program: moves, notation, an endgame database probe, and a search.

use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::{Game, Position};
use kelso_endgames::Databases;
use kelso_engine::{Engine, Setting};
use kelso_engine::search::{Control, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(Position::start().moves().len(), 7);
    let position = fen::parse("B:W9,10,17,18,32:B6")?;
    let mv = movetext::parse(&position, "6x15x22")?;
    assert_eq!(fen::format(&position.after(mv)), "W:W9,17,32:B22");
    let databases = Databases::compiled_in();
    let known = databases.probe(&fen::parse("B:WK32:BK1,K2")?);
    let mut game = Game::new(position);
    let engine = Engine::new([Setting::Hash(1)])?;
    let answer = engine.search(&game, &Limits::depth(5), &Control::new(), &mut |_| {});
    let best = answer.best.ok_or("no move")?;
    println!("{} {known:?}", movetext::format(&position, best));
    game.play(best);
    assert_eq!(game.end(), None);
    Ok(())
}
