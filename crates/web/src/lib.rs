//! The board in the browser: the page, the server of `kelso serve`, and the engine as WebAssembly.
//!
//! | module | contents |
//! |---|---|
//! | `page` | the page: JavaScript, styles and puzzles |
//! | [`server`] | the web server of `kelso serve`, and the static files of `kelso site` |
//! | [`games`], [`review`], [`explorer`], [`library`] | answers to the page |
//! | `wasm` | the engine as one self-contained module, in which the page's `worker.js` runs a session |

pub mod explorer;
pub mod games;
pub mod library;
pub mod query;
pub mod review;
#[cfg(not(target_family = "wasm"))]
pub mod server;
#[cfg(target_family = "wasm")]
mod wasm;
