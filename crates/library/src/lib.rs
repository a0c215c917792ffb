//! A library of games: all games of a user, with comments and reviews, in one file that several programs can
//! use at the same time.
//!
//! A [`Library`] answers requests: it lists the games that pass a [`Filter`], counts the moves that they
//! played in a position, imports PDN, and saves games that are being played. Its games are in a [`Store`]: a
//! file ([`Database`]) or memory ([`Memory`]), which a browser keeps in its own database.
//!
//! | module | contents |
//! |---|---|
//! | [`stored_game`] | a stored game, and the summary by which it is listed, found and sorted |
//! | [`conditions`] | conditions on the names, dates, positions and moves of games |
//! | [`filter`] | the conditions by which games are listed |
//! | [`import`] | games from PDN, with their errors |
//! | [`store`], [`database`], [`memory`] | where the games are |
//! | [`library`] | the requests |
//! | [`continuations`] | the moves played from a position |

pub mod conditions;
pub mod continuations;
#[cfg(not(target_family = "wasm"))]
pub mod database;
pub mod filter;
pub mod import;
pub mod library;
pub mod memory;
pub mod store;
pub mod stored_game;

#[cfg(not(target_family = "wasm"))]
pub use database::Database;
pub use filter::Filter;
pub use library::Library;
pub use memory::Memory;
pub use store::Store;
