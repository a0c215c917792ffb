//! The board in the browser: the requests of its page ([`games`], [`review`], [`explorer`]), and the engine as WebAssembly.
//!
//! As WebAssembly the crate is one module without other files (`wasm`), in which `worker.js` of the page runs a session of
//! the native protocol. Elsewhere it is a library with the requests, which `kelso serve` answers in the same way.

pub mod explorer;
pub mod games;
pub mod query;
pub mod review;
#[cfg(target_family = "wasm")]
mod wasm;
