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
//! | the game as annotated PDN | [`annotate`] |
//! | positions in which only one move is right | [`problem`], [`problem_collection`] |
//! | reports, and results by player | [`report`] |
//! | collections of games | [`games`] |
//!
//! ```
//! use kelso_analysis::games;
//! use kelso_draughts::notation::pdn::PdnReader;
//!
//! let text = "[Event \"One\"] 1. 11-15 23-18 *\n\n[Event \"Two\"] 1. 9-13 *\n";
//! let mut lengths = Vec::new();
//! games::each(
//!     PdnReader::new(text.as_bytes()).batches(),
//!     2,
//!     |entry, _| entry.game.plies.len(),
//!     |number, length| {
//!         lengths.push((number, length));
//!         true
//!     },
//! );
//! assert_eq!(lengths, [(1, 2), (2, 1)]);
//! ```

pub mod analyser;
pub mod annotate;
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
