//! Builds opening books.
//!
//! A book begins with its roots, which are searched. The position to expand next is chosen by drop-out
//! expansion (Lincke, 2000): every move on the path to a position, by either side, costs one ply plus the
//! value that it loses compared with the best move, and the cheapest position is expanded next. The cost of a
//! ply is called the width: a larger width makes the book wider, a smaller one deeper. Expanding a position
//! searches each of its moves, and values are propagated to the root, so a refutation found deep in the tree
//! changes the choice there.
//!
//! | for | see |
//! |---|---|
//! | the positions, their values, and which to expand next; merging and pruning | [`tree`] |
//! | searching moves | [`search`] |
//! | the roots, the workers, and their checkpoint | [`build`] |
//! | verification of the file | [`verify`] |
//! | export as a game | [`export`] |

pub mod build;
pub mod export;
pub mod search;
pub mod tree;
pub mod verify;
