//! The making of opening books.
//!
//! A book begins with its roots, which are searched. The position to expand next is chosen by drop-out expansion (Lincke, 2000):
//! every move on the path to a position costs one ply and the value that it drops behind the best move, for both sides, and the
//! cheapest position is next. The width, in hundredths of a man for each ply, makes the book wide or deep. Expanding a position
//! searches each of its moves; values are propagated to the root, so that a refutation found deep below changes the choice there.
//!
//! | for | see |
//! |---|---|
//! | the positions, their values, and which is next; merging and pruning | [`tree`] |
//! | searching moves | [`search`] |
//! | the roots, the workers, and their checkpoint | [`build`] |
//! | verification of the file | [`verify`] |
//! | review of the moves by longer searches | [`review`] |
//! | export for other programs | [`export`] |

pub mod build;
pub mod export;
pub mod review;
pub mod search;
pub mod tree;
pub mod verify;
