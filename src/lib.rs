//! Kelso, an engine for English draughts, as a library.
//!
//! Most programs need six things of it, which are at the top: a [`Position`] has moves, a [`Move`] leads to the next
//! position, a [`Game`] remembers what repetition depends on; an [`Engine`] searches a game within [`Limits`], tells
//! [`Event`]s on the way and comes to an [`Answer`], while a [`Control`] can stop it from another thread. Text for
//! positions and moves is in [`notation`], and everything else in the module that its name says.
//!
//! The program and what belongs to it (matches, laboratory, training, transcripts) are the feature `cli`, which is on
//! unless it is turned off. `cargo add kelso --no-default-features` brings moves, notation, search, endgame databases and
//! the protocol, without the dependencies of a command line.
//!
//! Moves, and what they lead to:
//!
//! ```
//! use kelso::Position;
//! use kelso::notation::{fen, movetext};
//!
//! let position = fen::parse("B:W9,10,17,18,32:B6")?;
//! let moves: Vec<String> = position.moves().iter().map(|&mv| movetext::format(&position, mv)).collect();
//! assert_eq!(moves, ["6x13x22", "6x15x22"]);
//!
//! let mv = movetext::parse(&position, "6x15x22")?;
//! let next = position.after(mv);
//! assert_eq!(fen::format(&next), "W:W9,17,32:B22");
//! assert_eq!(fen::parse("B:W9,10,17,18,32:B33").unwrap_err().to_string(),
//!     "invalid FEN \"B:W9,10,17,18,32:B33\" at character 19: expected a square from 1 to 32");
//! # assert_eq!(Position::start().moves().len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game, and the engine's opinion of it:
//!
//! ```
//! use kelso::notation::movetext;
//! use kelso::{Control, Engine, Event, Game, Limits};
//!
//! let mut game = Game::default();
//! for text in ["11-15", "23-19"] {
//!     let mv = movetext::parse(game.position(), text)?;
//!     game.play(mv);
//! }
//! let engine = Engine::with_table(16)?;
//! let mut depths = Vec::new();
//! let answer = engine.search(&game, &Limits::depth(9), &Control::new(false), &mut |event| {
//!     if let Event::Line(report) = event {
//!         depths.push(report.depth);
//!     }
//! });
//! assert_eq!(depths.last(), Some(&9));
//! let best = answer.best.expect("the game isn't over");
//! game.play(best);
//! assert_eq!(game.outcome(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "cli")]
pub mod analysis;
pub mod board;
pub mod book;
#[cfg(feature = "cli")]
pub mod bookmaking;
pub mod checkerboard;
#[cfg(feature = "cli")]
pub mod cli;
pub mod common;
pub mod diagram;
pub mod egdb;
pub mod engine;
pub mod eval;
#[cfg(feature = "cli")]
pub mod games;
#[cfg(feature = "cli")]
pub mod lab;
pub mod notation;
#[cfg(feature = "cli")]
pub mod players;
#[cfg(feature = "cli")]
pub mod process;
pub mod protocol;
#[cfg(feature = "cli")]
pub mod referee;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "cli")]
pub mod statistics;
#[cfg(feature = "cli")]
pub mod terminal;
#[cfg(feature = "cli")]
pub mod tournament;
#[cfg(feature = "cli")]
pub mod train;
#[cfg(feature = "cli")]
pub mod transcript;

pub use board::{Game, Move, Position};
pub use engine::Engine;
pub use search::{Answer, Control, Event, Limits};
