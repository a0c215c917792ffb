//! Transcripts: conversations with an engine as text, to be replayed against it or against any other.
//!
//! A transcript says what is sent and what has to come back:
//!
//! ```text
//! # An engine says when it is ready.
//! ! option Hash 16
//! > isready
//! < readyok
//! > go depth 3
//! <* info depth [n] [..]
//! < bestmove [move]
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `# text` | a comment; empty lines say nothing either |
//! | `> text` | sends a line |
//! | `< pattern` | expects a line of output |
//! | `<* pattern` | expects any number of such lines, also none |
//! | `< ...` | expects any number of any lines |
//! | `! args A B` | starts the engine with these arguments, split as a shell does; before all else |
//! | `! timeout S` | each expected line is waited for so many seconds from here on |
//! | `! option NAME VALUE` | sends `setoption name NAME value VALUE`; NAME in quotes if it has spaces |
//! | `! wait MS` | waits so many milliseconds |
//! | `! close` | closes the engine's input |
//! | `! eof` | expects the output to end here |
//! | `! exit N` | expects this exit status instead of 0; `any` stands for any, but for a crash |
//!
//! A [`Pattern`] has wildcards: `[..]` any text, `[n]` an integer, `[real]` any number, `[move]` a move.
//!
//! Every line of output has to be expected. A line is sent as soon as the expectations before it are met, and those that
//! may be repeated count as met at once: their lines may come later, up to the next other line. After the last line the
//! engine's input is closed; it must end, with the expected status, and print nothing more. So a mistake can't hide in
//! output that nobody looked at.
//!
//! The pieces: `grammar` reads a line and [`Transcript`] the whole, [`Sequence`] follows the output, [`run`] plays one
//! transcript against one process, [`run_all`] many at a time, [`source`] finds them in files, folders and documents,
//! [`report`] and [`junit`] tell of them, [`updated`] rewrites them, and [`record`] writes new ones.

mod align;
mod failure;
mod grammar;
mod item;
pub mod junit;
pub mod markdown;
mod matcher;
mod pattern;
pub mod record;
pub mod report;
mod runner;
mod script;
mod sequence;
pub mod source;
mod suite;
mod update;
mod volatile;

pub use failure::{CaseFailure, Reason};
pub use item::{Directive, Expectation, Item, LONGEST_TIMEOUT, LONGEST_WAIT};
pub use pattern::{Part, Pattern};
pub use runner::{Gap, Run, Settings, run};
pub use script::{Line, Problem, Transcript, TranscriptError};
pub use sequence::Sequence;
pub use suite::run_all;
pub use update::updated;
pub use volatile::expectation_of;
