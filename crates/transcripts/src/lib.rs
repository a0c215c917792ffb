//! Transcripts: recorded engine sessions, as text, which can be replayed with any engine.
//!
//! A transcript contains lines to send and lines to expect:
//!
//! ```text
//! # An engine reports when it is ready.
//! ! option Hash 16
//! > isready
//! < readyok
//! > go depth 3
//! <* info depth [n] [..]
//! < bestmove [move]
//! ```
//!
//! [`TranscriptItem`], [`Expectation`] and [`Directive`] describe the lines. A [`Pattern`] has wildcards:
//! `[..]` any text, `[n]` an integer, `[real]` any number, `[move]` a move.
//!
//! Every line of output must be expected. A line is sent as soon as the expectations before it are met.
//! Repeated expectations are met immediately; their lines may come later, until a different line arrives.
//! After the last line, the engine's input is closed, and the engine must exit with the expected status and
//! print nothing more.
//!
//! [`Transcript`] parses a transcript, [`Sequence`] matches output, [`run`] replays one transcript and
//! [`run_all`] many, [`source`] reads them from files, [`report`] formats results, [`updated`] rewrites a
//! transcript, and [`record`] writes a new one.
//!
//! ```
//! use kelso_transcripts::{Pattern, Transcript};
//!
//! let transcript = Transcript::parse("> isready\n< readyok\n", 1)?;
//! assert!(transcript.arguments().is_empty());
//! assert!(Pattern::parse("bestmove [move]").matches("bestmove 11-15"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod item;
pub mod markdown;
mod pattern;
pub mod record;
pub mod report;
mod runner;
mod script;
mod sequence;
pub mod source;
mod suite;
mod update;

pub use item::{Directive, Expectation, MAX_TIMEOUT, MAX_WAIT, TranscriptItem};
pub use pattern::Pattern;
pub use runner::{CaseFailure, CaseRun, Difference, FailureReason, ReplaySettings, run};
pub use script::{ScriptLine, Transcript, TranscriptError};
pub use sequence::Sequence;
pub use suite::run_all;
pub use update::{expectation_of, updated};
