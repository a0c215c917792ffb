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
//! use kelso_analysis::games::duplicates::{MoveSequence, Seen};
//! use kelso_draughts::notation::pdn::PdnReader;
//!
//! let games = "[Event \"One\"]\n\n1. 11-15 23-18 *\n\n[Event \"Two\"]\n\n1. 11-15 23-18 *\n";
//! let mut seen = Seen::default();
//! let mut earlier = Vec::new();
//! for entry in PdnReader::new(games.as_bytes()) {
//!     earlier.push(seen.add(MoveSequence::of(&entry.game), (0, entry.number)));
//! }
//! assert_eq!(earlier, [None, Some((0, 1))]);
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
