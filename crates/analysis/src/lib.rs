//! Analysis of games: what each move is worth, which of them changed the result, and who says so.
//!
//! | for | see |
//! |---|---|
//! | who judges, and within what limits | [`judge`] |
//! | what a score means for the result | [`outlook`] |
//! | looking at a game from its end to its beginning | [`look`] |
//! | lost draws, missed wins, only moves | [`verdict`] |
//! | an analysed game | [`record`] |
//! | many of them side by side, and on disk | [`runner`], [`store`], [`header`] |
//! | the game as PDN with all that is said of it | [`annotate`] |
//! | what the games say of their players | [`summary`] |
//! | positions in which one move alone is right | [`problem`] |
//! | reports | [`report`], [`page`] |

pub mod annotate;
pub mod games;
pub mod header;
pub mod judge;
pub mod look;
pub mod outlook;
pub mod page;
pub mod problem;
pub mod record;
pub mod report;
pub mod runner;
pub mod store;
pub mod summary;
pub mod verdict;
