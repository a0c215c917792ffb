//! Rules and notation of English draughts (8x8 checkers).
//!
//! A [`Position`] lists its legal moves, and playing a [`Move`] gives the next position. A [`Game`] also
//! keeps earlier positions, to detect repetitions.
//!
//! | module | contents |
//! |---|---|
//! | [`board`] | squares, pieces, positions, moves, games, perft |
//! | [`ballot`] | the openings that tournaments draw by lot |
//! | [`notation`] | FEN, moves as text, and PDN |
//! | [`record`] | games with players, remarks and results |
//! | [`referee`] | draw rules, and when a game is over |
//! | [`result`] | results of games with their reasons, and values of positions |
//! | [`score`] | scores as engines report them |
//! | [`win_rates`] | chances of a win, a draw and a loss |
//! | [`diagram`] | boards as text |
//!
//! ```
//! use kelso_draughts::Position;
//! use kelso_draughts::notation::{fen, movetext};
//!
//! let position = fen::parse("B:W9,10,17,18,32:B6")?;
//! let moves: Vec<String> = position.moves().iter().map(|&mv| movetext::format(&position, mv)).collect();
//! assert_eq!(moves, ["6x13x22", "6x15x22"]);
//!
//! let mv = movetext::parse(&position, "6x15x22")?;
//! assert_eq!(fen::format(&position.after(mv)), "W:W9,17,32:B22");
//! assert!(fen::parse("B:W9,10,17,18,32:B33").is_err());
//! assert_eq!(Position::start().moves().len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The `serde` feature makes results, values and scores serializable.
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

pub mod ballot;
pub mod board;
pub mod diagram;
pub mod notation;
pub mod record;
pub mod referee;
pub mod result;
pub mod score;
pub mod win_rates;

pub use board::{Color, Game, Move, Position};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
