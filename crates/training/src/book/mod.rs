//! Making books: positions whose every move has been searched, the most important ones first.
//!
//! A book begins with its roots, each of them searched. The position to expand next is chosen by drop-out expansion (Lincke,
//! 2000): every move on the way to it costs one ply and what the move falls behind the best one, for both sides, and the cheapest
//! is next. One number, how many hundredths of a man weigh as much as a ply, makes the book wide or deep. Expanding a position means
//! searching each of its moves; what comes of it is passed up, so that a refutation found deep below changes the choice at
//! the root.
//!
//! | for | see |
//! |---|---|
//! | the positions, what they are worth, and which is next | [`tree`] |
//! | where a book begins | [`root`] |
//! | searching moves | [`search`] |
//! | several workers, and what is finished on disk | [`build`], [`header`] |
//! | making one book of two, or a smaller one | [`merge`], [`prune`] |
//! | whether a book is sound | [`verify`] |
//! | whether it is right | [`review`] |
//! | books for other programs | [`export`] |

pub mod build;
pub mod export;
pub mod header;
pub mod merge;
pub mod prune;
pub mod review;
pub mod root;
pub mod search;
pub mod tree;
pub mod verify;
