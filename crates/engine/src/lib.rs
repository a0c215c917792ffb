//! An engine for English draughts: search, evaluation, options, levels and the opening book.
//!
//! ```
//! use kelso_draughts::Game;
//! use kelso_engine::{Engine, EngineSettings};
//! use kelso_engine::search::{Control, Limits};
//!
//! let engine = Engine::new(EngineSettings::default())?;
//! let answer = engine.search(&Game::default(), &Limits::depth(5), &Control::new(), &mut |_| {});
//! assert!(answer.best.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

pub mod book;
mod engine;
pub mod eval;
mod level;
mod options;
mod prefetch;
pub mod search;

pub use engine::{
    BENCH_DEPTH, BenchResult, DrawOfferAnswer, DrawOfferReason, EmbeddedData, Engine, EngineSettings,
    ErringReplies, EvaluationId, Probe, ProbedMove, SettingError, WeightsError, bench_positions,
};
pub use level::Level;
pub use options::{Declaration, MAX_LINES, OPTIONS, OptionError, OptionKind, Options, Resource, Setting};
