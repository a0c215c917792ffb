//! Players: the `Player` trait, the game loop, engines, clocks and limits.
//!
//! In matches, all engines are [`client::EngineClient`]s, child processes that speak a protocol, so that all
//! are treated alike. Training uses the engine in this process, and the laboratory has its own players.
//!
//! ```
//! use kelso_players::limits::TimeControl;
//!
//! let control: TimeControl = "40/60+0.6".parse()?;
//! assert_eq!((control.moves, control.base.as_secs()), (Some(40), 60));
//! # Ok::<(), kelso_syntax::WordError>(())
//! ```

pub mod check;
pub mod client;
pub mod fingerprint;
pub mod limits;
pub mod log;
pub mod player;
pub mod random;
pub mod session;
pub mod spec;

pub use kelso_protocol::{Dialect, Identity};
