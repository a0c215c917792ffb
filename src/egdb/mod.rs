//! Endgame databases.

mod bits;
mod block;
mod build;
mod cache;
mod claim;
mod coder;
mod compress;
mod databases;
mod distance;
mod file;
mod folder;
mod index;
mod model;
mod node;
mod pair;
mod slice;
mod store;
mod table;
mod verify;
mod wld;

pub use build::{BuildError, Estimate, Request, Watch, build};
pub use databases::{Databases, Options, Problem, Wld};
pub use file::{Content, FileError, Header};
pub use folder::default_folder;
pub use pair::Counts;
pub use slice::{MOST_PIECES, Slice};
pub use verify::{Contradiction, Verdict, verify};
