//! Analysis of games: the value of each move, and the moves that changed the result.
//!
//! | for | see |
//! |---|---|
//! | the engine that analyses, and its limits | [`analyser`] |
//! | how deep it searches, and in which passes | [`passes`] |
//! | the positions of a game, from its end to its beginning | `positions` |
//! | scores, known results and expected points | [`value`] |
//! | lost draws, missed wins, only moves | [`verdict`] |
//! | an analysed game | [`record`] |
//! | many games in parallel, and on disk | [`runner`] |
//! | the game as annotated PDN | `annotate` |
//! | positions in which only one move is right | [`problem`], [`problem_collection`] |
//! | reports, and results by player | [`report`] |
//! | collections of games | [`games`] |
//!
//! ```
//! use kelso_library::opening::Ballots;
//! use kelso_draughts::notation::pdn::PdnReader;
//!
//! let game = PdnReader::new("1. 11-15 23-18 2. 8-11 *".as_bytes()).next().ok_or("no game")?.whole()?;
//! let ballots = Ballots::new();
//! assert_eq!(ballots.of(&game).and_then(|ballot| ballot.name()), Some("Cross"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analyser;
mod annotate;
pub mod games;
pub mod passes;
pub mod positions;
pub mod problem;
pub mod problem_collection;
pub mod record;
pub mod report;
pub mod runner;
pub mod value;
pub mod verdict;
