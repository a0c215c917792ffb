//! Uses the engine as a library: a position, its moves, and a search with progress.
//!
//! `cargo run --release --example search [FEN]`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example shows what it does")]

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use kelso_draughts::notation::{fen, movetext};
use kelso_draughts::{Game, Position};
use kelso_engine::search::{Control, Limits, SearchEvent};
use kelso_engine::{Engine, EngineSettings};

fn main() -> ExitCode {
    match search() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn search() -> Result<(), Box<dyn Error>> {
    let position = match std::env::args().nth(1) {
        Some(text) => fen::parse(&text)?,
        None => Position::start(),
    };
    for mv in position.moves() {
        let next = position.after(mv);
        println!("{} leads to {}", movetext::format(&position, mv), fen::format(&next));
    }
    let engine = Engine::new(EngineSettings::default())?;
    let game = Game::new(position);
    // `Control` can stop a search from another thread. This search runs until its time limit.
    let limits = Limits::move_time(Duration::from_millis(300));
    let answer = engine.search(&game, &limits, &Control::new(), &mut |event| {
        if let SearchEvent::Line(report) = event {
            let line = movetext::format_line(&position, &report.line);
            println!("depth {} {:?} {line}", report.depth, report.score.reported());
        }
    });
    match answer.best {
        Some(best) => println!("best {}", movetext::format(&position, best)),
        None => println!("no move: {} has lost", position.side()),
    }
    Ok(())
}
