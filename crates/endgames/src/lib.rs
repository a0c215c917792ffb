#![cfg_attr(not(feature = "build"), allow(dead_code, reason = "readers and the builder share modules"))]
//! Endgame databases: the result of every position with few pieces, and for the fewest the plies to the end.
//!
//! Kelso makes them itself (`kelso egdb build`). Results of 2-5 pieces and distances of 2-4 are compiled in; what is
//! built besides is found in the user's data folder, or in the folder that is named. [`Databases`] opens all that and
//! looks positions up; everything else here makes it or checks it.
//!
//! # What a value says
//!
//! Win, loss or draw for the side to move when both sides play perfectly, as if no game were drawn by repetition or
//! by a count of moves. A distance is the number of plies to the end when the winner hurries and the loser delays,
//! across captures and promotions.
//!
//! # What is stored
//!
//! A [`Slice`] is all positions with given numbers of men and kings of both sides, the side to move first; both sides
//! have a piece. The board is turned so that the side to move goes up, which makes White's positions the same as
//! Black's. Every position of a slice has a number (`index`), and a file (`file`) has a value for each, in blocks
//! that are coded one by one (`model`, `coder`). Positions in which the side to move must capture have a number but
//! no value there. [`Databases::probe`] and [`Databases::distance`] play their captures out; [`Databases::probe_quiet`]
//! answers for the others only. A position in which a side has no pieces needs no file: the side without has lost.
//!
//! Positions in which the other side threatens to capture may be left out, too (`coverage`); they are told by looking
//! one ply ahead.
//!
//! Those modules say enough to write a reader: read the header, the model and the directory; number the position; find
//! its group and in it its block, tell which of the block's positions are stored, and decode up to the value.
//!
//! # How they are made
//!
//! Slices are solved in the order of pieces and then of men, each together with its twin, the same pieces with the
//! other side to move (`pair`); within a pair block by block, a block being the positions with the men on the same
//! squares (`block`), by one of two rules (`wld`, `distance`). `build` runs this on threads, or on several machines
//! (`claim`), and can be stopped at any moment; `verify` recomputes what is stored from the rules of the game.
//!
//! What is compiled in is the builder's files one after the other, and is made again by
//!
//! ```sh
//! kelso egdb build --pieces 5 --distances 4 --dir D
//! cat D/*.wld > crates/endgames/src/data/2-5.wld
//! cat D/*.dtw > crates/endgames/src/data/2-4.dtw
//! ```
//!
//! # Measured, and eight pieces on paper
//!
//! On one core that was busy with other work too:
//!
//! | pieces | positions | core seconds | bytes on disk | bits a position |
//! |---|---|---|---|---|
//! | 2-4, distances | 6,408,836 | 1.4 | 1,392,833 | 1.74 |
//! | 2-4 | 6,408,836 | 1.2 | 120,718 | 0.15 |
//! | 5 | 139,450,808 | 12 | 977,586 | 0.056 |
//! | 6 | 2,426,085,676 | 178 | 27,659,227 | 0.091 |
//! | 7 | 34,243,113,624 | 4000, by 110 for 933,699,312 | 273,200,382 | 0.064 |
//!
//! The times are those of an earlier format, which filled in what it did not store and left out no threatened
//! positions: 43,982,330 bytes for six pieces, and 508 MB for seven. Two thirds of the time are for solving and
//! one third is for compressing. Where there are no men, with seven pieces and more, a position takes three times as long
//! as elsewhere, since the blocks exceed every cache.
//!
//! Positions between equals are the ones that need space, in thousandths of a bit each:
//!
//! | pieces | equal | one more | two more | three and more |
//! |---|---|---|---|---|
//! | 5 | | 84 | | 1 |
//! | 6 | 270 | | 8 | 0.3 |
//! | 7 | | 114 | | 1.3 |
//!
//! Eight pieces are 403,190,250,561 positions, of which 111 billion are between equals. Built so far, on a core that was
//! busy with other work too:
//!
//! | slices | positions | core seconds | bytes | thousandths of a bit | with six pieces |
//! |---|---|---|---|---|---|
//! | 04v04 | 736,281,000 | 194 | 11,829,904 | 129 | 130 |
//! | 13v04, 04v13 | 5,153,967,000 | 780, and 230 for reading | 112,822,988 | 175 | 180 |
//! | 05v03, 03v05 | 1,178,049,600 | 196 | 1,146,721 | 7.8 | 4.8 |
//! | 06v02, 02v06 | 589,024,800 | 93 | 33,678 | 0.5 | 0.2 |
//! | 07v01, 01v07, 10v07, 07v10 | 315,549,000 | 56 | 472 | 0.0 | |
//!
//! The last column is of the slices with as much more on one side, and, with men, between those that have a smaller and a
//! greater part of men. Taken from those in this way the rest is computed: 3.7 GB for four pieces against four, 0.3 GB for
//! five against three, 20 MB for all others. It has not been built.
//!
//! # Memory and disk
//!
//! A slice needs the tables of all slices that captures and promotions lead to. In memory with its own that is at most
//! 105 MiB with six pieces, 1.3 GiB with seven and 10.8 GiB with eight (`kelso egdb plan`). What does not fit is in files
//! that are mapped (`memory`, `work`, `store`): the solver goes block by block, and a block reads and writes pieces of some
//! tens of kilobytes, so that a disk keeps up (`job`). In memory are then the block itself, 2 bytes for each pair of ranks
//! and 1.5 for positions to propagate, and a window of the files, 89 MiB at the most with six pieces and 621 MiB with
//! seven. With eight it is 4.3 GiB for four kings against four and 70 MiB for most others. How far a slice is that takes
//! minutes is kept, so that a kill costs little; and so are tables that others need, so that they need not be read back
//! from their files, where the captures would have to be looked up again.
//!
//! Machines that share a folder divide the work (`--share`): the 52 pairs of seven pieces come in eight levels by their
//! numbers of men, of three to nine pairs each, which is how many machines can be kept busy.

mod bits;
#[cfg(feature = "build")]
mod build;
mod cache;
mod coder;
mod counts;
mod coverage;
mod databases;
mod file;
mod folder;
mod header;
mod index;
mod model;
mod node;
mod probe;
mod slice;
mod stored;
mod value;
#[cfg(feature = "build")]
mod verify;
mod walk;

#[cfg(feature = "build")]
pub use build::{BuildError, BuildWatch, Estimate, Job, Needs, Request, build};
pub use counts::Counts;
pub use databases::{Databases, Problem, Sources, check_folder};
pub use draughts::referee::Wld;
pub use folder::default_folder;
pub use header::{Content, FileError, Header};
pub use slice::{MAX_PIECES, Slice};
#[cfg(feature = "build")]
pub use verify::{Contradiction, Part, Verification, verify};
